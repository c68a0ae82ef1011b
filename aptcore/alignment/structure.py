"""Rules that read an item's place in the graph: what stands at the word of a neighbour."""

from __future__ import annotations

import re

from aptcore.alignment.context import Context, Draft, Link
from aptcore.alignment.matching import NEGATIVE_PREFIXES, match_score

_AGENT_ENDINGS = ("er", "or", "ist", "ant", "ent", "ee", "ian", "man", "eur", "ard", "ers", "ors")
_ENTITY = re.compile(r".*-(?:quantity|entity)$")
_PART_ROLE = re.compile(r":(?:unit|quant|value|day|month|year|dayperiod|weekday|season|time|op1)$")
_ARG_IN = re.compile(r":ARG\d$")


def align_polarity(context: Context, draft: Draft) -> None:
    """Align each ``-`` to the negation nearest to its parent, or to its parent's own word."""
    for item in context.items:
        if context.labels[item] != "-" or item in draft.spans or item in context.nodes:
            continue
        parent = context.links[item][0].other
        span = draft.spans.get(parent)
        if span is None:
            continue
        if has_negative_form(context.words[span[0]].token, context.labels[parent]):
            draft.put(item, *span, "rule")


def has_negative_form(token: str, label: str) -> bool:
    """Tell whether a word holds its own negation: "unhappy", "careless".

    >>> has_negative_form("unhappy", "happy-01"), has_negative_form("union", "union")
    (True, False)
    """
    base = label.rstrip("0123456789-")
    if token.endswith("less") and token.startswith(base[:3]) and not base.endswith("less"):
        return True
    return any(
        token.startswith(prefix)
        and not base.startswith(prefix)
        and token[len(prefix) : len(prefix) + 3] == base[:3]
        for prefix in NEGATIVE_PREFIXES
    )


def align_wrappers(context: Context, draft: Draft) -> None:
    """Align what has no word of its own to the word of a part of it or of its parent."""
    for item in reversed(context.items):
        if item in draft.spans:
            continue
        span = _wrapped_span(context, draft, item)
        if span is not None:
            draft.put(item, *span, "rule")


def _wrapped_span(context: Context, draft: Draft, item: str) -> tuple[int, int] | None:
    label = context.labels[item]
    links = context.links[item]
    if item not in context.nodes:
        return _attribute_span(context, draft, item, links[0])
    named = [link.other for link in links if link.is_out and link.role == ":name"]
    if named:
        return draft.spans.get(named[0])
    if label == "name":
        return _first_span(draft, [link for link in links if link.role == ":name"])
    if _ENTITY.match(label):
        return _first_span(draft, [k for k in links if k.is_out and _PART_ROLE.match(k.role)])
    if label in ("person", "thing"):
        frames = [link for link in links if not link.is_out and _ARG_IN.match(link.role)]
        if label == "person":
            frames.sort(key=lambda link: not _is_agent(context, draft, link.other))
        return _first_span(draft, frames)
    if label in ("have-org-role-91", "have-rel-role-91"):
        return _first_span(
            draft, [k for role in (":ARG2", ":ARG3") for k in links if k.role == role]
        )
    if label == "have-degree-91":
        return _first_span(
            draft, [k for role in (":ARG3", ":ARG2") for k in links if k.role == role]
        )
    if label == "you" and any(
        context.labels[mode] == "imperative"
        for link in links
        for mode in context.targets(link.other, ":mode")
    ):
        return _first_span(draft, [link for link in links if not link.is_out])
    return None


def _attribute_span(
    context: Context, draft: Draft, item: str, link: Link
) -> tuple[int, int] | None:
    label = context.labels[item]
    if link.role in (":mode", ":wiki") or link.role.startswith(":op"):
        return draft.spans.get(link.other)
    if context.labels[link.other] in ("ordinal-entity", "percentage-entity", "date-entity"):
        return draft.spans.get(link.other)
    return draft.spans.get(link.other) if label == "-" else None


def _is_agent(context: Context, draft: Draft, frame: str) -> bool:
    span = draft.spans.get(frame)
    return span is not None and context.words[span[0]].token.endswith(_AGENT_ENDINGS)


def _first_span(draft: Draft, links: list[Link]) -> tuple[int, int] | None:
    return next((draft.spans[link.other] for link in links if link.other in draft.spans), None)


def matches_own_word(context: Context, draft: Draft, item: str) -> bool:
    """Tell whether an aligned item's label matches the word that it is aligned to."""
    start, end = draft.spans[item]
    return any(match_score(context.labels[item], context.words[p]) > 0 for p in range(start, end))
