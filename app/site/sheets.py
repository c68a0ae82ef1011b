"""What a site is made of: one sheet for each trace and each lesson, with a name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.exports.files import Export, exports_of, stem_of
from app.exports.stepper import Entry
from app.kit.text import counted, shorten
from app.lessons.lesson import Lesson
from app.lessons.walking import trace_of_lesson
from aptcore.trace.trace import Trace

MAX_TITLE = 60
"""Most columns of a sentence in a page's title: about what a list of results shows."""

_SHOWN = "Here the right actions are shown; under Exercises in the program you take them."


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page of a site.

    Attributes:
        folder: ``traces`` or ``lessons``.
        stem: Name of its files, without folder and ending; no other of its folder has it.
        heading: What it is called in the list.
        title: Of the page, for a tab and for search.
        description: What it shows, for search and for the list.
        entry: What is stepped through.
    """

    folder: str
    stem: str
    heading: str
    title: str
    description: str
    entry: Entry

    @property
    def page(self) -> str:
        """Its address from the start page."""
        return f"{self.folder}/{self.stem}.html"

    @property
    def picture(self) -> str:
        """The address of its drawing from the start page."""
        return f"{self.folder}/{self.stem}.svg"


def sheets_of(traces: Iterable[Trace], lessons: Iterable[Lesson]) -> tuple[Sheet, ...]:
    """Make the sheets, traces first, in the order given."""
    taken: set[str] = set()
    of_traces = [_trace_sheet(trace, _free(stem_of(trace), taken)) for trace in traces]
    return (*of_traces, *map(_lesson_sheet, lessons))


def files_of_sheet(sheet: Sheet) -> dict[str, Export]:
    """Give the files that can be taken from a sheet, by their names beside its page.

    The stepper is none of them: the page itself is one.
    """
    exports = exports_of(sheet.entry.trace)
    endings = [(export.file_name.rpartition(".")[2], export) for export in exports]
    return {f"{sheet.stem}.{ending}": each for ending, each in endings if ending != "html"}


def _free(stem: str, taken: set[str]) -> str:
    names: Sequence[str] = [stem, *(f"{stem}-{number}" for number in range(2, len(taken) + 3))]
    name = next(name for name in names if name not in taken)
    taken.add(name)
    return name


def _trace_sheet(trace: Trace, stem: str) -> Sheet:
    words = shorten(trace.sentence.text, MAX_TITLE)
    return Sheet(
        folder="traces",
        stem=stem,
        heading=trace.sentence.text,
        title=f"“{words}” as an AMR graph, step by step",
        description=(
            f"How a parser reads “{shorten(trace.sentence.text, 100)}” and builds its meaning, "
            f"an AMR graph of {counted(_num_nodes(trace), 'node')}, in "
            f"{counted(len(trace.steps), 'action')}: what it chose, how sure it was and what "
            "else was possible."
        ),
        entry=Entry(trace),
    )


def _lesson_sheet(lesson: Lesson) -> Sheet:
    trace = trace_of_lesson(lesson)
    told = (lesson.title, lesson.task, _SHOWN, lesson.closing)
    return Sheet(
        folder="lessons",
        stem=lesson.id,
        heading=lesson.title,
        title=f"{lesson.title}: a lesson in AMR parsing",
        description=(
            f"A lesson in transition-based AMR parsing, on “{shorten(lesson.sentence.text, 100)}”: "
            f"{counted(len(trace.steps), 'action')} with an explanation."
        ),
        entry=Entry(trace, "\n\n".join(filter(None, told))),
    )


def _num_nodes(trace: Trace) -> int:
    return sum(not item.is_constant for item in trace.items)
