"""Proposals of the parser as a difference to take or leave, one by one or all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from app.canvas.payload import Payload
from app.pages.correct.wording import describe_edit, names_of
from app.store.records.rows import StoredSentence
from aptcore.advice.english.changes import say_change
from aptcore.advice.proposals import Proposal, all_triples
from aptcore.advice.suggestion import Suggestion
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import edit_to_json
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import triples
from aptcore.graph.layout import Triple
from aptcore.words.frames import Lexicon

MAX_OFFERED = 50
"""Proposals that are shown at once; others come as these are settled."""
_SIGNS = {"add": "+", "delete": "−"}


def decided_triples(stored: StoredSentence) -> frozenset[Triple]:
    """Give the triples that a person confirmed or changed: no proposal touches them."""
    return frozenset(
        triple
        for triple, source in stored.state.provenance.items()
        if source.kind in ("confirmed", "changed")
    )


def proposal_items(
    suggestion: Suggestion,
    graph: AmrGraph,
    settled: Collection[str],
    kept: Collection[Triple],
    lexicon: Lexicon,
    *,
    only_close: bool = True,
) -> list[Payload]:
    """Give the proposals that can still be taken, the first of them.

    Args:
        suggestion: As the parser made it.
        graph: The graph as it is now.
        settled: Ids of the proposals that were taken or left.
        kept: Triples that none may take away.
        lexicon: Frames and counts, to say them by.
        only_close: Leave out those that are far from the edit, or not sure.

    Returns:
        For each its id, a sign, a text, why, and its edits as JSON; those of proposals
        that it stands on come first.
    """
    open_ones = {
        one.id: one
        for one in suggestion.proposals
        if one.id not in settled and (one.id in suggestion.close or not only_close)
    }
    items: list[Payload] = []
    for proposal in open_ones.values():
        if len(items) == MAX_OFFERED:
            break
        needed = _with_needs(proposal, open_ones)
        edited = _taken(graph, needed, kept)
        if edited is None:
            continue
        edits = [edit_to_json(one.edit) for one in needed]
        items.append(
            {
                "id": proposal.id,
                "sign": _SIGNS.get(proposal.kind.split("-")[0], "±"),
                "text": say_change(graph, edited, *_said(graph, edited, proposal), lexicon),
                "why": _why(proposal, describe_edit(edits[-1], names_of(graph, edited))),
                "edits": edits,
                "ids": [one.id for one in needed],
            }
        )
    return items


def _with_needs(proposal: Proposal, open_ones: Mapping[str, Proposal]) -> list[Proposal]:
    """Give a proposal after those that it stands on and that are not settled."""
    found: dict[str, Proposal] = {}
    waiting = [proposal.id]
    while waiting:
        name = waiting.pop()
        if name in open_ones and name not in found:
            found[name] = open_ones[name]
            waiting += open_ones[name].needs
    return [one for one in open_ones.values() if one.id in found]


def _taken(graph: AmrGraph, proposals: list[Proposal], kept: Collection[Triple]) -> AmrGraph | None:
    edited = graph
    try:
        for proposal in proposals:
            edited = apply_edit(edited, proposal.edit)
    except EditError:
        return None
    return None if set(triples(graph)) & set(kept) - set(triples(edited)) else edited


def _said(
    graph: AmrGraph, edited: AmrGraph, proposal: Proposal
) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    """Give the triples that a proposal adds and takes away, as far as both graphs have them."""
    new, old = all_triples(edited), all_triples(graph)
    adds = tuple(triple for triple in proposal.adds if triple in new)
    return adds, tuple(triple for triple in proposal.removes if triple in old)


def _why(proposal: Proposal, edit: str) -> str:
    sure = "" if proposal.probability is None else f"{proposal.probability:.2f}"
    return "; ".join(part for part in (edit, sure, proposal.reason) if part)


def proposals_payload(
    number: int, state: str, text: str, items: list[Payload], num_more: int = 0
) -> dict[str, Any]:
    """Give what the editor shows of the proposals, and how many more can be asked for."""
    return {"number": number, "state": state, "text": text, "items": items, "more": num_more}


def proposals_text(items: list[Payload], num_all: int, num_more: int = 0) -> str:
    """Say how many proposals there are, and how many further off or less sure."""
    if not num_all:
        return "The parser would change nothing more."
    if not items and not num_more:
        return "All proposals are settled."
    more = f" {num_more} more are further off or less sure." if num_more else ""
    if not items:
        return f"No proposal near what you changed.{more}"
    noun = "proposal" if len(items) == 1 else "proposals"
    count = f"{'The first ' if len(items) == MAX_OFFERED < num_all else ''}{len(items)} {noun}"
    return f"{count} for the rest of the graph; what you decided is in none.{more}"
