"""Every block of code in the README and in docs runs, page by page, as somebody would type it.

A page's blocks run in order in a folder of their own with a few sample files, Python in one
namespace. Bash reads blocks of the shell, quotes, loops and all, and hands on each command:
``aptamr`` runs in this process, which has PyTorch already. What cannot run here stands in
NOT_RUN with the reason, and its words are read by the parser that they are meant for. Blocks
with ``>>>`` are run by tests/test_docs.py.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
import yaml
from accelerate.commands.launch import launch_command_parser

from app.cli import cli, main
from app.lessons.lesson import read_lesson
from aptcore.graph.corpus import read_corpus
from aptcore.neural.checkpoint import shipped_model
from tests.modules import ROOT
from trainer.config import load_config
from trainer.stage import Stage

TEAM = ROOT / "scripts" / "team"
FENCE = re.compile(r"^```([a-z]*)\n(.*?)^```$", re.S | re.M)

SAMPLE = """# ::id 1
# ::snt The boy wants to go.
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

# ::id 2
# ::snt She left.
(l / leave-11 :ARG0 (s / she))
"""


@dataclass(frozen=True)
class Block:
    """A block of code of a page; ``line`` is that of its fence, from 1."""

    page: str
    line: int
    language: str
    text: str


def blocks_of(path: Path) -> list[Block]:
    text = path.read_text(encoding="utf-8")
    page = str(path.relative_to(ROOT))
    return [
        Block(page, text[: found.start()].count("\n") + 1, found[1], found[2])
        for found in FENCE.finditer(text)
    ]


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = {str(path.relative_to(ROOT)): blocks_of(path) for path in PAGES}


def option_words(words: list[str]) -> None:
    """Read the words of ``aptamr`` as it does, without doing anything."""
    group = typer.main.get_command(cli)
    group.commands[words[1]].make_context(words[1], words[2:])


def check_training(words: list[str]) -> None:
    """Read the words and settings of ``aptamr train``; the configuration must be a sound one."""
    option_words(words)
    settings = [after for word, after in zip(words, words[1:], strict=False) if word == "--set"]
    if "--resume" not in words:
        load_config(Path(words[2]), settings)


def check_launch(words: list[str]) -> None:
    """Read the words of ``accelerate`` and those of the trainer behind them."""
    launched = launch_command_parser().parse_args(words[2:])
    assert words[1] == "launch"
    assert launched.module
    assert launched.training_script == "trainer"
    behind = [word for word in launched.training_script_args if word != "CONFIG"]
    option_words(["aptamr", "train", *behind])


def check_target(words: list[str]) -> None:
    subprocess.run(["make", "--dry-run", *words[1:]], cwd=ROOT, check=True, capture_output=True)


def check_part(words: list[str]) -> None:
    assert words[1] == "--only"
    assert f"check_{words[2]}() {{" in (ROOT / "scripts" / "check").read_text("utf-8")


def check_compose(words: list[str]) -> None:
    assert words[1] == "compose"
    services = yaml.safe_load((TEAM / "compose.yaml").read_text("utf-8"))["services"]
    assert {"store", "proxy"} <= set(services)


def check_backup(words: list[str]) -> None:
    assert words[0] in (ROOT / "tests/app/serving/test_files.py").read_text("utf-8")


def check_script(words: list[str]) -> None:
    assert (ROOT / words[1]).is_file()


NOT_RUN: dict[str, tuple[str, Callable[[list[str]], None]]] = {
    "make": ("sets up a virtual environment; `make test` is running already", check_target),
    "scripts/check": ("is what runs these tests", check_part),
    ".venv/bin/pip": ("installs; test_wheel installs the program", lambda words: None),
    ".venv/bin/pre-commit": ("changes the hooks of the checkout", lambda words: None),
    "aptamr app": ("serves until it is stopped", option_words),
    "aptamr train": ("a shipped configuration trains for hours on corpora", check_training),
    "aptamr annotate": ("needs an S3 server, which tests/app/commands starts", option_words),
    "aptamr site": ("draws all stored traces, half a minute", option_words),
    "docker": ("needs an engine; tests/app/serving starts the same processes", check_compose),
    "pg_dump": ("needs a server; tests/app/serving runs this line on one", check_backup),
    "pg_restore": ("needs a server; tests/app/serving runs this line on one", check_backup),
    "accelerate": (
        "starts several processes on GPUs; tests/trainer starts two on the CPU",
        check_launch,
    ),
    "python scripts/learn_copies.py": ("writes the shipped tables anew", check_script),
}
"""Commands by how they begin, why they are not run, and who reads their words instead."""


def is_short(words: list[str]) -> bool:
    """Whether a command is one of those of its kind that can run here."""
    kind = words[1] if words[0] == "aptamr" else ""
    return (
        (kind == "train" and Path(words[2]).is_file())
        or (kind == "site" and "--no-stored" in words)
        or (kind == "annotate" and "s3://" not in " ".join(words))
    )


def run_command(words: list[str]) -> None:
    begins = [start for start in NOT_RUN if words[: len(start.split())] == start.split()]
    if begins and not is_short(words):
        NOT_RUN[begins[0]][1](words)
        return
    assert words[0] == "aptamr", f"{words[0]} is neither run nor named in NOT_RUN"
    with pytest.raises(SystemExit) as left:
        main(words[1:])
    assert not left.value.code, words


RECORDING = r"""
shopt -s nullglob; number=0
record() { { printf '%s\0' "$@"; printf '\n\0'; } >> "$RECORD"; echo "output $((++number))"; }
command_not_found_handle() { record "$@"; }
for name in $NAMES; do eval "$name() { record $name \"\$@\"; }"; done
"""
"""Bash writes down the words of each command, each closed by NUL, a line end after the last."""


@dataclass
class Command:
    """A command of the shell, and the file that its output goes to, if any."""

    words: list[str]
    output: Path | None = None


def commands_of(block: Block, folder: Path) -> list[Command]:
    before = set(folder.iterdir())
    text = re.sub(r"^(?=[\w.]+/)", "record ", block.text, flags=re.M)  # a path is no function
    record = folder / ".commands"
    names = {word for name in NOT_RUN if "/" not in (word := name.split()[0])}
    more = {"RECORD": str(record), "NAMES": " ".join(names), "APTAMR_STORE": "sqlite:///work.db"}
    subprocess.run(
        ["bash", "-euc", RECORDING + text],
        env={**os.environ, **more},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    lines = record.read_text("utf-8").split("\0\n\0")[:-1]
    record.unlink()
    commands = [Command(line.split("\0")) for line in lines]
    for made in set(folder.iterdir()) - before:
        if number := re.fullmatch(r"output (\d+)\n", made.read_text("utf-8")):
            commands[int(number[1]) - 1].output = made
    return commands


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with the files that the pages speak of."""
    for name in ("gold", "silver", "graphs", "others", "train"):
        (tmp_path / f"{name}.amr").write_text(SAMPLE, encoding="utf-8")
    (tmp_path / "sentences.txt").write_text("The boy wants to go.\nShe left.\n", encoding="utf-8")
    corpora = tmp_path / "corpora" / "little-prince" / "v3.0"
    corpora.mkdir(parents=True)
    shutil.copy(tmp_path / "gold.amr", corpora / "amr.txt")
    for name in ("lists", "propbank"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "verbalization-list.txt").write_text(
            "VERBALIZE sailor TO person :ARG0-of sail-01\n", encoding="utf-8"
        )
    (tmp_path / "runs" / "second").mkdir(parents=True)
    (tmp_path / "runs" / "second" / "model").symlink_to(shipped_model())  # as if it were trained
    shutil.copytree(TEAM, tmp_path / "scripts" / "team")
    (tmp_path / "lessons").mkdir()
    (lesson,) = (block for block in BLOCKS["docs/lessons.md"] if block.language == "json")
    (tmp_path / "lessons" / "two-dogs.json").write_text(lesson.text, encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("APTAMR_DATA", str(tmp_path / "corpora"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "page", [p for p, found in BLOCKS.items() if any(b.language in ("sh", "python") for b in found)]
)
def test_the_examples_of_a_page_run(
    page: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    for block in BLOCKS[page]:
        if block.language == "sh":
            commands = commands_of(block, folder)
            assert commands
            for command in commands:
                capsys.readouterr()
                run_command(command.words)
                if command.output:
                    command.output.write_text(capsys.readouterr().out, encoding="utf-8")
        elif block.language == "python" and ">>> " not in block.text:
            exec(compile(block.text, f"{block.page}:{block.line}", "exec"), names)


def is_lesson(text: str) -> bool:
    return bool(read_lesson(text).id)


def is_sound_amr(text: str) -> bool:
    corpus = read_corpus("page", text=text)
    return bool(corpus.records) and not corpus.problems


def are_settings(text: str) -> bool:
    """Stages of a run, or what the sign-in is told: no more than its example has."""
    values = tomllib.loads(text)
    known = tomllib.loads((TEAM / "secrets.example.toml").read_text("utf-8"))
    stages = [Stage(**stage) for stage in values.pop("stages", ())]
    return bool(stages) or values["auth"].keys() == known["auth"].keys()


READ: dict[str, Callable[[str], bool]] = {
    "json": is_lesson,
    "amr": is_sound_amr,
    "toml": are_settings,
}
"""What is no program but has a form, and who reads it."""


@pytest.mark.parametrize(
    "block",
    [block for found in BLOCKS.values() for block in found if block.language in READ],
    ids=lambda block: f"{block.page}:{block.line}",
)
def test_what_a_page_shows_of_a_format_can_be_read(block: Block) -> None:
    assert READ[block.language](block.text)


def test_no_fence_is_left_out() -> None:
    for path in PAGES:
        fences = len(re.findall(r"^\s*```", path.read_text("utf-8"), re.M))
        assert fences == 2 * len(BLOCKS[str(path.relative_to(ROOT))]), path
