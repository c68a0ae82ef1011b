"""The state of a sentence, and what one operation makes of it.

Nothing here knows of undo or of a database: ``app.store.log.history`` chooses which
operations count, and this module applies them one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.store.log.operations import STATUS_OF, Operation, Status
from app.store.log.provenance import Source, source_from_json
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import edit_from_json
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import triples
from aptcore.graph.layout import Triple


@dataclass(frozen=True, slots=True)
class Comment:
    """What someone said about a sentence, and when (UTC)."""

    person: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Dismissal:
    """Who dismissed a warning, and why."""

    person: str
    note: str


@dataclass(frozen=True, slots=True)
class SentenceState:
    """All that a sentence's operations have made of it.

    Attributes:
        graph: The graph now.
        origin: Where each triple comes from.
        confirmed: Who vouches for a triple.
        status: What has become of the sentence; an edit opens it again.
        status_by: Who gave the status; empty while nobody did.
        status_revision: The operation that gave it; 0 while none did.
        flagged: The reason of the flag; empty while there is none.
        flagged_by: Who flagged it.
        assigned: Whose sentence this is; empty for nobody's.
        comments: In order.
        drafts: By person: text that does not parse yet.
        dismissed: By the name of the problem.
    """

    graph: AmrGraph
    origin: Mapping[Triple, Source]
    confirmed: Mapping[Triple, str] = field(default_factory=dict)
    status: Status = "open"
    status_by: str = ""
    status_revision: int = 0
    flagged: str = ""
    flagged_by: str = ""
    assigned: str = ""
    comments: tuple[Comment, ...] = ()
    drafts: Mapping[str, str] = field(default_factory=dict)
    dismissed: Mapping[str, Dismissal] = field(default_factory=dict)

    @property
    def provenance(self) -> dict[Triple, Source]:
        """Give where each triple comes from."""
        return {triple: self.source_of(triple) for triple in self.origin}

    def source_of(self, triple: Triple) -> Source:
        """Give where a triple of the graph comes from; a confirmation counts more."""
        person = self.confirmed.get(triple)
        return self.origin[triple] if person is None else Source("confirmed", person)


def imported_state(graph: AmrGraph, source: Source) -> SentenceState:
    """Give the state of a sentence as it was imported."""
    return SentenceState(graph, dict.fromkeys(triples(graph), source))


def step(state: SentenceState, operation: Operation) -> SentenceState:
    """Apply one operation that is neither undo nor redo.

    Raises:
        EditError: The graph does not allow it.
    """
    what, person = operation.what, operation.person
    match what["do"]:
        case "edit":
            return _edited(state, operation)
        case "accept" | "reject" | "skip" | "reopen" as do:
            return replace(
                state,
                status=STATUS_OF[do],
                status_by=person,
                status_revision=operation.revision,
            )
        case "flag":
            reason = what.get("reason", "").strip() or "flagged"
            return replace(
                state,
                flagged=reason if what["on"] else "",
                flagged_by=person if what["on"] else "",
            )
        case "comment":
            comment = Comment(person, what["text"], operation.at)
            return replace(state, comments=(*state.comments, comment))
        case "confirm":
            return _confirmed(state, operation)
        case "dismiss":
            dismissed = dict(state.dismissed)
            dismissed.pop(what["problem"], None)
            if what.get("on", True):
                dismissed[what["problem"]] = Dismissal(person, what.get("note", ""))
            return replace(state, dismissed=dismissed)
        case "draft":
            return replace(state, drafts=_with_draft(state, person, what["text"]))
        case "assign":
            return replace(state, assigned=what["person"])
    raise EditError(f"{what['do']} is not applied to a state")


def _edited(state: SentenceState, operation: Operation) -> SentenceState:
    what, person = operation.what, operation.person
    graph = apply_edit(state.graph, edit_from_json(what["edit"]))
    source = source_from_json(what["source"]) if "source" in what else Source("changed", person)
    now = triples(graph)
    is_text = what["edit"]["edit"] == "replace-graph"
    return replace(
        state,
        graph=graph,
        origin={triple: state.origin.get(triple, source) for triple in now},
        confirmed={t: state.confirmed[t] for t in now if t in state.confirmed},
        status="open",
        status_by=state.status_by if state.status == "open" else "",
        status_revision=state.status_revision if state.status == "open" else 0,
        drafts=_with_draft(state, person, "") if is_text else state.drafts,
    )


def _confirmed(state: SentenceState, operation: Operation) -> SentenceState:
    confirmed = dict(state.confirmed)
    for source, role, target in operation.what["triples"]:
        triple = (source, role, target)
        if triple not in state.origin:
            raise EditError(f"there is no {source} {role} {target} in the graph")
        confirmed.pop(triple, None)
        if operation.what.get("on", True):
            confirmed[triple] = operation.person
    return replace(state, confirmed=confirmed)


def _with_draft(state: SentenceState, person: str, text: str) -> Mapping[str, str]:
    if state.drafts.get(person, "") == text:
        return state.drafts
    others = {name: draft for name, draft in state.drafts.items() if name != person}
    return {**others, person: text} if text else others
