"""Queue: the sentences to be corrected, the most doubtful first; import, search, export.

Only drawing stands here; how the session changes stands in ``app.pages.queue.state``.
"""

from __future__ import annotations

import streamlit as st

from app.annotation.documents import documents
from app.annotation.identity import forget_person, has_sign_in
from app.annotation.session import current_person, is_person_known, is_store_open
from app.annotation.waiting import draw_unsaved
from app.kit.look import apply_look, draw_switch
from app.kit.text import escape_markdown
from app.pages.queue.page_export import draw_export
from app.pages.queue.page_import import draw_import
from app.pages.queue.page_jobs import draw_jobs
from app.pages.queue.page_progress import draw_progress
from app.pages.queue.page_rewrite import draw_search
from app.pages.queue.page_table import draw_queue
from app.pages.queue.state import EVERY, names, prepare, requested, take_fields, told_now

VIEWS = {
    "queue": "Queue",
    "search": "Search and rewrite",
    "import": "Import and export",
    "progress": "Progress and people",
}


def draw_top() -> None:
    """Draw what chooses the part of the page and the document."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    draw_switch(row, "Show", VIEWS, "queue_view", take_fields)
    known = names()
    row.selectbox(
        "Document",
        (EVERY, *known),
        format_func=lambda number: known.get(number, "All documents"),
        key="queue_document",
        on_change=take_fields,
        label_visibility="collapsed",
        width=260,
    )
    row.button(
        escape_markdown(current_person()),
        icon=":material/person:",
        type="tertiary",
        help="Sign out under Data & settings" if has_sign_in() else "Work under another name",
        on_click=forget_person,
        disabled=has_sign_in(),
        key="queue_person",
    )


def draw_told() -> None:
    """Say what the last click did, or why it did nothing."""
    told = told_now()
    if told.text:
        (st.error if told.is_error else st.success)(escape_markdown(told.text))


def draw_page() -> None:
    """Draw the whole page."""
    apply_look()
    draw_unsaved()
    if not is_store_open():
        return
    if not is_person_known():
        return
    prepare()
    draw_top()
    draw_told()
    draw_jobs()
    if not documents():
        st.info("There is nothing to correct yet. Import an AMR file, or raw text to be parsed.")
        draw_import()
        return
    match requested().view:
        case "search":
            draw_search()
        case "import":
            draw_import()
            draw_export()
        case "progress":
            draw_progress()
        case _:
            draw_queue()


draw_page()
