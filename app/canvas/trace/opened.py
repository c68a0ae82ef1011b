"""What a canvas asks for when a person opens it: single heads, the beam, a hypothesis of it.

Most people never open them, and together they are larger than all else that is sent. So they
are sent once they are open, for as long as they are; a file that steps alone holds them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from app.canvas.layout import DrawnEdge, DrawnNode, place
from app.canvas.payload import Payload, box_payload, flags, line_payload
from app.canvas.trace.narration import states_of
from app.canvas.trace.packing import Numbers, pack_pairs
from app.canvas.trace.readable import readable
from aptcore.trace.trace import BeamEntry, Trace, Weights
from aptcore.transition.actions import Action, format_action
from aptcore.transition.building import item_names
from aptcore.transition.state import ParserState

FATES = ("kept", "closed", "pruned")
"""What becomes of a hypothesis; it is sent as its place here."""

_Heads = tuple[tuple[Weights, ...], ...]


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """A hypothesis: its newest action, what becomes of it, and what it has built.

    ``parent`` is its place among those of the step before, -1 where that is not listed or
    there is none; a state is None where not all of the actions are listed.
    """

    action: Action
    score: float
    fate: str
    parent: int
    before: ParserState | None
    after: ParserState | None


@dataclass(frozen=True, slots=True)
class Opened:
    """What is open on a canvas.

    Attributes:
        beam: Whether the beam is.
        heads: Whether the attention heads are.
        hypothesis: Step and place of the hypothesis that is; None where none is.
    """

    beam: bool = False
    heads: bool = False
    hypothesis: tuple[int, int] | None = None


def read_opened(message: object, key: str) -> Opened:
    """Read what a canvas says that it has open; nothing of another trace than ``key`` is."""
    if not isinstance(message, Mapping) or message.get("key") != key:
        return Opened()
    place = None
    match message.get("hypothesis"):
        case [int() | float() as step, int() | float() as row]:
            place = (int(step), int(row))
    return Opened(
        beam=message.get("beam") is True,
        heads=message.get("heads") is True,
        hypothesis=place,
    )


def what_is_held(trace: Trace) -> list[str]:
    """Name what of a trace can be opened."""
    has_heads = any(step.heads for step in trace.steps)
    return ["heads"] * has_heads + ["beam"] * bool(trace.beams)


def payload_of_opened(trace: Trace, opened: Opened) -> Payload:
    """Give what is open: ``beam``, ``heads``, ``hypothesis``, each only where it is there too."""
    payload: Payload = {}
    held = what_is_held(trace)
    if opened.beam and "beam" in held:
        payload["beam"] = beam_of(trace)
    if opened.heads and "heads" in held:
        payload["heads"] = heads_of(trace)
    if opened.hypothesis is not None and _is_listed(trace, *opened.hypothesis):
        payload["hypothesis"] = hypothesis_of(trace, *opened.hypothesis)
    return payload


def beam_of(trace: Trace) -> Payload:
    """Give the beam as a tree.

    Returns:
        ``first``, the step of the first entry; ``steps``, for each step a list of its
        hypotheses, each a number in ``actions``, its score in thousandths of a nat, the place
        of its parent in the step before (-1 where that is not listed or there is none) and its
        fate, a place in ``FATES``; ``path``, the place of the shown trace in each step, or
        -1; ``actions``, pairs of an action and how people read it.
    """
    actions = Numbers()
    steps = [
        [
            [
                actions.of((format_action(grown.action), readable(grown.action, grown.before))),
                round(grown.score * 1000),
                grown.parent,
                FATES.index(grown.fate),
            ]
            for grown in rows
        ]
        for rows in _grown(trace)
    ]
    return {
        "first": trace.prefix_length,
        "steps": steps,
        "path": list(path_of(trace)),
        "actions": [list(pair) for pair in actions],
    }


def hypothesis_of(trace: Trace, step: int, row: int) -> Payload:
    """Give what a hypothesis has built, laid out by itself.

    Args:
        trace: What it came up in.
        step: The step of its newest action.
        row: Its place among the hypotheses of that step.

    Returns:
        ``at``, step and place; ``graph``, with ``nodes``, ``edges``, ``width`` and ``height``
        as in a trace, None where not all of its actions are listed.
    """
    rows = next(islice(_grown(trace), step - trace.prefix_length, None))
    end = rows[row].after
    return {"at": [step, row], "graph": None if end is None else _drawn(end)}


def hypotheses_of(trace: Trace, most: int) -> Payload:
    """Give what all hypotheses have built, for a file: the best of each step first.

    Args:
        trace: What they came up in.
        most: About how many characters the graphs may take as JSON; others are left out.

    Returns:
        ``graphs``, as in :func:`hypothesis_of`, each once; ``places``, for each step and
        hypothesis the place of its graph, -1 where it has none.
    """
    search = list(_grown(trace))
    places = [[-1] * len(rows) for rows in search]
    graphs: list[Payload] = []
    known: dict[tuple[object, ...], int] = {}
    size = 0
    order = sorted((row, step) for step, rows in enumerate(search) for row in range(len(rows)))
    for row, step in order:
        end = search[step][row].after
        if end is None:
            continue
        built = (end.items, end.edges, end.root)
        if built not in known and size < most:
            known[built] = len(graphs)
            graphs.append(_drawn(end))
            size += len(json.dumps(graphs[-1]))
        places[step][row] = known.get(built, -1)
    return {"graphs": graphs, "places": places}


def heads_of(trace: Trace) -> list[Payload]:
    """Give the attention heads: those that look at tokens, and those at earlier actions.

    Returns:
        For each of the two, where the trace holds it, ``over`` (what is looked at),
        ``layers``, ``heads`` in each, ``first`` (what the first of the things looked at is
        called), ``kept`` weights of each head, ``weights`` (one packed text a step, by layer,
        head and weight) and ``names`` (one a head, by layer; empty where it has none).
    """
    looks = (
        ("tokens", 0, [step.heads for step in trace.steps]),
        ("actions", -1, [step.self_heads for step in trace.steps]),
    )
    return [_block(trace, over, first, steps) for over, first, steps in looks if any(steps)]


def _block(trace: Trace, over: str, first: int, steps: list[_Heads]) -> Payload:
    layers = max(map(len, steps))
    heads = max(len(layer) for step in steps for layer in step)
    kept = max((len(head) for step in steps for layer in step for head in layer), default=0)
    named = {(n.layer, n.head): n.name for n in trace.named_heads if n.over == over}
    return {
        "over": over,
        "first": first,
        "layers": layers,
        "heads": heads,
        "kept": kept,
        "names": [named.get((layer, head), "") for layer in range(layers) for head in range(heads)],
        "weights": [
            "".join(
                pack_pairs([(at - first, weight) for at, weight in head], kept)
                for layer in step
                for head in layer
            )
            for step in steps
        ],
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


def _is_listed(trace: Trace, step: int, row: int) -> bool:
    at = step - trace.prefix_length
    return 0 <= at < len(trace.beams) and 0 <= row < len(trace.beams[at])


def _grown(trace: Trace) -> Iterator[list[_Hypothesis]]:
    """Give the hypotheses of each step of the beam with what they had built and have now."""
    states = states_of(trace)
    first = states[trace.prefix_length] if trace.prefix_length < len(states) else None
    before: dict[int | None, tuple[int, ParserState | None]] = {}
    for number, entries in enumerate(trace.beams):
        rows = []
        for entry in entries:
            parent, state = before.get(entry.parent, (-1, None if number else first))
            is_known = state is not None and not entry.action.why_illegal(state)
            after = entry.action.applied(state) if state is not None and is_known else None
            rows.append(_Hypothesis(entry.action, entry.score, entry.status, parent, state, after))
        yield rows
        before = {
            entry.place: (row, rows[row].after)
            for row, entry in enumerate(entries)
            if entry.status == "kept"
        }


def _drawn(state: ParserState) -> Payload:
    names = item_names(state)
    places = {item.key: number for number, item in enumerate(state.items)}
    edges = [DrawnEdge(places[e.source], e.role, places[e.target]) for e in state.edges]
    root = None if state.root is None else places[state.root, 0]
    nodes = [DrawnNode(item.label, item.is_constant) for item in state.items]
    layout = place(nodes, edges, root)
    return {
        "nodes": [
            {
                "step": item.position + 1,
                "name": names[item.key],
                "label": item.label,
                **flags(constant=item.is_constant, root=places[item.key] == root),
                **box_payload(placed),
            }
            for item, placed in zip(state.items, layout.nodes, strict=True)
        ],
        "edges": [
            {
                "step": made.made_by + 1,
                "source": edge.source,
                "role": edge.role,
                "target": edge.target,
                **line_payload(placed),
            }
            for made, edge, placed in zip(state.edges, edges, layout.edges, strict=True)
        ],
        "width": layout.width,
        "height": layout.height,
    }
