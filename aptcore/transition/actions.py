"""What an action is: a value that knows its text, when it is legal and what it does.

Each kind of action is one frozen class, in ``moves``, ``items``, ``arcs`` or ``closing``,
where stand side by side what it is called, when it is legal, what it does to state and
graph, and what the decoder reads after it. To add an action, write such a class and put
it into an :class:`ActionSet` (see ``sets``); pages, traces, masks and the decoder take it
from there.

An action's text is what traces, prefixes and error messages show:
``SHIFT``, ``COPY(lemma)``, ``PRED(want-01)``, ``LA(3, :ARG0)``. Its label is the same text
without the pointer, ``LA(:ARG0)``: what the model predicts and the vocabulary counts.
Brackets inside a label are part of it (``PRED(foo(bar))``): only the first opening and
the last closing bracket belong to the codec.

Source: Zhou and others 2021, section 2 and appendix B. Deviations: constants are kept
apart from concepts, and several edges may join one pair of items.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from aptcore.transition.state import ParserState

if TYPE_CHECKING:
    from aptcore.transition.edge_choices import EdgeChoices
    from aptcore.transition.reading import Reading


class Action:
    """One action; what stands here holds for every kind that says nothing else.

    Attributes:
        page_name: Its name on pages and in lessons.
        name: The word before the bracket in its text.
        form: How its text is written where that needs telling: a name without brackets, or a
            pointer.
        reads_words: Whether what ``offer`` gives depends on the words at the cursor.
    """

    __slots__ = ()
    page_name: ClassVar[str]
    name: ClassVar[str]
    form: ClassVar[str] = ""
    reads_words: ClassVar[bool] = False

    @property
    def argument(self) -> str | None:
        """What stands in the brackets of its label; None where there are none."""
        return None

    @classmethod
    def of(cls, argument: str | None, position: int) -> Action | None:
        """Make the action of a label; None where the label is not of this kind."""
        return cls() if argument is None else None

    @classmethod
    def why_not_now(cls, state: ParserState) -> str | None:
        """Say why no action of this kind can come now; None where one may."""
        if state.is_closed:
            return "the walk is closed"
        if cls not in state.action_set.actions:
            return f"not in {state.action_set.title}"
        return cls.why_not_here(state)

    @classmethod
    def why_not_here(cls, state: ParserState) -> str | None:
        """Say why the cursor or what was made there allows none of this kind."""
        raise NotImplementedError

    def why_not_this(self, state: ParserState) -> str | None:
        """Say why this one cannot come though its kind may."""
        return None

    def why_illegal(self, state: ParserState) -> str | None:
        """Say why this one cannot be taken now; None where it can."""
        return self.why_not_now(state) or self.why_not_this(state)

    def applied(self, state: ParserState) -> ParserState:
        """Give the state after it; it must be legal."""
        raise NotImplementedError

    def read(self, reading: Reading, state: ParserState, label_id: int) -> Reading:
        """Give what the decoder reads after it.

        Args:
            reading: What it read before.
            state: The state before it.
            label_id: The id of its label.
        """
        return reading.plain(label_id)

    @classmethod
    def reasons(cls, state: ParserState, choices: EdgeChoices) -> Iterable[tuple[str, str | None]]:
        """Give the lines of this kind on a page: what it is called, why it cannot come."""
        return [(cls.page_name, cls.why_not_now(state))]

    @classmethod
    def offer(cls, state: ParserState, choices: EdgeChoices) -> Hashable:
        """Give what may come of this kind: nothing (a false value), or what ``is_in`` asks.

        It follows from the state's ``situation``, from the kinds that have an item to name
        and, where the kind ``reads_words``, from the words at the cursor.
        """
        return cls.why_not_now(state) is None

    def is_in(self, offer: Hashable) -> bool:
        """Tell whether a label is among what ``offer`` gave."""
        return bool(offer)


@dataclass(frozen=True, slots=True)
class PointerAction(Action):
    """An action that names an item by the position of the action that made it."""

    position: int

    @classmethod
    def of(cls, argument: str | None, position: int) -> Action | None:
        """Make the action of a label with a pointer."""
        return cls(position) if argument is None else None

    @classmethod
    def places(cls, state: ParserState) -> tuple[int, ...]:
        """Give the items that it may name now, by their place in ``state.roots``."""
        raise NotImplementedError

    @classmethod
    def offer(cls, state: ParserState, choices: EdgeChoices) -> Hashable:
        """Tell whether there is anything to name."""
        return cls in choices.places

    def pointing_at(self, position: int) -> Self:
        """Give the same action with another pointer."""
        return replace(self, position=position)


@dataclass(frozen=True, repr=False)
class ActionSet:
    """The actions that a machine has, and what else they come with.

    Attributes:
        name: What checkpoints, traces and lessons call it.
        title: What it is called in a sentence.
        actions: The kinds of action, in the order in which pages list them.
        labels: What every vocabulary holds, so that every walk can end.
        has_wide_copies: Whether COPY goes beyond the lemma, to the token and to what the
            sentence's tables derive, and templates have slots for other forms of a name.
        has_loops: Whether an edge may join an item to itself.
        numbers_lists: Whether ``:op*`` stands for the next free number of a list.
        is_sound: Whether a walk ends in a graph that needs no repair: in one piece, which
            is seen to past the last word, and no triple twice.
    """

    name: str
    title: str
    actions: tuple[type[Action], ...]
    labels: tuple[str, ...]
    has_wide_copies: bool = False
    has_loops: bool = False
    numbers_lists: bool = False
    is_sound: bool = False

    def __repr__(self) -> str:
        return f"ActionSet({self.name!r})"

    @cached_property
    def pointers(self) -> tuple[type[PointerAction], ...]:
        """The kinds that name an item."""
        return tuple(kind for kind in self.actions if issubclass(kind, PointerAction))


def format_action(action: Action) -> str:
    """Write an action as text; ``sets.parse_action`` reads it back."""
    if not isinstance(action, PointerAction):
        return format_label(action)
    argument = action.argument
    inner = action.position if argument is None else f"{action.position}, {argument}"
    return f"{action.name}({inner})"


def format_label(action: Action) -> str:
    """Write an action without its pointer: the unit that the model predicts."""
    argument = action.argument
    return action.name if argument is None else f"{action.name}({argument})"


def no_item_text(state: ParserState, position: int) -> str:
    """Say that the action at ``position`` made no item, and which ones did."""
    choices = ", ".join(str(item.position) for item in state.roots) or "none yet"
    if 0 <= position < len(state.actions):
        made = f"action {position} ({state.actions[position].page_name}) made no node"
    else:
        made = f"there is no action {position} yet"
    return f"{made}; nodes were made at: {choices}"
