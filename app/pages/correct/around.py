"""The sentences around one in its document, and their nodes, with which its own may be the same."""

from __future__ import annotations

from collections.abc import Mapping

from app.kit.text import shorten
from app.store.documents.listing import SentenceFilter
from app.store.documents.queues import Queue
from app.store.records.rows import StoredSentence
from app.store.store import Store
from aptcore.advice.alike import likeness
from aptcore.editing.coreference import CorefLink, coref_links, is_linkable

MOST_BEFORE = 5
"""Sentences before one whose nodes are offered; of those after it only the next is."""
NEARER = 0.1
"""Likeness that a sentence further off costs a node."""
COLUMNS = 36
"""Of the text of a sentence that is shown beside its node."""
LINKED = "linked: Enter takes the link away"


def sentences_around(store: Store, stored: StoredSentence) -> list[StoredSentence]:
    """Give the sentences just before and after one in its document, in order."""
    queue = Queue((stored.document,), SentenceFilter())
    before = store.queues.ids(queue, before=stored.id, limit=MOST_BEFORE)
    after = store.queues.ids(queue, after=stored.id, limit=1)
    return [store.sentence(number) for number in (*reversed(before), *after)]


def mentions_around(stored: StoredSentence, around: list[StoredSentence]) -> dict[str, CorefLink]:
    """Give the nodes that can be linked by name, from the nearest before on: ``1: f / fox``."""
    return {
        f"{one.number}: {node.id} / {node.concept}": CorefLink("", one.name, node.id)
        for one in reversed(around)
        if is_linkable(one.name, stored.name)
        for node in one.state.graph.nodes
    }


def likely_mentions(
    store: Store, stored: StoredSentence, node: str, typed: str, limit: int
) -> list[list[str]]:
    """Offer nodes of the sentences around for one that is the same as one of them.

    Args:
        store: Holds the sentences.
        stored: The sentence of the node.
        node: Its name; nodes with its concept come first, then those that are used like it.
        typed: What their names or concepts begin with, or the number of their sentence.
        limit: How many to give.

    Returns:
        Names with what is said of them, as the editor shows completions.
    """
    concepts = {one.id: one.concept for one in stored.state.graph.nodes}
    own, wanted = concepts.get(node, ""), typed.strip().lower()
    linked = {(link.sentence, link.target) for link in _links_of(stored, node)}
    found: list[tuple[float, str, str]] = []
    for one in sentences_around(store, stored):
        if not is_linkable(one.name, stored.name):
            continue
        far = abs(one.number - stored.number) + (one.number > stored.number)
        for other in one.state.graph.nodes:
            name = f"{one.number}: {other.id} / {other.concept}"
            beginnings = name, other.id, other.concept, f"{other.id} / {other.concept}"
            if not any(each.lower().startswith(wanted) for each in beginnings):
                continue
            is_linked = (one.name, other.id) in linked
            like = 2.0 if other.concept == own else likeness(own, other.concept)
            found.append(
                (NEARER * far - like, name, LINKED if is_linked else shorten(one.text, COLUMNS))
            )
    return [[name, note] for _, name, note in sorted(found)[:limit]]


def coref_gesture(
    store: Store, stored: StoredSentence, gesture: Mapping[str, object]
) -> dict[str, object]:
    """Give a gesture that names another sentence's node in words the node itself.

    What is typed and not chosen is completed: the first that would be offered is meant.
    """
    text, node = str(gesture.get("text", "")), str(gesture.get("id", ""))
    if gesture.get("typed"):
        first = likely_mentions(store, stored, node, text, 1)
        text = first[0][0] if first else text
    link = mentions_around(stored, sentences_around(store, stored)).get(text)
    return {**gesture, "other": None if link is None else [link.sentence, link.target]}


def _links_of(stored: StoredSentence, node: str) -> list[CorefLink]:
    return [link for link in coref_links(stored.state.graph.metadata) if link.node == node]
