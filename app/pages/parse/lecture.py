"""The lecture that a person works at: its sentences, each under a number that it keeps.

What comes over a slow line may be late: it names a sentence by its number and not by its place,
and what was removed in the meantime is let alone.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

from app.exports.stepper import Entry, Lecture, format_lecture, read_lecture
from aptcore.trace.trace import Trace

PRESS_SECONDS = 5.0
"""How long the file that is asked for waits for the click by which it is."""


@dataclass(slots=True)
class Desk:
    """A lecture and what is done with it.

    Attributes:
        lecture: As it is now.
        numbers: For each sentence the number that it keeps wherever it is moved.
        newest: The highest number that was given.
        is_pressed: Set by the click on the download, which comes after all that was typed before.
    """

    lecture: Lecture = field(default_factory=Lecture)
    numbers: tuple[int, ...] = ()
    newest: int = 0
    is_pressed: threading.Event = field(default_factory=threading.Event)

    def add(self, trace: Trace, step: int) -> None:
        """Add a sentence that opens at a step."""
        entries = (*self.lecture.entries, Entry(trace, "", step))
        self._put(entries, self.numbers + self._new_numbers(1))

    def remove(self, number: int) -> None:
        """Take a sentence out."""
        place = self._place_of(number)
        if place is not None:
            entries, numbers = self.lecture.entries, self.numbers
            self._put(
                entries[:place] + entries[place + 1 :], numbers[:place] + numbers[place + 1 :]
            )

    def move_up(self, number: int) -> None:
        """Move a sentence before the one above it, if there is one."""
        place = self._place_of(number)
        if place:
            entries, numbers = list(self.lecture.entries), list(self.numbers)
            entries[place - 1 : place + 1] = entries[place], entries[place - 1]
            numbers[place - 1 : place + 1] = numbers[place], numbers[place - 1]
            self._put(tuple(entries), tuple(numbers))

    def note(self, number: int, text: str) -> None:
        """Note something on a sentence."""
        place = self._place_of(number)
        if place is not None:
            entries = list(self.lecture.entries)
            entries[place] = replace(entries[place], note=text)
            self._put(tuple(entries), self.numbers)

    def name(self, title: str) -> None:
        """Give the lecture a title."""
        self.lecture = replace(self.lecture, title=title)

    def open(self, text: str) -> None:
        """Go on with the lecture of a file.

        Raises:
            FormatError: If it holds none.
        """
        self.lecture = read_lecture(text)
        self.numbers = self._new_numbers(len(self.lecture.entries))

    def write(self) -> bytes:
        """Write the file, once all is taken in that was typed before it was asked for."""
        self.is_pressed.wait(PRESS_SECONDS)
        self.is_pressed.clear()
        return format_lecture(self.lecture).encode("utf-8", "backslashreplace")

    def _put(self, entries: tuple[Entry, ...], numbers: tuple[int, ...]) -> None:
        self.lecture, self.numbers = replace(self.lecture, entries=entries), numbers

    def _new_numbers(self, count: int) -> tuple[int, ...]:
        self.newest += count
        return tuple(range(self.newest - count + 1, self.newest + 1))

    def _place_of(self, number: int) -> int | None:
        return self.numbers.index(number) if number in self.numbers else None
