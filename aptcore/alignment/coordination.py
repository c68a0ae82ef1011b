"""Move coordinations to the word or sign that stands between what they join."""

from __future__ import annotations

import re

from aptcore.alignment.context import Context, Draft, Span
from aptcore.alignment.options import Options

_JOINING = frozenset({"and", "or", "slash", "multi-sentence"})
_JOINED = re.compile(r":(?:op|snt)\d+$")

BETWEEN = 0.2
"""What it counts to stand between two joined pieces."""


def settle_coordinations(context: Context, draft: Draft, own: dict[str, Options]) -> None:
    """Choose anew among the words of each coordination, now that the rest has its place.

    Args:
        context: Sentence and graph.
        draft: Alignments; changed.
        own: The words that each item may have; only free ones are considered.
    """
    for item, found in own.items():
        if context.labels[item] not in _JOINING or len(found) < 2 or item not in draft.spans:
            continue
        gaps = _gaps(context, draft, item)
        here, source = draft.spans[item], draft.sources[item]
        if here not in found or source != "rule":
            continue
        draft.remove(item)
        free = [span for span in found if span == here or draft.is_free(span)]
        best = max(free, key=lambda span: (_value(found, gaps, span), span == here, -span[0]))
        draft.put(item, best, source)


def _value(found: Options, gaps: list[Span], span: Span) -> float:
    is_between = any(start <= span[0] and span[1] <= end for start, end in gaps)
    return found[span][0] + BETWEEN * is_between


def _gaps(context: Context, draft: Draft, item: str) -> list[Span]:
    """Give the words between each two joined pieces that follow one another."""
    joined = sorted(
        (int(re.sub(r"\D", "", link.role)), link.other)
        for link in context.links[item]
        if link.is_out and _JOINED.match(link.role)
    )
    extents = [
        extent
        for extent in _extents(context, draft, item, [name for _, name in joined])
        if extent is not None
    ]
    return [
        (before[1], after[0])
        for before, after in zip(extents, extents[1:], strict=False)
        if before[1] <= after[0]
    ]


def _extents(context: Context, draft: Draft, item: str, pieces: list[str]) -> list[Span | None]:
    """Give the range of words of each piece with all that is nearer to it than to the others."""
    reached = {item, *pieces}
    members = {piece: [piece] for piece in pieces}
    edge = dict(members)
    while any(edge.values()):
        further: dict[str, list[str]] = {piece: [] for piece in pieces}
        for piece in pieces:
            for name in edge[piece]:
                for link in context.links[name]:
                    if link.other not in reached:
                        reached.add(link.other)
                        further[piece].append(link.other)
            members[piece] = members[piece] + further[piece]
        edge = further
    spans = {
        piece: [draft.spans[name] for name in found if name in draft.spans]
        for piece, found in members.items()
    }
    return [
        (min(start for start, _ in found), max(end for _, end in found)) if found else None
        for found in (spans[piece] for piece in pieces)
    ]
