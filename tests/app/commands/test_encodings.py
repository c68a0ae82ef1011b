"""Line ends of all kinds and encodings, alike in every command."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.commands.console import open_corpora, read_sentences
from app.commands.parse import Request, sentences_of
from app.store.store import open_store
from aptcore.errors import FormatError
from aptcore.graph.checks import triples
from trainer.annotating import sources
from trainer.config import DataConfig, TrainConfig
from trainer.examples.corpora import read_gold

ENDS = ("\n", "\r\n", "\r")
GRAPHS = """# ::id m.1
# ::snt It hails.
(h / hail-01)

# ::id m.2
# ::snt She waved.
(w / wave-01
   :ARG0 (s / she))
"""


def run(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as info:
        main([str(argument) for argument in arguments])
    return int(info.value.code or 0)


def files_of_case(cases: dict[str, dict[str, Any]], folder: Path) -> dict[str, Path]:
    paths = {name: folder / name for name in cases["c62"]["input"]["files"]}
    for name, path in paths.items():
        path.write_bytes(cases["c62"]["input"]["files"][name].encode())
    return paths


@pytest.mark.parametrize("name", ["sentences.txt", "mixed.txt"])
def test_a_lone_carriage_return_ends_a_line_of_text(
    cases: dict[str, dict[str, Any]],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = files_of_case(cases, tmp_path)[name]
    wanted = cases["c62"]["expected"]["sentences"][name]
    assert [text for _, text in read_sentences([path])[0]] == wanted  # annotate
    assert [text for _, text in sentences_of(Request((), path, None, (), 1, False))[0]] == wanted
    assert sources.sentences_of([path], lambda line: None)[1] == wanted
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert [text for _, text in read_sentences([Path("-")])[0]] == wanted


@pytest.mark.parametrize("end", ENDS)
def test_every_line_end_ends_a_line_of_graphs(
    end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, aligned = tmp_path / "graphs.txt", tmp_path / "aligned.txt"
    path.write_bytes(GRAPHS.replace("\n", end).encode())
    (corpus,), _ = open_corpora([path])
    assert [record.id for record in corpus.records] == ["m.1", "m.2"]
    assert [triples(record.graph) for record in corpus.records if record.graph] == [
        (("h", ":instance", "hail-01"),),
        (("w", ":instance", "wave-01"), ("s", ":instance", "she"), ("w", ":ARG0", "s")),
    ]
    assert run("oracle", path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["sentences"] == 2
    assert run("evaluate", path, path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["smatch"]["f1"] == 1.0
    assert run("align", path, "--output", aligned) == 0
    assert b"\r" not in aligned.read_bytes()
    assert aligned.read_bytes().count(b"# ::alignments ") == 2
    config = TrainConfig(data=DataConfig(root=str(tmp_path)))
    assert len(read_gold(config, ["graphs.txt"], lambda line: None)[0]) == 2
    store, out = tmp_path / "work.db", tmp_path / "out.txt"
    assert run("project", "import", path, "--store", store) == 0
    assert run("project", "export", "--store", store, "--output", out) == 0
    assert out.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("end", ENDS)
def test_every_line_end_ends_a_line_of_json_lines(end: str, tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    line = '{"sent": "It hails .", "amr": "(h / hail-01)"}'
    path.write_bytes(end.join([line, line, ""]).encode())
    assert len(read_sentences([path])[0]) == 2
    assert len(open_corpora([path])[0][0].records) == 2


def test_other_separators_stay_inside_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    text = "It\u2028hails\x85 now\x0b .\nShe waved .\n"
    path.write_bytes(text.encode())
    assert [found for _, found in read_sentences([path])[0]] == text.split("\n")[:2]


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    for name, content in (("graphs.txt", GRAPHS), ("text.txt", "It hails.\nShe waved.\n")):
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8-sig"))
        texts = [text for _, text in read_sentences([path])[0]]
        assert texts == ["It hails.", "She waved."]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_unicode_encodings_are_refused_by_name(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "wide.txt"
    path.write_bytes(GRAPHS.encode(encoding))
    for read in (open_corpora, read_sentences):
        with pytest.raises(FormatError, match=r"wide\.txt.*(UTF-16|UTF-32|zero byte)") as info:
            read([path])
        assert info.value.offset is not None


def test_latin_1_is_named_with_the_place_and_nothing_is_guessed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(GRAPHS.replace("She waved", "Zo\u00eb waved").encode("latin-1"))
    (corpus,), _ = open_corpora([path])
    (problem,) = corpus.problems
    assert (problem.line, corpus.records[1].is_broken) == (6, True)
    assert "byte 0xEB is not UTF-8" in problem.message
    assert "(character 11 of the line)" in problem.message
    store = tmp_path / "work.db"
    assert run("project", "import", path, "--store", store) == 1
    assert "byte 0xEB" in capsys.readouterr().err
    opened = open_store(str(store))
    try:
        assert opened.export(opened.documents()[0].id).encode("utf-8", "surrogateescape") == (
            path.read_bytes()
        )
    finally:
        opened.close()
