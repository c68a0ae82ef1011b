"""Whatever is edited, nothing in the drawing lies on anything else: checked by its geometry."""

from __future__ import annotations

import pytest

from app.pages.correct.editor.drawing import lines_of
from app.pages.correct.editor.folding import branch_below
from app.pages.correct.editor.layout import Sketch, grow, lay_out
from aptcore.graph.amr import AmrGraph
from aptcore.graph.penman import parse_penman
from benchmarks.drawings import clashes, count_clashes, role_width
from tests.app.pages.correct.test_views import chain

SIZES = (5, 6, 8, 10, 12, 15, 18, 22, 27, 40)


@pytest.mark.parametrize("size", SIZES)
def test_random_edits_leave_nothing_on_anything_and_the_rest_where_it_was(size: int) -> None:
    for seed in (1, 2):
        count, told = count_clashes(seed, size, 10)
        assert told == []
        assert count.drawings == 10
        assert count.moved == 0


def test_a_branch_is_put_away_and_shown_again_where_it_was() -> None:
    text = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :ARG4 (c / city :quant 2)){})"
    graph = parse_penman(text.format(""))
    whole = lay_out(graph)
    assert branch_below(graph, "g") == {"c", "c:quant"}
    assert branch_below(graph, "w") == {"b", "g", "c", "c:quant"}
    assert branch_below(graph, "b") == branch_below(graph, "c:quant") == frozenset()
    folded = grow(whole, graph, frozenset(whole.names) - branch_below(graph, "g"))
    assert set(folded.names) == {"w", "b", "g"}
    assert [line["more"] for line in lines_of(graph, folded) if "more" in line] == [2]
    after = edited(folded, text.format(" :time (n / now)"))
    assert set(after.names) == {"w", "b", "g", "n"}
    again = grow(folded, graph, folded.parts)
    assert again.is_whole
    assert set(again.layout.nodes) == set(whole.layout.nodes)
    assert clashes(again) == []


def edited(before: Sketch, graph: str) -> Sketch:
    return grow(before, parse_penman(graph))


def test_a_value_that_is_added_stands_on_no_edge() -> None:
    text = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :ARG4 (c / city){}))"
    before = lay_out(parse_penman(text.format("")))
    after = edited(before, text.format(" :polarity -"))
    assert clashes(after) == []
    assert [after.known[name] for name in before.names] == list(before.layout.nodes)
    assert [after.paths[ends] for ends in before.ends] == list(before.layout.edges)


def test_a_name_that_is_longer_now_pushes_no_one_away() -> None:
    before = lay_out(parse_penman("(a / and :op1 (b / boy) :op2 (c / cat) :op3 (d / dog))"))
    long = "(a / and :op1 (b / boy) :op2 (c / government-organization) :op3 (d / dog))"
    after = edited(before, long)
    assert clashes(after) == []
    others = [(name, after.known[name]) for name in before.names if name != "c"]
    assert others == [(name, before.known[name]) for name in before.names if name != "c"]


def test_edges_of_one_pair_and_loops_have_their_own_places() -> None:
    roles = ("mod", "time", "location", "manner", "purpose", "ARG1-of")
    text = "(a / a :ARG0 (b / b){})"
    sketch = lay_out(parse_penman(text.format("")))
    for number in range(1, len(roles) + 1):
        more = " ".join(f":{role} b" for role in roles[:number])
        sketch = edited(sketch, text.format(f" {more} :ARG1 a :ARG2 a"))
        assert clashes(sketch) == []


def test_what_comes_back_to_a_place_that_is_taken_stands_elsewhere() -> None:
    whole = "(a / and :op1 (b / boy) :op2 (c / cat :mod (d / dog)))"
    start = lay_out(parse_penman(whole))
    less = edited(start, "(a / and :op1 (b / boy) :op2 (c / cat))")
    other = edited(less, "(a / and :op1 (b / boy) :op2 (c / cat :mod (e / eel)))")
    again = edited(other, "(a / and :op1 (b / boy) :op2 (c / cat :mod (d / dog) :time (e / eel)))")
    assert clashes(again) == []
    assert again.known["e"] == other.known["e"]


def crowded(num_edges: int) -> AmrGraph:
    """A graph in which every node is joined to many others."""
    roles = [f":op{n} x{(3 * n + k) % 12}" for k in range(2) for n in range(1, num_edges + 1)]
    return parse_penman(f"{chain(12).removesuffix(')')} {' '.join(roles)})")


def test_a_crowded_graph_is_laid_out_farther_apart() -> None:
    assert clashes(lay_out(crowded(20))) == []


def test_roles_have_the_room_that_they_are_written_in() -> None:
    sketch = lay_out(parse_penman("(a / and :prep-on-behalf-of (b / boy))"))
    assert role_width(":prep-on-behalf-of") > 100
    assert clashes(sketch) == []
