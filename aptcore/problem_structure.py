"""Faults of structure: what cannot be written, unknown roles, loops, cycles, numbering."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from aptcore.amr import AmrGraph
from aptcore.edits import ChangeAttribute, ChangeEdge, DeleteEdge
from aptcore.graph_checks import connected_nodes
from aptcore.layout import is_role_known
from aptcore.problem_types import Fix, Problem, key_of
from aptcore.validation import GraphProblem, problems_of

_COVERED_ELSEWHERE = re.compile(r"role .* is unknown to AMR|node \S+ points at itself")


def structure_problems(graph: AmrGraph, known_roles: Iterable[str]) -> list[Problem]:
    """Find faults of structure; near ones of the known roles are offered for unknown ones."""
    roles = tuple(role for role in known_roles if is_role_known(role))
    found = [_of_validation(problem) for problem in problems_of(graph) if _is_own(problem)]
    found += _unknown_roles(graph, roles)
    found += _loops(graph)
    found += _cycles(graph)
    found += _parts(graph)
    return found


def _is_own(problem: GraphProblem) -> bool:
    return not _COVERED_ELSEWHERE.match(problem.message)


def _of_validation(problem: GraphProblem) -> Problem:
    return Problem(
        key_of("structure", problem.message),
        "structure",
        "error" if problem.is_error else "warning",
        problem.message,
        (problem.item,) if problem.item else (),
    )


def _unknown_roles(graph: AmrGraph, roles: Sequence[str]) -> list[Problem]:
    found = []
    for edge in graph.edges:
        if not is_role_known(edge.role) or edge.role == ":instance":
            ends = (edge.source, edge.role, edge.target)
            fixes = tuple(
                Fix(f"call it {role}", ChangeEdge(*ends, edge.source, role, edge.target))
                for role in near_roles(edge.role, roles)
            )
            found.append(_unknown_role(ends, fixes))
    for item in graph.attributes:
        if not is_role_known(item.role) or item.role == ":instance":
            fixes = tuple(
                Fix(f"call it {role}", ChangeAttribute(item.id, item.source, role, item.value))
                for role in near_roles(item.role, roles)
            )
            found.append(_unknown_role((item.source, item.role, item.id), fixes))
    return found


def _unknown_role(ends: tuple[str, str, str], fixes: tuple[Fix, ...]) -> Problem:
    reason = f"AMR has no role {ends[1]}"
    if fixes:
        reason += f"; {fixes[0].text.removeprefix('call it ')} is like it"
    key = key_of("unknown-role", *ends)
    return Problem(key, "unknown-role", "error", reason, (ends[0],), ends, fixes=fixes)


def near_roles(role: str, roles: Iterable[str]) -> tuple[str, ...]:
    """Give the roles that are spelled almost alike, the likeliest first."""
    folded = {known.lower(): known for known in roles}
    wished = role.lower() if role.startswith(":") else f":{role.lower()}"
    if wished in folded:
        return (folded[wished],)
    return tuple(folded[name] for name in get_close_matches(wished, folded, 2, 0.7))


def _loops(graph: AmrGraph) -> list[Problem]:
    return [
        Problem(
            key_of("loop", edge.source, edge.role),
            "loop",
            "warning",
            f"{edge.source} points at itself through {edge.role}",
            (edge.source,),
            (edge.source, edge.role, edge.target),
            fixes=(Fix("delete the edge", DeleteEdge(edge.source, edge.role, edge.target)),),
        )
        for edge in graph.edges
        if edge.source == edge.target
    ]


def _cycles(graph: AmrGraph) -> list[Problem]:
    """Find the groups of nodes that reach each other along the edges' directions."""
    found = []
    for group in _mutual(graph):
        inside = [e for e in graph.edges if e.source in group and e.target in group]
        text = ", ".join(f"{e.source} {e.role} {e.target}" for e in inside)
        key = key_of("cycle", *sorted(group))
        reason = f"these edges go round in a circle: {text}"
        found.append(Problem(key, "cycle", "warning", reason, tuple(sorted(group))))
    return found


def _mutual(graph: AmrGraph) -> Iterable[frozenset[str]]:
    targets: dict[str, set[str]] = {node.id: set() for node in graph.nodes}
    for edge in graph.edges:
        if edge.source in targets and edge.target in targets and edge.source != edge.target:
            targets[edge.source].add(edge.target)
    reached = {name: _reached(targets, name) for name in targets}
    groups = {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in targets
        if name in reached[name]
    }
    return sorted(groups, key=sorted)


def _reached(targets: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for other in targets[waiting.pop()]:
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _parts(graph: AmrGraph) -> list[Problem]:
    """Name each part that the root does not reach."""
    left = {node.id: node.concept for node in graph.nodes}
    for name in connected_nodes(graph, graph.root):
        left.pop(name, None)
    found = []
    while left:
        part = connected_nodes(graph, next(iter(left)))
        shown = ", ".join(f"{name} / {left[name]}" for name in part if name in left)
        key = key_of("part", *sorted(part))
        reason = f"nothing links the root to this part: {shown}"
        found.append(Problem(key, "part", "error", reason, part))
        for name in part:
            left.pop(name, None)
    return found
