"""What a run trains on: files that were chosen, and what people accepted in a store."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from app.store.documents.exporting import ExportOptions
from app.store.store import Store
from aptcore.errors import InputError
from aptcore.saving import save_text

ACCEPTED = "accepted-graphs"
"""The folder below that of the corpora where a store's accepted graphs are written."""


def corpora_override(chosen: Sequence[str], shipped: Sequence[str]) -> tuple[str, ...]:
    """Give the setting for the files that were chosen; none where they are the shipped ones."""
    if set(chosen) == set(shipped):
        return ()
    return (f"data.train={json.dumps(list(chosen), ensure_ascii=False)}",)


def write_accepted(store: Store, folder: Path) -> tuple[str, int]:
    """Write the accepted sentences of a store's documents, copies left out, to one file.

    Returns:
        The file's name inside the folder of corpora, and how many sentences it holds.

    Raises:
        InputError: Nothing is accepted, or the file cannot be written.
        StoreError: The store cannot be read.
    """
    options = ExportOptions(provenance=False, status=("accepted",))
    originals = [one.id for one in store.documents() if one.copy_of is None]
    texts = [store.export(document, options).strip() for document in originals]
    blocks = [text for text in texts if text]
    if not blocks:
        raise InputError("this store has no accepted sentence yet: accept some on Correct first")
    name = f"{ACCEPTED}/{re.sub(r'[^A-Za-z0-9]', '', store.identity)[:12]}.amr"
    try:
        (folder / ACCEPTED).mkdir(parents=True, exist_ok=True)
        save_text(folder / name, "\n\n".join(blocks) + "\n")
    except OSError as error:
        raise InputError(f"{folder / name} cannot be written: {error.strerror}") from error
    return name, sum(store.progress(document).accepted for document in originals)
