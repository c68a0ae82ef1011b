"""One sentence decoded action by action, as frozen values.

The parser makes traces, the oracle's replay makes them, pages draw and exports write them;
``format`` has the same as JSON. Steps, actions, tokens and pointers count from 0. An item or
edge exists from after its step on, so the graph that step k shows is everything whose step is
at most k.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, takewhile
from typing import Literal, Protocol

from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.transition.actions import Action, ActionSet
from aptcore.transition.building import Repair, repaired_graph
from aptcore.transition.guide import Guide
from aptcore.transition.machine import advance, start
from aptcore.transition.state import ItemEdge, ItemKey, ParserState

Weights = tuple[tuple[int, float], ...]
"""Positions and their share of an attention, 0..1."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Which model made a trace, and where it ran; ``hash`` is of its weights."""

    id: str
    hash: str
    encoder: str
    action_set: ActionSet
    device: str
    precision: str


@dataclass(frozen=True, slots=True)
class Step:
    """One decision: the moment before it, what was chosen, and what could have been.

    Attributes:
        step: Position of the action.
        cursor: Token at the cursor before the action; the number of tokens is ``<ROOT>``.
        span_start: First of the tokens joined at the cursor.
        action: The chosen action.
        legal: All kinds of action in a fixed order, each with the reason why it is illegal
            now, None where it is legal.
        log_prob: Natural logarithm of the action's probability, the pointer's included;
            None for a forced action whose label the model does not know, and where no
            model decided.
        entropy: Of the distribution over actions, in nats, where they point included; None
            where no model decided.
        is_forced: Whether a prefix demanded it.
        alternatives: The best legal others with their probabilities, most probable first.
        pointer: Pointer attention on the actions that made items, the largest only.
        pointer_hidden: Share of the pointer attention that is not listed.
        attention: Cross-attention on tokens, mean over layers and heads, the largest only;
            the number of tokens is ``<ROOT>``.
        attention_hidden: Share of the cross-attention that is not listed.
        heads: The same for each layer and head; empty where a trace does not hold it.
        self_heads: For each layer and head of self-attention the largest weights on earlier
            actions; -1 is the start, before any. Empty where a trace does not hold it.
    """

    step: int
    cursor: int
    span_start: int
    action: Action
    legal: tuple[tuple[str, str | None], ...]
    log_prob: float | None = None
    entropy: float | None = None
    is_forced: bool = False
    alternatives: tuple[tuple[Action, float], ...] = ()
    pointer: Weights = ()
    pointer_hidden: float = 0.0
    attention: Weights = ()
    attention_hidden: float = 0.0
    heads: tuple[tuple[Weights, ...], ...] = ()
    self_heads: tuple[tuple[Weights, ...], ...] = ()

    @property
    def probability(self) -> float | None:
        """Probability of the action, 0..1; None where ``log_prob`` is."""
        return None if self.log_prob is None else math.exp(min(0.0, self.log_prob))


@dataclass(frozen=True, slots=True)
class NamedHead:
    """An attention head whose task is fixed.

    Attributes:
        over: What it looks at: ``tokens``, or earlier ``actions``.
        layer: Its layer in the decoder.
        head: Its place in the layer.
        name: What it sees.
    """

    over: Literal["tokens", "actions"]
    layer: int
    head: int
    name: str


@dataclass(frozen=True, slots=True)
class BeamEntry:
    """A hypothesis that came up at a step of the search, kept or not.

    Attributes:
        action: Its newest action.
        score: Sum of log-probabilities of its actions, forced ones left out, in nats.
        parent: Row of the step before that it grew from.
        place: Row that it goes on in; None where it does not.
        status: ``kept``, ``closed`` (finished) or ``pruned``.
    """

    action: Action
    score: float
    parent: int
    place: int | None
    status: Literal["kept", "closed", "pruned"]


@dataclass(frozen=True, slots=True)
class TraceItem:
    """A concept or constant; ``name`` is its variable in the PENMAN text."""

    key: ItemKey
    name: str
    label: str
    is_constant: bool
    tokens: tuple[int, ...]
    step: int


@dataclass(frozen=True)
class Trace:
    """A whole trace.

    Attributes:
        model: Which model made it.
        sentence: As the parser read it.
        steps: The decisions in order.
        items: Everything that was made, in order.
        edges: All edges, in order; repairs are not among them.
        root: Name of the root that was marked; None where none was.
        is_failed: Whether no concept could be made.
        repairs: What was changed to make the graph sound; edges by names.
        penman: The finished graph, repairs included.
        cut: What the trace leaves out, in words.
        beam: Beam width, in hypotheses.
        prefix_length: How many first actions were forced.
        log_prob: Sum over the steps that the model could score, in nats; None where no
            model decided.
        beams: What came up at each step of the search from ``prefix_length`` on, the best
            first; empty where a trace does not hold it.
        named_heads: The heads whose task is fixed; empty where a trace does not hold them.
    """

    model: ModelInfo
    sentence: Sentence
    steps: tuple[Step, ...]
    items: tuple[TraceItem, ...]
    edges: tuple[ItemEdge, ...]
    root: str | None
    is_failed: bool
    repairs: tuple[Repair, ...]
    penman: str
    cut: str = ""
    beam: int = 1
    prefix_length: int = 0
    log_prob: float | None = None
    beams: tuple[tuple[BeamEntry, ...], ...] = ()
    named_heads: tuple[NamedHead, ...] = ()

    @cached_property
    def states(self) -> tuple[ParserState, ...]:
        """The state before each action, and the closed one; worked out by the machine."""
        actions = (step.action for step in self.steps)
        first = start(self.sentence, self.model.action_set)
        return tuple(accumulate(actions, advance, initial=first))

    @cached_property
    def graph(self) -> AmrGraph:
        """The finished graph with its alignments; ``penman`` is its text."""
        names = {item.key: item.name for item in self.items}
        return repaired_graph(self.states[-1], names=names)[0]

    def words_at(self, step: Step) -> str:
        """Give the words at the cursor before a step; ``<ROOT>`` after the last."""
        return " ".join((*self.sentence.tokens, "<ROOT>")[step.span_start : step.cursor + 1])

    def num_shared(self, actions: Iterable[Action]) -> int:
        """Count the first steps, up to the first whose action is another than the given one."""
        pairs = zip(self.steps, actions, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0].action == pair[1], pairs))

    @cached_property
    def hash(self) -> str:
        """The first 16 hexadecimal digits of a sha-256 of all that the trace holds."""
        return hashlib.sha256(repr(self).encode("utf-8")).hexdigest()[:16]


Progress = Callable[[int, int], None]
"""Told how many tokens of a sentence are behind the cursor, and of how many."""


class TracingParser(Protocol):
    """What pages and advice need of a parser; ``AptParser`` has it."""

    @property
    def info(self) -> ModelInfo:
        """Which model it is."""

    def read(self, text: str | Sentence) -> Sentence:
        """Give a sentence as the parser reads it."""

    def trace(
        self,
        text: str | Sentence,
        beam: int = 10,
        prefix: Iterable[Action] = (),
        guide: Guide | None = None,
        progress: Progress | None = None,
        before: Trace | None = None,
    ) -> Trace:
        """Decode one sentence under a prefix and a guide, and keep every step.

        ``before`` is a trace of the same sentence that may be like it: it saves time.
        """


def clamp_step(step: int | None, num_steps: int) -> int:
    """Bring a moment into a trace: None and anything past the end give the last one.

    Args:
        step: How many actions were taken.
        num_steps: How many the trace has.
    """
    return num_steps if step is None else min(max(0, step), num_steps)
