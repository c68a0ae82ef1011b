"""Reading and writing one graph: nothing is lost, nothing is taken in silently."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import penman
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from penman.models.amr import model as amr_model

from aptcore.errors import GraphError, PenmanError
from aptcore.graph.amr import Alignment, AmrGraph, Attribute, Edge, Mention, Node
from aptcore.graph.blocks import find_blocks, split_lines
from aptcore.graph.branches import is_writable_concept, quote, unquote
from aptcore.graph.checks import is_connected, triples
from aptcore.graph.corpus import Record, read_corpus
from aptcore.graph.encoding import decode_text
from aptcore.graph.penman import (
    GraphWarning,
    format_penman,
    item_order,
    parse_penman,
    read_penman,
    without_wiki,
)
from aptcore.graph.validation import problems_of
from tests.seconds import seconds

BOY = "(w / want-01\n   :ARG0 (b / boy)\n   :ARG1 (g / go-02\n      :ARG0 b))"


def as_set(case_triples: list[list[str]]) -> set[tuple[str, ...]]:
    return {tuple(triple) for triple in case_triples}


@pytest.mark.parametrize("case_id", ["c01", "c02", "c04", "c05"])
def test_a_faulty_graph_is_refused_with_its_line_and_words(
    cases: dict[str, Any], case_id: str
) -> None:
    given_text, expected = cases[case_id]["input"]["penman"], cases[case_id]["expected"]
    texts = given_text if isinstance(given_text, list) else [given_text]
    lines = expected["problem_line"]
    lines = lines if isinstance(lines, list) else [lines]
    names = expected.get("problem_names", ["quotation mark" if case_id == "c02" else ""] * 2)
    for text, line, name in zip(texts, lines, names, strict=False):
        with pytest.raises(PenmanError) as caught:
            parse_penman(text)
        assert caught.value.line == line
        assert name in caught.value.message


def test_quoted_times_and_fractions_are_read(cases: dict[str, Any]) -> None:
    expected = cases["c01"]["expected"]
    for text, wanted in zip(
        expected["suggested_form"], expected["triples_of_suggested_form"], strict=True
    ):
        assert set(triples(parse_penman(text))) == as_set(wanted)


def test_any_text_comes_back_as_a_constant(cases: dict[str, Any]) -> None:
    case = cases["c03"]
    for text, written in zip(case["input"]["values"], case["expected"]["written"], strict=True):
        assert quote(text) == written
        constant = Attribute("s:value", "s", ":value", quote(text))
        graph = AmrGraph((Node("s", "string-entity"),), (constant,), (), "s")
        (read,) = parse_penman(format_penman(graph)).attributes
        assert unquote(read.value) == text


@given(st.text())
def test_quote_and_unquote_are_inverse_on_one_line(text: str) -> None:
    one_line = text.replace("\n", " ").replace("\r", " ")
    assert unquote(quote(one_line)) == one_line


@pytest.mark.parametrize("case_id", ["c06", "c07", "c09"])
def test_edges_have_their_normal_direction(cases: dict[str, Any], case_id: str) -> None:
    case = cases[case_id]
    for text, wanted in zip(case["input"]["penman"], case["expected"]["triples"], strict=True):
        graph = parse_penman(text)
        assert set(triples(graph)) == as_set(wanted)
        assert set(triples(parse_penman(format_penman(graph)))) == as_set(wanted)
        assert set(triples(parse_penman(format_penman(replace(graph, layout=()))))) == as_set(
            wanted
        )


def test_constants_are_never_nodes(cases: dict[str, Any]) -> None:
    for text in cases["c07"]["input"]["penman"]:
        assert len(parse_penman(text).nodes) == 1


def test_repeated_triples_are_collapsed_with_a_warning(cases: dict[str, Any]) -> None:
    case = cases["c08"]
    for text, distinct, repeated, nodes in zip(
        case["input"]["penman"],
        case["expected"]["distinct_triples"],
        case["expected"]["duplicate_triples"],
        case["expected"]["nodes"],
        strict=True,
    ):
        graph, problems = read_penman(text)
        assert len(triples(graph)) == distinct
        assert len(problems) == repeated
        assert len(graph.nodes) == nodes
    with pytest.warns(GraphWarning) as caught:
        parse_penman(case["input"]["penman"][0])
    messages = [str(warning.message) for warning in caught]
    assert messages == [
        "line 3: triple i :ARG0 c is repeated; it is kept once",
        "line 5: triple c :mode imperative is repeated; it is kept once",
    ]


def test_each_constant_has_its_own_id() -> None:
    graph = parse_penman('(n / name :op1 "A" :op1 "B" :op2 "A")')
    assert [item.id for item in graph.attributes] == ["n:op1", "n:op1#2", "n:op2"]


def test_the_place_of_a_concept_survives_the_collapse_of_a_repeat() -> None:
    graph, problems = read_penman("(c / company :ARG0-of i :ARG0-of (i / insure-02))")
    assert len(problems) == 1
    assert format_penman(graph) == "(c / company\n   :ARG0-of (i / insure-02))"


def test_every_top_gives_the_same_triples(cases: dict[str, Any]) -> None:
    graph = parse_penman(cases["c09"]["input"]["penman"][0])
    for top in cases["c09"]["input"]["new_tops"]:
        again = parse_penman(format_penman(replace(graph, root=top)))
        assert again.root == top
        assert set(triples(again)) == set(triples(graph))


def test_the_order_of_the_text_is_kept(cases: dict[str, Any]) -> None:
    text = cases["c10"]["input"]["penman"]
    assert format_penman(parse_penman(text)).split() == text.split()


def test_marks_are_read_and_written_as_they_stand(cases: dict[str, Any]) -> None:
    case = cases["c15"]
    for number, text in enumerate(case["input"]["penman"]):
        graph = parse_penman(text)
        assert format_penman(graph, alignments=True) == case["expected"]["written"][number]
        assert "~" not in format_penman(graph)
        for node, tokens in case["expected"]["concept_alignment"][number].items():
            assert graph.alignments[node] == Alignment(tuple(tokens), "given")
    first, second = map(parse_penman, case["input"]["penman"])
    assert first.alignments[Edge("d", ":ARG1", "t")].tokens == (2, 3)
    assert first.alignments[Edge("d", ":manner", "f")].tokens == (5,)
    assert second.alignments[Mention(Edge("g", ":ARG0", "b"))].tokens == (1,)
    assert [node.concept for node in first.nodes] == ["thing", "describe-01", "full"]


def test_marks_without_a_letter_and_on_constants_are_read() -> None:
    text = '(c / city~1\n   :name "Jaffa"~6\n   :polarity~2 -~3)'
    graph = parse_penman(text)
    assert graph.alignments["c:name"].tokens == (6,)
    assert graph.alignments["c:polarity"].tokens == (3,)
    assert graph.alignments[Edge("c", ":polarity", "c:polarity")].tokens == (2,)
    assert format_penman(graph, alignments=True) == text


def test_new_alignments_are_written_as_marks() -> None:
    graph = replace(parse_penman(BOY), alignments={"b": Alignment((1, 2), "rule")})
    assert "(b / boy~e.1,2)" in format_penman(graph, alignments=True)


@pytest.mark.parametrize(
    "text", ["", "# only a comment", "boy", "(", "(b)", "(b / )", "(b / boy :ARG0", "(b boy)"]
)
def test_no_graph_or_half_a_graph_is_refused(text: str) -> None:
    with pytest.raises(PenmanError):
        parse_penman(text)


def test_a_space_in_a_concept_is_named(cases: dict[str, Any]) -> None:
    bad, anonymous, invented = cases["c33"]["input"]["penman"]
    with pytest.raises(PenmanError, match="search engine"):
        parse_penman(bad)
    parse_penman(cases["c33"]["expected"]["suggested_form"][0])
    assert any("':'" in str(problem) for problem in problems_of(parse_penman(anonymous)))
    assert any("':null_edge'" in str(problem) for problem in problems_of(parse_penman(invented)))


def test_lines_are_those_of_the_file() -> None:
    with pytest.raises(PenmanError, match=r"f\.amr:12: role ':45' has no target"):
        parse_penman("(d / date-entity\n :time 18:45)", path="f.amr", first_line=11)


def test_item_order_follows_the_text_and_the_place_of_concepts() -> None:
    text = '(c / command :ARG0 r :op1 "x" :ARG2 (r / robot :polarity -) :ARG1 (g / go-02))'
    assert item_order(parse_penman(text)) == ("c", "c:op1", "r", "r:polarity", "g")


def test_item_order_without_a_layout_is_depth_first() -> None:
    graph = AmrGraph(
        nodes=(Node("a", "and"), Node("b", "boy"), Node("g", "go-02"), Node("t", "tall")),
        attributes=(Attribute("k", "a", ":mode", "imperative"),),
        edges=(Edge("g", ":ARG0", "b"), Edge("a", ":op1", "b"), Edge("b", ":mod", "t")),
        root="a",
    )
    assert item_order(graph) == ("a", "k", "b", "t", "g")
    assert ":ARG0-of (g / go-02)" in format_penman(graph)


def test_an_edit_leaves_the_rest_as_written() -> None:
    text = "(w / want-01 :ARG1 (g / go-02 :ARG0 b) :ARG0 (b / boy :mod (o / old)))"
    graph = parse_penman(text)
    longer = replace(
        graph,
        nodes=(*graph.nodes, Node("t", "today")),
        edges=(*graph.edges, Edge("g", ":time", "t")),
    )
    wanted = text.replace(":ARG0 b)", ":ARG0 b :time (t / today))")
    assert format_penman(longer).split() == wanted.split()
    shorter = replace(
        graph,
        nodes=tuple(node for node in graph.nodes if node.id != "o"),
        edges=tuple(edge for edge in graph.edges if edge.target != "o"),
    )
    assert format_penman(shorter).split() == text.replace(" :mod (o / old)", "").split()


def test_a_node_whose_place_is_removed_moves_to_its_next_mention() -> None:
    graph = parse_penman(BOY)
    edges = tuple(edge for edge in graph.edges if edge != Edge("w", ":ARG0", "b"))
    text = format_penman(replace(graph, edges=edges))
    assert text.split() == "(w / want-01 :ARG1 (g / go-02 :ARG0 (b / boy)))".split()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"nodes": (Node("w", "want-01"), Node("w", "boy"))}, "stands for 2 nodes"),
        ({"nodes": (Node("w", "a b"),), "edges": ()}, "'a b' of w cannot be written"),
        ({"root": "x"}, "root 'x' is no node"),
        ({"edges": ()}, "nothing links the root to b, g"),
        ({"attributes": (Attribute("k", "w", ":op1", "18:45"),)}, "quote it"),
        ({"attributes": (Attribute("k", "w", ":op1", "b"),)}, "also a variable"),
        ({"attributes": (Attribute("k", "w", "op1", "x"),)}, "role 'op1' cannot be written"),
        ({"edges": (Edge("w", ":ARG0-of", "b"),)}, "the role is inverted"),
    ],
)
def test_what_would_not_read_back_is_not_written(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(GraphError, match=words):
        format_penman(replace(parse_penman(BOY), **changed))


@pytest.mark.parametrize(
    "text", ["boy", "want-01", "東京", "🙂", "o'clock", "'s", "&", "C++", "a#b", "%", "-"]
)
def test_writable_concepts(text: str) -> None:
    assert is_writable_concept(text)
    graph = AmrGraph((Node("x", text),), (), (), "x")
    assert parse_penman(format_penman(graph)).nodes == graph.nodes


@pytest.mark.parametrize(
    "text",
    ["", " ", "a b", "a\u00a0b", 'a"', "(", ")", "a:b", "a/b", "a~e.1", "#5", "\u200b", "a\x00"],
)
def test_unwritable_concepts(text: str) -> None:
    assert not is_writable_concept(text)


def test_wiki_is_removed_and_counted() -> None:
    text = '(c / city :wiki "Lima" :name (n / name :op1 "Lima") :wiki -)'
    graph, number = without_wiki(parse_penman(text))
    assert number == 2
    wanted = '(c / city :name (n / name :op1 "Lima"))'
    assert format_penman(graph).split() == wanted.split()
    assert item_order(graph) == ("c", "n", "n:op1")


def test_a_detached_piece_is_seen() -> None:
    graph = parse_penman(BOY)
    assert is_connected(graph)
    assert not is_connected(replace(graph, nodes=(*graph.nodes, Node("x", "dog"))))


def test_metadata_comes_back() -> None:
    text = "# ::id a.1\n# ::snt write std::vector , or ::\n# ::empty\n" + BOY
    graph = parse_penman(text)
    assert graph.metadata == {"id": "a.1", "snt": "write std::vector , or ::", "empty": ""}
    assert parse_penman(format_penman(graph)).metadata == graph.metadata


def test_a_very_deep_graph_does_not_end_the_program() -> None:
    depth = 1000  # penman itself ends at about 480
    text = "".join(f"(x{n} / deep :ARG0 " for n in range(depth)) + "(y / end)" + ")" * depth
    graph = parse_penman(text)
    assert len(graph.nodes) == depth + 1
    assert parse_penman(format_penman(replace(graph, layout=()))).edges == graph.edges


@st.composite
def connected_graphs(draw: st.DrawFn) -> AmrGraph:
    size = draw(st.integers(1, 8))
    nodes = tuple(
        Node(f"x{n}", draw(st.sampled_from(["boy", "go-02", "and"]))) for n in range(size)
    )
    roles = st.sampled_from([":ARG0", ":mod", ":consist-of", ":part", ":op10"])
    edges: dict[Edge, None] = {}
    for n in range(1, size):
        other = draw(st.integers(0, n - 1))
        ends = (n, other) if draw(st.booleans()) else (other, n)
        edges[Edge(f"x{ends[0]}", draw(roles), f"x{ends[1]}")] = None
    for _ in range(draw(st.integers(0, 4))):
        ends = (draw(st.integers(0, size - 1)), draw(st.integers(0, size - 1)))
        edges[Edge(f"x{ends[0]}", draw(roles), f"x{ends[1]}")] = None
    values = {
        (draw(st.integers(0, size - 1)), draw(roles), draw(st.text(max_size=5)))
        for _ in range(draw(st.integers(0, 3)))
    }
    attributes = tuple(
        Attribute(f"k{number}", f"x{node}", role, quote(text))
        for number, (node, role, text) in enumerate(sorted(values))
    )
    order = draw(st.permutations(list(edges)))
    unique = {(a.source, a.role, a.value): a for a in attributes}
    return AmrGraph(nodes, tuple(unique.values()), tuple(order), draw(st.sampled_from(nodes)).id)


@given(connected_graphs())
@settings(max_examples=200, deadline=None)
def test_any_connected_graph_reads_back(graph: AmrGraph) -> None:
    again = parse_penman(format_penman(graph))
    assert set(triples(again)) == set(triples(graph))
    assert again.root == graph.root
    concepts = {node.id for node in graph.nodes}
    kept = [name for name in item_order(graph) if name in concepts]
    assert [name for name in item_order(again) if name in concepts] == kept


@given(connected_graphs(), st.data())
@settings(max_examples=200, deadline=None)
def test_a_stale_layout_is_never_written(graph: AmrGraph, data: st.DataObject) -> None:
    read = parse_penman(format_penman(graph))
    dropped = data.draw(st.sampled_from([None, *read.edges]))
    edges = tuple(edge for edge in read.edges if edge != dropped)
    edited = replace(read, edges=edges, root=data.draw(st.sampled_from(read.nodes)).id)
    if is_connected(edited):
        again = parse_penman(format_penman(edited))
        assert set(triples(again)) == set(triples(edited))
        assert again.root == edited.root


def corpus_files(folder: Path) -> list[Path]:
    names = ["*/*.txt", "*/v*/*.txt", "wiki25/*.jkaln", "emory-dialogue/*.penman"]
    found = [path for name in names for path in sorted(folder.glob(name))]
    return [path for path in found if path.parent.name != "lists"]


def sample_of(path: Path, step: int) -> tuple[Record, ...]:
    """Every so-many-th record of a file; those between are not read."""
    lines = split_lines(decode_text(path.read_bytes(), str(path)))
    blocks, _ = find_blocks(lines)
    chosen = ("\n".join(line.text for line in lines[slice(*block)]) for block in blocks[::step])
    return read_corpus(path, text="\n\n".join(chosen)).records


def test_public_corpora_read_as_penman_reads_them_and_are_written_the_same(
    data_folder: Path,
) -> None:
    for path in corpus_files(data_folder):
        for record in sample_of(path, 30):
            if record.graph is None:
                continue
            wanted = penman.decode(record.raw, model=amr_model)
            assert set(triples(record.graph)) == set(wanted.triples)
            assert record.graph.root == wanted.top
            if not record.problems:
                wanted.metadata.clear()
                written = format_penman(record.graph, metadata=False, alignments=True)
                assert written == penman.encode(wanted, model=amr_model)


def test_reading_takes_hardly_longer_than_the_reference(data_folder: Path) -> None:
    some = [
        record.raw
        for path in sorted((data_folder / "bio").glob("amr-release-*.txt"))
        for record in sample_of(path, 10)
    ]
    own = seconds(lambda: [read_penman(block) for block in some])
    assert own < 4 * seconds(lambda: [penman.decode(block, model=amr_model) for block in some])


@pytest.mark.parametrize(
    ("text", "line", "shown", "fixed"),
    [
        ("(p / person\n   :name (n / name :op1 ‘Ivo’))", 2, "‘Ivo’", '"Ivo"'),
        ("(p / person\n   :wiki “Ivo_Ral”)", 2, "“Ivo_Ral”", '"Ivo_Ral"'),
        ("(d / date-entity :time ”18:30”)", 1, "”18:30”", '"18:30"'),
        ('(n / name :op1 “Ivo")', 1, '“Ivo"', '"Ivo"'),
        ('(n / name :op1 "Ivo”)', 1, '"Ivo”', '"Ivo"'),
        ("(n / name :op1 Ivo”)", 1, "Ivo”", '"Ivo"'),
        ("(n / name :op1 “New York” :op2 «Ra»)", 1, "“New York”", '"New York"'),
        ("(n / name :op1 ‘O’Neil’)", 1, "‘O’Neil’", '"O’Neil"'),
        ("(d / „dog‟)", 1, "„dog‟", '"dog"'),
        ("(n / name :op1 ‹Ivo›)", 1, "‹Ivo›", '"Ivo"'),
        ("(s / say-01\n :ARG1 (t / thing :value 「no」))", 2, "「no」", '"no"'),
        ("(n / name :op1 ＂Ivo＂~e.1)", 1, "＂Ivo＂", '"Ivo"'),
    ],
)
def test_typographic_quotation_marks_are_an_error_with_the_fix(
    text: str, line: int, shown: str, fixed: str
) -> None:
    with pytest.raises(PenmanError) as raised:
        parse_penman(text)
    assert raised.value.line == line
    assert raised.value.message == (
        f"{shown} has typographic quotation marks; write it with straight ones: {fixed}"
    )


@pytest.mark.parametrize("shown", ["'Ivo'", "``Ivo''", "`Ivo´", "'O’Neil'"])
def test_single_quotation_marks_are_an_error_with_the_fix(shown: str) -> None:
    for text in (f"(n / name :op1 {shown})", f"(n / name :op1~e.1 {shown}~e.2)", f"(i / {shown})"):
        with pytest.raises(PenmanError) as raised:
            parse_penman(text)
        fixed = f'"{shown.strip(chr(39) + "`´")}"'
        assert raised.value.message == (
            f"{shown} has single quotation marks; write it with double ones: {fixed}"
        )
    assert not is_writable_concept(shown)


def test_case_c63_says_how_to_write_each_text(cases: dict[str, Any]) -> None:
    case = cases["c63"]
    columns = ("reject", "problem_line", "problem_names", "suggested_form")
    wanted = zip(*(case["expected"][name] for name in columns), strict=True)
    after = case["expected"]["triples_of_suggested_form"]
    for text, (rejected, line, name, form), written in zip(
        case["input"]["penman"], wanted, after, strict=True
    ):
        if not rejected:
            assert problems_of(parse_penman(text)) == ()
            continue
        with pytest.raises(PenmanError) as raised:
            parse_penman(text)
        assert raised.value.line == line
        assert name in raised.value.message
        shown, _, fixed = raised.value.message.partition(" has ")
        assert text.replace(shown, fixed.rpartition(": ")[2]) == form
        assert sorted(map(list, triples(parse_penman(form)))) == sorted(written)


def test_typographic_marks_inside_straight_ones_and_apostrophes_stay() -> None:
    graph = parse_penman("""(n / name :op1 "“no”" :op2 O’Neil :op3 "‘" :op4 o'clock :op5 's)""")
    values = [item.value for item in graph.attributes]
    assert values == ['"“no”"', "O’Neil", '"‘"', "o'clock", "'s"]
    assert not is_writable_concept("“dog”")
    assert is_writable_concept("o’clock")
