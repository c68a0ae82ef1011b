"""Lessons: one JSON file each, strictly checked; docs/lessons.md describes the format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args

from app.addresses.exercises import Feedback, Mode
from app.lessons.parts import read_graph, read_sentence
from aptcore.errors import AptamrError, FormatError, reason
from aptcore.graph.amr import Sentence
from aptcore.oracle.goal import Goal
from aptcore.oracle.right_actions import goal_of, right_walk
from aptcore.transition.actions import Action, format_action
from aptcore.transition.machine import start, why_illegal
from aptcore.transition.sets import ACTION_SETS, PAPER, action_set_named, parse_action
from aptcore.transition.state import ParserState

SCHEMA = 1
MAX_FILE = 100_000
"""Longest lesson file, in characters."""

MAX_ALIKE = 4
"""Most items of one name at one run of words: more make every answer slow to judge."""

MAX_TEXT = 4000
"""Longest task or hint, in characters."""

GoalShown = Literal["shown", "hidden"]

MODE_NAMES: Mapping[str, str] = {
    "build": "Build the graph",
    "predict": "Guess the next action",
}
FEEDBACK_NAMES: Mapping[str, str] = {
    "full": "Say what is right, and why",
    "step": "Say only right or wrong",
    "percentage": "A percentage at the end",
    "none": "Say nothing",
}

KINDS = tuple(action.page_name for action in PAPER.actions)
"""Kinds of action that a lesson can ask for: no goal needs more."""

FIELDS: Mapping[str, type] = {
    "schema": int,
    "id": str,
    "title": str,
    "task": str,
    "hint": str,
    "closing": str,
    "sentence": dict,
    "graph": str,
    "action_set": str,
    "mode": str,
    "feedback": str,
    "goal": str,
    "asks": list,
    "start": int,
    "trace": dict,
}
"""The fields of a lesson and their types."""

_NEEDED = ("schema", "id", "title", "task", "sentence", "graph")
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "action_set": tuple(ACTION_SETS),
    "mode": get_args(Mode),
    "feedback": get_args(Feedback),
    "goal": get_args(GoalShown),
}
_DEFAULTS = {"action_set": "exact", "mode": "build", "feedback": "full", "goal": "shown"}


@dataclass(frozen=True, slots=True)
class ModelWalk:
    """What a model thought along a walk through a lesson's sentence.

    Attributes:
        model: Name of the model.
        actions: The walk; all of them right.
        entropies: Of the model's distribution before each action, in nats.
    """

    model: str
    actions: tuple[Action, ...]
    entropies: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """One exercise.

    Attributes:
        id: Its name in addresses: small letters, digits and hyphens.
        title: A few words.
        task: What to do, for somebody who has not done it before.
        hint: Help that is shown on demand; may be empty.
        closing: What to say when it is done; may be empty.
        goal: The sentence with the gold graph.
        mode: Build the graph by hand, or guess the next action.
        feedback: What the learner is told about an answer.
        is_goal_shown: Whether the gold graph is drawn faintly from the start.
        asks: Kinds of action that the learner takes; the page takes all others. Empty
            where the learner takes all.
        start: How many first actions are taken already.
        walk: The first right actions, from the start to the finished graph.
        trace: What a model thought; None where the lesson holds none.
        document: The JSON object.
    """

    id: str
    title: str
    task: str
    hint: str
    closing: str
    goal: Goal
    mode: Mode
    feedback: Feedback
    is_goal_shown: bool
    asks: tuple[str, ...]
    start: int
    walk: tuple[Action, ...]
    trace: ModelWalk | None
    document: Mapping[str, Any] = field(repr=False)

    @property
    def sentence(self) -> Sentence:
        """The sentence."""
        return self.goal.sentence


@dataclass(frozen=True, slots=True)
class Lessons:
    """Lessons by their order; ``problems`` names every file that is none, and why."""

    lessons: tuple[Lesson, ...]
    problems: tuple[str, ...]


def load_lessons(paths: Iterable[Path]) -> Lessons:
    """Read lessons, one a file; a bad file hides no other, and of one id the first counts."""
    lessons: dict[str, Lesson] = {}
    problems: list[str] = []
    for path in paths:
        try:
            lesson = read_lesson(path.read_text(encoding="utf-8"), path=path.name)
        except (FormatError, OSError, UnicodeDecodeError) as error:
            problems.append(reason(error))
            continue
        if lessons.setdefault(lesson.id, lesson) is not lesson:
            problems.append(f"{path.name}: another lesson has the id {lesson.id!r}")
    return Lessons(tuple(lessons.values()), tuple(problems))


def read_lesson(text: str, *, path: str | None = None) -> Lesson:
    """Read a lesson from the text of its file.

    Raises:
        FormatError: With all problems that were found.
    """
    if len(text) > MAX_FILE:
        raise FormatError(
            f"the file has {len(text):,} characters; a lesson has at most {MAX_FILE:,}", path=path
        )
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        start, offset = max(0, error.colno - 60), min(error.colno - 1, 59)
        shown = text.split("\n")[error.lineno - 1][start : start + 120]
        message = f"the file is not JSON: {error.msg}"
        raise FormatError(
            message, path=path, line=error.lineno, offset=offset, text=shown
        ) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"the file is not JSON: {error}", path=path) from error
    if not isinstance(document, dict):
        raise FormatError("the file holds no lesson: a JSON object is needed", path=path)
    return decode_lesson(document, path=path)


def decode_lesson(document: Mapping[str, Any], *, path: str | None = None) -> Lesson:
    """Make a lesson of its JSON object.

    Raises:
        FormatError: With all problems that were found.
    """
    problems = field_problems(document)
    if problems:
        raise FormatError("; ".join(problems), path=path)
    filled = _DEFAULTS | dict(document)
    try:
        sentence = read_sentence(document["sentence"], document["id"])
        graph = read_graph(document["graph"], sentence)
        goal = goal_of(sentence, graph, action_set_named(filled["action_set"]))
    except AptamrError as error:
        raise FormatError(str(error), path=path) from error
    walk = right_walk(goal, start(sentence, goal.action_set)).actions
    problems = [*_alike_problems(goal), *_start_problems(document, len(walk))]
    trace, found = _trace(document.get("trace"), goal)
    problems += found
    if problems:
        raise FormatError("; ".join(problems), path=path)
    return Lesson(
        id=document["id"],
        title=document["title"].strip(),
        task=document["task"].strip(),
        hint=document.get("hint", "").strip(),
        closing=document.get("closing", "").strip(),
        goal=goal,
        mode=filled["mode"],
        feedback=filled["feedback"],
        is_goal_shown=filled["goal"] == "shown",
        asks=tuple(document.get("asks", ())),
        start=document.get("start", 0),
        walk=walk,
        trace=trace,
        document=document,
    )


def field_problems(document: Mapping[str, Any]) -> list[str]:
    """Say what is wrong with the fields: unknown, missing, of a wrong type or value."""
    problems = []
    for name in document:
        if name not in FIELDS:
            near = get_close_matches(str(name), FIELDS, 1)
            problems.append(f"unknown field {name!r}" + (f": is it {near[0]!r}?" if near else ""))
    problems += [f"the field {name!r} is missing" for name in _NEEDED if name not in document]
    for name, kind in FIELDS.items():
        value = document.get(name, kind())
        if not isinstance(value, kind) or isinstance(value, bool):
            problems.append(f"{name!r} must be {_KIND_NAMES[kind]}, not {_shown(value)}")
        elif name in _CHOICES and name in document and value not in _CHOICES[name]:
            problems.append(f"{name!r} is {value!r}; choose one of {', '.join(_CHOICES[name])}")
    return problems or _value_problems(document)


_KIND_NAMES = {str: "a text", int: "a whole number", list: "a list", dict: "an object"}


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _value_problems(document: Mapping[str, Any]) -> list[str]:
    problems = []
    if document["schema"] != SCHEMA:
        problems.append(
            f"the lesson has schema {document['schema']}, this program reads schema {SCHEMA}"
        )
    problems += id_problems(document["id"])
    problems += [f"{name!r} is empty" for name in ("title", "task") if not document[name].strip()]
    problems += [
        f"{name!r} has {len(document[name]):,} characters; at most {MAX_TEXT:,} are shown"
        for name in ("title", "task", "hint", "closing")
        if len(document.get(name, "")) > MAX_TEXT
    ]
    for kind in document.get("asks", ()):
        if kind not in KINDS:
            problems.append(f"'asks' names {_shown(kind)}; the kinds are {', '.join(KINDS)}")
    return problems


def id_problems(name: str) -> list[str]:
    """Say why a text cannot be a lesson's id."""
    allowed = set("abcdefghijklmnopqrstuvwxyz0123456789-")
    if name and set(name) <= allowed and len(name) <= 60:
        return []
    return [f"the id {_shown(name)} must be 1 to 60 small letters, digits and hyphens"]


def _alike_problems(goal: Goal) -> list[str]:
    problems = []
    for site in goal.sites:
        labels = [goal.labels[name] for name in site.items]
        for label in dict.fromkeys(labels):
            if labels.count(label) > MAX_ALIKE:
                words = " ".join(goal.sentence.tokens[site.start : site.stop])
                problems.append(
                    f"{labels.count(label)} nodes are called {label[1]!r} at {words!r}: "
                    f"at most {MAX_ALIKE} alike can stand at one place"
                )
    return problems


def _start_problems(document: Mapping[str, Any], num_actions: int) -> list[str]:
    begin = document.get("start", 0)
    if 0 <= begin < num_actions:
        return []
    return [f"'start' is {begin}; the whole walk has {num_actions} actions: 0 to {num_actions - 1}"]


def _trace(document: Any, goal: Goal) -> tuple[ModelWalk | None, list[str]]:
    """Read what a model thought; it must walk to the gold graph."""
    if document is None:
        return None, []
    actions, entropies = document.get("actions"), document.get("entropies")
    if set(document) != {"model", "actions", "entropies"} or not isinstance(actions, list):
        return None, ["'trace' must hold 'model', 'actions' and 'entropies', and nothing else"]
    is_numbers = isinstance(entropies, list) and all(
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1000
        for value in entropies
    )
    if not is_numbers or len(entropies) != len(actions):
        return None, ["'entropies' in 'trace' must hold one number for each of its 'actions'"]
    try:
        walk = tuple(parse_action(str(action)) for action in actions)
    except FormatError as error:
        return None, [f"'trace': {error}"]
    state: ParserState = start(goal.sentence, goal.action_set)
    for number, action in enumerate(walk):
        reason = why_illegal(state, action)
        if reason is not None:
            return None, [f"'trace': {format_action(action)} at {number} is illegal: {reason}"]
        state = action.applied(state)
    return ModelWalk(str(document["model"]), walk, tuple(map(float, entropies))), []
