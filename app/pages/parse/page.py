"""Parse & step: a sentence in, its decoding shown one action at a time.

Only drawing stands here; how the session changes stands in ``app.pages.parse.state``.
"""

from __future__ import annotations

from concurrent.futures import wait

import streamlit as st

from app.addresses.codec import format_link
from app.addresses.pages import page_file
from app.addresses.train import TrainLink
from app.canvas.component import draw_canvas, shown_payload
from app.engine.choosing import is_chosen
from app.engine.shared import draw_stored_problems, stored_traces
from app.engine.shown import Shown, describe_difference, describe_failure, describe_origin
from app.engine.worker import Engine
from app.kit.address import timed
from app.kit.limits import MAX_BEAM, sentence_problem
from app.kit.look import apply_look
from app.kit.text import as_sentence, counted, escape_markdown, shorten
from app.pages.parse.page_exports import draw_exports
from app.pages.parse.page_lecture import draw_lecture
from app.pages.parse.page_lesson import draw_lesson
from app.pages.parse.state import (
    CANVAS,
    Awaited,
    engine_now,
    prepare,
    requested,
    step_of,
    take_example,
    take_form,
    take_parse,
    take_part,
    take_step,
)
from app.pages.parse.state_asking import take_ask
from app.pages.parse.whatif import payload_of_branches
from aptcore.trace.trace import ModelInfo
from aptcore.words.sentences import remarks_on

# The page looks at what is awaited this often, and each look lasts this long: a parse
# that ends within it shows at once. (Comments, because Streamlit prints bare strings.)
POLL_SECONDS = 1.0
PATIENCE_SECONDS = 0.8
_PARSE = page_file("parse")
_TRAIN = page_file("train")
_SETTINGS = page_file("settings")


def draw_form() -> None:
    """Draw the sentence field with its button."""
    with st.form("sentence_form", border=False):
        row = st.container(
            horizontal=True, gap="small", vertical_alignment="bottom", key="sentence_row"
        )
        row.text_input(
            "Sentence",
            key="sentence",
            placeholder="Type an English sentence",
            label_visibility="collapsed",
        )
        row.selectbox(
            "Beam width",
            range(1, MAX_BEAM + 1),
            format_func=lambda beam: "greedy" if beam == 1 else f"beam {beam}",
            key="beam",
            label_visibility="collapsed",
            width=130,
        )
        row.toggle(
            "Split",
            key="split",
            help="If the text looks like several sentences, parse each by itself.",
        )
        row.form_submit_button("Parse", type="primary", width=110, on_click=take_form)
    draw_parts()


def draw_parts() -> None:
    """Offer the sentences of a text that was split."""
    parts: tuple[str, ...] = st.session_state.parts
    if parts:
        st.pills(
            "Sentences",
            range(len(parts)),
            format_func=lambda place: escape_markdown(f"1.{place + 1} {shorten(parts[place], 40)}"),
            key="part",
            on_change=take_part,
            label_visibility="collapsed",
        )


def draw_examples() -> None:
    """Offer the stored traces."""
    traces = stored_traces()
    if len(traces) > 1:
        st.pills(
            "Stored traces",
            range(len(traces)),
            format_func=lambda place: escape_markdown(shorten(traces[place].sentence.text, 48)),
            key="example",
            on_change=take_example,
            label_visibility="collapsed",
        )


def draw_status(is_polling: bool) -> None:
    """Say how far the model is and what is awaited; take a finished parse in.

    Args:
        is_polling: Whether this is drawn again by itself; the page is drawn anew when
            there is nothing more to wait for.
    """
    awaited: Awaited | None = st.session_state.awaited
    if is_polling and poll_seconds() is None:
        st.rerun()
    parser = engine_now()
    if parser is None:  # the page says at its top what is wrong with the address
        return
    status = parser.status
    if awaited is not None:
        sentence = escape_markdown(shorten(awaited.link.sentence or "", 80))
        doing = "Loading the model, then parsing" if status.kind == "loading" else "Parsing"
        st.caption(
            f":material/hourglass_top: {doing}: {sentence}{describe_progress(parser, awaited)}"
        )
        if wait([awaited.job], PATIENCE_SECONDS).done:
            take_parse(awaited)
            st.rerun()
    elif status.kind == "failed":
        if st.session_state.problem is None:
            st.error(f"The model could not be loaded: {escape_markdown(status.text)}")
    elif status.model is None:
        st.caption("The model is being loaded in the background; stored traces work meanwhile.")
    elif (said := describe_loaded(status.model)) is not None:
        st.caption(said)


def describe_progress(parser: Engine, awaited: Awaited) -> str:
    """Say how many tokens of what is awaited are done; nothing before the first."""
    progress = parser.progress_of(awaited.job)
    if progress is None:
        return ""
    done, size = progress
    return f" ({done} of {counted(size, 'token')})"


def describe_loaded(model: ModelInfo) -> str | None:
    """Say that the model is there, or that another made what is shown; None where it did."""
    shown: Shown | None = st.session_state.original
    difference = describe_difference(shown.trace, model) if shown is not None else None
    if difference is None and (shown is None or st.session_state.is_filler):
        return "The model is loaded: type a sentence and press Enter."
    return difference


def poll_seconds() -> float | None:
    """Give how often to look at what is awaited; None where nothing is."""
    parser = engine_now()
    is_settled = parser is None or parser.status.kind in ("ready", "failed")
    return None if st.session_state.awaited is None and is_settled else POLL_SECONDS


@st.fragment
def draw_trace(is_watched: bool) -> None:
    """Draw canvas, exports and lecture; what the canvas tells or asks reruns no more than this.

    Args:
        is_watched: Whether the page looks for what is awaited.
    """
    if take_ask() or (poll_seconds() is not None and not is_watched):
        st.rerun()
    state = st.session_state
    shown: Shown = state.shown
    awaited: Awaited | None = state.awaited
    is_decoding = awaited is not None and awaited.is_asked
    whatif = payload_of_branches(state.tree, state.asked, state.refusal, is_decoding=is_decoding)
    payload = shown_payload(shown.trace, shown.start, CANVAS)
    awaits = awaited is not None and awaited.is_new
    payload |= {"whatif": whatif, "turn": state.turn, "led": state.led, "awaits": awaits}
    draw_canvas(payload, key=CANVAS, on_at_change=take_step)
    draw_exports(shown.trace, step_of(shown))
    draw_lecture(shown.trace, lambda: step_of(shown))
    draw_lesson(shown.trace)


def draw_page() -> None:
    """Draw the whole page; what can wait for the model comes last."""
    apply_look()
    prepare()
    if st.session_state.shown is not None:  # laid out first: the old trace gets no new label
        shown_payload(st.session_state.shown.trace, 0, CANVAS)
    draw_form()
    with st.container(key="below_examples"):
        draw_examples()
    head = st.container(gap=None)
    with head:
        draw_problems()
        draw_run()
        status = st.container()
        draw_remarks()
    with st.container(key="below_origin"):
        draw_origin()
    if st.session_state.shown is not None:
        draw_trace(poll_seconds() is not None)
    parser = engine_now()
    if parser is not None:
        parser.start()
    seconds = poll_seconds()
    with status:
        timed(draw_status, seconds)(seconds is not None)


def draw_run() -> None:
    """Say that a training run's checkpoint parses here, and lead back."""
    link = requested()
    if link.run is None:
        return
    which = f" ({escape_markdown(link.checkpoint)})" if link.checkpoint else ""
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    row.caption(f"Sentences are parsed by the training run **{escape_markdown(link.run)}**{which}.")
    if is_chosen(link):
        row.page_link(_SETTINGS, label="Choose another model", icon=":material/tune:")
        return
    row.page_link(
        _TRAIN,
        label="Back to the run",
        icon=":material/arrow_back:",
        query_params=format_link(TrainLink(run=link.run)),
    )
    row.page_link(_PARSE, label="Use the usual model", icon=":material/undo:")


def draw_problems() -> None:
    """Draw what went wrong, if anything."""
    draw_stored_problems()
    if st.session_state.problem is not None:
        st.error(escape_markdown(as_sentence(st.session_state.problem)))
    if st.session_state.difference is not None:
        st.warning(st.session_state.difference)


def draw_remarks() -> None:
    """Say what a person may not have meant with the sentence asked for, before it is parsed."""
    with st.empty().container():  # emptied first: none of another sentence stays till the run ends
        for said in remarks_on(text_asked_for()):
            hint = ": switch Split on to parse each by itself" if said.endswith("sentences") else ""
            st.caption(f":material/info: This {escape_markdown(said)}{hint}.")


def text_asked_for() -> str:
    """Give the text that remarks are made on; empty where it is no sentence, or nobody asked."""
    shown: Shown | None = st.session_state.original
    awaited: Awaited | None = st.session_state.awaited
    if awaited is not None:
        return awaited.link.sentence or ""
    if st.session_state.problem is not None:
        text = requested().sentence or ""
        return text if sentence_problem(text) is None else ""
    return "" if shown is None or st.session_state.is_filler else shown.trace.sentence.text


def draw_origin() -> None:
    """Say where the trace comes from, or what to do where there is none."""
    shown: Shown | None = st.session_state.original
    if shown is None:
        st.info("Type a sentence to see how the parser decides, one action at a time.")
        return
    asked = requested().sentence
    wanted = shown.trace.sentence.text if asked is None else asked.strip()
    is_late = st.session_state.problem is not None or st.session_state.awaited is not None
    is_stale = is_late and (st.session_state.is_filler or shown.trace.sentence.text != wanted)
    told = describe_origin(shown, is_stale=is_stale, is_filler=st.session_state.is_filler)
    beam = int(st.session_state.beam)
    is_other = beam != shown.trace.beam
    st.caption(f"{told} The next parse takes beam {beam}." if is_other else told)
    failure = describe_failure(shown.trace)
    if failure is not None:
        st.warning(failure)


draw_page()
