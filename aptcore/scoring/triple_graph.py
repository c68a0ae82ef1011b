"""A graph as scoring sees it, whole and cut down to what one score looks at.

Nodes are positions from 0; a concept, a constant and the root are labels of a node,
an edge is a link of two. Constants lose their quotation marks, concepts and
constants their letter case; an accent counts the same with its letter or behind it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from aptcore.graph.amr import AmrGraph
from aptcore.graph.branches import unquote
from aptcore.graph.characters import composed
from aptcore.graph.layout import INSTANCE, TOP

Labelled = tuple[int, str, str]
"""Node position, role, value."""
Linked = tuple[int, str, int]
"""Node position, role, node position."""


@dataclass(frozen=True, slots=True)
class TripleGraph:
    """A graph as scoring sees it; nodes are positions from 0.

    Attributes:
        num_nodes: Nodes that can be mapped.
        labels: Concepts, constants and the root; each a triple of one node.
        links: Edges.
    """

    num_nodes: int
    labels: frozenset[Labelled]
    links: frozenset[Linked]

    @property
    def num_triples(self) -> int:
        """Count all triples, each once."""
        return len(self.labels) + len(self.links)


def triple_graph(graph: AmrGraph) -> TripleGraph:
    """Give all triples of a graph, the root's among them."""
    position = {node.id: number for number, node in enumerate(graph.nodes)}
    labels = {(position[node.id], INSTANCE, composed(node.concept).lower()) for node in graph.nodes}
    labels |= {
        (position[item.source], item.role, composed(unquote(item.value)).lower())
        for item in graph.attributes
    }
    if graph.root in position:  # it is not, while a parse is unfinished
        labels.add((position[graph.root], TOP, ""))
    links = {(position[edge.source], edge.role, position[edge.target]) for edge in graph.edges}
    return TripleGraph(len(position), frozenset(labels), frozenset(links))


def without_roles(graph: TripleGraph) -> TripleGraph:
    """Give all edges and constants one and the same role."""
    labels = {
        (node, role if role in (INSTANCE, TOP) else ":role", value)
        for node, role, value in graph.labels
    }
    links = {(source, ":role", target) for source, _, target in graph.links}
    return TripleGraph(graph.num_nodes, frozenset(labels), frozenset(links))


def without_senses(graph: TripleGraph) -> TripleGraph:
    """Take the sense off every frame: ``duck-01`` and ``duck-02`` become ``duck``."""
    labels = {
        (node, role, re.sub(r"-\d\d+$", "", value) if role == INSTANCE else value)
        for node, role, value in graph.labels
    }
    return TripleGraph(graph.num_nodes, frozenset(labels), graph.links)


def reentrant_part(graph: TripleGraph) -> TripleGraph:
    """Keep the edges into nodes with several parents, and the concepts at their ends."""
    parents = Counter(target for _, _, target in graph.links)
    return _part(graph, (link for link in graph.links if parents[link[2]] > 1), ())


def argument_part(graph: TripleGraph) -> TripleGraph:
    """Keep the edges and constants of numbered arguments, and the concepts at their ends."""
    links = (link for link in graph.links if link[1].startswith(":ARG"))
    return _part(graph, links, (label for label in graph.labels if label[1].startswith(":ARG")))


def _part(
    graph: TripleGraph, links: Iterable[Linked], constants: Iterable[Labelled]
) -> TripleGraph:
    kept_links, kept_labels = frozenset(links), set(constants)
    nodes = {node for source, _, target in kept_links for node in (source, target)}
    nodes |= {node for node, _, _ in kept_labels}
    position = {node: number for number, node in enumerate(sorted(nodes))}
    kept_labels |= {label for label in graph.labels if label[1] == INSTANCE and label[0] in nodes}
    return TripleGraph(
        len(position),
        frozenset((position[node], role, value) for node, role, value in kept_labels),
        frozenset((position[s], role, position[t]) for s, role, t in kept_links),
    )
