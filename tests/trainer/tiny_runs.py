"""Runs of a few seconds in processes of their own, over sentences of our own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from pathlib import Path

import torch

from trainer.command import run_train

ROOT = Path(__file__).resolve().parents[2]

GRAPHS = (
    (
        "The girl reads two old books .",
        "(r / read-01 :ARG0 (g / girl) :ARG1 (b / book :quant 2 :mod (o / old)))",
    ),
    (
        "Ada Brown did not sleep .",
        '(s / sleep-01 :polarity - :ARG0 (p / person :name (n / name :op1 "Ada" :op2 "Brown")))',
    ),
    (
        "The cook wants to sing and dance .",
        "(w / want-01 :ARG0 (c / person :ARG0-of (c2 / cook-01)) "
        ":ARG1 (a / and :op1 (s / sing-01 :ARG0 c) :op2 (d / dance-01 :ARG0 c)))",
    ),
    (
        "It rained on 9 May 2011 .",
        "(r / rain-01 :time (d / date-entity :year 2011 :month 5 :day 9))",
    ),
)


def corpus(copies: int) -> str:
    """So many copies of every sentence, each with an id of its own."""
    return "\n\n".join(
        f"# ::id {number}.{copy}\n# ::snt {text}\n{graph}"
        for copy in range(copies)
        for number, (text, graph) in enumerate(GRAPHS)
    )


@dataclass(frozen=True)
class TinyRun:
    """A configuration file and the folder of its run."""

    config: Path
    folder: Path

    def position(self) -> dict:
        """The last save, or nothing."""
        path = self.folder / "last" / "position.json"
        return json.loads(path.read_text()) if path.is_file() else {}


def tiny_run(
    folder: Path, name: str, copies: int = 1, dropout: float = 0.1, train_layers: int = 0, **loop
) -> TinyRun:
    """Write what a tiny run needs."""
    folder.mkdir(exist_ok=True)
    (folder / "train.txt").write_text(corpus(copies))
    (folder / "dev.txt").write_text(corpus(1))
    values = {
        **{"epochs": 3, "batch_actions": 40, "warmup_steps": 4, "learning_rate": 1e-3},
        **{"threads": 1, **loop},
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    config = folder / f"{name}.toml"
    config.write_text(
        f"""output = "{folder / name}"
[data]
train = ["{folder / "train.txt"}"]
dev = ["{folder / "dev.txt"}"]
cache = "{folder / "cache"}"
[oracle]
min_label_count = 1
[encoder]
layers = [1, 2]
train_layers = {train_layers}
dropout = {dropout}
[model]
dropout = {dropout}
[loop]
"""
        + "\n".join(lines)
    )
    return TinyRun(config, folder / name)


TRAINER = ("-m", "trainer")
TWO_TRAINERS = (
    *("-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2"),
    *("--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"),
    *("--main_process_port", "0", *TRAINER),
)
"""What Python runs: one process, or two."""


@contextmanager
def started(command: Sequence[str], *arguments: object):
    """Start Python on a command, in a process group that is gone at the end."""
    with subprocess.Popen(
        [sys.executable, *command, *map(str, arguments), "--device", "cpu"],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, 9)


def finished(command: Sequence[str], *arguments: object) -> tuple[int, str]:
    """Run Python on a command to its end; gives the status and what it said."""
    with started(command, *arguments) as process:
        _, said = process.communicate(timeout=600)
        return process.returncode, said


def done(run: TinyRun, *settings: str, resume: bool = False) -> tuple[int, str]:
    """Do a run to its end in this process, which has read in PyTorch and spaCy already.

    Returns:
        The status and what it said, as :func:`finished` gives them of one in a process of its own.
    """
    num_threads, said = torch.get_num_threads(), io.StringIO()
    folder = run.folder if resume else None
    try:
        with redirect_stderr(said):
            status = run_train(None if resume else run.config, settings, folder, "cpu", False)
    finally:
        torch.set_num_threads(num_threads)
    return status, said.getvalue()


def await_that(holds: Callable[[], bool], process: subprocess.Popen, seconds: float = 300) -> None:
    """Wait until something holds; the process must live until then."""
    end = time.monotonic() + seconds
    while not holds():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.002)


STAGES = """
[annotate]
sources = ["{text}"]
processes = 2
[[stages]]
name = "one"
[[stages]]
name = "two"
settings = ["loop.seed=2"]
[[stages]]
name = "annotated"
kind = "annotate"
uses = ["one", "two"]
[[stages]]
name = "student"
uses = ["annotated"]
settings = ["loop.epochs=1"]
"""


def staged_run(folder: Path, name: str, **settings) -> TinyRun:
    """Write what a tiny run of two teachers, their annotations and a student needs.

    The text has two chunks of sentences, a whole one and one that is done long before it.
    """
    quick = {"copies": 5, "epochs": 4, "save_every": 10, "report_every": 1, "dev_every": 9}
    run = tiny_run(folder, name, **{**quick, **settings})
    text = folder / "text.txt"
    things = ("girl", "cook", "dog", "poet")
    lines = [f"The {thing} reads {n} old books .\n" for n in range(2, 35) for thing in things]
    text.write_text("".join(lines))
    run.config.write_text(run.config.read_text() + STAGES.format(text=text))
    return run
