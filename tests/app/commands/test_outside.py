"""Another parser in place of the model: in annotate, in import, and behind the queue."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from pathlib import Path

import pytest

from app.annotation.incoming import sentences_of
from app.annotation.scribe import Scribe
from app.cli import main
from app.engine.worker import Engine
from app.store.store import open_store
from aptcore.graph.corpus import read_corpus
from aptcore.outside.command import CommandParser

PROGRAM = """
import sys
while line := sys.stdin.readline():
    word = line.split()[-1].strip(".\\n")
    if word == "ends":
        sys.exit(4)
    rest = ':name "y"' if word == "odd" else ":ARG0 (y / thing)"
    end = "" if word == "broken" else ")"
    print(f"# ::tok {line.strip()}\\n(x / {word}-01 {rest}{end}\\n", flush=True)
"""
LINES = ["She left.", "It is broken.", "", "The world ends.", "He is odd.", "It rains."]


@pytest.fixture
def command(tmp_path: Path) -> str:
    path = tmp_path / "parser.py"
    path.write_text(PROGRAM)
    return f"'{sys.executable}' '{path}'"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(LINES) + "\n")
    return path


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(map(str, arguments)))
    return int(left.value.code or 0)


@pytest.mark.parametrize("processes", [1, 2])
def test_annotate_takes_graphs_of_another_parser(
    processes: int, command: str, source: Path, tmp_path: Path
) -> None:
    output = tmp_path / "silver.amr"
    options = ("--parser", command, "--processes", processes)
    assert run("annotate", source, "--output", output, *options) == 1
    records = read_corpus(output).records
    assert [record.id for record in records] == ["1", "6"]
    assert records[0].metadata == {
        "id": "1", "silver": command, "snt": "She left.", "tok": "She left.",
    }  # fmt: skip
    apart = (tmp_path / "silver.amr.apart.jsonl").read_text("utf-8").splitlines()
    told = {line["id"]: (line["fate"], line["reason"]) for line in map(json.loads, apart)}
    assert told.keys() == {"2", "3", "4", "5"}
    assert told["2"][1].startswith("the graph of the parser cannot be read: ")
    assert told["3"] == ("failed", "there are no words in it")
    assert told["4"] == ("failed", "the parser ended with status 4; it is started again")
    assert told["5"][0] == "invalid"


def test_what_does_not_go_together_or_is_no_program_is_told(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "silver.amr"
    for options, told in {
        ("--parser", "no-such-program"): "no program no-such-program is found",
        ("--parser", " "): "--parser is empty",
        ("--parser", "cat", "--model", "x"): "--parser takes the place of --model",
        ("--parser", "cat", "--beam", "10"): "--beam is for models",
        ("--parser", "cat", "--precision", "int8"): "--precision is for models",
        ("--parser", "true"): "answered none of 3 sentences: the parser ended with status 0",
        ("--parser", "true", "--processes", "2"): "answered none of 3 sentences",
    }.items():
        assert run("annotate", source, "--output", output, *options) == 2
        said = " ".join(capsys.readouterr().err.split())
        assert told in said
        assert "Traceback" not in said


def test_import_parses_raw_text_by_another_parser(
    command: str, source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "work.db"
    assert run("project", "import", source, "--store", store, "--parser", command, "--json") == 1
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert (document["sentences"], document["apart"]) == (6, 4)
    with contextlib.closing(open_store(str(store))) as opened:
        assert [row.text for row in opened.sentences(document["id"])] == LINES


def no_model():
    raise AssertionError("the model is not asked")


def test_the_queue_parses_raw_text_by_another_parser(command: str, tmp_path: Path) -> None:
    with contextlib.closing(open_store(str(tmp_path / "work.db"))) as store:
        scribe = Scribe(store, Engine(no_model), CommandParser(command))
        try:
            job = scribe.parse("lines.txt", sentences_of("\n".join(LINES)))
            deadline = time.monotonic() + 240
            while not job.is_over:
                assert time.monotonic() < deadline
                assert not job.error
                time.sleep(0.05)
        finally:
            scribe.close()
        (document,) = store.documents()
        graphs = [store.sentence(row.id).state.graph for row in store.sentences(document.id)]
    assert [name for name, _ in job.failed] == ["lines.txt.2", "lines.txt.4"]
    concepts = [graph.nodes[0].concept for graph in graphs if graph and graph.nodes]
    assert [c for c in concepts if c != "amr-empty"] == ["left-01", "odd-01", "rains-01"]
