"""Patterns and rewriting: what matches, what is written, and what is refused where."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import edit_from_json, edit_to_json
from aptcore.editing.patterns import MAX_TRIES, captures, find_matches, parse_pattern
from aptcore.editing.rewriting import parse_rule, rewrite
from aptcore.errors import PatternError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import connected_nodes, triples
from aptcore.graph.penman import format_penman, parse_penman, read_penman

TEXT = """(w / want-01
   :ARG0 (b / boy)
   :ARG1 (v / visit-01
            :ARG0 b
            :ARG1 (p / person
                     :mod (o / old)
                     :quant 1)
            :location (c / city
                         :name (n / name
                                  :op1 "Lima"))))"""


@pytest.fixture
def graph() -> AmrGraph:
    return parse_penman(TEXT)


@pytest.mark.parametrize(
    ("pattern", "nodes"),
    [
        ("(x / want-01)", ["w"]),
        ("(x / want)", []),
        ("(x / *-01)", ["w", "v"]),
        ("(x / *-01 :ARG0 (y / boy))", ["w b", "v b"]),
        ("(x / want-* :ARG0 y :ARG1 (z / * :ARG0 (y / *)))", ["w v b"]),
        ("(x / boy :ARG0-of (y / *))", ["b w", "b v"]),
        ("(x / boy :ARG*-of (y / visit-01))", ["b v"]),
        ("(x / name :op* *)", ["n"]),
        ('(x / name :op1 "Li*")', ["n"]),
        ("(x / name :op1 Lima)", []),
        ("(x / * :quant 1)", ["p"]),
        ("(x / * :mod *)", ["p"]),
        ("(x / * :domain-of *)", []),
        ("(x / *-01 :!location *)", ["w"]),
        ("(x / * :!* *)", ["b", "o"]),
        ("(x / * :!*-of * :!quant 2)", ["w"]),
        (r"(x / \*)", []),
    ],
)
def test_a_pattern_finds(graph: AmrGraph, pattern: str, nodes: list[str]) -> None:
    found = find_matches(parse_pattern(pattern), graph)
    assert [" ".join(match.nodes.values()) for match in found.matches] == nodes
    assert not found.is_cut


def test_two_triples_of_a_pattern_are_two_of_the_graph() -> None:
    twice = parse_penman("(s / see-01 :ARG0 (a / ant) :ARG0 (b / bee) :ARG1 (c / cat))")
    assert len(find_matches(parse_pattern("(x / * :ARG0 * :ARG0 *)"), twice).matches) == 1
    assert not find_matches(parse_pattern("(x / * :ARG1 * :ARG1 *)"), twice).matches


def test_two_variables_stand_for_two_nodes_and_one_for_one() -> None:
    loop = parse_penman("(m / map :part m :part (l / leaf))")
    assert len(find_matches(parse_pattern("(x / * :part x)"), loop).matches) == 1
    assert len(find_matches(parse_pattern("(x / * :part (y / *))"), loop).matches) == 1


def test_a_search_that_takes_too_long_says_that_it_was_cut() -> None:
    wide = parse_penman(
        "(a / and " + " ".join(f":op{n} (t{n} / thing)" for n in range(1, 31)) + ")"
    )
    pattern = "(a / and " + " ".join(f":op* (x{n} / thing)" for n in range(7)) + " :mod *)"
    found = find_matches(parse_pattern(pattern), wide)
    assert found.is_cut
    assert not found.matches
    assert MAX_TRIES < 30**7


@pytest.mark.parametrize(
    ("pattern", "line", "offset", "message"),
    [
        ("(x / search engine)", 1, 12, "holds a space"),
        ("(x / want-01\n   : (y / *))", 2, 3, "a role has a name"),
        ("(x / a :!ARG1 (y / *))", 1, 7, "its target is"),
        ("(x / a~e.3)", 1, 0, "no ~ marks"),
        ("(x / a :ARG0", 1, 12, "not closed"),
        ("(x / *a*b*c*d*)", 1, 0, "more than 4 stars"),
        ("", 1, 0, "no graph here"),
    ],
)
def test_a_pattern_error_shows_its_place(
    pattern: str, line: int, offset: int, message: str
) -> None:
    with pytest.raises(PatternError, match=message) as caught:
        parse_pattern(pattern)
    assert (caught.value.line, caught.value.offset) == (line, offset)
    assert str(caught.value).endswith("\n  " + " " * offset + "^")


# --- rewriting -------------------------------------------------------------------------


def rewritten(graph: AmrGraph, pattern: str, template: str) -> str:
    return format_penman(rewrite(graph, parse_rule(pattern, template)).graph)


@pytest.mark.parametrize(
    ("pattern", "template", "old", "new"),
    [
        ("(x / want-*)", "(x / wish-*)", "want-01", "wish-01"),
        ("(x / * :quant 1)", '(x / * :quant "one")', ":quant 1", ':quant "one"'),
        ("(x / * :quant *)", "(x / * :li *)", ":quant 1", ":li 1"),
        ("(x / * :mod (y / old))", "(x / * :age y)", ":mod", ":age"),
        ("(x / * :mod (y / *))", "(y / * :domain x)", ":mod", ":domain-of"),
        ('(x / name :op1 "L*")', '(x / name :op1 "R*")', "Lima", "Rima"),
    ],
)
def test_a_template_changes_no_more_than_it_says(
    graph: AmrGraph, pattern: str, template: str, old: str, new: str
) -> None:
    assert rewritten(graph, pattern, template) == TEXT.replace(old, new)


def test_a_template_adds_deletes_moves_and_makes(graph: AmrGraph) -> None:
    added = rewritten(graph, "(x / city)", '(x / city :wiki "Lima" :mod (y / capital))')
    assert ':wiki "Lima"' in added
    assert ":mod (c2 / capital)" in added
    gone = rewritten(graph, "(x / person :mod (y / old) :quant 1)", "(x / person)")
    assert "old" not in gone
    assert ":quant" not in gone
    moved = rewritten(
        graph, "(x / visit-01 :ARG1 (y / person :mod (z / *)))", "(x / * :ARG1 y :mod z)"
    )
    assert ("v", ":mod", "o") in triples(parse_penman(moved))
    assert ("p", ":mod", "o") not in triples(parse_penman(moved))


def test_a_hit_that_would_lose_more_is_refused_by_name_and_the_others_go_on() -> None:
    graph = parse_penman(
        "(a / and :op1 (s / see-01 :ARG1 (o / old-thing)) :op2 (t / see-01 :ARG1 (p / old-thing"
        " :mod (r / red))))"
    )
    found = rewrite(graph, parse_rule("(x / see-01 :ARG1 (y / old-*))", "(x / see-01)"))
    assert [hit.reason for hit in found.hits] == [
        "",
        "p :mod r hangs on p: a pattern that deletes p names it",
    ]
    assert "o / old-thing" not in format_penman(found.graph)
    assert "p / old-thing" in format_penman(found.graph)
    cut = rewrite(graph, parse_rule("(x / and :op1 (y / *))", "(x / and :op1 (z / new))"))
    assert "s :ARG1 o hangs on s" in cut.hits[0].reason
    apart = rewrite(graph, parse_rule("(x / and :op1 *)", "(x / and)"))
    assert "nothing would link the root to s / see-01" in apart.hits[0].reason
    assert apart.edit is None


def test_hits_can_be_left_out_and_the_edit_of_the_rest_travels_as_json() -> None:
    graph = parse_penman("(a / and :op1 (b / bee) :op2 (c / bee) :op3 (d / bee))")
    rule = parse_rule("(x / bee)", "(x / wasp :mod (y / small))")
    found = rewrite(graph, rule, left_out={1})
    assert [hit.reason for hit in found.hits] == ["", "left out", ""]
    assert format_penman(found.graph).count("wasp") == 2
    assert found.edit is not None
    again = edit_from_json(edit_to_json(found.edit))
    assert triples(apply_edit(graph, again)) == triples(found.graph)


def test_a_hit_that_an_earlier_one_took_away_is_refused() -> None:
    chain = parse_penman("(a / ant :mod (b / ant :mod (c / ant)))")
    found = rewrite(chain, parse_rule("(x / ant :mod (y / ant))", "(x / ant :mod (y / bee))"))
    assert [bool(hit.edit) for hit in found.hits] == [True, False]
    assert "earlier hit" in found.hits[1].reason


@pytest.mark.parametrize(
    ("pattern", "template", "message"),
    [
        ("(x / want-01)", "(x / want-01)", "says the same"),
        ("(x / want-01)", "(x / wish-*)", "more stars than want-01"),
        ("(x / want-01)", "(x / want-01 :ARG0 (y / *))", "no variable y"),
        ("(x / want-01)", "(x / want-01 :ARG* -)", "without stars"),
        ("(x / *)", "(x / 7)", "7 is a constant"),
        ("(x / want-01)", "(x / want-01 :polarity (m / -))", "- is a constant"),
        ("(x / want-01)", "(x / want-01 :ARG0 *)", "stands for nothing"),
        ("(x / want-01)", "(x / want-01 :!ARG0 *)", "without :!"),
        ("(x / * :ARG0 (y / *))", "(x / * :ARG* y)", "more stars than :ARG0"),
    ],
)
def test_a_template_that_does_not_fit_is_refused_with_its_place(
    pattern: str, template: str, message: str
) -> None:
    with pytest.raises(PatternError, match=message) as caught:
        parse_rule(pattern, template)
    assert caught.value.text == template


# --- properties ------------------------------------------------------------------------


def random_graph(draw: random.Random, size: int) -> AmrGraph:
    """A connected graph over few labels, with constants and reentrancies."""
    lines = ["(n0 / a"]
    for place in range(1, size):
        lines.append(f":{draw.choice('rs')}{draw.choice(['', '-of'])} (n{place} / ")
        lines[-1] += draw.choice(["a", "ab", "b"])
        if draw.random() < 0.4:
            lines.append(f":{draw.choice('rst')} n{draw.randrange(place)}")
        if draw.random() < 0.4:
            lines.append(f":{draw.choice('qt')} {draw.choice(['1', '-'])}")
        if draw.random() < 0.5:
            lines[-1] += ")"
    text = " ".join(lines)
    return read_penman(text + ")" * (text.count("(") - text.count(")")))[0]


def random_pattern(draw: random.Random, graph: AmrGraph) -> tuple[str, dict[str, str]]:
    """A connected piece of a graph with stars for some labels; and its own match."""
    first = draw.choice(graph.nodes).id
    near = [e for e in graph.edges if first == e.source][:3]
    concept = {node.id: node.concept for node in graph.nodes}
    star = {name: draw.choice([text, "*", text[0] + "*"]) for name, text in concept.items()}
    own, branches = {f"x{first}": first}, []
    for edge in near:
        role = draw.choice([edge.role, ":*"])
        is_new = edge.target not in own.values()
        end = f"(x{edge.target} / {star[edge.target]})" if is_new else f"x{edge.target}"
        own[f"x{edge.target}"] = edge.target
        branches.append(f"{role} {end}")
    branches += [f"{a.role} *" for a in graph.attributes if a.source == first][:1]
    return f"(x{first} / {star[first]} {' '.join(branches)})", own


def naive_hits(pattern: str, graph: AmrGraph) -> set[frozenset[str]]:
    """The sets of nodes of all hits, by trying every assignment of nodes."""
    read = parse_pattern(pattern)
    hits = set()
    for nodes in product([node.id for node in graph.nodes], repeat=len(read.concepts)):
        names = dict(zip(read.concepts, nodes, strict=True))
        if len(set(nodes)) == len(nodes) and all(
            captures(read.concepts[v], c) is not None
            for v, n in names.items()
            for c in [node.concept for node in graph.nodes if node.id == n]
        ):
            options = [
                [
                    triple
                    for triple in triples(graph)
                    if triple[1] != ":instance"
                    and triple[0] == names[wanted.source]
                    and captures(wanted.role, triple[1]) is not None
                    and (wanted.kind == "any" or triple[2] == names.get(wanted.target))
                ]
                for wanted in read.triples
            ]
            if any(len(set(choice)) == len(choice) for choice in product(*options)):
                hits.add(frozenset(nodes))
    return hits


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**9))
def test_a_search_finds_what_trying_everything_finds(seed: int) -> None:
    draw = random.Random(seed)
    graph = random_graph(draw, draw.randint(1, 6))
    pattern, own = random_pattern(draw, graph)
    matches = find_matches(parse_pattern(pattern), graph).matches
    assert {frozenset(match.nodes.values()) for match in matches} == naive_hits(pattern, graph)
    assert frozenset(own.values()) in {frozenset(match.nodes.values()) for match in matches}


TEMPLATES = ("(x / c*)", "(x / * :r2 y)", "(y / * :s x)", "(x / *)", "(x / * :r* (z / new :t y))")


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(TEMPLATES))
def test_rewriting_keeps_a_graph_sound_and_touches_nothing_where_nothing_matches(
    seed: int, template: str
) -> None:
    draw = random.Random(seed)
    graph = random_graph(draw, draw.randint(2, 9))
    rule = parse_rule("(x / a* :r* (y / *))", template)
    found = rewrite(graph, rule)
    assert len(connected_nodes(found.graph, found.graph.root)) == len(found.graph.nodes)
    assert len(set(triples(found.graph))) == len(triples(found.graph))
    read = parse_penman(format_penman(found.graph))
    assert set(triples(read)) == set(triples(found.graph))
    changed = {hit.match.nodes[v] for hit in found.hits if hit.edit for v in hit.match.nodes}
    before = {t for t in triples(graph) if not changed & {t[0], t[2]}}
    assert before <= set(triples(found.graph))
    if not any(hit.edit for hit in found.hits):
        assert found.graph == graph


def test_an_accent_is_found_with_its_letter_and_behind_it() -> None:
    written = (
        '(p / pâté :name (n / name :op1 "Zoë"))',
        '(p / pa\u0302te\u0301 :name (n / name :op1 "Zoe\u0308"))',
    )
    for graph in map(parse_penman, written):
        for pattern in written:
            assert len(find_matches(parse_pattern(pattern), graph).matches) == 1
