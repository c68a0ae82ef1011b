"""Honest traces for tests: real states of the machine under invented probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from aptcore.graph.amr import Sentence
from aptcore.graph.penman import format_penman
from aptcore.transition.actions import Action, format_action
from aptcore.transition.arcs import LeftArc, RightArc
from aptcore.transition.building import item_names, repaired_graph
from aptcore.transition.closing import Root
from aptcore.transition.items import Const, Copy, Pred, Subgraph
from aptcore.transition.machine import advance, start, why_illegal
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.sets import PAPER, parse_action
from aptcore.transition.state import ParserState

WANT_TOKENS = ("The", "boy", "wants", "to", "visit", "New", "York", ".")
WANT_LEMMAS = ("the", "boy", "want", "to", "visit", "new", "york", ".")
WANT_ACTIONS = (
    "REDUCE",
    "COPY(lemma)",
    "SHIFT",
    "COPY(sense)",
    "LA(1, :ARG0)",
    "SHIFT",
    "REDUCE",
    "COPY(sense)",
    "LA(1, :ARG0)",
    "RA(3, :ARG1)",
    "SHIFT",
    "MERGE",
    "SUBGRAPH((city :name (name :op* {words})))",
    "RA(7, :ARG1)",
    "SHIFT",
    "REDUCE",
    "LA(3, root)",
)


def want_trace() -> dict[str, Any]:
    return build_trace(WANT_TOKENS, WANT_LEMMAS, WANT_ACTIONS)


def build_trace(
    tokens: Sequence[str], lemmas: Sequence[str], actions: Sequence[str]
) -> dict[str, Any]:
    """Give the trace JSON of a walk; weights are a fixed function of the position."""
    sentence = Sentence("", " ".join(tokens), tuple(tokens), tuple(lemmas))
    states = [start(sentence, PAPER)]
    for text in actions:
        states.append(advance(states[-1], parse_action(text)))
    end = states[-1]
    graph, repairs = repaired_graph(end)
    names = item_names(end)
    return {
        "schema": 1,
        "model": {
            "id": "test-model",
            "hash": "0123456789abcdef",
            "encoder": "none",
            "action_set": "paper",
            "device": "cpu",
            "precision": "float32",
        },
        "sentence": {"id": "", "text": sentence.text, "tokens": tokens, "lemmas": lemmas},
        "beam": 10,
        "prefix_length": 0,
        "steps": [step_of(state, text) for state, text in zip(states, actions, strict=False)],
        "items": [
            {
                "key": list(item.key),
                "name": names[item.key],
                "label": item.label,
                "constant": item.is_constant,
                "tokens": list(range(item.start, item.stop)),
                "step": item.position,
            }
            for item in end.items
        ],
        "edges": [
            {
                "source": list(edge.source),
                "role": edge.role,
                "target": list(edge.target),
                "step": edge.made_by,
            }
            for edge in end.edges
        ],
        "root": graph.root or None,
        "failed": end.is_failed,
        "repairs": [
            {
                "kind": repair.kind,
                "text": repair.text,
                "edge": repair.edge
                and {
                    "source": repair.edge.source,
                    "role": repair.edge.role,
                    "target": repair.edge.target,
                },
            }
            for repair in repairs
        ],
        "penman": format_penman(graph, metadata=False),
        "log_prob": -1.0,
        "beams": [],
        "named_heads": [],
        "cut": "Attention is cut to the 8 largest weights, mean over layers and heads.",
    }


def step_of(state: ParserState, action: str) -> dict[str, Any]:
    step = len(state.actions)
    probability = 0.55 + 0.44 * ((step * 7) % 10) / 10
    others = [text for text in alternatives(state) if text != action][:5]
    rest = 1 - probability
    positions = [item.position for item in reversed(state.roots)][:8]
    return {
        "step": step,
        "cursor": state.cursor,
        "span_start": state.span_start,
        "action": action,
        "log_prob": math.log(probability),
        "entropy": 0.4,
        "forced": False,
        "alternatives": [
            {"action": text, "probability": rest / 2 ** (place + 1)}
            for place, text in enumerate(others)
        ],
        "legal": [{"kind": kind, "reason": reason} for kind, reason in kinds(state)],
        "pointer": [[position, 0.9 / 2 ** (n + 1)] for n, position in enumerate(positions)],
        "pointer_hidden": 0.1,
        "attention": [
            [position, 0.8 / 2 ** (abs(position - state.cursor) + 1)]
            for position in range(len(state.sentence.tokens) + 1)
            if abs(position - state.cursor) < 4
        ],
        "attention_hidden": 0.2,
        "heads": [],
        "self_heads": [],
    }


def alternatives(state: ParserState) -> list[str]:
    here = [Shift(), Reduce(), Merge(), Copy("lemma"), Copy("sense"), Pred("thing")]
    arcs: list[Action] = []
    for item in state.roots:
        arcs += [LeftArc(item.position, ":ARG0"), RightArc(item.position, ":mod")]
    return [format_action(a) for a in [*here, *arcs] if why_illegal(state, a) is None]


def kinds(state: ParserState) -> list[tuple[str, str | None]]:
    position = state.roots[0].position if len(state.roots) > 1 else 0
    samples: list[tuple[str, Action]] = [
        ("SHIFT", Shift()),
        ("REDUCE", Reduce()),
        ("MERGE", Merge()),
        ("COPY(lemma)", Copy("lemma")),
        ("COPY(sense)", Copy("sense")),
        ("COPY(token)", Copy("token")),
        ("PRED", Pred("thing")),
        ("CONST", Const("-")),
        ("SUBGRAPH", Subgraph("(person :name (name :op* {words}))")),
        ("LA", LeftArc(position, ":poss")),
        ("RA", RightArc(position, ":poss")),
        ("ROOT", Root(position)),
    ]
    return [(kind, why_illegal(state, action)) for kind, action in samples]


def long_trace(num_tokens: int = 60) -> dict[str, Any]:
    """Give a trace of about three and a half actions a token: names, edges, re-entrancies."""
    stems = ("river", "carry", "boat", "slow", "keeper", "watch", "lantern", "old", "promise")
    tokens, lemmas, actions, made = [], [], [], []
    for position in range(num_tokens - 1):
        stem = stems[position % len(stems)]
        tokens.append(stem + ("ed" if position % 2 else "s"))
        lemmas.append(stem)
        if position % 6 == 5:
            actions.append("REDUCE")
            continue
        is_verb = position % 2 == 1
        actions.append("COPY(sense)" if is_verb else "COPY(lemma)")
        made.append((len(actions) - 1, is_verb))
        if len(made) > 1:
            role = (":ARG1", ":mod", ":time", ":location", ":ARG2")[position % 5]
            actions.append(f"RA({made[len(made) // 2 - 1][0]}, {role})")
        if len(made) > 3 and position % 3 == 1:
            actions.append(f"LA({made[-3][0]}, :ARG0)")
        if position % 10 == 4:
            here = made[-1][0]
            actions.append("CONST(-)")
            actions.append(f"RA({here}, :polarity)")
        actions.append("SHIFT")
    tokens.append(".")
    lemmas.append(".")
    actions += ["REDUCE", f"LA({made[0][0]}, root)"]
    return build_trace(tokens, lemmas, actions)
