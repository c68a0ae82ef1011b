"""Parse & step: a sentence in, its decoding shown one action at a time.

The address is the truth about what is asked for: the form writes it, and whatever it
names is shown. The session keeps only what is on the page and what is awaited.
"""

from __future__ import annotations

from concurrent.futures import Future, wait
from dataclasses import dataclass

import streamlit as st

from app.canvas.component import draw_canvas
from app.engine import DEFAULT_BEAM, Parsed, error_text
from app.pages.exports import draw_exports
from app.pages.shared import (
    apply_look,
    cached_payload,
    draw_stored_problems,
    shared_engine,
    stored_traces,
)
from app.views.limits import MAX_BEAM, sentence_problem
from app.views.link import Link, clamp_step, format_link, parse_link
from app.views.request import (
    ModelInfo,
    Shown,
    describe_difference,
    describe_failure,
    describe_origin,
    find_stored,
    shown_parsed,
    shown_stored,
)
from app.views.text import escape_markdown, shorten

CANVAS = "parse_canvas"
# The page looks at what is awaited this often, and each look lasts this long: a parse
# that ends within it shows at once. (Comments, because Streamlit prints bare strings.)
POLL_SECONDS = 1.0
PATIENCE_SECONDS = 0.8


@dataclass(frozen=True, slots=True)
class Awaited:
    """A parse that was asked for; ``step`` is where it is to open."""

    job: Future[Parsed]
    link: Link


def requested() -> Link:
    """Read the address, its step left out: that alone is no new request."""
    link = parse_link(st.query_params.to_dict())
    return Link(link.sentence, None, link.beam)


def answer(link: Link, *, is_fresh: bool) -> None:
    """Show what a link names at once, or ask for it.

    Args:
        link: The sentence, step and beam.
        is_fresh: Whether the person asked for a parse by the model, stored or not.
    """
    st.session_state.answered = Link(link.sentence, None, link.beam)
    st.session_state.awaited = None
    st.session_state.problem = None
    if link.sentence is None:
        return
    problem = sentence_problem(link.sentence)
    if problem is not None:
        st.session_state.problem = problem
        return
    stored = None if is_fresh else find_stored(stored_traces(), link)
    if stored is not None:
        st.session_state.shown = shown_stored(stored, link.step)
    else:
        job = shared_engine().submit(link.sentence.strip(), link.beam or DEFAULT_BEAM)
        st.session_state.awaited = Awaited(job, link)


def take_form() -> None:
    """Turn the form into a request and an address."""
    beam = int(st.session_state.beam)
    link = Link(st.session_state.sentence, None, None if beam == DEFAULT_BEAM else beam)
    st.query_params.from_dict(format_link(link))
    st.session_state.example = None
    answer(link, is_fresh=True)


def take_example() -> None:
    """Show the stored trace that was chosen."""
    chosen = st.session_state.example
    if chosen is None:
        return
    trace = stored_traces()[chosen]
    st.session_state.sentence = trace.text
    link = Link(trace.text)
    st.query_params.from_dict(format_link(link))
    answer(Link(trace.text, None, trace.beam), is_fresh=False)
    st.session_state.answered = link


def take_step() -> None:
    """Write the step at which stepping paused into the address."""
    shown: Shown | None = st.session_state.shown
    step = None if shown is None else paused_step(shown)
    if shown is None or step is None:
        return
    st.query_params["sentence"] = shown.trace.text
    st.query_params["step"] = str(step)
    st.session_state.answered = requested()


def paused_step(shown: Shown) -> int | None:
    """Give the step at which stepping paused; None where nobody stepped in this trace."""
    at = st.session_state[CANVAS]["at"]
    if not isinstance(at, dict) or at.get("key") != shown.trace.hash:
        return None
    return clamp_step(int(at["step"]), len(shown.trace.steps))


def step_of(shown: Shown) -> int:
    """Give the step that is on the page, as far as it was reported."""
    step = paused_step(shown)
    return shown.start if step is None else step


def prepare() -> None:
    """Fill the session on its first run, and answer an address that changed."""
    if "shown" not in st.session_state:
        st.session_state.shown = None
        st.session_state.answered = None
        st.session_state.awaited = None
        st.session_state.problem = None
    if st.session_state.answered != requested():
        link = parse_link(st.query_params.to_dict())
        if link.sentence is not None:
            st.session_state.sentence = link.sentence
            st.session_state.beam = link.beam or DEFAULT_BEAM
        answer(link, is_fresh=False)
    if "beam" not in st.session_state:  # Streamlit forgets a field while another page is open
        st.session_state.beam = DEFAULT_BEAM
    if st.session_state.shown is None and stored_traces():
        st.session_state.shown = shown_stored(stored_traces()[0])


def draw_form() -> None:
    """Draw the sentence field with its button."""
    with st.form("sentence_form", border=False):
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
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
        row.form_submit_button("Parse", type="primary", width=110, on_click=take_form)


def draw_examples() -> None:
    """Offer the stored traces."""
    traces = stored_traces()
    if len(traces) > 1:
        st.pills(
            "Stored traces",
            range(len(traces)),
            format_func=lambda place: escape_markdown(shorten(traces[place].text, 48)),
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
    status = shared_engine().status
    if awaited is not None:
        sentence = escape_markdown(shorten(awaited.link.sentence or "", 80))
        doing = "Loading the model, then parsing" if status.kind == "loading" else "Parsing"
        st.caption(f":material/hourglass_top: {doing}: {sentence}")
        if wait([awaited.job], PATIENCE_SECONDS).done:
            take_parse(awaited)
            st.rerun()
    elif status.kind == "failed":
        if st.session_state.problem is None:
            st.error(f"The model could not be loaded: {escape_markdown(status.text)}")
    elif status.model is None:
        st.caption("The model is being loaded in the background; stored traces work meanwhile.")
    else:
        st.caption(describe_loaded(status.model))


def describe_loaded(model: ModelInfo) -> str:
    """Say that the model is there, and whether it made what is shown."""
    shown: Shown | None = st.session_state.shown
    difference = describe_difference(shown.trace, model) if shown is not None else None
    return difference or "The model is loaded: type a sentence and press Enter."


def poll_seconds() -> float | None:
    """Give how often to look at what is awaited; None where nothing is."""
    is_settled = shared_engine().status.kind in ("ready", "failed")
    return None if st.session_state.awaited is None and is_settled else POLL_SECONDS


def take_parse(awaited: Awaited) -> None:
    """Put a finished parse on the page, or say why there is none."""
    st.session_state.awaited = None
    error = awaited.job.exception()
    if error is not None:
        st.session_state.problem = error_text(error)
        return
    parsed = awaited.job.result()
    st.session_state.shown = shown_parsed(parsed.trace, parsed.seconds, awaited.link.step)


@st.fragment
def draw_trace(shown: Shown) -> None:
    """Draw canvas and exports; a pause in stepping reruns no more than this."""
    payload = cached_payload(shown.trace.hash, shown.start, shown.trace)
    draw_canvas(payload, key=CANVAS, on_at_change=take_step)
    draw_exports(shown.trace, step_of(shown))


def draw_page() -> None:
    """Draw the whole page; what can wait for the model comes last."""
    apply_look()
    prepare()
    draw_form()
    draw_examples()
    head = st.container(gap=None)
    with head:
        draw_problems()
        status = st.container()
        draw_origin()
    shown: Shown | None = st.session_state.shown
    if shown is not None:
        draw_trace(shown)
    shared_engine().start()
    seconds = poll_seconds()
    with status:
        st.fragment(draw_status, run_every=seconds)(seconds is not None)


def draw_problems() -> None:
    """Draw what went wrong, if anything."""
    draw_stored_problems()
    if st.session_state.problem is not None:
        st.error(escape_markdown(st.session_state.problem))


def draw_origin() -> None:
    """Say where the trace comes from, or what to do where there is none."""
    shown: Shown | None = st.session_state.shown
    if shown is None:
        st.info("Type a sentence to see how the parser decides, one action at a time.")
        return
    is_stale = st.session_state.problem is not None or st.session_state.awaited is not None
    st.caption(describe_origin(shown, is_stale=is_stale))
    failure = describe_failure(shown.trace)
    if failure is not None:
        st.warning(failure)


draw_page()
