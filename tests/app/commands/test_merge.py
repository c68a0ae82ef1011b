"""``aptamr merge``: documents of a file, what has no graph, and the way back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from aptcore.graph.checks import rooted_triples
from aptcore.graph.corpus import read_corpus

TEXT = """# ::id fox.1
# ::snt The fox ran.
(r / run-02 :ARG0 (f / fox))

# ::id hen.1
# ::snt A hen slept.
# ::alignments 1-1.1 2-1
(s / sleep-01 :ARG0 (h / hen))

# ::id fox.2
# ::snt It hid.
# ::coref i=fox.1:f x=fox.9:y
(h / hide-01 :ARG0 (i / it))
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "animals.amr"
    path.write_text(TEXT)
    return path


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(map(str, arguments)))
    return int(left.value.code or 0)


def test_documents_are_told_apart_by_their_ids(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "documents.amr"
    assert run("merge", source, "--output", output, "--json") == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {
        "documents": 2, "sentences": 3, "joined": 1, "failed": 0,
    }  # fmt: skip
    assert captured.err == "warning: fox: sentence 2: the link x=fox.9:y leads nowhere\n"
    fox, hen = read_corpus(output).records
    assert (fox.id, fox.metadata["snt"]) == ("fox", "The fox ran. It hid.")
    assert (hen.id, hen.metadata["alignments"]) == ("hen", "1-1.1.1 2-1.1")
    assert not fox.problems


def test_a_file_is_a_document_where_it_is_asked_for_or_ids_have_no_number(
    source: Path, tmp_path: Path
) -> None:
    output = tmp_path / "documents.amr"
    assert run("merge", source, "--output", output, "--by", "file") == 0
    assert [record.id for record in read_corpus(output).records] == ["animals"]
    source.write_text(TEXT.replace("hen.1", "hen"))
    assert run("merge", source, "--output", output) == 0
    assert [record.id for record in read_corpus(output).records] == ["animals"]


def test_merged_documents_are_scored_and_parted_again(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, back = tmp_path / "documents.amr", tmp_path / "back.amr"
    run("merge", source, "--output", output)
    capsys.readouterr()
    assert run("evaluate", output, output, "--json") == 0
    assert json.loads(capsys.readouterr().out)["smatch"]["f1"] == 1.0
    assert run("merge", output, "--undo", "--output", back) == 0
    before = {record.id: record for record in read_corpus(source).records}
    for record in read_corpus(back).records:
        assert record.metadata == before[record.id].metadata
        graph, wanted = record.graph, before[record.id].graph
        assert graph
        assert wanted
        assert set(rooted_triples(graph)) == set(rooted_triples(wanted))
        assert graph.alignments == wanted.alignments
    assert run("merge", source, "--undo", "--output", back) == 1
    assert "fox.1: the graph is not one that aptamr merge made" in capsys.readouterr().err


def test_a_sentence_without_a_graph_is_told_and_ends_nothing(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "documents.amr"
    source.write_text(TEXT.replace("(r / run-02", "(r / / run-02").replace("hen)", "hen"))
    assert run("merge", source, "--output", output) == 1
    said = capsys.readouterr().err
    assert "warning: fox.1 has no graph" in said
    assert "error: hen: no sentence of the document has a graph" in said
    (record,) = read_corpus(output).records
    assert record.graph
    assert [edge.role for edge in record.graph.edges] == [":snt2", ":ARG0"]
