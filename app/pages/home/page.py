"""Home: what this is, where to go, and a first trace to step through."""

from __future__ import annotations

import streamlit as st

from app.addresses.codec import format_link
from app.addresses.pages import page_file
from app.addresses.parse import Link
from app.canvas.component import draw_canvas, shown_payload
from app.engine.shared import draw_stored_problems, shared_engine, stored_traces
from app.engine.shown import describe_model, describe_origin, shown_at
from app.engine.worker import Status
from app.kit.address import timed
from app.kit.look import apply_look
from app.kit.text import escape_markdown, shorten

CANVAS = "home_canvas"
POLL_SECONDS = 1.0
_PARSE = page_file("parse")


def draw_page() -> None:
    """Draw the whole page."""
    apply_look()
    st.title("Watch a parser think")
    st.markdown(
        "An Action-Pointer Transformer reads a sentence from left to right and builds its "
        "meaning, an AMR graph, out of small actions. Type any English sentence and step "
        "through them: what was chosen, how sure the parser was, what else was possible and "
        "why the rest was not. Everything runs on this machine."
    )
    draw_form()
    draw_stored_problems()
    draw_stored()
    shared_engine().start()
    is_loading = not is_settled(shared_engine().status)
    timed(draw_status, POLL_SECONDS if is_loading else None)(is_loading)


def draw_form() -> None:
    """Draw the sentence field, which leads to Parse & step."""
    with st.form("home_form", border=False):
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        sentence = row.text_input(
            "Sentence", placeholder="Type an English sentence", label_visibility="collapsed"
        )
        if row.form_submit_button("Parse", type="primary", width=110):
            link = Link(sentence) if sentence.strip() else Link()
            st.switch_page(_PARSE, query_params=format_link(link))


def draw_status(is_polling: bool) -> None:
    """Say how far the model is; draw the page anew once there is nothing to wait for."""
    status = shared_engine().status
    if is_polling and is_settled(status):
        st.rerun()
    st.caption(describe_status(status))


def is_settled(status: Status) -> bool:
    """Tell whether the model is there or will not come."""
    return status.kind in ("ready", "failed")


def draw_stored() -> None:
    """Link every stored trace, and show the first."""
    traces = stored_traces()
    if not traces:
        return
    with st.container(gap=None, key="below_stored"):
        for trace in traces:
            st.page_link(
                _PARSE,
                label=f"Stored trace: {escape_markdown(shorten(trace.sentence.text, 100))}",
                icon=":material/account_tree:",
                query_params=format_link(Link(trace.sentence.text)),
            )
    shown = shown_at(traces[0], "stored")
    st.container(key="below_origin").caption(describe_origin(shown))
    payload = shown_payload(shown.trace, shown.start, CANVAS)
    draw_canvas(payload, key=CANVAS, on_at_change=stay)


def stay() -> None:
    """Leave the address alone: on this page a pause in stepping means nothing."""


def describe_status(status: Status) -> str:
    """Say in Markdown how far the model is."""
    if status.kind == "failed":
        return f"The model could not be loaded: {escape_markdown(status.text)}"
    if status.model is None:
        return "The model is being loaded in the background."
    return f"Loaded: {describe_model(status.model)}."


draw_page()
