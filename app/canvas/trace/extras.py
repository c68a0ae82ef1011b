"""What a trace holds beyond its decisions: single attention heads and the beam, packed.

Both are large. Where they would make a payload too long they are cut, most
important last, and what is cut is said in words.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from aptcore.trace.trace import BeamEntry, Trace, Weights
from aptcore.transition.actions import Action, format_action

NO_PLACE = {"closed": 62, "pruned": 63}
"""Codes for a hypothesis that goes on in no row; rows are below them."""

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
"""Digits of base 64, all of them safe in JSON, HTML and a script; ``unpack.js`` has them too."""

_MAX_SCORE = 64**4 - 1


def pack(number: int, width: int) -> str:
    """Write a number in base 64: a weight as JSON takes ten characters, packed it takes four.

    Args:
        number: From 0 on.
        width: Characters to fill, zeros first.

    Raises:
        ValueError: If the number is negative or too large.
    """
    if not 0 <= number < 64**width:
        raise ValueError(f"cannot pack {number} into {width} characters: 0 to {64**width - 1} fit")
    return "".join(DIGITS[number >> 6 * place & 63] for place in reversed(range(width)))


def pack_pairs(weights: Weights, num_kept: int | None = None) -> str:
    """Write positions and weights in thousandths, four characters each, the largest first.

    Args:
        weights: Shares, 0..1.
        num_kept: How many to write, zeros where there are fewer; None leaves out what is 0
            when written with three decimals.
    """
    largest = sorted(weights, key=lambda pair: -pair[1])
    pairs = [(position, round(weight * 1000)) for position, weight in largest]
    if num_kept is None:
        pairs = [pair for pair in pairs if pair[1] > 0]
    else:
        pairs = pairs[:num_kept] + [(0, 0)] * (num_kept - len(pairs))
    return "".join(pack(position, 2) + pack(weight, 2) for position, weight in pairs)


class Numbers(dict[Any, int]):
    """Numbers for texts or rows, in order of first use."""

    def of(self, entry: Any) -> int:
        """Give the number of an entry, a new one where it is new."""
        return self.setdefault(entry, len(self))


@dataclass(frozen=True, slots=True)
class Keep:
    """How much is sent.

    Attributes:
        head_weights: Largest weights of each head.
        beams: Which hypotheses: ``all``, those that ``went on``, or ``none``.
    """

    head_weights: int
    beams: str


_CHOICES = (
    Keep(3, "all"),
    Keep(2, "all"),
    Keep(2, "went on"),
    Keep(1, "went on"),
    Keep(1, "none"),
    Keep(0, "none"),
)


def extras_of(trace: Trace, texts: Numbers, room: int) -> dict[str, Any]:
    """Pack heads and beam into the room that there is.

    Args:
        trace: Where from.
        texts: Numbers of texts; actions of the beam are added.
        room: Characters of JSON.

    Returns:
        ``heads`` (null where there are none): ``layers``, ``heads``, ``kept`` weights of
        each and ``weights``, one text a step, by layer, head and weight. ``beams`` (null
        where there are none): ``first``, the step of the first entry, ``rows``, one text
        a step, and ``path``, the place of the shown trace among the rows of each step, or
        -1. ``left`` says in words what had to be cut, or is empty.
    """
    for keep in _CHOICES:
        added = Numbers(texts)
        extras = _extras(trace, added, keep)
        if len(json.dumps(extras)) + len(json.dumps(list(added)[len(texts) :])) <= room:
            break
    texts.update(added)
    return extras


def _extras(trace: Trace, texts: Numbers, keep: Keep) -> dict[str, Any]:
    return {
        "heads": _heads(trace, keep.head_weights),
        "beams": _beams(trace, texts, keep.beams),
        "left": _left(trace, keep),
    }


def path_of(trace: Trace) -> tuple[int, ...]:
    """Give, for each step of the beam, the place of the hypothesis that became the trace.

    Found from its end: the best closed hypothesis with the trace's last action, then
    from parent to parent. -1 where the beam does not list it.
    """
    beams, places = trace.beams, [-1] * len(trace.beams)
    last = len(trace.steps) - 1 - trace.prefix_length
    if not 0 <= last < len(beams):
        return tuple(places)
    place = _find(beams[last], trace.steps[-1].action, None)
    for step in range(last, -1, -1):
        places[step] = place
        if place < 0 or step == 0:
            break
        action = trace.steps[trace.prefix_length + step - 1].action
        place = _find(beams[step - 1], action, beams[step][place].parent)
    return tuple(places)


def _find(rows: tuple[BeamEntry, ...], action: Action, place: int | None) -> int:
    for number, row in enumerate(rows):
        if row.action == action and row.place == place and row.status != "pruned":
            return number
    return -1


def _left(trace: Trace, keep: Keep) -> str:
    most = max(
        (len(head) for step in trace.steps for layer in step.heads for head in layer), default=0
    )
    cuts = []
    if most > keep.head_weights:
        weights = {0: "no weight", 1: "1 weight"}.get(keep.head_weights)
        cuts.append(f"{weights or f'{keep.head_weights} weights'} of each single head")
    if trace.beams and keep.beams != "all":
        cuts.append("no beam" if keep.beams == "none" else "no pruned hypotheses")
    return f"To stay quick, this page holds {' and '.join(cuts)}." if cuts else ""


def _heads(trace: Trace, kept: int) -> dict[str, Any] | None:
    layers = max((len(step.heads) for step in trace.steps), default=0)
    heads = max((len(layer) for step in trace.steps for layer in step.heads), default=0)
    if not layers * heads * kept:
        return None
    return {
        "layers": layers,
        "heads": heads,
        "kept": kept,
        "weights": [
            "".join(
                pack_pairs(step.heads[layer][head], kept)
                for layer in range(layers)
                for head in range(heads)
            )
            if step.heads
            else ""
            for step in trace.steps
        ],
    }


def _beams(trace: Trace, texts: Numbers, which: str) -> dict[str, Any] | None:
    if which == "none" or not trace.beams:
        return None
    return {
        "first": trace.prefix_length,
        "rows": [
            "".join(_row(row, texts) for row in rows if which == "all" or row.status != "pruned")
            for rows in trace.beams
        ],
        "path": list(path_of(trace)),
    }


def _row(row: BeamEntry, texts: Numbers) -> str:
    score = min(_MAX_SCORE, round(-row.score * 1000))
    place = NO_PLACE[row.status] if row.place is None else row.place
    return (
        pack(texts.of(format_action(row.action)), 2)
        + pack(max(0, score), 4)
        + pack(row.parent, 1)
        + pack(place, 1)
    )
