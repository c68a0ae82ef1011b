"""Files that are written behind the page: how far they are, what stops them, what is found."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import streamlit as st

from app.annotation.documents import shared_searcher
from app.annotation.preparing import Prepared, Preparer
from app.annotation.session import current_person, shared_store, store_url
from app.kit.address import timed
from app.kit.text import escape_markdown
from app.pages.queue.rewrite import Asked, found_parts
from app.pages.queue.state import queued, requested
from app.store.documents.listing import SentenceFilter
from app.store.documents.queues import Queue
from app.store.store import Store
from aptcore.errors import StoreError

IMMEDIATE = 500
"""Sentences that are looked through while the page waits: within about a second."""
POLL_SECONDS = 0.5
LinesOf = Callable[[], Iterable[str]]
"""Gives the lines of what was found."""


def draw_behind(preparer: Preparer, file: Prepared, doing: str) -> None:
    """Draw how far a file is; the page is drawn anew when it is whole.

    Args:
        preparer: What writes it.
        file: One that is not over.
        doing: What is done to it, in a word.
    """
    timed(_watch, POLL_SECONDS)(preparer, file, doing)


def _watch(preparer: Preparer, file: Prepared, doing: str) -> None:
    if file.is_over:
        st.rerun()
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    share = min(1.0, file.done / file.size)
    row.progress(share, f"{doing} {escape_markdown(file.name)}: {file.done:,} of {file.size:,}")
    row.button("Stop", key="queue_stop_behind", on_click=preparer.stop, args=(file,))


def looked_up(terms: Sequence[str], asked: Asked) -> LinesOf | None:
    """Look through the chosen document, or all: at once, or behind the page where it takes long.

    Args:
        terms: What every sentence with a hit holds.
        asked: What is looked for.

    Returns:
        What gives the lines of all that was found; None while there is none.
    """
    link, documents = requested(), queued(requested())
    queue = Queue(documents, SentenceFilter(terms=tuple(terms)))
    parts = partial(_parts_of, shared_store(), queue, asked)
    searcher = shared_searcher()
    key = (store_url(), current_person(), documents, link.field, link.wanted, link.template)
    file = searcher.find(key)
    if file is None:
        size = shared_store().queues.count(queue)
        if size <= IMMEDIATE:
            lines = "".join(parts()).splitlines()
            return lambda: lines
        file = searcher.begin(key, link.wanted, size, parts)
    if not file.is_over:
        draw_behind(searcher, file, "Looking for")
        return None
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    again = partial(searcher.begin, key, file.name, file.size, parts)
    row.button("Search anew", on_click=_do, args=(again,))
    if file.path is None:
        row.error(f"The search has no result: {escape_markdown(file.error)}")
        return None
    row.caption(f"As it was at {file.at:%H:%M:%S} UTC.", width="content")
    return partial(_lines_of, file.path)


def _do(begin: Callable[[], Prepared]) -> None:
    begin()


def _parts_of(store: Store, queue: Queue, asked: Asked) -> Generator[str, None, None]:
    """Look through sentences part by part, in the thread of the page or another."""
    material = (pair for one in queue.documents for pair in store.graphs(one, queue.chosen))
    with closing(material):
        yield from found_parts(asked, material)


def _lines_of(path: Path) -> Iterator[str]:
    """Read a file of hits.

    Raises:
        StoreError: It is gone: newer searches have taken its place.
    """
    try:
        with path.open(encoding="ascii") as lines:
            yield from lines
    except FileNotFoundError as error:
        raise StoreError("what was found is kept no longer: search anew") from error
