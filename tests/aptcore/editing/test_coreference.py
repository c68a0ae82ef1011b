"""Links between nodes of several sentences: read, written, kept with the graph."""

from __future__ import annotations

import pytest

from aptcore.editing.applying import apply_edit
from aptcore.editing.coreference import CorefLink, chains, coref_links
from aptcore.editing.edits import (
    AddCoref,
    DeleteCoref,
    DeleteNode,
    RenameNode,
    ReplaceGraph,
    edit_from_json,
    edit_to_json,
)
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.penman import format_penman, parse_penman

LINK = AddCoref("i", "fox.1", "f")


@pytest.fixture
def graph() -> AmrGraph:
    return parse_penman("# ::id fox.2\n(e / eat-01 :ARG0 (i / it) :ARG1 (g / grape))")


def test_a_link_is_a_line_of_the_graph_and_read_back(graph: AmrGraph) -> None:
    linked = apply_edit(graph, LINK)
    written = format_penman(linked)
    assert "# ::coref i=fox.1:f\n" in written
    assert coref_links(parse_penman(written).metadata) == (CorefLink("i", "fox.1", "f"),)
    assert format_penman(linked, metadata=False) == format_penman(graph, metadata=False)


def test_links_are_edits_with_json(graph: AmrGraph) -> None:
    for edit in (LINK, DeleteCoref("i", "fox.1", "f")):
        assert edit_from_json(edit_to_json(edit)) == edit
    linked = apply_edit(graph, LINK)
    assert coref_links(apply_edit(linked, DeleteCoref("i", "fox.1", "f")).metadata) == ()


def test_an_id_may_hold_colons_and_equals_signs(graph: AmrGraph) -> None:
    linked = apply_edit(graph, AddCoref("i", "http://x?y=1:2", "f"))
    assert coref_links(linked.metadata) == (CorefLink("i", "http://x?y=1:2", "f"),)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (AddCoref("zz", "fox.1", "f"), "no node zz"),
        (AddCoref("i", "", "f"), "needs an ::id"),
        (AddCoref("i", "fox 1", "f"), "without white space"),
        (AddCoref("i", "fox.2", "e"), "within one sentence"),
        (DeleteCoref("i", "fox.1", "f"), "is not linked"),
    ],
)
def test_a_link_that_cannot_be_is_refused(graph: AmrGraph, edit: AddCoref, message: str) -> None:
    with pytest.raises(EditError, match=message):
        apply_edit(graph, edit)


def test_a_link_goes_with_its_node_and_stays_over_other_edits(graph: AmrGraph) -> None:
    linked = apply_edit(graph, LINK)
    assert coref_links(apply_edit(linked, RenameNode("i", "he")).metadata)
    assert coref_links(apply_edit(linked, ReplaceGraph("(e / eat-01 :ARG0 (i / he))")).metadata)
    assert not coref_links(apply_edit(linked, DeleteNode("i")).metadata)


def test_what_is_no_link_in_a_line_stays_there(graph: AmrGraph) -> None:
    odd = parse_penman("# ::id fox.2\n# ::coref chain-3 (of others)\n(e / eat-01 :ARG0 (i / it))")
    linked = apply_edit(odd, LINK)
    assert linked.metadata["coref"] == "chain-3 (of others) i=fox.1:f"


def test_links_join_to_chains_whichever_way_they_point() -> None:
    links = {
        "1": (CorefLink("b", "3", "x"),),
        "2": (CorefLink("h", "1", "b"), CorefLink("d", "1", "c")),
        "3": (),
    }
    assert [set(chain) for chain in chains(links)] == [
        {("1", "b"), ("3", "x"), ("2", "h")},
        {("2", "d"), ("1", "c")},
    ]
