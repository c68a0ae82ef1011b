"""A graph as text: PENMAN, a table of triples, and the trace itself as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable

from aptcore.errors import GraphError
from aptcore.graph.amr import AmrGraph, Attribute, Edge, Node
from aptcore.graph.branches import format_metadata
from aptcore.graph.penman import format_penman
from aptcore.trace.format import encode_trace
from aptcore.trace.snapshot import Snapshot, SnapshotEdge, triples_of
from aptcore.trace.trace import Trace
from aptcore.transition.actions import format_action

TRIPLE_COLUMNS = ("step", "source", "role", "target", "repair")
"""Names of the columns of the triples' table."""


def format_snapshot(snapshot: Snapshot) -> str:
    """Write a graph in PENMAN, after lines on sentence, model and repairs.

    The graph of a step may still be in pieces: each piece is written as a graph of its
    own, after an empty line; what PENMAN cannot say stands in comments.
    """
    head = format_metadata(_metadata(snapshot))
    if snapshot.is_finished:
        return f"{head}{snapshot.trace.penman}\n"
    pieces = [_format_piece(snapshot, piece) for piece in _pieces(snapshot)]
    return (
        head + "\n\n".join([*pieces, *_lone_constants(snapshot)] or ["# nothing made yet"]) + "\n"
    )


def _metadata(snapshot: Snapshot) -> dict[str, str]:
    trace = snapshot.trace
    metadata = {
        "snt": trace.sentence.text,
        "tok": " ".join(trace.sentence.tokens),
        "model": f"{trace.model.id} {trace.model.hash}",
        "graph": describe_moment(snapshot),
    }
    if snapshot.is_finished and trace.repairs:
        texts = [f"{repair.kind}: {repair.text}" for repair in trace.repairs]
        metadata["repairs"] = "; ".join(texts)
    return metadata


def _pieces(snapshot: Snapshot) -> list[list[int]]:
    """Group the concepts that exist by the edges between them, in order of making."""
    concepts = [
        place for place, node in enumerate(snapshot.nodes) if node.is_shown and not node.is_constant
    ]
    piece_of = {place: [place] for place in concepts}
    for edge in _shown(snapshot.edges):
        if edge.source in piece_of and edge.target in piece_of:
            here, there = piece_of[edge.source], piece_of[edge.target]
            if here is not there:
                here += there
                piece_of.update(dict.fromkeys(there, here))
    return [sorted(piece) for place, piece in piece_of.items() if place == min(piece)]


def _shown(edges: Iterable[SnapshotEdge]) -> list[SnapshotEdge]:
    return [edge for edge in edges if edge.is_shown]


def _format_piece(snapshot: Snapshot, piece: list[int]) -> str:
    """Write one connected piece; its head is its first concept without an incoming edge."""
    nodes = snapshot.nodes
    edges = [edge for edge in _shown(snapshot.edges) if edge.source in piece]
    targets = {edge.target for edge in edges if edge.source != edge.target}
    heads = [place for place in piece if place not in targets] or piece
    constants = {
        (edge.source, edge.role, nodes[edge.target].label): edge
        for edge in edges
        if nodes[edge.target].is_constant
    }
    graph = AmrGraph(
        nodes=tuple(Node(nodes[place].name, nodes[place].label) for place in piece),
        attributes=tuple(
            Attribute(nodes[edge.target].name, nodes[source].name, role, label)
            for (source, role, label), edge in constants.items()
        ),
        edges=tuple(
            Edge(nodes[edge.source].name, edge.role, nodes[edge.target].name)
            for edge in edges
            if not nodes[edge.target].is_constant
        ),
        root=nodes[heads[0]].name,
    )
    try:
        return format_penman(graph, metadata=False)
    except GraphError as error:
        lines = [f"# a piece that PENMAN cannot write: {problem}" for problem in error.problems]
        return "\n".join(one_line(line) for line in lines)


def _lone_constants(snapshot: Snapshot) -> list[str]:
    held = {edge.target for edge in _shown(snapshot.edges)}
    return [
        one_line(f"# a constant without a parent yet: {node.label}")
        for place, node in enumerate(snapshot.nodes)
        if node.is_shown and node.is_constant and place not in held
    ]


def format_triples(snapshot: Snapshot) -> str:
    r"""Write the triples as a table: columns by tabs, one triple a line, names first.

    ``step`` is the action that made a triple; ``repair`` is filled where it was added
    afterwards. Tabs, line breaks and backslashes inside a label are written ``\t``,
    ``\n``, ``\r`` and ``\\``.
    """
    rows = [TRIPLE_COLUMNS] + [
        (str(triple.step), triple.source, triple.role, triple.target, "repair" * triple.is_repair)
        for triple in triples_of(snapshot)
    ]
    return "".join("\t".join(_cell(entry) for entry in row) + "\n" for row in rows)


def _cell(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("\t", "\\t")
    return escaped.replace("\n", "\\n").replace("\r", "\\r")


def format_trace(trace: Trace) -> str:
    """Write the whole trace as JSON, as ``aptamr trace`` does."""
    return json.dumps(encode_trace(trace), ensure_ascii=False) + "\n"


def describe_snapshot(snapshot: Snapshot) -> tuple[str, ...]:
    """Say what a file holds, one line each: sentence, moment, model, repairs.

    No line holds a line break or an invisible sign, so each can stand in a comment.
    """
    trace = snapshot.trace
    model = trace.model
    lines = [
        f"sentence: {trace.sentence.text}",
        describe_moment(snapshot),
        f"model: {model.id}, hash {model.hash}, on {model.device}, {model.precision}, "
        f"beam {trace.beam}",
    ]
    if snapshot.is_finished:
        lines += [f"repair ({repair.kind}): {repair.text}" for repair in trace.repairs]
    return tuple(one_line(line) for line in lines)


def describe_moment(snapshot: Snapshot) -> str:
    """Say which graph it is: the finished one, or that after an action."""
    if snapshot.is_finished:
        return "finished graph, repairs included"
    steps = snapshot.trace.steps
    action = format_action(steps[snapshot.step].action)
    return f"graph after action {snapshot.step} of {len(steps) - 1}: {action}"


def one_line(text: str) -> str:
    """Put a text on one line: line breaks and signs without a shape become spaces."""
    return "".join(sign if sign.isprintable() else " " for sign in text)
