"""Names, dates and constants that are not built as AMR builds them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aptcore.advice.problems.problem import Fix, Problem, key_of
from aptcore.advice.problems.role_fixes import next_member
from aptcore.editing.applying import fresh_attribute, fresh_variable
from aptcore.editing.edits import (
    AddAttribute,
    AddEdge,
    AddNode,
    ChangeAttribute,
    ChangeEdge,
    DeleteAttribute,
    DeleteEdge,
    DeleteNode,
    Edit,
    RenameNode,
    Several,
)
from aptcore.graph.amr import AmrGraph, Attribute, Edge
from aptcore.graph.branches import quote, unquote
from aptcore.graph.roles import MODES
from aptcore.graph.validation import hidden_signs, without_hidden
from aptcore.words.dates import MONTH_NAMES, date_parts
from aptcore.words.surface import number_value
from aptcore.words.written_values import WrittenValue, written_value

_OP = re.compile(r":op(\d+)")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_RANGES = {":month": (1, 12), ":day": (1, 31), ":year": (-9999, 9999)}
_DATE_ROLES = frozenset(
    ":calendar :century :day :dayperiod :decade :era :month :quarter :season :time :timezone "
    ":weekday :year :year2 :mod :domain :duration".split()
)
_PLACES = {
    name: role
    for role, names in {
        ":weekday": "monday tuesday wednesday thursday friday saturday sunday",
        ":month": " ".join(MONTH_NAMES).lower(),
        ":season": "spring summer autumn winter",
        ":dayperiod": "morning noon afternoon evening night",
    }.items()
    for name in names.split()
}
"""The role under which each word stands in a date; months are numbers there."""


def value_problems(graph: AmrGraph) -> list[Problem]:
    """Find faults of names, dates, constants of polarity, mode and number, and hidden signs."""
    return [
        *_name_problems(graph),
        *_date_problems(graph),
        *_constant_problems(graph),
        *_written_problems(graph),
        *_hidden_problems(graph),
    ]


def _hidden_problems(graph: AmrGraph) -> Iterator[Problem]:
    for node in graph.nodes:
        signs = hidden_signs(node.concept)
        if signs:
            plain = without_hidden(node.concept)
            fixes = (Fix("take them out", RenameNode(node.id, plain)),) if plain else ()
            key = key_of("hidden", node.id, signs)
            reason = f"the concept of {node.id} holds signs that nobody sees: {signs}"
            yield Problem(key, "hidden", "error", reason, (node.id,), fixes=fixes)


def _name_problems(graph: AmrGraph) -> Iterator[Problem]:
    concepts = {node.id: node.concept for node in graph.nodes}
    for item in graph.attributes:
        if item.role == ":name":
            yield _bare_name(graph, item)
    for edge in graph.edges:
        if edge.role == ":name" and concepts.get(edge.target, "name") != "name":
            fix = Fix("make it a name", RenameNode(edge.target, "name"))
            reason = f":name leads to {concepts[edge.target]}; it must lead to a node `name`"
            ends = edge.triple
            key = key_of("name", *ends, concepts[edge.target])
            yield Problem(key, "name", "error", reason, (edge.target,), ends, fixes=(fix,))
        if concepts.get(edge.source) == "name" and edge.role != ":mod":
            reason = f"a name holds only words, but {edge.source} has {edge.role} {edge.target}"
            ends = edge.triple
            key, fixes = key_of("name-edge", *ends), _to_holder(graph, edge)
            yield Problem(key, "name", "warning", reason, (edge.source,), ends, fixes=fixes)
    for node in graph.nodes:
        if node.concept == "name":
            yield from _part_problems(graph, node.id)


def _to_holder(graph: AmrGraph, edge: Edge) -> tuple[Fix, ...]:
    """Offer to hang an edge of a name on what has the name."""
    holders = [
        one.source for one in graph.edges if (one.role, one.target) == (":name", edge.source)
    ]
    role = ":mod" if edge.role.startswith((":op", ":ARG")) else edge.role
    return tuple(
        Fix(
            f"hang it on {holder} as {role}",
            ChangeEdge(*edge.triple, holder, role, edge.target),
        )
        for holder in holders[:1]
        if holder != edge.target
    )


def _bare_name(graph: AmrGraph, item: Attribute) -> Problem:
    name = fresh_variable(graph, "name")
    edits: list[Edit] = [DeleteAttribute(item.id), AddNode(name, "name")]
    for number, word in enumerate(unquote(item.value).split() or ["?"], 1):
        edits.append(AddAttribute(f"{name}:op{number}", name, f":op{number}", quote(word)))
    edits.append(AddEdge(item.source, ":name", name))
    reason = f":name {item.value} is a bare word; AMR has a node `name` with :op1, :op2 ..."
    key = key_of("name", item.source, item.value)
    fix = Fix("make it a name node", Several(tuple(edits)))
    ends = (item.source, item.role, item.id)
    return Problem(key, "name", "error", reason, (item.source,), ends, fixes=(fix,))


def _part_problems(graph: AmrGraph, name: str) -> Iterator[Problem]:
    parts = [item for item in graph.attributes if item.source == name]
    for item in parts:
        ends = (name, item.role, item.id)
        if not _OP.fullmatch(item.role) and item.role != ":wiki":
            reason = f"a name has only :op1, :op2 ..., but {name} has {item.role}"
            member = next_member(graph, name, ":op")
            edit = ChangeAttribute(item.id, name, member, quote(unquote(item.value)))
            key, fix = key_of("name-role", *ends), Fix(f"call it {member}", edit)
            yield Problem(key, "name", "error", reason, (name,), ends, fixes=(fix,))
        elif item.role != ":wiki" and not item.value.startswith('"'):
            edit = ChangeAttribute(item.id, name, item.role, quote(item.value))
            reason = f"the word {item.value} of a name stands without quotation marks"
            key = key_of("name-quotes", name, item.role, item.value)
            fix = Fix("quote it", edit)
            yield Problem(key, "name", "warning", reason, (name,), ends, fixes=(fix,))
    if not any(edge.target == name and edge.role == ":name" for edge in graph.edges):
        holders = [edge for edge in graph.edges if edge.target == name]
        reason = f"{name} / name hangs on no :name"
        fixes = tuple(
            Fix(f"call {e.role} :name", ChangeEdge(e.source, e.role, name, e.source, ":name", name))
            for e in holders[:1]
        )
        key = key_of("name-alone", name)
        yield Problem(key, "name", "warning", reason, (name,), fixes=fixes)


def _date_problems(graph: AmrGraph) -> Iterator[Problem]:
    dates = {node.id for node in graph.nodes if node.concept == "date-entity"}
    for item in graph.attributes:
        if item.source not in dates:
            continue
        ends = (item.source, item.role, item.id)
        key = key_of("date", *item.triple)
        if item.role not in _DATE_ROLES:
            reason = f"a date-entity has no {item.role}"
            yield Problem(key, "date", "warning", reason, (item.source,), ends)
            continue
        bounds = _RANGES.get(item.role)
        number = unquote(item.value)
        if bounds is None:
            continue
        if not _NUMBER.fullmatch(number) or not bounds[0] <= float(number) <= bounds[1]:
            reason = (
                f"{item.role} {item.value} of a date is no number from {bounds[0]} to {bounds[1]}"
            )
            yield Problem(key, "date", "error", reason, (item.source,), ends)
        elif item.value.startswith('"'):
            edit = ChangeAttribute(item.id, item.source, item.role, number)
            reason = f"{item.role} {item.value} of a date stands in quotation marks"
            fix = Fix("take the marks off", edit)
            yield Problem(key, "date", "warning", reason, (item.source,), ends, fixes=(fix,))
    for edge in graph.edges:
        if edge.source in dates:
            yield from _misplaced(graph, edge)
        if edge.source in dates and edge.role.startswith((":ARG", ":op")):
            ends = edge.triple
            fix = Fix("delete the edge", DeleteEdge(*ends))
            reason = f"a date-entity has no {edge.role}"
            fixes = (fix,) if _is_held(graph, edge) else ()
            key = key_of("date", *ends)
            yield Problem(key, "date", "warning", reason, (edge.source,), ends, fixes=fixes)


def _misplaced(graph: AmrGraph, edge: Edge) -> Iterator[Problem]:
    """Find a part of a date under the role of another part: a month as the weekday."""
    concept = next((node.concept for node in graph.nodes if node.id == edge.target), "")
    right = _PLACES.get(concept)
    if right is None or right == edge.role or edge.role not in _PLACES.values():
        return
    edit: Edit = ChangeEdge(*edge.triple, edge.source, right, edge.target)
    if right == ":month":
        number, name = date_parts(concept)["month"], fresh_attribute(graph, edge.source, right)
        edit = Several((DeleteNode(edge.target), AddAttribute(name, edge.source, right, number)))
    reason = f"{concept} is no {edge.role} of a date; it is its {right}"
    fixes = (Fix(f"call it {right}", edit),)
    key, ends = key_of("date-part", *edge.triple, concept), edge.triple
    yield Problem(key, "date", "warning", reason, (edge.source,), ends, fixes=fixes)


def _is_held(graph: AmrGraph, edge: Edge) -> bool:
    """Tell whether something else holds the target of an edge."""
    return any(e.target == edge.target and e != edge for e in graph.edges)


def _constant_problems(graph: AmrGraph) -> Iterator[Problem]:
    for item in graph.attributes:
        ends = (item.source, item.role, item.id)
        key = key_of("constant", *item.triple)
        if item.role == ":polarity" and item.value not in ("-", "+"):
            fix = Fix("make it -", ChangeAttribute(item.id, item.source, item.role, "-"))
            reason = f":polarity is -, not {item.value}"
            yield Problem(key, "constant", "warning", reason, (item.source,), ends, fixes=(fix,))
        elif item.role == ":mode" and item.value not in MODES:
            wished = unquote(item.value)
            known = [mode for mode in MODES if mode == wished] or list(MODES)
            fixes = tuple(
                Fix(f"make it {mode}", ChangeAttribute(item.id, item.source, item.role, mode))
                for mode in known
            )
            reason = f":mode is {', '.join(MODES)}, not {item.value}"
            yield Problem(key, "constant", "warning", reason, (item.source,), ends, fixes=fixes)
        elif item.role == ":quant" and item.value.startswith('"'):
            number = number_value(unquote(item.value))
            if number is None:
                continue
            edit = ChangeAttribute(item.id, item.source, item.role, number)
            reason = f"the number {item.value} stands in quotation marks"
            fix = Fix(f"make it {number}", edit)
            yield Problem(key, "constant", "warning", reason, (item.source,), ends, fixes=(fix,))


def _written_problems(graph: AmrGraph) -> Iterator[Problem]:
    """Find constants that AMR says by structure: ``:time "2002-12-31"``, ``:quant $42,000``."""
    concepts = {node.id: node.concept for node in graph.nodes}
    for item in graph.attributes:
        source = concepts.get(item.source)
        if source == "name" or item.role in (":wiki", ":name"):
            continue
        value = written_value(unquote(item.value))
        if value is None or (source == value.concept and value.parts == (item.triple[1:],)):
            continue
        parts = ", ".join(f"{role} {part}" for role, part in value.parts)
        reason = f"{item.role} {item.value} is a constant; AMR has a {value.concept} with {parts}"
        key, ends = key_of("written", *item.triple), (item.source, item.role, item.id)
        fix = Fix(f"make it a {value.concept}", _as_structure(graph, item, source, value))
        yield Problem(key, "constant", "warning", reason, (item.source,), ends, fixes=(fix,))


def _as_structure(
    graph: AmrGraph, item: Attribute, source: str | None, value: WrittenValue
) -> Edit:
    """Put the structure in place of a string; what a date has already stays."""
    found = graph.alignments.get(item.id)
    tokens = found.tokens if found is not None else ()
    edits: list[Edit] = [DeleteAttribute(item.id)]
    holder, names = item.source, tuple[str, ...]()
    taken = {one.role for one in graph.attributes if one.source == holder} - {item.role}
    taken |= {edge.role for edge in graph.edges if edge.source == holder}
    if source != value.concept:
        holder, taken = fresh_variable(graph, value.concept), set()
        names = (holder,)
        edits += [AddNode(holder, value.concept, tokens), AddEdge(item.source, item.role, holder)]
    for role, part in value.parts:
        if role in taken:
            continue
        if part[0].isalpha():
            name = fresh_variable(graph, part, names)
            names = (*names, name)
            edits += [AddNode(name, part, tokens), AddEdge(holder, role, name)]
        else:
            name = f"{holder}{role}"
            edits.append(AddAttribute(name, holder, role, part, tokens))
    return Several(tuple(edits))
