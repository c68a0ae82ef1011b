"""Which sentence follows another one: in the order and under the filters of the queue."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.addresses.correct import CorrectLink
from app.annotation.documents import own_documents
from app.annotation.order import filter_of, queue_of
from app.annotation.search import Search, count_hits, parse_search
from app.annotation.session import shared_store
from app.store.documents.queues import Queue


def next_sentence(
    here: int, link: CorrectLink, way: int, only_open: bool, person: str
) -> int | None:
    """Give the sentence that follows, by number; None where there is none.

    Args:
        here: The sentence that is left.
        link: Order and filters.
        way: 1, or -1 for the one before.
        only_open: Pass over what is done or another's, unless the filters ask for a status;
            what is assigned to the person comes first.
        person: Who is at work.

    Raises:
        PatternError: The address holds a search that is none.
        StoreError: The store cannot be read.
    """
    if only_open and person and not link.extra:
        own = replace(link, extra=("mine",))
        found = _following(here, own, way, only_open, person)
        if found is not None:
            return found
    return _following(here, link, way, only_open, person)


def _following(here: int, link: CorrectLink, way: int, only_open: bool, person: str) -> int | None:
    search = parse_search(link.field, link.wanted) if link.wanted else None
    queue = _queue(here, link, person, only_open=only_open)
    if search is not None:
        queue = replace(queue, chosen=replace(queue.chosen, terms=search.terms))
    queues, few = shared_store().queues, 1 if search is None else None
    after, before = (here, None) if way > 0 else (None, here)
    found = _first_hit(queues.ids(queue, after=after, before=before, limit=few), search)
    if found is None and only_open:
        found = _first_hit((one for one in queues.ids(queue, limit=few) if one != here), search)
    return found


def _queue(here: int, link: CorrectLink, person: str, *, only_open: bool) -> Queue:
    """Give the sentences to which the filters apply, in order."""
    document = shared_store().sentence(here).document
    spanned = [one.id for one in own_documents()] if link.span == "all" else []
    chosen = filter_of(link.status, link.extra, person)
    if only_open:
        status = chosen.status or ("open",)
        chosen = replace(chosen, status=status, free_for=person)
    if link.chosen:
        chosen = replace(chosen, among=link.chosen)
    return queue_of(spanned if document in spanned else [document], chosen, link.order)


def _first_hit(sentences: Iterable[int], search: Search | None) -> int | None:
    """Give the first sentence that a search hits as it is now."""
    for sentence in sentences:
        if search is None:
            return sentence
        stored = shared_store().sentence(sentence)
        if count_hits(search, stored.text, stored.state.graph):
            return sentence
    return None
