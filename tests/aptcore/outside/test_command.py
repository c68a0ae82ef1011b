"""Parsers that are commands: the protocol, and what becomes of answers that are none."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aptcore.errors import ConfigurationError, InputError
from aptcore.graph.corpus import read_corpus
from aptcore.outside.command import CommandParser

PROGRAM = """
import os, sys, time
print("loading the model", file=sys.stderr)
log = open({log!r}, "a")
log.write("started\\n"); log.flush()
def say(text):
    sys.stdout.write(text); sys.stdout.flush()
{setup}
while line := sys.stdin.readline():
    text = line.rstrip("\\n")
    log.write(text + "\\n"); log.flush()
    word = text.split()[0].strip(".")
    {body}
"""
GOOD = 'say(f"# ::snt {text}\\n# ::tok {text}\\n(x / {word.lower()})\\n\\n")'

Start = Callable[..., CommandParser]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    parsers: list[CommandParser] = []

    def make(body: str = GOOD, setup: str = "", timeout: float = 30.0) -> CommandParser:
        path = tmp_path / "parser.py"
        log = str(tmp_path / "log")
        path.write_text(PROGRAM.format(log=log, setup=setup, body=body.replace("\n", "\n    ")))
        parsers.append(CommandParser(f"'{sys.executable}' '{path}'", timeout))
        return parsers[-1]

    yield make
    for parser in parsers:
        parser.close()


def log_of(folder: Path) -> list[str]:
    return (folder / "log").read_text().splitlines()


def concept(block: str) -> str:
    (record,) = read_corpus("", text=block).records
    assert record.graph is not None
    return record.graph.nodes[0].concept


def test_a_block_has_our_id_and_sentence_and_all_else_as_the_parser_wrote_it(start: Start) -> None:
    body = 'say(f"# ::id 9 ::date now\\n# ::snt {text} \\n# ::lnk a ::b\\n(x / rain-01~e.1)\\n\\n")'
    parser = start(body)
    assert parser.block("a.1", "It\trains.") == (
        f"# ::id a.1\n# ::silver {parser.command}\n# ::snt It\trains.\n"
        "# ::lnk a ::b\n(x / rain-01~e.1)\n\n"
    )


def test_one_process_parses_sentence_after_sentence(start: Start, tmp_path: Path) -> None:
    parser = start()
    assert [concept(parser.block("", word)) for word in ("Ana", "left", "Rome")] == [
        "ana", "left", "rome",
    ]  # fmt: skip
    assert log_of(tmp_path) == ["started", "Ana", "left", "Rome"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("\\n", "the answer of the parser holds no graph"),
        ("(x / broken\\n\\n", "the graph of the parser cannot be read: "),
        ("(x / a) (y / b)\\n\\n", "the graph of the parser cannot be read: "),
        ("(x / a)\\n(y / b)\\n\\n", "the answer of the parser holds 2 graphs"),
        ("(x / a)\\n\\n(y / b)\\n\\n", "more than one block"),
        ("# ::error too long\\n(a / amr-empty)\\n\\n", "too long"),
        ("# ::error too long\\n\\n", "too long"),
        ("# ::snt x\\n\\n", "the graph of the parser cannot be read: "),
    ],
)
def test_an_answer_that_is_no_graph_fails_its_sentence_and_no_other(
    answer: str, reason: str, start: Start
) -> None:
    parser = start(f'say("{answer}") if word == "Bad" else {GOOD}')
    assert concept(parser.block("1", "Ana")) == "ana"
    with pytest.raises(InputError, match=reason):
        parser.block("2", "Bad one.")
    assert concept(parser.block("3", "Rome")) == "rome"


def test_a_process_that_ends_is_told_and_started_again(start: Start, tmp_path: Path) -> None:
    parser = start(f'sys.exit(3) if word == "Bad" else {GOOD}')
    parser.block("1", "Ana")
    with pytest.raises(InputError, match="the parser ended with status 3; it is started again"):
        parser.block("2", "Bad one.")
    assert concept(parser.block("3", "Rome")) == "rome"
    assert log_of(tmp_path) == ["started", "Ana", "Bad one.", "started", "Rome"]


def test_a_process_that_closes_its_output_and_stays_is_ended(start: Start) -> None:
    parser = start(f'(os.close(1), time.sleep(600)) if word == "Bad" else {GOOD}')
    with pytest.raises(InputError, match="ended with status -9"):
        parser.block("2", "Bad one.")
    assert concept(parser.block("3", "Rome")) == "rome"


@pytest.mark.parametrize("piece", ["y\\n", "y"])
def test_a_process_that_writes_without_end_is_ended(piece: str, start: Start) -> None:
    endless = f'[say("{piece}" * 10000) for _ in iter(int, 1)]'
    parser = start(f'{endless} if word == "Bad" else {GOOD}')
    with pytest.raises(InputError, match="wrote more than 10,000,000 bytes"):
        parser.block("2", "Bad one.")
    assert concept(parser.block("3", "Rome")) == "rome"


def test_a_process_that_ended_after_its_answer_costs_no_sentence(start: Start) -> None:
    parser = start(GOOD + "\nbreak")
    for word in ("Ana", "left", "Rome"):
        assert concept(parser.block("", word)) == word.lower()
        time.sleep(0.05)


def test_a_process_that_hangs_is_ended_with_its_children_and_started_again(
    start: Start, tmp_path: Path
) -> None:
    parser = start(f'time.sleep(600) if word == "Bad" else {GOOD}', timeout=8.0)
    parser.block("1", "Ana")
    with pytest.raises(InputError, match="no answer within 8 s; it is started again"):
        parser.block("2", "Bad one.")
    assert concept(parser.block("3", "Rome")) == "rome"


@pytest.mark.parametrize(
    "setup", ['say("Loading ...\\n\\n")', 'say("\\n\\n")', 'say("no blank line behind\\n")']
)
def test_greetings_and_blank_lines_too_many_shift_no_answer(setup: str, start: Start) -> None:
    parser = start(GOOD + '\nsay("\\n\\n"); say("a log\\n")', setup)
    for number in range(30):
        assert concept(parser.block("", f"w{number} x")) == f"w{number}"


def test_an_answer_for_the_sentence_before_is_noticed(start: Start) -> None:
    body = 'old = globals().get("last", text); last = text\nsay(f"# ::snt {old}\\n(x / x)\\n\\n")'
    parser = start(body)
    parser.block("1", "Ana")
    with pytest.raises(InputError, match="answered for the sentence before: Ana"):
        parser.block("2", "Rome")
    parser.block("3", "Paris")  # it was started again


def test_a_command_that_never_answers_is_given_up(start: Start) -> None:
    parser = start("sys.exit(1)")
    for _ in range(2):
        with pytest.raises(InputError):
            parser.block("", "Ana")
    with pytest.raises(ConfigurationError, match="answered none of 3 sentences: .* status 1"):
        parser.block("", "Ana")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("no-such-program --fast", "no program no-such-program is found"),
        ("'open", "cannot be read: No closing quotation"),
        (" ", "the parser is empty"),
    ],
)
def test_a_command_that_is_none_is_told(command: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        CommandParser(command).block("", "Ana")


def test_a_sentence_without_words_is_not_sent(start: Start) -> None:
    with pytest.raises(InputError, match="there are no words in it"):
        start().block("", " \n ")
