"""Oracle: a gold graph as the actions that build it, for one sentence and a whole corpus.

Only drawing stands here; how the session changes stands in ``app.pages.oracle.state``.
"""

from __future__ import annotations

import streamlit as st

from app.canvas.component import draw_aligner, draw_canvas, shown_payload
from app.kit.address import timed
from app.kit.corpora import MAX_FILE_MB
from app.kit.data_folder import data_folder, files_in
from app.kit.look import apply_look, draw_switch
from app.kit.tables import draw_table, problem_frame
from app.kit.text import as_sentence, counted, escape_markdown
from app.pages.oracle.aligner import payload_of_aligner
from app.pages.oracle.page_corpus import draw_corpus, poll_seconds
from app.pages.oracle.page_model import (
    draw_choice,
    draw_model_origin,
    draw_model_status,
    is_waiting,
    replay_of,
)
from app.pages.oracle.page_tables import draw_download, draw_tables
from app.pages.oracle.sentence import OracleView, describe_view
from app.pages.oracle.state import (
    ALIGNER,
    CANVAS,
    changes_by,
    opened,
    places_of,
    prepare,
    sentence_key,
    shown_corpus,
    shown_history,
    shown_index,
    view_with,
)
from app.pages.oracle.state_changes import (
    go_to,
    take_number,
    take_operations,
    take_origin,
    take_path,
    take_step,
    take_text,
    take_upload,
    take_variant,
    take_view,
)
from aptcore.errors import AptamrError
from aptcore.oracle.oracle import VARIANTS
from aptcore.trace.trace import Trace, clamp_step

ORIGINS = {
    "example": "Example",
    "folder": "File in the folder",
    "upload": "Upload",
    "paste": "Paste a graph",
}
VIEWS = {"sentence": "Sentence", "corpus": "Corpus"}
ABOUT = (
    "An oracle turns a gold graph, made by people, into the actions that build it: what the parser "
    "learns from. These six sentences are our own. Below the drawing, choose a node, give it "
    "another token, and see which actions change."
)
POLL_SECONDS = 1.0
PASTE_HINT = "# ::snt The boy sleeps.\n(s / sleep-01\n   :ARG0 (b / boy))"


def draw_source() -> None:
    """Draw the fields that choose graphs and oracle."""
    source = st.container(key="low_source")
    row = source.container(horizontal=True, gap="small", vertical_alignment="center")
    is_there = data_folder() is not None or st.session_state.oracle_origin == "folder"
    origins = {kind: name for kind, name in ORIGINS.items() if kind != "folder" or is_there}
    draw_switch(row, "Graphs from", origins, "oracle_origin", take_origin)
    row.selectbox(
        "Oracle variant",
        tuple(VARIANTS),
        format_func=lambda name: f"Variant {name}",
        key="oracle_variant",
        on_change=take_variant,
        width=190,
        label_visibility="collapsed",
    )
    draw_switch(row, "Show", VIEWS, "oracle_view", take_view)
    origin = st.session_state.oracle_origin
    is_alone = opened().view == "sentence" and opened().replay == "oracle"
    if origin == "example" and is_alone:  # with the model there is less room
        st.container(key="below_about").caption(ABOUT)
    with source:
        draw_source_field(origin)
    if is_awaited():
        name = escape_markdown(opened().source.name)
        st.caption(f":material/info: Nothing is open from there yet: {name} is still shown.")


def draw_source_field(origin: str) -> None:
    """Draw the field in which a source of a kind is named; the example needs none."""
    if origin == "folder":
        draw_path_field()
    elif origin == "upload":
        st.file_uploader(
            f"An AMR file in PENMAN notation, up to {MAX_FILE_MB} MB",
            key="oracle_upload",
            on_change=take_upload,
            max_upload_size=MAX_FILE_MB,
        )
    elif origin == "paste":
        with st.form("oracle_form", border=False):
            st.text_area(
                "One graph or several, each with a # ::snt line",
                key="oracle_text",
                placeholder=PASTE_HINT,
                height=150,
            )
            st.form_submit_button("Show its oracle", type="primary", on_click=take_text)


def is_awaited() -> bool:
    """Tell whether a source was chosen of which nothing is open yet."""
    chosen: str = st.session_state.oracle_origin
    return chosen != opened().source.kind


def draw_path_field() -> None:
    """Offer the files of the configured folder; a path inside it can also be typed."""
    folder = data_folder()
    if folder is None:
        st.info(
            "No folder of corpora is configured. Start the pages with APTAMR_DATA=FOLDER to open "
            "files by path, or upload a file."
        )
        return
    st.selectbox(
        "File inside the folder of corpora",
        files_in(folder),
        key="oracle_path",
        index=None,
        placeholder="Choose a file, or type its path inside the folder",
        accept_new_options=True,
        on_change=take_path,
    )


def draw_problems() -> None:
    """Say what could not be opened, and what of the corpus cannot be read."""
    if st.session_state.oracle_problem is not None:
        st.error(escape_markdown(as_sentence(st.session_state.oracle_problem)))
    problems = shown_corpus().problems
    if problems:
        name = f", {problems[0].id}" if problems[0].id else ""
        first = escape_markdown(f"line {problems[0].line}{name}: {problems[0].message}")
        number = counted(len(problems), "problem")
        st.warning(f"{number} in this text; everything else goes on. The first: {first}")
        with st.expander("All problems"):
            draw_table(problem_frame(problems), "oracle_problem_table", "problems.csv")


def draw_navigation(num_graphs: int) -> None:
    """Draw what leads from sentence to sentence, and where this one stands."""
    place = opened().place
    st.session_state.oracle_number = place + 1
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    row.button(
        "Previous", on_click=go_to, args=(place - 1,), disabled=place == 0, key="oracle_back"
    )
    row.number_input(
        f"Sentence, 1 to {num_graphs}",
        min_value=1,
        max_value=num_graphs,
        key="oracle_number",
        on_change=take_number,
        width=130,
        label_visibility="collapsed",
    )
    row.button(
        "Next",
        on_click=go_to,
        args=(place + 1,),
        disabled=place + 1 >= num_graphs,
        key="oracle_forward",
    )
    record = shown_corpus().records[shown_index()]
    name = f": {escape_markdown(record.id)}" if record.id else ""
    within = ", still in" if is_awaited() else " in"
    source = escape_markdown(opened().source.name)
    row.caption(f"of {num_graphs:,}{within} {source}{name}", width="content")
    try:
        view = view_with(shown_history())
    except AptamrError:
        return  # said below, where the sentence would stand
    icon = ":material/check_circle:" if view.is_exact else ":material/warning:"
    row.caption(f"{icon} {escape_markdown(describe_view(view))}", width="content")


def draw_sentence(is_watched: bool) -> None:
    """Draw one sentence; a change of its alignment draws no more than this anew.

    Args:
        is_watched: Whether the page looks for the model's answer.
    """
    take_operations()
    num_graphs = len(places_of(shown_corpus()))
    if not num_graphs:
        st.info("There is no graph in this text that can be read. Choose another, or the example.")
        return
    draw_navigation(num_graphs)
    try:
        view = view_with(shown_history())
    except AptamrError as error:
        st.error(f"The oracle cannot take this sentence: {escape_markdown(str(error))}")
        return
    draw_unreached(view)
    row = st.container(
        horizontal=True, gap="small", vertical_alignment="center", key="below_choice"
    )
    with row:
        draw_choice()
        draw_download(view)
    draw_model_status(view)
    if is_waiting(view) and not is_watched:
        st.rerun()
    trace = draw_replay(view)
    draw_model_origin(view)
    payload = payload_of_aligner(
        view,
        sentence_key(),
        shown_history(),
        st.session_state.oracle_ack,
        changes_by(shown_history()),
        opened().refusal,
    )
    draw_aligner(payload, key=ALIGNER)
    draw_tables(view, trace)


def draw_unreached(view: OracleView) -> None:
    """List what the actions do not reach."""
    if view.result.unreachable:
        lines = "\n".join(
            f"- **{escape_markdown(lost.piece)}**: {escape_markdown(lost.reason)}"
            for lost in view.result.unreachable
        )
        st.warning(f"Not reached ({len(view.result.unreachable)}):\n{lines}")


def draw_replay(view: OracleView) -> Trace:
    """Draw the canvas with the oracle's walk; gives what it shows."""
    replay = replay_of(view, changes_by(shown_history()))
    trace = replay.trace
    num_steps = len(trace.steps)
    start = clamp_step(opened().step or 0, num_steps)
    draw_canvas(
        {**shown_payload(trace, start, CANVAS), "marks": replay.marks},
        key=CANVAS,
        on_at_change=lambda: take_step(trace.hash, num_steps),
    )
    return trace


def draw_page() -> None:
    """Draw the whole page."""
    apply_look()
    prepare()
    draw_source()
    draw_problems()
    if opened().view == "corpus":
        seconds = poll_seconds()
        timed(draw_corpus, seconds)(seconds is not None)
        return
    is_watched = is_waiting_now()
    st.fragment(draw_sentence)(is_watched)
    if is_watched:
        timed(watch_model, POLL_SECONDS)()


def watch_model() -> None:
    """Draw the page anew once the model has read what is shown."""
    if not is_waiting_now():
        st.rerun()


def is_waiting_now() -> bool:
    """Tell whether the shown sentence waits for the model."""
    if not places_of(shown_corpus()):
        return False
    try:
        return is_waiting(view_with(shown_history()))
    except AptamrError:
        return False


draw_page()
