"""Measure what a changed alignment costs the Oracle page: ``python -m benchmarks.oracle_page``.

One thread, no browser: the oracle, its replay, what changed, the layout of the drawing
and both payloads, each time for an alignment that was never seen before. The graphs are
the program's own example, one at a time and all six as one long sentence.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from app.canvas.trace.drawing import payload_of
from app.pages.oracle.aligner import NOTHING, payload_of_aligner
from app.pages.oracle.sentence import Gold, changes_between, gold_of, view_of, with_edits
from aptcore.assets import asset_path
from aptcore.graph.amr import AmrGraph, Attribute, Edge, Node
from aptcore.graph.corpus import read_corpus
from aptcore.oracle.oracle import VARIANTS
from aptcore.words.gold import GoldItem, gold_items
from aptcore.words.tokens import tokenize


@dataclass(frozen=True, slots=True)
class ChangeTime:
    """What a change costs; times are in seconds.

    Attributes:
        tokens: Of the sentence.
        actions: Of its oracle.
        changes: How many were made.
        median: Time of a change.
        slowest: Time of the slowest.
    """

    tokens: int
    actions: int
    changes: int
    median: float
    slowest: float


def example_golds() -> list[Gold]:
    """Give the sentences of the example, and all of them as one."""
    items, _ = gold_items(read_corpus(asset_path("oracle/example.txt")))
    return [gold_of(item, item.sentence.id) for item in [*items, joined(items)]]


def joined(items: Sequence[GoldItem]) -> GoldItem:
    """Make one long sentence of several, under ``multi-sentence``."""
    nodes, attributes, edges = [Node("m0", "multi-sentence")], [], []
    for place, item in enumerate(items, 1):
        graph = item.graph
        nodes += [Node(f"{node.id}x{place}", node.concept) for node in graph.nodes]
        attributes += [
            Attribute(f"{part.id}x{place}", f"{part.source}x{place}", part.role, part.value)
            for part in graph.attributes
        ]
        edges.append(Edge("m0", f":snt{place}", f"{graph.root}x{place}"))
        edges += [
            Edge(f"{edge.source}x{place}", edge.role, f"{edge.target}x{place}")
            for edge in graph.edges
        ]
    text = " ".join(item.sentence.text for item in items)
    whole = AmrGraph(tuple(nodes), tuple(attributes), tuple(edges), "m0")
    return GoldItem(0, tokenize(text, "all"), whole)


def change_time(gold: Gold, variant: str, num_changes: int = 20) -> ChangeTime:
    """Move one node after the other to another word, and work everything out anew.

    Args:
        gold: The sentence.
        variant: Which oracle.
        num_changes: How many changes to make.
    """
    size = len(gold.sentence.tokens)
    before = view_of(gold, variant)
    times = []
    for number in range(num_changes):
        node = gold.graph.nodes[number % len(gold.graph.nodes)]
        begun = time.perf_counter()
        after = view_of(with_edits(gold, {node.id: ((7 * number + 3) % size,)}), variant)
        changes = changes_between(before, after)
        payload_of_aligner(after, "key", NOTHING, number, changes)
        payload_of(after.trace, 0)
        times.append(time.perf_counter() - begun)
    return ChangeTime(
        size, len(before.result.actions), num_changes, statistics.median(times), max(times)
    )


def main() -> None:
    """Print a line for each sentence."""
    variant = next(iter(VARIANTS))
    print(f"variant {variant}; times of a change in milliseconds")
    print(f"{'tokens':>8}{'actions':>9}{'median':>9}{'slowest':>9}")
    for gold in example_golds():
        row = change_time(gold, variant)
        print(f"{row.tokens:>8}{row.actions:>9}{1000 * row.median:>9.1f}{1000 * row.slowest:>9.1f}")


if __name__ == "__main__":
    main()
