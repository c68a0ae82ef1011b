"""What a canvas asks for when a person opens it: single heads, the beam, a hypothesis of it.

Most people never open them, and together they are larger than all else that is sent. So they
are sent once they are open, for as long as they are; a file that steps alone holds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from app.canvas.layout import DrawnEdge, DrawnNode, place
from app.canvas.payload import Payload, box_payload, flags, line_payload
from app.canvas.trace.narration import states_of
from app.canvas.trace.packing import Numbers, pack_pairs
from app.canvas.trace.readable import readable
from aptcore.errors import AptamrError
from aptcore.trace.trace import BeamEntry, Trace, Weights
from aptcore.transition.actions import Action, format_action
from aptcore.transition.building import item_names
from aptcore.transition.machine import advance
from aptcore.transition.state import ParserState

FATES = ("kept", "closed", "pruned")
"""What becomes of a hypothesis; it is sent as its place here."""

_Heads = tuple[tuple[Weights, ...], ...]

_Entries = tuple[tuple[BeamEntry, int], ...]
"""Hypotheses of a step, each with the place of its parent among those of the step before."""


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
    states = _states_after_prefix(trace)
    steps = []
    for entries in _with_parents(trace):
        found: list[ParserState | None] = []
        rows = []
        for entry, parent in entries:
            before = states[parent]
            rows.append(
                [
                    actions.of((format_action(entry.action), readable(entry.action, before))),
                    round(entry.score * 1000),
                    parent,
                    FATES.index(entry.status),
                ]
            )
            found.append(_grown(before, entry))
        states = [*found, None]  # -1, a parent that is not listed, has no state
        steps.append(rows)
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
        as in a trace, None where not all of its actions are listed; where they are also
        ``actions`` (bare, and as people read them) and ``parted``, the first step at which it
        took another action than the trace, or None.
    """
    states = _walk(trace, step, row)
    if states is None:
        return {"at": [step, row], "graph": None}
    end = states[-1]
    own = [step.action for step in trace.steps[: len(end.actions)]]
    pairs = enumerate(zip(end.actions, own, strict=False))
    return {
        "at": [step, row],
        "parted": next((place for place, (taken, shown) in pairs if taken != shown), None),
        "actions": [
            [format_action(action), readable(action, before)]
            for action, before in zip(end.actions, states, strict=False)
        ],
        "graph": _drawn(end),
    }


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


def _with_parents(trace: Trace) -> Iterator[_Entries]:
    before: dict[int | None, int] = {}
    for entries in trace.beams:
        yield tuple((entry, before.get(entry.parent, -1)) for entry in entries)
        kept = (pair for pair in enumerate(entries) if pair[1].status == "kept")
        before = {entry.place: row for row, entry in kept}


def _states_after_prefix(trace: Trace) -> list[ParserState | None]:
    """Give the state that the search began with, where -1 finds it."""
    states = states_of(trace)
    return [states[trace.prefix_length]] if trace.prefix_length < len(states) else [None]


def _grown(before: ParserState | None, entry: BeamEntry) -> ParserState | None:
    """Take a hypothesis' newest action; only those that go on are needed."""
    if before is None or entry.status != "kept" or entry.action.why_illegal(before):
        return None
    return entry.action.applied(before)


def _walk(trace: Trace, step: int, row: int) -> tuple[ParserState, ...] | None:
    """Give the states of a hypothesis; None where not all of its actions are known."""
    listed = tuple(_with_parents(trace))
    actions: list[Action] = []
    at = step - trace.prefix_length
    while at >= 0 and row >= 0:
        entry, row = listed[at][row]
        actions.append(entry.action)
        at -= 1
    (before,) = _states_after_prefix(trace)
    if at >= 0 or before is None:
        return None
    forced = trace.states[: trace.prefix_length]
    try:
        return (*forced, *accumulate(reversed(actions), advance, initial=before))
    except AptamrError:
        return None


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
