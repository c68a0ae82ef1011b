"""How far the work is, and who did what."""

from __future__ import annotations

import streamlit as st

from app.addresses.queue import QueueLink
from app.annotation.session import shared_store
from app.annotation.waiting import attempt
from app.kit.tables import draw_table
from app.kit.text import escape_markdown
from app.pages.queue.page_copies import draw_copies
from app.pages.queue.page_table import draw_how_far
from app.pages.queue.rows import document_frame, people_frame
from app.pages.queue.state import chosen_row, go, progress_of_people, refuse, tell
from app.store.records.rows import Document


def draw_progress() -> None:
    """Draw figures, people and documents."""
    store = shared_store()
    draw_how_far()
    progress = progress_of_people()
    st.markdown("**People**")
    st.caption(
        "Work on copies counts here too. Hours leave out pauses of more than five minutes between "
        "two operations of a person."
    )
    if progress.people:
        draw_table(people_frame(progress), "queue_people_table", "people.csv")
    else:
        st.caption("Nobody has done anything here yet, or was given sentences.")
    st.markdown("**Documents**")
    pairs = [(document, store.progress(document.id)) for document in store.documents()]
    draw_table(document_frame(pairs), "queue_documents", "documents.csv")
    draw_copies()
    draw_removal()


def draw_removal() -> None:
    """Draw what puts a document away that was imported by mistake."""
    document = chosen_row()
    if document is None or document.copy_of is not None:
        return
    with st.popover("Remove this document"):
        st.markdown(
            f"**{escape_markdown(document.name)}** leaves the queue and all counts. One that "
            "somebody has worked on, or of which there are copies, is not removed."
        )
        st.button("Remove it", key="queue_remove_document", on_click=remove, args=(document,))


def remove(document: Document) -> None:
    """Put a document away, or say why it stays."""

    def act() -> None:
        shared_store().remove_document(document.id)
        go(QueueLink(view="progress"))
        tell(f"{document.name} is removed.")

    attempt(f"the removal of {document.name}", act, refuse)
