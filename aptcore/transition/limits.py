"""What decoding allows of the legal actions: no model."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from aptcore.graph.branches import unquote
from aptcore.graph.validation import why_no_word
from aptcore.transition.actions import Action
from aptcore.transition.items import Const, Copy, Pred, Subgraph
from aptcore.transition.templates import Piece, parse_template
from aptcore.words.rolesets import is_no_roleset
from aptcore.words.written_values import written_value


class Limits(NamedTuple):
    """What decoding allows of the legal actions.

    Attributes:
        barred: Kinds of action that may not come.
        faithful: Whether no constant with a digit is made that contradicts the words at the
            cursor (see :meth:`LabelMasks.figures`).
        constants: Whether a constant may be made.
        rolesets: Whether COPY makes only frames that are listed (aptcore.words.rolesets), and
            PRED besides those that training showed, but for the stopgaps numbered 00.
        well_formed: Whether nothing is made that no graph may hold: signs as concepts, and
            dates and amounts as strings (aptcore.words.written_values).
    """

    barred: tuple[type[Action], ...] = ()
    faithful: bool = False
    constants: bool = True
    rolesets: bool = False
    well_formed: bool = False


NO_LIMITS = Limits()


def is_copied(piece: Piece, is_value: bool, limits: Limits) -> bool:
    """Check what COPY makes against the limits of frames and of what a graph may hold.

    Words that are a value ("12 %") make no concept.
    """
    if limits.rolesets and is_no_roleset(piece.label):
        return False
    if is_value and not piece.is_constant:
        return False
    return not (limits.well_formed and _is_ill_formed(piece))


@lru_cache(maxsize=8192)
def _is_ill_formed(piece: Piece) -> bool:
    """Tell whether no graph may hold an item; a time of day stands as a string in its date."""
    if not piece.is_constant and why_no_word(piece.label) is not None:
        return True
    value = written_value(unquote(piece.label))
    return value is not None and value.parts != ((":time", piece.label),)


def _pieces(action: Action) -> tuple[Piece, ...]:
    """Give the items that an action's label names in full."""
    if isinstance(action, Subgraph):
        return parse_template(action.label).pieces
    return (
        (Piece(isinstance(action, Const), action.label),)
        if isinstance(action, Pred | Const)
        else ()
    )


def is_within(action: Action, limits: Limits, figures: frozenset[str] | None) -> bool:
    """Check an action against the limits of what its label names."""
    if action == Copy("token"):
        return limits.constants
    if limits.well_formed and any(_is_ill_formed(piece) for piece in _pieces(action)):
        return False
    if isinstance(action, Pred) and limits.rolesets:
        return not (action.label.endswith("-00") and is_no_roleset(action.label))
    if not isinstance(action, Const):
        return True
    is_free = figures is None or not has_digit(action.label)
    return limits.constants and (is_free or action.label in (figures or ()))


def has_digit(text: str) -> bool:
    """Tell whether a text holds a decimal digit."""
    return any(character.isdigit() for character in text)
