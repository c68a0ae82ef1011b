"""``aptamr annotate --engine ray`` without Ray; test_annotate_bulk has it at work."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.cli import main

SENTENCES = ["The boy wants to go.", "She left.", "", "It rains.", "Two dogs saw the old boat."]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(SENTENCES) + "\n", "utf-8")
    return path


def run(*arguments: object) -> int:
    words = ["annotate", *map(str, arguments), "--beam", "1", "--device", "cpu", "--keep-detached"]
    with pytest.raises(SystemExit) as left:
        main(words)
    return int(left.value.code or 0)


def test_without_ray_the_extra_is_named(
    source: Path,
    tmp_path: Path,
    untrained_model: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    output = tmp_path / "silver.txt"
    assert run(source, "--output", output, "--model", untrained_model, "--engine", "ray") == 2
    assert "pip install 'aptamr[ray]'" in capsys.readouterr().err
    assert not output.exists()
