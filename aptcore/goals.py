"""Whether a walk can still end in a gold graph, and which item is which gold item.

A walk is on the way to a gold graph if what it has made is a part of that graph, each
item made at the token run that the oracle gives it, and nothing is lost for good:

- every item and edge so far is a gold one, under some assignment of items to gold items
  (two gold items with one label at one run: both assignments are tried);
- an edge is missing only where it can still come, at the item made last;
- the cursor has left no run of tokens before all of its items were made.

Such a walk can always be finished: see aptcore.answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from aptcore.amr import AmrGraph, Sentence
from aptcore.oracle_sites import Site
from aptcore.oracle_templates import GraphIndex
from aptcore.state import ActionSet, Item, ItemKey, ParserState

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


class _Search:
    """Backtracking over the items of a state, in the order of their making."""

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
        self.used: set[str] = set()

    def run(self, place: int = 0) -> Assignment | None:
        if place == len(self.state.items):
            return dict(self.found)
        item = self.state.items[place]
        for name in self._choices(item):
            self.found[item.key] = name
            self.used.add(name)
            if self._agrees(item, name):
                whole = self.run(place + 1)
                if whole is not None:
                    return whole
            del self.found[item.key]
            self.used.discard(name)
        return None

    def _choices(self, item: Item) -> Iterator[str]:
        """Give the gold items that this one could be, by label, run of tokens and place."""
        site = site_at(self.goal, item.start)
        if site is None or (site.start, site.stop) != (item.start, item.stop):
            return
        for name in site.items:
            if name in self.used or self.goal.labels[name] != (item.is_constant, item.label):
                continue
            is_root = name == self.goal.graph.root
            if is_root and item.index > 0:
                continue
            if self.state.root is not None and is_root != (item.key == (self.state.root, 0)):
                continue
            yield name

    def _agrees(self, item: Item, name: str) -> bool:
        """Compare the edges to the items that are assigned already, and to itself."""
        links = self.goal.links
        made = self.made.get(item.key, [])
        if item.index > 0 and len(made) != len(self.goal.links_of[name]):
            return False  # no later edge reaches the inside of a template
        roles: dict[tuple[ItemKey, ItemKey], set[str]] = {}
        for source, role, target in made:
            if source in self.found and target in self.found:
                roles.setdefault((source, target), set()).add(role)
        for (source, target), found in roles.items():
            if not found <= links.get((self.found[source], self.found[target]), frozenset()):
                return False
        wanted = self._num_wanted(name)
        num = sum(len(found) for found in roles.values())
        return num <= wanted if self._is_pending(item) else num == wanted

    def _num_wanted(self, name: str) -> int:
        return sum(
            (source == name or source in self.used) and (target == name or target in self.used)
            for source, _, target in self.goal.links_of[name]
        )

    def _is_pending(self, item: Item) -> bool:
        """Tell whether edges of this item to the earlier ones can still come."""
        return self.open == item.key


def could_be(goal: Goal, item: Item, name: str) -> bool:
    """Tell whether an item has the label and the run of tokens of a gold item."""
    site = goal.site_of[name]
    is_here = (site.start, site.stop) == (item.start, item.stop)
    return is_here and goal.labels[name] == (item.is_constant, item.label)
