"""What is shown of the graph on the page, where it is too large to be drawn whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from app.pages.correct.editor.folding import (
    aligned_to,
    branch_below,
    first_shown,
    is_large,
    matching,
    named,
    next_part,
    parts_of,
    shown_around,
)
from app.pages.correct.editor.layout import Sketch, grow, lay_out
from app.pages.correct.editor.routing import Ends
from app.pages.correct.handler import Said
from app.pages.correct.state import opened, put, shown_sentence
from aptcore.graph.amr import AmrGraph

GONE = "That part is no longer in the graph."


def draw_afresh() -> None:
    """Lay out again what is shown."""
    _, sketch = _drawn()
    _show(sketch.names)


def show(what: Mapping[str, Any]) -> Said:
    """Show more of the graph, or another place of it.

    Args:
        what: One of ``more`` (the id of a node: what is near it), ``whole``, ``top`` (what a
            graph opens with), ``part`` (a node or an edge, as the editor names it), ``find``
            (a text) and ``word`` (a token); the last two go on from the part ``at``; ``fold`` (the
            id of a node whose branch is put away, or shown again).
    """
    graph, sketch = _drawn()
    if what.get("whole"):
        return _show(parts_of(graph))
    if what.get("top"):
        return _show(first_shown(graph), focus=graph.root)
    if "fold" in what or ("more" in what and not is_large(graph)):
        return _turn(graph, sketch, str(what.get("fold", what.get("more"))))
    if "more" in what:
        return _show(shown_around(graph, [str(what["more"])], sketch.names))
    if "part" in what:
        return _go_to(graph, sketch, _ends_of(what["part"]))
    return _go_to_next(graph, sketch, what)


def _drawn() -> tuple[AmrGraph, Sketch]:
    graph = shown_sentence().state.graph
    sketch = opened().sketch
    return graph, sketch if sketch is not None else lay_out(graph)


def _show(shown: Collection[str], focus: str | Ends = "") -> Said:
    sketch = lay_out(shown_sentence().state.graph, shown)
    put(replace(opened(), sketch=sketch))
    text = f"{len(sketch.names):,} of {len(sketch.parts):,} parts are shown"
    return Said("done", text, focus)


def _turn(graph: AmrGraph, sketch: Sketch, name: str) -> Said:
    """Put away what is written below a node, or show it again where some of it is put away."""
    below, shown = branch_below(graph, name), frozenset(sketch.names)
    if not below:
        return Said("refused", "Nothing is written below this part.")
    wanted = shown - below if below <= shown else shown | below
    sketch = grow(sketch, graph, wanted)
    put(replace(opened(), sketch=sketch))
    text = f"{len(sketch.names):,} of {len(sketch.parts):,} parts are shown"
    return Said("done", text, name)


def _ends_of(part: object) -> str | Ends:
    """Read how the editor names a part."""
    if not isinstance(part, Mapping):
        return ""
    ends = part.get("ends")
    if part.get("kind") == "edge" and isinstance(ends, list) and len(ends) == 3:
        return str(ends[0]), str(ends[1]), str(ends[2])
    return str(part.get("id", ""))


def _go_to(graph: AmrGraph, sketch: Sketch, part: str | Ends) -> Said:
    """Choose a part; where it is folded, what is around it is shown in place of the rest."""
    names = [part] if isinstance(part, str) else [part[0], part[2]]
    if not set(names) <= sketch.parts:
        return Said("refused", GONE)
    if set(names) <= set(sketch.names):
        return Said("done", "", part)
    return _show(shown_around(graph, names), part)


def _go_to_next(graph: AmrGraph, sketch: Sketch, what: Mapping[str, Any]) -> Said:
    """Go to the next part that is called as typed, or that stands for a word."""
    word, typed = what.get("word"), str(what.get("find", ""))
    wanted: Collection[str] = matching(named(graph), typed)
    if isinstance(word, int | float):
        wanted = aligned_to(graph, int(word))
    found = next_part(graph, wanted, str(what.get("at", "")))
    if found:
        return _go_to(graph, sketch, found)
    what_for = f"is called {typed}" if typed else "stands for this token"
    return Said("refused", f"No node or constant {what_for}.")
