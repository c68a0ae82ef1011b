"""Compare: two versions of a sentence side by side, and how well versions agree.

Only drawing stands here; what is shown stands in ``app.pages.compare.state``.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app.addresses.compare import GOLD
from app.annotation.copies import originals
from app.annotation.documents import all_documents
from app.annotation.session import is_person_known, is_store_open
from app.annotation.waiting import draw_unsaved
from app.kit.corpora import MAX_FILE_MB, open_upload
from app.kit.data_folder import data_folder, files_in
from app.kit.look import apply_look, draw_switch
from app.kit.text import escape_markdown
from app.pages.compare.page_agreement import draw_agreement
from app.pages.compare.page_sentence import draw_sentence
from app.pages.compare.state import (
    go,
    prepare,
    requested,
    shown_document,
    take_fields,
    tell,
    versions,
)
from aptcore.errors import AptamrError

VIEWS = {"sentence": "Sentence", "agreement": "Agreement"}


def draw_top() -> None:
    """Draw what chooses the document and its versions."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    draw_switch(row, "Show", VIEWS, "compare_view", take_fields)
    known = {document.id: document.name for document in originals(all_documents())}
    row.selectbox(
        "Document",
        tuple(known),
        format_func=lambda number: known[number],
        key="compare_document",
        on_change=take_fields,
        width=230,
    )
    names = versions()
    for label, key in (("Compare", "compare_first"), ("with", "compare_second")):
        row.selectbox(
            label,
            tuple(names),
            format_func=lambda name: names[name],
            key=key,
            on_change=take_fields,
            width=220,
        )


def draw_gold() -> None:
    """Draw the fields that bring gold graphs in."""
    with st.expander("Gold graphs to compare with"):
        folder = data_folder()
        if folder is None:
            st.caption("Start the pages with APTAMR_DATA=FOLDER to open gold files by path.")
        else:
            st.selectbox(
                "File inside the folder of corpora",
                files_in(folder),
                key="compare_gold_path",
                index=None,
                placeholder="Choose a file",
                on_change=take_gold_path,
            )
        st.file_uploader(
            f"or an AMR file, up to {MAX_FILE_MB} MB",
            key="compare_gold_upload",
            on_change=take_gold_upload,
            max_upload_size=MAX_FILE_MB,
        )
        st.caption("Sentences are found by ::id, or by place where both files have as many.")


def take_gold_path() -> None:
    """Compare with a file of the folder."""
    st.session_state.compare_upload_source = None
    go(replace(requested(), gold=st.session_state.compare_gold_path or "", second=GOLD))


def take_gold_upload() -> None:
    """Compare with an uploaded file, which the session alone holds."""
    upload = st.session_state.compare_gold_upload
    if upload is None:
        st.session_state.compare_upload_source = None
        return
    try:
        source = open_upload(upload.name, upload.getvalue())
    except AptamrError as error:
        tell(str(error), is_error=True)
        return
    go(replace(requested(), second=GOLD))
    st.session_state.compare_upload_source = source


def draw_page() -> None:
    """Draw the whole page."""
    apply_look()
    draw_unsaved()
    if not is_store_open():
        return
    if not is_person_known():
        return
    prepare()
    if shown_document() is None:
        st.info("There is nothing to compare yet: import a document on the Queue page.")
        return
    draw_top()
    draw_gold()
    text, is_error = st.session_state.compare_told
    if text:
        (st.error if is_error else st.success)(escape_markdown(text))
    if requested().view == "agreement":
        draw_agreement()
    else:
        draw_sentence()


draw_page()
