r"""A graph as a LaTeX document with one TikZ picture, at the places of the page's drawing.

It compiles with LuaLaTeX, XeLaTeX and pdfLaTeX; signs outside ASCII are named at the
top, since pdfLaTeX has only the Latin ones and the others need a font that holds them.
"""

from __future__ import annotations

import re

from app.canvas.layout import PlacedEdge, PlacedNode, Point
from app.canvas.trace.drawing import layout_of
from app.exports.text import describe_snapshot, one_line
from aptcore.trace.snapshot import Snapshot, SnapshotEdge, SnapshotNode

SCALE = 0.75
"""Size of the picture, in big points for a point of the page's drawing."""

_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
}
_LIGATURE = re.compile(r"([-,])(?=\1)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_HEAD = r"""\documentclass[tikz,border=4bp]{standalone}
\usepackage{iftex}
\iftutex\usepackage{fontspec}\else\usepackage[T1]{fontenc}\fi
\begin{document}"""
_STYLES = rf"""\begin{{tikzpicture}}[x={SCALE}bp, y=-{SCALE}bp, line width=0.6bp,
  every node/.style={{inner sep=0bp, font=\sffamily\small}},
  concept/.style={{draw, rounded corners=4bp}},
  constant/.style={{draw=gray, fill=gray!12}},
  root/.style={{line width=1.6bp}},
  dropped/.style={{dashed}},
  line/.style={{}},
  repair/.style={{dashed}},
  role/.style={{font=\sffamily\scriptsize, fill=white, inner sep=0.6bp}}]"""


def format_tikz(snapshot: Snapshot) -> str:
    """Write the parts that exist; all steps of one trace have the same size and places."""
    layout = layout_of(snapshot)
    comments = [*describe_snapshot(snapshot), *_foreign_signs(snapshot)]
    lines = [f"% {line}" for line in comments]
    lines += [_HEAD, _STYLES]
    lines.append(
        rf"\useasboundingbox {_at((0.0, 0.0))} rectangle {_at((layout.width, layout.height))};"
    )
    for edge, line in zip(snapshot.edges, layout.edges, strict=True):
        if edge.is_shown:
            lines += _edge_lines(edge, line)
    for place, (node, box) in enumerate(zip(snapshot.nodes, layout.nodes, strict=True)):
        if node.is_shown:
            lines += _node_lines(place, node, box)
    if not snapshot.nodes:
        lines.append(r"\node at (0,0) {No concept was made.};")
    return "\n".join([*lines, r"\end{tikzpicture}", r"\end{document}", ""])


def escape_tex(text: str) -> str:
    """Write a text so that TeX prints exactly these signs on one line.

    Runs such as ``--``, which fonts join to one sign, are kept apart.
    """
    escaped = "".join(_SIGNS.get(sign, sign) for sign in one_line(text))
    return _LIGATURE.sub(r"\1{}", escaped)


def _foreign_signs(snapshot: Snapshot) -> list[str]:
    """Name the signs outside ASCII that the labels hold."""
    shown = [node.label for node in snapshot.nodes if node.is_shown]
    signs = sorted({sign for label in shown for sign in one_line(label) if not sign.isascii()})
    if not signs:
        return []
    named = ", ".join(f"U+{ord(sign):04X}" for sign in signs)
    return [f"signs outside ASCII (use LuaLaTeX or XeLaTeX and a font that has them): {named}"]


def _node_lines(place: int, node: SnapshotNode, box: PlacedNode) -> list[str]:
    styles = ["constant" if node.is_constant else "concept"]
    styles += ["root"] if node.is_root else []
    styles += ["dropped"] if node.is_dropped else []
    size = f"minimum width={_length(box.width)}, minimum height={_length(box.height)}"
    drawn = (
        rf"\node[{', '.join(styles)}, {size}] (n{place}) "
        f"at {_at((box.x, box.y))} {{{escape_tex(box.shown)}}};"
    )
    full = [f"% n{place} in full: {one_line(node.label)}"] if box.shown != node.label else []
    dropped = [f"% repair: n{place} is dropped"] if node.is_dropped else []
    return [*full, *dropped, drawn]


def _edge_lines(edge: SnapshotEdge, placed: PlacedEdge) -> list[str]:
    style = "line, repair" if edge.is_repair else "line"
    note = ["% repair"] if edge.is_repair else []
    label = f"{edge.role} (repair)" if edge.is_repair else edge.role
    corners = " -- ".join(_at(corner) for corner in placed.head)
    return [
        *note,
        rf"\draw[{style}] {_curve(placed.path)};",
        rf"\fill {corners} -- cycle;",
        rf"\node[role] at {_at(placed.label)} {{{escape_tex(label)}}};",
    ]


def _curve(path: str) -> str:
    """Turn the path of an edge, ``M0 0C1 1 2 2 3 3``, into TikZ's curves."""
    numbers = [float(number) for number in _NUMBER.findall(path)]
    points = [_at(point) for point in zip(numbers[::2], numbers[1::2], strict=True)]
    curves = [
        f" .. controls {points[at]} and {points[at + 1]} .. {points[at + 2]}"
        for at in range(1, len(points), 3)
    ]
    return points[0] + "".join(curves)


def _at(point: Point) -> str:
    return f"({point[0]:g},{point[1]:g})"


def _length(points: float) -> str:
    return f"{points * SCALE:.4g}bp"
