"""Which parts of a large graph are drawn: those near one place, and more where they are asked for.

A small graph is drawn whole. What is folded is neither laid out nor sent, so that opening and
editing cost what is shown, however large the graph is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

from aptcore.graph.amr import AmrGraph, Mention
from aptcore.graph.penman import branch_keys, item_order, layout_of

MOST_WHOLE = 400
"""Nodes and constants above which a graph is large: it opens folded."""
MOST_OPENED = 120
"""Parts that are shown at first, and added at once."""


def parts_of(graph: AmrGraph) -> tuple[str, ...]:
    """Give the ids of all nodes, then of all constants."""
    return (*(node.id for node in graph.nodes), *(item.id for item in graph.attributes))


def is_large(graph: AmrGraph) -> bool:
    """Tell whether a graph opens folded."""
    return len(graph.nodes) + len(graph.attributes) > MOST_WHOLE


def first_shown(graph: AmrGraph) -> frozenset[str]:
    """Give what is shown of a graph that is opened."""
    return shown_around(graph, (graph.root,)) if is_large(graph) else frozenset(parts_of(graph))


def shown_around(
    graph: AmrGraph, places: Sequence[str], shown: Collection[str] = ()
) -> frozenset[str]:
    """Show the parts that are nearest to some places, over edges in either direction.

    Args:
        graph: The graph.
        places: Ids of nodes or constants.
        shown: What is shown already and stays so.

    Returns:
        These, and ``MOST_OPENED`` parts more as far as there are as many. Parts that nothing
        links to the places come last.
    """
    neighbours = _neighbours(graph)
    found = set(shown)
    most = len(found) + MOST_OPENED
    reached = dict.fromkeys(place for place in places if place in neighbours)
    waiting = deque(reached)
    while waiting and len(found) < most:
        here = waiting.popleft()
        found.add(here)
        for other in neighbours[here]:
            if other not in reached:
                reached[other] = None
                waiting.append(other)
    for other in neighbours:
        if len(found) >= most:
            break
        found.add(other)
    return frozenset(found)


def _neighbours(graph: AmrGraph) -> dict[str, list[str]]:
    neighbours: dict[str, list[str]] = {name: [] for name in parts_of(graph)}
    ends = [(edge.source, edge.target) for edge in graph.edges]
    ends += [(item.source, item.id) for item in graph.attributes]
    for source, target in ends:
        neighbours[source].append(target)
        neighbours[target].append(source)
    return neighbours


def shown_after(graph: AmrGraph, shown: Collection[str], known: Collection[str]) -> frozenset[str]:
    """Give what is shown of an edited graph: what was, as far as it is there, and what is new.

    Args:
        graph: As it is now.
        shown: What was shown before.
        known: All parts of the graph that was there before.
    """
    parts = parts_of(graph)
    if len(shown) == len(known):
        return frozenset(parts)
    new = [name for name in parts if name not in known]
    left = frozenset(parts) & frozenset(shown) | frozenset(new[:MOST_OPENED])
    return left or first_shown(graph)


def branch_below(graph: AmrGraph, name: str) -> frozenset[str]:
    """Give the nodes and constants that are written below a node."""
    found: set[str] = set()
    depth = -1
    layout = layout_of(graph)
    for branch, (key, _) in zip(layout, branch_keys(graph, layout), strict=True):
        if 0 <= depth < branch.depth and not isinstance(key, Mention):
            found.add(str(key))
        elif branch.depth <= depth:
            break
        elif key == name:
            depth = branch.depth
    return frozenset(found)


def next_part(graph: AmrGraph, wanted: Collection[str], here: str) -> str:
    """Give the next of some parts as the graph is written; after the last comes the first.

    Args:
        graph: The graph.
        wanted: Ids.
        here: Where the search begins; any other id begins at the root.

    Returns:
        An id; empty where none is wanted.
    """
    order = item_order(graph)
    start = order.index(here) + 1 if here in order else 0
    return next((name for name in (*order[start:], *order[:start]) if name in wanted), "")


def named(graph: AmrGraph) -> dict[str, str]:
    """Give each node and constant by id with what it is called, in the order of the text."""
    names = {node.id: f"{node.id} / {node.concept}" for node in graph.nodes}
    names |= {item.id: item.value for item in graph.attributes}
    return {name: names[name] for name in item_order(graph)}


def matching(names: Mapping[str, str], typed: str) -> list[str]:
    """Find parts by what is typed: those of that very name or variable, else those that hold it.

    Args:
        names: What each is called, by id.
        typed: Any text; capitals do not count.
    """
    wanted = typed.strip().casefold()
    if not wanted:
        return []
    called = {name: text.casefold() for name, text in names.items()}
    exact = [name for name, text in called.items() if wanted in _spellings(text)]
    return exact or [name for name, text in called.items() if wanted in text]


def _spellings(text: str) -> Iterable[str]:
    variable, _, concept = text.partition(" / ")
    return (text, variable, concept)


def aligned_to(graph: AmrGraph, token: int) -> frozenset[str]:
    """Give the nodes and constants that stand for a word, by its position."""
    return frozenset(
        name
        for name in parts_of(graph)
        if name in graph.alignments and token in graph.alignments[name].tokens
    )
