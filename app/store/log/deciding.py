"""What becomes of a request: done, refused with the reason, or a conflict.

Pure functions over a folded log; ``app.store.store`` calls them inside the transaction
that writes the outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from app.store.log.history import DependsError, Folded, extended, fold, next_redo, next_undo
from app.store.log.operations import (
    Conflict,
    Difference,
    Operation,
    Refused,
    Request,
    changes_graph,
    check_name,
    check_what,
    describe,
    lane_of,
)
from app.store.log.state import SentenceState
from aptcore.advice.problems.values import value_problems
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import rooted_triples
from aptcore.graph.layout import Triple
from aptcore.graph.validation import problems_of


def refusal_of(person: str, tab: str, request: Request) -> Refused | None:
    """Refuse what cannot even be looked up: names that are none, or no operation."""
    try:
        for what, name in (("person", person), ("tab", tab), ("request", request.id)):
            check_name(what, name)
        check_what(request.what)
    except EditError as error:
        return Refused(request.id, str(error))
    return None


def decide(
    folded: Folded,
    log: Sequence[Operation],
    sentence: int,
    person: str,
    tab: str,
    request: Request,
    at: datetime,
) -> tuple[Operation, Folded] | Refused | Conflict:
    """Decide about a request that :func:`refusal_of` lets pass and that is new.

    Args:
        folded: The log folded.
        log: The operations after the request's base, in order.
        sentence: Id of the sentence.
        person: Who asks.
        tab: From where.
        request: What for.
        at: When, UTC.

    Returns:
        The operation to write and the log folded with it; or why there is none. The
        difference of a conflict is still to be filled in (:func:`difference`).
    """
    try:
        if not 0 <= request.base <= folded.revision:
            raise EditError(
                f"the request was made on revision {request.base}, but the newest is "
                f"{folded.revision}: load the sentence again"
            )
        target = _target_of(folded, person, request.what)
    except EditError as error:
        return Refused(request.id, str(error))
    lane = lane_of(target.what if target else request.what)
    others = competing(log, lane, person, tab)
    if others:
        empty = Difference((), (), (), ())
        return Conflict(request.id, folded.revision, others[-1].person, empty)
    operation = Operation(
        sentence,
        folded.revision + 1,
        request.id,
        person,
        tab,
        request.base,
        request.what,
        target.revision if target else None,
        at,
    )
    try:
        _check_status(folded, operation, target)
        return operation, extended(folded, operation)
    except DependsError as error:
        return Refused(request.id, _why_not(operation, error))
    except EditError as error:
        return Refused(request.id, str(error))


def competing(log: Sequence[Operation], lane: str, person: str, tab: str) -> list[Operation]:
    """Give what other writers, or other tabs of the same person, did within a lane."""
    by_revision = {operation.revision: operation for operation in log}
    found = []
    for operation in log:
        meant = by_revision.get(operation.target or 0, operation)
        # The target of an undo may be older than the base: then its lane is not known here,
        # and it counts as one of the graph.
        other_lane = lane_of(meant.what)
        if lane and other_lane == lane and (operation.person, operation.tab) != (person, tab):
            found.append(operation)
    return found


def difference(start: SentenceState, log: Sequence[Operation], base: int) -> Difference:
    """Give what a log made of the graph after a revision.

    Raises:
        EditError: The log is damaged.
    """
    before = fold(start, [op for op in log if op.revision <= base]).state
    after = fold(start, log).state
    old, new = _all_triples(before.graph), _all_triples(after.graph)
    between = [op for op in log if op.revision > base]
    return Difference(
        gained=tuple(triple for triple in new if triple not in set(old)),
        lost=tuple(triple for triple in old if triple not in set(new)),
        people=tuple(dict.fromkeys(op.person for op in between)),
        steps=tuple((op.revision, op.person, op.tab, describe(op.what)) for op in between),
    )


def _all_triples(graph: AmrGraph) -> tuple[Triple, ...]:
    *others, root = rooted_triples(graph)
    return (root, *others)


def _target_of(folded: Folded, person: str, what: Mapping[str, Any]) -> Operation | None:
    """Find what an undo or redo is about; None for other operations.

    Raises:
        EditError: There is nothing to take back or to do again, or it is another's.
    """
    if what["do"] == "redo":
        again = next_redo(folded, person)
        if again is None:
            raise EditError("there is nothing to do again")
        return again
    if what["do"] != "undo":
        return None
    if "target" not in what and "batch" not in what:
        found = next_undo(folded, person)
        if found is None:
            raise EditError("there is nothing of yours to take back")
        return found
    for entry in reversed(folded.entries):
        operation = entry.operation
        is_meant = operation.revision == what.get("target", operation.revision) and (
            "batch" not in what or operation.what.get("batch") == what["batch"]
        )
        if is_meant and operation.person == person:
            return operation
    raise EditError("there is no such operation of yours that counts")


def _check_status(folded: Folded, operation: Operation, target: Operation | None) -> None:
    """Keep an accepted graph as it was seen.

    Raises:
        EditError: The graph has errors, or it was accepted with the operation that an undo
            would take out, or without the one that a redo would put in.
    """
    state = folded.state
    if operation.what["do"] == "accept":
        errors = errors_of(state.graph) or value_errors_of(state.graph)
        if errors:
            raise EditError(f"the graph cannot be accepted yet: {'; '.join(errors)}")
    is_older = target is not None and target.revision < state.status_revision
    if target is None or not is_older or not changes_graph(target.what):
        return
    if state.status == "accepted":
        who = _name(state.status_by, operation.person)
        raise EditError(f"{who} accepted the graph since: reopen the sentence first")


def errors_of(graph: AmrGraph) -> tuple[str, ...]:
    """Give the faults of structure and roles for which a graph is kept apart."""
    if is_placeholder(graph):
        return ("the sentence has no graph",)
    return tuple(problem.message for problem in problems_of(graph) if problem.is_error)


def value_errors_of(graph: AmrGraph) -> tuple[str, ...]:
    """Give the faults of names and dates: a file may have them, an accepted graph may not."""
    return tuple(p.reason for p in value_problems(graph) if p.severity == "error")


def is_placeholder(graph: AmrGraph) -> bool:
    """Tell whether a graph is ``(a / amr-empty)``, which stands where there is none."""
    return len(graph.nodes) == 1 and graph.nodes[0].concept == "amr-empty"


def _why_not(operation: Operation, error: DependsError) -> str:
    """Say which later operation an undo or redo would make impossible, and why."""
    later = error.operation
    who, what = _name(later.person, operation.person), describe(later.what)
    if operation.what["do"] == "undo":
        return f"{who} built on it: without it {what!r} is not possible ({error})"
    return f"{who} changed the graph since: {what!r} is not possible together with it ({error})"


def _name(other: str, person: str) -> str:
    return "you" if other == person else other
