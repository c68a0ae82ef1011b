"""Correct asks who may see which copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.addresses.compare import COPY
from app.store.records.rows import Document, SentenceRow

SUBMITTED = ("accepted", "rejected")
"""The statuses with which a person says that a sentence is done."""


def originals(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Give the documents that are nobody's copy."""
    return tuple(document for document in documents if document.copy_of is None)


def copies(documents: Sequence[Document], document: int) -> dict[str, Document]:
    """Give the copies of a document by the name of their version."""
    return {COPY + one.person: one for one in documents if one.copy_of == document}


def why_hidden(versions: Sequence[str], rows: Mapping[str, SentenceRow], person: str) -> str:
    """Say why a person may not see a sentence in some versions; empty where they may.

    Args:
        versions: Those that are asked for.
        rows: The sentence in every copy of the document, by version.
        person: Who asks.
    """
    others = [version for version in versions if version in rows and version != COPY + person]
    waiting = [key for key, row in rows.items() if row.status not in SUBMITTED]
    if not others or not waiting:
        return ""
    names = ", ".join(key.removeprefix(COPY) for key in waiting)
    return (
        f"This sentence stays blind until everybody has accepted or rejected their copy. "
        f"Still at work: {names}."
    )
