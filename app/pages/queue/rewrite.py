"""A bulk rewrite before it is applied: every hit, what it changes, and what is refused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from app.annotation.search import Search, count_hits
from app.kit.text import counted, shorten
from app.store.bulk import Planned
from app.store.records.rows import SentenceRow
from aptcore.editing.rewriting import Rewritten, Rule, rewrite
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import triples

MAX_SHOWN = 2_000
"""Most hits that a preview lists."""


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One hit.

    Attributes:
        sentence: Where.
        hit: Which hit of the sentence, from 0.
        nodes: What the variables stand for.
        lost: Triples that go.
        gained: Triples that come.
        reason: Why it is refused; empty where it is not.
    """

    sentence: SentenceRow
    hit: int
    nodes: str
    lost: str
    gained: str
    reason: str


@dataclass(frozen=True, slots=True)
class Preview:
    """A rewrite of many sentences.

    Attributes:
        rows: Every hit.
        planned: One edit for each sentence that changes.
        is_cut: Whether some sentence may have more hits than were looked for.
    """

    rows: tuple[PreviewRow, ...]
    planned: tuple[Planned, ...]
    is_cut: bool

    @property
    def applied(self) -> tuple[PreviewRow, ...]:
        """Give the hits that are not refused."""
        return tuple(row for row in self.rows if not row.reason)


def hits_of(
    search: Search, material: Iterable[tuple[SentenceRow, AmrGraph]]
) -> list[tuple[SentenceRow, int]]:
    """Give the sentences that a search hits, each with how often."""
    found = ((row, count_hits(search, row.text, graph)) for row, graph in material)
    return [(row, count) for row, count in found if count]


def preview(
    rule: Rule,
    material: Iterable[tuple[SentenceRow, AmrGraph]],
    left_out: Collection[tuple[int, int]] = (),
) -> Preview:
    """Work out what a rule does to each sentence; nothing is changed.

    Args:
        rule: What is to be done.
        material: The sentences, each with its graph as it is now.
        left_out: Hits that a person does not want: sentence and hit, from 0.
    """
    found: list[PreviewRow] = []
    planned, is_cut = [], False
    for row, graph in material:
        omitted = {hit for sentence, hit in left_out if sentence == row.id}
        rewritten = rewrite(graph, rule, omitted)
        is_cut |= rewritten.is_cut
        found += _rows_of(row, graph, rewritten)
        if rewritten.edit is not None:
            planned.append(Planned(row.id, row.revision, rewritten.edit))
    return Preview(tuple(found), tuple(planned), is_cut)


def _rows_of(row: SentenceRow, graph: AmrGraph, rewritten: Rewritten) -> list[PreviewRow]:
    concepts = {node.id: node.concept for node in graph.nodes}
    rows = []
    for number, (hit, after) in enumerate(zip(rewritten.hits, rewritten.after, strict=True)):
        before = rewritten.after[number - 1] if number else graph
        nodes = ", ".join(f"{v} = {n} / {concepts[n]}" for v, n in hit.match.nodes.items())
        lost, gained = _difference(before, after), _difference(after, before)
        rows.append(PreviewRow(row, number, nodes, lost, gained, hit.reason))
    return rows


def _difference(graph: AmrGraph, other: AmrGraph) -> str:
    """Write the triples that only the first of two graphs has."""
    known = set(triples(other))
    return "; ".join(" ".join(triple) for triple in triples(graph) if triple not in known)


def count_hits_in(rows: Sequence[PreviewRow]) -> str:
    """Say how many hits these are, and in how many sentences."""
    sentences = {row.sentence.id for row in rows}
    return f"{counted(len(rows), 'hit')} in {counted(len(sentences), 'sentence')}"


def preview_frame(rows: Sequence[PreviewRow], addresses: Sequence[str]) -> pd.DataFrame:
    """Give the hits as a table; without the column of reasons where none is refused."""
    frame = pd.DataFrame(
        {
            "link": addresses,
            "hit": [row.nodes for row in rows],
            "goes": [row.lost for row in rows],
            "comes": [row.gained for row in rows],
            "refused because": [row.reason for row in rows],
            "status": [row.sentence.status for row in rows],
            "sentence": [shorten(row.sentence.text, 160) for row in rows],
            "id": [row.sentence.name for row in rows],
        }
    )
    return frame if any(frame["refused because"]) else frame.drop(columns="refused because")
