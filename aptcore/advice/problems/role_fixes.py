"""Other roles for a branch whose role cannot stay: near ones, a list's next, free arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from aptcore.advice.problems.problem import Fix
from aptcore.editing.applying import fresh_variable
from aptcore.editing.edits import AddEdge, AddNode, ChangeAttribute, ChangeEdge, Edit, Several
from aptcore.graph.amr import AmrGraph
from aptcore.graph.layout import is_argument, is_role_known, role_order
from aptcore.graph.roles import LISTS, own_roles
from aptcore.graph.validation import Branch
from aptcore.words.frames import Lexicon

MAX_FIXES = 3


def relabel(graph: AmrGraph, ends: Branch, role: str) -> Edit:
    """Give an edge, or a constant known by its id, another role."""
    source, old, target = ends
    value = next((item.value for item in graph.attributes if item.id == target), None)
    if value is not None:
        return ChangeAttribute(target, source, role, value)
    return ChangeEdge(source, old, target, source, role, target)


def role_fixes(graph: AmrGraph, lexicon: Lexicon, ends: Branch) -> tuple[Fix, ...]:
    """Offer roles that a branch could have instead of its own.

    Those spelt almost alike; where there is none, the next member of a list, else free
    arguments of the frame and then what training graphs have most often at this concept.

    Args:
        graph: The graph.
        lexicon: Frames and counts.
        ends: Source, role and target of the branch; a constant by its id.
    """
    source, role, _ = ends
    found = near_roles(role, known_roles(lexicon)) or _likely_roles(graph, lexicon, source)
    return tuple(Fix(f"call it {name}", relabel(graph, ends, name)) for name in found[:MAX_FIXES])


def as_degree(graph: AmrGraph, ends: Branch) -> tuple[Fix, ...]:
    """Offer ``have-degree-91`` for ``:compared-to``; degree and bearer of the node go along.

    ``(t / tall :domain (g / girl) :degree (m / more) :compared-to (b / boy))`` gives a
    node with ``:ARG1 g :ARG2 t :ARG3 m :ARG4 b``.
    """
    source, role, target = ends
    new, taken = fresh_variable(graph, "have-degree-91"), set[str]()
    edits: list[Edit] = [AddNode(new, "have-degree-91"), AddEdge(new, ":ARG2", source)]
    for edge in graph.edges:
        argument = {role: ":ARG4", ":degree": ":ARG3", ":domain": ":ARG1"}.get(edge.role, "")
        is_other = edge.role == role and edge.target != target
        if edge.source == source and argument and argument not in taken and not is_other:
            edits.append(ChangeEdge(*edge.triple, new, argument, edge.target))
            taken.add(argument)
    for item in graph.attributes:
        if item.source == source and item.id == target:
            edits.append(ChangeAttribute(item.id, new, ":ARG4", item.value))
    return (Fix("compare by have-degree-91", Several(tuple(edits))),)


def known_roles(lexicon: Lexicon) -> tuple[str, ...]:
    """Give the roles of training graphs that AMR has, and the project's own."""
    return (*filter(is_role_known, lexicon.counts.all_roles), *sorted(own_roles()))


def near_roles(role: str, roles: Iterable[str]) -> tuple[str, ...]:
    """Give the roles that are spelled almost alike, the likeliest first."""
    folded = {known.lower(): known for known in roles}
    wished = role.lower() if role.startswith(":") else f":{role.lower()}"
    if wished in folded:
        return (folded[wished],)
    return tuple(folded[name] for name in get_close_matches(wished, folded, 2, 0.7))


def _likely_roles(graph: AmrGraph, lexicon: Lexicon, source: str) -> tuple[str, ...]:
    concept = next((node.concept for node in graph.nodes if node.id == source), "")
    if concept in LISTS:
        return (next_member(graph, source, LISTS[concept]),)
    taken = {role for role, _ in _branches(graph, source)}
    frame, counts = lexicon.frames.get(concept), lexicon.counts
    own = counts.roles.get(concept, {})
    arguments = frame.roles if frame else sorted(filter(is_argument, own), key=role_order)
    often = sorted(own, key=lambda role: (-own[role], role))
    offered = (*arguments, *(role for role in often if not is_argument(role)), ":mod")
    return tuple(dict.fromkeys(r for r in offered if r not in taken and is_role_known(r)))


def next_member(graph: AmrGraph, source: str, stem: str) -> str:
    """Give the first free role of a list: ``:op3`` after ``:op1`` and ``:op2``."""
    taken = {role for role, _ in _branches(graph, source)}
    number = 1
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"


def renumber(graph: AmrGraph, source: str, stem: str) -> Fix:
    """Offer to count the members of a list from 1, in the order that they have."""
    members = [(role_order(role), role, target) for role, target in _branches(graph, source)]
    members = [one for one in members if one[0][0] == stem and one[0][1] > 0]
    members.sort(key=lambda one: one[0])  # those of one number stay in the order of the text
    moved = [
        (role, target, f"{stem}{number}")
        for number, (_, role, target) in enumerate(members, 1)
        if role != f"{stem}{number}"
    ]
    down = [one for one in moved if role_order(one[2]) < role_order(one[0])]
    up = [one for one in moved if one not in down][::-1]  # the highest first: no role is met twice
    edits = tuple(relabel(graph, (source, role, target), new) for role, target, new in down + up)
    return Fix(f"number them {stem}1 to {stem}{len(members)}", Several(edits))


def _branches(graph: AmrGraph, source: str) -> Sequence[tuple[str, str]]:
    """Give role and target of each branch of a node; a constant by its id."""
    edges = [(edge.role, edge.target) for edge in graph.edges if edge.source == source]
    return edges + [(item.role, item.id) for item in graph.attributes if item.source == source]
