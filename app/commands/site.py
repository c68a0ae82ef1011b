"""``aptamr site``: pages that step without a server, in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.commands import console
from app.kit.text import counted
from app.lessons.files import files_in
from app.lessons.lesson import load_lessons
from app.site.sheets import sheets_of
from app.site.writing import write_site
from aptcore.assets import asset_path
from aptcore.errors import FormatError, InputError, reason
from aptcore.trace.format import load_trace
from aptcore.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be written.

    Attributes:
        folder: Where to.
        traces: Files of traces, shown first, in this order.
        lessons: A folder of lessons of one's own; None for none.
        with_stored: Whether the traces and lessons that come with the program are shown too.
        title: Of the start page.
    """

    folder: Path
    traces: tuple[Path, ...]
    lessons: Path | None
    with_stored: bool
    title: str


def run_site(request: Request, as_json: bool) -> int:
    """Write a site.

    Returns:
        Exit status: 1 where a trace or lesson could not be read, else 0.

    Raises:
        InputError: Nothing can be shown, the lessons are in no folder, or a file stands in the way.
        OSError: The folder cannot be written.
    """
    if request.lessons is not None and not request.lessons.is_dir():
        raise InputError(f"--lessons {request.lessons} is no folder")
    stored = sorted(asset_path("traces").glob("*.json")) if request.with_stored else []
    traces, problems = _read([*request.traces, *stored])
    places = [asset_path("lessons")] if request.with_stored else []
    places += [] if request.lessons is None else [request.lessons]
    lessons = load_lessons([path for folder in places for path in files_in(folder)])
    problems += lessons.problems
    for problem in problems:
        console.say(f"error: {problem}")
    sheets = sheets_of(traces, lessons.lessons)
    num_files = write_site(request.folder, request.title, sheets, console.say)
    start = request.folder / "index.html"
    if as_json:
        counts = {"traces": len(traces), "lessons": len(lessons.lessons), "files": num_files}
        console.write_json({"start": str(start), **counts, "problems": problems})
    else:
        told = f"{counted(len(traces), 'trace')}, {counted(len(lessons.lessons), 'lesson')}"
        console.say(f"{told}, {counted(num_files, 'file')}; open {start}")
    return 1 if problems else 0


def _read(paths: list[Path]) -> tuple[list[Trace], list[str]]:
    traces: list[Trace] = []
    problems: list[str] = []
    for path in paths:
        try:
            traces.append(load_trace(path))
        except (FormatError, OSError) as error:
            problems.append(reason(error))
    return traces, problems
