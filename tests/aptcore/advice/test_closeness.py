"""Proposals that stay close: near the edit, sure, and against no structure of AMR."""

from __future__ import annotations

import pytest

from aptcore.advice.closeness import close_proposals, sound_proposals
from aptcore.advice.english.changes import say_change
from aptcore.advice.proposals import Proposal, all_triples
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import AddEdge, AddNode, ChangeEdge, Edit, RenameNode, Several
from aptcore.graph.amr import AmrGraph
from aptcore.graph.layout import Triple
from aptcore.graph.penman import parse_penman
from aptcore.neural.parser import AptParser
from aptcore.words.frames import read_lexicon

LEXICON = read_lexicon()


@pytest.fixture(scope="module")
def parser() -> AptParser:
    return AptParser.from_pretrained()


def proposal(graph: AmrGraph, edit: Edit, probability: float = 0.99, *needs: str) -> Proposal:
    after = apply_edit(graph, edit)
    new, old = all_triples(after), all_triples(graph)
    added, lost = tuple(sorted(new - old)), tuple(sorted(old - new))
    return Proposal(str(edit), "change-edge", edit, added, lost, probability, "", needs)


def test_a_proposal_that_makes_a_month_the_weekday_is_dropped() -> None:
    graph = parse_penman("(g / go-02 :time (d / date-entity :mod (j / july)))")
    wrong = proposal(graph, ChangeEdge("d", ":mod", "j", "d", ":weekday", "j"))
    assert sound_proposals(graph, [wrong], ()) == ()


def test_a_second_relation_of_the_same_person_is_dropped_and_what_stands_on_it() -> None:
    graph = parse_penman(
        "(p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (u / uncle)))"
    )
    again = Several((AddNode("h2", "have-rel-role-91"), AddEdge("h2", ":ARG0", "p")))
    first = proposal(graph, again)
    both = apply_edit(graph, again)
    second = proposal(both, AddEdge("h2", ":ARG1", "i"), 0.99, first.id)
    fine = proposal(graph, RenameNode("u", "brother"))
    assert sound_proposals(graph, [first, second, fine], ()) == (fine,)


def test_what_is_odd_already_keeps_no_proposal_away() -> None:
    graph = parse_penman("(g / go-02 :time (d / date-entity :weekday (j / july)))")
    fine = proposal(graph, RenameNode("g", "go-01"))
    assert sound_proposals(graph, [fine], ()) == (fine,)


def test_only_what_is_near_the_edit_sure_and_likelier_is_close(parser: AptParser) -> None:
    """A parse with one edge astray, and three proposals for it: right, wrong and unsure."""
    text = "The teacher who lives near the river told the children a story about a brave fox."
    parse = parser.parse([text])[0]
    names = {node.concept: node.id for node in parse.graph.nodes}
    tell = names["tell-01"]
    brave = next(node.id for node in parse.graph.nodes if node.concept.startswith("brave"))
    edges = {edge.target: edge for edge in parse.graph.edges}
    child = next(node.id for node in parse.graph.nodes if node.concept == "child")
    right = edges[child]
    assert right.source == tell
    astray = ChangeEdge(*right.triple, tell, ":time", child)
    graph = apply_edit(parse.graph, astray)
    back = proposal(graph, ChangeEdge(tell, ":time", child, *right.triple))
    worse = proposal(graph, ChangeEdge(tell, ":time", child, tell, ":purpose", child))
    unsure = proposal(graph, back.edit, 0.3)

    def close(touched: Triple, *proposals: Proposal) -> list[str]:
        found = close_proposals(parser, parse.sentence, graph, proposals, [touched], ())
        return [each.id for each in found]

    at_hand, far_off = (tell, ":instance", "tell-01"), (brave, ":instance", "brave")
    assert close(at_hand, back, worse) == [back.id]
    assert close(at_hand, unsure) == []
    assert close(far_off, back) == []


@pytest.mark.parametrize(
    ("penman", "change", "text"),
    [
        ("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))", (("g", ":ARG0", "b"), ()),
         "boy is also the one who goes"),
        ("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))", ((), ("g", ":ARG0", "b")),
         "boy is not the one who goes"),
        ("(g / go-02 :ARG0 (b / boy) :time (r / river))",
         (("g", ":location", "r"), ("g", ":time", "r")),
         "river is rather where “go” happens, not: river is when “go” happens"),
        ("(s / see-01 :ARG1 (b / book :poss (h / he)))", (("s", ":ARG0", "h"), ()),
         "he is also the one who sees"),
        ("(s / see-01 :ARG0 (h / he))", (("s", ":polarity", "-"), ()), "“see” is denied"),
    ],
)  # fmt: skip
def test_a_change_is_said_as_a_person_would(
    penman: str, change: tuple[Triple | tuple[()], Triple | tuple[()]], text: str
) -> None:
    graph = parse_penman(penman)
    adds, removes = (((part,) if part else ()) for part in change)
    assert say_change(graph, graph, adds, removes, LEXICON) == text


def test_every_edge_of_a_graph_can_be_said_and_none_by_its_role_alone() -> None:
    graph = parse_penman(
        "(a / and :op1 (h / have-degree-91 :ARG1 (b / boat) :ARG2 (o / old) :ARG3 (m / more)) "
        ':op2 (s / say-01 :ARG0 (p / person :name (n / name :op1 "Bo")) :mode imperative '
        ":topic (t / thing :quant 3)))"
    )
    for adds in [*(edge.triple for edge in graph.edges), *(i.triple for i in graph.attributes)]:
        for kind in ((adds,), ()), ((), (adds,)), ((adds,), (adds,)):
            said = say_change(graph, graph, *kind, LEXICON)
            assert said
            assert " :" not in said
