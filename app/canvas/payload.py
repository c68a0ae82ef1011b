"""What drawings send to the browser: a JSON object, and the parts that all of them have."""

from __future__ import annotations

from typing import Any

from app.canvas.layout import PlacedEdge, PlacedNode

Payload = dict[str, Any]
"""A JSON object."""


def box_payload(placed: PlacedNode) -> Payload:
    """Give a box: the text in it, its middle and its size in points."""
    return {
        "shown": placed.shown,
        "x": placed.x,
        "y": placed.y,
        "w": placed.width,
        "h": placed.height,
    }


def line_payload(placed: PlacedEdge) -> Payload:
    """Give an arrow: its path, the corners of its head and the middle of its label."""
    return {
        "path": placed.path,
        "head": " ".join(f"{x:g},{y:g}" for x, y in placed.head),
        "label": list(placed.label),
    }


def flags(**claims: bool) -> Payload:
    """Send only the flags that are set."""
    return {name: True for name, is_set in claims.items() if is_set}
