"""A graph as text: PENMAN, a table of triples, and the trace itself as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from app.canvas.trace.narration import states_of
from app.canvas.trace.readable import readable
from app.kit.text import moment_text
from aptcore.errors import GraphError
from aptcore.graph.amr import AmrGraph, Attribute, Edge, Node
from aptcore.graph.blocks import format_metadata
from aptcore.graph.penman import format_penman
from aptcore.trace.format import encode_trace
from aptcore.trace.snapshot import Snapshot, triples_of
from aptcore.trace.trace import Trace
from aptcore.transition.building import components, heads

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
    graph = _graph_of(snapshot)
    pieces = [_format_piece(graph, piece) for piece in components(graph)]
    lines = [*pieces, *_lone_constants(snapshot)] or ["# nothing made yet"]
    return head + "\n\n".join(lines) + "\n"


def _metadata(snapshot: Snapshot) -> dict[str, str]:
    trace = snapshot.trace
    metadata = {
        "snt": trace.sentence.text,
        "tok": " ".join(trace.sentence.tokens),
        "model": f"{trace.model.id} {trace.model.hash}".rstrip(),
        "graph": describe_moment(snapshot),
    }
    if snapshot.is_finished and trace.repairs:
        texts = [f"{repair.kind}: {repair.text}" for repair in trace.repairs]
        metadata["repairs"] = "; ".join(texts)
    return metadata


def _graph_of(snapshot: Snapshot) -> AmrGraph:
    """Give what exists by now, in pieces and without a root; a repeated constant stands once."""
    nodes = snapshot.nodes
    edges = [
        (nodes[edge.source], edge.role, nodes[edge.target])
        for edge in snapshot.edges
        if edge.is_shown
    ]
    constants = {
        (source.name, role, target.label): target.name
        for source, role, target in edges
        if target.is_constant
    }
    return AmrGraph(
        nodes=tuple(
            Node(node.name, node.label) for node in nodes if node.is_shown and not node.is_constant
        ),
        attributes=tuple(Attribute(name, *triple) for triple, name in constants.items()),
        edges=tuple(
            Edge(source.name, role, target.name)
            for source, role, target in edges
            if not target.is_constant
        ),
        root="",
    )


def _format_piece(graph: AmrGraph, piece: Sequence[str]) -> str:
    """Write one connected piece; its head is its first concept without an incoming edge."""
    graph = AmrGraph(
        nodes=tuple(node for node in graph.nodes if node.id in piece),
        attributes=tuple(part for part in graph.attributes if part.source in piece),
        edges=tuple(edge for edge in graph.edges if edge.source in piece),
        root=heads(graph, piece)[0],
    )
    try:
        return format_penman(graph, metadata=False)
    except GraphError as error:
        lines = [f"# a piece that PENMAN cannot write: {problem}" for problem in error.problems]
        return "\n".join(one_line(line) for line in lines)


def _lone_constants(snapshot: Snapshot) -> list[str]:
    held = {edge.target for edge in snapshot.edges if edge.is_shown}
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
    lines = [
        f"sentence: {trace.sentence.text}",
        describe_moment(snapshot),
        f"{'model' if trace.model.hash else 'actions'}: {describe_maker(trace)}",
    ]
    if snapshot.is_finished:
        lines += [f"repair ({repair.kind}): {repair.text}" for repair in trace.repairs]
    return tuple(one_line(line) for line in lines)


def describe_maker(trace: Trace) -> str:
    """Say which model made a trace and how, or who took its actions where no model did."""
    model = trace.model
    if not model.hash:
        return f"{model.id}, no model took part"
    return f"{model.id}, hash {model.hash}, on {model.device}, {model.precision}, beam {trace.beam}"


def describe_moment(snapshot: Snapshot) -> str:
    """Say which graph it is: the finished one, or that after so many actions."""
    if snapshot.is_finished:
        return "finished graph, repairs included"
    steps = snapshot.trace.steps
    before = states_of(snapshot.trace)[snapshot.step]
    following = readable(steps[snapshot.step].action, before)
    return f"graph {moment_text(snapshot.step, len(steps)).lower()}, before {following}"


def one_line(text: str) -> str:
    """Put a text on one line: line breaks and signs without a shape become spaces."""
    return "".join(sign if sign.isprintable() else " " for sign in text)
