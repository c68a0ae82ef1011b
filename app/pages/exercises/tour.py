"""The tour of the Exercises page: a few stops, each at a part of the canvas."""

from __future__ import annotations

TOUR: tuple[tuple[str, str, str], ...] = (
    (
        "task",
        "Your task",
        "Here stands what to do. Words with a dotted line are explained when you press them.",
    ),
    (
        "tokens",
        "The sentence",
        "You read it from left to right. The marked word is where you are now.",
    ),
    (
        "drawing",
        "The graph",
        "The meaning of the sentence as boxes and arrows. What is drawn faintly is the goal; "
        "what you have made stands out.",
    ),
    (
        "moves",
        "Your move",
        "One button for each thing that you can do. A cross says that it is not possible now: "
        "press it anyway to learn why. Nothing can break.",
    ),
    (
        "bar",
        "Back and forth",
        "Undo as often as you like. If you are stuck, Show me does the next step for you.",
    ),
)
"""Part of the canvas, title and text of each stop."""
