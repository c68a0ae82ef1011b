"""A parser trace as typed, frozen values, read from its JSON (schema 1).

Steps, actions and pointers count from 0. An item or edge exists from after its
step on, so the graph that step k shows is everything whose step is at most k.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aptcore.errors import FormatError


def clamp_step(step: int | None, num_steps: int) -> int:
    """Bring a step into a trace: None and anything past the end give the last one."""
    last = max(0, num_steps - 1)
    return last if step is None else min(max(0, step), last)


SCHEMA = 1

Weights = tuple[tuple[int, float], ...]
"""Positions and their share of an attention, most first; shares are 0..1."""

Key = tuple[int, int]
"""Position of the action that made an item, and its index inside a template."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Which model made a trace, and where it ran."""

    id: str
    hash: str
    encoder: str
    action_set: str
    device: str
    precision: str


@dataclass(frozen=True, slots=True)
class Alternative:
    """A legal action that was not taken; ``probability`` is 0..1."""

    action: str
    probability: float


@dataclass(frozen=True, slots=True)
class Legality:
    """A kind of action; ``reason`` says why it is illegal now, None where it is legal."""

    kind: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One decision: the moment before it, what was chosen, and what could have been.

    Attributes:
        step: Position of the action.
        cursor: Token at the cursor before the action; the number of tokens is ``<ROOT>``.
        span_start: First of the tokens joined at the cursor.
        action: The chosen action as text.
        probability: Its probability, 0..1, pointer included; None for a forced action
            that the model does not know, and where no model decided.
        entropy: Of the distribution over legal labels, in nats; None where no model
            decided.
        is_forced: Whether a prefix demanded it.
        alternatives: The best legal others, most probable first.
        legality: All kinds of action, in a fixed order.
        pointer: Pointer attention on the actions that made items, largest first.
        pointer_hidden: Share of the pointer attention that is not listed.
        attention: Cross-attention on tokens, largest first; the number of tokens is
            ``<ROOT>``.
        attention_hidden: Share of the cross-attention that is not listed.
        heads: The same for each layer and head; empty where a trace does not hold it.
    """

    step: int
    cursor: int
    span_start: int
    action: str
    probability: float | None
    entropy: float | None
    is_forced: bool
    alternatives: tuple[Alternative, ...]
    legality: tuple[Legality, ...]
    pointer: Weights
    pointer_hidden: float
    attention: Weights
    attention_hidden: float
    heads: tuple[tuple[Weights, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class BeamRow:
    """A hypothesis that came up at a step of the search.

    Attributes:
        action: Its newest action.
        score: Sum of its log-probabilities after the prefix, in nats.
        parent: Row of the step before that it grew from.
        place: Row that it goes on in; None where it does not.
        status: ``kept``, ``closed`` or ``pruned``.
    """

    action: str
    score: float
    parent: int
    place: int | None
    status: str


@dataclass(frozen=True, slots=True)
class TraceItem:
    """A concept or constant; ``name`` is its variable in the PENMAN text."""

    key: Key
    name: str
    label: str
    is_constant: bool
    tokens: tuple[int, ...]
    step: int


@dataclass(frozen=True, slots=True)
class TraceEdge:
    """An edge between two items, made by the action at ``step``."""

    source: Key
    role: str
    target: Key
    step: int


@dataclass(frozen=True, slots=True)
class TraceRepair:
    """A change that made the finished graph sound; ``edge`` is (source, role, target) names."""

    kind: str
    text: str
    edge: tuple[str, str, str] | None


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole trace.

    Attributes:
        model: Which model made it.
        text: The sentence as given.
        tokens: Its tokens, ``<ROOT>`` not among them.
        beam: Beam width, in hypotheses.
        prefix_length: How many first actions were forced.
        beams: What came up at each step of the search from ``prefix_length`` on, the best
            first; empty where a trace does not hold it.
        steps: The decisions in order.
        items: Everything that was made, in order.
        edges: All edges, in order; repairs are not among them.
        root: Name of the root that was marked; None where none was.
        is_failed: Whether no concept could be made.
        repairs: What was changed to make the graph sound.
        penman: The finished graph.
        cut: What the trace leaves out, in words.
        hash: Sha-256 of the trace's JSON, 16 hexadecimal digits.
        document: The JSON object itself, for export.
    """

    model: ModelInfo
    text: str
    tokens: tuple[str, ...]
    beam: int
    prefix_length: int
    beams: tuple[tuple[BeamRow, ...], ...]
    steps: tuple[TraceStep, ...]
    items: tuple[TraceItem, ...]
    edges: tuple[TraceEdge, ...]
    root: str | None
    is_failed: bool
    repairs: tuple[TraceRepair, ...]
    penman: str
    cut: str
    hash: str
    document: Mapping[str, Any] = field(repr=False, compare=False)


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
    except (TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"the trace is damaged: {error}", path=path) from error


def hash_of(document: Mapping[str, Any]) -> str:
    """Give the first 16 hexadecimal digits of the sha-256 of a JSON object."""
    text = json.dumps(document, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _decode(document: Mapping[str, Any]) -> Trace:
    model, sentence = document["model"], document["sentence"]
    return Trace(
        model=ModelInfo(
            id=model["id"],
            hash=model["hash"],
            encoder=model["encoder"],
            action_set=model["action_set"],
            device=model["device"],
            precision=model["precision"],
        ),
        text=sentence["text"],
        tokens=tuple(sentence["tokens"]),
        beam=int(document["beam"]),
        prefix_length=int(document.get("prefix_length", 0)),
        beams=tuple(tuple(_decode_row(row) for row in rows) for rows in document.get("beams", ())),
        steps=tuple(_decode_step(step) for step in document["steps"]),
        items=tuple(_decode_item(item) for item in document["items"]),
        edges=tuple(_decode_edge(edge) for edge in document["edges"]),
        root=document["root"],
        is_failed=bool(document["failed"]),
        repairs=tuple(_decode_repair(repair) for repair in document["repairs"]),
        penman=document["penman"],
        cut=document["cut"],
        hash=hash_of(document),
        document=document,
    )


def _decode_step(step: Mapping[str, Any]) -> TraceStep:
    log_prob, entropy = step["log_prob"], step["entropy"]
    return TraceStep(
        step=int(step["step"]),
        cursor=int(step["cursor"]),
        span_start=int(step["span_start"]),
        action=step["action"],
        probability=None if log_prob is None else math.exp(min(0.0, float(log_prob))),
        entropy=None if entropy is None else float(entropy),
        is_forced=bool(step["forced"]),
        alternatives=tuple(
            Alternative(other["action"], float(other["probability"]))
            for other in step["alternatives"]
        ),
        legality=tuple(Legality(kind["kind"], kind["reason"]) for kind in step["legal"]),
        pointer=_decode_weights(step["pointer"]),
        pointer_hidden=float(step["pointer_hidden"]),
        attention=_decode_weights(step["attention"]),
        attention_hidden=float(step["attention_hidden"]),
        heads=tuple(
            tuple(_decode_weights(head) for head in layer) for layer in step.get("heads", ())
        ),
    )


def _decode_row(row: Mapping[str, Any]) -> BeamRow:
    place, status = row["place"], row["status"]
    if status not in ("kept", "closed", "pruned"):
        raise ValueError(f"a hypothesis of the beam has the status {status!r}")
    return BeamRow(
        row["action"],
        float(row["score"]),
        int(row["parent"]),
        None if place is None else int(place),
        status,
    )


def _decode_weights(pairs: list[list[float]]) -> Weights:
    weights = [(int(position), float(weight)) for position, weight in pairs]
    return tuple(sorted(weights, key=lambda pair: -pair[1]))


def _decode_key(key: list[int]) -> Key:
    position, index = key
    return int(position), int(index)


def _decode_item(item: Mapping[str, Any]) -> TraceItem:
    return TraceItem(
        key=_decode_key(item["key"]),
        name=item["name"],
        label=item["label"],
        is_constant=bool(item["constant"]),
        tokens=tuple(int(token) for token in item["tokens"]),
        step=int(item["step"]),
    )


def _decode_edge(edge: Mapping[str, Any]) -> TraceEdge:
    return TraceEdge(
        _decode_key(edge["source"]), edge["role"], _decode_key(edge["target"]), int(edge["step"])
    )


def _decode_repair(repair: Mapping[str, Any]) -> TraceRepair:
    edge = repair["edge"]
    names = None if edge is None else (edge["source"], edge["role"], edge["target"])
    return TraceRepair(repair["kind"], repair["text"], names)
