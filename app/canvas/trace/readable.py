"""Actions as people read them, ``LA → want-01 :ARG0 boy``, and as they type them.

The bare form, ``LA(3, :ARG0)``, counts actions; this one names what it makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from aptcore.errors import ActionFormatError
from aptcore.transition.actions import Action, format_action
from aptcore.transition.arcs import EdgeAction
from aptcore.transition.closing import Link, Root
from aptcore.transition.items import Copy, Subgraph
from aptcore.transition.machine import is_legal
from aptcore.transition.sets import parse_action
from aptcore.transition.state import Item, ParserState, last_root, root_item_at

_READ = re.compile(r"(\w+)(?:\((\w+)\))?\s*(?:→|->)\s*(.+)", re.DOTALL)
_ROLE = re.compile(r"\s(:\S+)\s")


def readable(action: Action, state: ParserState | None) -> str:
    """Write an action with what it makes there: ``COPY(sense) → want-01``.

    It stays bare where it names nothing that is there: a model beside the oracle reads other
    lemmas. An edge is written out whether it may be drawn or not.
    """
    bare = format_action(action)
    if state is None:
        return bare
    if isinstance(action, EdgeAction):
        ends = _ends_of(state, action)
        return bare if ends is None else f"{action.name} → {_edge_text(state, action, ends)}"
    if isinstance(action, Root | Link):
        item = root_item_at(state, action.position)
        return f"{action.page_name}({action.position})" if item is None else _named(action, item)
    if not is_legal(state, action):
        return bare
    if isinstance(action, Copy):
        return f"{bare} → {action.made_alone(state).label}"
    if isinstance(action, Subgraph):
        first, *inside = action.made(state)[0]
        shown = (first.label, *(piece.label for piece in inside if piece.is_constant))
        return f"{action.name} → {' '.join(shown)}"
    return bare


def _edge_text(state: ParserState, action: EdgeAction, ends: tuple[Item, Item]) -> str:
    return f"{ends[0].label} {action.made_role(state)} {ends[1].label}"


def _named(action: Root | Link, item: Item) -> str:
    return f"{action.page_name} → {item.label}"


def _ends_of(state: ParserState, action: EdgeAction) -> tuple[Item, Item] | None:
    """Give source and target of an edge; None where one of them is not there."""
    other = root_item_at(state, action.position)
    if other is None:
        return None
    last = last_root(state)
    return (last, other) if action.is_left else (other, last)


def read_action(text: str, state: ParserState | None, listed: Iterable[Action] = ()) -> Action:
    """Read an action in either form; names of actions may be in small letters.

    Args:
        text: ``LA → want-01 :ARG0 boy`` or ``la -> want-01 :ARG0 boy`` or ``LA(3, :ARG0)``.
        state: Where it is to be taken; None reads the bare form alone.
        listed: Actions that are meant first where the text names them as they are read.

    Raises:
        ActionFormatError: If it is no action, or names what is not there or not one thing.
    """
    read = _READ.fullmatch(text.strip())
    if read is None or state is None:
        return _bare(text)
    name, argument, made = read[1].upper(), read[2], read[3]
    if argument is not None:  # COPY(sense) → want-01: what it makes is told beside the bare form
        return _bare(f"{name}({argument})")
    shown = f"{name} → {made}"
    for action in listed:
        if readable(action, state) == shown:
            return action
    found = [each for each in _pointing(name, made, state) if readable(each, state) == shown]
    if len(found) != 1:
        raise ActionFormatError(_why_not_one(text, name, found, state))
    return found[0]


def _bare(text: str) -> Action:
    name, bracket, rest = text.strip().partition("(")
    name, inside = name.strip().upper(), rest.rstrip(" )")
    if name == Root.page_name and inside.isdigit():
        return Root(int(inside))
    return parse_action(f"{name}{bracket}{rest.lower() if name == Copy.name else rest}")


def _pointing(name: str, made: str, state: ParserState) -> Iterator[Action]:
    """Give what an action of a name may be that makes this, whichever node it points to."""
    role = _ROLE.search(made)
    for kind in state.action_set.pointers:
        for item in state.roots if kind.page_name == name else ():
            if not issubclass(kind, EdgeAction):
                yield kind(item.position)
            elif role is not None:
                yield kind(item.position, role[1])


def _why_not_one(text: str, name: str, found: list[Action], state: ParserState) -> str:
    if found:
        forms = ", ".join(map(format_action, found))
        return f"{text!r} may mean {len(found)} nodes of one name: write one of {forms}"
    if name in ("LA", "RA") and state.roots:
        return (
            f"cannot read {text!r}: LA leads from {last_root(state).label}, the newest node, and "
            "RA to it; its other end is a node of the graph"
        )
    return f"cannot read {text!r}: it names nothing that is there"
