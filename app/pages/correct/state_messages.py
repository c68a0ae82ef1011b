"""What the editor sends, and what it does to the store and to the session."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from app.annotation.session import current_person, shared_store
from app.canvas.payload import Payload
from app.pages.correct import state_advice as advice
from app.pages.correct.around import coref_gesture, likely_mentions
from app.pages.correct.editor.aligning import with_its_word
from app.pages.correct.editor.completing import MAX_FOUND, completed
from app.pages.correct.editor.folding import is_large
from app.pages.correct.editor.marks import blocking
from app.pages.correct.editor.outbox import Message, highest_number, own_outbox, read_outbox
from app.pages.correct.handler import Said, answer, failed
from app.pages.correct.state import (
    EDITOR,
    Failure,
    filters,
    go,
    meetings,
    open_sentence,
    opened,
    put,
)
from app.pages.correct.state_fold import draw_afresh, show
from app.store.log.operations import Operation
from aptcore.errors import AptamrError, UnavailableError

MAX_CONFLICTS = 50
"""Conflicts that are told again until the editor has them."""
UNSEEN = "Not accepted: the graph has changed since it was shown. Look at it and accept it again."
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 8.0
"""Seconds between a failure of the store and the next try."""


def take_messages() -> bool:
    """Take in what the editor sent, once and in order.

    Where the store fails the rest waits: it is not acknowledged, and comes again.

    Returns:
        Whether another sentence is shown now.
    """
    state = st.session_state.get(EDITOR)
    before = opened().sentence
    failure = opened().failure
    if failure is not None and time.monotonic() < failure.until:
        return False
    try:
        sent = None if state is None else state.get("outbox")
        outbox = own_outbox(sent, shared_store().identity, current_person())
        while messages := read_outbox(outbox, opened().ack):
            for message in messages:
                put(replace(opened(), tab=message.tab, news=()))
                _take(message)
        now = opened()
        put(replace(now, ack=highest_number(outbox, now.ack), failure=None))
    except UnavailableError as error:
        pause = FIRST_PAUSE if failure is None else min(LONGEST_PAUSE, 2 * failure.pause)
        failure = Failure(str(error), pause, time.monotonic() + pause)
        put(replace(opened(), failure=failure))
    return opened().sentence != before


def _take(message: Message) -> None:
    """Do what a message asks; what can never be done is answered with the reason.

    Raises:
        UnavailableError: The store fails now; the message is not acknowledged.
    """
    try:
        _do(message)
    except UnavailableError:
        raise
    except AptamrError as error:
        _say(message, failed(error))


def _do(message: Message) -> None:
    do = message.what["do"]
    is_here = message.sentence == opened().sentence
    if do in ("go", "tidy", "show") and not is_here:
        _say(message, None)  # sent again after the page had done it
    elif do == "go":
        is_found = go(1 if message.what.get("way") == 1 else -1)
        text = "" if is_found else f"There is no further sentence {_where()}."
        _say(message, Said("done" if is_found else "refused", text))
    elif do == "tidy":
        draw_afresh()
        _say(message, Said("done", "Laid out again"))
    elif do == "show":
        _say(message, show(message.what))
    elif do == "check":
        put(replace(opened(), checked=str(message.what.get("text", ""))))
        _say(message, None)
    elif do == "read":
        put(replace(opened(), is_read=bool(message.what.get("on"))))
        _say(message, None)
    elif do == "write":
        put(replace(opened(), is_written=bool(message.what.get("on"))))
        _say(message, None)
    elif do == "offers":
        _offer(message)
    elif do == "suggest":
        _suggest(message)
    else:
        _change(message)


def _offer(message: Message) -> None:
    stored, what = shared_store().sentence(message.sentence), message.what
    if what.get("kind") == "coref":
        node, typed = str(what.get("at", "")), str(what.get("typed", ""))
        items = likely_mentions(shared_store(), stored, node, typed, MAX_FOUND)
        offers: Payload = {"for": what.get("ask"), "items": items}
    else:
        offers = advice.offers(stored, what)
    put(replace(opened(), offers=offers))
    _say(message, None)


def _suggest(message: Message) -> None:
    """Ask for proposals, or for more of them; leave one, or put them away."""
    left = message.what.get("leave")
    if message.what.get("off"):
        advice.put_away()
    elif message.what.get("more"):
        advice.widen()
    elif isinstance(left, str):
        advice.settle(frozenset([left]))
    elif message.sentence == opened().sentence:
        stored = shared_store().sentence(message.sentence)
        if is_large(stored.state.graph):
            _say(message, Said("refused", f"The parser proposes nothing for {advice.TOO_LARGE}."))
            return
        advice.ask(message.number, stored)
    _say(message, None)


def _change(message: Message) -> None:
    """Apply a message that changes a sentence, and go on where it asks for that."""
    message = _completed(message)
    source = advice.proposer(message.sentence) if message.what.get("by") == "model" else None
    said = _hindrance(message) or answer(shared_store(), message, source)
    conflicts = opened().conflicts
    if said.conflict is not None:
        conflicts = (*conflicts, said.conflict)[-MAX_CONFLICTS:]
        meetings().clash(message.sentence, opened().session, message.person, said.conflict["mine"])
    put(replace(opened(), conflicts=conflicts))
    taken = message.what.get("taken")
    if said.kind == "done" and isinstance(taken, list):
        advice.settle(frozenset(map(str, taken)))
    is_here = message.sentence == opened().sentence
    if said.kind == "done" and message.what.get("then") == "next" and is_here:
        is_found = go(1, only_open=True)
        more = "" if is_found else f" No open sentence is left {_where()}."
        if not is_found:
            open_sentence(message.sentence)
        said = replace(said, text=f"{said.text}.{more}")
    _say(message, said)


def _completed(message: Message) -> Message:
    """Give a gesture what was left to the page: the likeliest completion, tokens, another node."""
    gesture = message.what.get("gesture")
    kind = gesture.get("kind") if isinstance(gesture, Mapping) else None
    if not isinstance(gesture, Mapping) or not (gesture.get("typed") or kind in ("add", "coref")):
        return message
    stored = shared_store().sentence(message.sentence)
    if kind == "coref":
        gesture = coref_gesture(shared_store(), stored, gesture)
    else:
        gesture = completed(advice.setting_of(stored), gesture)
        gesture = with_its_word(stored.state.graph, advice.quick_sentence(stored), gesture)
    return replace(message, what={**message.what, "gesture": gesture})


def _where() -> str:
    """Say where the page looked for another sentence."""
    only = filters()
    where = "in all documents" if opened().link.span == "all" else "in this document"
    return where + (f" among those {only}" if only else "")


def _hindrance(message: Message) -> Said | None:
    """Say why a sentence cannot be accepted: it was not seen as it is, or it has errors."""
    store = shared_store()
    if message.what["do"] != "accept" or store.applied(
        message.sentence, message.person, message.id
    ):
        return None
    log = store.log(message.sentence)
    if any(_has_changed_graph(one, message) for one in log):
        return Said("refused", UNSEEN)
    found = blocking(advice.problems(store.sentence(message.sentence)))
    return Said("refused", found) if found else None


def _has_changed_graph(operation: Operation, message: Message) -> bool:
    """Tell whether the person of a message changed the graph after what the message was made on.

    What others changed is a conflict, which the store finds.
    """
    is_own = (operation.person, operation.tab) == (message.person, message.tab)
    is_change = operation.what["do"] in ("edit", "undo", "redo")
    return is_own and is_change and operation.revision > message.base


def _say(message: Message, said: Said | None) -> None:
    now = opened()
    put(replace(now, ack=message.number, said=now.said if said is None else (message.number, said)))
