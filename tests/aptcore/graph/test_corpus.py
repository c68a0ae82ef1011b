"""AMR files as they are found: no block is lost, no problem is silent."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aptcore.alignment.scoring import leamr_tokens, read_leamr
from aptcore.errors import AlignmentError, FormatError
from aptcore.graph.alignment_formats import (
    addresses,
    format_alignments,
    parse_alignments,
)
from aptcore.graph.amr import Edge, Mention, Node
from aptcore.graph.checks import triples
from aptcore.graph.corpus import (
    Corpus,
    Record,
    format_corpus,
    format_record,
    merge_alignments,
    read_corpus,
    save_graphs,
    sentence_text,
    white_space_spans,
    white_space_tokens,
)
from aptcore.graph.encoding import decode_text
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.saving import save_text

CORPORA = {
    "little-prince/v3.0/amr-bank-struct-v3.0-training.txt": 1274,
    "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt": 145,
    "little-prince/v1.6/amr-bank-struct-v1.6-training.txt": 1274,
    "little-prince/v1.6/amr-bank-struct-v1.6-dev.txt": 145,
    "bio/amr-release-training-bio.first838.txt": 838,
    "bio/amr-release-bio-v3.0.part.txt": 723,
    "bio/alignment-release-bio-training-2015-05.txt": 877,
    "bio/alignment-release-training-bio.first610.txt": 610,
    "bio/bio-bel-2015-draft-aligned.txt": 906,
    "bio/amr-release-dev-bio.txt": 500,
    "bio/alignment-release-dev-bio.txt": 500,
    "qald9-amr/qald-9-amr-train.txt": 408,
    "qald9-amr/qald-9-amr-test.part.txt": 78,
    "emory-dialogue/amr_dialogue_corpus.train.penman": 700,
    "massive-amr/massive_amr.en.train.txt": 1179,
    "scout/Standard-AMR.train.txt": 419,
    "scout/Dialogue-AMR.train.txt": 419,
    "minecraft-spatial/minecraft.utterances.train.txt": 3539,
    "legal-amr/civilcode.train.txt": 86,
    "guidelines/amr-guidelines-1.2.6.part.txt": 252,
    "wiki25/wiki25.jkaln": 25,
    "grapes/grapes-corpus.part.txt": 989,
    "silver-sick/sick.silver.txt": 6078,
}
TEXT_AFTER_GRAPH = {"minecraft-spatial/minecraft.utterances.train.txt": 6}
"""Blocks that other readers cut short in silence, for example at ``(j / job))del j``."""


def corpus_of(text: str) -> Corpus:
    return read_corpus("test.amr", text=text)


def messages(corpus: Corpus) -> dict[str, str]:
    return {problem.id: problem.message for problem in corpus.problems}


def with_graph(corpus: Corpus) -> list[Record]:
    return [record for record in corpus.records if record.graph is not None]


def test_byte_order_mark_and_windows_line_ends(cases: dict[str, Any], tmp_path: Path) -> None:
    case = cases["c11"]
    path = tmp_path / "windows.amr"
    path.write_bytes(case["input"]["file"].encode())
    corpus = read_corpus(path)
    assert [record.id for record in corpus.records] == case["expected"]["ids"]
    assert [sentence_text(record) for record in corpus.records] == case["expected"]["snt"]
    assert len(with_graph(corpus)) == case["expected"]["graphs"]
    save_text(path, format_corpus(corpus))
    assert path.read_bytes() == case["input"]["file"].removeprefix("\ufeff").encode()


def test_text_without_graphs_is_reported() -> None:
    assert [str(problem) for problem in corpus_of("Nothing here.\n").problems] == [
        "test.amr:1: text that belongs to no graph: 'Nothing here.'",
        "test.amr:1: the file holds text, but no graph",
    ]
    assert corpus_of("\n\n").problems == ()


def test_blocks_without_blank_lines_and_graphs_with_them(cases: dict[str, Any]) -> None:
    expected = cases["c12"]["expected"]
    corpus = corpus_of(cases["c12"]["input"]["file"])
    assert [record.id for record in with_graph(corpus)] == expected["ids"]
    without = [record for record in corpus.records if record.graph is None]
    assert [record.id for record in without] == expected["without_graph"]
    assert not without[0].is_broken
    for record, wanted in zip(with_graph(corpus), expected["triples"], strict=True):
        assert record.graph is not None
        assert [list(triple) for triple in triples(record.graph)] == wanted
    assert corpus.problems == ()
    assert format_corpus(corpus) == cases["c12"]["input"]["file"]


def test_a_sentence_is_read_to_the_end_of_its_line(cases: dict[str, Any]) -> None:
    (record,) = corpus_of(cases["c13"]["input"]["file"]).records
    assert dict(record.metadata) == cases["c13"]["expected"]["metadata"]


def test_faulty_sentence_keys_are_reported(cases: dict[str, Any], tmp_path: Path) -> None:
    expected = cases["c14"]["expected"]
    corpus = corpus_of(cases["c14"]["input"]["file"])
    assert [record.id for record in with_graph(corpus)] == expected["ids"]
    found = messages(corpus)
    assert set(found) == set(expected["problems"])
    for name, message in expected["problems"].items():
        assert found[name].startswith(message)
    assert sentence_text(corpus.records[3]) == expected["snt"]["d.4"]
    graph = corpus.records[0].graph
    assert graph is not None
    save_text(tmp_path / "saved", format_corpus(corpus, {0: graph}))
    assert "# ::s:nt It rains .\n" in (tmp_path / "saved").read_text()


def test_a_broken_block_does_not_end_the_file() -> None:
    text = (
        "# ::id a\n# ::snt x\n(d / date :time 18:45)\n\n"
        "# ::id b\n# ::snt y\n(r / rain-01 :mod (h / hard)\n"
        "# ::id c\n# ::snt z\n(s / snow-01)\n(e / extra)\n\n"
        "# ::id d\n# ::snt z\n(s / snow-01)\n"
    )
    corpus = corpus_of(text)
    assert [(record.id, record.is_broken) for record in corpus.records] == [
        ("a", True),
        ("b", True),
        ("c", True),
        ("d", False),
    ]
    assert [(problem.line, problem.id) for problem in corpus.problems] == [
        (3, "a"),
        (7, "b"),
        (11, "c"),
    ]
    assert format_corpus(corpus) == text


def test_graphs_without_metadata_are_records_of_their_own() -> None:
    corpus = corpus_of("(a / b)\n(c / d)\n\n(e / f\n\n:op1 g)\n(h / i)")
    assert [record.raw for record in corpus.records] == [
        "(a / b)",
        "(c / d)",
        "(e / f\n\n:op1 g)",
        "(h / i)",
    ]


def test_an_open_quotation_mark_costs_only_its_block(cases: dict[str, Any]) -> None:
    text = f"# ::id a\n{cases['c02']['input']['penman']}\n\n# ::id b\n(r / rain-01)\n"
    corpus = corpus_of(text)
    assert [record.id for record in with_graph(corpus)] == ["b"]
    assert "unclosed quotation mark" in [problem.message for problem in corpus.problems]


def test_an_id_used_twice_is_reported() -> None:
    text = "# ::id a\n# ::snt x\n(a / b)\n\n# ::id a\n# ::snt x\n(a / b)\n"
    assert messages(corpus_of(text))["a"] == "::id is used before, on line 1"


def test_bytes_that_are_not_utf8_are_kept(tmp_path: Path) -> None:
    content = b"# ::id a\n# ::snt na\xefve\n(a / b)\n\n# ::id b\n# ::snt x\n(c / d)\n"
    reason = (
        "byte 0xEF is not UTF-8: save the file as UTF-8 (character 11 of the line); "
        "until then its graph is not read"
    )
    path = tmp_path / "latin.amr"
    path.write_bytes(content)
    corpus = read_corpus(path)
    assert [record.id for record in with_graph(corpus)] == ["b"]
    assert [(p.line, p.id, p.message) for p in corpus.problems] == [(2, "a", reason)]
    save_text(path, format_corpus(corpus))
    assert path.read_bytes() == content


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_file_in_another_encoding_says_so_for_each_graph_and_is_not_guessed(end: bytes) -> None:
    first = ["# ::id a", "# ::snt Zoé \x93était\x94 ici", "(z / zoé)", ""]
    second = ["# ::id b", "# ::snt x", "(n / naïve)", ""]
    third = ["# ::id c", "# ::snt x", "(p / plain)"]
    content = end.join(line.encode("latin-1") for line in [*first, *second, *third])
    text = decode_text(content, "file")
    corpus = corpus_of(text)
    assert [(p.line, p.id, p.message.partition(":")[0]) for p in corpus.problems] == [
        (2, "a", "byte 0xE9 and 4 more are not UTF-8"),
        (7, "b", "byte 0xEF is not UTF-8"),
    ]
    assert all("save the file as UTF-8" in problem.message for problem in corpus.problems)
    assert [record.id for record in with_graph(corpus)] == ["c"]
    assert corpus.raw.encode("utf-8", "surrogateescape") == content


def test_half_a_character_is_no_byte() -> None:
    problem = corpus_of("# ::snt x\n(a / \ud800b)\n\n# ::snt y\n(c / d)\n").problems[0]
    assert (problem.line, problem.message.partition(";")[0]) == (
        2,
        "half a character stands here (character 6 of the line)",
    )


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes("(a / b)".encode("utf-16"))
    with pytest.raises(FormatError, match="UTF-16"):
        read_corpus(path)
    path.write_bytes(b"(a / b)\n\0")
    with pytest.raises(FormatError, match=":2: the file is not text"):
        read_corpus(path)


def test_an_edited_block_leaves_the_others_byte_for_byte(tmp_path: Path) -> None:
    text = (
        "# heading\r\n\r\n# ::id a ::date 1\r\n# ::snt x\r\n(a / and\r\n\t:op1 (b / boy))\r\n\r\n"
        "# ::id b\r\n# ::snt y\r\n(c / d   :op1 e)"
    )
    corpus = corpus_of(text)
    graph = corpus.records[0].graph
    assert graph is not None
    edited = replace(
        graph,
        nodes=(*graph.nodes, Node("g", "girl")),
        edges=(*graph.edges, Edge("a", ":op2", "g")),
        metadata={**graph.metadata, "date": "2", "save-date": "today"},
    )
    save_text(tmp_path / "saved", format_corpus(corpus, {0: edited}))
    assert (tmp_path / "saved").read_bytes().decode() == (
        "# heading\r\n\r\n# ::id a\r\n# ::date 2\r\n# ::snt x\r\n# ::save-date today\r\n"
        "(a / and\r\n   :op1 (b / boy)\r\n   :op2 (g / girl))\r\n\r\n"
        "# ::id b\r\n# ::snt y\r\n(c / d   :op1 e)"
    )


def test_saving_replaces_a_file_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "graphs.amr"
    path.write_text("old")
    path.chmod(0o640)
    save_graphs(path, [parse_penman("# ::id a\n(a / b)"), parse_penman("(c / d)")])
    assert path.read_text() == "# ::id a\n(a / b)\n\n(c / d)\n\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["graphs.amr"]


def test_both_alignment_formats_are_told_apart(cases: dict[str, Any]) -> None:
    expected = cases["c16"]["expected"]
    for name, text in cases["c16"]["input"]["files"].items():
        (record,) = corpus_of(text).records
        assert record.graph is not None
        assert record.problems[1:] == ()
        for item, tokens in expected["concept_alignment"][name].items():
            alignment = record.graph.alignments[item.replace(" ", "")]
            assert (list(alignment.tokens), alignment.source) == (tokens, "given")
        if name == "token_format":
            assert record.graph.alignments[Edge("g", ":ARG4", "c")].tokens == (5,)
            assert record.graph.alignments[Mention(Edge("g", ":ARG0", "b"))].tokens == (1,)


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        ("0-1.7", "address 1.7, which does not exist"),
        ("9-1", "token 9 of 3 tokens"),
        ("0-1.r", "the role of the root"),
        ("0+1", "not of the form token-address"),
        ("0-1|0.9", "address 0.9, which does not exist"),
        ("1-1|0", "names no token"),
        ("1|0", "not of the form start-end"),
    ],
)
def test_alignments_to_nothing_are_reported_with_their_text(piece: str, words: str) -> None:
    graph = parse_penman("(w / want-01 :ARG0 (b / boy))")
    alignments, problems = parse_alignments(piece, graph, 3)
    assert alignments == {}
    assert len(problems) == 1
    assert words in problems[0]
    assert repr(piece) in problems[0]


def test_alignments_are_written_as_isi_reads_them() -> None:
    line = "1-1.1 2-1 4-1.2.1 5-1.2.1.r"
    graph = parse_penman("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))")
    alignments, _ = parse_alignments(line, graph)
    assert format_alignments(replace(graph, alignments=alignments)) == line


def test_isi_tokens_are_joined_to_a_sentence() -> None:
    tokens = "@user T @-@ cell , PI3K @/ @ AKT a@b.c <i> x </i>@ y"
    (record,) = corpus_of(f"# ::tok {tokens}\n(a / b)").records
    text = sentence_text(record)
    assert text == "@user T-cell , PI3K/ @ AKT a@b.c <i> x </i>y"
    pieces = [text[start:end] for start, end in white_space_spans(record)]
    assert pieces[:4] == ["@user", "T", "-", "cell"]


def test_tokens_are_found_in_the_sentence() -> None:
    text = "# ::snt It's a T-cell.\n# ::tok It 's a T @-@ cell . Gone\n(a / b)"
    (record,) = corpus_of(text).records
    sentence = sentence_text(record)
    spans = white_space_spans(record)
    assert [sentence[start:end] for start, end in spans] == [
        *("It", "'s", "a", "T", "-", "cell", "."),
        "",
    ]
    assert len(white_space_tokens(record)) == len(spans)


def test_alignments_of_another_file_are_taken_over_by_id() -> None:
    corpus = corpus_of("# ::id a\n# ::snt It rains\n(r / rain-01)\n\n# ::id b\n# ::snt x\n(c / d)")
    aligned = corpus_of("# ::id a\n# ::tok It rains\n(r / rain-01~e.1)\n\n# ::id b\n(e / f)")
    merged = merge_alignments(corpus, aligned)
    first, second = (record.graph for record in merged.records)
    assert first is not None
    assert first.alignments["r"].tokens == (1,)
    assert second is not None
    assert second.alignments == {}
    assert "differs" in messages(merged)["b"]
    assert white_space_tokens(merged.records[0]) == ("It", "rains")


def test_tokens_that_another_file_lists_are_taken_over_with_its_alignments() -> None:
    graph = "(m / move-01 :polarity -)"
    corpus = corpus_of(f'# ::id a\n# ::snt I can\'t move.\n# ::tokens ["x"]\n{graph}')
    line = '# ::tokens ["I", "ca", "n\'t", "move", "."]'
    aligned = corpus_of(f"# ::id a\n{line}\n(m / move-01~e.3 :polarity -~e.2)")
    (record,) = merge_alignments(corpus, aligned).records
    assert white_space_tokens(record) == ("I", "ca", "n't", "move", ".")
    assert record.graph is not None
    assert [value.tokens for value in record.graph.alignments.values()] == [(3,), (2,)]
    assert not any("aligned" in problem.message for problem in record.problems)


def test_tokens_of_another_sentence_are_named_when_they_are_taken_over() -> None:
    corpus = corpus_of("# ::id a\n# ::snt It rains\n(r / rain-01)")
    aligned = corpus_of("# ::id a\n# ::tok Then it rains\n(r / rain-01~e.2)")
    merged = merge_alignments(corpus, aligned)
    assert "the 3 tokens of test.amr:1 are not the words of the sentence" in messages(merged)["a"]


def test_leamr_files_name_tokens_of_nodes_and_constants(tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    path.write_text(
        '{"a": [{"type": "subgraph", "tokens": [1, 0], "nodes": ["1", "1.1.1"]},'
        ' {"type": "dupl-subgraph", "tokens": [2], "nodes": ["1"]}]}'
    )
    graph = parse_penman('(c / city :name (n / name :op1 "Lima"))')
    entries = read_leamr(path)["a"]
    assert leamr_tokens(graph, entries) == {"c": (0, 1), "n:op1": (0, 1)}
    with pytest.raises(AlignmentError, match=r"'1\.1\.1'"):
        leamr_tokens(parse_penman("(c / city)"), entries)


@pytest.mark.parametrize("content", ["[", "[1]", '{"a": [{"tokens": [1]}]}', '{"a": 3}'])
def test_other_json_is_no_leamr_file(tmp_path: Path, content: str) -> None:
    path = tmp_path / "gold.json"
    path.write_text(content)
    with pytest.raises(AlignmentError, match=r"gold\.json"):
        read_leamr(path)


@pytest.mark.parametrize("name", CORPORA)
def test_public_corpora_are_read_whole_and_written_untouched(data_folder: Path, name: str) -> None:
    path = data_folder / name
    corpus = read_corpus(path)
    broken = [record for record in corpus.records if record.is_broken]
    assert len(corpus.records) == CORPORA[name]
    assert len(with_graph(corpus)) + len(broken) == CORPORA[name]
    assert len(broken) == TEXT_AFTER_GRAPH.get(name, 0)
    assert all("text after the end" in record.problems[-1].message for record in broken)
    assert format_corpus(corpus).encode() == path.read_bytes()


def test_marks_and_addresses_of_isi_files_say_the_same(data_folder: Path) -> None:
    corpus = read_corpus(data_folder / "bio/alignment-release-dev-bio.txt")
    for record in corpus.records:
        assert record.graph is not None
        alignments, problems = parse_alignments(record.metadata["alignments"], record.graph)
        assert problems == ()
        assert alignments == record.graph.alignments
        assert format_alignments(record.graph).split() == sorted(
            record.metadata["alignments"].split(),
            key=lambda piece: (
                int(piece.split("-")[0]),
                [int(step) for step in piece.removesuffix(".r").split("-")[1].split(".")],
                piece.endswith(".r"),
            ),
        )


def test_leamr_gold_fits_the_graphs(data_folder: Path) -> None:
    folder = data_folder / "little-prince"
    graphs = {
        record.id: record.graph
        for part in ("training", "dev")
        for record in read_corpus(folder / f"v3.0/amr-bank-struct-v3.0-{part}.txt").records
    }
    entries = {}
    for part in ("dev", "test"):
        name = f"leamr-gold-alignments/leamr_{part}.lpp.subgraph_alignments.gold.json"
        entries.update(read_leamr(folder / name))
    assert len(entries) == 85
    num_nodes = 0
    for identifier, of_sentence in entries.items():
        graph = graphs[identifier]
        assert graph is not None
        num_nodes += len(leamr_tokens(graph, of_sentence))
        assert "1" in addresses(graph)
    assert num_nodes == 524


def records_of(*lines: str) -> tuple[Record, ...]:
    return read_corpus("file", text="\n".join(lines) + "\n").records


def tokens_by_key(record: Record) -> dict[object, tuple[int, ...]]:
    assert record.graph is not None
    return {key: item.tokens for key, item in record.graph.alignments.items()}


def test_tokens_of_a_json_list_are_those_that_marks_count() -> None:
    tokens = '# ::tokens ["I", "ca", "n\'t", "move", "."]'
    (record,) = records_of("# ::snt I can't move.", tokens, "(p / possible-01~e.1 :polarity -~e.2)")
    assert record.problems == ()
    assert white_space_tokens(record) == ("I", "ca", "n't", "move", ".")
    assert white_space_spans(record)[2] == (4, 7)
    (broken,) = records_of("# ::snt I move", '# ::tokens ["I", "mo', "(m / move-01~e.1)")
    assert white_space_tokens(broken) == ("I", "move")
    assert [(p.line, p.message) for p in broken.problems] == [
        (2, "::tokens is no JSON list of texts; it is not read")
    ]


def test_a_no_break_space_stands_inside_a_token() -> None:
    (record,) = records_of("# ::tok Mont\u00a0Ru twice", "(m / mountain~e.0 :frequency 2~e.1)")
    assert white_space_tokens(record) == ("Mont\u00a0Ru", "twice")
    assert tokens_by_key(record) == {"m": (0,), "m:frequency": (1,)}


@pytest.mark.parametrize(
    ("tok", "is_named"),
    [
        ("It rained .", False),
        ("He rained .", True),
        ("It rained", True),
        ("it rained . <ROOT>", False),
        ("It rai @-@ ned .", True),
    ],
)
def test_tokens_that_are_not_the_words_of_the_sentence_are_named(tok: str, is_named: bool) -> None:
    (record,) = records_of("# ::id a", "# ::snt It rained.", f"# ::tok {tok}", "(r / rain-01~e.1)")
    found = [(p.line, p.message) for p in record.problems]
    assert found == ([(3, "::tok is not the words of ::snt")] if is_named else [])
    assert tokens_by_key(record) == {"r": (1,)}


def test_marks_past_the_last_token_are_named_with_their_line() -> None:
    (record,) = records_of(
        "# ::tok Dogs bark",
        "(b / bark-01~e.1",
        "   :ARG0~e.7 (d / dog~e.0)",
        "   :time~e.1 (n / now~e.9))",
    )
    assert tokens_by_key(record) == {"b": (1,), "d": (0,), Edge("b", ":time", "n"): (1,)}
    assert [(p.line, p.message) for p in record.problems] == [
        (3, ":ARG0: token 7 does not exist (2 tokens)"),
        (4, "n: token 9 does not exist (2 tokens)"),
    ]


def test_signs_of_the_penn_treebank_are_the_signs_of_the_sentence() -> None:
    tok = "# ::tok He left -LRB- early -RRB- `` why '' ? <ROOT>"
    (record,) = records_of('# ::snt He left (early) "why" ?', tok, "(l / leave-11~e.1)")
    assert record.problems == ()
    assert white_space_spans(record)[2:7] == ((8, 9), (9, 14), (14, 15), (16, 17), (17, 20))
    (alone,) = records_of(tok, "(l / leave-11)")
    assert sentence_text(alone).startswith("He left ( early )")


def test_lines_for_each_node_and_edge_are_kept_whole() -> None:
    lines = ["# ::id a", "# ::snt Dogs bark", "# ::node\t1\tdog\t0-1", "# ::node\t2\tbark-01\t1-2"]
    lines += ["# ::edge\tbark-01\tARG0\tdog\t2\t1", "(b / bark-01\n   :ARG0 (d / dog))"]
    (record,) = records_of(*lines)
    assert record.problems == ()
    assert record.metadata["node"] == "1\tdog\t0-1\n2\tbark-01\t1-2"
    assert record.graph is not None
    assert format_record(record, record.graph) == record.raw
    assert format_penman(record.graph).count("# ::node") == 2


def test_a_graph_that_cannot_be_read_is_not_called_none() -> None:
    corpus = read_corpus(
        "test.amr", text="# ::id a\n# ::snt She left.\n(l / leave-11 :ARG0 (s / she)\n"
    )
    messages = [problem.message for problem in corpus.problems]
    assert len(messages) == 1
    assert messages[0].startswith("the graph is not closed")
