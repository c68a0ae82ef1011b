"""What the session of the Correct page holds, and how it changes.

The store is the truth, and the address names the sentence. The session keeps what a
refresh may lose: where things are drawn, and what was said about the last message.
"""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass, replace

import streamlit as st

from app.addresses.codec import damages, format_link, parse_link
from app.addresses.compare import COPY
from app.addresses.correct import CorrectLink
from app.annotation.copies import why_hidden
from app.annotation.documents import all_documents, copy_rows, own_documents
from app.annotation.order import EXTRA_NAMES
from app.annotation.search import parse_search
from app.annotation.session import current_person, shared_store
from app.canvas.payload import Payload
from app.kit.address import put_address
from app.pages.correct import state_advice as advice
from app.pages.correct.editor.layout import Sketch, grow, lay_out
from app.pages.correct.following import next_sentence
from app.pages.correct.handler import Said
from app.pages.correct.meeting import Meetings, meeting_text
from app.pages.correct.wording import describe_what, names_of
from app.store.documents.listing import SentenceFilter
from app.store.documents.queues import Queue
from app.store.records.rows import StoredSentence
from aptcore.errors import PatternError, StoreError, UnavailableError

EDITOR = "correct_editor"
STATE, DRAWN, SHOWN = "correct", "correct_drawn", "correct_shown"


@dataclass(frozen=True, slots=True)
class Failure:
    """A store that took nothing.

    Attributes:
        reason: Why.
        pause: How long it is left alone, in seconds: ever longer. The browser sends again all
            the time, and one try may wait long for a lock.
        until: When that is over, in seconds of the clock.
    """

    reason: str
    pause: float
    until: float


@dataclass(frozen=True, slots=True)
class Opened:
    """What is on the page.

    Attributes:
        session: Names the session.
        sentence: The sentence's number in the store; 0 for none.
        person: For whom it was opened.
        revision: Of the sentence as it was drawn last.
        sketch: Where its graph stands.
        ack: Number of the last message that was taken in.
        said: What became of it, and its number.
        conflicts: What the editor shows of the conflicts that came up.
        num_open: Sentences of the document that are still open.
        checked: Text that the editor asked about.
        tab: The browser tab, as its messages name it.
        link: In which order the sentences come, and what the next one has to be.
        offers: Completions of what is typed in the editor.
        news: What others changed since this person's last message.
        is_read: Whether the graph is read aloud.
        is_written: Whether the text of a large graph is asked for.
        problem: What could not be opened.
        failure: Why the store takes nothing of what the editor sends; None where it does.
    """

    session: str
    sentence: int = 0
    person: str = ""
    revision: int = -1
    sketch: Sketch | None = None
    ack: int = 0
    said: tuple[int, Said] | None = None
    conflicts: tuple[Payload, ...] = ()
    num_open: int = 0
    checked: str | None = None
    tab: str = ""
    link: CorrectLink = CorrectLink()
    offers: Payload | None = None
    news: tuple[str, ...] = ()
    is_read: bool = False
    is_written: bool = False
    problem: str = ""
    failure: Failure | None = None


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
    parameters = st.query_params.to_dict()
    link = parse_link(CorrectLink, parameters)
    problems = damages(CorrectLink, parameters)
    try:
        parse_search(link.field, link.wanted or "thing")
    except PatternError as error:
        problems.append(f"The search of the address cannot be read: {error}")
        link = replace(link, wanted="")
    now = opened()
    put(replace(now, link=link))
    is_other = (link.sentence, current_person()) != (now.sentence, now.person)
    if link.sentence is not None and is_other:
        open_sentence(link.sentence)  # also the same one for another person: it may be blind
    elif link.sentence is None and now.sentence:
        write_address()
    elif not now.sentence:
        first = first_open()
        if first is not None:
            open_sentence(first)
    for problem in problems:
        put(replace(opened(), problem=problem))


def first_open() -> int | None:
    """Give the first open sentence that is assigned to the person, or open, or else of all."""
    seen, person = tuple(document.id for document in own_documents()), current_person()
    own = [SentenceFilter(status=("open",), assigned=person)] if person else []
    for chosen in (*own, SentenceFilter(status=("open",)), SentenceFilter()):
        for first in shared_store().queues.ids(Queue(seen, chosen), limit=1):
            return first
    return None


def why_blind(number: int, person: str) -> str:
    """Say why a person may not see a sentence of another's copy; empty where they may.

    Raises:
        StoreError: There is no such sentence.
    """
    stored = shared_store().sentence(number)
    document = next(one for one in all_documents() if one.id == stored.document)
    if document.copy_of is None or document.person == person:
        return ""
    rows = copy_rows(document.copy_of, stored.number)
    return why_hidden((COPY + document.person,), rows, person)


def open_sentence(number: int) -> None:
    """Show a sentence of the store, and claim it where nobody else has.

    Raises:
        UnavailableError: The store cannot be read now.
    """
    store, person, before = shared_store(), current_person(), opened()
    try:
        stored = store.sentence(number, person)
        blind = why_blind(number, person)
        if blind:
            raise StoreError(blind)
        left = Queue((stored.document,), SentenceFilter(status=("open",)))
        num_open = store.queues.count(left)
    except UnavailableError:
        raise
    except StoreError as error:
        put(replace(before, sentence=0, person=person, sketch=None, problem=str(error)))
        return
    put(
        replace(
            before,
            sentence=number,
            person=person,
            revision=-1,
            sketch=None,
            num_open=num_open,
            checked=None,
            offers=None,
            is_written=False,
            news=(),
            problem="",
        )
    )
    _claim(before.sentence)
    write_address()


def _claim(left: int) -> None:
    """Claim the sentence on the page and give up the one that was left; a courtesy to others."""
    store, person, number = shared_store(), current_person(), opened().sentence
    if not person:
        return
    try:
        if left and left != number:
            store.release(left, person)
        store.claim(number, person)
    except UnavailableError:
        pass  # work on the sentence shows what is wrong, and who reads only is not kept from it


def write_address() -> None:
    """Make the address name what is shown."""
    now = opened()
    link = replace(now.link, sentence=now.sentence or None, person=current_person())
    put_address(format_link(link))


def shown_sentence() -> StoredSentence:
    """Give the sentence on the page as it is now, and draw what changed in it.

    Raises:
        StoreError: If it is gone, or its log is damaged.
    """
    now = opened()
    stored = shared_store().sentence(now.sentence, current_person())
    if now.sketch is None:
        put(replace(now, sketch=lay_out(stored.state.graph), revision=stored.revision))
    elif now.revision != stored.revision:
        news = (*now.news, *_news(stored, now))
        sketch = grow(now.sketch, stored.state.graph)
        put(replace(now, sketch=sketch, revision=stored.revision, news=news))
    return stored


def _news(stored: StoredSentence, now: Opened) -> list[str]:
    """Say what others, or other tabs, did since the sentence was drawn last."""
    names, person = names_of(stored.state.graph), current_person()
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


def note_drawn(shown: tuple[object, ...], payload: Payload) -> None:
    """Note the signature of what the page shows now, and what the editor was given."""
    st.session_state[DRAWN] = shown
    st.session_state[SHOWN] = payload


def is_shown() -> bool:
    """Tell whether the editor stands on the page, with what may not be on disk yet."""
    last: Payload = st.session_state.get(SHOWN, {})
    return last.get("person") == current_person() and bool(opened().sentence)


def stale_payload(failure: str) -> Payload:
    """Give what the editor was given last, for as long as the store cannot be read."""
    last: Payload = st.session_state[SHOWN]
    return last | {"ack": opened().ack, "failure": failure}


def filters() -> str:
    """Say what the next sentence has to be; empty for any."""
    link = opened().link
    found = [*link.status, *(EXTRA_NAMES[extra] for extra in link.extra)]
    if link.wanted:
        found.append(f"with {link.field} {link.wanted}")
    if link.chosen:
        found.append("chosen on the Queue page")
    return ", ".join(found)


def go(way: int, *, only_open: bool = False) -> bool:
    """Go to the next sentence of the queue, or the one before, under its filters.

    Args:
        way: 1 or -1.
        only_open: Pass over those that are done or another's, unless the filters ask for a
            status; after the last one the first is next.

    Returns:
        Whether there was one to go to.
    """
    found = next_sentence(opened().sentence, opened().link, way, only_open, current_person())
    if found is None:
        return False
    open_sentence(found)
    return True
