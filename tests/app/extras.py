"""Attention heads and a beam for invented traces, of the size that a real trace has."""

from __future__ import annotations

from typing import Any

LAYERS, HEADS = 3, 4


def with_extras(document: dict[str, Any], width: int = 8) -> dict[str, Any]:
    """Add heads and a beam to a trace's JSON: row 0 goes straight on, others are pruned."""
    num_tokens = len(document["sentence"]["tokens"])
    steps = [
        step
        | {
            "heads": [[head_of(step, n, num_tokens) for n in range(HEADS)]] * LAYERS,
            "self_heads": [[looked_back(step, n) for n in range(HEADS)]] * LAYERS,
        }
        for step in document["steps"]
    ]
    beams = [beam_of(step, width, step is steps[-1]) for step in steps]
    named = [
        {"over": "tokens", "layer": 0, "head": 0, "name": "cursor"},
        {"over": "actions", "layer": LAYERS - 1, "head": 0, "name": "pointer"},
    ]
    return document | {"steps": steps, "beams": beams, "named_heads": named}


def head_of(step: dict[str, Any], head: int, num_tokens: int) -> list[list[float]]:
    first = (step["cursor"] + head) % (num_tokens - 2)
    return [[first, 0.5], [first + 1, 0.123], [first + 2, 0.077]]


def looked_back(step: dict[str, Any], head: int) -> list[list[float]]:
    last = step["step"] - 1 - head
    return [[max(-1, last), 0.6], [max(-1, last - 1), 0.2], [max(-1, last - 2), 0.1]]


def beam_of(step: dict[str, Any], width: int, is_last: bool) -> list[dict[str, Any]]:
    actions = [step["action"], *(other["action"] for other in step["alternatives"])]
    rows = []
    for place in range(width + 4):
        goes_on = place < width and not (is_last and place == 0)
        rows.append(
            {
                "action": actions[place % len(actions)],
                "score": -1.5 - place - step["step"] / 8,
                "parent": place % width,
                "place": place if goes_on else None,
                "status": "kept" if goes_on else "closed" if place == 0 else "pruned",
            }
        )
    return rows
