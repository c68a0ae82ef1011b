"""What a search or a rewrite finds, sentence by sentence, as lines of a file and as a table.

A search of a large store is written behind the page (``app.annotation.preparing``), one line
of JSON for each sentence with hits and one with the totals at the end; a small one is written
into memory in the same way. The page reads the lines that it shows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from app.annotation.search import Search, count_hits
from app.kit.text import counted, shorten
from app.store.records.rows import ReadRow, SentenceRow
from aptcore.editing.edits import edit_to_json
from aptcore.editing.rewriting import Rewritten, Rule, rewrite
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import triples

MAX_SHOWN = 1_000
"""Most sentences with hits that are listed."""
Material = Iterable[tuple[ReadRow, Callable[[], AmrGraph]]]
"""Sentences, each with what reads its graph."""
Asked = Search | Rule


@dataclass(frozen=True, slots=True)
class Totals:
    """How much was found.

    Attributes:
        hits: All.
        sentences: With hits.
        applied: Hits that a rewrite does not refuse.
        applied_in: Sentences with such hits.
        reopened: Of these hits, those in accepted sentences.
        reopened_in: Those sentences.
        num_cut: Sentences that may have more hits than were looked for.
    """

    hits: int = 0
    sentences: int = 0
    applied: int = 0
    applied_in: int = 0
    reopened: int = 0
    reopened_in: int = 0
    num_cut: int = 0

    def with_found(self, found: Found, sign: int = 1) -> Totals:
        """Add a sentence, or with sign -1 take it away."""
        applied = sum(not hit.reason for hit in found.hits)
        is_reopened = found.status == "accepted"
        added = Totals(
            found.num_hits,
            int(found.num_hits > 0),
            applied,
            int(applied > 0),
            applied * is_reopened,
            int(applied > 0) * is_reopened,
            int(found.is_cut),
        )
        names = asdict(self)
        return Totals(**{name: names[name] + sign * value for name, value in asdict(added).items()})


@dataclass(frozen=True, slots=True)
class FoundHit:
    """One hit of a rewrite.

    Attributes:
        nodes: What the variables stand for.
        lost: Triples that go.
        gained: Triples that come.
        reason: Why it is refused; empty where it is not.
    """

    nodes: str
    lost: str
    gained: str
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """The hits in one sentence.

    Attributes:
        sentence: Its number in the store.
        revision: At which it was looked at.
        status: What had become of it then.
        num_hits: How many.
        hits: Each of them, for a rewrite.
        edit: What the rewrite does, as JSON; None where it does nothing.
        is_cut: Whether there may be more hits than were looked for.
    """

    sentence: int
    revision: int
    status: str
    num_hits: int
    hits: tuple[FoundHit, ...] = ()
    edit: dict[str, Any] | None = None
    is_cut: bool = False


def found_by_search(search: Search, row: ReadRow, graph_of: Callable[[], AmrGraph]) -> Found:
    """Count the hits of a search in a sentence; for words its graph is not read."""
    graph = None if search.pattern is None else graph_of()
    return Found(row.id, row.revision, row.status, count_hits(search, row.text, graph))


def found_by_rule(
    rule: Rule, row: ReadRow, graph: AmrGraph, left_out: Collection[int] = (), *, is_shown: bool
) -> Found:
    """Work out what a rule does to a sentence; nothing is changed.

    Args:
        rule: What is to be done.
        row: The sentence.
        graph: Its graph as it is now.
        left_out: Hits that a person does not want, from 0.
        is_shown: Whether its hits are listed, and not only counted.
    """
    done = rewrite(graph, rule, left_out)
    hits = _hits_of(graph, done) if is_shown else _counted_hits(done)
    edit = None if done.edit is None else edit_to_json(done.edit)
    return Found(row.id, row.revision, row.status, len(hits), hits, edit, done.is_cut)


def _counted_hits(done: Rewritten) -> tuple[FoundHit, ...]:
    return tuple(FoundHit("", "", "", hit.reason) for hit in done.hits)


def _hits_of(graph: AmrGraph, done: Rewritten) -> tuple[FoundHit, ...]:
    concepts = {node.id: node.concept for node in graph.nodes}
    hits = []
    for number, (hit, after) in enumerate(zip(done.hits, done.after, strict=True)):
        before = done.after[number - 1] if number else graph
        nodes = ", ".join(f"{v} = {n} / {concepts[n]}" for v, n in hit.match.nodes.items())
        lost, gained = _difference(before, after), _difference(after, before)
        hits.append(FoundHit(nodes, lost, gained, hit.reason))
    return tuple(hits)


def _difference(graph: AmrGraph, other: AmrGraph) -> str:
    """Write the triples that only the first of two graphs has."""
    known = set(triples(other))
    return "; ".join(" ".join(triple) for triple in triples(graph) if triple not in known)


def found_parts(asked: Asked, material: Material) -> Generator[str, None, None]:
    """Write what is found: a part for each sentence, empty without a hit, and the totals."""
    totals = Totals()
    for row, graph_of in material:
        if isinstance(asked, Rule):
            is_shown = totals.sentences < MAX_SHOWN
            found = found_by_rule(asked, row, graph_of(), is_shown=is_shown)
        else:
            found = found_by_search(asked, row, graph_of)
        totals = totals.with_found(found)
        yield encode_found(found) + "\n" if found.num_hits else ""
    yield json.dumps(asdict(totals))


def encode_found(found: Found) -> str:
    """Write the hits in a sentence as JSON in ASCII."""
    values: dict[str, Any] = {
        "sentence": found.sentence,
        "revision": found.revision,
        "status": found.status,
        "num_hits": found.num_hits,
    }
    if found.hits:
        values["hits"] = [list(asdict(hit).values()) for hit in found.hits]
        values["is_cut"] = found.is_cut
    if found.edit is not None:
        values["edit"] = found.edit
    return json.dumps(values)


def decode_found(line: str) -> Found:
    """Read what :func:`encode_found` wrote."""
    values = json.loads(line)
    hits = tuple(FoundHit(*hit) for hit in values.pop("hits", ()))
    return Found(**values, hits=hits)


@dataclass(frozen=True, slots=True)
class Listing:
    """What is shown of all that was found.

    Attributes:
        totals: Of all.
        shown: The first sentences with hits.
    """

    totals: Totals
    shown: tuple[Found, ...]


def read_listing(lines: Iterable[str]) -> Listing:
    """Read the first lines and the totals of what :func:`found_parts` wrote."""
    last = "{}"
    shown = []
    for number, line in enumerate(lines):
        if 0 < number <= MAX_SHOWN:
            shown.append(decode_found(last))
        last = line
    return Listing(Totals(**json.loads(last)), tuple(shown))


def read_all(lines: Iterable[str]) -> Iterator[Found]:
    """Read every sentence of what :func:`found_parts` wrote."""
    before = None
    for line in lines:
        if before is not None:
            yield decode_found(before)
        before = line


def with_changed(listing: Listing, changed: dict[int, Found]) -> Listing:
    """Put other findings in the place of those of the same sentences, in the totals too."""
    totals = listing.totals
    for found in listing.shown:
        if found.sentence in changed:
            totals = totals.with_found(found, -1).with_found(changed[found.sentence])
    return Listing(totals, tuple(changed.get(one.sentence, one) for one in listing.shown))


def hits_frame(
    found: Sequence[Found],
    rows: Mapping[int, SentenceRow],
    names: Mapping[int, str],
    addresses_of: Callable[[Sequence[int]], Sequence[str]],
) -> pd.DataFrame:
    """Give the hits of a search as a table.

    Args:
        found: The sentences with hits.
        rows: As they stand now, by number; those that are gone are left out.
        names: Of the documents, by number.
        addresses_of: Gives where sentences are corrected.
    """
    found = [one for one in found if one.sentence in rows]
    known = [rows[one.sentence] for one in found]
    return pd.DataFrame(
        {
            "link": addresses_of([row.id for row in known]),
            "hits": [one.num_hits for one in found],
            "sentence": [shorten(row.text, 200) for row in known],
            "status": [row.status for row in known],
            "id": [row.name for row in known],
            "document": [names.get(row.document, "") for row in known],
        }
    )


def preview_frame(
    found: Sequence[tuple[FoundHit, SentenceRow]],
    names: Mapping[int, str],
    addresses: Sequence[str],
) -> pd.DataFrame:
    """Give the hits of a rewrite as a table; with the reasons where some are refused."""
    frame = pd.DataFrame(
        {
            "link": addresses,
            "hit": [hit.nodes for hit, _ in found],
            "goes": [hit.lost for hit, _ in found],
            "comes": [hit.gained for hit, _ in found],
            "refused because": [hit.reason for hit, _ in found],
            "status": [row.status for _, row in found],
            "sentence": [shorten(row.text, 160) for _, row in found],
            "id": [row.name for _, row in found],
            "document": [names.get(row.document, "") for _, row in found],
        }
    )
    return frame if any(frame["refused because"]) else frame.drop(columns="refused because")


def count_of(hits: int, sentences: int) -> str:
    """Say how many hits these are, and in how many sentences."""
    return f"{counted(hits, 'hit')} in {counted(sentences, 'sentence')}"
