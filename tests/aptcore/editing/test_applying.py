"""Edits: what they do, what they refuse, and that graphs stay sound under all of them."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.editing.applying import apply_edit, fresh_attribute, fresh_variable
from aptcore.editing.edits import (
    AddAttribute,
    AddEdge,
    AddNode,
    ChangeAttribute,
    ChangeEdge,
    DeleteAttribute,
    DeleteEdge,
    DeleteNode,
    Edit,
    RenameNode,
    ReplaceGraph,
    SetAlignment,
    SetRoot,
    Several,
    edit_from_json,
    edit_to_json,
)
from aptcore.editing.restructuring import dereify, merge_nodes, reify, split_node
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph, Edge
from aptcore.graph.checks import triples
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.graph.validation import problems_of

TEXT = """# ::id t1
# ::tok The boy wants to visit his old friend in Lima
(w / want-01
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


def edited(graph: AmrGraph, *edits: Edit) -> str:
    for edit in edits:
        graph = apply_edit(graph, edit)
    return format_penman(graph)


# --- what each edit does ---------------------------------------------------------------


def test_an_edit_leaves_all_else_as_it_was_written(graph: AmrGraph) -> None:
    assert edited(graph, RenameNode("b", "girl")) == TEXT.replace("/ boy", "/ girl")
    changed = ChangeEdge("v", ":ARG1", "p", "v", ":ARG2", "p")
    assert edited(graph, changed) == TEXT.replace(":ARG1 (p", ":ARG2 (p")
    again = ChangeAttribute("p:quant", "p", ":quant", "2")
    assert edited(graph, again) == TEXT.replace(":quant 1", ":quant 2")
    moved = ChangeEdge("v", ":ARG0", "b", "v", ":ARG0", "w")
    assert edited(graph, moved) == TEXT.replace(":ARG0 b", ":ARG0 w")


def test_an_edge_is_turned_round_in_its_place(graph: AmrGraph) -> None:
    turned = ChangeEdge("p", ":mod", "o", "o", ":domain", "p")
    assert ":domain-of (o / old)" in edited(graph, turned)


def test_an_inverted_role_is_turned_to_its_normal_direction(graph: AmrGraph) -> None:
    after = apply_edit(graph, AddEdge("o", ":ARG0-of", "v"))
    assert Edge("v", ":ARG0", "o") in after.edges
    with pytest.raises(EditError, match="exists already"):
        apply_edit(after, AddEdge("v", ":ARG0", "o"))


def test_a_node_is_added_with_its_link_in_one_edit(graph: AmrGraph) -> None:
    new = fresh_variable(graph, "brave")
    both = Several((AddNode(new, "brave", (1,)), AddEdge("b", ":mod", new)))
    after = apply_edit(graph, both)
    assert f":ARG0 (b / boy\n            :mod ({new} / brave))" in format_penman(after)
    assert after.alignments[new].tokens == (1,)
    assert after.alignments[new].source == "person"
    with pytest.raises(EditError, match="link it in the same edit"):
        apply_edit(graph, AddNode(new, "brave"))


def test_deleting_a_node_takes_along_what_only_it_held(graph: AmrGraph) -> None:
    after = apply_edit(graph, DeleteNode("v"))
    assert {node.id for node in after.nodes} == {"w", "b"}
    assert not after.attributes
    rootless = apply_edit(graph, DeleteNode("w"))
    assert rootless.root == "b"
    assert {node.id for node in rootless.nodes} == {"b", "v", "p", "o", "c", "n"}


def test_merging_moves_edges_words_and_root(graph: AmrGraph) -> None:
    aligned = apply_edit(graph, SetAlignment("p", (7,)))
    aligned = apply_edit(aligned, SetAlignment("b", (1,)))
    after = apply_edit(aligned, merge_nodes(aligned, "b", "p"))
    assert Edge("v", ":ARG1", "b") in after.edges
    assert Edge("b", ":mod", "o") in after.edges
    assert after.alignments["b"].tokens == (1, 7)


def test_splitting_gives_some_edges_to_a_second_node(graph: AmrGraph) -> None:
    after = apply_edit(graph, split_node(graph, "b", (Edge("v", ":ARG0", "b"),)))
    assert Edge("v", ":ARG0", "b2") in after.edges
    assert Edge("w", ":ARG0", "b") in after.edges


def test_reifying_and_back_is_the_same_graph(graph: AmrGraph) -> None:
    after = apply_edit(graph, reify(graph, Edge("v", ":location", "c")))
    assert ("b2", ":instance", "be-located-at-91") in triples(after)
    back = apply_edit(after, dereify(after, "b2"))
    assert sorted(triples(back)) == sorted(triples(graph))
    with pytest.raises(EditError, match="no reification"):
        reify(graph, Edge("w", ":ARG0", "b"))
    with pytest.raises(EditError, match="exactly its two edges"):
        dereify(graph, "v")


def test_a_whole_text_takes_the_place_of_the_graph_and_keeps_the_metadata(
    graph: AmrGraph,
) -> None:
    aligned = apply_edit(graph, SetAlignment("b", (1,)))
    after = apply_edit(aligned, ReplaceGraph("(w / want-01 :ARG0 (b / boy))"))
    assert after.metadata["id"] == "t1"
    assert after.alignments["b"].tokens == (1,)
    renamed = apply_edit(aligned, ReplaceGraph("(w / want-01 :ARG0 (b / girl))"))
    assert "b" not in renamed.alignments
    with pytest.raises(EditError, match="line 1"):
        apply_edit(graph, ReplaceGraph("(w / want-01 :ARG0 (b / boy)"))


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (RenameNode("x", "go-01"), "no node x"),
        (RenameNode("b", "go 01"), "cannot be written as a concept"),
        (AddEdge("w", "ARG0", "o"), "starts with a colon"),
        (AddEdge("w", ":", "o"), "cannot be written as a role"),
        (AddEdge("p:quant", ":mod", "o"), "is a constant"),
        (AddEdge("w", ":ARG0", "b"), "exists already"),
        (AddAttribute("q", "w", ":polarity", "a b"), "quote it"),
        (AddAttribute("q", "w", ":mode", "b"), "is a variable"),
        (AddAttribute("b", "w", ":polarity", "-"), "is taken"),
        (AddAttribute("q", "p", ":quant", "1"), "exists already"),
        (ChangeEdge("w", ":ARG5", "b", "w", ":ARG0", "b"), "no edge"),
        (DeleteEdge("v", ":ARG1", "p"), "link the root to p / person"),
        (SetRoot("p:quant"), "no node"),
        (SetAlignment("b", (10,)), "no token 10"),
        (SetAlignment(Edge("w", ":ARG9", "b"), (1,)), "no w :ARG9 b"),
        (AddNode("1 2", "thing"), "as a variable"),
        (AddNode("b", "thing"), "is taken"),
    ],
)
def test_what_a_graph_does_not_allow_is_refused_with_the_reason(
    graph: AmrGraph, edit: Edit, reason: str
) -> None:
    with pytest.raises(EditError, match=reason):
        apply_edit(graph, edit)


def test_the_only_node_is_not_deleted() -> None:
    with pytest.raises(EditError, match="only node"):
        apply_edit(parse_penman("(b / boy)"), DeleteNode("b"))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"edit": "burn"}, "no edit"),
        (["add-node"], "no edit"),
        ({"edit": "set-root"}, "lacks id"),
        ({"edit": "set-root", "id": 3}, "is a text"),
        ({"edit": "set-root", "id": "b", "force": True}, "no field 'force'"),
        ({"edit": "set-alignment", "key": ["a", "b"], "tokens": []}, "an edge or a mention"),
        ({"edit": "set-alignment", "key": "b", "tokens": [-1]}, "positions from 0"),
        ({"edit": "several", "edits": {}}, "a list"),
    ],
)
def test_what_is_no_edit_is_named(values: object, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        edit_from_json(values)


# --- properties ------------------------------------------------------------------------


def random_edit(graph: AmrGraph, draw: random.Random) -> Edit:
    """Draw any edit whose names exist; many are refused."""
    node = draw.choice(graph.nodes).id
    other = draw.choice(graph.nodes).id
    role = draw.choice([":ARG0", ":ARG1", ":mod", ":location", ":op1", ":time"])
    new = fresh_variable(graph, draw.choice(["thing", "go-02", "and"]))
    choices: list[Edit] = [
        RenameNode(node, draw.choice(["thing", "go-02", '"Lima"'])),
        Several((AddNode(new, "thing", (0,)), AddEdge(node, role, new))),
        DeleteNode(node),
        AddAttribute(fresh_attribute(graph, node, ":polarity"), node, ":polarity", "-", (0,)),
        AddEdge(node, role, other),
        SetRoot(node),
        SetAlignment(node, draw.choice([(), (0,)])),
    ]
    if graph.edges:
        edge = draw.choice(graph.edges)
        ends = (edge.source, edge.role, edge.target)
        choices += [
            DeleteEdge(*ends),
            ChangeEdge(*ends, edge.source, role, edge.target),
            ChangeEdge(*ends, edge.target, edge.role, edge.source),
            ChangeEdge(*ends, node, edge.role, edge.target),
            ChangeEdge(*ends, edge.source, edge.role, node),
            SetAlignment(edge, (0,)),
            split_node(graph, edge.target, (edge,)),
        ]
        if node != other:
            choices.append(merge_nodes(graph, node, other))
    if graph.attributes:
        item = draw.choice(graph.attributes)
        choices += [
            DeleteAttribute(item.id),
            ChangeAttribute(item.id, node, role, draw.choice(["1", '"a b"', "-"])),
        ]
    return draw.choice(choices)


def check_sound(before: AmrGraph, graph: AmrGraph) -> None:
    """A sound graph reads back as itself and has no error that it did not have before."""
    text = format_penman(graph, alignments=True)
    again = parse_penman(text)
    assert sorted(triples(again)) == sorted(triples(graph))
    assert again.root == graph.root
    assert again.metadata == before.metadata
    known = {problem.message for problem in problems_of(before)}
    errors = [p for p in problems_of(graph) if p.is_error and p.message not in known]
    assert not errors


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 25))
def test_edits_keep_a_graph_sound_and_travel_as_json(seed: int, number: int) -> None:
    draw, start = random.Random(seed), parse_penman(TEXT)
    graph = start
    for _ in range(number):
        edit = random_edit(graph, draw)
        assert edit_from_json(json.loads(json.dumps(edit_to_json(edit)))) == edit
        try:
            graph = apply_edit(graph, edit)
        except EditError:
            continue
        check_sound(start, graph)


def free_graphs() -> Iterator[AmrGraph]:
    """Give a few graphs from the beginning of every free file."""
    for path in sorted(Path(os.environ["APTAMR_DATA"]).rglob("*")):
        if path.suffix not in (".txt", ".penman", ".jkaln") or not path.is_file():
            continue
        with path.open("rb") as file:
            beginning = file.read(60_000).decode(errors="replace")
        for record in read_corpus(path, text=beginning).records[:40:8]:
            if record.graph is not None:
                yield record.graph


@pytest.mark.skipif("APTAMR_DATA" not in os.environ, reason="APTAMR_DATA is not set: no corpora")
def test_edits_on_graphs_of_every_free_set_keep_them_sound() -> None:
    number = 0
    for place, start in enumerate(free_graphs()):
        draw, graph = random.Random(place), start
        for _ in range(8):
            try:
                graph = apply_edit(graph, random_edit(graph, draw))
            except EditError:
                continue
            check_sound(start, graph)
            number += 1
    assert number > 300
