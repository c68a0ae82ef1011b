"""The engine behind the pages: background loading, a queue, errors that stay apart."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from app.engine import worker as engine
from app.engine.worker import Engine, Parsed, error_text, load_parser
from aptcore.errors import ActionFormatError, CheckpointError, ConfigurationError, InputError
from aptcore.trace.format import decode_trace
from aptcore.trace.trace import ModelInfo, Trace
from aptcore.transition.actions import Action, format_action
from aptcore.transition.moves import Reduce
from aptcore.transition.sets import PAPER
from tests.app.traces import want_trace

TIMEOUT = 120


class Parser:
    info = ModelInfo("fake", "0123", "none", PAPER, "cpu", "float32")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.prefixes: list[tuple[Action, ...]] = []
        self.num_inside = 0

    def trace(self, text: str, *, beam: int, prefix: Iterable[Action], **told: object) -> Trace:
        self.num_inside += 1
        assert self.num_inside == 1, "two sentences met inside the model"
        self.texts.append(text)
        self.prefixes.append(tuple(prefix))
        self.num_inside -= 1
        if text == "bad":
            raise InputError("the sentence is bad")
        document = want_trace()
        document["sentence"]["text"] = text
        return decode_trace(document)


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    assert Engine(Parser).status.kind == "idle"


def test_loading_does_not_hold_up_who_asks_for_it() -> None:
    gate = threading.Event()

    def load() -> Parser:
        gate.wait(TIMEOUT)
        return Parser()

    slow = Engine(load)
    slow.start()
    job = slow.submit("one", 10)
    assert slow.status.kind == "loading"
    assert not job.done()
    gate.set()
    assert job.result(TIMEOUT).trace.sentence.text == "one"
    assert slow.status.model == Parser.info


def test_requests_of_many_callers_are_served_in_turn() -> None:
    parser = Parser()
    shared = Engine(lambda: parser)
    results: dict[int, Parsed] = {}

    def ask(number: int) -> None:
        results[number] = shared.submit(f"sentence {number}", 10).result(TIMEOUT)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT)
    texts = {n: result.trace.sentence.text for n, result in results.items()}
    assert texts == {n: f"sentence {n}" for n in range(12)}


def test_the_same_request_is_parsed_once() -> None:
    parser = Parser()
    shared = Engine(lambda: parser)
    assert shared.submit("one", 10).result(TIMEOUT) == shared.submit("one", 10).result(TIMEOUT)
    shared.submit("one", 2).result(TIMEOUT)
    assert parser.texts == ["one", "one"]


def test_another_prefix_is_another_request() -> None:
    parser = Parser()
    shared = Engine(lambda: parser)
    plain, forced = shared.submit("one", 1), shared.submit("one", 1, ("REDUCE",))
    forced.result(TIMEOUT)
    assert plain is not forced
    assert shared.submit("one", 1, ("REDUCE",)) is forced
    assert parser.prefixes == [(), (Reduce(),)]


def test_a_prefix_that_is_no_action_fails_its_own_request_only() -> None:
    shared = Engine(Parser)
    assert isinstance(shared.submit("one", 1, ("JUMP",)).exception(TIMEOUT), ActionFormatError)
    assert shared.submit("one", 1).result(TIMEOUT).trace.sentence.text == "one"


def test_a_bad_sentence_leaves_the_engine_working() -> None:
    shared = Engine(Parser)
    failed = shared.submit("bad", 10)
    assert isinstance(failed.exception(TIMEOUT), InputError)
    assert shared.submit("good", 10).result(TIMEOUT).trace.sentence.text == "good"
    assert shared.submit("bad", 10) is not failed


def test_a_model_that_cannot_be_loaded_is_reported_and_tried_again() -> None:
    tries = []

    def load() -> Parser:
        tries.append(1)
        if len(tries) == 1:
            raise CheckpointError("no model here")
        return Parser()

    shaky = Engine(load)
    assert isinstance(shaky.submit("one", 10).exception(TIMEOUT), CheckpointError)
    assert shaky.status.kind == "failed"
    assert shaky.status.text == "no model here"
    shaky.start()  # a page that is drawn tries nothing: it would do so for ever
    assert shaky.status.kind == "failed"
    assert shaky.submit("one", 10).result(TIMEOUT).trace.sentence.text == "one"
    assert shaky.status.kind == "ready"


def test_a_fault_of_the_program_is_called_so() -> None:
    text = error_text(KeyError("x"))
    assert "fault of the program" in text
    assert "KeyError" in text


def test_an_unknown_device_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APTAMR_DEVICE", "tpu")
    with pytest.raises(ConfigurationError, match="'tpu'"):
        load_parser()


def test_importing_the_engine_does_not_load_torch() -> None:
    check = (
        f"import {engine.__name__}, app.canvas.trace.drawing, sys; sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_a_closed_engine_does_what_it_was_given_and_serves_who_asks_again() -> None:
    parser = Parser()
    closing = Engine(lambda: parser)
    given = closing.submit("one", 1)
    closing.close()
    asked = closing.submit("two", 1)
    assert given.result(TIMEOUT).trace.sentence.text == "one"
    assert asked.result(TIMEOUT).trace.sentence.text == "two"
    assert parser.texts == ["one", "two"]
    workers = threading.active_count()
    closing.close()
    deadline = time.monotonic() + TIMEOUT
    while threading.active_count() == workers and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() < workers


def test_a_forced_action_begins_with_the_nearest_parse_of_its_sentence() -> None:
    given: list[object] = []

    class Noting(Parser):
        def trace(self, text: str, *, before: object = None, **asked: Any) -> Trace:
            given.append(before)
            return super().trace(text, **asked)

    shared = Engine(Noting)
    first = shared.submit("one", 10).result(TIMEOUT).trace
    shared.submit("two", 10).result(TIMEOUT)
    shared.submit("one", 1, (format_action(first.steps[0].action),)).result(TIMEOUT)
    assert given == [None, None, first]


def test_a_parse_under_way_tells_how_far_it_is() -> None:
    is_half, may_end = threading.Event(), threading.Event()

    class Telling(Parser):
        def trace(
            self,
            text: str,
            *,
            beam: int,
            prefix: Iterable[Action],
            progress: Callable[[int, int], None] = lambda done, size: None,
            **told: object,
        ) -> Trace:
            progress(3, 7)
            is_half.set()
            assert may_end.wait(TIMEOUT)
            return super().trace(text, beam=beam, prefix=prefix)

    shared = Engine(Telling)
    first, second = shared.submit("one", 10), shared.submit("two", 10)
    assert is_half.wait(TIMEOUT)
    assert shared.progress_of(first) == (3, 7)
    assert shared.progress_of(second) is None
    may_end.set()
    second.result(TIMEOUT)
    assert shared.progress_of(first) is None
