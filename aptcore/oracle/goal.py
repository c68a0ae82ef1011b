"""Whether a walk can still end in a gold graph, and which item is which gold item.

A walk is on the way to a gold graph if what it has made is a part of that graph, each
item made at the token run that the oracle gives it, and nothing is lost for good:

- every item and edge so far is a gold one, under some assignment of items to gold items
  (two gold items with one label at one run: both assignments are tried);
- an edge is missing only where it can still come, at the item made last;
- the cursor has left no run of tokens before all of its items were made.

Such a walk can always be finished: see aptcore.oracle.right_actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.oracle.chunks import GraphIndex
from aptcore.oracle.sites import Site
from aptcore.transition.actions import ActionSet
from aptcore.transition.state import Item, ItemKey, ParserState

Assignment = Mapping[ItemKey, str]
"""The gold id of every item of a state."""


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """A gold graph made ready for asking which actions lead to it.

    Attributes:
        sentence: Its sentence.
        graph: The gold graph.
        action_set: The actions that may be taken.
        labels: For every gold id, whether it is a constant and its text.
        links: All edges by (source id, target id): their roles; constants by id.
        links_of: For every gold id, its links as (source id, role, target id).
        sites: The runs of tokens at which something is made, from left to right.
        site_of: For every gold id, its run.
        index: The graph by id.
    """

    sentence: Sentence
    graph: AmrGraph
    action_set: ActionSet
    labels: Mapping[str, tuple[bool, str]]
    links: Mapping[tuple[str, str], frozenset[str]]
    links_of: Mapping[str, tuple[tuple[str, str, str], ...]]
    sites: tuple[Site, ...]
    site_of: Mapping[str, Site]
    index: GraphIndex


def is_on_way(goal: Goal, state: ParserState) -> bool:
    """Tell whether a walk can still end in the gold graph, every item at its own words."""
    return _is_well_placed(goal, state) and assignment(goal, state) is not None


def site_at(goal: Goal, token: int) -> Site | None:
    """Give the run of tokens that holds a token; None where nothing is made there."""
    return next((site for site in goal.sites if site.start <= token < site.stop), None)


def _is_well_placed(goal: Goal, state: ParserState) -> bool:
    """Check the cursor, and that nothing was left behind."""
    made: dict[tuple[int, int], int] = {}
    for item in state.items:
        made[item.start, item.stop] = made.get((item.start, item.stop), 0) + 1
    for passed in goal.sites:
        is_past = passed.stop <= state.span_start
        if is_past and made.get((passed.start, passed.stop), 0) != len(passed.items):
            return False
    if state.is_closed:
        return state.root is not None
    if state.is_at_root:
        return True
    site = site_at(goal, state.cursor)
    if site is None:
        return state.span_start == state.cursor and not state.num_items_here
    is_whole = state.cursor == site.stop - 1  # all its words are joined
    return state.span_start == site.start and (is_whole or not state.num_items_here)


def assignment(goal: Goal, state: ParserState) -> Assignment | None:
    """Find a gold item for every item of a state, so that all edges agree.

    Args:
        goal: The gold graph.
        state: Any state; where its cursor stands is not looked at.

    Returns:
        The first that fits, trying gold items in the order of the graph's text; None
        where the state holds what the gold graph does not, or lacks an edge for good.
    """
    return _Search(goal, state).run()


_Choice = tuple[Item, list[str]]
"""An item, and the gold items that it could be."""


class _Search:
    """Backtracking over the items of a state.

    Items that can be one gold item only come first. The others are parted into groups that
    have nothing to do with each other; within a group the one with fewest choices left
    comes next. So items alike at many words are not tried in every order.
    """

    def __init__(self, goal: Goal, state: ParserState) -> None:
        self.goal = goal
        self.state = state
        self.made: dict[ItemKey, list[tuple[ItemKey, str, ItemKey]]] = {}
        for edge in state.edges:
            for key in {edge.source, edge.target}:
                self.made.setdefault(key, []).append((edge.source, edge.role, edge.target))
        is_open = state.num_items_here > 0 and not state.is_closed
        self.open = (state.last_item, 0) if is_open else None
        self.found: dict[ItemKey, str] = {}
        self.used: dict[str, ItemKey] = {}

    def run(self) -> Assignment | None:
        """Assign all items; None where no assignment fits."""
        alike: list[_Choice] = []
        for item in self.state.items:
            choices = self._choices(item)
            if len(choices) != 1:
                alike.append((item, choices))
            elif not self._take(item, choices[0]):
                return None
        is_whole = all(self._run(group) for group in self._groups(alike))
        return dict(self.found) if is_whole else None

    def _groups(self, alike: list[_Choice]) -> list[list[_Choice]]:
        """Part the items into groups that have no gold edge and no gold item in common."""
        groups: list[tuple[set[str], list[_Choice]]] = []
        for item, names in alike:
            near = {end for name in names for link in self.goal.links_of[name] for end in link[::2]}
            near.update(names)
            members: list[_Choice] = [(item, names)]
            apart = []
            for reach, others in groups:
                if any(name in near for _, known in others for name in known):
                    near |= reach
                    members = others + members
                else:
                    apart.append((reach, others))
            groups = [*apart, (near, members)]
        return [members for _, members in groups]

    def _run(self, alike: list[_Choice]) -> bool:
        if not alike:
            return True
        left = [(item, [n for n in names if self._fits(item, n)]) for item, names in alike]
        item, names = min(left, key=lambda each: len(each[1]))
        rest = [each for each in left if each[0] is not item]
        for name in names:
            self._take(item, name)
            if self._run(rest):
                return True
            self._drop(item)
        return False

    def _fits(self, item: Item, name: str) -> bool:
        is_fit = self._take(item, name)
        if is_fit:
            self._drop(item)
        return is_fit

    def _take(self, item: Item, name: str) -> bool:
        """Assign an item if that agrees with what is assigned already; tell whether it does."""
        if name in self.used:
            return False
        self.found[item.key] = name
        self.used[name] = item.key
        if self._agrees(item, name):
            return True
        self._drop(item)
        return False

    def _drop(self, item: Item) -> None:
        del self.used[self.found.pop(item.key)]

    def _choices(self, item: Item) -> list[str]:
        """Give the gold items that this one could be, by label, run of tokens and place."""
        site = site_at(self.goal, item.start)
        if site is None or (site.start, site.stop) != (item.start, item.stop):
            return []
        return [
            name
            for name in site.items
            if self.goal.labels[name] == (item.is_constant, item.label)
            and self._can_be_root(item, is_root=name == self.goal.graph.root)
        ]

    def _can_be_root(self, item: Item, *, is_root: bool) -> bool:
        """Check an item against the root: it is never inside a template."""
        if is_root and item.index > 0:
            return False
        return self.state.root is None or is_root == (item.key == (self.state.root, 0))

    def _agrees(self, item: Item, name: str) -> bool:
        """Compare the edges to the items that are assigned already, and to itself.

        An edge of the open item may still be missing; all others must be there.
        """
        made = self.made.get(item.key, [])
        if item.index > 0 and len(made) != len(self.goal.links_of[name]):
            return False  # no later edge reaches the inside of a template
        num = 0
        for source, role, target in made:
            if source not in self.found or target not in self.found:
                continue
            if role not in self.goal.links.get((self.found[source], self.found[target]), ()):
                return False
            num += self.open not in (source, target)
        wanted = 0
        for source_name, _, target_name in self.goal.links_of[name]:
            ends = self.used.get(source_name), self.used.get(target_name)
            wanted += None not in ends and self.open not in ends
        return num == wanted


def could_be(goal: Goal, item: Item, name: str) -> bool:
    """Tell whether an item has the label and the run of tokens of a gold item."""
    site = goal.site_of[name]
    is_here = (site.start, site.stop) == (item.start, item.stop)
    return is_here and goal.labels[name] == (item.is_constant, item.label)
