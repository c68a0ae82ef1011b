"""The oracle's walk as a trace that the canvas steps through, without any probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from aptcore.graph.amr import AmrGraph, Attribute, Edge, Node, Sentence
from aptcore.graph.penman import format_penman
from aptcore.oracle.oracle import OracleResult, variant_of
from aptcore.trace.moment import graph_json, kind_reasons, repair_json
from aptcore.trace.trace import SCHEMA, Trace, decode_trace
from aptcore.transition.actions import Action, format_action
from aptcore.transition.building import Repair, item_names, repaired_graph
from aptcore.transition.machine import advance
from aptcore.transition.state import ItemKey, ParserState, start

_CUT = "The oracle takes these actions for the gold graph; no model took part, so there are no "
_CUT += "probabilities."


def trace_of_oracle(sentence: Sentence, result: OracleResult, variant: str) -> Trace:
    """Replay the oracle's actions and write every moment down.

    Items are called by their gold ids, so that the drawing and the gold graph agree.

    Args:
        sentence: What the actions are for.
        result: What the oracle gave.
        variant: The variant of the oracle that gave it.

    Raises:
        IllegalActionError: If an action is illegal where it is taken.
    """
    states = states_of(sentence, result.actions, variant)
    end = states[-1]
    graph, repairs = repaired_graph(end)
    names = gold_names(end, result.items)
    renamed = {item_names(end)[key]: name for key, name in names.items()}
    shown = renamed_graph(graph, renamed)
    document = {
        "schema": SCHEMA,
        "model": _no_model(variant),
        "sentence": {
            "id": sentence.id,
            "text": sentence.text,
            "tokens": list(sentence.tokens),
            "lemmas": list(sentence.lemmas),
        },
        "beam": 1,
        "prefix_length": len(result.actions),
        "steps": [
            _step(state, action) for state, action in zip(states[:-1], result.actions, strict=True)
        ],
        **_renamed_json(graph_json(end), renamed),
        "failed": end.is_failed,
        "repairs": [repair_json(_renamed_repair(repair, renamed)) for repair in repairs],
        "penman": format_penman(shown, metadata=False),
        "log_prob": None,
        "cut": _CUT,
    }
    return decode_trace(document)


def states_of(sentence: Sentence, actions: Iterable[Action], variant: str) -> list[ParserState]:
    """Give the state before each action, and the last one.

    Raises:
        IllegalActionError: If an action is illegal where it is taken.
    """
    states = [start(sentence, variant_of(variant).action_set)]
    for action in actions:
        states.append(advance(states[-1], action))
    return states


def gold_names(state: ParserState, items: Mapping[ItemKey, str]) -> dict[ItemKey, str]:
    """Call each item by its gold id; what the oracle made up gets a name of its own."""
    return {item.key: items.get(item.key, f"made-up-{item.position}") for item in state.items}


def renamed_graph(graph: AmrGraph, names: Mapping[str, str]) -> AmrGraph:
    """Give a graph other variables; what ``names`` lacks keeps its own."""

    def named(name: str) -> str:
        return names.get(name, name)

    return AmrGraph(
        tuple(Node(named(node.id), node.concept) for node in graph.nodes),
        tuple(
            Attribute(named(part.id), named(part.source), part.role, part.value)
            for part in graph.attributes
        ),
        tuple(Edge(named(edge.source), edge.role, named(edge.target)) for edge in graph.edges),
        named(graph.root),
    )


def _renamed_json(graph: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    items = [{**item, "name": names.get(item["name"], item["name"])} for item in graph["items"]]
    root = graph["root"]
    return {**graph, "items": items, "root": None if root is None else names.get(root, root)}


def _renamed_repair(repair: Repair, names: Mapping[str, str]) -> Repair:
    edge = repair.edge
    if edge is None:
        return repair
    source, target = names.get(edge.source, edge.source), names.get(edge.target, edge.target)
    return replace(repair, edge=Edge(source, edge.role, target))


def _no_model(variant: str) -> dict[str, str]:
    """Name the oracle where a trace names its model."""
    return {
        "id": f"oracle {variant}",
        "hash": "",
        "encoder": "",
        "action_set": variant_of(variant).action_set,
        "device": "",
        "precision": "",
    }


def _step(state: ParserState, action: Action) -> dict[str, Any]:
    return {
        "step": len(state.actions),
        "cursor": state.cursor,
        "span_start": state.span_start,
        "action": format_action(action),
        "log_prob": None,
        "entropy": None,
        "forced": False,
        "alternatives": [],
        "legal": [{"kind": kind, "reason": reason} for kind, reason in kind_reasons(state)],
        "pointer": [],
        "pointer_hidden": 0.0,
        "attention": [],
        "attention_hidden": 0.0,
    }
