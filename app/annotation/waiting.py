"""What a person asked for outside the editor and the store failed to take.

It waits in the session with its values, in order, and is tried again after ever longer
pauses; the page says that it is not saved. A refusal by the rules is an answer and waits
for nothing. What is asked for here has names of its own in the log, so that what was
written before the store failed is not written twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from app.kit.text import escape_markdown
from aptcore.errors import AptamrError, UnavailableError

WAITING = "annotation_waiting"
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 30.0
"""Seconds between a failure of the store and the next try."""
LOOK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits.

    Attributes:
        what: It, in words.
        act: Does it and tells the outcome.
        refuse: Tells why it cannot be done, now or later.
        pause: Before the next try but one, in seconds.
        reason: Why it waits.
        until: When it is tried again, in seconds of the clock.
    """

    what: str
    act: Callable[[], None]
    refuse: Callable[[AptamrError], None]
    pause: float
    reason: str = ""
    until: float = 0.0


def _waiting() -> tuple[Waiting, ...]:
    found: tuple[Waiting, ...] = st.session_state.get(WAITING, ())
    return found


def attempt(what: str, act: Callable[[], None], refuse: Callable[[AptamrError], None]) -> None:
    """Do what a person asked for, after what waits already, or let it wait; see Waiting."""
    st.session_state[WAITING] = (*_waiting(), Waiting(what, act, refuse, FIRST_PAUSE))
    try_again()


def try_again() -> None:
    """Do what waits and is due, in order."""
    while found := _waiting():
        first, *others = found
        if time.monotonic() < first.until:
            return
        try:
            first.act()
        except UnavailableError as error:
            pause = min(LONGEST_PAUSE, 2 * first.pause)
            until = time.monotonic() + first.pause
            first = replace(first, reason=str(error), pause=pause, until=until)
            st.session_state[WAITING] = (first, *others)
            return
        except AptamrError as error:
            first.refuse(error)
        st.session_state[WAITING] = tuple(others)


def draw_unsaved() -> None:
    """Try again what waits, and say what still does; a page draws this before its fields."""
    try_again()
    found = _waiting()
    for place, one in enumerate(found):
        row = st.container(horizontal=True, gap="small", vertical_alignment="center")
        row.warning(
            f"**Not saved yet:** {escape_markdown(one.what)}. It is tried again by itself while "
            f"this page is open ({escape_markdown(found[0].reason)})."
        )
        row.button("Forget it", key=f"waiting_{place}", on_click=_forget, args=(one,))
    if found:
        st.fragment(_look, run_every=LOOK_SECONDS)()


def _forget(one: Waiting) -> None:
    st.session_state[WAITING] = tuple(other for other in _waiting() if other is not one)


def _look() -> None:
    """Draw the page anew once something is to be tried again."""
    found = _waiting()
    if not found or time.monotonic() >= found[0].until:
        st.rerun()
