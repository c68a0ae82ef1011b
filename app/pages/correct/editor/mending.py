"""What makes a graph of a text that is none, where that is plain: its commonest slips.

A space in a concept, a value that needs quotation marks, brackets too many or too few, a
variable that stands for two nodes, a triple said twice. A mend is offered only if the text
then is a graph; several slips are mended one after the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from app.pages.correct.editor.drawing import text_of
from app.pages.correct.editor.text import text_fault
from app.store.log.deciding import is_placeholder
from app.store.records.rows import StoredSentence
from aptcore.advice.problems.problem import Fix, Problem
from aptcore.editing.edits import ReplaceGraph
from aptcore.errors import PenmanError
from aptcore.graph.penman import format_penman, read_penman

MAX_LENGTH = 20_000
"""Characters of a text from which on nothing is offered."""
_ROUNDS = 6
_MAX_NAMED = 2
_STRING = re.compile(r'("(?:[^"\\\n]|\\.)*")')
_CONCEPT = re.compile(r'(/\s*)([^\s()":/~]+(?:[ \t]+[^\s()":/~]+)+)(?=\s*[:)]|~)')
_VALUE = re.compile(r'(?<=\s)(:[A-Za-z][\w-]*[ \t]+)([^\s()":]+[/:][^\s()"]*)(?=[\s)]|$)')
_NODE = re.compile(r"(\(\s*)([^\s()\"/:]+)(?=\s*/)")


@dataclass(frozen=True, slots=True)
class Mend:
    """A text that is a graph, and what was done to make it one."""

    does: str
    text: str


def mend_text(text: str) -> Mend | None:
    """Make a graph of a text that is none.

    Args:
        text: What a person or a machine wrote.

    Returns:
        The mended text; None where the text is a graph, or where no plain mend makes it one.
    """
    done: list[str] = []
    for _ in range(_ROUNDS if len(text) <= MAX_LENGTH else 0):
        if text_fault(text) is None:
            break
        before = text
        for mend in _MENDS:
            does, text = mend(text)
            if text != before:
                done.append(does)
                break
        else:
            return None
    if not done or text_fault(text) is not None:
        return None
    more = len(done) - _MAX_NAMED
    named = ", ".join(done[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
    return Mend(named, text)


def apart_problem(stored: StoredSentence) -> Problem | None:
    """Give what is wrong with a text that was kept apart, with a mend where there is one.

    Args:
        stored: Any sentence.

    Returns:
        An error; None where the text is a graph, or where there is none.
    """
    if not stored.apart or not is_placeholder(stored.state.graph):
        return None
    text = text_of(stored)
    fault = text_fault(text) if text.strip() else None
    if fault is None:
        return None
    mend = mend_text(text)
    fixes = () if mend is None else (Fix(mend.does, ReplaceGraph(mend.text)),)
    reason = f"the text is no graph; line {fault.line}: {fault.message}"
    return Problem(f"text|{text}", "text", "error", reason, fixes=fixes)


def _outside(text: str, pattern: re.Pattern[str], change: Callable[[re.Match[str]], str]) -> str:
    """Change every match that stands in no string."""
    pieces = _STRING.split(text)
    return "".join(
        piece if number % 2 else pattern.sub(change, piece) for number, piece in enumerate(pieces)
    )


def _write(text: str, pattern: re.Pattern[str], spelling: Callable[[str], str]) -> tuple[str, str]:
    """Write the second group of every match in another spelling."""
    written: list[str] = []

    def change(match: re.Match[str]) -> str:
        written.append(spelling(match[2]))
        return match[1] + written[-1]

    text = _outside(text, pattern, change)
    return f"write {', '.join(dict.fromkeys(written))}", text


def _join_concepts(text: str) -> tuple[str, str]:
    return _write(text, _CONCEPT, lambda concept: "-".join(concept.split()))


def _quote_values(text: str) -> tuple[str, str]:
    return _write(text, _VALUE, '"{}"'.format)


def _name_nodes_apart(text: str) -> tuple[str, str]:
    """Rename the second node of a variable, unless it is not clear which one a mention means."""
    plain = "".join(_STRING.split(text)[::2])
    names = [match[2] for match in _NODE.finditer(plain)]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if not twice:
        return "", text
    name, seen = twice[0], 0
    if re.search(rf":\S+\s+{re.escape(name)}(?=[\s)~])", plain):
        return "", text
    number = 2
    while (other := f"{name.rstrip('0123456789') or name}{number}") in names:
        number += 1

    def rename(match: re.Match[str]) -> str:
        nonlocal seen
        seen += match[2] == name
        return match[1] + (other if match[2] == name and seen == 2 else match[2])

    return f"call the second {name} {other}", _outside(text, _NODE, rename)


def _match_brackets(text: str) -> tuple[str, str]:
    plain = "".join(_STRING.split(text)[::2])
    left = plain.count("(") - plain.count(")")
    if left > 0:
        return f"close {_brackets(left)}", text.rstrip() + ")" * left
    shorter = text.rstrip()
    for _ in range(-left):
        shorter = shorter.removesuffix(")").rstrip()
    rest = "".join(_STRING.split(shorter)[::2])
    if left < 0 and rest.count("(") == rest.count(")"):
        return f"take {_brackets(-left)} off the end", shorter
    return "", text


def _brackets(count: int) -> str:
    return "a bracket" if count == 1 else f"{count} brackets"


def _say_once(text: str) -> tuple[str, str]:
    try:
        graph, problems = read_penman(text)
    except PenmanError:
        return "", text
    if problems:
        return "say each triple once", format_penman(graph, metadata=False)
    return "", text


_MENDS = (_join_concepts, _quote_values, _name_nodes_apart, _match_brackets, _say_once)
