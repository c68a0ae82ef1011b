"""``aptamr annotate``: what is kept, what is left out, and going on after a kill."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from aptcore.errors import TrainingError
from aptcore.graph.checks import triples
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import parse_penman
from aptcore.graph.wiki import named_nodes
from aptcore.neural.parser import Parse
from aptcore.words.tokens import tokenize
from trainer.annotating import chunks, engines, parts
from trainer.annotating.chunks import Chunk, Request, fate_of

FATES = ("kept", "repaired", "linked", "invalid", "failed")
SENTENCES = ["The boy wants to go.", "She left.", "", "It rains.", "Two dogs saw the old boat."]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(SENTENCES) + "\n", "utf-8")
    return path


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main(["annotate", *map(str, arguments), "--beam", "1", "--device", "cpu"])
    return int(left.value.code or 0)


def test_every_sentence_is_kept_left_out_or_failed_and_counted(
    source: Path, tmp_path: Path, untrained_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "silver.txt"
    status = run(source, "--output", output, "--model", untrained_model, "--json")
    counts = json.loads(capsys.readouterr().out)
    assert status == 1
    assert counts["failed"] == 1
    assert counts["sentences"] == len(SENTENCES)
    assert sum(counts[fate] for fate in FATES) == 5
    records = read_corpus(output).records
    assert len(records) == counts["kept"]
    assert all(record.metadata["silver"].endswith("beam 1") for record in records)
    assert not list(tmp_path.glob("silver.txt.*"))


def test_detached_graphs_are_kept_where_asked_for(
    source: Path, tmp_path: Path, untrained_model: Path
) -> None:
    output = tmp_path / "silver.txt"
    run(source, "--output", output, "--model", untrained_model, "--keep-detached")
    assert [record.id for record in read_corpus(output).records] == ["1", "2", "4", "5"]


def test_a_run_that_was_cut_short_goes_on_and_gives_the_same_file(
    source: Path, tmp_path: Path, untrained_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, output = tmp_path / "whole.txt", tmp_path / "silver.txt"
    options = ("--model", untrained_model, "--keep-detached")
    run(source, "--output", whole, *options)
    monkeypatch.setattr(parts, "CHUNK", 2)
    saved = parts.save_part

    def cut(folder: Path, number: int, chunk: Chunk) -> None:
        saved(folder, number, chunk)
        raise KeyboardInterrupt

    monkeypatch.setattr(engines, "save_part", cut)
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        main(["annotate", str(source), "--output", str(output), "--beam", "1", *map(str, options)])
    assert not output.exists()
    folder = tmp_path / "silver.txt.parts"
    assert [path.name for path in folder.glob("*.json")] == ["00000000.json"]
    (folder / ".00000001.json.1234").write_bytes(b"a torn part")
    numbers = []

    def count(folder: Path, number: int, chunk: Chunk) -> None:
        numbers.append(number)
        saved(folder, number, chunk)

    monkeypatch.setattr(engines, "save_part", count)
    run(source, "--output", output, *options)
    assert numbers == [1, 2]
    assert output.read_bytes() == whole.read_bytes()


def test_another_input_begins_anew(source: Path, tmp_path: Path, untrained_model: Path) -> None:
    output = tmp_path / "silver.txt"
    folder = tmp_path / "silver.txt.parts"
    folder.mkdir()
    (folder / "key").write_text("other")
    parts.save_part(folder, 0, Chunk("rest of another run", Counter(kept=1)))
    run(source, "--output", output, "--model", untrained_model, "--keep-detached")
    assert b"another run" not in output.read_bytes()


def test_several_processes_give_the_same_file(
    source: Path, tmp_path: Path, untrained_model: Path
) -> None:
    source.write_text("\n".join(SENTENCES * 60) + "\n", "utf-8")
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    options = ("--model", untrained_model, "--keep-detached")
    run(source, "--output", one, *options)
    run(source, "--output", two, "--processes", 2, *options)
    assert len(read_corpus(two).records) == 240
    assert two.read_bytes() == one.read_bytes()


def test_a_process_that_ends_too_soon_is_told(
    source: Path, tmp_path: Path, untrained_model: Path
) -> None:
    work = engines.in_processes(Request((tmp_path / "no-model",), 1), "cpu", 2)
    with pytest.raises(TrainingError, match="ended before its work was done"):
        parts.annotate_file(work, tmp_path / "x.txt", "key", ["1"], ["She left."], print)
    assert not (tmp_path / "x.txt").exists()


def test_sentences_of_an_amr_file_are_parsed_anew_under_their_ids(
    tmp_path: Path, untrained_model: Path
) -> None:
    source, output = tmp_path / "gold.txt", tmp_path / "silver.txt"
    source.write_text("# ::id a.1 ::x\n# ::snt She left.\n(l / leave-11)\n", "utf-8")
    run(source, "--output", output, "--model", untrained_model, "--keep-detached")
    (record,) = read_corpus(output).records
    assert (record.id, record.metadata["snt"]) == ("a.1", "She left.")


def test_named_things_get_their_wiki_only_where_asked_for(tmp_path: Path) -> None:
    """With the shipped model: parse and annotate add what the dictionary says."""
    source = tmp_path / "sentences.txt"
    source.write_text("The merchant sailed to China.\n", "utf-8")
    plain, wiki = tmp_path / "plain.txt", tmp_path / "wiki.txt"
    run(source, "--output", plain)
    run(source, "--output", wiki, "--wiki")
    assert ":wiki" not in plain.read_text("utf-8")
    (record,) = read_corpus(wiki).records
    assert record.graph is not None
    (named,) = named_nodes(record.graph)
    links = {a.source: a.value for a in record.graph.attributes if a.role == ":wiki"}
    assert links == {named[0]: '"China"'}
    parsed = tmp_path / "parsed.txt"
    arguments = ["parse", "--input", str(source), "--output", str(parsed), "--wiki", "--beam", "1"]
    with pytest.raises(SystemExit):
        main(arguments)
    (found,) = read_corpus(parsed).records
    assert found.graph is not None
    assert set(triples(found.graph)) == set(triples(record.graph))


@pytest.mark.parametrize(
    ("penman", "fate"),
    [
        ("(l / leave-11)", "kept"),
        ("(x / .)", "invalid"),
        ("(l / leave-11 :ARG0 (x / &))", "invalid"),
        ("(l / leave-11 :ARG1 (x / %))", "invalid"),
        ("(m / mr.)", "invalid"),
        ('(p / person :name "Zoë")', "invalid"),
    ],
)
def test_what_no_graph_may_hold_is_left_out_and_counted(penman: str, fate: str) -> None:
    parse = Parse(tokenize("She left."), parse_penman(penman), (), -1.0, ())
    assert fate_of(parse) == fate
    assert fate_of(replace(parse, error="no graph")) == "failed"


def test_graphs_of_the_case_are_left_out_where_they_are_wrong(cases: dict[str, Any]) -> None:
    case = cases["c72"]
    for penman, is_wrong in zip(case["input"]["penman"], case["expected"]["reject"], strict=True):
        parse = Parse(tokenize("She left."), parse_penman(penman), (), -1.0, ())
        assert fate_of(parse) == ("invalid" if is_wrong else "kept")


def test_detached_but_invalid_graphs_are_not_kept(
    source: Path, tmp_path: Path, untrained_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "fate_of", lambda parse: "invalid")
    output = tmp_path / "silver.txt"
    run(source, "--output", output, "--model", untrained_model, "--keep-detached")
    assert not read_corpus(output).records
