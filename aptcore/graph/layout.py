"""Where each triple of a graph stands in its text.

A graph says nothing about the order of its branches or about the place where a
variable gets its concept. When the text that it was read from is known, that
order is kept, also after an edit: what is left stays where it was, what is new
comes last at its node. Otherwise edges are written at their source, depth first
from the root, and turned round only where a node cannot be reached otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from penman.models.amr import model as amr_model

from aptcore.graph.branches import Branch, Layout
from aptcore.graph.roles import is_own_role

Triple = tuple[str, str, str]
"""Source, role, target; roles with their colon.

A concept is the target of ``:instance``; the root is the source of ``:top``, whose target
is empty.
"""

INSTANCE = ":instance"
TOP = ":top"


@lru_cache(maxsize=4096)
def is_role_inverted(role: str) -> bool:
    """Tell whether a role is turned round: ``:part-of`` is, ``:consist-of`` is not.

    Source: penman 1.3.1, AMR model.
    """
    return bool(amr_model.is_role_inverted(role))


@lru_cache(maxsize=4096)
def invert_role(role: str) -> str:
    """Turn a role round: ``:ARG0`` gives ``:ARG0-of`` and the other way."""
    return str(amr_model.invert_role(role))


@lru_cache(maxsize=4096)
def role_order(role: str) -> tuple[str, int]:
    """Give a key that sorts roles as AMR lists them: :ARG0, :ARG1 ..., :op1, :op2 ...

    >>> sorted([":op10", ":op2", ":mod", ":ARG1"], key=role_order)
    [':ARG1', ':mod', ':op2', ':op10']
    """
    match = re.fullmatch(r"(.*?)(\d*)", role, re.DOTALL)
    stem, number = (match[1], match[2]) if match else (role, "")
    return stem, int(number) if number else -1


@lru_cache(maxsize=4096)
def is_argument(role: str) -> bool:
    """Tell whether a role is an argument of a frame, ``:ARG0`` to ``:ARG9``."""
    return len(role) == 5 and role.startswith(":ARG") and role[4].isdecimal()


FORMER_ROLES = frozenset({":compared-to"})
"""Roles that AMR once had: graphs of today's free data still hold them, and so do parses.

Source: AMR guidelines, where ``have-degree-91`` with ``:ARG4`` took the place of
``:compared-to``; it stands 251 times in Bio AMR and 33 times in The Little Prince 1.6.
"""


def is_role_known(role: str) -> bool:
    """Tell whether a role is AMR's, as penman's model has it, or the project's own."""
    return _is_amr_role(role) or is_own_role(role)


@lru_cache(maxsize=4096)
def _is_amr_role(role: str) -> bool:
    return bool(amr_model.has_role(role))


def normal_direction(source: str, role: str, target: str) -> Triple:
    """Turn an edge until its role is not inverted."""
    while is_role_inverted(role):
        source, role, target = target, invert_role(role), source
    return source, role, target


def branch_triples(layout: Layout) -> list[Triple]:
    """Give the triple of each branch, edges in normal direction.

    The root's is ("", "", root). A target that no branch introduces is a constant;
    its role is kept as written, since a constant cannot be a source.
    """
    variables = {branch.target for branch in layout if branch.concept is not None}
    path: list[str] = []
    found: list[Triple] = []
    for branch in layout:
        del path[branch.depth :]
        source = path[-1] if path else ""
        if branch.target in variables and branch.depth:
            found.append(normal_direction(source, branch.role, branch.target))
        else:
            found.append((source, branch.role, branch.target))
        if branch.concept is not None:
            path.append(branch.target)
    return found


@dataclass(slots=True, eq=False)
class _Item:
    """A branch that has a node but no depth yet."""

    branch: Branch
    triple: Triple


def lay_out(
    root: str,
    concepts: Mapping[str, str],
    attributes: Sequence[Triple],
    edges: Sequence[Triple],
    previous: Layout = (),
) -> Layout:
    """Give the branches of a connected graph in the order in which to write them.

    Args:
        root: The variable to begin with.
        concepts: Concept of each variable.
        attributes: Source, role and constant.
        edges: In normal direction.
        previous: How the graph was written before; may differ from it.

    Returns:
        The branches; nodes that nothing links to ``root`` are missing.
    """
    items = _items_by_node(concepts, attributes, edges, previous)
    sites = _sites(root, concepts, edges, items)
    layout = []
    stack = [(0, Branch(0, "", root))]
    while stack:
        depth, branch = stack.pop()
        variable = branch.target
        is_site = depth == 0 or sites.get(variable) is branch
        layout.append(
            Branch(
                depth,
                branch.role,
                variable,
                concepts[variable] if is_site else None,
                branch.role_mark,
                branch.target_mark,
                branch.line,
            )
        )
        if is_site:
            stack += [(depth + 1, item.branch) for item in reversed(items[variable])]
    return tuple(layout)


def _items_by_node(
    concepts: Mapping[str, str],
    attributes: Sequence[Triple],
    edges: Sequence[Triple],
    previous: Layout,
) -> dict[str, list[_Item]]:
    """Put each triple at the node below which it is to be written."""
    items: dict[str, list[_Item]] = {variable: [] for variable in concepts}
    missing = dict.fromkeys((*attributes, *edges))
    path: list[str] = []
    for branch, triple in zip(previous, branch_triples(previous), strict=True):
        del path[branch.depth :]
        if triple in missing:
            del missing[triple]
            items[path[-1]].append(_Item(branch, triple))
        if branch.concept is not None:
            path.append(branch.target)
    for triple in missing:
        source, role, target = triple
        items[source].append(_Item(Branch(0, role, target), triple))
    return items


def _sites(
    root: str,
    concepts: Mapping[str, str],
    edges: Sequence[Triple],
    items: dict[str, list[_Item]],
) -> dict[str, Branch]:
    """Choose the branch at which each node gets its concept; turn edges where needed."""
    wanted = {
        item.branch.target: item.branch
        for below in items.values()
        for item in below
        if item.branch.concept is not None and item.branch.target in concepts
    }
    wanted.pop(root, None)
    edge_set = set(edges)
    sites: dict[str, Branch] = {}
    reached = {root}

    def reach(start: str) -> None:
        stack = [iter(items[start])]
        while stack:
            for item in stack[-1]:
                branch = item.branch
                variable = branch.target
                if item.triple not in edge_set or variable in reached:
                    continue
                if wanted.setdefault(variable, branch) is branch:
                    sites[variable] = branch
                    reached.add(variable)
                    stack.append(iter(items[variable]))
                    break
            else:
                stack.pop()

    reach(root)
    while len(reached) < len(concepts):
        link = _link(reached, edges, items)
        if link is None:
            break
        wanted[link.target] = sites[link.target] = link
        reached.add(link.target)
        reach(link.target)
    return sites


def _link(
    reached: set[str], edges: Sequence[Triple], items: dict[str, list[_Item]]
) -> Branch | None:
    """Find the first edge from what is reached to what is not, turned to lead there."""
    for triple in edges:
        ends = (triple[0], triple[2])
        if (ends[0] in reached) == (ends[1] in reached):
            continue
        inner, outer = ends if ends[0] in reached else ends[::-1]
        for item in items[inner]:
            if item.triple == triple:
                return item.branch
        item = next(item for item in items[outer] if item.triple == triple)
        items[outer].remove(item)
        item.branch = Branch(
            0,
            invert_role(item.branch.role),
            outer,
            None,
            item.branch.role_mark,
            item.branch.target_mark,
            item.branch.line,
        )
        items[inner].append(item)
        return item.branch
    return None
