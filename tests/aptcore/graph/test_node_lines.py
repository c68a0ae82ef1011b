"""Alignments on ``::node`` lines: JAMR's addresses and IBM's numbers."""

from __future__ import annotations

from typing import Any

import pytest

from aptcore.graph.blocks import tokens_of
from aptcore.graph.corpus import Record, format_record, read_corpus

DOGS = """(c / chase-01
   :ARG0 (d / dog :quant 2)
   :ARG1 (d2 / dog :mod (s / small)))"""


def record_of(*lines: str) -> Record:
    (record,) = read_corpus("f", text="\n".join(lines)).records
    return record


def given(record: Record) -> dict[str, list[int]]:
    assert record.graph is not None
    return {str(key): list(value.tokens) for key, value in record.graph.alignments.items()}


def told(record: Record) -> list[tuple[int, str]]:
    return [(problem.line, problem.message) for problem in record.problems]


@pytest.mark.parametrize("name", ["jamr", "ibm"])
def test_two_nodes_of_one_concept_keep_their_own_words(
    cases: dict[str, dict[str, Any]], name: str
) -> None:
    case = cases["c59"]
    record = record_of(case["input"]["files"][name].rstrip("\n"))
    wanted = case["expected"]["concept_alignment"][name]
    assert given(record) == {key.replace(" :", ":"): tokens for key, tokens in wanted.items()}
    assert list(tokens_of(record.metadata)) == case["expected"]["tokens"][name]
    assert told(record) == []
    assert record.graph is not None
    comments = [line for line in record.raw.split("\n") if line.startswith("#")]
    assert format_record(record, record.graph).split("\n")[: len(comments)] == comments


def test_equal_branches_are_told_apart_by_what_hangs_below_them() -> None:
    record = record_of(
        "# ::tok Red dogs and old dogs",
        "# ::node\t1\tred\t0-1",
        "# ::node\t2\tdog\t1-2",
        "# ::node\t3\tand\t2-3",
        "# ::node\t4\told\t3-4",
        "# ::node\t5\tdog\t4-5",
        "# ::root\t3\tand",
        "# ::edge\tred\tmod-of\tdog\t1\t2\t",
        "# ::edge\tand\top\tdog\t3\t2\t",
        "# ::edge\tand\top\tdog\t3\t5\t",
        "# ::edge\tdog\tmod\told\t5\t4\t",
        "(a / and :op (x / dog :mod (o / old)) :op (y / dog :mod (r / red)))",
    )
    assert given(record) == {"r": [0], "y": [1], "a": [2], "o": [3], "x": [4]}


def test_branches_that_are_wholly_alike_take_their_words_together() -> None:
    record = record_of(
        "# ::tok big dogs , big dogs",
        *(f"# ::node\t{n}\t{c}\t{n}-{n + 1}" for n, c in enumerate(["big", "dog", "and"])),
        "# ::node\t3\tbig\t3-4",
        "# ::node\t4\tdog\t4-5",
        "# ::root\t2\tand",
        *(f"# ::edge\tand\top\tdog\t2\t{n}\t" for n in (1, 4)),
        "# ::edge\tdog\tmod\tbig\t4\t3\t",
        "# ::edge\tdog\tmod\tbig\t1\t0\t",
        "(a / and :op (x / dog :mod (b / big)) :op (y / dog :mod (b2 / big)))",
    )
    found = given(record)
    assert {found["x"][0] - found["b"][0], found["y"][0] - found["b2"][0]} == {1}
    assert sorted(tokens[0] for tokens in found.values()) == [0, 1, 2, 3, 4]


def test_a_text_and_a_later_mention_are_counted_as_jamr_does() -> None:
    record = record_of(
        "# ::tok Mara told Mara 's dog",
        "# ::node\t0\ttell-01\t1-2",
        "# ::node\t0.0\tperson\t0-1",
        "# ::node\t0.0.0\tname\t0-1",
        '# ::node\t0.0.0.0\t"Mara"\t0-1',
        "# ::node\t0.1\tdog\t4-5",
        '(t / tell-01 :ARG0 (p / person :name (n / name :op1 "Mara")) :ARG1 p '
        ":ARG2 (d / dog :poss p))",
    )
    assert told(record) == []
    assert given(record) == {"t": [1], "p": [0], "n": [0], "n:op1": [0], "d": [4]}


def test_what_does_not_hold_is_named_with_its_line_and_the_rest_is_read() -> None:
    record = record_of(
        "# ::tok Two dogs chase a small dog .",
        "# ::node\t0\tchase-01\t2-3",
        "# ::node\t0.0\tcat\t1-2",
        "# ::node\t0.0.0\t2\t",
        "# ::node\t0.1\tdog\t5-9",
        "# ::node\t0.1.0\tsmall\t4-4",
        "# ::node\t0.7\tsmall\t4-5",
        "# ::node\t0\tchase-01\t3-4",
        "# ::node",
        DOGS,
    )
    assert given(record) == {"c": [2]}
    assert told(record) == [
        (3, "::node 0.0 cat is no node of the graph, or not one alone"),
        (4, "::node 0.0.0 2 has no span"),
        (5, "::node 0.1 dog names token 8 of 7 tokens"),
        (6, "::node 0.1.0 small has the span '4-4', which names no token"),
        (7, "::node 0.7 small is no node of the graph, or not one alone"),
        (8, "::node 0 chase-01 has a line before"),
        (9, "::node   is no node of the graph, or not one alone"),
    ]


def test_numbers_that_no_edge_places_are_not_guessed() -> None:
    record = record_of(
        "# ::tok Two dogs chase a small dog .",
        "# ::node\t2\tdog\t1-2",
        "# ::node\t3\tchase-01\t2-3",
        "# ::node\t5\tdog\t5-6",
        DOGS,
    )
    assert given(record) == {"c": [2]}
    assert [line for line, _ in told(record)] == [2, 4]


@pytest.mark.parametrize(
    ("line", "graph", "counting"),
    [
        ("# ::alignments 1-1.1 4-1.2 2-1", DOGS, "::alignments"),
        ("# ::alignments 1-2|0.0 4-5|0.1 2-3|0", DOGS, "::alignments"),
        (
            "# ::x",
            DOGS.replace("d2 / dog", "d2 / dog~e.4").replace("d / dog", "d / dog~e.1"),
            "mark",
        ),
    ],
)
def test_lines_that_contradict_what_counts_more_are_named(
    line: str, graph: str, counting: str
) -> None:
    nodes = ["# ::node\t0.0\tdog\t1-2", "# ::node\t0.1\tdog\t5-6", "# ::node\t0.1.0\tsmall\t4-5"]
    record = record_of("# ::tok Two dogs chase a small dog .", *nodes, line, graph)
    assert given(record)["d2"] == [4]
    (first, what), (second, none) = told(record)
    assert (first, second) == (3, 4)
    assert what.startswith("::node gives d2 tokens [5]; ")
    assert counting in what
    assert what.endswith("gives [4] and counts")
    assert none.endswith("gives none and counts")


@pytest.mark.parametrize(
    ("alignments", "problem"),
    [
        ("4-1.2", "::alignments gives d2 tokens [4]; the mark in the graph gives [5] and counts"),
        ("2-1.2.r", "::alignments gives :ARG1 tokens [2]; the mark in the graph gives none"),
        ("5-1.9", "alignment '5-1.9' names address 1.9, which does not exist"),
        ("9-1.2", "alignment '9-1.2' names token 9 of 7 tokens"),
        ("4-5|0.1", "::alignments gives d2 tokens [4]; the mark in the graph gives [5] and counts"),
        ("5-1.2", ""),
    ],
)
def test_alignments_that_contradict_the_marks_are_named(alignments: str, problem: str) -> None:
    record = record_of(
        "# ::tok Two dogs chase a small dog .",
        f"# ::alignments {alignments}",
        DOGS.replace("d2 / dog", "d2 / dog~e.5"),
    )
    assert given(record) == {"d2": [5]}
    assert [line for line, _ in told(record)] == [2] * bool(problem)
    assert all(message.startswith(problem) for _, message in told(record))


@pytest.mark.parametrize("span", ["0-99999999999999", f"{'9' * 5000}-3", "-1-2", "a-b"])
def test_a_span_of_any_size_is_refused_at_once(span: str) -> None:
    record = record_of(
        "# ::tok Dogs", f"# ::node\t0.0\tdog\t{span}", "(b / bark-01 :ARG0 (d / dog))"
    )
    assert given(record) == {}
    assert "names no token" in told(record)[0][1]
    line = f"# ::alignments {span}|0 {span}-0"
    named = told(record_of("# ::tok Dogs", line, f"(b / bark-01~e.{'9' * 5000})"))
    assert [place for place, _ in named] == [2, 2, 3]
    assert len(told(record_of("# ::tok Dogs", line, "(b / bark-01)"))) == 2
