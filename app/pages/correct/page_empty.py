"""What the Correct page offers where the store holds no sentence: to bring some in."""

from __future__ import annotations

import streamlit as st

from app.annotation.acts import BringIn
from app.annotation.documents import shared_scribe
from app.annotation.incoming import MAX_FILE_MB, check_size
from app.annotation.job import Job
from app.annotation.waiting import attempt
from app.kit.address import timed
from app.kit.text import escape_markdown
from aptcore.assets import asset_path
from aptcore.errors import AptamrError, InputError
from aptcore.graph.encoding import decode_text

POLL_SECONDS = 1.0
HINT = "The boy sleeps.\nHis sister reads a book."
ABOUT = (
    "The store holds no sentence yet. Begin with ten sentences of our own that the shipped model "
    "parsed, or bring in an AMR file, by any parser, or plain sentences: those are parsed here."
)


def draw_empty() -> None:
    """Draw the ways to fill the store."""
    st.info(ABOUT)
    problem = st.session_state.get("correct_import_problem", "")
    if problem:
        st.error(escape_markdown(problem))
    running = [job for job in shared_scribe().jobs if job.kind == "parse" and not job.is_over]
    if running:
        timed(watch_parse, POLL_SECONDS)()
        return
    st.button("Use the ten example sentences", type="primary", on_click=take_example)
    with st.form("correct_import", border=False):
        st.file_uploader(
            f"An AMR file or a text file, up to {MAX_FILE_MB} MB",
            key="correct_upload",
            max_upload_size=MAX_FILE_MB,
        )
        st.text_area(
            "or paste graphs, or plain sentences, one a line",
            key="correct_paste",
            placeholder=HINT,
            height=130,
        )
        st.form_submit_button("Bring in", on_click=take_import)


def watch_parse() -> None:
    """Draw how far the parse is; the page is drawn anew when it ends."""
    jobs: list[Job] = [job for job in shared_scribe().jobs if job.kind == "parse"]
    job = jobs[-1]
    if job.is_over:
        st.session_state.correct_import_problem = job.error
        st.rerun()
    share = job.done / job.size if job.size else 0.0
    st.progress(share, f"Parsing {escape_markdown(job.name)}: {job.done:,} of {job.size:,}")


def take_example() -> None:
    """Bring the example sentences in."""
    text = asset_path("annotation/example.txt").read_text(encoding="utf-8")
    _try_to_import("example.txt", text)


def take_import() -> None:
    """Bring in what the form holds, or say why it cannot be."""
    upload, pasted = st.session_state.correct_upload, st.session_state.correct_paste
    try:
        if upload is not None:
            check_size(upload.name, upload.size)
            name, text = upload.name, decode_text(upload.getvalue(), upload.name)
        else:
            check_size("the pasted text", len(pasted))
            name, text = "pasted.txt", pasted
        if not text.strip():
            raise InputError("choose a file, or paste graphs or sentences")
    except AptamrError as error:
        _refuse(error)
        return
    _try_to_import(name, text)


def _try_to_import(name: str, text: str) -> None:
    st.session_state.correct_import_problem = ""
    kept = BringIn(name, "", text, is_split=False)

    def act() -> None:
        kept.do()

    attempt(f"the import of {name}", act, _refuse, kept)


def _refuse(error: AptamrError) -> None:
    st.session_state.correct_import_problem = f"Nothing was brought in: {error}"
