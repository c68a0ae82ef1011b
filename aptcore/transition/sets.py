"""The two action sets, and the text of actions read back: an action belongs to a set.

``paper`` has the actions of the paper, so that its tables can be repeated. ``exact``, our
own, reaches every sound graph: it copies through learnt tables, lets an edge join an item
to itself, numbers the members of a list, and joins by LINK what is apart at the end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from aptcore.errors import ActionFormatError, ConfigurationError
from aptcore.transition.actions import Action, ActionSet, PointerAction
from aptcore.transition.arcs import LeftArc, RightArc
from aptcore.transition.closing import Link, Root
from aptcore.transition.items import Const, Copy, Pred, Subgraph
from aptcore.transition.moves import Merge, Reduce, Shift

PAPER = ActionSet(
    name="paper",
    title="the paper's action set",
    actions=(Shift, Reduce, Merge, Copy, Pred, Const, Subgraph, LeftArc, RightArc, Root),
    labels=("SHIFT", "REDUCE", "MERGE", "COPY(lemma)", "COPY(sense)", "LA(root)"),
)
EXACT = ActionSet(
    name="exact",
    title="our own action set",
    actions=(*PAPER.actions[:-1], Link, Root),
    labels=(*PAPER.labels, "COPY(token)", "LINK", "LA(:mod)", "RA(:mod)"),
    has_wide_copies=True,
    has_loops=True,
    numbers_lists=True,
    is_sound=True,
)
ACTION_SETS: Mapping[str, ActionSet] = {"paper": PAPER, "exact": EXACT}

_POINTER = re.compile(r"(0|[1-9][0-9]{0,8})(?:, (.+))?", re.DOTALL)


def action_set_named(name: str) -> ActionSet:
    """Look up an action set.

    Raises:
        ConfigurationError: If there is none of this name.
    """
    if name not in ACTION_SETS:
        raise ConfigurationError(
            f"unknown action set {name!r}; choose one of {', '.join(ACTION_SETS)}"
        )
    return ACTION_SETS[name]


def parse_action(text: str, action_set: ActionSet = EXACT) -> Action:
    """Read an action from its text; ``format_action`` writes it.

    Raises:
        ActionFormatError: If the text is no action of the set.
    """
    kinds, argument = _split(text, action_set)
    if not kinds or not issubclass(kinds[0], PointerAction):
        return _made(kinds, argument, -1, text)
    pointer = _POINTER.fullmatch(argument or "")
    if pointer is None:
        raise ActionFormatError(f"cannot read {text!r}: write {kinds[0].form}")
    return _made(kinds, pointer[2], int(pointer[1]), text)


def parse_label(text: str, position: int = -1, action_set: ActionSet = EXACT) -> Action:
    """Read a label; one that names an item is given ``position`` as its pointer.

    Raises:
        ActionFormatError: If the text is no label of the set.
    """
    kinds, argument = _split(text, action_set)
    return _made(kinds, argument, position, text)


def _split(text: str, action_set: ActionSet) -> tuple[list[type[Action]], str | None]:
    """Give the kinds that share the name before the bracket, and what is inside it."""
    name, bracket, rest = text.partition("(")
    kinds = [kind for kind in action_set.actions if kind.name == name]
    if bracket and rest.endswith(")"):
        return kinds, rest[:-1]
    if bracket or not kinds:
        bare = [kind.name for kind in action_set.actions if kind.form == kind.name]
        raise ActionFormatError(
            f"cannot read the action {text!r}: it is neither one of {', '.join(bare)} "
            "nor of the form NAME(...)"
        )
    return kinds, None


def _made(kinds: list[type[Action]], argument: str | None, position: int, text: str) -> Action:
    for kind in kinds:
        made = kind.of(argument, position)
        if made is not None:
            return made
    if kinds and issubclass(kinds[0], PointerAction):
        raise ActionFormatError(f"cannot read {text!r}: write {kinds[0].form}")
    raise ActionFormatError(f"unknown action {text!r}")
