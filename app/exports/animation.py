"""A parse as an animated GIF: a frame for each moment, from before the first action.

Above the graph stand the words, those at the cursor marked, and the action just done. What
the last change made is drawn in the colour of the mark. A frame is put together of two
pictures by Graphviz, and the graph's is drawn only where it changed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from html import escape

from PIL import Image

from app.canvas.trace.narration import states_of
from app.canvas.trace.readable import readable
from app.exports.drawing import draw_dot, draw_snapshot
from app.kit.text import moment_text, num_columns, shorten
from aptcore.trace.snapshot import snapshot_of
from aptcore.trace.trace import Trace

DPI = 96
"""Dots per inch: one for each CSS pixel."""

FRAME_MILLISECONDS = 800
"""How long a moment is shown."""

LAST_MILLISECONDS = 4000
"""How long the finished graph stays before the animation begins again."""

_LINE = 72
"""Columns of a line of words or of the action."""

_MARK = ' bgcolor="#cfe3ff"'
_GAP = 12
_COLOURS = 64


def draw_animation(trace: Trace) -> bytes:
    """Draw a trace as a GIF that repeats for ever; the same trace gives the same bytes."""
    frames = list(_pictures(trace))
    width = max(image.width for pair in frames for image in pair)
    top = max(header.height for header, _ in frames)
    height = top + _GAP + max(graph.height for _, graph in frames)
    drawn = [_joined(header, graph, (width, height), top) for header, graph in frames]
    durations = [FRAME_MILLISECONDS] * (len(drawn) - 1) + [LAST_MILLISECONDS]
    buffer = io.BytesIO()
    drawn[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=drawn[1:],
        duration=durations,
        loop=0,
        optimize=False,
        comment=trace.sentence.text.encode("utf-8", "replace")[:255],
    )
    return buffer.getvalue()


def _joined(
    header: Image.Image, graph: Image.Image, size: tuple[int, int], top: int
) -> Image.Image:
    """Put a frame together on a ground of one size for all."""
    frame = Image.new("RGB", size, "white")
    frame.paste(header, (0, 0))
    frame.paste(graph, ((size[0] - graph.width) // 2, top + _GAP))
    return frame.quantize(_COLOURS, dither=Image.Dither.NONE)


def _pictures(trace: Trace) -> Iterator[tuple[Image.Image, Image.Image]]:
    """Give header and graph of every moment."""
    states = states_of(trace)
    lines = [_read(draw_dot(_words(trace, line, range(0)), "png")) for line in _lines(trace)]
    shown: tuple[bool, ...] | None = None
    graph = Image.new("RGB", (1, 1), "white")
    for moment in range(len(trace.steps) + 1):
        snapshot = snapshot_of(trace, moment)
        nodes = (node.is_shown for node in snapshot.nodes)
        edges = (edge.is_shown for edge in snapshot.edges)
        now = (snapshot.is_finished, *nodes, *edges)
        if now != shown:
            graph = _read(draw_snapshot(snapshot, "png", dpi=DPI, new=moment - 1))
            shown = now
        done = trace.steps[moment - 1] if moment else None
        told = "" if done is None else readable(done.action, states[moment - 1])
        yield (
            _stacked(
                [*_marked(trace, moment, lines), _read(draw_dot(_told(trace, moment, told), "png"))]
            ),
            graph,
        )


def _marked(trace: Trace, moment: int, lines: Sequence[Image.Image]) -> Iterator[Image.Image]:
    """Give the lines of words, those anew in which a word is marked."""
    following = trace.steps[moment] if moment < len(trace.steps) else None
    here = range(0) if following is None else range(following.span_start, following.cursor + 1)
    for line, plain in zip(_lines(trace), lines, strict=True):
        is_here = any(place in here for place in line)
        yield _read(draw_dot(_words(trace, line, here), "png")) if is_here else plain


def _stacked(pictures: Sequence[Image.Image]) -> Image.Image:
    """Put pictures one below the other."""
    size = max(each.width for each in pictures), sum(each.height for each in pictures)
    ground = Image.new("RGB", size, "white")
    top = 0
    for each in pictures:
        ground.paste(each, (0, top))
        top += each.height
    return ground


def _read(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert("RGB")


def _lines(trace: Trace) -> Iterator[range]:
    """Give the tokens of each line of words."""
    start = used = 0
    for place, token in enumerate(trace.sentence.tokens):
        columns = num_columns(shorten(token, _LINE)) + 1
        if used and used + columns > _LINE:
            yield range(start, place)
            start, used = place, 0
        used += columns
    yield range(start, len(trace.sentence.tokens))


def _words(trace: Trace, line: range, here: range) -> str:
    """Write a line of words as DOT: a table, in which a mark changes no width."""
    cells = "".join(
        f"<td{_MARK if place in here else ''}>{_escaped(trace.sentence.tokens[place])}</td>"
        for place in line
    )
    return _table(cells or "<td> </td>")


def _told(trace: Trace, moment: int, action: str) -> str:
    """Write as DOT how many actions are taken, and the last one."""
    count = f'<td><font color="#555555">{moment_text(moment, len(trace.steps))}</font></td>'
    return _table(f"{count}<td><b>{_escaped(action)}</b></td>" if action else count)


def _table(cells: str) -> str:
    return f"""digraph line {{
  graph [charset="utf8", dpi={DPI}, margin=0, pad="0.08,0", bgcolor=white];
  node [shape=plaintext, fontname=Helvetica, fontsize=14, width=0, height=0, margin=0];
  line [label=<<table border="0" cellborder="0" cellspacing="0" cellpadding="3">
    <tr>{cells}</tr></table>>];
}}
"""


def _escaped(text: str) -> str:
    """Write a text for a label of HTML, which cannot hold what has no shape."""
    shown = "".join(sign if sign.isprintable() else " " for sign in shorten(text, _LINE))
    return escape(shown) or " "
