"""``aptamr annotate``: what is kept, what is left out, and going on after a kill."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from aptcore.errors import CheckpointError, TrainingError
from aptcore.graph.checks import triples
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import parse_penman
from aptcore.graph.wiki import named_nodes
from aptcore.neural.parses import Parse
from aptcore.words.tokens import tokenize
from trainer.annotating import chunks, engines, parts, storage
from trainer.annotating.chunks import Chunk, Request, fate_of
from trainer.annotating.lines import Line

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
    assert [path.name for path in tmp_path.glob("silver.txt.*")] == ["silver.txt.apart.jsonl"]
    apart = [
        json.loads(line)
        for line in (tmp_path / "silver.txt.apart.jsonl").read_text("utf-8").splitlines()
    ]
    assert Counter(line["fate"] for line in apart) == Counter(
        {fate: counts[fate] for fate in FATES if fate != "kept" and counts[fate]}
    )
    ids = [record.id for record in records] + [line["id"] for line in apart]
    assert sorted(ids) == ["1", "2", "3", "4", "5"]  # every line is in one of them
    (failed,) = (line for line in apart if line["fate"] == "failed")
    assert failed == {
        "id": "3", "text": "", "place": f"{source}:3", "fate": "failed",
        "reason": "the sentence has no words: no letter or digit is in it",
    }  # fmt: skip


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
    saved, numbers = storage.save, []

    def cut(address: str, text: str) -> None:
        saved(address, text)
        raise KeyboardInterrupt

    monkeypatch.setattr(storage, "save", cut)
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        main(["annotate", str(source), "--output", str(output), "--beam", "1", *map(str, options)])
    assert not output.exists()
    folder = tmp_path / "silver.txt.parts"
    assert [path.name[:8] for path in folder.glob("*.json")] == ["00000000"]
    (folder / ".00000001.json.1234").write_bytes(b"a torn part")

    def count(address: str, text: str) -> None:
        numbers.append(int(Path(address).name[:8]))
        saved(address, text)

    monkeypatch.setattr(storage, "save", count)
    run(source, "--output", output, *options)
    assert numbers == [1, 2]
    assert output.read_bytes() == whole.read_bytes()
    assert not folder.exists()


def test_the_lines_of_a_pipe_are_read_once_and_none_is_lost(
    tmp_path: Path, untrained_model: Path
) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"She left .\nIt rains .\n")
    os.close(writer)
    output = tmp_path / "silver.amr"
    options = ("--model", untrained_model, "--keep-detached")
    assert run(f"/dev/fd/{reader}", "--output", output, *options) == 0  # as <(...) of a shell
    os.close(reader)
    assert [record.id for record in read_corpus(output).records] == ["1", "2"]


def test_what_was_written_into_the_folder_of_the_sentences_is_not_read_again(
    tmp_path: Path, untrained_model: Path
) -> None:
    folder = tmp_path / "texts"
    (folder / "silver.amr.parts").mkdir(parents=True)
    (folder / "a.jsonl").write_text('{"snt": "She left ."}\n{"snt": "..."}\n', "utf-8")
    (folder / "silver.amr.parts" / "00000000-1.json").write_text('{"snt": "It rains ."}\n')
    output = folder / "silver.amr"
    options = ("--output", output, "--model", untrained_model, "--keep-detached")
    for source in (folder, folder, folder / "*"):  # from the second on the output is there
        run(source, *options)
        assert [record.id for record in read_corpus(output).records] == ["1"]
        assert len((folder / "silver.amr.apart.jsonl").read_text("utf-8").splitlines()) == 1


def test_the_output_cannot_be_the_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold.amr"
    gold.write_text("# ::snt It rains .\n(r / rain-01)\n", "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["annotate", str(gold), "--output", str(gold)])
    assert (ended.value.code, "rain-01" in gold.read_text("utf-8")) == (2, True)
    assert f"{gold} is the output" in capsys.readouterr().err


def test_another_process_that_ends_first_is_told(
    source: Path,
    tmp_path: Path,
    untrained_model: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    output, saved = tmp_path / "silver.txt", storage.save

    def save(address: str, text: str) -> None:
        storage.remove(f"{output}.parts")
        saved(address, text)

    monkeypatch.setattr(storage, "save", save)
    with pytest.raises(SystemExit) as ended:
        main(["annotate", str(source), "--output", str(output), "--model", str(untrained_model)])
    assert ended.value.code == 2
    assert f"another process wrote {output} meanwhile" in capsys.readouterr().err


def test_chunks_of_other_lines_or_another_model_are_not_taken(
    source: Path, tmp_path: Path, untrained_model: Path
) -> None:
    output = tmp_path / "silver.txt"
    folder = tmp_path / "silver.txt.parts"
    folder.mkdir()
    lines = [(Line(str(n), text), 1.0) for n, text in enumerate(SENTENCES, 1)]
    for key, given in (("another model", lines), ("", lines[1:])):
        (row,) = parts.rows_of(key, given)
        (folder / row.name).write_text(parts.encode_part(Chunk("rest of another run")))
    run(source, "--output", output, "--model", untrained_model, "--keep-detached")
    assert b"another run" not in output.read_bytes()
    assert len(read_corpus(output).records) == 4


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


def test_a_process_that_is_killed_is_told_and_the_next_run_goes_on(
    source: Path, tmp_path: Path, untrained_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "CHUNK", 1)
    work = engines.in_processes(Request((untrained_model,), 1, keep_detached=True), "cpu", 1)
    lines = [(Line(str(n), "She left."), n / 3) for n in (1, 2, 3)]

    def killing(rows):
        for done in work(rows):
            yield done
            for process in multiprocessing.active_children():
                os.kill(process.pid, signal.SIGKILL)

    output = tmp_path / "x.txt"
    with pytest.raises(TrainingError, match="ended before its work was done"):
        parts.annotate_file(killing, str(output), "key", lines, print)
    assert not output.exists()
    said: list[str] = []
    counts, num_before = parts.annotate_file(work, str(output), "key", lines, said.append)
    assert (counts.total(), num_before) == (3, 1)
    assert said[0] == "going on after 1 sentences that were done before"
    assert [record.id for record in read_corpus(output).records] == ["1", "2", "3"]


def test_an_error_in_a_process_is_told_by_its_message(tmp_path: Path) -> None:
    work = engines.in_processes(Request((tmp_path / "no-model",), 1), "cpu", 2)
    lines = [(Line("1", "She left."), 1.0)]
    with pytest.raises(CheckpointError, match="no-model"):
        parts.annotate_file(work, str(tmp_path / "x.txt"), "key", lines, print)
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
