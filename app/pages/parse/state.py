"""What the session of the Parse & step page holds, and how it changes.

The address is the truth about what is asked for; the session keeps what is on the page
(``original``, ``tree``, ``shown``), what is ``awaited``, and what went wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace

import streamlit as st

from app.addresses.branch import Path
from app.addresses.codec import format_link, parse_link
from app.addresses.parse import MODEL_DIGITS, Link, link_problem
from app.engine.choosing import with_choice
from app.engine.shared import engine_of, stored_traces
from app.engine.shown import Origin, Shown, describe_other_model, find_stored, shown_at
from app.engine.worker import DEFAULT_BEAM, Engine, Parsed, error_text
from app.kit.address import put_address
from app.kit.limits import sentence_problem
from app.pages.parse.branches import (
    WHAT_IF_BEAM,
    Branch,
    Tree,
    grow,
    prefix_of,
    trace_at,
)
from aptcore.errors import AptamrError
from aptcore.trace.trace import clamp_step
from aptcore.words.sentences import split_sentences

CANVAS = "parse_canvas"


@dataclass(frozen=True, slots=True)
class Awaited:
    """A decoding that was asked for.

    Attributes:
        job: The decoding.
        link: What is to be shown in the end, and at which step.
        path: The branch that the job decodes; empty for the original.
        is_asked: Whether the canvas asked, rather than an address or the form.
        is_remembered: Whether it was done before it was asked for.
        is_new: Whether it is to be seen from its start: the form asked, or an address without
            a step.
    """

    job: Future[Parsed]
    link: Link
    path: Path = ()
    is_asked: bool = False
    is_remembered: bool = False
    is_new: bool = False


def requested() -> Link:
    """Read the address, its step left out: that alone is no new request."""
    return replace(asked_for(st.query_params.to_dict()), step=None)


def asked_for(parameters: Mapping[str, str]) -> Link:
    """Read an address; where it names neither run nor model, the browser's choice parses."""
    return with_choice(parse_link(Link, parameters))


def prepare() -> None:
    """Fill the session on its first run, and answer an address that changed."""
    if "shown" not in st.session_state:
        for name in ("shown", "original", "tree", "answered", "awaited"):
            st.session_state[name] = None
        for name in ("problem", "difference", "refusal"):
            st.session_state[name] = None
        st.session_state.asked = st.session_state.turn = st.session_state.led = 0
        st.session_state.parts = ()
        st.session_state.is_filler = False
    parameters = st.query_params.to_dict()
    link = asked_for(parameters)
    if st.session_state.answered != replace(link, step=None):
        if link.sentence is not None:
            st.session_state.sentence = link.sentence
            st.session_state.beam = link.beam or DEFAULT_BEAM
        answer(link, is_fresh=False)
        st.session_state.problem = st.session_state.problem or link_problem(parameters)
    elif st.session_state.answered_step != link.step:
        lead_to(link.step)
    if "beam" not in st.session_state:  # Streamlit forgets a field while another page is open
        st.session_state.beam = DEFAULT_BEAM
    st.session_state.setdefault("split", False)
    if st.session_state.shown is None and stored_traces():
        start = None if st.session_state.awaited is None else 0  # for who steps meanwhile
        plant(shown_at(stored_traces()[0], "stored", start), Link())
        st.session_state.is_filler = True


def lead_to(step: int | None) -> None:
    """Go to the step of an address that is otherwise that of the page: Back leads there."""
    shown: Shown | None = st.session_state.shown
    st.session_state.answered_step = step
    if shown is not None and st.session_state.awaited is None:
        start = clamp_step(step or 0, len(shown.trace.steps))
        st.session_state.shown = replace(shown, start=start)
        st.session_state.led += 1


def engine_now() -> Engine | None:
    """Give the engine for the address; None where the run that it names is not there."""
    try:
        return engine_of(requested())
    except AptamrError:
        return None


def linked(sentence: str, step: int | None, beam: int | None, branch: Path = ()) -> Link:
    """Ask for something else of the same model: the run of the address stays."""
    link = requested()
    return Link(sentence, step, beam, branch, run=link.run, checkpoint=link.checkpoint)


def answer(link: Link, *, is_fresh: bool) -> None:
    """Show what a link names at once, or ask for it.

    Args:
        link: The sentence, step, beam, branch and model.
        is_fresh: Whether the person asked for a parse by the model, stored or not.
    """
    st.session_state.answered, st.session_state.answered_step = replace(link, step=None), link.step
    st.session_state.awaited = None
    st.session_state.problem = None
    try:
        parser = engine_of(link)
    except AptamrError as error:
        st.session_state.problem = str(error)
        return
    if link.sentence is None:
        return
    st.session_state.difference = None
    problem = sentence_problem(link.sentence)
    if problem is not None:
        st.session_state.problem = problem
        return
    is_stored = not is_fresh and link.run is None
    stored = find_stored(stored_traces(), link) if is_stored else None
    if stored is not None:
        plant(shown_at(stored, "stored", link.step or 0), link)
    else:
        sentence, beam = link.sentence.strip(), link.beam or DEFAULT_BEAM
        is_remembered = parser.has_parsed(sentence, beam)  # asked before the worker can begin
        job = parser.submit(sentence, beam)
        st.session_state.awaited = Awaited(
            job, link, is_remembered=is_remembered, is_new=is_fresh or link.step is None
        )


def plant(original: Shown, link: Link) -> None:
    """Put an original trace on the page, and go on to the link's branch if it names one."""
    st.session_state.original = st.session_state.shown = original
    st.session_state.is_filler = False
    st.session_state.tree = Tree(original.trace)
    st.session_state.led += 1
    st.session_state.refusal = None
    st.session_state.difference = describe_other_model(link.model, original.trace)
    if link.branch:
        follow(link)


def follow(link: Link, *, is_asked: bool = False) -> None:
    """Ask for the next branch on the way to the link's.

    Raises:
        InputError: If the branch forces an action past the end of its parent.
    """
    tree: Tree = st.session_state.tree
    known = next(
        n for n in range(len(link.branch), -1, -1) if trace_at(tree, link.branch[:n]) is not None
    )
    path = link.branch[: known + 1]
    try:
        prefix, parser = prefix_of(tree, path), engine_of(link)
    except AptamrError as error:
        complain(str(error), is_asked=is_asked)
        return
    job = parser.submit(tree.root.sentence.text, WHAT_IF_BEAM, prefix)
    st.session_state.awaited = Awaited(job, link, path, is_asked)


def complain(reason: str, *, is_asked: bool) -> None:
    """Say why there is no answer: beside the canvas's question, or at the top of the page."""
    if is_asked:
        st.session_state.refusal = reason
    else:
        st.session_state.problem = reason


def take_parse(awaited: Awaited) -> None:
    """Put a finished decoding on the page, or say why there is none."""
    st.session_state.awaited = None
    error = awaited.job.exception()
    if error is not None:
        complain(error_text(error), is_asked=awaited.is_asked)
        return
    parsed, link = awaited.job.result(), awaited.link
    if not awaited.path:
        origin: Origin = "remembered" if awaited.is_remembered else "parsed"
        plant(shown_at(parsed.trace, origin, link.step or 0, parsed.seconds), link)
        st.session_state.turn += awaited.is_new
        return
    branch = Branch(awaited.path, parsed.trace, parsed.seconds)
    st.session_state.tree = grow(st.session_state.tree, branch)
    st.session_state.shown = shown_at(parsed.trace, "parsed", link.step or 0, parsed.seconds)
    st.session_state.led += not awaited.is_asked
    if len(awaited.path) < len(link.branch):
        follow(link, is_asked=awaited.is_asked)
    elif awaited.is_asked:
        write_address()


def take_form() -> None:
    """Turn the form into a request and an address; of several sentences the first is parsed."""
    typed = st.session_state.sentence
    parts = split_sentences(typed) if st.session_state.split else (typed,)
    st.session_state.parts = parts if len(parts) > 1 else ()
    if len(parts) > 1:
        st.session_state.part = 0
        take_part()
    else:
        ask_for_typed()


def take_part() -> None:
    """Ask for the sentence that was chosen of those that were split."""
    chosen = st.session_state.part
    if chosen is not None:
        st.session_state.sentence = st.session_state.parts[chosen]
        ask_for_typed()


def ask_for_typed() -> None:
    """Ask for a parse of what the field holds."""
    beam = int(st.session_state.beam)
    link = linked(st.session_state.sentence, None, None if beam == DEFAULT_BEAM else beam)
    put_address(format_link(link))
    st.session_state.example = None
    answer(link, is_fresh=True)


def take_example() -> None:
    """Show the stored trace that was chosen."""
    chosen = st.session_state.example
    if chosen is None:
        return
    trace = stored_traces()[chosen]
    st.session_state.parts = ()
    st.session_state.sentence = trace.sentence.text
    link = linked(trace.sentence.text, None, None)
    put_address(format_link(link))
    answer(linked(trace.sentence.text, None, trace.beam), is_fresh=False)
    st.session_state.turn += 1
    st.session_state.answered = link


def take_step() -> None:
    """Write the step at which stepping paused into the address, unless that names it already."""
    shown: Shown | None = st.session_state.shown
    step = None if shown is None else paused_step(shown)
    is_named = requested().sentence is not None and step == (st.session_state.answered_step or 0)
    if step is not None and not is_named:
        write_address()


def write_address() -> None:
    """Make the address name what is shown: sentence, beam, model, branch and step."""
    shown: Shown = st.session_state.shown
    tree: Tree = st.session_state.tree
    awaited: Awaited | None = st.session_state.awaited
    if awaited is not None and not awaited.is_asked:
        return  # the address names what is awaited
    text, model = tree.root.sentence.text, tree.root.model.hash[:MODEL_DIGITS]
    link = replace(linked(text, step_of(shown), requested().beam, tree.at), model=model)
    put_address(format_link(link))
    st.session_state.answered, st.session_state.answered_step = requested(), link.step


def paused_step(shown: Shown) -> int | None:
    """Give the moment at which stepping paused; None where nobody stepped in this trace.

    A question says by itself where it was asked: what was told before it is of no more use.
    """
    state = st.session_state.get(CANVAS)
    at = None if state is None else state.get("at")
    if not isinstance(at, dict) or at.get("key") != shown.trace.hash:
        return None
    if int(at.get("asked", 0)) < st.session_state.asked:
        return None
    return clamp_step(int(at["step"]), len(shown.trace.steps))


def step_of(shown: Shown) -> int:
    """Give the moment that is on the page, as far as it was reported."""
    step = paused_step(shown)
    return shown.start if step is None else step
