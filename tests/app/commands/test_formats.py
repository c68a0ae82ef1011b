"""Cases c53, c54, c61 and c62 in every command that reads files."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.commands.parse import Request, sentences_of
from aptcore.graph.checks import triples
from aptcore.graph.corpus import read_corpus
from trainer.config import DataConfig, TrainConfig
from trainer.examples.corpora import read_gold
from trainer.files import with_files


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as info:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return int(info.value.code or 0), captured.out, captured.err


def written(case: dict[str, Any], folder: Path) -> Path:
    for name, text in (case["input"].get("files") or case["input"]["folder"]).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


def parse_names(path: Path) -> list[str | None]:
    """The sentences that ``parse --input`` reads."""
    return [text for _, text in sentences_of(Request((), path, None, (), 1, False))[0]]


def aligned_triples(path: Path, into: Path, capsys: pytest.CaptureFixture[str]) -> list[Any]:
    """The triples that ``align`` writes of a file's graphs."""
    assert run(capsys, "align", path, "--output", into)[0] == 0
    graphs = [record.graph for record in read_corpus(into).records]
    return [sorted(map(list, triples(graph))) for graph in graphs if graph]


def test_case_c53_is_read_alike_by_every_command_and_back_by_the_store(
    cases: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = cases["c53"]
    path, wanted = written(case, tmp_path) / "goats.jsonl", case["expected"]
    assert parse_names(path) == wanted["snt"]
    assert aligned_triples(path, tmp_path / "aligned", capsys) == [
        sorted(each) for each in wanted["triples"]
    ]
    assert [record.id for record in read_corpus(tmp_path / "aligned").records] == wanted["ids"]
    assert json.loads(run(capsys, "oracle", path, "--json")[1])["sentences"] == 2
    assert json.loads(run(capsys, "evaluate", path, path, "--json")[1])["smatch"]["f1"] == 1.0
    rows: list[list[dict[str, Any]]] = []
    for number in range(2):
        store, out = tmp_path / f"{number}.db", tmp_path / f"{number}" / "goats.jsonl"
        out.parent.mkdir()
        assert run(capsys, "project", "import", path, "--store", store)[0] == 0
        options = ("--store", store, "--format", "jsonl", "--output", out)
        assert run(capsys, "project", "export", *options)[0] == 0
        rows.append([json.loads(line) for line in out.read_text("utf-8").splitlines()])
        path = out
    given = [json.loads(line) for line in case["input"]["files"]["goats.jsonl"].splitlines()]
    assert rows[0] == rows[1]
    assert [row["status"] for row in rows[0]] == wanted["status"]
    assert [row["tokens"] for row in rows[0]] == wanted["tokens"]
    kept = ("id", "text", "penman", "alignments", "status", "status_by", "flag", "dismissed")
    for row, before in zip(rows[0], given, strict=True):
        assert [row[key] for key in kept] == [before[key] for key in kept]
        assert sorted(row["provenance"]) == sorted(before["provenance"])
        assert [(c["person"], c["text"]) for c in row["comments"]] == [
            (c["person"], c["text"]) for c in before["comments"]
        ]


C54 = ("headless.txt", "table.csv", "page.html", "corpus.xml", "tree.conllu", "list.json")


@pytest.mark.parametrize("name", C54)
def test_case_c54_is_refused_by_its_name_in_every_command(
    cases: dict[str, Any], name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(cases["c54"], tmp_path / "files")
    path, good, out = folder / name, folder / "lines.jsonl", tmp_path / "out"
    assert cases["c54"]["expected"]["reject"][name] is True
    for arguments in (
        ("parse", "--input", path),
        ("annotate", path, "--output", out),
        ("oracle", path),
        ("align", path, "--output", out),
        ("evaluate", path, path),
        ("evaluate", good, path),
    ):
        status, output, said = run(capsys, *arguments)
        assert (status, output, out.exists()) == (2, "", False)
        assert f"{path}: the file is " in said
        assert "device" not in said  # no parser was made
    status, output, said = run(capsys, "oracle", path, good, "--json")
    assert (status, json.loads(output)["sentences"]) == (1, 2)
    assert str(path) in said
    store = tmp_path / "work.db"
    status, output, _ = run(capsys, "project", "import", path, good, "--store", store, "--json")
    report = json.loads(output)
    assert status == 1
    assert "the file is " in report["failed"][0]["error"]
    assert [one["name"] for one in report["documents"]] == ["lines.jsonl"]


@pytest.mark.parametrize("name", ["lines.jsonl", "marked.txt"])
def test_case_c54_reads_the_files_that_are_sound(
    cases: dict[str, Any], name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, wanted = written(cases["c54"], tmp_path) / name, cases["c54"]["expected"]["read"][name]
    assert parse_names(path) == wanted["snt"]
    found = aligned_triples(path, tmp_path / "aligned", capsys)
    assert len(found) == wanted["graphs"]
    assert found == [sorted(each) for each in wanted.get("triples", found)]
    assert run(capsys, "project", "import", path, "--store", tmp_path / "work.db")[0] == 0


@pytest.mark.parametrize(
    ("named", "ids"),
    [(".", ["p.3", "p.1", "p.2"]), ("train/*.txt", ["p.1", "p.2"]), ("*/part.txt", None)],
)
def test_case_c61_is_taken_as_a_folder_and_as_patterns(
    cases: dict[str, Any],
    named: str,
    ids: list[str] | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = written(cases["c61"], tmp_path / "release")
    path = root if named == "." else root / named
    ids = ids or ["p.3", "p.1", "p.2"]
    status, output, said = run(capsys, "oracle", path, "--json")
    assert (status, json.loads(output)["sentences"]) == (0, len(ids))
    assert ("README is plain text" in said) == (named == ".")
    aligned = tmp_path / "aligned.txt"
    assert run(capsys, "align", path, "--output", aligned)[0] == 0
    assert [record.id for record in read_corpus(aligned).records] == ids
    status, output, _ = run(capsys, "evaluate", path, path, "--json")
    assert (status, json.loads(output)["paired"][0]["by"]) == (0, "id")
    assert len(parse_names(path)) == len(ids)
    data = with_files(DataConfig(root=str(root), train=(named,)))
    gold, _ = read_gold(TrainConfig(data=data), data.train, lambda line: None)
    assert [item.sentence.id for item in gold] == ids
    store = tmp_path / "work.db"
    status, output, _ = run(capsys, "project", "import", path, "--store", store, "--json")
    names = [one["name"] for one in json.loads(output)["documents"]]
    assert names == {2: ["part.txt"], 3: ["dev-part.txt", "train-part.txt"]}[len(ids)]


@pytest.mark.parametrize("as_stdin", [False, True])
def test_case_c62_has_graphs_between_lone_carriage_returns(
    cases: dict[str, Any],
    as_stdin: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = cases["c62"]
    path = written(case, tmp_path) / "graphs.txt"
    content = path.read_bytes()

    def given() -> Path:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        return Path("-") if as_stdin else path

    found = aligned_triples(given(), tmp_path / "aligned", capsys)
    assert found == [sorted(each) for each in case["expected"]["triples"]["graphs.txt"]]
    assert b"\r" not in (tmp_path / "aligned").read_bytes()
    ids = [record.id for record in read_corpus(tmp_path / "aligned").records]
    assert ids == case["expected"]["ids"]["graphs.txt"]
    assert parse_names(given()) == ["It hails.", "She waved."]
    assert json.loads(run(capsys, "oracle", given(), "--json")[1])["sentences"] == 2
    status, output, _ = run(capsys, "evaluate", path, given(), "--json")
    assert (status, json.loads(output)["smatch"]["f1"]) == (0, 1.0)
    store, out = ("--store", tmp_path / "work.db"), tmp_path / "out"
    assert run(capsys, "project", "import", given(), *store)[0] == 0
    assert run(capsys, "project", "export", *store, "--output", out)[0] == 0
    assert out.read_bytes() == content


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("title: My text\nauthor: Ana\n", "a YAML document"),
        ("---\n# made by hand\nname:\n  first: Ana\nlist:\n- a\n", "a YAML document"),
        ("// made by a program\ndigraph G\n{\n  a -> b;\n}\n", "a drawing (DOT)"),
        ("graph { a -- b }\n", "a drawing (DOT)"),
        ("1\n00:00:01,000 --> 00:00:04,000\nHello there.\n\n2\n", "subtitles (SRT)"),
    ],
)
def test_what_is_no_prose_is_refused_by_its_name(
    text: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lines.txt"
    path.write_text(text)
    for command in (("parse", "--input", path), ("annotate", path, "--output", tmp_path / "out")):
        status, _, said = run(capsys, *command)
        assert (status, f"the file is {kind}; wanted are" in said) == (2, True)


@pytest.mark.parametrize(
    "text",
    [
        "Ana: Hello there.\nBen: It rains.\n",
        "note: it rains.\n",
        "- It rains.\n- She left.\n",
        "---\nIt rains.\n",
        "Graph {1} shows rain.\nShe left.\n",
        "1\nThe first chapter.\n",
    ],
)
def test_prose_that_looks_a_little_like_it_is_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text(text)
    assert parse_names(path) == text.splitlines()
