"""Everything that the canvas draws, worked out once in Python and sent once.

The browser only looks up and shows: positions, texts and the step from which each
part exists are all in here. Texts that repeat (reasons, actions) are sent once and
referred to by number, which keeps 200 steps under 100 KB.
"""

from __future__ import annotations

import json

from app.canvas.layout import DrawnEdge, DrawnNode, Layout, place
from app.canvas.payload import Payload
from app.canvas.trace.digits import pack_pairs
from app.canvas.trace.extras import Numbers, extras_of, largest_first
from app.canvas.trace.narration import narrate
from app.canvas.trace.triples import triples_of
from aptcore.trace.trace import Step, Trace, Weights
from aptcore.transition.actions import format_action

MAX_PAYLOAD = 98_000
"""Characters of JSON that heads and beam may fill a payload up to."""


def payload_of(trace: Trace, start: int) -> Payload:
    """Give the canvas everything it needs to step through a trace.

    Args:
        trace: What is shown.
        start: Position of the action that is shown first.

    Returns:
        ``key`` (changes when the trace does), ``start``, ``tokens``, ``texts``, ``kinds``,
        ``rules``, ``steps``, ``nodes``, ``edges``, ``triples``, ``repairs``, ``penman``,
        ``cut``, ``width`` and ``height`` (points). ``steps`` holds one list a field, each
        with an entry a step; its actions are numbers in ``texts``, its ``legal`` a number
        in ``rules``. A rule has an entry for each kind of action: -1 where it is legal,
        else the number of the reason in ``texts``. Shares and entropies are thousandths;
        weights are packed. ``heads`` and ``beams`` are as :func:`extras_of` gives them.
        ``unscored`` is there, and true, where no model decided anything.
    """
    texts, rules = Numbers(), Numbers()
    layout = layout_of(trace)
    steps = _steps(trace, texts, rules)
    payload = {
        "key": trace.hash,
        "start": start,
        "tokens": list(trace.sentence.tokens),
        "kinds": [kind for kind, _ in trace.steps[0].legal] if trace.steps else [],
        "steps": steps,
        "rules": [list(rule) for rule in rules],
        "nodes": _nodes(trace, layout),
        "edges": _edges(trace, layout),
        "triples": [
            [triple.step, triple.source, triple.role, triple.target, int(triple.is_repair)]
            for triple in triples_of(trace)
        ],
        "repairs": [repair.text for repair in trace.repairs],
        "width": layout.width,
        "height": layout.height,
        "penman": trace.penman,
        **_flags(unscored=all(step.entropy is None for step in trace.steps)),
    }
    room = MAX_PAYLOAD - len(json.dumps(payload | {"texts": list(texts), "cut": trace.cut}))
    extras = extras_of(trace, texts, room)
    cut = " ".join(text for text in (trace.cut, extras.pop("left")) if text)
    return payload | extras | {"texts": list(texts), "cut": cut}


def layout_of(trace: Trace) -> Layout:
    """Lay out the finished graph of a trace, repairs included."""
    nodes = [DrawnNode(item.label, item.is_constant) for item in trace.items]
    names = [item.name for item in trace.items]
    root = names.index(trace.root) if trace.root in names else None
    return place(nodes, [DrawnEdge(*ends) for ends in ends_of(trace)], root)


def ends_of(trace: Trace) -> list[tuple[int, str, int]]:
    """Give (source, role, target) of all edges in order, repairs last, by place of the item."""
    by_key = {item.key: place_ for place_, item in enumerate(trace.items)}
    by_name = {item.name: place_ for place_, item in enumerate(trace.items)}
    made = [(by_key[edge.source], edge.role, by_key[edge.target]) for edge in trace.edges]
    joined = [
        (by_name[repair.edge.source], repair.edge.role, by_name[repair.edge.target])
        for repair in trace.repairs
        if repair.edge is not None
    ]
    return made + joined


def _steps(trace: Trace, texts: Numbers, rules: Numbers) -> Payload:
    """Give the steps as columns: a name is sent once, not once a step."""
    steps = trace.steps
    return {
        "cursor": [step.cursor for step in steps],
        "start": [step.span_start for step in steps],
        "action": [texts.of(format_action(step.action)) for step in steps],
        "p": [_known_thousandths(step.probability) for step in steps],
        "entropy": [_known_thousandths(step.entropy) for step in steps],
        "forced": [int(step.is_forced) for step in steps],
        "others": [
            [
                [texts.of(format_action(action)), _thousandths(probability)]
                for action, probability in step.alternatives
            ]
            for step in steps
        ],
        "legal": [rules.of(_rule(step, texts)) for step in steps],
        "pointer": [_shown_weights(step.pointer) for step in steps],
        "pointerRest": [_thousandths(step.pointer_hidden) for step in steps],
        "attention": [_shown_weights(step.attention) for step in steps],
        "attentionRest": [_thousandths(step.attention_hidden) for step in steps],
        "say": list(narrate(trace)),
    }


def _rule(step: Step, texts: Numbers) -> tuple[int, ...]:
    return tuple(-1 if reason is None else texts.of(reason) for _, reason in step.legal)


def _thousandths(share: float) -> int:
    return round(share * 1000)


def _known_thousandths(share: float | None) -> int | None:
    return None if share is None else _thousandths(share)


def _shown_weights(weights: Weights) -> str:
    """Keep the weights that are not 0 when written with three decimals, largest first."""
    pairs = [(position, _thousandths(weight)) for position, weight in largest_first(weights)]
    return pack_pairs(pair for pair in pairs if pair[1] > 0)


def _nodes(trace: Trace, layout: Layout) -> list[Payload]:
    targets = {edge.target for edge in trace.edges}
    return [
        {
            "step": item.step,
            "name": item.name,
            "label": item.label,
            "shown": placed.shown,
            **_flags(
                constant=item.is_constant,
                inside=item.key[1] > 0,
                root=item.name == trace.root,
                dropped=item.is_constant and item.key not in targets,
            ),
            "x": placed.x,
            "y": placed.y,
            "w": placed.width,
            "h": placed.height,
        }
        for item, placed in zip(trace.items, layout.nodes, strict=True)
    ]


def _edges(trace: Trace, layout: Layout) -> list[Payload]:
    last = len(trace.steps) - 1
    steps = [edge.made_by for edge in trace.edges]
    return [
        {
            "step": steps[place_] if place_ < len(steps) else last,
            "source": source,
            "role": role,
            "target": target,
            **_flags(repair=place_ >= len(steps)),
            "path": placed.path,
            "head": " ".join(f"{x:g},{y:g}" for x, y in placed.head),
            "label": list(placed.label),
        }
        for place_, ((source, role, target), placed) in enumerate(
            zip(ends_of(trace), layout.edges, strict=True)
        )
    ]


def _flags(**flags: bool) -> Payload:
    """Send only the flags that are set."""
    return {name: True for name, is_set in flags.items() if is_set}
