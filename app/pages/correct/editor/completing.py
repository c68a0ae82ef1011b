"""What the editor completes while it is typed, and offers in the place of a part."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from app.pages.correct.editor.folding import matching, named, parts_of
from app.pages.correct.editor.gestures import Gesture
from app.pages.correct.editor.layout import drawn_parts
from app.pages.correct.editor.marks import Part
from aptcore.advice.completion import Completion
from aptcore.advice.entering import as_concept, plain_role
from aptcore.advice.likely import Setting, likely_concepts, said_scores
from aptcore.advice.likely_lines import likely_lines
from aptcore.advice.likely_roles import likely_roles
from aptcore.graph.validation import is_constant_text

MAX_FOUND = 20
"""Nodes and constants offered for what is typed."""
MAX_INSTEAD = 9
"""What is offered in the place of a part: as many as there are digits."""


def completions(setting: Setting, wanted: Mapping[str, Any]) -> list[list[str]]:
    """Give completions of what is typed, each with what it means, the likeliest first.

    Args:
        setting: The sentence, its graph and what is known of them.
        wanted: What the editor asks: ``kind`` concept, role, line (a role and what hangs by it)
            or part (one that is there), ``typed``, ``at`` the node that it is at, ``to`` the
            part at the other end, ``was`` the role that is there, ``tokens`` that are marked.
    """
    typed, kind = str(wanted.get("typed", ""))[:100].lstrip(), wanted.get("kind")
    here, tokens = str(wanted.get("at", "")), _tokens(wanted.get("tokens"))
    if kind == "part":
        names = named(setting.graph)
        return [[names[name], ""] for name in matching(names, typed.strip())[:MAX_FOUND]]
    if kind == "role":
        ends = here, str(wanted.get("to", ""))
        found = likely_roles(setting, *ends, plain_role(typed.strip()), str(wanted.get("was", "")))
    elif kind == "line":
        found = likely_lines(setting, here, typed, tokens)
    else:
        found = likely_concepts(setting, as_concept(typed), here, tokens)
    return [[one.text, _note(one)] for one in found]


def completed(setting: Setting, gesture: Gesture) -> Gesture:
    """Give a gesture whose text was typed and not chosen the likeliest completion of it.

    A person who types on does not wait for the list: what would have come first in it is meant.
    """
    if not gesture.get("typed"):
        return gesture
    field, wanted = _asked(gesture)
    text = str(gesture.get(field, ""))
    found = completions(setting, {**wanted, "typed": text})
    if field == "line":
        found = [one for one in found if not one[0].endswith(" ")]
    elif is_constant_text(text):
        found = []
    return {**gesture, field: found[0][0] if found else text}


def _asked(gesture: Gesture) -> tuple[str, dict[str, Any]]:
    """Give the field of a gesture that is completed, and what the editor would ask for it."""
    ends = gesture.get("edge")
    match gesture.get("kind"), ends:
        case "relabel", [source, role, target]:
            return "role", {"kind": "role", "at": source, "to": target, "was": role}
        case "link", _:
            ends = {"at": gesture.get("source"), "to": gesture.get("target")}
            return "role", {"kind": "role", **ends}
        case "add", _:
            tokens = gesture.get("tokens")
            return "line", {"kind": "line", "at": gesture.get("parent"), "tokens": tokens}
    return "text", {"kind": "concept", "at": gesture.get("id")}


def instead_of(setting: Setting, shown: Collection[Part]) -> dict[Part, tuple[str, ...]]:
    """Give what most likely should stand in the place of each node and edge that is shown."""
    graph, said = setting.graph, said_scores(setting)
    found: dict[Part, tuple[str, ...]] = {}
    for node in graph.nodes:
        if node.id in shown:
            names = likely_concepts(setting, node=node.id, limit=MAX_INSTEAD, said=said)
            found[node.id] = tuple(one.text for one in names)
    for source, role, target in drawn_parts(graph, parts_of(graph))[1]:
        if (source, role, target) in shown:
            roles = likely_roles(setting, source, target, role=role, limit=MAX_INSTEAD)
            found[source, role, target] = tuple(one.text for one in roles)
    return found


def _tokens(value: object) -> tuple[int, ...]:
    """Read the positions of words; what is none is left out."""
    numbers = value if isinstance(value, list) else []
    return tuple(int(one) for one in numbers if isinstance(one, int | float) and one >= 0)


def _note(completion: Completion) -> str:
    times = "once" if completion.count == 1 else f"{completion.count:,} times"
    count = times if completion.count else ""
    return ", ".join(part for part in (completion.gloss, count) if part)
