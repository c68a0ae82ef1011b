"""The lessons that follow one another: all that there are, or those that an address names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.lessons.lesson import Lesson


@dataclass(frozen=True, slots=True)
class Course:
    """Lessons in their order.

    Attributes:
        lessons: The lessons.
        names: The ids that the address names; None where it names none.
        problem: Which of them are not there, for people; None where all are.
    """

    lessons: tuple[Lesson, ...]
    names: tuple[str, ...] | None = None
    problem: str | None = None

    def after(self, lesson: Lesson) -> Lesson | None:
        """Give the lesson after one; None after the last, and after one that is none of these."""
        ids = [each.id for each in self.lessons]
        place = ids.index(lesson.id) + 1 if lesson.id in ids else len(ids)
        return self.lessons[place] if place < len(ids) else None


def course_of(lessons: Sequence[Lesson], names: tuple[str, ...] | None) -> Course:
    """Choose the lessons that an address names, in its order; all where it names none.

    Args:
        lessons: All lessons.
        names: Ids, each once. Where none of them is there, all lessons are given.
    """
    if names is None:
        return Course(tuple(lessons))
    known = {lesson.id: lesson for lesson in lessons}
    missing = [name for name in names if name not in known]
    chosen = tuple(known[name] for name in names if name in known)
    problem = None
    if missing:
        told = ", ".join(missing)
        is_one = len(missing) == 1
        problem = (
            f"{'A lesson' if is_one else 'Lessons'} of this set {'is' if is_one else 'are'} not "
            f"here: {told}. The files must stand in the folder of lessons of the machine that "
            "serves these pages (aptamr app --lessons FOLDER)."
        )
        if not chosen:
            problem += " All lessons are shown instead."
    return Course(chosen or tuple(lessons), names, problem)
