"""``aptamr annotate --engine ray``: on a local cluster the same file as in one process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.cli import main
from app.commands import annotate_ray
from trainer.annotating import parts

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


@pytest.mark.filterwarnings("ignore")  # of Ray and of pyarrow inside it
def test_a_cluster_gives_the_same_file_and_goes_on_with_the_chunks_that_are_missing(
    source: Path, tmp_path: Path, untrained_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    monkeypatch.setattr(parts, "CHUNK", 2)
    local, output = tmp_path / "local.txt", tmp_path / "silver.txt"
    run(source, "--output", local, "--model", untrained_model)
    # Torch would take the threads of the machine in every actor; a test needs one core.
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=10**8)
    try:
        saved = annotate_ray.save_part

        def cut(folder: Path, number: int, chunk: annotate_ray.Chunk) -> None:
            saved(folder, number, chunk)
            raise KeyboardInterrupt

        monkeypatch.setattr(annotate_ray, "save_part", cut)
        arguments = ["annotate", str(source), "--output", str(output), "--engine", "ray"]
        arguments += ["--model", str(untrained_model), "--beam", "1", "--keep-detached"]
        with pytest.raises((KeyboardInterrupt, SystemExit)):
            main([*arguments, "--device", "cpu"])
        done = sorted((tmp_path / "silver.txt.parts").glob("*.json"))
        assert len(done) == 1
        assert not output.exists()

        def count(folder: Path, number: int, chunk: annotate_ray.Chunk) -> None:
            assert not parts.part_path(folder, number).is_file()
            saved(folder, number, chunk)

        monkeypatch.setattr(annotate_ray, "save_part", count)
        assert run(source, "--output", output, "--model", untrained_model, "--engine", "ray") == 1
    finally:
        ray.shutdown()
    assert output.read_bytes() == local.read_bytes()
    assert not (tmp_path / "silver.txt.parts").exists()
