"""Proposals of the parser as a difference to take or leave, one by one or all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from app.canvas.payload import Payload
from app.pages.correct.wording import describe_edit, names_of
from app.store.records.rows import StoredSentence
from aptcore.advice.proposals import Proposal
from aptcore.advice.suggestion import Suggestion
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import edit_to_json
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.checks import triples
from aptcore.graph.layout import Triple

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
    suggestion: Suggestion, graph: AmrGraph, settled: Collection[str], kept: Collection[Triple]
) -> list[Payload]:
    """Give the proposals that can still be taken, the first of them.

    Args:
        suggestion: As the parser made it.
        graph: The graph as it is now.
        settled: Ids of the proposals that were taken or left.
        kept: Triples that none may take away.

    Returns:
        For each its id, a sign, a text, why, and its edits as JSON; those of proposals
        that it stands on come first.
    """
    open_ones = {one.id: one for one in suggestion.proposals if one.id not in settled}
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
                "text": describe_edit(edits[-1], names_of(graph, edited)),
                "why": _why(proposal),
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


def _why(proposal: Proposal) -> str:
    sure = "" if proposal.probability is None else f"{proposal.probability:.2f}"
    return "; ".join(part for part in (sure, proposal.reason) if part)


def proposals_payload(number: int, state: str, text: str, items: list[Payload]) -> dict[str, Any]:
    """Give what the editor shows of the proposals."""
    return {"number": number, "state": state, "text": text, "items": items}


def proposals_text(items: list[Payload], num_all: int) -> str:
    """Say how many proposals there are."""
    if not num_all:
        return "The parser would change nothing more."
    if not items:
        return "All proposals are settled."
    noun = "proposal" if len(items) == 1 else "proposals"
    count = f"{'The first ' if len(items) == MAX_OFFERED < num_all else ''}{len(items)} {noun}"
    return f"{count} for the rest of the graph; what you decided is in none."
