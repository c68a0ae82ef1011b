"""Frames and their arguments: senses that no list has, arguments a frame lacks or has twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aptcore.amr import AmrGraph
from aptcore.edits import ChangeAttribute, ChangeEdge, RenameNode
from aptcore.frames import Lexicon, is_frame, lemma_of
from aptcore.problem_types import Fix, Problem, key_of
from aptcore.roles import is_single_role

_ARGUMENT = re.compile(r":ARG\d")
MAX_FIXES = 4


def frame_problems(graph: AmrGraph, lexicon: Lexicon) -> list[Problem]:
    """Find unknown frames, arguments their frame lacks, and arguments of what is no frame.

    Frames and their arguments are looked at only where there is a frame list.
    """
    found = list(_arguments_of_no_frame(graph))
    if lexicon.has_list:
        found += _unknown_frames(graph, lexicon)
        found += _missing_arguments(graph, lexicon)
    return found


def _unknown_frames(graph: AmrGraph, lexicon: Lexicon) -> Iterator[Problem]:
    for node in graph.nodes:
        if is_frame(node.concept) and node.concept not in lexicon.frames:
            others = lexicon.senses(lemma_of(node.concept))
            others = tuple(other for other in others if other in lexicon.frames)[:MAX_FIXES]
            fixes = tuple(Fix(f"{other} {lexicon.gloss(other)}".strip(), RenameNode(node.id, other))
                          for other in others)  # fmt: skip
            reason = f"the frame list has no {node.concept}"
            reason += f"; it has {', '.join(others)}" if others else ""
            key = key_of("unknown-frame", node.id, node.concept)
            yield Problem(key, "unknown-frame", "warning", reason, (node.id,), fixes=fixes)


def _missing_arguments(graph: AmrGraph, lexicon: Lexicon) -> Iterator[Problem]:
    concepts = {node.id: node.concept for node in graph.nodes}
    for source, role, target, value in _numbered(graph):
        frame = lexicon.frames.get(concepts.get(source, ""))
        if frame is None or role in frame.roles:
            continue
        taken = {other for name, other, _, _ in _numbered(graph) if name == source}
        free = [other for other in frame.roles if other not in taken][:MAX_FIXES]
        fixes = tuple(
            Fix(
                f"{other} {frame.roles[other]}".strip(),
                _relabel(source, role, target, value, other),
            )
            for other in free
        )
        has = ", ".join(f"{name} {text}".strip() for name, text in frame.roles.items()) or "none"
        reason = f"{frame.concept} has no {role}; its arguments are: {has}"
        key = key_of("no-argument", source, frame.concept, role)
        ends = (source, role, target)
        yield Problem(key, "no-argument", "warning", reason, (source,), ends, fixes=fixes)


def _arguments_of_no_frame(graph: AmrGraph) -> Iterator[Problem]:
    concepts = {node.id: node.concept for node in graph.nodes}
    for source, role, target, _ in _numbered(graph):
        concept = concepts.get(source, "")
        if concept and not is_frame(concept):
            reason = f"{concept} is no frame, but has a numbered argument {role}"
            key = key_of("argument-of-no-frame", source, concept, role)
            ends = (source, role, target)
            yield Problem(key, "argument-of-no-frame", "warning", reason, (source,), ends)


def repeated_arguments(graph: AmrGraph) -> list[Problem]:
    """Find roles that a node has twice although nodes have them once."""
    seen: dict[tuple[str, str], list[str]] = {}
    for edge in graph.edges:
        seen.setdefault((edge.source, edge.role), []).append(edge.target)
    for item in graph.attributes:
        seen.setdefault((item.source, item.role), []).append(item.id)
    found = []
    for (source, role), targets in seen.items():
        if len(targets) > 1 and is_single_role(role) and not role.startswith((":op", ":snt")):
            reason = f"{source} has {role} {len(targets)} times; join them by `and`, or rename one"
            key = key_of("repeated-argument", source, role, *sorted(targets))
            ends = (source, role, targets[-1])
            nodes = (source, *targets)
            found.append(Problem(key, "repeated-argument", "warning", reason, nodes, ends))
    return found


def _numbered(graph: AmrGraph) -> Iterator[tuple[str, str, str, str]]:
    """Give source, role, target and value (empty for an edge) of each numbered argument."""
    for edge in graph.edges:
        if _ARGUMENT.fullmatch(edge.role):
            yield edge.source, edge.role, edge.target, ""
    for item in graph.attributes:
        if _ARGUMENT.fullmatch(item.role):
            yield item.source, item.role, item.id, item.value


def _relabel(
    source: str, role: str, target: str, value: str, new: str
) -> ChangeEdge | ChangeAttribute:
    if value:
        return ChangeAttribute(target, source, new, value)
    return ChangeEdge(source, role, target, source, new, target)
