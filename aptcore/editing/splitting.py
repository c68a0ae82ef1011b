"""The sentence graphs of a document again, of the one graph that aptcore.editing.documents made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from aptcore.editing.documents import (
    EMPTY,
    MENTION,
    MENTIONS,
    ROOT,
    SENTENCE,
    SHARED,
    Where,
    candidates,
    named,
    offsets_of,
    where_of,
)
from aptcore.errors import FormatError
from aptcore.graph.alignment_formats import format_alignments
from aptcore.graph.amr import AlignmentKey, AmrGraph, Attribute, Edge, Mention, Node
from aptcore.graph.layout import Triple


def split_document(merged: AmrGraph) -> tuple[AmrGraph, ...]:
    """Give the sentence graphs of a document, as they were before it was merged.

    Two nodes of one sentence that a chain joined stay one. What was changed in the whole is
    changed in its sentences; a new node belongs to the sentence that its variable names
    (``s2.x``).

    Raises:
        FormatError: The graph is none that was merged, or a node belongs to no sentence.
    """
    metadata = merged.metadata
    sentences: list[dict[str, str]] = []
    while (told := metadata.get(f"{SENTENCE}{len(sentences) + 1}")) is not None:
        sentences.append(_metadata_of(told))
    if not sentences or merged.root != ROOT:
        raise FormatError("the graph is not one that aptamr merge made of a document")
    names = [node.id for node in merged.nodes if node.id != ROOT]
    where = where_of(names, metadata)
    strays = [name for name in names if not where.get(name, {}).keys() <= _range(sentences)]
    strays += [name for name in names if name not in where]
    if strays:
        raise FormatError(f"the node {strays[0]} belongs to no sentence: name it s1.x, s2.x, ...")
    shared = {(s, r, t): set(found) for s, r, t, found in json.loads(metadata.get(SHARED, "[]"))}
    mentions = {named((int(n), v)) for n, v, _, _ in MENTION.findall(metadata.get(MENTIONS, ""))}
    parts = _Parts(merged, where, shared, mentions)
    offsets = offsets_of([replace(merged, metadata=own) for own in sentences])
    return tuple(
        parts.graph(number, own, offsets[number - 1], offsets[number])
        for number, own in enumerate(sentences, 1)
    )


def _range(sentences: Sequence[object]) -> set[int]:
    return set(range(1, len(sentences) + 1))


def _metadata_of(told: str) -> dict[str, str]:
    try:
        return {str(key): str(value) for key, value in json.loads(told).items()}
    except (ValueError, AttributeError) as error:
        raise FormatError(f"the metadata of a sentence cannot be read: {told[:60]}") from error


@dataclass(frozen=True)
class _Parts:
    """A merged graph, to be parted; see :func:`split_document`."""

    merged: AmrGraph
    where: Where
    shared: Mapping[tuple[str, str, str], set[int]]
    mentions: set[str]

    def graph(self, number: int, metadata: dict[str, str], first: int, last: int) -> AmrGraph:
        """Give the graph of a sentence; its tokens are ``first`` to ``last``, half-open."""
        root = next((e.target for e in self.merged.edges if e.role == f":snt{number}"), None)
        if root is None:
            return AmrGraph((Node("a", EMPTY),), (), (), "a", metadata=metadata)
        nodes = [
            Node(self.where[node.id][number][0], self.where[node.id][number][1] or node.concept)
            for node in self.merged.nodes
            if number in self.where.get(node.id, ()) and node.id not in self.mentions
        ]
        constants = {
            c.id: Attribute(c.id, self._own(number, c.source), c.role, c.value)
            for c in self.merged.attributes
            if self._holds(number, c.triple)
        }
        edges = {
            e: Edge(self._own(number, e.source), e.role, self._own(number, e.target))
            for e in self.merged.edges
            if e.source != ROOT and e.target not in self.mentions and self._holds(number, e.triple)
        }
        graph = AmrGraph(
            tuple(nodes), tuple(constants.values()), tuple(edges.values()),
            self._own(number, root), metadata=metadata,
        )  # fmt: skip
        found = {}
        for key, alignment in self.merged.alignments.items():
            tokens = tuple(t - first for t in alignment.tokens if first <= t < last)
            own = self._key(number, key, constants, edges)
            if tokens and own is not None:
                found[own] = replace(alignment, tokens=tokens)
        graph = replace(graph, alignments=found)
        if "alignments" in metadata:
            written = {**metadata, "alignments": format_alignments(graph)}
            graph = replace(graph, metadata=written)
        return graph

    def _own(self, number: int, name: str) -> str:
        return self.where[name][number][0]

    def _holds(self, number: int, triple: Triple) -> bool:
        return number in self.shared.get(triple, candidates(self.where, triple))

    def _key(
        self,
        number: int,
        key: AlignmentKey,
        constants: Mapping[str, Attribute],
        edges: Mapping[Edge, Edge],
    ) -> AlignmentKey | None:
        """Give a key of an alignment as that of a sentence; None where it is of no part of it."""
        if isinstance(key, str):
            if key in constants:
                return key
            return self.where[key][number][0] if number in self.where.get(key, ()) else None
        if isinstance(key, Mention):
            return Mention(edges[key.edge]) if key.edge in edges else None
        if key.target in constants:
            return replace(key, source=constants[key.target].source)
        return edges.get(key)
