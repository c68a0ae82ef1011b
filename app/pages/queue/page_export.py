"""What takes a document out: its graphs, or an archive of all work on it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.addresses.queue import STATUSES
from app.annotation.session import shared_store
from app.pages.queue.state import chosen_document, names
from app.store.archive import ENDING
from app.store.documents.exporting import ExportOptions

FORMATS = {
    "penman": "PENMAN (AMR file)",
    "jsonl": "JSON lines",
    "archive": "Archive, with all work",
}


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
    name = names()[document]
    if kind == "archive":
        draw_download(row, lambda: shared_store().archives.write(document), name + ENDING)
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
    draw_download(row, lambda: shared_store().export(document, options), name + ending)
    left_out = shared_store().archives.left_out(document, options)
    if left_out:
        st.caption(f"Left out: {', '.join(left_out)}. The archive takes all of it along.")
    st.caption("Sentences that nobody changed keep every byte of their block.")


def draw_download(row: DeltaGenerator, text_of: Callable[[], str], name: str) -> None:
    """Draw the button that gives a file of this name."""
    row.download_button(
        "Export",
        lambda: text_of().encode("utf-8", "surrogateescape"),
        file_name=name,
        mime="text/plain",
        on_click="ignore",
        key="queue_export",
        icon=":material/download:",
    )
