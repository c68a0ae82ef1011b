"""The model beside the oracle on the Oracle page: asked for, awaited, and shown."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass

import streamlit as st

from app.addresses.codec import format_link
from app.addresses.pages import page_file
from app.addresses.parse import Link
from app.canvas.payload import Payload
from app.engine.shared import shared_engine
from app.engine.shown import describe_model
from app.engine.worker import Parsed, error_text
from app.kit.look import draw_switch
from app.kit.text import as_sentence, escape_markdown
from app.pages.oracle.model import describe_divergences, divergences, scored_trace
from app.pages.oracle.sentence import Changes, OracleView
from app.pages.oracle.state import opened
from app.pages.oracle.state_changes import change_variant, take_replay
from aptcore.errors import AptamrError
from aptcore.oracle.oracle import VARIANTS, variant_of
from aptcore.trace.trace import Trace
from aptcore.transition.actions import format_action

REPLAYS: Mapping[str, str] = {"oracle": "Oracle alone", "model": "Model against oracle"}
PARSE = page_file("parse")
WAITING = ":material/hourglass_top:"
ANSWER_SECONDS = 1.0
"""How long the model is waited for at once; later the page looks again."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What the canvas steps through: a trace, and the steps to mark, with what is said of them."""

    trace: Trace
    marks: Payload | None


def is_beside() -> bool:
    """Tell whether the model is to be shown."""
    return opened().replay == "model"


def draw_choice() -> None:
    """Draw the choice between the oracle alone and the model beside it."""
    draw_switch(None, "Replay", REPLAYS, "oracle_replay", take_replay)


def job_of(view: OracleView) -> Future[Parsed] | None:
    """Ask the model for the oracle's walk; None where it is not asked or cannot take it."""
    if not is_beside() or why_not(view) is not None:
        return None
    actions = tuple(map(format_action, view.result.actions))
    return shared_engine().submit(view.gold.sentence.text, 1, actions)


def why_not(view: OracleView) -> str | None:
    """Say why the loaded model cannot be asked; None where it can, or is not loaded yet."""
    model, known = shared_engine().status.model, variant_of(view.variant).action_set
    if model is None or model.action_set == known:
        return None
    return (
        f"The loaded model knows the actions of the {model.action_set.name} set only, and the "
        f"variant {view.variant} takes others."
    )


def is_waiting(view: OracleView) -> bool:
    """Tell whether the model is asked for and not there yet."""
    if not is_beside():
        return False
    shared_engine().start()
    status = shared_engine().status
    if status.kind in ("idle", "loading"):
        return True
    job = job_of(view)
    return job is not None and not job.done()


def draw_model_status(view: OracleView) -> None:
    """Say how far the model is, or why it cannot be shown."""
    if not is_beside():
        return
    shared_engine().start()
    status = shared_engine().status
    if status.kind == "failed":
        st.error(f"The model could not be loaded: {escape_markdown(status.text)}")
        return
    if status.model is None:
        st.caption(f"{WAITING} The model is being loaded; the oracle works meanwhile.")
        return
    reason = why_not(view)
    if reason is not None:
        st.info(reason)
        known = status.model.action_set
        fitting = next(name for name in VARIANTS if variant_of(name).action_set == known)
        st.button(f"Compare with the variant {fitting}", on_click=change_variant, args=(fitting,))
        return
    job = job_of(view)
    if job is not None and not wait([job], ANSWER_SECONDS).done:
        st.caption(f"{WAITING} The model reads the oracle's actions.")
        return
    error = None if job is None else job.exception()
    if error is not None:
        st.error(f"The model cannot follow the oracle: {escape_markdown(error_text(error))}")


def draw_model_origin(view: OracleView) -> None:
    """Say which model the figures are of, once they are there, and lead to its own parse."""
    job, model = job_of(view), shared_engine().status.model
    if job is None or model is None or not job.done() or job.exception() is not None:
        return
    st.caption(
        f"Figures by {describe_model(model)}. It reads the oracle's actions one by one: at "
        "each you see how likely it found it, and what it would have done instead."
    )
    st.page_link(
        PARSE,
        label="What the model makes of this sentence by itself",
        icon=":material/arrow_forward:",
        query_params=format_link(Link(view.gold.sentence.text)),
    )


def replay_of(view: OracleView, changes: Changes | None) -> Replay:
    """Give what the canvas shows: with the model's figures where they are there."""
    job = job_of(view)
    if job is not None and job.done() and job.exception() is None:
        try:
            trace = scored_trace(view.trace, job.result().trace)
        except AptamrError as error:
            st.error(escape_markdown(as_sentence(str(error))))
        else:
            text, what = describe_divergences(trace), "the model's first choice is another action"
            return Replay(trace, {"steps": divergences(trace), "text": text, "what": what})
    if changes is None or not changes.steps:
        return Replay(view.trace, None)
    what = "new through the changed alignment"
    text = f"Marked: the actions that are {what}."
    return Replay(view.trace, {"steps": changes.steps, "text": text, "what": what})
