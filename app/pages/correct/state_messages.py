"""What the editor sends, and what it does to the store and to the session."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app.annotation.session import current_person, has_sign_in, shared_store
from app.pages.correct import state_advice as advice
from app.pages.correct.editor.marks import blocking
from app.pages.correct.editor.outbox import Message, highest_number, read_outbox
from app.pages.correct.handler import Said, answer, failed
from app.pages.correct.state import EDITOR, go, meetings, open_sentence, opened, put
from aptcore.errors import AptamrError

MAX_CONFLICTS = 50
"""Conflicts that are told again until the editor has them."""


def take_messages() -> bool:
    """Take in what the editor sent, once and in order.

    Returns:
        Whether another sentence is shown now.
    """
    state = st.session_state.get(EDITOR)
    outbox = None if state is None else state.get("outbox")
    before = opened().sentence
    for message in read_outbox(outbox, opened().ack):
        put(replace(opened(), tab=message.tab, news=()))
        _take(message)
    now = opened()
    put(replace(now, ack=highest_number(outbox, now.ack)))
    return opened().sentence != before


def _take(message: Message) -> None:
    do = message.what["do"]
    is_here = message.sentence == opened().sentence
    if do in ("go", "tidy") and not is_here:
        _say(message, None)  # sent again after the page had done it
    elif do == "go":
        is_found = go(1 if message.what.get("way") == 1 else -1)
        text = "" if is_found else "There is no further sentence in this document."
        _say(message, Said("done" if is_found else "refused", text))
    elif do == "tidy":
        put(replace(opened(), sketch=None))
        _say(message, Said("done", "Laid out again"))
    elif do == "check":
        put(replace(opened(), checked=str(message.what.get("text", ""))))
        _say(message, None)
    elif do == "read":
        put(replace(opened(), is_read=bool(message.what.get("on"))))
        _say(message, None)
    elif do == "offers":
        _offer(message)
    elif do == "suggest":
        _suggest(message)
    else:
        _change(message)


def _offer(message: Message) -> None:
    stored = shared_store().sentence(message.sentence)
    put(replace(opened(), offers=advice.offers(stored, message.what)))
    _say(message, None)


def _suggest(message: Message) -> None:
    """Ask for proposals, leave one, or put them away."""
    left = message.what.get("leave")
    if message.what.get("off"):
        advice.put_away()
    elif isinstance(left, str):
        advice.settle(frozenset([left]))
    elif message.sentence == opened().sentence:
        advice.ask(message.number, shared_store().sentence(message.sentence))
    _say(message, None)


def _change(message: Message) -> None:
    """Apply a message that changes a sentence, and go on where it asks for that."""
    person = message.person
    if has_sign_in() or not person:
        person = current_person()
    try:
        message = replace(message, person=person)
        source = advice.proposer(message.sentence) if message.what.get("by") == "model" else None
        said = _hindrance(message) or answer(shared_store(), message, source)
    except AptamrError as error:
        said = failed(error)
    conflicts = opened().conflicts
    if said.conflict is not None:
        conflicts = (*conflicts, said.conflict)[-MAX_CONFLICTS:]
        meetings().clash(message.sentence, opened().session, person, said.conflict["mine"])
    put(replace(opened(), conflicts=conflicts))
    _say(message, said)
    taken = message.what.get("taken")
    if said.kind == "done" and isinstance(taken, list):
        advice.settle(frozenset(map(str, taken)))
    is_here = message.sentence == opened().sentence
    if said.kind == "done" and message.what.get("then") == "next" and is_here:
        is_found = go(1, only_open=True)
        more = "" if is_found else " No open sentence is left in this document."
        if not is_found:
            open_sentence(message.sentence)
        _say(message, replace(said, text=f"{said.text}.{more}"))


def _hindrance(message: Message) -> Said | None:
    """Say why a sentence cannot be accepted: it has errors."""
    if message.what["do"] != "accept":
        return None
    found = blocking(advice.problems(shared_store().sentence(message.sentence)))
    return Said("refused", found) if found else None


def _say(message: Message, said: Said | None) -> None:
    now = opened()
    put(replace(now, ack=message.number, said=now.said if said is None else (message.number, said)))
