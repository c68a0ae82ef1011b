"""A graph as DOT, and as SVG, PNG and PDF through Graphviz in-process.

The DOT text is for other programs: every edge points as it does in the graph. The
drawings come from a second text, in which edges that lead upwards are laid out turned
round (the root stands on top) and the parts of later steps keep their room unseen.
"""

from __future__ import annotations

import re
from typing import Literal

import pygraphviz

from app.canvas.layout import GRAPHVIZ_LOCK, DrawnEdge, quote_dot, upward_edges
from app.exports.text import describe_snapshot
from aptcore.trace.snapshot import Snapshot, SnapshotEdge, SnapshotNode

Format = Literal["svg", "png", "pdf"]

PNG_DPI = 192
"""Dots per inch of a PNG: twice as many as a page on the screen."""

_REPAIR_COLOUR = "#b35c00"
_STYLE = (
    '  graph [charset="utf8", rankdir=TB, nodesep=0.22, ranksep=0.28, pad=0.1, bgcolor=white];',
    "  node [shape=box, style=rounded, height=0.42, margin=0.14, fontname=Helvetica, fontsize=14];",
    "  edge [fontname=Helvetica, fontsize=12, arrowsize=0.7];",
)
_CREATION_DATE = re.compile(rb"(/CreationDate \(D:)\d{14}")


def format_dot(snapshot: Snapshot) -> str:
    """Write the parts that exist as DOT, repairs dashed and named as such."""
    names = [quote_dot(node.name) for node in snapshot.nodes]
    lines = [f"// {line}" for line in describe_snapshot(snapshot)]
    lines += ["digraph amr {", *_STYLE]
    lines += [
        f"  {names[place]} [{_node_attributes(node)}];"
        for place, node in enumerate(snapshot.nodes)
        if node.is_shown
    ]
    lines += [
        f"  {names[edge.source]} -> {names[edge.target]} [{_edge_attributes(edge)}];"
        for edge in snapshot.edges
        if edge.is_shown
    ]
    return "\n".join([*lines, "}", ""])


def quote_label(text: str) -> str:
    """Write a text as a DOT label; Graphviz would read ``&lt;`` and its like as one sign."""
    return quote_dot(text.replace("&", "&amp;"))


def _node_attributes(node: SnapshotNode) -> str:
    attributes = [f"label={quote_label(node.label)}"]
    if node.is_dropped:
        attributes += ["style=dashed", f'color="{_REPAIR_COLOUR}"', 'comment="repair: dropped"']
    elif node.is_constant:
        attributes += ["style=filled", 'fillcolor="#eeeeee"', 'color="#888888"']
    if node.is_root:
        attributes += ["penwidth=2.2", 'comment="root"']
    return ", ".join(attributes)


def _edge_attributes(edge: SnapshotEdge, space: str = "") -> str:
    """Give an edge's attributes; ``space`` keeps its label off its line."""
    if not edge.is_repair:
        return f"label={quote_label(space + edge.role + space)}"
    label = quote_label(f"{space}{edge.role} (repair){space}")
    colour = f'color="{_REPAIR_COLOUR}", fontcolor="{_REPAIR_COLOUR}"'
    return f'label={label}, style=dashed, {colour}, comment="repair"'


def draw_snapshot(snapshot: Snapshot, kind: Format) -> bytes:
    """Draw a graph; all steps of one trace have the same size and places.

    Args:
        snapshot: What is drawn.
        kind: The type of file.
    """
    source = _drawing_source(snapshot, dpi=PNG_DPI if kind == "png" else None)
    with GRAPHVIZ_LOCK:
        graph = pygraphviz.AGraph(string=source)
        graph.layout(prog="dot")
        drawn = graph.draw(format=kind)
    picture = drawn.encode("utf-8") if isinstance(drawn, str) else bytes(drawn)
    # cairo writes the time; the same graph is to give the same file.
    return _CREATION_DATE.sub(rb"\g<1>19700101000000", picture) if kind == "pdf" else picture


def _drawing_source(snapshot: Snapshot, dpi: int | None) -> str:
    nodes, edges = snapshot.nodes, snapshot.edges
    upward = upward_edges(
        len(nodes),
        [DrawnEdge(edge.source, edge.role, edge.target) for edge in edges],
        snapshot.root,
    )
    comment = quote_dot("; ".join(describe_snapshot(snapshot)))
    lines = ["digraph amr {", *_STYLE, f"  graph [comment={comment}];"]
    if dpi is not None:
        lines.append(f"  graph [dpi={dpi}];")
    for place, node in enumerate(nodes):
        unseen = "" if node.is_shown else ", style=invis"
        lines.append(f"  n{place} [{_node_attributes(node)}{unseen}];")
    for place, edge in enumerate(edges):
        above, below = edge.source, edge.target
        turned = ""
        if place in upward:
            above, below, turned = below, above, ", dir=back"
        unseen = "" if edge.is_shown else ", style=invis"
        lines.append(f"  n{above} -> n{below} [{_edge_attributes(edge, ' ')}{turned}{unseen}];")
    if not nodes:
        lines.append('  nothing [label="No concept was made.", shape=plaintext];')
    return "\n".join([*lines, "}", ""])
