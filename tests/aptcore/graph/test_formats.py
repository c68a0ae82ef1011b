"""Which format a file has, and what JSON Lines become."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aptcore.errors import FormatError
from aptcore.graph.corpus import sentence_text
from aptcore.graph.encoding import decode_text
from aptcore.graph.formats import format_of, graphs_of, named_sentences, read_source
from aptcore.graph.penman import format_penman, parse_penman

KNOWN = [
    ("# ::snt It rains .\n(r / rain-01)\n", "penman"),
    ("a heading\n\n(r / rain-01\n   :time (n / now))\n", "penman"),
    ("(s / search engine", "penman"),
    ("\ufeff(r / rain-01)\r(s / snow-01)\r", "penman"),
    ('{"snt": "It rains ."}\n', "json-lines"),
    ('\n{"broken\n{"amr": "(r / rain-01)"}\n', "json-lines"),
    ('[1]\n{"text": "It rains ."}\n', "json-lines"),
    ("It rains.\nIt snows.\n", "text"),
    ("", "text"),
    ("(he / she) left.\n", "text"),
    ("{Laughs} It rains.\n[Applause] It snows.\n", "text"),
    ("[1] It rains, said one.\n", "text"),
    ("# a heading\nIt rains.\n", "text"),
    ("Ada, Bo and Cy, text, left.\nIt rains.\n", "text"),
    ("<3 it rains\nIt <b>rains</b>.\n", "text"),
    ("a\tb\nIt rains.\n", "text"),
    ("The AMR is (r / rain-01), it says.\n", "text"),
]


@pytest.mark.parametrize(("text", "wanted"), KNOWN)
def test_the_format_is_told_by_the_text(text: str, wanted: str) -> None:
    assert format_of("file.txt", text) == wanted


REFUSED = [
    ("95 :ARG0 (p / person)\n", "part of a graph"),
    ("   :ARG0 (p / person)\n   :ARG1 (t / thing))\n", "part of a graph"),
    ('[{"snt": "It rains ."}]\n', "one JSON document"),
    ('{\n  "snt": "It rains ."\n}\n', "one JSON document"),
    ('{"a": [\n1]}\n', "one JSON document"),
    ('["It", "rains"]\n["It", "snows"]\n', "one JSON document|of lists"),
    ('{"q": "It rains ."}\n', "keys are q"),
    ("id,sentence\n1,It rains.\n", "CSV"),
    ("id\tsentence\n1\tIt rains.\n", "TSV"),
    ("a.1\tIt rains.\na.2\tIt snows.\n", "TSV"),
    ("# sent_id = 1\n1\tIt\tit\tPRON\n2\trains\train\tVERB\n", "CoNLL"),
    ("-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\n", "CoNLL"),
    ('<?xml version="1.0"?>\n<s>It rains.</s>\n', "XML"),
    ("<doc>\nIt rains.\n</doc>\n", "XML"),
    ("<!DOCTYPE html>\n<p>It rains.\n", "HTML"),
]


@pytest.mark.parametrize(("text", "name"), REFUSED)
def test_other_formats_are_refused_by_their_name(text: str, name: str) -> None:
    with pytest.raises(FormatError, match=name):
        read_source("file.txt", text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("id;sentence\n1;It hails .\n", "a table"),
        ("| id | sentence |\n|---|---|\n| 1 | It hails . |\n", "a table"),
        ("\\documentclass{article}\nIt hails .\n", "a TeX document"),
        ("\\begin{tikzpicture}\n\\end{tikzpicture}\n", "a TeX document"),
        ('digraph "g" {\n  h -> i\n}\n', r"a drawing \(DOT\)"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nIt hails .\n", "subtitles"),
        ("instance(h, hail-01) ^\nARG1(h, i)\n", "a graph as triples"),
    ],
)
def test_tables_and_documents_of_other_kinds_are_refused(text: str, name: str) -> None:
    """Neighbours of c54."""
    with pytest.raises(FormatError, match=name):
        read_source("file.txt", text)


@pytest.mark.parametrize(
    "text",
    [
        "It hails; she waved .\nYes; no .\n",
        "Graph theory {\nis fun .\n",
        "For instance (a case, b) it hails .\n",
        "a | b\n",
    ],
)
def test_prose_with_their_signs_is_prose(text: str) -> None:
    assert format_of("file.txt", text) == "text"


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.jsonl", '"It hails ."\n'), ("a.yaml", "- sentence: It hails .\n"), ("a.tex", "Hail\n")],
)
def test_other_endings_count_where_the_text_does_not_tell(name: str, text: str) -> None:
    with pytest.raises(FormatError, match="the file is named as"):
        format_of(name, text)


def test_the_ending_counts_where_the_text_does_not_tell() -> None:
    with pytest.raises(FormatError, match=r"^told\.csv: the file is named as a table"):
        format_of("told.csv", "It rains.\n")
    assert format_of("graphs.json", "(r / rain-01)\n") == "penman"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"PAR1\x15\x04", "Parquet"),
        (b"%PDF-1.7\n", "PDF"),
        (b"PK\x03\x04\x14", "ZIP"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"\xff\xfeI\x00", "UTF-16"),
        (b"It\0rains", "zero byte"),
    ],
)
def test_what_is_no_text_is_refused_by_its_name(content: bytes, name: str) -> None:
    with pytest.raises(FormatError, match=name):
        decode_text(content, "file")


def test_plain_text_is_no_file_of_graphs_and_an_empty_one_is_a_corpus_of_none() -> None:
    with pytest.raises(FormatError, match="plain text, and graphs are wanted"):
        graphs_of("a.txt", "It rains.\n")
    assert graphs_of("a.txt", "\ufeff\n").records == ()


def test_each_line_of_json_is_one_record_with_the_line_of_the_file() -> None:
    lines = [
        '{"id": "a.1", "snt": "It rains .", "amr": "(r / rain-01)", "source": "diary", "n": 2}',
        "",
        "{broken",
        '{"sent": "Go !", "graph": "(g / go-02) (h / hop-01)"}',
        '{"sentence": "Look", "penman": "# ::id in.1\\n# ::date 2020\\n\\n(l / look-01)"}',
        '{"text": "Only a sentence"}',
        '{"else": 1}',
        '{"text": "See", "amr": 7}',
    ]
    reading = read_source("a.jsonl", "\n".join(lines))
    records = reading.corpus.records
    assert [record.line for record in records] == [1, 3, 4, 5, 6, 7, 8]
    assert [bool(record.graph) for record in records] == [True, False, False, True, *[False] * 3]
    assert dict(records[0].metadata) == {
        "id": "a.1", "snt": "It rains .", "source": "diary", "n": "2"
    }  # fmt: skip
    assert (records[3].id, records[3].metadata["date"]) == ("in.1", "2020")
    assert records[1].metadata["json"] == "{broken"
    assert {problem.line for problem in reading.corpus.problems} >= {3, 4, 7, 8}
    assert named_sentences(reading)[4] == ("", "Only a sentence")


def test_case_c53_names_what_an_export_lacks_or_has_of_another_type(
    cases: dict[str, Any],
) -> None:
    text = cases["c53"]["input"]["files"]["goats.jsonl"]
    first = json.loads(text.splitlines()[0])
    unread = ("number", "revision", "edited", "flagged", "apart")  # told anew by every store
    for key in first.keys() - {*unread, "penman"}:
        changed = {name: value for name, value in first.items() if name != key}
        (problem,) = read_source("a.jsonl", "\n" + json.dumps(changed)).corpus.problems
        assert (problem.line, problem.message) == (2, f"the export has no {key}")
    for key in ("id", "text", "tokens", "alignments", "metadata", "status"):
        (problem,) = read_source("a.jsonl", json.dumps({**first, key: 3.5})).corpus.problems
        assert (problem.line, problem.message) == (1, f"{key} is of another type: 3.5")
    changed = {**first, "text": "Goats sleep.", "tokens": ["Goats", "sleep", "."]}
    told = read_source("a.jsonl", json.dumps(changed)).corpus.problems
    assert ["which counts" in problem.message for problem in told] == [True, True]


@pytest.mark.parametrize(
    ("values", "problem", "metadata"),
    [
        ({"tokens": "It rains ."}, "the tokens are no list of texts: It rains .", {}),
        ({"tokens": ["It", 3]}, "the tokens are no list of texts: ['It', 3]", {}),
        ({"alignments": [{"node": "z", "tokens": [1]}]}, "the alignment is of nothing in", {}),
        ({"alignments": [{"node": "r", "tokens": ["x"]}]}, "the alignment is of nothing in", {}),
        ({"alignments": ["r"]}, "the alignment is of nothing in the graph: r", {}),
        ({"sentence": "It pours"}, "", {"sentence": "It pours"}),
        ({"graph": "(p / pour-01)", "sid": "7"}, "", {"graph": "(p / pour-01)", "sid": "7"}),
    ],
)
def test_what_json_lines_say_beside_a_sentence_and_a_graph_is_kept_or_named(
    values: dict[str, Any], problem: str, metadata: dict[str, str]
) -> None:
    """Neighbours of c53 and c54."""
    line = {"id": "a", "snt": "It rains", "amr": "(r / rain-01)", **values}
    (record,) = read_source("a.jsonl", json.dumps(line)).corpus.records
    assert [problem in told.message for told in record.problems] == [True] * bool(problem)
    assert record.graph is not None
    assert metadata.items() <= record.metadata.items()
    assert sentence_text(record) == "It rains"


def test_a_parse_as_json_keeps_its_alignments() -> None:
    graph = '(w / want-01 :polarity - :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :time "x"))'
    parse = {
        "id": "1",
        "tokens": ["He", "wants", "3 1/2", "go"],
        "penman": graph,
        "alignments": [
            {"node": "w", "tokens": [1], "source": "cursor"},
            {"triple": ["w", ":polarity", "-"], "tokens": [0], "source": "cursor"},
            {"triple": ["w", ":ARG0", "b"], "tokens": [1, 2], "source": "cursor"},
        ],
        "actions": ["SHIFT"],
        "log_prob": -0.5,
        "repairs": [],
        "error": None,
    }
    (record,) = read_source("a.jsonl", json.dumps(parse) + "\n").corpus.records
    assert record.problems == ()
    assert record.graph is not None
    assert format_penman(record.graph, metadata=False) == format_penman(parse_penman(graph))
    found = {str(key): value.tokens for key, value in record.graph.alignments.items()}
    assert found["w"] == (1,)
    assert found["w:polarity"] == (0,)
    assert sorted(found.values()) == [(0,), (1,), (1, 2)]
