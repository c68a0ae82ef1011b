"""In plain words: why an action is right, and why another does not lead to the goal."""

from __future__ import annotations

import re

from app.canvas.trace.readable import readable
from aptcore.oracle.goal import Goal, assignment, is_on_way, site_at
from aptcore.oracle.sites import Site
from aptcore.transition.actions import Action
from aptcore.transition.arcs import EdgeAction
from aptcore.transition.closing import Root
from aptcore.transition.items import ItemAction, Subgraph
from aptcore.transition.machine import replay, start
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.state import Item, ParserState, root_item_at, words_at_cursor

_ADVICE = re.compile(r": (?:use|make|mark|only|join|link)\b[^“”]*$")
"""What the machine advises with a reason. It knows no goal, and may lead away from one."""


def without_advice(reason: str) -> str:
    """Give why an action is not possible, without what the machine would do instead.

    >>> without_advice("nothing was made at this token: use REDUCE")
    'nothing was made at this token'
    """
    return _ADVICE.sub("", reason)


def why_right(goal: Goal, state: ParserState, action: Action) -> str:
    """Say why a right action leads to the goal."""
    match action:
        case Root():
            return f"the graph is mainly about {label_at(state, action.position)}"
        case EdgeAction():
            source, target = ends_of(state, action)
            return f"the goal has the edge {source} {action.made_role(state)} {target}"
        case Shift():
            return f"all that “{words_at_cursor(state)}” stands for is made"
        case Reduce():
            return f"“{words_at_cursor(state)}” stands for nothing in the goal"
        case Merge():
            site = site_at(goal, state.cursor)
            return f"“{_words_of(goal, site)}” act as one" if site else "these tokens act as one"
        case _:
            made = action.applied(state).items[len(state.items) :]
            labels = ", ".join(item.label for item in made)
            return f"the goal has {labels} at “{words_at_cursor(state)}”"


def astray_at(goal: Goal, state: ParserState) -> int:
    """Give the position of the action that left the way to the goal; the state is off it."""
    walked = start(state.sentence, state.action_set)
    for number, action in enumerate(state.actions):
        walked = action.applied(walked)
        if not is_on_way(goal, walked):
            return number
    raise ValueError("no action has left the way to the goal")


def _what_left(state: ParserState, number: int) -> str:
    """Say which action has left the way to the goal."""
    before = replay(state.sentence, state.actions[:number], state.action_set)
    shown = readable(state.actions[number], before)
    return f"action {number}, {shown}, has left the way to the goal"


def why_wrong(goal: Goal, state: ParserState, action: Action) -> str:
    """Say why a legal action does not lead to the goal.

    Args:
        goal: The gold graph.
        state: The state before the action.
        action: Legal there, and not right.
    """
    if not is_on_way(goal, state):
        return f"{_what_left(state, astray_at(goal, state))}: undo back to before it"
    match action:
        case Root():
            root = goal.labels[goal.graph.root][1]
            return f"the goal is mainly about {root}, not {label_at(state, action.position)}"
        case EdgeAction():
            return _why_no_edge(goal, state, action)
        case Shift():
            return _what_is_missing(goal, state) or "something is still missing here"
        case Merge():
            return _why_no_merge(goal, state)
        case Reduce():
            words = words_at_cursor(state)
            return f"“{words}” stands for {_labels_here(goal, state)} in the goal"
        case ItemAction():
            return _why_no_item(goal, state, action)
        case _:
            return "the goal never needs it: all of its pieces hang together by then"


def what_is_needed(goal: Goal, state: ParserState) -> str:
    """Say what leads on to the goal, for who tried what is not possible here."""
    if not is_on_way(goal, state):
        number = astray_at(goal, state)
        num_back = len(state.actions) - number
        times = "time" if num_back == 1 else "times"
        return f"{_what_left(state, number)}: press Undo {num_back} {times}"
    if state.is_at_root:
        return f"choose the root: the goal is mainly about {goal.labels[goal.graph.root][1]}"
    return (
        _why_nothing_is_made(goal, state)
        or _what_is_missing(goal, state)
        or f"all that “{words_at_cursor(state)}” stands for is made: go on with SHIFT"
    )


def _why_nothing_is_made(goal: Goal, state: ParserState) -> str | None:
    """Say why the goal has nothing at these tokens, or not yet; None where it has."""
    site = site_at(goal, state.cursor)
    if site is None:
        return f"“{words_at_cursor(state)}” stands for nothing in the goal: skip it with REDUCE"
    if state.cursor != site.stop - 1:
        return f"“{_words_of(goal, site)}” act as one: join them first with MERGE"
    return None


def _words_of(goal: Goal, site: Site | None) -> str:
    return "" if site is None else " ".join(goal.sentence.tokens[site.start : site.stop])


def label_at(state: ParserState, position: int) -> str:
    """Give the label of what an action made."""
    item = root_item_at(state, position)
    return f"action {position}" if item is None else item.label


def ends_of(state: ParserState, action: EdgeAction) -> tuple[str, str]:
    """Give the labels of source and target of an edge that an action would make."""
    last, other = state.roots[-1].label, label_at(state, action.position)
    return (last, other) if action.is_left else (other, last)


def _labels_here(goal: Goal, state: ParserState) -> str:
    site = site_at(goal, state.cursor)
    return ", ".join(goal.labels[name][1] for name in site.items) if site else "nothing"


def _missing_edges(goal: Goal, state: ParserState) -> list[str]:
    """List the edges that the last item still needs to those made before it."""
    names = assignment(goal, state)
    if names is None or not state.num_items_here:
        return []
    keys = {name: key for key, name in names.items()}
    made = {(names[e.source], e.role, names[e.target]) for e in state.edges}
    last = names[state.last_item, 0]
    return [
        f"{goal.labels[source][1]} {role} {goal.labels[target][1]}"
        for source, role, target in goal.links_of[last]
        if source in keys and target in keys and (source, role, target) not in made
    ]


def _unmade_here(goal: Goal, state: ParserState) -> list[str]:
    names = assignment(goal, state) or {}
    site = site_at(goal, state.cursor)
    used = set(names.values())
    return [goal.labels[name][1] for name in site.items if name not in used] if site else []


def _what_is_missing(goal: Goal, state: ParserState) -> str | None:
    """Say what must come before the cursor moves on or the next item is made."""
    edges = _edges_first(goal, state)
    if edges is not None:
        return edges
    unmade = _unmade_here(goal, state)
    if unmade:
        stands_for = "it" if len(unmade) == 1 else "them"
        made = ", ".join(unmade)
        return f"make {made} first: “{words_at_cursor(state)}” stands for {stands_for}"
    return None


def _edges_first(goal: Goal, state: ParserState) -> str | None:
    """Say which edges the last item needs before another is made; None where it needs none."""
    edges = _missing_edges(goal, state)
    if not edges:
        return None
    return f"first draw {'the edge' if len(edges) == 1 else 'the edges'} {', '.join(edges)}"


def _why_no_merge(goal: Goal, state: ParserState) -> str:
    site = site_at(goal, state.cursor)
    words = words_at_cursor(state)
    if site is None:
        return f"“{words}” stands for nothing in the goal: skip it with REDUCE"
    return f"“{words}” stands for {_labels_here(goal, state)} without the next token"


def _why_no_item(goal: Goal, state: ParserState, action: ItemAction) -> str:
    why = _edges_first(goal, state) or _why_nothing_is_made(goal, state)
    if why is not None:
        return why
    made = action.applied(state).items[len(state.items) :]
    return next(
        (why for item in made if (why := _why_not_this(goal, state, item))),
        "these pieces do not stand together like this in the goal, or need edges later"
        if isinstance(action, Subgraph)
        else f"here {made[0].label} is made already",
    )


def _why_not_this(goal: Goal, state: ParserState, item: Item) -> str | None:
    """Say why an item is none of those of the goal here; None where it is one."""
    like = [name for name, label in goal.labels.items() if label[1] == item.label]
    if not like:
        return f"the goal has no {item.label}"
    kind = "constant" if item.is_constant else "concept"
    same = [name for name in like if goal.labels[name][0] == item.is_constant]
    if not same:
        other = "concept" if item.is_constant else "constant"
        return f"in the goal {item.label} is a {other}, not a {kind}"
    places = [goal.site_of[name] for name in same]
    if any((site.start, site.stop) == (item.start, item.stop) for site in places):
        return None
    words = " and ".join(f"“{_words_of(goal, site)}”" for site in places)
    return f"in the goal {item.label} belongs to {words}"


def _why_no_edge(goal: Goal, state: ParserState, action: EdgeAction) -> str:
    source, target = ends_of(state, action)
    between = [
        (goal.labels[s][1], role, goal.labels[t][1])
        for (s, t), roles in sorted(goal.links.items())
        for role in sorted(roles)
        if {goal.labels[s][1], goal.labels[t][1]} == {source, target}
    ]
    if not between:
        return f"the goal has no edge between {source} and {target}"
    shown = ", ".join(" ".join(triple) for triple in between)
    if (target, action.made_role(state), source) in between:
        return f"the other way round: the goal has {shown}"
    return f"between these two the goal has {shown}"
