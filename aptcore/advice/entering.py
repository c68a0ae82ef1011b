"""What a typed line, or words that are marked, put into a graph.

A line is a role and what hangs by it: ``:ARG1 boy``, ``:quant 5``, ``:ARG1 "New York"``,
``:ARG1 city "New York"``, ``:name New York``, ``:time 12 July 2024``, ``:cost $5``. Names,
dates, times of day, amounts and shares become the structure that AMR writes for them, by the
rules that the aligner and COPY read words with.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from aptcore.editing.applying import fresh_attribute, fresh_variable
from aptcore.editing.edits import AddAttribute, AddEdge, AddNode, Edit, Several
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.branches import quote
from aptcore.graph.roles import MODES
from aptcore.graph.validation import is_constant_text
from aptcore.words.dates import DATE_PARTS, date_parts
from aptcore.words.surface import number_value
from aptcore.words.written_values import written_value

DATE, NAME = ":date", ":name"
USUAL_TYPE = "thing"
"""What a name is of that says no more."""

_ENTITY = re.compile(r'(?:(?P<type>[^\s"]+) )?(?P<name>"[^"]*")')
_STRINGS = re.compile(r":(?:op\d+|wiki|value|li|time|example)")
"""Roles of which a single quoted word is a constant, as it stands."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A concept or constant with what hangs on it.

    Attributes:
        label: As graphs write it.
        is_constant: Whether it is a constant.
        branches: Role and tree of each branch.
    """

    label: str
    is_constant: bool = False
    branches: tuple[tuple[str, Tree], ...] = ()


def split_line(line: str) -> tuple[str, str]:
    """Split a line into its role, empty where none is typed, and the rest.

    >>> split_line(':ARG1 "New York"'), split_line("boy"), split_line(":time")
    ((':ARG1', '"New York"'), ('', 'boy'), (':time', ''))
    """
    text = " ".join(line.split())
    if not text.startswith(":"):
        return "", text
    role, _, rest = text.partition(" ")
    return role, rest


def read_line(role: str, text: str) -> tuple[str, Tree]:
    """Read what hangs by a role.

    Returns:
        The role as graphs write it, and the tree.

    Raises:
        EditError: A date is asked for and the text is none.
    """
    text = " ".join(text.split())
    if role == DATE:
        date = dated(text)
        if date is None:
            raise EditError(f"{text!r} is no date; write it like 12 July 2024 or 2024-07-12")
        return ":time", date
    if role == NAME and not is_number(text):
        return role, name_tree(text)
    if is_constant_of(role, text) and (" " not in text or _STRINGS.fullmatch(role)):
        return role, Tree(text, True)
    entity = _ENTITY.fullmatch(text)
    if entity and (entity["type"] or not _STRINGS.fullmatch(role)):
        return role, Tree(entity["type"] or USUAL_TYPE, False, ((NAME, name_tree(entity["name"])),))
    return role, built(text) or Tree(as_concept(text))


def built(text: str) -> Tree | None:
    """Read a date of several parts, a time of day, an amount or a share; None for any other.

    >>> built("$5").branches[0][1].label, built("12 July").label, built("boy") is None
    ('5', 'date-entity', True)
    """
    value = written_value(text)
    if value is None:
        return None
    parts = ((role, Tree(part, is_constant_text(part))) for role, part in value.parts)
    return Tree(value.concept, False, tuple(parts))


def dated(text: str) -> Tree | None:
    """Read a date, also one of a month or a year alone."""
    parts = date_parts(text)
    found = tuple((f":{key}", Tree(parts[key], True)) for key in DATE_PARTS if key in parts)
    return Tree("date-entity", False, found) if found else None


def name_tree(text: str) -> Tree:
    """Give the name that a text says, quotation marks or not: one string for each word."""
    words = text.removeprefix('"').removesuffix('"').replace('"', "").split()
    ops = ((f":op{number}", Tree(quote(word), True)) for number, word in enumerate(words, 1))
    return Tree("name", False, tuple(ops))


def named(concept: str, words: str) -> str:
    """Write a named thing as a line has it: ``city "New York"``."""
    return f"{concept} {quote(words)}"


def is_number(text: str) -> bool:
    """Tell whether a text is a number in figures."""
    return is_constant_text(text) and number_value(text) is not None


def is_constant_of(role: str, text: str) -> bool:
    """Tell whether a typed value is a constant: quoted, a number, a sign or a mode."""
    return is_constant_text(text) or (role == ":mode" and text in MODES)


def as_concept(text: str) -> str:
    """Join the words of a typed concept: AMR writes ``search-engine``."""
    return "-".join(text.split())


def hang(graph: AmrGraph, parent: str, role: str, tree: Tree, tokens: Collection[int] = ()) -> Edit:
    """Hang a tree on a node; its root stands for the tokens, and so does all in it.

    Returns:
        The edit; what is new has names that are free in this graph.
    """
    taken: list[str] = []
    edits = tuple(_hung(graph, parent, role, tree, tuple(tokens), taken))
    return edits[0] if len(edits) == 1 else Several(edits)


def _hung(
    graph: AmrGraph, parent: str, role: str, tree: Tree, tokens: tuple[int, ...], taken: list[str]
) -> Iterable[Edit]:
    if tree.is_constant:
        name = fresh_attribute(graph, parent, role, tuple(taken))
        taken.append(name)
        yield AddAttribute(name, parent, role, tree.label, tokens)
        return
    name = fresh_variable(graph, tree.label, tuple(taken))
    taken.append(name)
    yield AddNode(name, tree.label, tokens)
    yield AddEdge(parent, role, name)
    for below, branch in tree.branches:
        yield from _hung(graph, name, below, branch, tokens, taken)
