"""Small sentences and graphs for the tests of machine, oracle and building.

Built by hand: no tokeniser runs. ``random_walk`` and the hypothesis strategies draw
what the properties need.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from aptcore.graph.amr import Alignment, AmrGraph, Attribute, Edge, Node, Sentence
from aptcore.graph.penman import parse_penman
from aptcore.transition.actions import Action, ActionSet
from aptcore.transition.arcs import LeftArc, RightArc
from aptcore.transition.closing import Link, Root
from aptcore.transition.items import Const, Copy, Pred, Subgraph
from aptcore.transition.machine import advance, is_legal, start
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.sets import PAPER, parse_action
from aptcore.transition.state import ParserState


def sentence_of(text: str, lemmas: str | None = None, id: str = "s") -> Sentence:
    """Split at blanks; the lemmas are the lower-cased tokens unless given."""
    tokens = tuple(text.split())
    names = tuple((lemmas or text.lower()).split())
    return Sentence(id, text, tokens, names)


def walk(state: ParserState, *actions: str) -> ParserState:
    """Take actions given as text."""
    for action in actions:
        state = advance(state, parse_action(action))
    return state


def begun(text: str, *actions: str, lemmas: str | None = None, action_set: ActionSet = PAPER):
    """Start on a text and take actions given as text."""
    return walk(start(sentence_of(text, lemmas), action_set), *actions)


def aligned(penman: str) -> AmrGraph:
    """Read a graph with ``~e.N`` marks."""
    return parse_penman(penman)


LABELS: tuple[Action, ...] = (
    Shift(),
    Reduce(),
    Merge(),
    Copy("lemma"),
    Copy("sense"),
    Copy("token"),
    Pred("boy"),
    Pred("want-01"),
    Pred("not a concept"),
    Const("-"),
    Const('"Lima"'),
    Subgraph("(city :name (name :op* {words}))"),
    Subgraph("(date-entity :year {year})"),
    Subgraph("(country"),
)
"""Pointer-free actions to draw from, some of which are never legal."""

ROLES = (":ARG0", ":mod", ":ARG1-of")


def candidates(state: ParserState) -> list[Action]:
    """Give actions to choose from in a state, illegal ones and wrong pointers among them."""
    positions = range(-1, len(state.actions) + 1)
    arcs = [make(p, role) for p in positions for role in ROLES for make in (LeftArc, RightArc)]
    roots = [Root(position) for position in positions]
    return [*LABELS, *arcs, *roots, *(Link(position) for position in positions)]


def legal(state: ParserState, among: Iterable[Action]) -> list[Action]:
    """Keep the actions that can be taken now."""
    return [action for action in among if is_legal(state, action)]


def random_walk(
    sentence: Sentence, seed: int, cap: int, action_set: ActionSet = PAPER
) -> ParserState:
    """Take random legal actions; past ``cap`` actions only those that lead to the end."""
    draw = random.Random(seed)
    state = start(sentence, action_set)
    while not state.is_closed:
        choices: Sequence[Action] = legal(state, candidates(state))
        if len(state.actions) >= cap:
            closing = [a for a in choices if isinstance(a, Shift | Reduce)]
            closing += [a for a in choices if isinstance(a, Root)]
            if state.is_at_root:  # joining pieces ends, as there are fewer after each edge
                closing = list(choices)
            choices = closing or [a for a in choices if a == Pred("boy")]
        state = advance(state, draw.choice(choices))
    return state


WORDS = st.sampled_from(["Lima", "two", "2011", "boy", "wants", "(", "it's", "?", "☺"])


@st.composite
def sentences(draw: st.DrawFn, min_size: int = 0) -> Sentence:
    """Draw a sentence of some words, numbers, punctuation and signs."""
    tokens = tuple(draw(st.lists(WORDS, min_size=min_size, max_size=7)))
    lemmas = tuple({"wants": "want", "two": "2"}.get(token, token.lower()) for token in tokens)
    return Sentence("drawn", " ".join(tokens), tokens, lemmas)


CONCEPTS = ("boy", "want-01", "name", "date-entity", "temporal-quantity", "want", "city", "a b")
VALUES = ("-", "2", '"Lima"', '"two"', "2011", '"a b"')
EDGE_ROLES = (":ARG0", ":ARG1", ":name", ":mod", ":op1", ":consist-of")
VALUE_ROLES = (":op1", ":op2", ":year", ":quant", ":polarity", ":mod")


@st.composite
def graphs(draw: st.DrawFn, num_tokens: int) -> AmrGraph:
    """Draw a connected graph with loops, cycles and re-entrancy, aligned at random.

    Some concepts cannot be written; some items have no alignment or a broken run.
    """
    size = draw(st.integers(1, 6))
    names = [f"v{place}" for place in range(size)]
    nodes = tuple(Node(name, draw(st.sampled_from(CONCEPTS))) for name in names)
    pairs = []
    for place in range(1, size):
        other = draw(st.integers(0, place - 1))
        pairs.append((other, place) if draw(st.booleans()) else (place, other))
    place = st.integers(0, size - 1)
    pairs += draw(st.lists(st.tuples(place, place), max_size=4))
    edges = [Edge(names[s], draw(st.sampled_from(EDGE_ROLES)), names[t]) for s, t in pairs]
    values = draw(
        st.lists(
            st.tuples(place, st.sampled_from(VALUE_ROLES), st.sampled_from(VALUES)),
            max_size=5,
            unique=True,
        )
    )
    attributes = tuple(
        Attribute(f"c{number}", names[owner], role, value)
        for number, (owner, role, value) in enumerate(values)
    )
    alignments = {}
    for key in (*names, *(attribute.id for attribute in attributes)):
        tokens = draw(st.sets(st.integers(0, num_tokens - 1), max_size=3)) if num_tokens else ()
        if tokens:
            alignments[key] = Alignment(tuple(sorted(tokens)), "given")
    root = names[draw(place)]
    return AmrGraph(nodes, attributes, tuple(dict.fromkeys(edges)), root, alignments)
