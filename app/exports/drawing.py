"""A graph as DOT, and as SVG, PNG and PDF through Graphviz in-process.

The DOT text is for other programs: every edge points as it does in the graph. The
drawings come from a second text, in which edges that lead upwards are laid out turned
round (the root stands on top) and the parts of later steps keep their room unseen.
"""

from __future__ import annotations

import io
import json
import re
from typing import Literal

import pygraphviz
from PIL import Image

from app.canvas.layout import GRAPHVIZ_LOCK, DrawnEdge, quote_dot, upward_edges
from app.exports.text import describe_snapshot
from aptcore.trace.snapshot import Snapshot, SnapshotEdge, SnapshotNode

Format = Literal["svg", "png", "pdf"]

PNG_DPI = 192
"""Dots per inch of a PNG: twice as many as a page on the screen."""

_REPAIR_COLOUR = "#b35c00"
_NEW_COLOUR = "#0b57d0"
_STYLE = (
    '  graph [charset="utf8", rankdir=TB, nodesep=0.22, ranksep=0.28, pad=0.1, bgcolor=white];',
    "  node [shape=box, style=rounded, height=0.42, margin=0.14, fontname=Helvetica, fontsize=14];",
    "  edge [fontname=Helvetica, fontsize=12, arrowsize=0.7];",
)
_TEXT = re.compile(r'<text [^>]*?x="(?P<x>[^"]+)" y="(?P<y>[^"]+)"')
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
    """Draw a graph; all steps of one trace have the same size and places."""
    source = drawing_source(snapshot, PNG_DPI if kind == "png" else None)
    picture = draw_dot(source, kind)
    if kind == "svg":
        return _with_widths(picture.decode("utf-8"), draw_dot(source, "json")).encode("utf-8")
    if kind == "png":
        return _with_dpi(picture)
    # cairo writes the time; the same graph is to give the same file.
    return _CREATION_DATE.sub(rb"\g<1>19700101000000", picture)


def draw_dot(source: str, kind: Format | Literal["json"]) -> bytes:
    """Lay out and draw DOT as it is, in this process."""
    with GRAPHVIZ_LOCK:
        graph = pygraphviz.AGraph(string=source)
        graph.layout(prog="dot")
        drawn = graph.draw(format=kind)
    return drawn.encode("utf-8") if isinstance(drawn, str) else bytes(drawn)


def _with_dpi(picture: bytes) -> bytes:
    """Write the dots per inch into a PNG, which Graphviz leaves out."""
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        image.save(buffer, "PNG", dpi=(PNG_DPI, PNG_DPI), optimize=True)
    return buffer.getvalue()


def _with_widths(svg: str, drawn: bytes) -> str:
    """Hold every text of an SVG to the width that it was laid out with.

    A reader without the font then draws its own no wider, and labels stay apart.

    Args:
        svg: A drawing by Graphviz.
        drawn: The same one as Graphviz's JSON, which has the width of each text in points.
    """
    parts = json.loads(drawn)
    texts = [
        stroke
        for part in (*parts.get("objects", ()), *parts.get("edges", ()))
        for stroke in part.get("_ldraw_", ())
        if stroke["op"] == "T"
    ]
    widths = {(text["pt"][0], -text["pt"][1]): text["width"] for text in texts}

    def held(found: re.Match[str]) -> str:
        width = widths[float(found["x"]), float(found["y"])]
        return f'{found[0]} textLength="{width:g}" lengthAdjust="spacingAndGlyphs"'

    return _TEXT.sub(held, svg)


def drawing_source(snapshot: Snapshot, dpi: float | None, new: int = -1) -> str:
    """Write a graph as the DOT that is drawn of it.

    Args:
        snapshot: What is drawn.
        dpi: Dots per inch of a PNG; None for what has no dots.
        new: What the action of this step made is drawn in a colour of its own.
    """
    nodes, edges = snapshot.nodes, snapshot.edges
    upward = upward_edges(
        len(nodes),
        [DrawnEdge(edge.source, edge.role, edge.target) for edge in edges],
        snapshot.root,
    )
    comment = quote_dot("; ".join(describe_snapshot(snapshot)))
    lines = ["digraph amr {", *_STYLE, f"  graph [comment={comment}];"]
    if dpi is not None:
        lines.append(f"  graph [dpi={dpi:g}];")
    for place, node in enumerate(nodes):
        unseen = "" if node.is_shown else ", style=invis"
        fresh = _fresh(node.step == new and node.is_shown)
        lines.append(f"  n{place} [{_node_attributes(node)}{fresh}{unseen}];")
    for place, edge in enumerate(edges):
        above, below = edge.source, edge.target
        turned = ""
        if place in upward:
            above, below, turned = below, above, ", dir=back"
        unseen = "" if edge.is_shown else ", style=invis"
        made = _fresh(edge.step == new and edge.is_shown and not edge.is_repair)
        lines.append(
            f"  n{above} -> n{below} [{_edge_attributes(edge, ' ')}{turned}{made}{unseen}];"
        )
    if not nodes:
        lines.append('  nothing [label="No concept was made.", shape=plaintext];')
    return "\n".join([*lines, "}", ""])


def _fresh(is_new: bool) -> str:
    """Give the attributes of what the last action made."""
    return f', color="{_NEW_COLOUR}", fontcolor="{_NEW_COLOUR}"' if is_new else ""
