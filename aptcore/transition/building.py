"""From a parser state to an AMR graph, and the repairs that make it sound.

``graph_of`` gives what the state holds and nothing else: it may be unconnected
and rootless. ``repaired_graph`` gives a sound graph and lists what it had to add
or drop; the same repairs are written into the graph's metadata.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Attribute, Edge, Node
from aptcore.graph.checks import connected_nodes
from aptcore.graph.layout import role_order
from aptcore.transition.state import Item, ItemKey, ParserState

REPAIR_ROLE = ":mod"
"""The role of an edge that joins a detached piece to the root."""

EMPTY_CONCEPT = "amr-empty"


@dataclass(frozen=True, slots=True)
class Repair:
    """One change that made a graph sound.

    Attributes:
        kind: ``joined`` (an edge from the root to a detached piece), ``dropped`` (a
            detached piece, a constant without a parent or one that stands twice),
            ``rooted`` (no root had been marked), ``empty`` (no concept at all) or
            ``capped`` (a cap of decoding ruled an action out; the graph itself was not
            changed).
        text: What was joined or dropped, for people.
        edge: The edge that was added, if any.
    """

    kind: Literal["joined", "dropped", "rooted", "empty", "capped"]
    text: str
    edge: Edge | None = None


def item_names(state: ParserState) -> dict[ItemKey, str]:
    """Name every item: concepts by first letter and a number, constants by their parent.

    The names do not change as the state grows, so a drawing can be kept; only where a
    constant is spelled like a name ("a2") that name is left out.
    """
    names: dict[ItemKey, str] = {}
    taken = {item.label for item in state.items if item.is_constant}
    counts: dict[str, int] = {}
    for item in state.items:
        first = item.label[:1].lower()
        letter = first if first.isascii() and first.isalpha() else "x"
        letter = "_k" if item.is_constant else letter
        name = None
        while name is None or name in taken:
            counts[letter] = counts.get(letter, 0) + 1
            name = letter if counts[letter] == 1 else f"{letter}{counts[letter]}"
        names[item.key] = name
    return names


def graph_of(state: ParserState, names: Mapping[ItemKey, str] | None = None) -> AmrGraph:
    """Build the graph that a state holds, unrepaired; ``names`` are other ones for its items.

    A constant without a parent yet is left out. The root is empty before it is marked.
    Every node and constant is aligned to the tokens that it was made at.
    """
    names = item_names(state) if names is None else names
    constants = {item.key: item for item in state.items if item.is_constant}
    nodes = tuple(Node(names[i.key], i.label) for i in state.items if not i.is_constant)
    attributes, edges = [], []
    for edge in state.edges:
        source, target = names[edge.source], names[edge.target]
        if edge.target in constants:
            attributes.append(Attribute(target, source, edge.role, constants[edge.target].label))
        else:
            edges.append(Edge(source, edge.role, target))
    kept = {attribute.id for attribute in attributes} | {node.id for node in nodes}
    alignments: dict[AlignmentKey, Alignment] = {
        names[item.key]: Alignment(tuple(range(item.start, item.stop)), "parser")
        for item in state.items
        if names[item.key] in kept
    }
    root = names[(state.root, 0)] if state.root is not None else ""
    return AmrGraph(nodes, tuple(attributes), tuple(edges), root, alignments)


def repaired_graph(
    state: ParserState,
    *,
    keep_detached: bool = True,
    names: Mapping[ItemKey, str] | None = None,
) -> tuple[AmrGraph, tuple[Repair, ...]]:
    """Build a sound graph: one root, connected, every constant with its parent.

    Args:
        state: Any state; it need not be closed.
        keep_detached: Join a detached piece to the root by an edge (``REPAIR_ROLE``);
            otherwise drop it.
        names: What the items are to be called; None for their usual names.

    Returns:
        The graph, the edges of each node by role, and every repair in order.
    """
    graph, repairs = _without_repeats(graph_of(state, names))
    repairs = [_orphan(item, state) for item in _orphans(state)] + repairs
    if not graph.nodes:
        repairs.append(Repair("empty", "no words: no concept was made"))
        return _noted(AmrGraph((Node("a", EMPTY_CONCEPT),), (), (), "a"), repairs)
    if not graph.root:
        graph = replace(graph, root=heads(graph, [node.id for node in graph.nodes])[0])
        concept = next(node.concept for node in graph.nodes if node.id == graph.root)
        repairs.append(Repair("rooted", f"no root was marked: {concept} is taken"))
    for piece in _detached_pieces(graph):
        graph, repair = (_joined if keep_detached else _dropped)(graph, piece)
        repairs.append(repair)
    edges = tuple(sorted(graph.edges, key=lambda edge: role_order(edge.role)))
    graph = replace(graph, edges=edges)
    return _noted(graph, repairs)


def _noted(graph: AmrGraph, repairs: list[Repair]) -> tuple[AmrGraph, tuple[Repair, ...]]:
    """Write the repairs into the metadata, so that the graph's reader sees them."""
    if repairs:
        text = "; ".join(repair.text for repair in repairs)
        graph = replace(graph, metadata={**graph.metadata, "repairs": text})
    return graph, tuple(repairs)


def _without_repeats(graph: AmrGraph) -> tuple[AmrGraph, list[Repair]]:
    """Drop a constant that stands at the same node with the same role already."""
    kept: dict[tuple[str, str, str], Attribute] = {}
    repairs = []
    concepts = {node.id: node.concept for node in graph.nodes}
    for attribute in graph.attributes:
        triple = (attribute.source, attribute.role, attribute.value)
        if kept.setdefault(triple, attribute) is not attribute:
            place = f"{concepts[attribute.source]} {attribute.role}"
            repairs.append(Repair("dropped", f"the constant {attribute.value} is at {place} twice"))
    return _with_attributes(graph, tuple(kept.values())), repairs


def _with_attributes(graph: AmrGraph, attributes: tuple[Attribute, ...]) -> AmrGraph:
    """Change the attributes; alignments of what is gone go with it."""
    ids = {node.id for node in graph.nodes} | {attribute.id for attribute in attributes}
    aligned: dict[AlignmentKey, Alignment] = {
        key: value for key, value in graph.alignments.items() if key in ids
    }
    return replace(graph, attributes=attributes, alignments=aligned)


def _orphans(state: ParserState) -> list[Item]:
    return [
        item for item in state.roots if item.is_constant and item.position not in state.parented
    ]


def _orphan(item: Item, state: ParserState) -> Repair:
    words = " ".join(state.sentence.tokens[item.start : item.stop])
    return Repair("dropped", f"the constant {item.label} made at “{words}” has no parent")


def components(graph: AmrGraph) -> list[tuple[str, ...]]:
    """Group the nodes that edges connect, in order of their first node."""
    pieces: list[tuple[str, ...]] = []
    seen: set[str] = set()
    for node in graph.nodes:
        if node.id not in seen:
            pieces.append(connected_nodes(graph, node.id))
            seen.update(pieces[-1])
    return pieces


def _detached_pieces(graph: AmrGraph) -> list[tuple[str, ...]]:
    return [piece for piece in components(graph) if graph.root not in piece]


def heads(graph: AmrGraph, piece: Sequence[str]) -> list[str]:
    """Give the nodes of a piece without an incoming edge, else its first node."""
    order = [node.id for node in graph.nodes if node.id in set(piece)]
    targets = {edge.target for edge in graph.edges if edge.source != edge.target}
    heads = [name for name in order if name not in targets]
    return heads or order[:1]


def _joined(graph: AmrGraph, piece: Sequence[str]) -> tuple[AmrGraph, Repair]:
    edge = Edge(graph.root, REPAIR_ROLE, heads(graph, piece)[0])
    concepts = {node.id: node.concept for node in graph.nodes}
    text = f"{concepts[edge.source]} {edge.role} {concepts[edge.target]} joins a detached piece"
    return replace(graph, edges=(*graph.edges, edge)), Repair("joined", text, edge)


def _dropped(graph: AmrGraph, piece: Sequence[str]) -> tuple[AmrGraph, Repair]:
    gone = set(piece)
    concepts = ", ".join(node.concept for node in graph.nodes if node.id in gone)
    kept = replace(
        graph,
        nodes=tuple(node for node in graph.nodes if node.id not in gone),
        edges=tuple(edge for edge in graph.edges if edge.source not in gone),
    )
    attributes = tuple(a for a in graph.attributes if a.source not in gone)
    repair = Repair("dropped", f"a detached piece: {concepts}")
    return _with_attributes(kept, attributes), repair
