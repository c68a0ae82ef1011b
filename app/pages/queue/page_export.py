"""What takes a document out: its graphs, or an archive of all work on it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.addresses.queue import STATUSES
from app.annotation.documents import shared_preparer
from app.annotation.preparing import PartsOf
from app.annotation.session import shared_store, store_url
from app.kit.text import escape_markdown
from app.pages.queue.page_behind import draw_behind
from app.pages.queue.state import chosen_document, names
from app.store.archive import ENDING
from app.store.documents.exporting import ExportOptions

FORMATS = {
    "penman": "PENMAN (AMR file)",
    "jsonl": "JSON lines",
    "archive": "Archive, with all work",
}
IMMEDIATE = 1_000
"""Sentences that are written while the browser waits: within about a second."""


def draw_export() -> None:
    """Draw the fields that take the chosen document out."""
    st.markdown("**Export**")
    document = chosen_document()
    if document is None:
        st.caption("Choose one document above to export it.")
        return
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    kind = row.selectbox(
        "Format",
        tuple(FORMATS),
        format_func=lambda name: FORMATS[name],
        key="queue_format",
        width=220,
    )
    name, store = names()[document], shared_store()
    if kind == "archive":
        parts = partial(store.archives.parts, document)
        draw_file(row, Asked(document, kind, None, name + ENDING, parts))
        st.caption(
            "One file with status, comments, flags, drafts, figures of doubt, the whole log and "
            "all copies, also those that are still blind. Import takes it, in another store too."
        )
        return
    status = row.selectbox(
        "Sentences",
        (None, *STATUSES),
        format_func=lambda name: name or "all",
        key="queue_export_status",
        width=150,
    )
    is_told = row.toggle(
        "With provenance",
        value=True,
        key="queue_provenance",
        help="Where each triple comes from, and who did what. Without it no name of a person is "
        "written that was not in the file.",
    )
    options = ExportOptions(
        "jsonl" if kind == "jsonl" else "penman",
        provenance=is_told,
        status=None if status is None else (status,),
    )
    ending = "" if kind == "penman" else ".jsonl"
    parts = partial(store.export_parts, document, options)
    draw_file(row, Asked(document, kind, options, part_name(name, status) + ending, parts))
    left_out = store.archives.left_out(document, options)
    if left_out:
        st.caption(f"Left out: {', '.join(left_out)}. The archive takes all of it along.")
    st.caption("Sentences that nobody changed keep every byte of their block.")


def part_name(name: str, status: str | None) -> str:
    """Name a file after its document, and after the status where it holds that alone.

    >>> part_name("silver.amr", "accepted"), part_name("silver.amr", None), part_name("a", "open")
    ('silver.accepted.amr', 'silver.amr', 'a.open')
    """
    if status is None:
        return name
    path = PurePosixPath(name)
    return str(path.with_stem(f"{path.stem}.{status}"))


@dataclass(frozen=True, slots=True)
class Asked:
    """A file that is asked for.

    Attributes:
        document: Of which document.
        kind: In which format.
        options: How, for an export of graphs.
        name: Of the file.
        parts_of: Gives it part by part.
    """

    document: int
    kind: str
    options: ExportOptions | None
    name: str
    parts_of: PartsOf

    @property
    def key(self) -> Hashable:
        """Give what tells it from other files: its store, document, format and options."""
        return store_url(), self.document, self.kind, self.options


def draw_file(row: DeltaGenerator, asked: Asked) -> None:
    """Draw what gives a file: at once, or for a large document what has it written before."""
    size = num_sentences(asked.document)
    if size <= IMMEDIATE:
        draw_download(row, asked.name, lambda: written(asked))
        return
    file = shared_preparer().find(asked.key)
    if file is not None and not file.is_over:
        draw_behind(shared_preparer(), file, "Writing")
        return
    if file is not None and file.path is not None:
        draw_download(row, asked.name, file.path.read_bytes)
        row.button("Write it anew", key="queue_prepare", on_click=prepare_file, args=(asked, size))
        st.caption(f"Written as it was at {file.at:%H:%M:%S} UTC.")
        return
    row.button(
        "Write the file",
        key="queue_prepare",
        on_click=prepare_file,
        args=(asked, size),
        help="It is written in the background; then it can be downloaded here.",
    )
    if file is not None:
        st.error(f"The file was not written: {escape_markdown(file.error)}")


def num_sentences(document: int) -> int:
    """Count the sentences of a document together with its copies: an archive holds them all."""
    known = shared_store().documents()
    return sum(one.num_sentences for one in known if document in (one.id, one.copy_of))


def written(asked: Asked) -> bytes:
    """Write a file at once."""
    return "".join(asked.parts_of()).encode("utf-8", "surrogateescape")


def prepare_file(asked: Asked, size: int) -> None:
    """Begin to write a file behind the page."""
    shared_preparer().begin(asked.key, asked.name, size, asked.parts_of)


def draw_download(row: DeltaGenerator, name: str, content_of: Callable[[], bytes]) -> None:
    """Draw the button that gives a file of this name."""
    row.download_button(
        "Export",
        content_of,
        file_name=name,
        mime="text/plain",
        on_click="ignore",
        key="queue_export",
        icon=":material/download:",
    )
