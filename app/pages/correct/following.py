"""Which sentence follows another one: in the order and under the filters of the queue."""

from __future__ import annotations

from collections.abc import Iterable

from app.addresses.correct import CorrectLink
from app.annotation.documents import own_documents
from app.annotation.order import MEASURES, filter_of, ordered
from app.annotation.search import Search, count_hits, parse_search
from app.annotation.session import shared_store
from app.store.records.rows import SentenceRow


def next_sentence(
    here: int, link: CorrectLink, way: int, only_open: bool, person: str
) -> int | None:
    """Give the sentence that follows, by number; None where there is none.

    Args:
        here: The sentence that is left.
        link: Order and filters.
        way: 1, or -1 for the one before.
        only_open: Pass over what is done or another's, unless the filters ask for a status.
        person: Who is at work.

    Raises:
        PatternError: The address holds a search that is none.
        StoreError: The store cannot be read.
    """
    search = parse_search(link.field, link.wanted) if link.wanted else None
    rows, kept = _rows(here, link, person)
    places = [row.id for row in rows]
    place = places.index(here)
    wanted = rows[place + 1 :] if way > 0 else rows[:place][::-1]
    if only_open:
        wanted = [row for row in (*wanted, *rows[:place]) if _is_free(row, link, person)]
    return _first_hit((row for row in wanted if row.id in kept), search)


def _rows(here: int, link: CorrectLink, person: str) -> tuple[list[SentenceRow], set[int]]:
    """Give all sentences in order, and the numbers of those to which the filters apply."""
    store, document = shared_store(), shared_store().sentence(here).document
    spanned = [one.id for one in own_documents()] if link.span == "all" else []
    rows: list[SentenceRow] = []
    scores: dict[int, dict[str, float]] = {}
    kept: set[int] = set()
    chosen = filter_of(link.status, link.extra, person)
    for number in spanned if document in spanned else [document]:
        rows += store.sentences(number)
        kept |= {row.id for row in store.sentences(number, chosen)}
        if link.order in MEASURES:
            scores |= store.scores(number)
    if link.chosen:
        kept &= set(link.chosen)
    return [row.sentence for row in ordered(rows, scores, link.order)], kept


def _is_free(row: SentenceRow, link: CorrectLink, person: str) -> bool:
    is_wanted = bool(link.status) or row.status == "open"
    return is_wanted and {row.claimed_by, row.assigned} <= {"", person}


def _first_hit(rows: Iterable[SentenceRow], search: Search | None) -> int | None:
    """Give the first sentence that a search hits as it is now."""
    for row in rows:
        if search is None:
            return row.id
        graph = shared_store().sentence(row.id).state.graph
        if count_hits(search, row.text, graph):
            return row.id
    return None
