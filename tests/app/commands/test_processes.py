"""Commands as processes: streams that are closed, and signals that end them."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.commands import annotate, parse
from aptcore import __version__

GRAPH = "# ::id a.1\n# ::snt She left.\n(l / leave-11 :ARG0 (s / she))\n"


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.amr"
    path.write_text(GRAPH, encoding="utf-8")
    return path


def in_shell(words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run ``aptamr`` in a shell, which can close its streams."""
    command = ["sh", "-c", f'"$0" -m app.cli {words}', sys.executable]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


@pytest.mark.parametrize(
    "words",
    ["--version >&-", "evaluate gold.amr gold.amr --json >&-", "merge - --output made.amr <&-"],
)
def test_results_for_a_closed_stream_are_an_error(words: str, gold: Path) -> None:
    done = in_shell(words, gold.parent)
    assert done.returncode == 2
    assert done.stderr == "error: standard input or output is closed\n"
    assert not (gold.parent / "made.amr").exists()


@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&- <&-"])
def test_what_needs_no_stream_works_without_it(closed: str, gold: Path) -> None:
    done = in_shell(f"merge gold.amr --output made.amr {closed}", gold.parent)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (gold.parent / "made.amr").read_text("utf-8").startswith("# ::id a\n")


def stopped(*given: Any) -> Iterator[Any]:
    signal.raise_signal(signal.SIGTERM)
    yield given


def hung_up(*given: Any) -> Iterator[Any]:
    signal.raise_signal(signal.SIGHUP)
    yield from ()


@pytest.fixture
def hangup() -> Iterator[Callable[[signal.Handlers], object]]:
    """Sets what a closed terminal does, whatever these tests were started with."""
    kept = signal.getsignal(signal.SIGHUP)
    yield partial(signal.signal, signal.SIGHUP)
    signal.signal(signal.SIGHUP, kept)


@pytest.mark.parametrize("handler", [signal.SIG_DFL, signal.SIG_IGN], ids=["ended", "nohup"])
def test_a_closed_terminal_leaves_no_half_file(
    gold: Path,
    untrained_model: Path,
    monkeypatch: pytest.MonkeyPatch,
    hangup: Callable[[signal.Handlers], object],
    handler: signal.Handlers,
) -> None:
    hangup(handler)
    monkeypatch.setattr(parse, "parses_of", hung_up)
    empty, made = gold.parent / "none.txt", gold.parent / "made.amr"
    empty.touch()
    words = ["parse", "--input", str(empty), "--output", str(made), "--model", str(untrained_model)]
    with pytest.raises(SystemExit) as exit_info:
        main(words)
    is_ignored = handler is signal.SIG_IGN
    assert (exit_info.value.code or 0) == (0 if is_ignored else 128 + signal.SIGHUP)
    assert set(gold.parent.iterdir()) == {gold, empty, *([made] if is_ignored else [])}


def test_sigterm_leaves_no_half_file(
    gold: Path, untrained_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "parses_of", stopped)
    before = signal.getsignal(signal.SIGTERM)
    words = ["parse", "She left.", "--model", str(untrained_model)]
    with pytest.raises(SystemExit) as exit_info:
        main([*words, "--output", str(gold.parent / "made.amr")])
    assert exit_info.value.code == 128 + signal.SIGTERM
    assert list(gold.parent.iterdir()) == [gold]
    assert signal.getsignal(signal.SIGTERM) is before


def test_sigterm_in_annotate_says_that_the_same_command_goes_on(
    gold: Path,
    untrained_model: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(annotate, "sentences", stopped)
    output = str(gold.parent / "silver.amr")
    with pytest.raises(SystemExit) as exit_info:
        main(["annotate", str(gold), "--output", output, "--model", str(untrained_model)])
    assert exit_info.value.code == 128 + signal.SIGTERM
    assert "stopped; the same command goes on from here" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "-", "-"],
        ["oracle", "-", "--vocabulary-from", "-"],
        ["merge", "-", "-", "--output", "made.amr"],
        ["project", "import", "-", "-", "--store", "work.db"],
    ],
    ids=lambda words: words[0],
)
def test_standard_input_cannot_be_read_twice(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as exit_info:
        main(words)
    assert exit_info.value.code == 2
    assert "standard input (-) can be read only once" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--output", "-"], "--output - cannot be"),
        (["--output", "s.amr", "--engine", "ray", "--processes", "2"], "--processes is for this"),
    ],
    ids=["output", "processes"],
)
def test_annotate_refuses_what_it_would_not_do(
    words: list[str],
    said: str,
    gold: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(gold.parent)
    with pytest.raises(SystemExit) as exit_info:
        main(["annotate", "gold.amr", *words])
    assert exit_info.value.code == 2
    assert said in capsys.readouterr().err
    assert list(gold.parent.iterdir()) == [gold]


def test_a_command_runs_in_a_thread_too(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(SystemExit) as exit_info:
        pool.submit(main, ["--version"]).result()
    assert not exit_info.value.code
    assert __version__ in capsys.readouterr().out
