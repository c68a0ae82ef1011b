"""How far the work is, and who did what."""

from __future__ import annotations

import streamlit as st

from app.pages.annotation import shared_store
from app.pages.oracle_tables import draw_table
from app.pages.queue_copies import draw_copies
from app.pages.queue_state import progress_now
from app.pages.queue_table import draw_figures
from app.views.queue_rows import document_columns, people_columns


def draw_progress() -> None:
    """Draw figures, people and documents."""
    store = shared_store()
    draw_figures()
    progress = progress_now()
    st.markdown("**People**")
    st.caption(
        "Hours leave out pauses of more than five minutes between two operations of a person."
    )
    if progress.people:
        draw_table(people_columns(progress), "queue_people_table", "people.csv")
    else:
        st.caption("Nobody has done anything here yet.")
    st.markdown("**Documents**")
    pairs = [(document, store.progress(document.id)) for document in store.documents()]
    draw_table(document_columns(pairs), "queue_documents", "documents.csv")
    draw_copies()
