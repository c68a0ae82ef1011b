"""Files that are written behind the pages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from app.annotation.preparing import Prepared, Preparer
from aptcore.errors import StoreError, UnavailableError

WAIT_SECONDS = 120


@pytest.fixture
def preparer() -> Iterator[Preparer]:
    made = Preparer(2)
    yield made
    made.close()


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class Source:
    """Gives part by part what it is let to give."""

    def __init__(self, parts: list[str], error: Exception | None = None) -> None:
        self.parts, self.error, self.is_closed = parts, error, False
        self.allowed = threading.Semaphore(0)

    def __call__(self) -> Generator[str, None, None]:
        try:
            for part in self.parts:
                assert self.allowed.acquire(timeout=WAIT_SECONDS)
                yield part
            if self.error is not None:
                raise self.error
        finally:
            self.is_closed = True


def folder_of(file: Prepared) -> list[Path]:
    assert file.path is not None
    return list(file.path.parent.iterdir())


def test_a_file_is_whole_before_it_can_be_taken_and_keeps_its_bytes(preparer: Preparer) -> None:
    source = Source(["caf\udce9\r\n", "\ufeffb\n"])
    file = preparer.begin("a", "a.amr", 2, source)
    source.allowed.release()
    until(lambda: file.done == 1)
    assert file.path is None
    assert preparer.begin("a", "a.amr", 2, source) is file  # asked for twice it is one
    source.allowed.release()
    until(lambda: file.is_over)
    assert file.path is not None
    assert file.path.read_bytes() == b"caf\xe9\r\n\xef\xbb\xbfb\n"
    assert preparer.find("a") is file
    assert file.at is not None


def test_a_stopped_file_is_read_no_further_and_leaves_nothing(preparer: Preparer) -> None:
    source = Source(["a"] * 9)
    file = preparer.begin("a", "a.amr", 9, source)
    source.allowed.release()
    until(lambda: file.done == 1)
    preparer.stop(file)
    source.allowed.release()
    until(lambda: source.is_closed)
    assert (file.error, file.path) == ("stopped before its end", None)
    other = preparer.begin("a", "a.amr", 1, Source([]))
    until(lambda: other.is_over)
    assert folder_of(other) == [other.path]


@pytest.mark.parametrize("error", [UnavailableError("locked"), OSError("no space left")])
def test_a_file_that_fails_is_no_file_and_says_why(preparer: Preparer, error: Exception) -> None:
    source = Source(["a"], error)
    source.allowed.release()
    file = preparer.begin("a", "a.amr", 1, source)
    until(lambda: file.is_over)
    assert (file.error, file.path) == (str(error), None)


def test_one_file_is_written_at_a_time_and_few_are_kept(preparer: Preparer) -> None:
    first, second = Source(["a"]), Source(["b"], StoreError("no"))
    one = preparer.begin(1, "a.amr", 1, first)
    two = preparer.begin(2, "b.amr", 1, second)
    second.allowed.release()
    time.sleep(0.05)
    assert (one.done, two.done) == (0, 0)
    first.allowed.release()
    until(lambda: one.is_over and two.is_over)
    assert one.path is not None
    three = preparer.begin(3, "c.amr", 1, Source([]))
    until(lambda: three.is_over)
    assert preparer.find(1) is None
    assert not one.path.exists()
    assert three.path is not None
    preparer.forget()
    assert preparer.find(3) is None
    assert not three.path.exists()
