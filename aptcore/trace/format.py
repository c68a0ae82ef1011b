"""A trace as JSON values and back, schema 1; docs/trace-format.md tells what each field holds.

Figures are written as the trace has them: whoever makes a trace rounds them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from aptcore.errors import FormatError
from aptcore.graph.amr import Edge, Sentence
from aptcore.trace.trace import BeamEntry, ModelInfo, NamedHead, Step, Trace, TraceItem, Weights
from aptcore.transition.actions import format_action
from aptcore.transition.building import Repair
from aptcore.transition.sets import ACTION_SETS, parse_action
from aptcore.transition.state import ItemEdge

SCHEMA = 1


def encode_trace(trace: Trace) -> dict[str, Any]:
    """Give a trace as a JSON object."""
    return {
        "schema": SCHEMA,
        "model": asdict(trace.model) | {"action_set": trace.model.action_set.name},
        "sentence": _encode_sentence(trace.sentence),
        "beam": trace.beam,
        "prefix_length": trace.prefix_length,
        "steps": [_encode_step(step) for step in trace.steps],
        "items": [_encode_item(item) for item in trace.items],
        "edges": [_encode_edge(edge) for edge in trace.edges],
        "root": trace.root,
        "failed": trace.is_failed,
        "repairs": [asdict(repair) for repair in trace.repairs],
        "penman": trace.penman,
        "log_prob": trace.log_prob,
        "beams": [[_encode_entry(entry) for entry in entries] for entries in trace.beams],
        "named_heads": [asdict(named) for named in trace.named_heads],
        "cut": trace.cut,
    }


def decode_trace(document: Mapping[str, Any], *, path: str | None = None) -> Trace:
    """Read a trace from its JSON object.

    Args:
        document: The object as ``json.loads`` gives it.
        path: The file it came from, for messages.

    Raises:
        FormatError: If the schema is another one, or a field is missing or of a wrong type.
    """
    schema = document.get("schema")
    if schema != SCHEMA:
        raise FormatError(
            f"the trace has schema {schema!r}, this program reads schema {SCHEMA}: make it anew",
            path=path,
        )
    try:
        return _decode(document)
    except KeyError as error:
        raise FormatError(f"the trace lacks the field {error.args[0]!r}", path=path) from error
    except (TypeError, ValueError, AttributeError, FormatError) as error:
        raise FormatError(f"the trace is damaged: {error}", path=path) from error


def load_trace(path: Path) -> Trace:
    """Read a trace from a file.

    Raises:
        FormatError: With the path, if the file is no trace.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise FormatError(f"the file is not JSON: {error}", path=str(path)) from error
    if not isinstance(document, dict):
        raise FormatError("the file holds no trace object", path=str(path))
    return decode_trace(document, path=str(path))


def _decode(document: Mapping[str, Any]) -> Trace:
    log_prob = document["log_prob"]
    return Trace(
        model=_decode_model(document["model"]),
        sentence=_decode_sentence(document["sentence"]),
        beam=int(document["beam"]),
        prefix_length=int(document.get("prefix_length", 0)),
        steps=tuple(_decode_step(step) for step in document["steps"]),
        items=tuple(_decode_item(item) for item in document["items"]),
        edges=tuple(_decode_edge(edge) for edge in document["edges"]),
        root=document["root"],
        is_failed=bool(document["failed"]),
        repairs=tuple(_decode_repair(repair) for repair in document["repairs"]),
        penman=document["penman"],
        log_prob=None if log_prob is None else float(log_prob),
        beams=tuple(tuple(map(_decode_entry, rows)) for rows in document.get("beams", ())),
        named_heads=tuple(map(_decode_named, document.get("named_heads", ()))),
        cut=document["cut"],
    )


def _decode_model(model: Mapping[str, Any]) -> ModelInfo:
    names = ("id", "hash", "encoder", "device", "precision")
    if model["action_set"] not in ACTION_SETS:
        raise ValueError(f"there is no action set {model['action_set']!r}")
    action_set = ACTION_SETS[model["action_set"]]
    return ModelInfo(**{name: model[name] for name in names}, action_set=action_set)


def _encode_sentence(sentence: Sentence) -> dict[str, Any]:
    """Give a sentence; ``derived`` only where COPY makes anything of a word."""
    values = asdict(sentence)
    if not any(sentence.derived):
        del values["derived"]
    return values


def _decode_sentence(sentence: Mapping[str, Any]) -> Sentence:
    derived = sentence.get("derived", ())
    return Sentence(
        sentence["id"],
        sentence["text"],
        tuple(sentence["tokens"]),
        tuple(sentence["lemmas"]),
        tuple(tuple((kind, concept) for kind, concept in pairs) for pairs in derived),
    )


def _encode_step(step: Step) -> dict[str, Any]:
    return {
        "step": step.step,
        "cursor": step.cursor,
        "span_start": step.span_start,
        "action": format_action(step.action),
        "log_prob": step.log_prob,
        "entropy": step.entropy,
        "forced": step.is_forced,
        "alternatives": [
            {"action": format_action(action), "probability": probability}
            for action, probability in step.alternatives
        ],
        "legal": [{"kind": kind, "reason": reason} for kind, reason in step.legal],
        "pointer": _encode_weights(step.pointer),
        "pointer_hidden": step.pointer_hidden,
        "attention": _encode_weights(step.attention),
        "attention_hidden": step.attention_hidden,
        "heads": [[_encode_weights(head) for head in layer] for layer in step.heads],
        "self_heads": [[_encode_weights(head) for head in layer] for layer in step.self_heads],
    }


def _decode_step(step: Mapping[str, Any]) -> Step:
    log_prob, entropy = step["log_prob"], step["entropy"]
    return Step(
        step=int(step["step"]),
        cursor=int(step["cursor"]),
        span_start=int(step["span_start"]),
        action=parse_action(step["action"]),
        log_prob=None if log_prob is None else float(log_prob),
        entropy=None if entropy is None else float(entropy),
        is_forced=bool(step["forced"]),
        alternatives=tuple(
            (parse_action(other["action"]), float(other["probability"]))
            for other in step["alternatives"]
        ),
        legal=tuple((kind["kind"], kind["reason"]) for kind in step["legal"]),
        pointer=_decode_weights(step["pointer"]),
        pointer_hidden=float(step["pointer_hidden"]),
        attention=_decode_weights(step["attention"]),
        attention_hidden=float(step["attention_hidden"]),
        heads=_decode_heads(step.get("heads", ())),
        self_heads=_decode_heads(step.get("self_heads", ())),
    )


def _decode_heads(layers: Iterable[Iterable[Any]]) -> tuple[tuple[Weights, ...], ...]:
    return tuple(tuple(map(_decode_weights, layer)) for layer in layers)


def _encode_weights(weights: Weights) -> list[list[float]]:
    return [[position, weight] for position, weight in weights]


def _decode_weights(pairs: Iterable[Iterable[float]]) -> Weights:
    return tuple((int(position), float(weight)) for position, weight in pairs)


def _encode_item(item: TraceItem) -> dict[str, Any]:
    return {
        "key": list(item.key),
        "name": item.name,
        "label": item.label,
        "constant": item.is_constant,
        "tokens": list(item.tokens),
        "step": item.step,
    }


def _decode_item(item: Mapping[str, Any]) -> TraceItem:
    position, index = item["key"]
    return TraceItem(
        key=(int(position), int(index)),
        name=item["name"],
        label=item["label"],
        is_constant=bool(item["constant"]),
        tokens=tuple(int(token) for token in item["tokens"]),
        step=int(item["step"]),
    )


def _encode_edge(edge: ItemEdge) -> dict[str, Any]:
    return {
        "source": list(edge.source),
        "role": edge.role,
        "target": list(edge.target),
        "step": edge.made_by,
    }


def _decode_edge(edge: Mapping[str, Any]) -> ItemEdge:
    (source, inside), (target, below) = edge["source"], edge["target"]
    ends = (int(source), int(inside)), (int(target), int(below))
    return ItemEdge(ends[0], edge["role"], ends[1], int(edge["step"]))


def _decode_repair(repair: Mapping[str, Any]) -> Repair:
    edge = repair["edge"]
    made = None if edge is None else Edge(edge["source"], edge["role"], edge["target"])
    return Repair(repair["kind"], repair["text"], made)


def _encode_entry(entry: BeamEntry) -> dict[str, Any]:
    return {
        "action": format_action(entry.action),
        "score": entry.score,
        "parent": entry.parent,
        "place": entry.place,
        "status": entry.status,
    }


def _decode_entry(entry: Mapping[str, Any]) -> BeamEntry:
    place, status = entry["place"], entry["status"]
    if status not in ("kept", "closed", "pruned"):
        raise ValueError(f"a hypothesis of the beam has the status {status!r}")
    return BeamEntry(
        parse_action(entry["action"]),
        float(entry["score"]),
        int(entry["parent"]),
        None if place is None else int(place),
        status,
    )


def _decode_named(named: Mapping[str, Any]) -> NamedHead:
    if named["over"] not in ("tokens", "actions"):
        raise ValueError(f"a head looks at {named['over']!r}")
    return NamedHead(named["over"], int(named["layer"]), int(named["head"]), str(named["name"]))
