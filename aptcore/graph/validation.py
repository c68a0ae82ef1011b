"""All problems of a graph at once: structure, names, roles.

A graph that was read has no structural fault, because the reader refuses those; one
that was built or edited may have any. A problem is a question to a person, except
that a graph with ``is_error`` problems cannot be written or trained on.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import unwritable_parts
from aptcore.graph.layout import FORMER_ROLES, is_role_known

_NUMBERED_ROLE = re.compile(r"(:op|:snt)(\d+)$")
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
_NUMBER = re.compile(r"[+-]?[0-9][0-9.,:/]*")
_SENSE = re.compile(r"-\d\d\d?$")
_VARIABLE = re.compile(r"[a-z]{1,2}\d+$")

Kind = Literal["unwritable", "concept", "role", "loop", "numbering", "name", "constant", "variable"]
Branch = tuple[str, str, str]
"""Source, role and target of an edge, or of a constant by its id."""


@dataclass(frozen=True, slots=True)
class GraphProblem:
    """One thing wrong with a graph.

    Attributes:
        kind: Which check found it; what is done about it is chosen by this.
        item: The node or attribute id it is about, or empty.
        message: What is wrong, for people.
        is_error: True where the graph cannot be written, or is no AMR graph; False
            for what a person should look at.
        branch: The branch it is about, of kinds "role" and "loop", and of a name that is a
            constant.
        stem: Of kind "numbering", the role whose numbers are odd: ``:op`` or ``:snt``.
    """

    kind: Kind
    item: str
    message: str
    is_error: bool = True
    branch: Branch | None = None
    stem: str = ""

    def __str__(self) -> str:
        return self.message


def without_hidden(text: str) -> str:
    """Take out signs that nobody sees, or that turn the text around them."""
    return _HIDDEN.sub("", text)


def hidden_signs(text: str) -> str:
    """Name the signs of a text that nobody sees, each once; empty where there are none."""
    return ", ".join(f"U+{ord(sign):04X}" for sign in dict.fromkeys(_HIDDEN.findall(text)))


def is_constant_text(text: str) -> bool:
    """Tell whether a text is a constant wherever it stands: quoted, a number or a sign.

    >>> [is_constant_text(text) for text in ('"Kim"', "7", "-", "-01", "3d", "boy")]
    [True, True, True, True, False, False]
    """
    return text.startswith('"') or text in ("-", "+") or _NUMBER.fullmatch(text) is not None


@lru_cache(maxsize=8192)
def why_no_word(concept: str) -> str | None:
    """Say why a concept that text can hold is none.

    >>> why_no_word("boy"), why_no_word("7"), why_no_word("%"), why_no_word("mr.")
    (None, 'is no plain word', 'consists of signs alone', 'ends with a full stop')
    """
    if is_constant_text(concept):
        return "is no plain word"
    if not any(character.isalnum() for character in _SENSE.sub("", concept)):
        return "consists of signs alone"
    if "--" in concept:
        return "has several hyphens together"
    if concept[-1] in ",;!?%" or concept[0] in "$€£":
        return "has a sign at its end or beginning that is no part of a word"
    return "ends with a full stop" if concept.endswith(".") else None


def problems_of(graph: AmrGraph) -> tuple[GraphProblem, ...]:
    """List everything wrong with a graph.

    Structure: root, connection, variables twice, constants as parents, repeated
    triples, names that cannot be written. Roles: those that penman's AMR model does
    not know, such as ``:`` and ``:null_edge``. Words: concepts that are constants or signs,
    or end with a full stop, ``half---time``, names that are constants. To look at: roles
    that AMR once had, a node that points at itself, gaps and repeats in ``:op1``, ``:op2``
    and ``:snt1``, ``:snt2``, a name without parts, a constant that looks like a variable.
    """
    problems = [GraphProblem("unwritable", "", message) for message in unwritable_parts(graph)]
    problems += _concept_problems(graph)
    problems += _role_problems(graph)
    problems += _self_loops(graph)
    problems += _number_problems(graph)
    problems += _name_problems(graph)
    problems += _constant_problems(graph)
    return tuple(problems)


def _concept_problems(graph: AmrGraph) -> list[GraphProblem]:
    """Find concepts that text could hold, but no concept should: ``"a b"``, ``7``, ``%``."""
    faults = [(node, why_no_word(node.concept)) for node in graph.nodes]
    return [
        GraphProblem("concept", node.id, f"concept {node.concept!r} of {node.id} {fault}")
        for node, fault in faults
        if fault is not None
    ]


def _role_problems(graph: AmrGraph) -> list[GraphProblem]:
    places = [((a.source, a.role, a.id), a.value) for a in graph.attributes]
    places += [(e.triple, e.target) for e in graph.edges]
    return [
        GraphProblem(
            "role",
            source,
            f"role {role!r} is {_standing(role)}, in {source} {role} {shown}",
            role not in FORMER_ROLES,
            branch=(source, role, end),
        )
        for (source, role, end), shown in places
        if role == ":instance" or not is_role_known(role)
    ]


def _standing(role: str) -> str:
    return "no longer one of AMR's" if role in FORMER_ROLES else "unknown to AMR"


def _self_loops(graph: AmrGraph) -> list[GraphProblem]:
    return [
        GraphProblem(
            "loop",
            edge.source,
            f"node {edge.source} points at itself through {edge.role}",
            False,
            branch=edge.triple,
        )
        for edge in graph.edges
        if edge.source == edge.target
    ]


def _number_problems(graph: AmrGraph) -> list[GraphProblem]:
    """Find gaps and repeats in numbered roles; they are reported, never closed up."""
    numbers: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    placed = [(a.source, a.role) for a in graph.attributes]
    placed += [(e.source, e.role) for e in graph.edges]
    for source, role in placed:
        match = _NUMBERED_ROLE.match(role)
        if match is not None:
            numbers[source, match[1]][int(match[2])] += 1
    coordinations = {node.id for node in graph.nodes if node.concept in ("and", "or")}
    problems = []
    for (source, stem), counts in numbers.items():
        odd = [f"has {stem}{n} {count} times" for n, count in sorted(counts.items()) if count > 1]
        gaps = [number for number in range(1, max(counts)) if number not in counts]
        begins_late = gaps == [1] and source in coordinations  # "And he left ." has :op2 alone
        if gaps and not begins_late:
            odd.append("lacks " + ", ".join(f"{stem}{number}" for number in gaps))
        problems += [
            GraphProblem("numbering", source, f"node {source} {what}", False, stem=stem)
            for what in odd
        ]
    return problems


def _name_problems(graph: AmrGraph) -> list[GraphProblem]:
    bare = [
        GraphProblem(
            "name",
            item.source,
            f":name {item.value} of {item.source} is no node `name`",
            branch=(item.source, item.role, item.id),
        )
        for item in graph.attributes
        if item.role == ":name"
    ]
    with_parts = {a.source for a in graph.attributes if a.role.startswith(":op")}
    with_parts |= {e.source for e in graph.edges if e.role.startswith(":op")}
    named = {edge.target for edge in graph.edges if edge.role == ":name"}
    return bare + [
        GraphProblem("name", node.id, f"name {node.id} has no :op1", False)
        for node in graph.nodes
        if node.id in named and node.concept == "name" and node.id not in with_parts
    ]


def _constant_problems(graph: AmrGraph) -> list[GraphProblem]:
    sources = {attribute.id for attribute in graph.attributes}
    parents = [(e.source, e.role) for e in graph.edges] + [
        (a.source, a.role) for a in graph.attributes
    ]
    problems = [
        GraphProblem(
            "constant", source, f"constant {source} has a branch {role}; it must be a leaf"
        )
        for source, role in parents
        if source in sources
    ]
    problems += [
        GraphProblem("constant", edge.target, f"constant {edge.target} is the target of an edge")
        for edge in graph.edges
        if edge.target in sources
    ]
    problems += [
        GraphProblem(
            "variable",
            item.id,
            f"{item.source} {item.role} {item.value}: a variable that is never introduced?",
            False,
        )
        for item in graph.attributes
        if _VARIABLE.match(item.value)
    ]
    return problems
