"""``aptamr project``: what goes in comes out, with the promised exit status and JSON."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.store.log.operations import Acknowledged, Request
from app.store.store import open_store
from aptcore.graph.roles import use_own_roles

GOOD = "# our file\n\n# ::id a.1\n# ::snt It rains .\n(r / rain-01)\n\n# end"
BAD = "# ::id b.1\n# ::snt Look !\n(s / search engine)\n\n# ::id b.2\n# ::snt Go !\n(g / go-02)\n"


def project(store: Path, action: str, *arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main(["project", action, *map(str, arguments), "--store", str(store)])
    return int(left.value.code or 0)


@pytest.fixture(autouse=True)
def no_roles_stay() -> Iterator[None]:
    yield
    use_own_roles(frozenset())


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    good, bad = tmp_path / "good.amr", tmp_path / "bad.amr"
    good.write_bytes(GOOD.encode())
    bad.write_bytes(BAD.encode())
    return good, bad


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "work.db"


def read_json(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(capsys.readouterr().out)


def test_files_go_in_and_come_out_byte_for_byte(
    store: Path, files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert project(store, "import", files[0]) == 0
    assert project(store, "import", files[1], "--json") == 1
    report = read_json(capsys)
    (document,) = report["documents"]
    assert (document["sentences"], document["graphs"], document["apart"]) == (2, 1, 1)
    assert document["reasons"][0]["line"] == 3
    assert "search engine" in document["reasons"][0]["message"]
    out = tmp_path / "out"
    out.mkdir()
    assert project(store, "export", "--output", out) == 0
    assert (out / "good.amr").read_bytes() == files[0].read_bytes()
    assert (out / "bad.amr").read_bytes() == files[1].read_bytes()
    capsys.readouterr()
    assert project(store, "export", "good.amr") == 0
    assert capsys.readouterr().out == GOOD


def test_what_is_kept_apart_is_listed_and_exported_on_wish(
    store: Path, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    project(store, "import", *files)
    capsys.readouterr()
    assert project(store, "status", "--apart", "--json") == 0
    (item,) = read_json(capsys)["apart"]
    assert (item["document"], item["number"], item["line"], item["id"]) == ("bad.amr", 1, 1, "b.1")
    assert item["reason"].startswith("line 3: ")
    assert project(store, "export", "bad.amr", "--apart") == 0
    assert capsys.readouterr().out == BAD.split("# ::id b.2")[0]


def test_status_counts_what_was_done_and_by_whom(
    store: Path, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    project(store, "import", *files)
    opened = open_store(str(store))
    answer = opened.apply(1, "Ada", "tab", Request("1", 0, {"do": "accept"}))
    assert isinstance(answer, Acknowledged)
    opened.close()
    capsys.readouterr()
    assert project(store, "status", "--json") == 0
    result = read_json(capsys)
    assert [document["accepted"] for document in result["documents"]] == [1, 0]
    assert (result["total"]["sentences"], result["total"]["apart"]) == (3, 1)
    assert result["total"]["people"][0]["person"] == "Ada"
    assert project(store, "status") == 0
    text = capsys.readouterr().out
    assert "good.amr: 1 of 1 sentences done (1 accepted" in text
    assert "Ada: 1 operations on 1 sentences" in text
    assert project(store, "export", "good.amr", "--status", "accepted") == 0
    assert capsys.readouterr().out == "# ::id a.1\n# ::snt It rains .\n(r / rain-01)\n\n"


def test_json_lines_hold_one_sentence_each(
    store: Path, files: tuple[Path, Path], tmp_path: Path
) -> None:
    project(store, "import", *files)
    output = tmp_path / "out.jsonl"
    options = ("--format", "jsonl", "--output", output)
    assert project(store, "export", "bad.amr", *options) == 0
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["b.1", "b.2"]
    assert rows[1]["provenance"] == [["g", ":instance", "go-02", "given bad.amr"]]
    project(store, "export", "bad.amr", *options, "--no-provenance")
    assert "provenance" not in output.read_text("utf-8")


def test_raw_text_is_parsed_on_import(
    store: Path, tmp_path: Path, untrained_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(b"(He left.)\n\nTwo dogs caf\xe9 .\r\n")
    options = ("--model", untrained_model, "--beam", 1, "--device", "cpu", "--json")
    assert project(store, "import", path, *options) == 1  # an empty line cannot be parsed
    (document,) = read_json(capsys)["documents"]
    assert (document["sentences"], document["apart"]) == (3, 1)
    opened = open_store(str(store))
    first, second, third = (opened.sentence(row.id) for row in opened.sentences())
    assert (first.text, third.text) == ("(He left.)", "Two dogs caf\ufffd .")
    assert "not parsed" in second.apart
    assert {source.kind for source in first.state.provenance.values()} == {"model"}
    assert next(iter(first.state.provenance.values())).hash
    opened.close()


def test_a_broken_graph_without_any_comment_is_kept_apart_and_not_parsed_as_prose(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare.amr"
    bare.write_text('(s / say-01\n   :ARG1 (t / thing\n   :name "open)\n', "utf-8")
    assert project(store, "import", bare, "--json") == 1
    (document,) = read_json(capsys)["documents"]
    assert (document["sentences"], document["graphs"], document["apart"]) == (1, 0, 1)


def test_one_bad_file_does_not_stop_the_others(
    store: Path, files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wide = tmp_path / "wide.amr"
    wide.write_bytes("(r / rain-01)".encode("utf-16"))
    assert project(store, "import", wide, files[0], files[0], "--json") == 1
    result = read_json(capsys)
    assert [document["name"] for document in result["documents"]] == ["good.amr"]
    assert "UTF-16" in result["failed"][0]["error"]
    assert "already" in result["failed"][1]["error"]


def test_standard_input_is_read(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert project(store, "import", "-") == 0
    capsys.readouterr()
    assert project(store, "export", "standard-input") == 0
    assert capsys.readouterr().out == GOOD


def test_a_pipe_is_read(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reader, writer = os.pipe()
    os.write(writer, GOOD.encode("utf-8"))
    os.close(writer)
    given = f"/dev/fd/{reader}"  # as <(...) of a shell
    assert project(store, "import", given, "--name", "piped.amr") == 0
    os.close(reader)
    assert project(store, "export", "piped.amr") == 0
    assert capsys.readouterr().out == GOOD


@pytest.mark.parametrize(
    ("action", "arguments", "reason"),
    [
        ("import", (), "name a file"),
        ("import", ("no-such-file",), "no file no-such-file"),
        ("export", ("x",), "there is no store"),
        ("status", (), "there is no store"),
        ("export", ("--json",), "both go to standard output"),
        ("burn", (), "burn"),
    ],
)
def test_bad_usage_is_named(
    store: Path,
    action: str,
    arguments: tuple[str, ...],
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert project(store, action, *arguments) == 2
    assert reason in capsys.readouterr().err
    assert not store.exists()


def test_several_documents_need_a_folder(
    store: Path, files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(store, "import", *files)
    assert project(store, "export") == 2
    assert "2 documents" in capsys.readouterr().err
    assert project(store, "export", "good.amr", "--output", tmp_path / "no" / "x.amr") == 2


def test_an_empty_store_has_nothing_done_and_nothing_to_export(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_store(str(store)).close()
    assert project(store, "status") == 0
    assert "0 of 0 sentences done" in capsys.readouterr().out
    assert project(store, "status", "x") == 2
    assert "no document 'x'" in capsys.readouterr().err
    assert project(store, "export") == 2
    assert "no document in the store" in capsys.readouterr().err


def test_the_roles_that_the_environment_names_count_on_import(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roles, said = tmp_path / "roles.txt", tmp_path / "said.amr"
    roles.write_text(":speaker\n", encoding="utf-8")
    said.write_text("# ::snt A\n(s / say-01 :speaker (b / boy))\n", encoding="utf-8")
    monkeypatch.delenv("APTAMR_ROLES", raising=False)
    assert project(tmp_path / "other.db", "import", said) == 1
    monkeypatch.setenv("APTAMR_ROLES", str(roles))
    assert project(store, "import", said) == 0


def test_a_bad_list_of_roles_is_told_and_its_roles_stay_unknown(
    store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    roles, said = tmp_path / "roles.txt", tmp_path / "said.amr"
    roles.write_text(":speaker\nthe hearer\n", encoding="utf-8")
    said.write_text("# ::snt A\n(s / say-01 :speaker (b / boy))\n", encoding="utf-8")
    monkeypatch.setenv("APTAMR_ROLES", str(roles))
    assert project(store, "import", said) == 1
    assert f"APTAMR_ROLES: {roles}, line 2: 'the hearer' is no role" in capsys.readouterr().err


def test_json_lines_come_in_as_graphs_and_a_table_is_refused_by_name(
    store: Path, files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(store, "import", *files)
    lines, table = tmp_path / "own.jsonl", tmp_path / "table.txt"
    project(store, "export", "bad.amr", "--format", "jsonl", "--output", lines)
    table.write_text("id,sentence\n1,It rains.\n")
    again = tmp_path / "again.db"
    capsys.readouterr()
    assert project(again, "import", table, lines, "--json") == 1
    report = read_json(capsys)
    assert "a table (CSV)" in report["failed"][0]["error"]
    (document,) = report["documents"]
    assert (document["sentences"], document["graphs"], document["apart"]) == (2, 1, 1)
    out = tmp_path / "out.amr"
    project(again, "export", "own.jsonl", "--output", out)
    assert out.read_text() == BAD + "\n"


def test_our_own_json_lines_are_read_back_whole(
    store: Path, files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(store, "import", *files)
    held = open_store(str(store))
    first, second, third = held.sentences()
    triple = ["r", ":instance", "rain-01"]
    renamed = {"edit": "rename-node", "id": "r", "concept": "snow-01"}
    acts = [
        (first.id, {"do": "comment", "text": "one or two?"}),
        (first.id, {"do": "edit", "edit": renamed}),
        (first.id, {"do": "confirm", "triples": [[*triple[:2], "snow-01"]]}),
        (first.id, {"do": "accept"}),
        (second.id, {"do": "flag", "on": True, "reason": "odd"}),
        (third.id, {"do": "dismiss", "problem": "p", "note": "none"}),
        (third.id, {"do": "reject"}),
    ]
    for number, (sentence, what) in enumerate(acts):
        base = held.sentence(sentence).revision
        answer = held.apply(sentence, "Ada", "tab", Request(str(number), base, what))
        assert isinstance(answer, Acknowledged), answer
    held.close()
    out, again = tmp_path / "out", tmp_path / "again.db"
    project(store, "export", "--format", "jsonl", "--output", out)
    project(again, "import", *sorted(out.iterdir()))
    project(again, "export", "--format", "jsonl", "--output", tmp_path / "out2")
    for name in ("good.amr", "bad.amr"):
        before = [json.loads(line) for line in (out / f"{name}.jsonl").read_text().splitlines()]
        after = [
            json.loads(line)
            for line in (tmp_path / "out2" / f"{name}.jsonl").read_text().splitlines()
        ]
        for one, other in zip(before, after, strict=True):
            for value in (one, other):
                del value["revision"], value["edited"]
                value["apart"] = value["apart"].partition(": ")[2]  # its line is another
            assert one == other
    held = open_store(str(again))
    for row in held.sentences():
        held.check(row.id)
        sentence = held.sentence(row.id, "Ada")
        assert not sentence.can_undo
    statuses = {row.name: (row.status, row.status_by) for row in held.sentences()}
    assert statuses == {"a.1": ("accepted", "Ada"), "b.1": ("open", ""), "b.2": ("rejected", "Ada")}
    held.close()


def test_what_of_our_json_lines_is_of_another_type_is_named(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = {
        "id": "a.1",
        "text": "It rains.",
        "penman": "(r / rain-01)",
        "status": "done",
        "comments": [{"person": "Ada", "text": "well"}, 7],
        "flag": "yes",
        "provenance": {"r": 1},
    }
    path = tmp_path / "own.jsonl"
    path.write_text("\n" + json.dumps(values) + "\n")
    assert project(store, "import", path, "--json") == 0
    (document,) = read_json(capsys)["documents"]
    found = {(problem["line"], problem["message"]) for problem in document["problems"]}
    lacking = ("tokens", "alignments", "metadata", "status_by", "dismissed")
    assert found == {
        *((2, f"the export has no {key}") for key in lacking),
        (2, "status 'done' is none; the sentence is open"),
        (2, "comments: 7 is none"),
        (2, "flag is no object with a person and a reason"),
        (2, "provenance is no list"),
    }
    held = open_store(str(store))
    assert held.sentences()[0].num_comments == 1
    held.close()


def test_all_work_goes_by_an_archive_into_another_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "a.db", tmp_path / "b.db"
    file = tmp_path / "rain.amr"
    file.write_text("# ::snt It rains .\n(r / rain-01)\n", encoding="utf-8")
    assert project(first, "import", file) == 0
    with closing(open_store(str(first))) as store:
        store.apply(1, "Ada", "t", Request("a", 0, {"do": "comment", "text": "so it does"}))
    assert project(first, "export", "--output", tmp_path / "out.amr") == 0
    assert "left out: 1 comment, 1 operation in the log" in capsys.readouterr().err
    archive = tmp_path / "rain.amr.aptamr"
    assert project(first, "export", "--format", "archive", "--output", archive) == 0
    assert project(second, "import", archive) == 0
    assert project(second, "import", archive) == 1
    assert "there is a document 'rain.amr' already" in capsys.readouterr().err
    with closing(open_store(str(second))) as store:
        (comment,) = store.sentence(1).state.comments
        assert (comment.person, comment.text) == ("Ada", "so it does")
    assert project(first, "export", "--format", "archive", "--status", "accepted") != 0
