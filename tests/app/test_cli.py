"""The command line: exit status, what goes to which stream, and what the JSON holds."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.commands import console
from app.commands.trace import read_prefix
from aptcore.actions import LeftArc, Pred, Reduce
from aptcore.errors import ActionFormatError

WANT = """# ::id w
# ::snt The boy wants to go .
(w / want-01
   :ARG0 (b / boy)
   :ARG1 (g / go-02
      :ARG0 b))
"""

BROKEN = WANT + "\n# ::id x\n# ::snt She left .\n(l / leave-01 :ARG0 (s / she)\n"


class Outcome:
    """What one call of ``aptamr`` left behind."""

    def __init__(self, status: int, output: str, messages: str) -> None:
        self.status = status
        self.output = output
        self.messages = messages

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.output)


@pytest.fixture
def aptamr(capsys: pytest.CaptureFixture[str]):
    """Run ``aptamr`` with arguments in this process."""

    def run(*arguments: str | Path) -> Outcome:
        with pytest.raises(SystemExit) as exit_info:
            main([str(argument) for argument in arguments])
        code = exit_info.value.code
        captured = capsys.readouterr()
        return Outcome(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run


@pytest.fixture
def gold_file(tmp_path: Path) -> Path:
    path = tmp_path / "gold.amr"
    path.write_text(WANT, encoding="utf-8")
    return path


def give_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))


def test_version_is_a_result(aptamr) -> None:
    outcome = aptamr("--version")
    assert (outcome.status, outcome.output) == (0, "aptamr 0.1.0\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["parse"],
        ["parse", "-", "--input", "-"],
        ["parse", "Go .", "--beam", "0"],
        ["parse", "Go .", "--device", "tpu"],
        ["parse", "--input", "no/such/file"],
        ["parse", "Go .", "--model", "no/such/folder"],
        ["trace", "Go .", "--prefix", "REDUCE"],
        ["trace", "Go .", "--prefix", '{"actions": []}'],
        ["trace", "Go .", "--prefix", '["JUMP"]'],
        ["trace", "Go .", "--prefix", "@no/such/file"],
        ["oracle"],
        ["oracle", "no/such/file"],
        ["oracle", "no/such/file", "--variant", "none"],
        ["align", "no/such/file"],
        ["align", "no/such/file", "--output", "-"],
        ["evaluate", "no/such/file"],
        ["evaluate", "no/such/file", "no/such/file"],
        ["evaluate", "a", "b", "--scorer", "bleu"],
        ["train"],
        ["train", "no/such/config"],
        ["app", "--port", "0"],
        ["app", "--model", "no/such/folder"],
    ],
    ids=" ".join,
)
def test_bad_usage_is_told_on_standard_error_with_status_2(aptamr, arguments: list[str]) -> None:
    outcome = aptamr(*arguments)
    assert outcome.status == 2
    assert outcome.output == ""
    assert outcome.messages
    assert "Traceback" not in outcome.messages


def test_help_says_how_to_repeat_an_option(aptamr) -> None:
    assert "Repeat it for an ensemble" in " ".join(aptamr("parse", "--help").output.split())


def test_oracle_json_has_the_promised_keys_and_stands_alone(aptamr, gold_file: Path) -> None:
    outcome = aptamr("oracle", gold_file, "--json")
    assert outcome.status == 0
    assert list(outcome.json) == [
        "sentences",
        "tokens",
        "actions",
        "actions_per_sentence",
        "actions_per_token",
        "smatch",
        "exact",
        "copy_share",
        "labels",
        "labels_once",
        "unseen",
        "unreachable",
        "seconds",
    ]
    assert outcome.json["smatch"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert (outcome.json["tokens"], outcome.json["actions"]) == (6, 13)
    assert outcome.json["unseen"] is None


def test_oracle_counts_labels_that_the_vocabulary_lacks(aptamr, gold_file: Path) -> None:
    outcome = aptamr("oracle", gold_file, "--vocabulary-from", gold_file, "--json")
    assert outcome.json["unseen"] == 0


def test_several_files_are_one_corpus(aptamr, gold_file: Path) -> None:
    outcome = aptamr("oracle", gold_file, gold_file, "--json")
    assert outcome.json["sentences"] == 2


def test_a_broken_graph_is_counted_and_the_rest_is_done(aptamr, tmp_path: Path) -> None:
    path = tmp_path / "broken.amr"
    path.write_text(BROKEN, encoding="utf-8")
    outcome = aptamr("oracle", path, "--json")
    assert outcome.status == 1
    assert outcome.json["sentences"] == 1
    assert f"{path}:" in outcome.messages


def test_oracle_reads_standard_input(aptamr, monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, WANT.encode())
    assert aptamr("oracle", "-", "--json").json["sentences"] == 1


def test_oracle_without_json_is_a_table(aptamr, gold_file: Path) -> None:
    outcome = aptamr("oracle", gold_file, "--variant", "far-first")
    assert "far-first" in outcome.output
    assert "1.0000 (precision 1.0000, recall 1.0000)" in outcome.output


def test_a_prefix_is_read_from_json_and_from_a_file(tmp_path: Path) -> None:
    text = '["REDUCE", "PRED(boy)", "LA(1, :ARG0)"]'
    path = tmp_path / "prefix.json"
    path.write_text(text, encoding="utf-8")
    expected = (Reduce(), Pred("boy"), LeftArc(1, ":ARG0"))
    assert read_prefix(text) == read_prefix(f"@{path}") == expected


def test_an_unknown_action_in_a_prefix_is_named() -> None:
    with pytest.raises(ActionFormatError, match="JUMP"):
        read_prefix('["JUMP"]')


def test_lines_end_at_line_feeds_only(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes("one\u2028still one\r\n\r\nthree\n".encode())
    assert console.read_lines(path) == ["one\u2028still one", "", "three"]


def test_bytes_that_are_not_utf8_are_told_with_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"one\ncaf\xe9\n")
    assert console.read_lines(path) == ["one", "caf\ufffd"]
    assert f"{path}:2" in capsys.readouterr().err


def test_an_absent_cuda_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    console.say_device("cuda", "cpu")
    assert "CUDA was asked for and is absent" in capsys.readouterr().err
