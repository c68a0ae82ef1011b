"""What a person asked for outside the editor and the store failed to take.

It waits with its values, in order, and is tried again after ever longer pauses; the page says
that it is not saved. A refusal by the rules is an answer and waits for nothing. What would be
work to ask for again (a rewrite, its undo, an assignment, an import, what was picked) is kept
in a file before it is tried, and is found again after a reload or a restart; of anything else,
and where no file can be written, the page says that it must stay open, and so does the browser
when it is left.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from app.annotation.acts import Act, decode_act, encode_act
from app.annotation.job import Job
from app.annotation.keeping import at_work, forget, keep, kept_for
from app.annotation.session import current_person
from app.kit.address import timed
from app.kit.text import escape_markdown
from app.store.log.operations import Conflict, Refused
from aptcore.errors import AptamrError, StoreError, UnavailableError

WAITING = "annotation_waiting"
ARRIVED = "annotation_arrived"
"""The session's name for what became of acts of an earlier session."""
GUARDED = "annotation_guarded"
"""The session's name for whether the browser asks before the page is left."""
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 30.0
"""Seconds between a failure of the store and the next try."""
LOOK_SECONDS = 1.0
_GUARD = """<script>
window.onbeforeunload = {guard};
</script>"""
_ASK = "(event) => { event.preventDefault(); return true; }"


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits.

    Attributes:
        what: It, in words.
        act: Does it and tells the outcome.
        refuse: Tells why it cannot be done, now or later.
        file: Where it is kept; None where it is not.
        pause: Before the next try but one, in seconds.
        reason: Why it waits.
        until: When it is tried again, in seconds of the clock.
    """

    what: str
    act: Callable[[], None]
    refuse: Callable[[AptamrError], None]
    file: Path | None = None
    pause: float = FIRST_PAUSE
    reason: str = ""
    until: float = 0.0


def _waiting() -> tuple[Waiting, ...]:
    found: tuple[Waiting, ...] = st.session_state.get(WAITING, ())
    return found


def attempt(
    what: str,
    act: Callable[[], None],
    refuse: Callable[[AptamrError], None],
    kept: Act | None = None,
) -> None:
    """Do what a person asked for, after what waits already, or let it wait.

    Args:
        what: It, in words.
        act: Does it and tells the outcome.
        refuse: Tells why it cannot be done.
        kept: The same as values, to be done in a later session if not in this one.
    """
    file = None if kept is None else keep(current_person(), what, encode_act(kept))
    st.session_state[WAITING] = (*_waiting(), Waiting(what, act, refuse, file))
    try_again()


def try_again() -> None:
    """Do what waits and is due, in order."""
    while found := _waiting():
        first, *others = found
        if time.monotonic() < first.until:
            return
        left = _tried(first)
        st.session_state[WAITING] = (*(() if left is None else (left,)), *others)
        if left is not None:
            return


def _tried(one: Waiting) -> Waiting | None:
    """Do what waits; gives what still does."""
    if one.file is None:
        return _done(one)
    with at_work(one.file) as is_free:
        if not is_free:
            return replace(one, until=time.monotonic() + LOOK_SECONDS)
        if not one.file.exists():
            return None  # another page has done it, or was told to forget it
        left = _done(one)
        if left is None:
            forget(one.file)
        return left


def _done(one: Waiting) -> Waiting | None:
    try:
        one.act()
    except UnavailableError as error:
        until = time.monotonic() + one.pause
        pause = min(LONGEST_PAUSE, 2 * one.pause)
        return replace(one, reason=str(error), pause=pause, until=until)
    except AptamrError as error:
        one.refuse(error)
    return None


def _adopt() -> None:
    """Let what an earlier session of this person left behind wait here."""
    try:
        person = current_person()
        kept = kept_for(person) if person else ()
    except StoreError:
        return  # the page is drawn anew once the store can be used
    here = {one.file for one in _waiting()}
    for one in kept:
        if one.path not in here:
            waiting = _adopted(one.what, one.act, one.path)
            st.session_state[WAITING] = (*_waiting(), waiting)


def _adopted(what: str, text: str, file: Path) -> Waiting:
    def act() -> None:
        problem = _problem_of(decode_act(text).do())
        if problem:
            _tell(f"Not done: {what}. {problem}", is_error=True)
        else:
            _tell(f"Saved now: {what}.")

    def refuse(error: AptamrError) -> None:
        _tell(f"Not done: {what}. {error}", is_error=True)

    return Waiting(what, act, refuse, file)


def _problem_of(outcome: object) -> str:
    if isinstance(outcome, Refused):
        return outcome.reason
    if isinstance(outcome, Conflict):
        return f"{outcome.by} changed it meanwhile; look again."
    if isinstance(outcome, Job) and outcome.failed:
        name, reason = outcome.failed[0]
        return f"{len(outcome.failed):,} refused; the first: {name}: {reason}"
    return ""


def _tell(text: str, *, is_error: bool = False) -> None:
    told = st.session_state.get(ARRIVED, ())
    st.session_state[ARRIVED] = (*told, (text, is_error))


def draw_unsaved() -> None:
    """Try again what waits, and say what still does; a page draws this before its fields."""
    _adopt()
    try_again()
    for text, is_error in st.session_state.get(ARRIVED, ()):
        (st.error if is_error else st.success)(escape_markdown(text))
    if st.session_state.get(ARRIVED):
        st.button("Put away", key="waiting_arrived", on_click=_put_away)
    found = _waiting()
    for place, one in enumerate(found):
        row = st.container(horizontal=True, gap="small", vertical_alignment="center")
        how = (
            "Keep this page open: it is tried again by itself, and would be lost with the page"
            if one.file is None
            else "It is kept, and tried again by itself while a page of yours is open"
        )
        reason = escape_markdown(found[0].reason)
        row.warning(f"**Not saved yet:** {escape_markdown(one.what)}. {how} ({reason}).")
        row.button("Forget it", key=f"waiting_{place}", on_click=_forget, args=(one,))
    _guard(is_needed=any(one.file is None for one in found))
    if found:
        timed(_look, LOOK_SECONDS)()


def _guard(*, is_needed: bool) -> None:
    """Let the browser ask before a page is left with which something would be lost."""
    if is_needed or GUARDED in st.session_state:
        st.session_state[GUARDED] = is_needed
        script = _GUARD.format(guard=_ASK if is_needed else "null")
        st.html(script, unsafe_allow_javascript=True)


def _put_away() -> None:
    st.session_state[ARRIVED] = ()


def _forget(one: Waiting) -> None:
    if one.file is not None:
        forget(one.file)
    st.session_state[WAITING] = tuple(other for other in _waiting() if other is not one)


def _look() -> None:
    """Draw the page anew once something is to be tried again."""
    found = _waiting()
    if not found or time.monotonic() >= found[0].until:
        st.rerun()
