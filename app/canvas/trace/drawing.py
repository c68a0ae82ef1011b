"""Everything that the canvas draws, worked out once in Python and sent once.

The browser only looks up and shows: positions, texts and the moment from which each
part exists are all in here. Moment k comes after k actions and before action k. Texts
that repeat (reasons, actions) are sent once and referred to by number, which keeps 200
actions under 100 KB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.canvas.layout import DrawnEdge, DrawnNode, Layout, place
from app.canvas.payload import Payload, box_payload, flags, line_payload
from app.canvas.trace.narration import narrate, states_of
from app.canvas.trace.opened import what_is_held
from app.canvas.trace.packing import Numbers, pack_pairs, thousandths
from app.canvas.trace.readable import readable
from aptcore.trace.snapshot import Snapshot, snapshot_of, triples_of
from aptcore.trace.trace import Step, Trace
from aptcore.transition.actions import PointerAction, format_action
from aptcore.transition.edge_choices import edge_choices, reachable

FINISHED = "The graph is finished."


def payload_of(trace: Trace, start: int) -> Payload:
    """Give the canvas everything it needs to step through a trace.

    Args:
        trace: What is shown.
        start: The moment that is shown first.

    Returns:
        ``key`` (changes when the trace does), ``start``, ``tokens``, ``texts``, ``kinds``,
        ``rules``, ``steps``, ``nodes``, ``edges``, ``triples``, ``repairs``, ``penman``,
        ``cut``, ``width`` and ``height`` (points). ``steps`` holds one list a field, each
        with an entry a moment, which speaks of the action to come; ``action`` has an entry
        an action, and so has ``shown``, as people read it. Both are numbers in ``texts``, and
        ``legal`` is a number in ``rules``. The ``step`` of nodes, edges and triples is the
        moment from which they exist. A rule has an entry for each kind of action: -1 where it
        is legal, else the number of the reason in ``texts``. Shares and entropies are
        thousandths; weights are packed. ``holds`` names what can be opened, see
        :mod:`app.canvas.trace.opened`. ``unscored`` is there, and true, where no model decided
        anything.
    """
    texts, rules = Numbers(), Numbers()
    snapshot = snapshot_of(trace)
    layout = layout_of(snapshot)
    steps = _steps(trace, texts, rules)
    payload = {
        "key": trace.hash,
        "start": start,
        "tokens": list(trace.sentence.tokens),
        "kinds": [kind for kind, _ in trace.steps[0].legal] if trace.steps else [],
        "steps": steps,
        "rules": [list(rule) for rule in rules],
        "nodes": _nodes(snapshot, layout),
        "edges": _edges(snapshot, layout),
        "triples": [
            [triple.step + 1, triple.source, triple.role, triple.target, int(triple.is_repair)]
            for triple in triples_of(snapshot)
        ],
        "repairs": [repair.text for repair in trace.repairs],
        "width": layout.width,
        "height": layout.height,
        "penman": trace.penman,
        "cut": trace.cut,
        "holds": what_is_held(trace),
        **flags(unscored=all(step.entropy is None for step in trace.steps)),
    }
    return payload | {"texts": list(texts)}


def layout_of(snapshot: Snapshot) -> Layout:
    """Lay out the finished graph, repairs included: the same at all steps of a trace."""
    nodes = [DrawnNode(node.label, node.is_constant) for node in snapshot.nodes]
    edges = [DrawnEdge(edge.source, edge.role, edge.target) for edge in snapshot.edges]
    return place(nodes, edges, snapshot.root)


def _steps(trace: Trace, texts: Numbers, rules: Numbers) -> Payload:
    moments = (*trace.steps, *map(_end_after, trace.steps[-1:]))
    return {
        "action": [texts.of(format_action(step.action)) for step in trace.steps],
        "shown": [
            texts.of(readable(step.action, state))
            for step, state in zip(trace.steps, states_of(trace), strict=True)
        ],
        "points": [*(int(isinstance(step.action, PointerAction)) for step in trace.steps), 0],
        "barred": [*_barred(trace), []],
        **columns_of(moments, texts, rules),
        "others": [*_others(trace, texts), []],
        "say": [*narrate(trace), FINISHED],
    }


def _barred(trace: Trace) -> Iterator[list[int] | None]:
    """List for each step the items that its action could not have named instead.

    Items are given by their places among the nodes. None where the action names no item, or
    nothing is known.
    """
    places = {item.key: place for place, item in enumerate(trace.items)}
    for step, state in zip(trace.steps, states_of(trace), strict=True):
        if state is None or not isinstance(step.action, PointerAction):
            yield None
        else:
            reached = set(reachable(edge_choices(state), step.action))
            roots = enumerate(state.roots)
            yield [places[item.key] for place, item in roots if place not in reached]


def _others(trace: Trace, texts: Numbers) -> Iterator[list[tuple[int, int, int]]]:
    """List for each step the next best actions: each with its share, and as it is read."""
    for step, state in zip(trace.steps, states_of(trace), strict=True):
        yield [
            (
                texts.of(format_action(action)),
                thousandths(share),
                texts.of(readable(action, state)),
            )
            for action, share in step.alternatives
        ]


def _end_after(last: Step) -> Step:
    """Give the moment after the last action, at which nothing is decided."""
    return replace(
        last,
        log_prob=None,
        entropy=None,
        is_forced=False,
        alternatives=(),
        legal=tuple((kind, FINISHED) for kind, _ in last.legal),
        pointer=(),
        pointer_hidden=0.0,
        attention=(),
        attention_hidden=0.0,
    )


def columns_of(steps: Sequence[Step], texts: Numbers, rules: Numbers) -> Payload:
    """Give moments as columns (a name is sent once, not once a step), their actions apart."""
    return {
        "cursor": [step.cursor for step in steps],
        "start": [step.span_start for step in steps],
        "p": [None if p is None else thousandths(p) for p in (step.probability for step in steps)],
        "entropy": [None if h is None else round(1000 * h) for h in (s.entropy for s in steps)],
        "forced": [int(step.is_forced) for step in steps],
        "others": [[] for _ in steps],
        "legal": [
            rules.of(tuple(-1 if why is None else texts.of(why) for _, why in step.legal))
            for step in steps
        ],
        "pointer": [pack_pairs(step.pointer) for step in steps],
        "pointerRest": [thousandths(step.pointer_hidden) for step in steps],
        "attention": [pack_pairs(step.attention) for step in steps],
        "attentionRest": [thousandths(step.attention_hidden) for step in steps],
    }


def _nodes(snapshot: Snapshot, layout: Layout) -> list[Payload]:
    return [
        {
            "step": node.step + 1,
            "name": node.name,
            "label": node.label,
            **flags(
                constant=node.is_constant,
                inside=node.is_inside,
                root=node.is_root,
                dropped=node.is_dropped,
            ),
            **box_payload(placed),
        }
        for node, placed in zip(snapshot.nodes, layout.nodes, strict=True)
    ]


def _edges(snapshot: Snapshot, layout: Layout) -> list[Payload]:
    return [
        {
            "step": edge.step + 1,
            "source": edge.source,
            "role": edge.role,
            "target": edge.target,
            **flags(repair=edge.is_repair),
            **line_payload(placed),
        }
        for edge, placed in zip(snapshot.edges, layout.edges, strict=True)
    ]
