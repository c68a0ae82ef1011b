"""How far the work is, who did what, and copies for several people on the same sentences."""

from __future__ import annotations

import streamlit as st

from app.pages.annotation import shared_store
from app.pages.oracle_tables import draw_table
from app.pages.queue_state import chosen_document, names, progress_now, tell
from app.pages.queue_table import draw_figures
from app.views.queue_rows import document_columns, people_columns
from app.views.text import escape_markdown
from aptcore.errors import AptamrError


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


def draw_copies() -> None:
    """Draw what gives each of several people a copy of their own."""
    st.markdown("**Double annotation**")
    document = chosen_document()
    if document is None:
        st.caption("Choose one document above to give several people a copy of it each.")
        return
    st.caption(
        "Each person corrects a copy and does not see the others' until both have accepted a "
        "sentence; the Compare page shows them side by side and measures how well they agree."
    )
    with st.form("queue_copies", border=False):
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        row.text_input("A copy each for", key="queue_copy_people", placeholder="Ada, Ben")
        row.form_submit_button("Make the copies", on_click=take_copies, args=(document,))


def take_copies(document: int) -> None:
    """Make a copy of a document for each person who was named."""
    typed = [" ".join(name.split()) for name in st.session_state.queue_copy_people.split(",")]
    people = list(dict.fromkeys(name for name in typed if name))
    if not people:
        tell("Name the people who are to have a copy, with commas between.", is_error=True)
        return
    name, made = names()[document], []
    try:
        for person in people:
            shared_store().copy_document(document, copy_name(name, person), person)
            made.append(person)
    except AptamrError as error:
        done = f" Copies were made for {', '.join(made)}." if made else ""
        tell(f"{error}.{done}", is_error=True)
        return
    tell(f"{escape_markdown(name)}: a copy each for {', '.join(made)}.")


def copy_name(document: str, person: str) -> str:
    """Name a person's copy of a document."""
    stem, dot, ending = document.rpartition(".")
    return f"{stem}.{person}{dot}{ending}" if stem else f"{document}.{person}"
