"""A parse as an animated GIF: a frame for each moment, from before the first action.

Above the graph stand the words, those at the cursor marked, and the action just done. What
the last change made is drawn in the colour of the mark. A frame is put together of two
pictures by Graphviz, and the graph's is drawn only where it changed.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from html import escape

from PIL import Image

from app.canvas.trace.narration import states_of
from app.canvas.trace.readable import readable
from app.exports.drawing import draw_dot, drawing_source
from app.kit.text import moment_text, num_columns, shorten
from aptcore.trace.snapshot import snapshot_of
from aptcore.trace.trace import Trace

MIN_WIDTH = 1000
"""Least pixels across: what a projector shows without making it larger."""

MAX_BYTES = 8 * 2**20
"""Most bytes of a file; an animation that would take more is drawn smaller."""

FRAME_MILLISECONDS = 800
"""How long a moment is shown."""

LAST_MILLISECONDS = 4000
"""How long the finished graph stays before the animation begins again."""

_LINE = 72
"""Columns of a line of words or of the action."""

_DPI = 96
_SIZE = 1280, 1080
"""What a frame is enlarged to, in pixels, but for at most three times the size on a page."""

_MAX_SCALE = 3
_MAX_PIXELS = 2**28
"""Of all frames together, which are in memory at once."""

_SMALLER = 0.7
_MARK = ' bgcolor="#cfe3ff"'
_GAP = 1 / 8  # inches
_COLOURS = 64


def draw_animation(trace: Trace) -> bytes:
    """Draw a trace as a GIF that repeats for ever; the same trace gives the same bytes."""
    dpi = _fitting_dpi(trace)
    while len(gif := _draw(trace, dpi)) > MAX_BYTES:
        dpi *= _SMALLER
    return gif


def _fitting_dpi(trace: Trace) -> float:
    """Give the dots per inch at which frames are as large as they are to be."""
    graph = _picture(drawing_source(snapshot_of(trace), _DPI))
    words = _stacked([_picture(_words(trace, line, range(0), _DPI)) for line in _lines(trace)])
    width, height = max(words.width, graph.width), words.height + graph.height
    enlarged = min(_MAX_SCALE, _SIZE[0] / width, _SIZE[1] / height)
    room = _MAX_PIXELS / (len(trace.steps) + 1)
    return _DPI * min(max(1, enlarged), math.sqrt(room / (width * height)))


def _draw(trace: Trace, dpi: float) -> bytes:
    frames = _frames(trace, dpi)  # one after the other: together they are large
    durations = [FRAME_MILLISECONDS] * len(trace.steps) + [LAST_MILLISECONDS]
    buffer = io.BytesIO()
    next(frames).save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=durations,
        loop=0,
        optimize=False,
        comment=trace.sentence.text.encode("utf-8", "replace")[:255],
    )
    return buffer.getvalue()


def _frames(trace: Trace, dpi: float) -> Iterator[Image.Image]:
    """Give a frame for each moment, all of one size: words, action and graph."""
    words = [_picture(_words(trace, line, range(0), dpi)) for line in _lines(trace)]
    actions = [_picture(source) for source in _told(trace, dpi)]
    header = _stacked([*words, actions[0]])
    top = header.height + round(_GAP * dpi)
    for moment, graph in enumerate(_graphs(trace, dpi)):
        lines = _marked(trace, moment, words, dpi)
        header = _stacked([*lines, actions[moment]])
        width = max(MIN_WIDTH, graph.width, *(each.width for each in (*words, *actions)))
        frame = Image.new("RGB", (width, top + graph.height), "white")
        frame.paste(header, (0, 0))
        frame.paste(graph, ((width - graph.width) // 2, top))
        yield frame.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def _graphs(trace: Trace, dpi: float) -> Iterator[Image.Image]:
    """Give the graph of each moment, drawn anew only where it changed."""
    shown: tuple[bool, ...] | None = None
    graph = Image.new("RGB", (1, 1), "white")
    for moment in range(len(trace.steps) + 1):
        snapshot = snapshot_of(trace, moment)
        nodes = (node.is_shown for node in snapshot.nodes)
        edges = (edge.is_shown for edge in snapshot.edges)
        now = (snapshot.is_finished, *nodes, *edges)
        if now != shown:
            graph = _picture(drawing_source(snapshot, dpi, moment - 1))
            shown = now
        yield graph


def _marked(
    trace: Trace, moment: int, lines: Sequence[Image.Image], dpi: float
) -> Iterator[Image.Image]:
    """Give the lines of words, those anew in which a word is marked."""
    following = trace.steps[moment] if moment < len(trace.steps) else None
    here = range(0) if following is None else range(following.span_start, following.cursor + 1)
    for line, plain in zip(_lines(trace), lines, strict=True):
        is_here = any(place in here for place in line)
        yield _picture(_words(trace, line, here, dpi)) if is_here else plain


def _stacked(pictures: Sequence[Image.Image]) -> Image.Image:
    """Put pictures one below the other."""
    size = max(each.width for each in pictures), sum(each.height for each in pictures)
    ground = Image.new("RGB", size, "white")
    top = 0
    for each in pictures:
        ground.paste(each, (0, top))
        top += each.height
    return ground


def _picture(source: str) -> Image.Image:
    """Draw DOT."""
    return Image.open(io.BytesIO(draw_dot(source, "png"))).convert("RGB")


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


def _words(trace: Trace, line: range, here: range, dpi: float) -> str:
    """Write a line of words as DOT: a table, in which a mark changes no width."""
    cells = "".join(
        f"<td{_MARK if place in here else ''}>{_escaped(trace.sentence.tokens[place])}</td>"
        for place in line
    )
    return _table(cells or "<td> </td>", dpi)


def _told(trace: Trace, dpi: float) -> Iterator[str]:
    """Write as DOT, for each moment, how many actions are taken, and the last one."""
    done = [
        readable(step.action, state)
        for step, state in zip(trace.steps, states_of(trace), strict=False)
    ]
    for moment, action in enumerate(["", *done]):
        counted = moment_text(moment, len(trace.steps))
        count = f'<td><font color="#555555">{counted}</font></td>'
        yield _table(f"{count}<td><b>{_escaped(action)}</b></td>" if action else count, dpi)


def _table(cells: str, dpi: float) -> str:
    return f"""digraph line {{
  graph [charset="utf8", dpi={dpi:g}, margin=0, pad="0.08,0", bgcolor=white];
  node [shape=plaintext, fontname=Helvetica, fontsize=14, width=0, height=0, margin=0];
  line [label=<<table border="0" cellborder="0" cellspacing="0" cellpadding="3">
    <tr>{cells}</tr></table>>];
}}
"""


def _escaped(text: str) -> str:
    """Write a text for a label of HTML, which cannot hold what has no shape."""
    shown = "".join(sign if sign.isprintable() else " " for sign in shorten(text, _LINE))
    return escape(shown) or " "
