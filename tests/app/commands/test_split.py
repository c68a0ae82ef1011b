"""Lines of several sentences and of other languages: told, and split where asked (case c74)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.store.store import open_store
from aptcore.graph.corpus import read_corpus


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([*map(str, arguments), "--beam", "1", "--device", "cpu"])
    return int(left.value.code or 0)


def annotated(path: Path, *options: str) -> list[tuple[str, str]]:
    output = path.with_suffix(".amr")
    assert run("annotate", path, "--output", output, *options) == 0
    return [(record.id, record.metadata["snt"]) for record in read_corpus(output).records]


def imported(path: Path, *options: str) -> list[tuple[str, str]]:
    store = f"sqlite:///{path.with_suffix('.db')}"
    name = "-".join(("lines", *options))
    assert run("project", "import", path, "--store", store, "--name", name, *options) == 0
    opened = open_store(store)
    (document,) = (one for one in opened.documents() if one.name == name)
    records = read_corpus(name, text=opened.export(document.id)).records
    opened.close()
    return [(record.id, record.metadata["snt"]) for record in records]


@pytest.mark.parametrize("read", [annotated, imported])
def test_every_command_tells_and_splits_alike(
    read: Callable[..., list[tuple[str, str]]],
    cases: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    case = cases["c74"]
    texts, parts = case["input"]["sentences"], case["expected"]["split"]
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(texts), encoding="utf-8")
    assert read(path) == [(str(line), text) for line, text in enumerate(texts, 1)]
    said = capsys.readouterr().err
    assert "sentence 1 looks like 2 sentences" in said
    assert "sentence 2 looks like German" in said
    assert "sentence 3" not in said
    split = read(path, "--split")
    assert [text for _, text in split] == [text for some in parts for text in some]
    assert [name for name, _ in split] == ["1.1", "1.2", "2", "3"]
