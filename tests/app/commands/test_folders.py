"""Folders and patterns stand for their files, in every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from app.commands.console import open_corpora, read_sentences
from aptcore.errors import FormatError, InputError
from aptcore.graph.corpus import read_corpus
from aptcore.graph.formats import Place, files_of

RAIN = "# ::id {}\n# ::snt It rains .\n(r / rain-01)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A release: two files of one name, a README, a page of HTML, what is hidden."""
    root = tmp_path / "release"
    for part in ("training", "dev", ".git"):
        (root / part).mkdir(parents=True)
        (root / part / "part.txt").write_text(RAIN.format(part), encoding="utf-8")
    (root / "README").write_text("This folder holds graphs.\n", encoding="utf-8")
    (root / "dev" / ".DS_Store").write_bytes(b"\0")
    return root


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as info:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert "Is a directory" not in captured.err
    assert "there is no file" not in captured.err
    assert "Traceback" not in captured.err
    return int(info.value.code or 0), captured.out, captured.err


def test_a_folder_is_all_below_it_and_a_pattern_what_it_fits(folder: Path) -> None:
    wanted = [folder / name for name in ("README", "dev/part.txt", "training/part.txt")]
    assert files_of([folder]) == [Place(path, folder) for path in wanted]
    found = files_of([folder / "*" / "part.txt", Path("-")])
    assert found == [*map(Place, wanted[1:]), Place(Path("-"))]
    (folder / "empty").mkdir()
    for path, what in ((folder / "empty", "folder holds no files"), (folder / "*.amr", "pattern")):
        with pytest.raises(InputError, match=what):
            files_of([path])


def test_plain_text_in_a_folder_is_left_out_and_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpora, num_refused = open_corpora([folder])
    assert ([corpus.records[0].id for corpus in corpora], num_refused) == (["dev", "training"], 0)
    assert f"left out: {folder / 'README'} is plain text" in capsys.readouterr().err
    with pytest.raises(FormatError, match="plain text"):
        open_corpora([folder / "README"])


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("page.html", b"<!DOCTYPE html>\n<p>It rains .</p>\n", "an HTML page"),
        ("old.txt", RAIN.format("u").encode("utf-16"), "UTF-16"),
        ("table.csv", b"id,sentence\n1,It rains .\n", "a table"),
    ],
)
def test_one_file_that_cannot_be_read_does_not_end_the_others(
    folder: Path, name: str, content: bytes, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_bytes(content)
    status, output, said = run(capsys, "oracle", folder, "--json")
    assert (status, json.loads(output)["sentences"]) == (1, 2)
    assert name in said
    assert what in said
    aligned = folder.parent / "aligned.txt"
    assert run(capsys, "align", folder, "--output", aligned)[0] == 1
    assert [record.id for record in read_corpus(aligned).records] == ["dev", "training"]
    status, output, _ = run(capsys, "evaluate", folder, folder, "--json")
    assert (status, json.loads(output)["sentences"]) == (1, 2)


def test_a_folder_of_nothing_to_read_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("It rains .\n", encoding="utf-8")
    status, _, said = run(capsys, "oracle", tmp_path / "notes")
    assert status == 2
    assert "a.txt is plain text" in said
    assert "none of 1 files could be read" in said


@pytest.mark.parametrize("is_there", [True, False])
def test_align_keeps_the_tree_of_a_folder(
    folder: Path, is_there: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    aligned = folder.parent / "aligned"
    if is_there:
        aligned.mkdir()
    assert run(capsys, "align", folder, "--output", aligned)[0] == 0
    found = {str(path.relative_to(aligned)) for path in aligned.rglob("*.txt")}
    assert found == {"dev/part.txt", "training/part.txt"}
    assert run(capsys, "align", folder, "--output", folder)[0] == 2
    assert run(capsys, "align", folder / "*" / "part.txt", "--output", aligned)[0] == 2


@pytest.mark.parametrize("gold", ["release", "release/*/part.txt"])
def test_evaluate_takes_folders_and_patterns(
    folder: Path, gold: str, capsys: pytest.CaptureFixture[str]
) -> None:
    predicted = folder.parent / "predicted.txt"
    predicted.write_text(RAIN.format("training") + "\n" + RAIN.format("dev"), encoding="utf-8")
    status, output, _ = run(capsys, "evaluate", folder.parent / gold, predicted, "--json")
    report = json.loads(output)
    assert status == 0
    assert (report["sentences"], report["paired"][0]["by"]) == (2, "id")


def test_files_of_one_name_are_told_apart_by_as_many_folders_as_that_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in ("a/x", "b/x"):
        (tmp_path / part).mkdir(parents=True)
        (tmp_path / part / "part.txt").write_text(RAIN.format(part), encoding="utf-8")
        (tmp_path / part / "said.txt").write_text("It rains .\n", encoding="utf-8")
    (tmp_path / "b" / "one.txt").write_text(RAIN.format("one"), encoding="utf-8")
    status, output, _ = run(
        capsys, "project", "import", tmp_path, "--store", tmp_path / "work.db", "--json"
    )
    names = [one["name"] for one in json.loads(output)["documents"]]
    assert (status, names) == (0, ["a-x-part.txt", "one.txt", "b-x-part.txt"])
    named, _ = read_sentences([tmp_path / "*" / "x" / "said.txt"])
    assert [name for name, _ in named] == ["a-x-said.1", "b-x-said.1"]


def test_parse_and_annotate_take_folders(
    folder: Path, untrained_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = ("--model", untrained_model, "--beam", "1")
    _, output, said = run(capsys, "parse", "--input", folder, "--json", *own)
    assert [json.loads(line)["id"] for line in output.splitlines()] == ["dev", "training"]
    assert "README is plain text" in said
    silver = folder.parent / "silver.txt"
    options = ("--output", silver, "--json", "--keep-detached", *own)
    (folder / "more.txt").write_text("It snows .\nIt hails .\n", encoding="utf-8")
    _, output, _ = run(capsys, "annotate", folder / "**" / "*.txt", *options)
    assert json.loads(output)["sentences"] == 4


def test_import_takes_a_folder_and_names_for_files_of_one_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ("--store", folder.parent / "work.db")
    status, output, said = run(capsys, "project", "import", folder, *store, "--json")
    names = [one["name"] for one in json.loads(output)["documents"]]
    assert (status, names) == (0, ["dev-part.txt", "training-part.txt"])
    assert "README is plain text" in said
    part = folder / "dev" / "part.txt"
    assert run(capsys, "project", "import", part, *store)[0] == 0
    status, _, said = run(capsys, "project", "import", part, *store)
    assert status == 1
    assert "there is a document 'part.txt' already; --name gives it another name" in said
    assert run(capsys, "project", "import", part, *store, "--name", "again.txt")[0] == 0
    assert run(capsys, "project", "import", folder, *store, "--name", "one")[0] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("align", "gold", "--output", "out", "--score", "folder"),
        ("parse", "It rains .", "--output", "folder"),
        ("parse", "--input", "folder"),
        ("annotate", "folder", "--output", "out"),
        ("annotate", "gold", "--output", "folder"),
        ("trace", "It rains .", "--prefix", "@folder"),
        ("train", "folder"),
        ("evaluate", "folder", "gold"),
        ("oracle", "gold", "--lists", "folder"),
        ("project", "import", "folder", "--store", "work.db"),
        ("project", "status", "--store", "folder"),
        ("app", "--roles", "folder"),
    ],
)
def test_an_empty_folder_in_any_place_is_named_as_one(
    arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "gold").write_text(RAIN.format("a"), encoding="utf-8")
    own = {name: str(tmp_path / name) for name in ("folder", "gold", "out", "work.db")}
    given = [own.get(word, word.replace("@folder", f"@{own['folder']}")) for word in arguments]
    status, _, said = run(capsys, *given)
    assert status == 2
    assert "folder" in said
