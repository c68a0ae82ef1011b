"""All files that a trace can be taken away as."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from app.exports.animation import draw_animation
from app.exports.drawing import draw_snapshot, format_dot
from app.exports.stepper import format_stepper
from app.exports.text import format_snapshot, format_trace, format_triples
from app.exports.tikz import format_tikz
from aptcore.trace.snapshot import Snapshot, snapshot_of
from aptcore.trace.trace import Trace

MAX_STEM = 40
"""Most characters of the sentence in a file's name."""


@dataclass(frozen=True, slots=True)
class Export:
    """A file to take away.

    Attributes:
        name: What it is called on the page.
        file_name: Name of the file: words of the sentence, the step, the extension.
        mime: Its media type.
        make: Writes its bytes; the same trace and step give the same bytes.
    """

    name: str
    file_name: str
    mime: str
    make: Callable[[], bytes]


def exports_of(trace: Trace, step: int | None = None) -> tuple[Export, ...]:
    """List every file of a trace, in a fixed order; none is written before it is asked for.

    Args:
        trace: What is exported.
        step: The graph is written as after so many actions; None or all of them gives the
            finished graph. Trace, animation and stepper always hold all actions; the
            stepper opens at this moment, or at the start.
    """
    snapshot = snapshot_of(trace, step)
    at_step, whole = _stem(trace, snapshot), _stem(trace, None)
    return (
        Export("PENMAN", f"{at_step}.amr", "text/plain", _text(format_snapshot, snapshot)),
        Export(
            "Triples",
            f"{at_step}.tsv",
            "text/tab-separated-values",
            _text(format_triples, snapshot),
        ),
        Export("Trace (JSON)", f"{whole}.json", "application/json", _text(format_trace, trace)),
        Export("DOT", f"{at_step}.dot", "text/vnd.graphviz", _text(format_dot, snapshot)),
        Export("SVG", f"{at_step}.svg", "image/svg+xml", partial(draw_snapshot, snapshot, "svg")),
        Export("PNG", f"{at_step}.png", "image/png", partial(draw_snapshot, snapshot, "png")),
        Export("PDF", f"{at_step}.pdf", "application/pdf", partial(draw_snapshot, snapshot, "pdf")),
        Export("TikZ", f"{at_step}.tex", "text/x-tex", _text(format_tikz, snapshot)),
        Export("Animation (GIF)", f"{whole}.gif", "image/gif", partial(draw_animation, trace)),
        Export(
            "Stepper (HTML)",
            f"{whole}.html",
            "text/html",
            _text(partial(format_stepper, start=0 if step is None else snapshot.step), trace),
        ),
    )


Subject = TypeVar("Subject")


def _text(write: Callable[[Subject], str], subject: Subject) -> Callable[[], bytes]:
    """Make UTF-8 of a writer's text; half a sign (a lone surrogate) is written as its number."""
    return lambda: write(subject).encode("utf-8", "backslashreplace")


def _stem(trace: Trace, snapshot: Snapshot | None) -> str:
    stem = stem_of(trace)
    return stem if snapshot is None or snapshot.is_finished else f"{stem}-step-{snapshot.step}"


def stem_of(trace: Trace) -> str:
    """Name the files of a trace by the first words of its sentence, accents left out."""
    letters = unicodedata.normalize("NFKD", trace.sentence.text).encode("ascii", "ignore")
    words = re.findall(r"[a-z0-9]+", letters.decode().lower())
    while len("-".join(words)) > MAX_STEM:
        words.pop()
    return "-".join(words) or "graph"
