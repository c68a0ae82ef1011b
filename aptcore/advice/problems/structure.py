"""Faults of structure: what cannot be written, unknown roles, loops, cycles, numbering."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from aptcore.advice.problems.problem import Fix, Problem, key_of
from aptcore.advice.problems.role_fixes import (
    MAX_FIXES,
    as_degree,
    known_roles,
    near_roles,
    renumber,
    role_fixes,
)
from aptcore.editing.edits import DeleteEdge, RenameNode
from aptcore.editing.restructuring import make_constant
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph, Edge
from aptcore.graph.branches import is_writable_concept
from aptcore.graph.checks import connected_nodes
from aptcore.graph.layout import FORMER_ROLES
from aptcore.graph.validation import Branch, GraphProblem, is_constant_text, problems_of
from aptcore.words.frames import Lexicon
from aptcore.words.lemmas import UNITS

_SENSE = re.compile(r"-\d+$")
_SIGNS = UNITS | {"&": "and", "%": "percentage-entity"}
"""What the signs stand for that are no word."""

_MAX_CIRCLE = 12
"""Edges of a circle from which on it is not worked out which one opens it."""


def structure_problems(graph: AmrGraph, lexicon: Lexicon) -> list[Problem]:
    """Find faults of structure.

    Args:
        graph: Any graph.
        lexicon: Frames and counts, from which other roles are offered for unknown ones.
    """
    known = problems_of(graph)
    found = [_of_validation(graph, one) for one in known if one.branch is None]
    placed = [(one.kind, one.branch) for one in known if one.branch is not None]
    found += [_unknown_role(graph, lexicon, branch) for kind, branch in placed if kind == "role"]
    found += [_loop(branch) for kind, branch in placed if kind == "loop"]
    found += _cycles(graph)
    found += _parts(graph)
    return found


def _of_validation(graph: AmrGraph, problem: GraphProblem) -> Problem:
    fixes: tuple[Fix, ...] = ()
    if problem.kind == "numbering":
        fixes = (renumber(graph, problem.item, problem.stem),)
    elif problem.kind == "concept":
        fixes = _as_constant(graph, problem.item) or _as_word(graph, problem.item)
    return Problem(
        key_of("structure", problem.message),
        "structure",
        "error" if problem.is_error else "warning",
        problem.message,
        (problem.item,) if problem.item else (),
        fixes=fixes,
    )


def _as_constant(graph: AmrGraph, name: str) -> tuple[Fix, ...]:
    """Offer the constant that a concept such as ``7`` is, where the node is a leaf."""
    concept = _concept(graph, name)
    if concept.startswith('"') or not is_constant_text(concept):
        return ()
    try:
        edit = make_constant(graph, name, concept)
    except EditError:
        return ()
    return (Fix(f"make it the constant {concept}", edit),)


def _as_word(graph: AmrGraph, name: str) -> tuple[Fix, ...]:
    """Offer what a sign stands for, or the words of a concept as one."""
    concept = _concept(graph, name).lower()
    word = _SIGNS.get(_SENSE.sub("", concept)) or "-".join(re.findall(r"[^\W_]+", concept))
    if is_constant_text(word) or not is_writable_concept(word):
        return ()
    return (Fix(f"write {word}", RenameNode(name, word)),)


def _concept(graph: AmrGraph, name: str) -> str:
    return next(node.concept for node in graph.nodes if node.id == name)


def _unknown_role(graph: AmrGraph, lexicon: Lexicon, branch: Branch) -> Problem:
    source, role, _ = branch
    if role in FORMER_ROLES:
        reason = f"AMR no longer has {role}: it compares by have-degree-91 and its :ARG4"
        key, fixes = key_of("former-role", *branch), as_degree(graph, branch)
        return Problem(key, "former-role", "warning", reason, (source,), branch, fixes=fixes)
    reason = f"AMR has no role {role}"
    if near := near_roles(role, known_roles(lexicon)):
        reason += f"; {near[0]} is like it"
    fixes = role_fixes(graph, lexicon, branch)
    key = key_of("unknown-role", *branch)
    return Problem(key, "unknown-role", "error", reason, (source,), branch, fixes=fixes)


def _loop(branch: Branch) -> Problem:
    source, role, _ = branch
    return Problem(
        key_of("loop", source, role),
        "loop",
        "warning",
        f"{source} points at itself through {role}",
        (source,),
        branch,
        fixes=(Fix("delete the edge", DeleteEdge(*branch)),),
    )


def _cycles(graph: AmrGraph) -> list[Problem]:
    """Find the groups of nodes that reach each other along the edges' directions."""
    found = []
    for group in _mutual(graph):
        inside = [
            edge
            for edge in graph.edges
            if edge.source in group and edge.target in group and edge.source != edge.target
        ]
        text = ", ".join(f"{e.source} {e.role} {e.target}" for e in inside)
        key = key_of("cycle", *sorted(group))
        reason = f"these edges go round in a circle: {text}"
        fixes = _openings(graph, group, inside) if len(inside) <= _MAX_CIRCLE else ()
        found.append(Problem(key, "cycle", "warning", reason, tuple(sorted(group)), fixes=fixes))
    return found


def _openings(graph: AmrGraph, group: frozenset[str], inside: Sequence[Edge]) -> tuple[Fix, ...]:
    """Offer the edges one of which is enough to open a circle, arguments of frames last."""
    held = len(connected_nodes(graph, graph.root))
    fixes = []
    for edge in sorted(inside, key=lambda each: each.role.startswith((":ARG", ":op", ":snt"))):
        less = replace(graph, edges=tuple(each for each in graph.edges if each != edge))
        is_open = not any(other & group for other in _mutual(less))
        if is_open and len(connected_nodes(less, graph.root)) == held:
            text = f"delete {edge.source} {edge.role} {edge.target}"
            fixes.append(Fix(text, DeleteEdge(*edge.triple)))
    return tuple(fixes[:MAX_FIXES])


def _mutual(graph: AmrGraph) -> Iterable[frozenset[str]]:
    targets: dict[str, set[str]] = {node.id: set() for node in graph.nodes}
    for edge in graph.edges:
        if edge.source in targets and edge.target in targets and edge.source != edge.target:
            targets[edge.source].add(edge.target)
    targets = _without_ends(targets)
    reached = {name: _reached(targets, name) for name in targets}
    groups = {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in targets
        if name in reached[name]
    }
    return sorted(groups, key=sorted)


def _without_ends(targets: dict[str, set[str]]) -> dict[str, set[str]]:
    """Leave out, again and again, the nodes that lead nowhere: they stand on no circle."""
    sources: dict[str, list[str]] = {name: [] for name in targets}
    for name, others in targets.items():
        for other in others:
            sources[other].append(name)
    open_ways = {name: len(others) for name, others in targets.items()}
    ends = [name for name, number in open_ways.items() if not number]
    for end in ends:  # grows meanwhile
        for source in sources[end]:
            open_ways[source] -= 1
            if not open_ways[source]:
                ends.append(source)
    gone = set(ends)
    return {name: others - gone for name, others in targets.items() if name not in gone}


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
