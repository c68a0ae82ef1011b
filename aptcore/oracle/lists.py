"""Lists (``:op1``, ``:op2`` ...): their members in order, and what the machine numbers.

The own action set has ``:op*``, the next free number of a list. The oracle makes the
members by their number, so that most need no other role.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count

from aptcore.transition.actions import ActionSet
from aptcore.transition.arcs import LIST_ROLE, EdgeAction, list_number

RankedEdge = tuple[tuple[int, tuple[str, int], bool], EdgeAction]
"""An edge with what it is sorted by: nearness, the order of its role, whether it is LA."""


def in_order(found: Iterable[RankedEdge], action_set: ActionSet) -> list[EdgeAction]:
    """Sort the edges of a new item; where lists are numbered, its members by their number.

    The members take the places that they have among the other edges.
    """
    edges = [edge for _, edge in sorted(found, key=lambda pair: pair[0])]
    if not action_set.numbers_lists:
        return edges
    members = [edge for edge in edges if edge.is_left and list_number(edge.role)]
    numbered = iter(sorted(members, key=lambda edge: list_number(edge.role) or 0))
    return [next(numbered) if edge in members else edge for edge in edges]


class Lists:
    """The members that the items made so far have, by the positions of their actions."""

    def __init__(self) -> None:
        self._numbers: dict[int, set[int]] = {}
        self._ends: set[tuple[int, int]] = set()

    def begin(self, source: int, roles: Iterable[str]) -> None:
        """Note an item whose template holds members already."""
        self._numbers[source] = {number for role in roles if (number := list_number(role))}

    def named(self, edge: EdgeAction, source: int, target: int) -> EdgeAction:
        """Note an edge; gives it without its number where that is the next free one.

        One thing twice in a list is numbered the second time: ``:op*`` joins no pair twice.
        """
        number = list_number(edge.role)
        if number is None:
            return edge
        numbers = self._numbers.setdefault(source, set())
        is_next = number == next(n for n in count(1) if n not in numbers)
        is_again = (source, target) in self._ends
        numbers.add(number)
        self._ends.add((source, target))
        return replace(edge, role=LIST_ROLE) if is_next and not is_again else edge
