"""From a filled-in form to a lesson: words split, graph aligned, everything checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.kit.limits import sentence_problem
from app.lessons.lesson import SCHEMA, Lesson, decode_lesson
from app.lessons.parts import read_graph
from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.errors import InputError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.penman import format_penman, item_order
from aptcore.transition.sets import action_set_named
from aptcore.words.copies import with_derived
from aptcore.words.copy_tables import shipped_copies
from aptcore.words.tokens import tokenize

MAX_GRAPH = 20_000
"""Longest graph that the form takes, in characters."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What an instructor filled in.

    Attributes:
        text: The sentence.
        penman: The graph; ``~e.N`` marks that are there are kept.
        title: A few words.
        task: What to do.
        hint: Help on demand; may be empty.
        closing: What to say in the end; may be empty.
        mode: ``build`` or ``predict``.
        feedback: One of the levels of a lesson.
        goal: ``shown`` or ``hidden``.
        action_set: ``paper`` or ``exact``.
        asks: Kinds of action that the learner takes; empty for all.
        start: How many first actions are taken already.
    """

    text: str
    penman: str
    title: str
    task: str
    hint: str = ""
    closing: str = ""
    mode: str = "build"
    feedback: str = "full"
    goal: str = "shown"
    action_set: str = "paper"
    asks: tuple[str, ...] = ()
    start: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """A lesson made of a form.

    Attributes:
        lesson: The lesson.
        penman: Its graph with all marks, for the form.
        rows: Each concept and constant with the words it stands for and where that came
            from, for people.
    """

    lesson: Lesson
    penman: str
    rows: tuple[tuple[str, str, str], ...]


def make_lesson(draft: Draft) -> Made:
    """Check a form and make its lesson.

    Raises:
        AptamrError: With what is wrong and where.
    """
    problem = sentence_problem(draft.text)
    if problem is not None:
        raise InputError(problem)
    if len(draft.penman) > MAX_GRAPH:
        raise InputError(f"The graph has {len(draft.penman):,} characters; at most {MAX_GRAPH:,}.")
    if not draft.penman.strip():
        raise InputError("There is no graph yet. Write it in PENMAN, as in the example.")
    sentence = tokenize(" ".join(draft.text.split()))
    if action_set_named(draft.action_set).has_wide_copies:
        sentence = with_derived(sentence, shipped_copies())
    given = read_graph(draft.penman, sentence)
    graph = align(sentence, given, shipped_tables())
    penman = format_penman(graph, metadata=False, alignments=True)
    lesson = decode_lesson(_document(draft, sentence, penman))
    return Made(lesson, penman, tuple(_rows(sentence, graph, given)))


def _document(draft: Draft, sentence: Sentence, penman: str) -> dict[str, Any]:
    words: dict[str, Any] = {
        "text": sentence.text,
        "tokens": list(sentence.tokens),
        "lemmas": list(sentence.lemmas),
    }
    if any(sentence.derived):
        words["derived"] = [[list(pair) for pair in pairs] for pairs in sentence.derived]
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "id": id_of(draft.title),
        "title": draft.title.strip(),
        "task": draft.task.strip(),
        "hint": draft.hint.strip(),
        "closing": draft.closing.strip(),
        "sentence": words,
        "graph": penman,
        "action_set": draft.action_set,
        "mode": draft.mode,
        "feedback": draft.feedback,
        "goal": draft.goal,
        "asks": list(draft.asks),
        "start": draft.start,
    }
    return {name: value for name, value in document.items() if value not in ("", [])} | {
        "title": document["title"],
        "task": document["task"],
    }


def id_of(title: str) -> str:
    """Make an id of a title.

    >>> id_of("What it is about: the root!")
    'what-it-is-about-the-root'
    """
    words = re.findall(r"[a-z0-9]+", title.lower())
    return "-".join(words)[:60].strip("-") or "lesson"


def _rows(sentence: Sentence, graph: AmrGraph, given: AmrGraph) -> Sequence[tuple[str, str, str]]:
    labels = {node.id: f"{node.id} / {node.concept}" for node in graph.nodes}
    labels |= {item.id: f"{item.source} {item.role} {item.value}" for item in graph.attributes}
    rows = []
    for name in item_order(graph):
        tokens = graph.alignments[name].tokens
        words = " ".join(f"{sentence.tokens[token]} ({token})" for token in tokens)
        source = "yours" if name in given.alignments else _SOURCES[graph.alignments[name].source]
        rows.append((labels[name], words, source))
    return rows


_SOURCES: Mapping[str, str] = {
    "given": "yours",
    "person": "yours",
    "rule": "the token fits",
    "em": "the token often goes with it",
    "proximity": "a guess: beside its neighbour",
    "parser": "parser",
}


def numbered_tokens(sentence: Sentence) -> str:
    """Write the tokens with their numbers, as marks name them."""
    return "  ".join(f"{number} {token}" for number, token in enumerate(sentence.tokens))


def format_lesson(lesson: Lesson) -> str:
    """Write the file of a lesson."""
    return json.dumps(lesson.document, ensure_ascii=False, indent=2) + "\n"


def draft_of(lesson: Lesson) -> Draft:
    """Give the form that makes a lesson again, so that it can be changed."""
    document = lesson.document
    return Draft(
        text=lesson.sentence.text,
        penman=document["graph"],
        title=lesson.title,
        task=lesson.task,
        hint=lesson.hint,
        closing=lesson.closing,
        mode=lesson.mode,
        feedback=lesson.feedback,
        goal="shown" if lesson.is_goal_shown else "hidden",
        action_set=lesson.goal.action_set.name,
        asks=lesson.asks,
        start=lesson.start,
    )
