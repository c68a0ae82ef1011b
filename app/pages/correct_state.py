"""What the session of the Correct page holds, and how it changes.

The store is the truth, and the address names the sentence. The session keeps what a
refresh may lose: where things are drawn, and what was said about the last message.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from app.pages import correct_advice as advice
from app.pages.annotation import PERSON, current_person, has_sign_in, shared_store
from app.store.listing import SentenceFilter
from app.store.progress import Progress
from app.store.rows import SentenceRow, StoredSentence
from app.views.correct_answers import Said, answer, failed
from app.views.correct_layout import Sketch, grow, lay_out
from app.views.correct_link import CorrectLink, format_correct_link, parse_correct_link
from app.views.correct_marks import blocking
from app.views.correct_meeting import Meetings, meeting_text
from app.views.correct_outbox import Message, highest_number, read_outbox
from app.views.correct_words import describe_what, names_of
from app.views.drawing import Payload
from app.views.queue_link import Order
from app.views.queue_rows import MEASURES, ordered
from aptcore.errors import AptamrError, StoreError

EDITOR = "correct_editor"
STATE, DRAWN = "correct", "correct_drawn"
MAX_CONFLICTS = 50
"""Conflicts that are told again until the editor has them."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What is on the page.

    Attributes:
        session: Names the session.
        sentence: The sentence's number in the store; 0 for none.
        revision: Of the sentence as it was drawn last.
        sketch: Where its graph stands.
        ack: Number of the last message that was taken in.
        said: What became of it, and its number.
        conflicts: What the editor shows of the conflicts that came up.
        progress: How far the document is.
        checked: Text that the editor asked about.
        tab: The browser tab, as its messages name it.
        order: In which order the sentences come.
        offers: Completions of what is typed in the editor.
        news: What others changed since this person's last message.
        problem: What could not be opened.
    """

    session: str
    sentence: int = 0
    revision: int = -1
    sketch: Sketch | None = None
    ack: int = 0
    said: tuple[int, Said] | None = None
    conflicts: tuple[Payload, ...] = ()
    progress: Progress | None = None
    checked: str | None = None
    tab: str = ""
    order: Order = "file"
    offers: Payload | None = None
    news: tuple[str, ...] = ()
    problem: str = ""


def opened() -> Opened:
    """Give what is on the page."""
    found: Opened = st.session_state[STATE]
    return found


def put(now: Opened) -> None:
    """Change what is on the page."""
    st.session_state[STATE] = now


def prepare() -> None:
    """Fill the session on its first run, and answer an address that changed."""
    if STATE not in st.session_state:
        put(Opened(uuid.uuid4().hex))
    link = parse_correct_link(st.query_params.to_dict())
    if link.person and not st.session_state.get(PERSON):
        st.session_state[PERSON] = link.person
    now = opened()
    put(replace(now, order=link.order))
    if link.sentence is not None and link.sentence != now.sentence:
        open_sentence(link.sentence)
    elif link.sentence is None and now.sentence:
        write_address()
    elif not now.sentence:
        first = first_open()
        if first is not None:
            open_sentence(first)
    if link.problem:
        put(replace(opened(), problem=link.problem))


def first_open() -> int | None:
    """Give the first sentence that is open, or else the first of all."""
    store = shared_store()
    rows = store.sentences(None, SentenceFilter(status=("open",))) or store.sentences()
    return rows[0].id if rows else None


def open_sentence(number: int) -> None:
    """Show a sentence of the store, and claim it where nobody else has."""
    store, person, before = shared_store(), current_person(), opened()
    try:
        stored = store.sentence(number, person)
        if before.sentence and before.sentence != number and person:
            store.release(before.sentence, person)
        if person:
            store.claim(number, person)
        progress = store.progress(stored.document)
    except StoreError as error:
        put(replace(before, sentence=0, sketch=None, problem=str(error)))
        return
    put(
        replace(
            before,
            sentence=number,
            revision=-1,
            sketch=None,
            progress=progress,
            checked=None,
            news=(),
            problem="",
        )
    )
    write_address()


def write_address() -> None:
    """Make the address name what is shown."""
    link = CorrectLink(opened().sentence or None, current_person(), opened().order)
    st.query_params.from_dict(format_correct_link(link))


def shown_sentence() -> StoredSentence:
    """Give the sentence on the page as it is now, and draw what changed in it.

    Raises:
        StoreError: If it is gone, or its log is damaged.
    """
    now = opened()
    stored = shared_store().sentence(now.sentence, current_person())
    if now.sketch is None:
        put(replace(now, sketch=lay_out(stored.graph), revision=stored.revision))
    elif now.revision != stored.revision:
        news = (*now.news, *_news(stored, now))
        sketch = grow(now.sketch, stored.graph)
        put(replace(now, sketch=sketch, revision=stored.revision, news=news))
    return stored


def _news(stored: StoredSentence, now: Opened) -> list[str]:
    """Say what others, or other tabs, did since the sentence was drawn last."""
    names, person = names_of(stored.graph), current_person()
    return [
        f"{entry.person}: {describe_what(entry.what, names)}"
        for entry in shared_store().log(stored.id)
        if entry.revision > now.revision and (entry.person, entry.tab) != (person, now.tab)
    ]


@st.cache_resource(show_spinner=False)
def meetings() -> Meetings:
    """Give what the pages of this process tell each other."""
    return Meetings(time.monotonic)


def meeting() -> str:
    """Say who else is on the sentence, and what they did or wanted."""
    now, person = opened(), current_person()
    others = meetings().others(now.sentence, now.session)
    clashes = meetings().clashes(now.sentence, now.session)
    return meeting_text(person, others, clashes, now.news)


def signature() -> tuple[object, ...]:
    """Give all that may change without a message of this page."""
    now = opened()
    return now.sentence, now.revision, meeting(), advice.answered(now.sentence)


def has_changed() -> bool:
    """Note that this page is open; tell whether it shows something that is no longer so."""
    now, person = opened(), current_person()
    if not now.sentence:
        return False
    meetings().be_here(now.sentence, now.session, person)
    try:
        revision = shared_store().sentence(now.sentence, person).revision
    except StoreError:
        return False  # the next message will say so
    return revision != now.revision or signature() != st.session_state.get(DRAWN)


def note_drawn(shown: tuple[object, ...]) -> None:
    """Note the signature of what the page shows now."""
    st.session_state[DRAWN] = shown


def go(way: int, *, only_open: bool = False) -> bool:
    """Go to the next sentence of the document, or the one before.

    Args:
        way: 1 or -1.
        only_open: Pass over those that are done or another's; after the last one the first
            is next.

    Returns:
        Whether there was one to go to.
    """
    store, now = shared_store(), opened()
    document = store.sentence(now.sentence).document
    scores = store.scores(document) if now.order in MEASURES else {}
    rows = ordered(store.sentences(document), scores, now.order)
    found = neighbour([row.sentence for row in rows], now.sentence, way, only_open)
    if found is None:
        return False
    open_sentence(found)
    return True


def neighbour(rows: Sequence[SentenceRow], here: int, way: int, only_open: bool) -> int | None:
    """Give the sentence next to another one in an order; None where there is none."""
    person = current_person()
    places = [row.id for row in rows]
    place = places.index(here)
    wanted = rows[place + 1 :] if way > 0 else rows[:place][::-1]
    if not only_open:
        return wanted[0].id if wanted else None
    return next(
        (
            row.id
            for row in (*wanted, *rows[:place])
            if row.status == "open" and {row.claimed_by, row.assigned} <= {"", person}
        ),
        None,
    )


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
