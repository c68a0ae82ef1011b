"""What the session of the Queue page holds, and how it changes.

The address is the truth about what is asked for; the store is the truth about the work.
The session keeps what the last click did (``queue_told``) and what went wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import streamlit as st

from app.addresses.codec import format_link, parse_link
from app.addresses.correct import CorrectLink
from app.addresses.queue import QueueLink
from app.annotation.documents import documents, own_documents, shared_scribe
from app.annotation.order import filter_of, queue_of
from app.annotation.session import current_person, shared_store
from app.kit.address import put_address
from app.pages.queue.rows import ADDRESS
from app.store.documents.progress import Progress
from app.store.documents.queues import Queue
from app.store.records.rows import Document
from aptcore.errors import AptamrError

EVERY = 0
"""What stands for all documents in the field that chooses one."""
TAB = "queue"
"""The name under which the log keeps what is done on this page."""


def requested() -> QueueLink:
    """Read the address; a document that is not in the store counts as none."""
    return parse_link(QueueLink, st.query_params.to_dict())


def go(link: QueueLink) -> None:
    """Make the address ask for something else; who is at work stays."""
    put_address(format_link(replace(link, person=current_person())))
    tell("")


@dataclass(frozen=True, slots=True)
class Told:
    """What the page says of the last click.

    Attributes:
        text: It; empty for nothing.
        is_error: Whether it is why nothing was done.
        job: Id of the job that it began.
        begun: What is said before the text while that job is at work.
    """

    text: str
    is_error: bool = False
    job: str = ""
    begun: str = ""


def tell(text: str, *, is_error: bool = False, job: str = "", begun: str = "") -> None:
    """Keep a message until the next thing is done; see :class:`Told`."""
    st.session_state.queue_told = Told(text, is_error, job, begun)


def told_now() -> Told:
    """Give what is to be said: of a job that has ended, its outcome tells the rest."""
    told: Told = st.session_state.queue_told
    is_at_work = told.job and any(
        job.id == told.job and not job.is_over for job in shared_scribe().jobs
    )
    return replace(told, text=f"{told.begun} {told.text}".strip()) if is_at_work else told


def refuse(error: AptamrError) -> None:
    """Keep the reason why nothing was done."""
    tell(str(error), is_error=True)


def prepare() -> None:
    """Fill the session on its first run, and the fields from the address."""
    state, link = st.session_state, requested()
    state.setdefault("queue_told", Told(""))
    state.queue_view = link.view
    state.queue_order = link.order
    state.queue_status = list(link.status)
    state.queue_extra = list(link.extra)
    state.queue_document = chosen_document() or EVERY


def queued(link: QueueLink) -> tuple[int, ...]:
    """Give the documents of which a queue consists, by number.

    Without a choice these are all but those of which the person has a copy of their own.
    """
    chosen = _known(link)
    if chosen is not None:
        return (chosen,)
    return tuple(document.id for document in own_documents())


def names() -> Mapping[int, str]:
    """Give the names of the documents, by number."""
    return {document.id: document.name for document in documents()}


def chosen_document() -> int | None:
    """Give the document of the address, if the store has it; None for all."""
    return _known(requested())


def chosen_row() -> Document | None:
    """Give the row of the document of the address; None for all."""
    number = chosen_document()
    return next((one for one in shared_store().documents() if one.id == number), None)


def _known(link: QueueLink) -> int | None:
    return link.document if link.document in names() else None


def take_fields() -> None:
    """Put what the fields say into the address."""
    state = st.session_state
    go(
        replace(
            requested(),
            view=state.queue_view or "queue",
            document=state.queue_document or None,
            order=state.queue_order,
            status=tuple(state.queue_status),
            extra=tuple(state.queue_extra),
        )
    )


def progress_now() -> Progress:
    """Tell how far the documents of the queue are, all together."""
    return shared_store().progress(*queued(requested()))


def progress_of_people() -> Progress:
    """Tell who did what in the documents of the queue and in the copies of them."""
    store = shared_store()
    own, known = set(queued(requested())), store.documents()
    first = {one.copy_of or one.id for one in known if one.id in own}
    return store.progress(*(one.id for one in known if (one.copy_of or one.id) in first))


def asked_queue() -> Queue:
    """Give the queue that the address asks for."""
    link = requested()
    return queue_of(queued(link), filter_of(link.status, link.extra, current_person()), link.order)


def correct_link(sentence: int, chosen: Sequence[int] = ()) -> CorrectLink:
    """Ask for a sentence of the queue; order, filters, search and documents go along.

    Args:
        sentence: Its number.
        chosen: The sentences that are gone through; none for all.
    """
    link = requested()
    is_search = link.view == "search"
    return CorrectLink(
        sentence,
        current_person(),
        "file" if is_search else link.order,
        () if is_search else link.extra,
        # The open ones are what "next" looks for by itself.
        () if is_search or link.status == ("open",) else link.status,
        "document" if chosen_document() else "all",
        link.field if is_search else "text",
        link.wanted if is_search else "",
        tuple(chosen),
    )


def correct_addresses(found: Sequence[int]) -> list[str]:
    """Give the addresses at which sentences are corrected."""
    link = correct_link(0)
    return [address_of(replace(link, sentence=one)) for one in found]


def address_of(link: CorrectLink) -> str:
    """Give the address of a page that shows what a link asks for."""
    return f"{ADDRESS}?{urlencode(format_link(link))}"
