"""What comes into the queue: files, archives, raw text."""

from __future__ import annotations

import streamlit as st

from app.addresses.queue import QueueLink
from app.annotation.acts import BringIn
from app.annotation.documents import shared_scribe
from app.annotation.incoming import MAX_FILE_MB, RawText, check_size, sentences_of
from app.annotation.outside import named_parser
from app.annotation.waiting import attempt
from app.kit.tables import draw_table, problem_frame
from app.kit.text import counted, escape_markdown
from app.pages.queue.state import go, names, tell
from app.store.archive import is_archive
from app.store.records.rows import ImportReport
from aptcore.errors import AptamrError, InputError, UnavailableError
from aptcore.graph.encoding import decode_text
from aptcore.graph.formats import format_of

SHOWN_REMARKS = 5
HINT = (
    "# ::snt The boy sleeps.\n(s / sleep-01\n   :ARG0 (b / boy))\n\nor plain sentences, one a line"
)


def draw_import() -> None:
    """Draw the fields that bring a document in, and what became of the last one."""
    st.markdown("**Import**")
    st.caption(
        "An AMR file with or without alignments, by any parser, JSON Lines, or plain sentences: "
        f"those are parsed here, in the background{_who()}. What cannot be read is kept apart with "
        "its place and reason, and the rest goes on."
    )
    with st.form("queue_import", border=False, clear_on_submit=False):
        st.file_uploader(
            f"A file, up to {MAX_FILE_MB} MB", key=upload_key(), max_upload_size=MAX_FILE_MB
        )
        st.text_area("or paste it here", key="queue_paste", placeholder=HINT, height=170)
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        row.text_input(
            "Name of the document",
            key="queue_name",
            placeholder="as the file",
            max_chars=200,
            width=300,
        )
        row.form_submit_button("Import", type="primary", on_click=take_import)
        st.toggle(
            "Split lines of several sentences",
            key="queue_split",
            help="Plain sentences only: each is parsed by itself and named by its line, as 3.1, "
            "3.2. Without it a line is one graph, and the page says which lines look odd.",
        )
    draw_report()


def _who() -> str:
    """Name the parser that was given in place of the model."""
    parser = named_parser()
    return f", by {escape_markdown(parser.name)}" if parser else ""


def take_import() -> None:
    """Import what the form holds, or say why it cannot be."""
    state = st.session_state
    state.queue_report = None
    try:
        name, text = _given()
        is_text = not is_archive(text) and format_of(name, text) == "text"
        raw = sentences_of(text, is_split=bool(state.queue_split)) if is_text else None
    except UnavailableError as error:
        tell(f"Nothing was imported: {error}. Press Import again.", is_error=True)
        return
    except AptamrError as error:
        _refuse(error)
        return
    held = state.get("queue_num_imports", 0), state.queue_paste
    kept = BringIn(name, " ".join(state.queue_name.split()), text, bool(state.queue_split))

    def act() -> None:
        done = kept.do()
        if isinstance(done, ImportReport):
            go(QueueLink(view="import", document=done.document))
            state.queue_report = done
            tell(describe_report(done))
        elif raw is not None:
            tell(describe_odd(raw), job=done.id, begun=describe_begin(name, raw))
        if held == (state.get("queue_num_imports", 0), state.get("queue_paste", "")):
            clear_form()  # it waited here until it was in the store

    attempt(f"the import of {name}", act, _refuse, kept)


def _refuse(error: AptamrError) -> None:
    tell(f"Nothing was imported: {error}", is_error=True)


def upload_key() -> str:
    """Name the field for files; under a new name it is empty, and there is no other way."""
    return f"queue_upload_{st.session_state.get('queue_num_imports', 0)}"


def clear_form() -> None:
    """Empty the form: what it held is in the store."""
    state = st.session_state
    state.queue_num_imports = state.get("queue_num_imports", 0) + 1
    state.queue_paste = state.queue_name = ""


def _given() -> tuple[str, str]:
    """Give name and text of what the form holds.

    Raises:
        InputError: There is nothing, or too much.
        FormatError: The file is not text.
    """
    state = st.session_state
    upload, pasted = state[upload_key()], state.queue_paste
    name = " ".join(state.queue_name.split())
    if upload is not None and pasted.strip():
        raise InputError("there is a file and a pasted text: leave one of them out")
    if upload is not None:
        check_size(upload.name, upload.size)
        return name or upload.name, decode_text(upload.getvalue(), upload.name)
    if not pasted.strip():
        raise InputError("choose a file, or paste graphs or sentences")
    check_size("the pasted text", len(pasted))
    return name or _free_name(), pasted


def _free_name() -> str:
    waiting = {job.name for job in shared_scribe().jobs if not job.is_over}
    taken, number = {*names().values(), *waiting}, 1
    while (name := f"pasted {number}.amr") in taken:
        number += 1
    return name


def describe_begin(name: str, raw: RawText) -> str:
    """Say that raw text was taken and is parsed."""
    return (
        f"{counted(len(raw.lines), 'sentence')} to parse; {name} appears when all are. It is kept: "
        "you may close this page, and a restarted server goes on with it."
    )


def describe_odd(raw: RawText) -> str:
    """Say what of a raw text was passed over and what looks odd; empty for nothing."""
    text = ""
    if raw.num_empty:
        are = "line is" if raw.num_empty == 1 else "lines are"
        text += f"{raw.num_empty:,} empty {are} passed over; sentences are numbered by their line."
    if raw.remarks:
        some = ", ".join(f"line {place} {found}" for place, found in raw.remarks[:SHOWN_REMARKS])
        more = len(raw.remarks) - SHOWN_REMARKS
        text += f" Of the text {some}{f', and {more:,} more' if more > 0 else ''}."
    return text.strip()


def describe_report(report: ImportReport) -> str:
    """Say in one line what became of a file."""
    text = f"{report.name}: {counted(report.num_sentences, 'sentence')}"
    if report.num_apart:
        text += f", {report.num_apart:,} of them kept apart to be mended"
    if report.problems:
        text += f"; {counted(len(report.problems), 'further remark')}"
    return f"{text}."


def draw_report() -> None:
    """Draw what was kept apart in the last import, with place and reason."""
    report: ImportReport | None = st.session_state.get("queue_report")
    if report is None:
        return
    if report.apart:
        apart = counted(report.num_apart, "sentence")
        st.markdown(f"**Kept apart in {escape_markdown(report.name)}: {apart}**")
        st.caption("They stand in the queue, cannot be accepted as they are, and lose nothing.")
        draw_table(problem_frame(report.apart, "reason"), "queue_apart", "queue_apart.csv")
    if report.problems:
        st.markdown(f"**Remarks: {len(report.problems):,}**")
        remarks = problem_frame(report.problems, "reason")
        draw_table(remarks, "queue_remarks", "queue_remarks.csv")
