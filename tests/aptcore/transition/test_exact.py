"""The own action set ``exact``: every sound graph is reached, and what its actions allow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.errors import ActionFormatError
from aptcore.graph.amr import Alignment, AmrGraph, Attribute, Edge, Node, Sentence
from aptcore.graph.branches import is_writable_concept, quote
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.oracle.oracle import oracle_actions
from aptcore.oracle.report import checked_replay
from aptcore.transition.actions import ActionSet, format_action, format_label
from aptcore.transition.building import repaired_graph
from aptcore.transition.closing import Link
from aptcore.transition.items import Copy
from aptcore.transition.machine import replay, start, why_illegal
from aptcore.transition.sets import EXACT, PAPER, parse_action, parse_label
from aptcore.transition.state import ParserState
from tests.aptcore.walks import aligned, begun, sentence_of, walk

DERIVED = ((("adjective", "slow"), ("verb", "slow-01")), (("verb", "go-02"),), ())
SLOWLY = replace(sentence_of("slowly going two", "slowly go 2"), derived=DERIVED)


def moves(sentence: Sentence, penman: str) -> list[str]:
    """The actions of ``exact`` as text; the replay must lose nothing."""
    graph = aligned(penman)
    result = oracle_actions(sentence, graph, "exact")
    _, found = checked_replay(sentence, graph, result, "exact")
    assert not result.unreachable
    assert not found.missing
    assert not found.extra
    return [format_action(action) for action in result.actions]


# --- copies ---------------------------------------------------------------------


def test_copies_go_from_the_lemma_over_the_sense_to_derived_kinds() -> None:
    penman = "(a / slowly~0 :mod (b / slowly-01~0) :mod (c / slow~0) :mod (d / slow-01~0))"
    made = [move for move in moves(SLOWLY, penman) if not move.startswith(("LA", "RA", "RED"))]
    assert made == ["COPY(lemma)", "COPY(sense)", "COPY(adjective)", "COPY(verb)", "SHIFT"]


def test_constants_that_are_the_words_are_copied() -> None:
    penman = '(g / go-02~1 :quant 2~2 :li "two"~2 :mod two~2)'
    assert moves(SLOWLY, penman)[1:] == [
        "COPY(verb)",
        "SHIFT",
        "COPY(token)",
        "RA(1, :quant)",
        'CONST("two")',
        "RA(1, :li)",
        "CONST(two)",
        "RA(1, :mod)",
        "SHIFT",
        "LA(1, root)",
    ]


def test_a_derived_copy_makes_the_concept_that_the_sentence_names() -> None:
    state = walk(start(SLOWLY, EXACT), "COPY(verb)")
    assert [(item.label, item.is_constant) for item in state.items] == [("slow-01", False)]


@pytest.mark.parametrize(
    ("sentence", "action_set", "before", "reason"),
    [
        (SLOWLY, PAPER, (), "not in the paper's action set"),
        (SLOWLY, EXACT, ("MERGE",), "tokens were merged here"),
        (SLOWLY, EXACT, ("REDUCE", "REDUCE"), "no concept of the kind 'verb' is known for “two”"),
        (replace(SLOWLY, derived=()), EXACT, (), "no concept of the kind 'verb' is known for"),
        (replace(SLOWLY, derived=((("verb", "a b"),), (), ())), EXACT, (), "no concept of the"),
    ],
)
def test_a_derived_copy_needs_its_table_and_a_single_word(
    sentence: Sentence, action_set: ActionSet, before: tuple[str, ...], reason: str
) -> None:
    state = walk(start(sentence, action_set), *before)
    assert reason in str(why_illegal(state, Copy("verb")))


# --- awkward graphs -------------------------------------------------------------


@pytest.mark.parametrize(
    "penman",
    [
        "(b / boy~0)",
        "(b / boy~0 :ARG0 b)",
        "(b / boy~0 :ARG0 b :ARG1 b :polarity -~0)",
        "(a / a~0 :ARG0 (b / b~1 :ARG0 a :ARG1 a) :ARG1 b)",
        "(a / a~0 :ARG0 (b / a~0 :ARG0 (c / a~0 :ARG0 a)))",
        "(t / thing~0 :ARG1 2~0 :mod (a / 2~0) :quant 2~1)",
        '(n / name~0 :op2 "a"~0 :op1 "b"~1 :op4 "c"~0)',
        '(c / city~1 :name (n / name~0 :op1 "x"~0 :op2 "y"~1) :ARG0-of (f / fine~0 :ARG1 n))',
        "(d / date-entity~0 :year 2011~0 :month 5 :day 32)",
        "(m / multi-sentence :snt1 (a / a~0) :snt2 (b / b~1 :ARG0 a) :snt3 (c / c :snt2 m))",
        '(c / "Baker"~0 :mod (x / ":-)"~1))',
        '(s / say-01~0 :ARG1 (q / string-entity~1 :value "say \\"(hi)\\" : /~1"~1))',
        "(a / and :op1 (b / b~0) :op2 (c / c~1) :op11 (d / d~0) :op3 (e / e~1) :op2 (f / f))",
        "(a / a :ARG0-of (b / b :ARG1-of (c / c :consist-of a)) :li -1 :mod +)",
    ],
)
def test_awkward_graphs_are_reached_whole(penman: str) -> None:
    moves(sentence_of("x y"), penman)


# --- every sound graph ----------------------------------------------------------

CHARACTERS = st.one_of(
    st.sampled_from(list("aB1-.'\"\\()/:~*_,+%#{}[]")),
    st.sampled_from(list("éßøשלוםمرحبا中文☺\u200f\u0301\U0001f600")),
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")),
)
TOKENS = st.one_of(
    st.sampled_from(["two", "2011", "May", "5th", "name", "New", "York", "it's", '"', "(", ":-)"]),
    st.text(CHARACTERS, min_size=1, max_size=6).filter(lambda text: len(text.split()) == 1),
)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """Any tokens, spaced or not, with lemmas and derived concepts of any kind."""
    tokens = draw(st.lists(TOKENS, min_size=1, max_size=6))
    gaps = draw(st.lists(st.sampled_from(["", " ", "  "]), min_size=len(tokens)))
    text = "".join(token + gap for token, gap in zip(tokens, gaps, strict=False)).strip()
    lemmas = tuple(draw(st.one_of(st.just(token.lower()), TOKENS)) for token in tokens)
    pairs = st.tuples(st.sampled_from(["adjective", "verb", "lemma"]), st.one_of(NAMES, TOKENS))
    derived = tuple(tuple(draw(st.lists(pairs, max_size=3))) for _ in tokens)
    return Sentence("drawn", text, tuple(tokens), lemmas, draw(st.sampled_from([(), derived])))


NAMES = st.sampled_from(
    "boy want-01 name date-entity temporal-quantity ordinal-entity city 2 and".split()
)
ROLES = st.sampled_from(
    ":ARG0 :ARG1 :name :mod :op1 :op2 :op10 :consist-of :snt1 :domain :polarity".split()
)
VALUE_ROLES = st.sampled_from(
    ":op1 :op2 :op3 :op10 :year :month :day :quant :value :polarity :mod :ARG2 :ARG0-of".split()
)


def concepts_for(sentence: Sentence) -> st.SearchStrategy[str]:
    """Names, words of the sentence and any others, quoted where they need to be."""
    words = st.one_of(st.sampled_from([*sentence.tokens, *sentence.lemmas]), TOKENS)
    written = words.map(lambda word: word if is_writable_concept(word) else quote(word))
    return st.one_of(NAMES, written, written.map(lambda word: f"{word}-01")).filter(
        lambda concept: is_writable_concept(concept) or concept.endswith('"')
    )


def values_for(sentence: Sentence) -> st.SearchStrategy[str]:
    """Figures, signs, and words of the sentence as strings."""
    words = st.one_of(st.sampled_from(sentence.tokens), TOKENS).map(quote)
    return st.one_of(st.sampled_from(["-", "+", "2", "5", "2011", "imperative"]), words)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Sentence, AmrGraph]:
    """A sentence and a sound graph over it, aligned at random.

    Second edges in either direction, loops, cycles, re-entrancy, several unconnected nodes
    at one token, broken runs of tokens and items without alignment all come up.
    """
    sentence = draw(sentences())
    size = draw(st.integers(1, 7))
    names = [f"v{place}" for place in range(size)]
    concepts, values = concepts_for(sentence), values_for(sentence)
    nodes = tuple(Node(name, draw(concepts)) for name in names)
    ends = []
    for place in range(1, size):
        other = draw(st.integers(0, place - 1))
        ends.append((other, place) if draw(st.booleans()) else (place, other))
    place = st.integers(0, size - 1)
    ends += draw(st.lists(st.tuples(place, place), max_size=5))
    edges = tuple(dict.fromkeys(Edge(names[s], draw(ROLES), names[t]) for s, t in ends))
    owned = draw(st.lists(st.tuples(place, VALUE_ROLES, values), max_size=6, unique=True))
    attributes = tuple(
        Attribute(f"c{number}", names[owner], role, value)
        for number, (owner, role, value) in enumerate(owned)
    )
    alignments = {}
    for key in (*names, *(attribute.id for attribute in attributes)):
        tokens = draw(st.sets(st.integers(0, len(sentence.tokens) - 1), max_size=3))
        if tokens:
            alignments[key] = Alignment(tuple(sorted(tokens)), "given")
    graph = AmrGraph(nodes, attributes, edges, names[draw(place)], alignments)
    return sentence, graph


@settings(deadline=None, max_examples=400)
@given(pairs())
def test_every_sound_graph_is_replayed_whole(pair: tuple[Sentence, AmrGraph]) -> None:
    sentence, graph = pair
    result = oracle_actions(sentence, graph, "exact")
    assert not result.unreachable
    state, found = checked_replay(sentence, graph, result, "exact")
    assert not found.missing
    assert not found.extra
    built, repairs = repaired_graph(state)
    assert not repairs
    assert replay(sentence, result.actions, EXACT) == state
    read = parse_penman(format_penman(built))
    assert len(read.nodes) == len(graph.nodes)
    assert len(read.edges) == len(graph.edges)
    assert len(read.attributes) == len(graph.attributes)


# --- joining what is apart ------------------------------------------------------


def apart() -> ParserState:
    """Three pieces on ``<ROOT>``: boy with old, a constant, and want-01."""
    sentence = sentence_of("old boys two want")
    return walk(
        start(sentence, EXACT),
        *("PRED(old)", "SHIFT", "PRED(boy)", "LA(0, :mod)", "SHIFT"),
        *("CONST(2)", "SHIFT", "PRED(want-01)", "SHIFT"),
    )


def why(state: ParserState, action: str) -> str | None:
    return why_illegal(state, parse_action(action))


def test_the_root_waits_until_everything_hangs_together() -> None:
    state = apart()
    assert state.pieces == (0, 0, 2, 3)
    reason = "the graph is in 3 pieces: join them by LINK and an edge"
    assert why(state, "LA(7, root)") == reason
    state = walk(state, "LINK(5)", "RA(2, :quant)", "LINK(7)")
    assert why(state, "LA(7, root)") == "a node was linked just now: join it by an edge first"
    state = walk(state, "LA(2, :ARG0)")
    assert state.pieces == (0, 0, 0, 0)
    assert why(state, "LINK(2)") == "everything hangs together: mark the root"
    closed = walk(state, "LA(7, root)")
    graph, repairs = repaired_graph(closed)
    assert not repairs
    assert format_penman(graph, metadata=False).split() == (
        "(w / want-01 :ARG0 (b / boy :quant 2 :mod (o / old)))".split()
    )


def test_in_the_papers_set_pieces_are_joined_by_repairs_only() -> None:
    state = walk(start(sentence_of("a b"), PAPER), "PRED(a)", "SHIFT", "PRED(b)", "SHIFT")
    assert why(state, "LINK(0)") == "not in the paper's action set"
    assert repaired_graph(walk(state, "LA(0, root)"))[1]


def test_link_names_an_item_that_can_be_joined() -> None:
    state = apart()
    assert why(state, "LINK(1)") == "action 1 (SHIFT) made no node; nodes were made at: 0, 2, 5, 7"
    parented = walk(state, "LINK(5)", "RA(2, :quant)")
    assert why(parented, "LINK(5)") == "the constant 2 has its one parent already"
    early = walk(start(sentence_of("a b"), EXACT), "PRED(a)")
    reason = "boy is in the largest piece: link a node of a smaller one"
    assert why(state, "LINK(2)") == why(parented, "LINK(2)") == reason
    assert why(early, "LINK(0)") == "what is still apart is linked after the last token"
    assert why(state, "RA(2, :mod)") == "only the root can be marked here"


def test_the_edge_after_link_joins_two_pieces() -> None:
    state = walk(apart(), "LINK(7)")
    reason = "want-01 and want-01 hang together: join two pieces after LINK"
    assert why(state, "LA(7, :ARG0)") == reason
    assert why(state, "LA(2, :ARG0)") is None
    assert why(state, "LINK(2)") == "a node was linked just now: join it by an edge first"
    assert why(state, "LA(5, :quant)") is None
    assert why(state, "RA(5, :quant)") == "the constant 2 cannot have an outgoing edge"


def test_a_walk_of_constants_only_needs_no_link() -> None:
    state = walk(start(Sentence("", "☺", ("☺",), ("☺",)), EXACT), "CONST(-)", "SHIFT")
    assert why(state, "LINK(0)") == "there is no concept to join anything to"
    assert walk(state, "REDUCE").is_failed


def test_a_constant_does_not_stand_twice_under_one_role() -> None:
    before = ("PRED(go-02)", "CONST(-)", "RA(0, :polarity)", "CONST(-)")
    state = walk(start(sentence_of("x"), EXACT), *before)
    assert why(state, "RA(0, :polarity)") == "the constant - stands at go-02 :polarity already"
    assert why(state, "RA(0, :mod)") is None
    assert why(walk(start(sentence_of("x"), PAPER), *before), "RA(0, :polarity)") is None


def test_link_and_its_text_round_trip() -> None:
    assert parse_action("LINK(12)") == Link(12)
    assert format_action(Link(12)) == "LINK(12)"
    assert format_label(Link(12)) == "LINK"
    assert parse_label("LINK", 4) == Link(4)
    with pytest.raises(ActionFormatError, match=r"write LINK\(position\)"):
        parse_action("LINK(:mod)")


def test_after_link_a_constant_may_repeat_so_that_every_walk_can_end() -> None:
    before = ("PRED(go-02)", "CONST(-)", "RA(0, :mod)", "CONST(-)", "SHIFT", "LINK(3)")
    state = walk(start(sentence_of("x"), EXACT), *before, "RA(0, :mod)", "LA(0, root)")
    (repair,) = repaired_graph(state)[1]
    assert repair.text == "the constant - is at go-02 :mod twice"


def test_what_a_lost_concept_held_together_is_joined_at_the_end() -> None:
    graph = AmrGraph(
        (Node("a", "a b"), Node("b", "boy"), Node("c", "cat")),
        (),
        (Edge("a", ":ARG0", "b"), Edge("a", ":ARG1", "c")),
        "b",
        {"b": Alignment((0,), "given"), "c": Alignment((1,), "given")},
    )
    result = oracle_actions(sentence_of("boy cat"), graph)
    assert [lost.piece for lost in result.unreachable] == ["a / a b", "a :ARG0 b", "a :ARG1 c"]
    state, found = checked_replay(sentence_of("boy cat"), graph, result)
    assert found.extra == (("b", ":mod", "c"),)
    assert not repaired_graph(state)[1]


# --- lists ----------------------------------------------------------------------


def test_the_machine_numbers_the_members_of_a_list() -> None:
    sentence = sentence_of("tea milk and jam", "tea milk and jam")
    penman = "(a / and~2 :op1 (t / tea~0) :op2 (m / milk~1) :op3 (j / jam~3))"
    assert moves(sentence, penman) == [
        "COPY(lemma)",
        "SHIFT",
        "COPY(lemma)",
        "SHIFT",
        "COPY(lemma)",
        "LA(0, :op*)",
        "LA(2, :op*)",
        "SHIFT",
        "COPY(lemma)",
        "RA(4, :op*)",
        "SHIFT",
        "LA(4, root)",
    ]


def test_a_number_that_is_not_the_next_free_one_is_written_out() -> None:
    sentence = sentence_of("tea and jam", "tea and jam")
    penman = "(a / and~1 :op2 (t / tea~0) :op1 (j / jam~2))"
    assert [move for move in moves(sentence, penman) if ":op" in move] == [
        "LA(0, :op2)",
        "RA(2, :op*)",
    ]
    assert "RA(0, :op2)" in moves(sentence, "(a / and~0 :op2 (j / jam~2))")


def test_no_list_is_too_long() -> None:
    words = [f"w{number}" for number in range(30)]
    sentence = sentence_of(" ".join(["and", *words]), " ".join(["and", *words]))
    members = " ".join(f":op{n} ({word} / {word}~{n})" for n, word in enumerate(words, 1))
    made = moves(sentence, f"(a / and~0 {members})")
    assert made.count("RA(0, :op*)") == 30
    assert not any(":op3" in move for move in made)


def test_one_thing_twice_in_a_list_is_numbered_by_hand() -> None:
    sentence = sentence_of("and tea", "and tea")
    made = moves(sentence, "(a / and~0 :op1 (t / tea~1) :op2 t)")
    assert [move for move in made if ":op" in move] == ["RA(0, :op*)", "RA(0, :op2)"]
    state = begun("and tea", "COPY(lemma)", "SHIFT", "COPY(lemma)", "RA(0, :op*)", action_set=EXACT)
    assert why_illegal(state, parse_action("RA(0, :op*)")) == "the edge and :op1 tea exists already"


def test_the_papers_set_numbers_no_list() -> None:
    state = begun("and tea", "COPY(lemma)", "SHIFT", "COPY(lemma)")
    reason = why_illegal(state, parse_action("RA(0, :op*)"))
    assert reason == ":op* is not in the paper's action set"
