"""Sentence graphs of a document as one graph, and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.editing.coreference import CorefLink, with_links
from aptcore.editing.documents import merge_document
from aptcore.editing.splitting import split_document
from aptcore.errors import FormatError, GraphError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import rooted_triples, triples
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import format_penman, parse_penman

FOX = """# ::id fox.1
# ::snt The fox Rita chased a hare.
# ::tok The fox Rita chased a hare .
# ::alignments 1-1.1 2-1.1.1.1 3-1 5-1.2
(c / chase-01 :ARG0 (f / fox :name (n / name :op1 "Rita")) :ARG1 (h / hare))

# ::id fox.2
# ::snt It ran.
# ::tok It ran .
# ::alignments 0-1.1 1-1
# ::coref i=fox.1:h
(r / run-02 :ARG0 (i / it))

# ::id fox.3
# ::snt Rita, the old animal, did not see it.
# ::coref a=fox.1:f i=fox.2:i x=fox.1:q y=hen.1:h
(s / see-01 :polarity - :ARG1 (i / it)
    :ARG0 (a / animal :mod (o / old) :name (n / name :op1 "Rita")))
"""


def graphs_of(text: str) -> list[AmrGraph]:
    found = [record.graph for record in read_corpus("", text=text).records]
    assert all(found)
    return [graph for graph in found if graph]


def test_what_is_no_link_is_told() -> None:
    _, problems = merge_document("a", graphs_of("# ::id a.1\n# ::coref b:a.2\n(b / boy)\n"))
    assert problems == ("sentence 1: 'b:a.2' is no link; one is node=sentence:node",)


def test_chains_become_nodes_and_the_rest_is_renamed_apart() -> None:
    merged, problems = merge_document("fox", graphs_of(FOX))
    wanted = parse_penman("""(d / multi-sentence
        :snt1 (s1.c / chase-01
            :ARG0 (s1.f / fox :name (s1.n / name :op1 "Rita")
                :mod (s3.o / old) :additional-type (s3.a / animal))
            :ARG1 (s1.h / hare))
        :snt2 (s2.r / run-02 :ARG0 s1.h)
        :snt3 (s3.s / see-01 :polarity - :ARG0 s1.f :ARG1 s1.h))""")
    assert set(rooted_triples(merged)) == set(rooted_triples(wanted))
    assert merged.metadata["id"] == "fox"
    assert merged.metadata["snt"].startswith("The fox Rita chased a hare. It ran. Rita, the")
    assert nodes_at(merged) == {
        "s1.f": (1,), "s1.c": (3,), "s1.h": (5, 7), "s2.r": (8,),
    }  # fmt: skip
    assert problems == (
        "sentence 3: the link x=fox.1:q leads nowhere",
        "sentence 3: the link y=hen.1:h leads nowhere",
    )


def same(one: AmrGraph, other: AmrGraph) -> bool:
    return (
        set(rooted_triples(one)) == set(rooted_triples(other))
        and {k: v for k, v in one.metadata.items() if k != "alignments"}
        == {k: v for k, v in other.metadata.items() if k != "alignments"}
        and nodes_at(one) == nodes_at(other)
    )


def nodes_at(graph: AmrGraph) -> dict[str, tuple[int, ...]]:
    names = {node.id for node in graph.nodes}
    return {str(k): v.tokens for k, v in graph.alignments.items() if k in names}


def read_again(graph: AmrGraph) -> AmrGraph:
    (again,) = graphs_of(format_penman(graph) + "\n")
    return again


def test_a_merged_document_is_parted_into_its_sentences_with_all_that_was_said_of_them() -> None:
    graphs = graphs_of(FOX)
    merged = read_again(merge_document("fox", graphs)[0])
    parts = split_document(merged)
    assert len(parts) == 3
    for part, graph in zip(parts, graphs, strict=True):
        assert same(read_again(part), graph)


def test_a_change_of_the_whole_is_a_change_of_its_sentence() -> None:
    merged = merge_document("fox", graphs_of(FOX))[0]
    text = format_penman(merged).replace("see-01", "hear-01")
    text = text.replace(":polarity -", ":polarity - :time (s3.t / then)")
    _, _, third = split_document(graphs_of(text)[0])
    assert {("s", ":instance", "hear-01"), ("s", ":time", "t")} <= set(triples(third))
    with pytest.raises(FormatError, match=r"the node t belongs to no sentence: name it s1\.x"):
        split_document(graphs_of(text.replace("s3.t", "t"))[0])
    with pytest.raises(FormatError, match="the node s9.t belongs to no sentence"):
        split_document(graphs_of(text.replace("s3.t", "s9.t"))[0])
    with pytest.raises(FormatError, match="not one that aptamr merge made"):
        split_document(graphs_of(FOX)[0])


def test_a_relation_that_both_ends_leave_open_comes_back_where_it_was() -> None:
    text = """# ::id a.1
(o / own-01 :ARG0 (p / prince) :ARG1 (r / rose :quant 1))

# ::id a.2
# ::coref h=a.1:p i=a.1:r
(i / it :poss (h / he))

# ::id a.3
# ::coref h=a.1:p i=a.2:i
(l / love-01 :ARG0 (h / he) :ARG1 (i / it :quant 2))
"""
    graphs = graphs_of(text)
    merged = read_again(merge_document("a", graphs)[0])
    for part, graph in zip(split_document(merged), graphs, strict=True):
        assert same(part, graph)


def test_a_sentence_without_a_graph_keeps_its_number_and_its_metadata() -> None:
    empty = parse_penman("# ::id a.2\n# ::error no words\n(a / amr-empty)")
    one, other = (parse_penman(f"# ::id a.{n}\n(r / rain-01)") for n in (1, 3))
    merged, _ = merge_document("a", [one, empty, other])
    assert [edge.role for edge in merged.edges] == [":snt1", ":snt3"]
    assert list(map(format_penman, split_document(merged))) == [
        format_penman(graph) for graph in (one, empty, other)
    ]
    with pytest.raises(GraphError, match="no sentence of the document has a graph"):
        merge_document("a", [empty])


def test_nodes_of_one_sentence_that_a_chain_joins_have_no_relation_to_themselves() -> None:
    text = "# ::id a.1\n(s / see-01 :ARG0 (h / he :mod (i / it)))\n\n"
    text += "# ::id a.2\n# ::coref x=a.1:h x=a.1:i\n(x / boy)\n"
    merged, problems = merge_document("a", graphs_of(text))
    assert problems == ("s2.x :mod of itself is left out",)
    assert set(triples(split_document(merged)[0])) == {
        ("s", ":instance", "see-01"), ("s", ":ARG0", "h"), ("h", ":instance", "he"),
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_documents_of_a_corpus_come_back_with_links_at_random(seed: int, data_folder: Path) -> None:
    records = read_corpus(data_folder / "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt").records
    check_links([r.graph for r in records if r.graph][seed * 12 : seed * 12 + 12], seed)


WORDS = st.sampled_from(["boy", "he", "fox", "it", "name", "see-01", "2"])


@st.composite
def documents(draw: st.DrawFn) -> list[AmrGraph]:
    graphs = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        size = draw(st.integers(1, 4))
        text = "x0 / " + draw(WORDS)
        for node in range(1, size):
            role = draw(st.sampled_from([":ARG0", ":ARG1", ":name", ":mod"]))
            constant = draw(st.sampled_from(["", ' :op1 "Rita"', " :quant 2"]))
            text += f" {role}{node} (x{node} / {draw(WORDS)}{constant})"
        graphs.append(parse_penman(f"# ::id a.{number}\n({text})"))
    return graphs


@settings(max_examples=150, deadline=None)
@given(documents(), st.integers(0, 1000))
def test_made_up_documents_come_back_with_links_at_random(
    graphs: list[AmrGraph], seed: int
) -> None:
    check_links(graphs, seed)


def check_links(graphs: list[AmrGraph], seed: int) -> None:
    """Link nodes at random, each sentence to at most one node of each chain; merge and part."""
    import random

    draw, linked = random.Random(seed), []
    free = {number: [n.id for n in g.nodes] for number, g in enumerate(graphs)}
    graphs = [replace(g, metadata={**g.metadata, "id": f"a.{n}"}) for n, g in enumerate(graphs)]
    links: dict[int, list[CorefLink]] = {number: [] for number in free}
    for _ in range(6):
        numbers = [n for n in free if free[n]]
        chosen = sorted(draw.sample(numbers, min(len(numbers), 3)))
        places = [(n, free[n].pop(draw.randrange(len(free[n])))) for n in chosen]
        for (other, target), (number, node) in zip(places, places[1:], strict=False):
            links[number].append(CorefLink(node, f"a.{other}", target))
    linked = [with_links(graph, links[n]) for n, graph in enumerate(graphs)]
    merged, problems = merge_document("a", linked)
    assert not problems
    for part, graph in zip(split_document(read_again(merged)), linked, strict=True):
        assert set(rooted_triples(part)) == set(rooted_triples(graph))
        assert part.metadata.get("coref") == graph.metadata.get("coref")
