"""Which operations count: the log of a sentence folded into its state.

The state is the fold, in order, of the operations that are not undone, over the graph as
imported. Undo and redo are operations too; each names its target. A fold keeps the state
after every operation that counts, so that an undo need not begin at the beginning: what
comes out is the same as folding the whole log anew, and tests and ``Store.check`` see to
that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from app.store.log.operations import Operation, changes_graph
from app.store.log.state import SentenceState, step
from aptcore.errors import EditError
from aptcore.graph.checks import triples
from aptcore.graph.layout import Triple


@dataclass(frozen=True, slots=True)
class Entry:
    """An operation that counts, and the state after it."""

    operation: Operation
    state: SentenceState


@dataclass(frozen=True, slots=True)
class Folded:
    """A log folded.

    Attributes:
        start: The state as imported.
        entries: The operations that count, in order.
        undone: By person: what they took back and can do again, the last one last.
        last: The newest operation of the log, undo and redo too; None if there is none.
    """

    start: SentenceState
    entries: tuple[Entry, ...] = ()
    undone: Mapping[str, tuple[Operation, ...]] = field(default_factory=dict)
    last: Operation | None = None

    @property
    def state(self) -> SentenceState:
        """Give the state now."""
        return self.entries[-1].state if self.entries else self.start

    @property
    def revision(self) -> int:
        """Give the newest revision; 0 is as imported."""
        return self.last.revision if self.last else 0


def next_undo(folded: Folded, person: str) -> Operation | None:
    """Give what an undo of this person takes back: their last operation that counts."""
    for entry in reversed(folded.entries):
        if entry.operation.person == person:
            return entry.operation
    return None


def next_redo(folded: Folded, person: str) -> Operation | None:
    """Give what a redo of this person does again."""
    undone = folded.undone.get(person, ())
    return undone[-1] if undone else None


def newest_change(folded: Folded, person: str) -> frozenset[Triple]:
    """Give the triples that this person's newest edit added or took away; none without one."""
    for place in reversed(range(len(folded.entries))):
        operation = folded.entries[place].operation
        if operation.person == person and changes_graph(operation.what):
            before = folded.entries[place - 1].state if place else folded.start
            after = folded.entries[place].state
            return frozenset(triples(before.graph)) ^ frozenset(triples(after.graph))
    return frozenset()


def extended(folded: Folded, operation: Operation) -> Folded:
    """Fold one more operation.

    Raises:
        EditError: The graph does not allow it, or an undo or redo would leave an
            operation after it without what it stands on.
    """
    person = operation.person
    if operation.what["do"] == "undo":
        place = _place_of(folded, operation)
        gone = folded.entries[place].operation
        state = folded.entries[place - 1].state if place else folded.start
        later = [entry.operation for entry in folded.entries[place + 1 :]]
        entries = (*folded.entries[:place], *_fold(state, later))
        undone = {**folded.undone, person: (*folded.undone.get(person, ()), gone)}
        return Folded(folded.start, entries, undone, operation)
    if operation.what["do"] == "redo":
        again = next_redo(folded, person)
        if again is None or again.revision != operation.target:
            raise EditError("there is nothing to do again")
        place = sum(entry.operation.revision < again.revision for entry in folded.entries)
        state = folded.entries[place - 1].state if place else folded.start
        later = [entry.operation for entry in folded.entries[place:]]
        entries = (*folded.entries[:place], *_fold(state, [again, *later]))
        undone = {**folded.undone, person: folded.undone[person][:-1]}
        return Folded(folded.start, entries, undone, operation)
    entry = Entry(operation, step(folded.state, operation))
    undone = {name: ops for name, ops in folded.undone.items() if name != person}
    return Folded(folded.start, (*folded.entries, entry), undone, operation)


def _place_of(folded: Folded, operation: Operation) -> int:
    for place in reversed(range(len(folded.entries))):
        if folded.entries[place].operation.revision == operation.target:
            return place
    raise EditError("there is nothing to take back")


def _fold(state: SentenceState, operations: Iterable[Operation]) -> list[Entry]:
    entries = []
    for operation in operations:
        try:
            state = step(state, operation)
        except EditError as error:
            raise DependsError(operation, str(error)) from error
        entries.append(Entry(operation, state))
    return entries


class DependsError(EditError):
    """A later operation would no longer be possible.

    Args:
        operation: The later one.
        reason: Why it would not.
    """

    def __init__(self, operation: Operation, reason: str) -> None:
        super().__init__(reason)
        self.operation = operation


def fold(start: SentenceState, operations: Iterable[Operation]) -> Folded:
    """Fold a whole log from its beginning.

    Only what counts in the end is applied, so that a long log with many undos costs no
    more than what is left of it.

    Raises:
        EditError: An operation is not possible where it stands: the log is damaged.
    """
    counting: dict[int, Operation] = {}
    undone: dict[str, tuple[Operation, ...]] = {}
    last = None
    for operation in operations:
        last, person = operation, operation.person
        if operation.what["do"] == "undo":
            gone = counting.pop(operation.target or 0, None)
            if gone is None:
                raise EditError(f"revision {operation.revision} takes back what does not count")
            undone[person] = (*undone.get(person, ()), gone)
        elif operation.what["do"] == "redo":
            *rest, again = undone.get(person) or [operation]
            if again.revision != operation.target:
                raise EditError(f"revision {operation.revision} does again what is not undone")
            undone[person] = tuple(rest)
            counting[again.revision] = again
        else:
            undone.pop(person, None)
            counting[operation.revision] = operation
    ordered = [counting[revision] for revision in sorted(counting)]
    return replace(Folded(start, tuple(_fold(start, ordered)), undone), last=last)
