"""What all tests share: the corpora folder, the shared cases, and CI's rule on skips."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from aptcore.transition.sets import PAPER

os.environ.setdefault("HF_HUB_OFFLINE", "1")

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "cases.jsonl"

ABSENT_IN_CI = ("cuda", "hub")
"""Words in the reason of a skip for something that CI does not have."""

LONG = (
    "tests/app/commands/test_annotate_bulk.py",
    "tests/trainer/examples/test_silver.py",
    "tests/trainer/learning/test_killing.py",
    "tests/trainer/learning/test_loop.py",
    "tests/trainer/learning/test_trained_encoder.py",
    "tests/trainer/learning/test_workers.py",
    "tests/trainer/stages/test_stages.py",
)
"""Files whose few tests take half a minute and more."""
MANY = 16
"""So many tests they count as: they begin before the last files, and after most of the browser."""

_skipped: list[tuple[str, str]] = []


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of the public corpora; skips the test where it is not set."""
    folder = os.environ.get("APTAMR_DATA")
    if not folder:
        pytest.skip("set APTAMR_DATA to the folder of the public corpora")
    return Path(folder)


@pytest.fixture(scope="session")
def cases() -> dict[str, dict[str, Any]]:
    """The awkward inputs of tests/cases.jsonl, by id."""
    lines = CASES.read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


@pytest.fixture(scope="session")
def untrained_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small model with random weights: legal walks, no sense."""
    import torch

    from aptcore.assets import MINILM
    from aptcore.neural.checkpoint import save_checkpoint
    from aptcore.neural.encoders.word_encoder import EncoderConfig, WordEncoder
    from aptcore.neural.model import AptConfig, AptModel
    from aptcore.neural.vocabulary import ActionVocabulary

    roles = [f"{kind}({role})" for kind in ("LA", "RA") for role in (":ARG0", ":ARG1", ":mod")]
    vocabulary = ActionVocabulary.from_labels(["PRED(thing)", "CONST(-)", "CONST(2)", *roles])
    encoder = WordEncoder.load(EncoderConfig(MINILM, (1, 2)))
    config = AptConfig(
        vocabulary_size=len(vocabulary),
        word_vector_width=encoder.width,
        width=32,
        feed_forward=32,
        num_encoder_layers=1,
        num_decoder_layers=2,
        num_graph_layers=1,
    )
    folder = tmp_path_factory.mktemp("untrained")
    torch.manual_seed(1)  # whose walks make concepts
    save_checkpoint(
        folder, AptModel(config), vocabulary, encoder.config, PAPER, "paper", "untrained"
    )
    return folder


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep each file's tests in one process, and all that open a browser in one.

    Two browsers at once on two cores make journeys wait for each other. Groups of many tests
    begin first, and with them those of ``LONG``, so that all processes end at about one time.
    """
    groups = defaultdict(list)
    for item in items:
        in_browser = "browser" in getattr(item, "fixturenames", ())
        group = "browser" if in_browser else item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(group))
        groups[group].append(item)
    if "PYTEST_XDIST_WORKER" in os.environ:
        sizes = {name: max(len(found), MANY * (name in LONG)) for name, found in groups.items()}
        order = sorted(groups, key=lambda name: -sizes[name])
        items[:] = [item for name in order for item in groups[name]]


def is_excused(reason: str) -> bool:
    """Whether a test may be skipped in CI for this reason."""
    if "APTAMR_DATA" in reason and not os.environ.get("APTAMR_DATA"):
        return True
    return any(word in reason.lower() for word in ABSENT_IN_CI)


def _note_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if not report.skipped or not isinstance(report.longrepr, tuple):
        return
    reason = report.longrepr[2].removeprefix("Skipped: ")
    if os.environ.get("APTAMR_CI") == "1" and not is_excused(reason):
        _skipped.append((report.nodeid, reason))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note_skip(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note_skip(report)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for nodeid, reason in _skipped:
        terminalreporter.write_line(f"CI has what this test needs: {nodeid} skipped: {reason}")
