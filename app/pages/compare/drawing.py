"""The union of two graphs as one drawing; what differs is marked by sign and line.

A ``+`` and a thick line stand for what only the first graph has, a ``−`` and dashes for
what only the second has, ``≠`` and dots for what changed. Colours only repeat that.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.canvas.layout import DrawnEdge, DrawnNode, place
from app.canvas.payload import Payload, box_payload, line_payload
from aptcore.scoring.difference import Compared, Pair, Status

SIGNS: dict[Status, str] = {"matched": "", "extra": "+ ", "missing": "− ", "changed": "≠ "}
"""What stands before a label."""


@dataclass(frozen=True, slots=True)
class UnionNode:
    """A box of the union; ``is_root`` in the first graph."""

    label: str
    status: Status
    is_constant: bool
    is_root: bool


@dataclass(frozen=True, slots=True)
class UnionEdge:
    """An arrow of the union; ends are positions in the list of nodes."""

    source: int
    role: str
    target: int
    status: Status


@dataclass(frozen=True, slots=True)
class Union:
    """Two graphs as one."""

    nodes: tuple[UnionNode, ...]
    edges: tuple[UnionEdge, ...]


def union_of(compared: Compared) -> Union:
    """Put two graphs into one: partners are one node, and every difference is marked."""
    second = {node.id: node.concept for node in compared.second.nodes}
    nodes: list[UnionNode] = []
    own: dict[str, int] = {}
    other: dict[str, int] = {}
    for pair in compared.pairs:
        if pair.kind != "concept":
            continue
        label = _changed(pair, pair.first[2] if pair.first else "", _second_concept(pair, second))
        is_root = pair.first is not None and pair.first[0] == compared.first.root
        if pair.first:
            own[pair.first[0]] = len(nodes)
        if pair.second:
            other[pair.second[0]] = len(nodes)
        nodes.append(UnionNode(label, pair.status, False, is_root))
    edges: list[UnionEdge] = []
    for pair in compared.pairs:
        if pair.kind == "edge":
            edges += _edges(pair, own, other)
        elif pair.kind == "constant":
            edges.append(_constant(pair, compared, own, other, nodes))
    return Union(tuple(nodes), tuple(edges))


def _second_concept(pair: Pair, second: dict[str, str]) -> str:
    return second[pair.second[0]] if pair.second else ""


def _changed(pair: Pair, before: str, after: str) -> str:
    """Label a pair: one text, or both where they differ, with its sign."""
    text = f"{before} → {after}" if before and after and before != after else before or after
    return SIGNS[pair.status] + text


def _edges(pair: Pair, own: dict[str, int], other: dict[str, int]) -> list[UnionEdge]:
    """Give one arrow, or two where an edge was moved or turned."""
    first = (own[pair.first[0]], own[pair.first[2]]) if pair.first else None
    second = (other[pair.second[0]], other[pair.second[2]]) if pair.second else None
    roles = pair.first[1] if pair.first else "", pair.second[1] if pair.second else ""
    if first and second and first != second:
        return [
            UnionEdge(first[0], f"≠ {roles[0]} (here)", first[1], "changed"),
            UnionEdge(second[0], f"≠ {roles[1]} (there)", second[1], "changed"),
        ]
    ends = first or second or (0, 0)
    return [UnionEdge(ends[0], _changed(pair, *roles), ends[1], pair.status)]


def _constant(
    pair: Pair,
    compared: Compared,
    own: dict[str, int],
    other: dict[str, int],
    nodes: list[UnionNode],
) -> UnionEdge:
    values = {item.id: item.value for item in compared.first.attributes}
    others = {item.id: item.value for item in compared.second.attributes}
    before = (pair.first[1], values[pair.first[2]]) if pair.first else ("", "")
    after = (pair.second[1], others[pair.second[2]]) if pair.second else ("", "")
    source = own[pair.first[0]] if pair.first else other[pair.second[0]] if pair.second else 0
    nodes.append(UnionNode(_changed(pair, before[1], after[1]), pair.status, True, False))
    return UnionEdge(source, _changed(pair, before[0], after[0]), len(nodes) - 1, pair.status)


def payload_of_union(union: Union, names: tuple[str, str]) -> Payload:
    """Give the canvas a union, laid out.

    Args:
        union: What :func:`union_of` gives.
        names: Of the first and the second version, for the text that is read aloud.

    Returns:
        ``width`` and ``height`` in points, ``about``, ``nodes`` and ``edges``.
    """
    root = next((number for number, node in enumerate(union.nodes) if node.is_root), None)
    layout = place(
        [DrawnNode(node.label, node.is_constant) for node in union.nodes],
        [DrawnEdge(edge.source, edge.role, edge.target) for edge in union.edges],
        root,
    )
    return {
        "width": layout.width + 8,
        "height": layout.height + 8,
        "about": f"{names[0]} and {names[1]} in one drawing; the differences are listed below.",
        "nodes": [
            {"label": node.label, "mark": _mark(node), **box_payload(placed)}
            for node, placed in zip(union.nodes, layout.nodes, strict=True)
        ],
        "edges": [
            {"role": edge.role, "mark": edge.status, **line_payload(placed)}
            for edge, placed in zip(union.edges, layout.edges, strict=True)
        ],
    }


def _mark(node: UnionNode) -> str:
    kind = " constant" if node.is_constant else " root" if node.is_root else ""
    return node.status + kind
