"""Place what nothing else could place, by where its neighbours in the graph stand.

First at a free content word near by ("got out" for ``escape-01``), then at a free
function word that leads over to a neighbour ("to" of "to me" for ``opine-01``), and
last at the words of the neighbour that it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aptcore.alignment.choosing import place
from aptcore.alignment.closed_class import CLOSED_CLASS, FUNCTION_WORDS, LINKING_WORDS, ROLE_WORDS
from aptcore.alignment.context import MARK_UP, Context, Draft, Span, concept_base
from aptcore.alignment.options import Options
from aptcore.alignment.structure import describes, leans_on_neighbour

REACH = 3
"""Words between a free word and the nearest aligned neighbour, at most."""

_SKIPPED = frozenset("the a an my your his her its our their do does did is are \" ' `".split())
"""Words that may stand between a linking word and what it leads to."""

_PARTICLES = frozenset("about away back down off out over up whether".split())

_ARGUMENT = re.compile(r":(?:ARG|op)\d+$")


def align_free_words(context: Context, draft: Draft) -> None:
    """Align concepts to content words near their neighbours that no other item has.

    So "got out" comes to its escape-01, which shares no letter with it. Concepts that
    only frame others ("cause-01", "have-degree-91") have no content word to look for.
    """
    free = [
        (position, position + 1)
        for position, word in enumerate(context.words)
        if draft.is_free((position, position + 1))
        and context.letters[position]
        and word.lemma not in FUNCTION_WORDS
        and word.token not in _PARTICLES
        and not MARK_UP.search(word.token)
    ]
    options: dict[str, Options] = {}
    for item in _waiting_concepts(context, draft):
        label = context.labels[item]
        is_frame = label in CLOSED_CLASS or label.endswith("-91")
        if is_frame or leans_on_neighbour(context, item):
            continue
        near = [draft.spans[k.other] for k in context.links[item] if k.other in draft.spans]
        options[item] = {
            span: (0.5, "proximity")
            for span in free
            if any(_gap(span, other) <= REACH for other in near)
        }
    place(context, draft, options)


def _is_described(context: Context, draft: Draft, item: str) -> bool:
    """Tell whether a thing has a frame that describes it and a word: "drawing"."""
    return any(
        not link.is_out and link.other in draft.spans and describes(context, item, link)
        for link in context.links[item]
    )


def _only_modifies(context: Context, item: str) -> bool:
    """Tell whether a frame has nothing but one argument, which it modifies."""
    links = context.links[item]
    return (
        len(links) == 1
        and links[0].is_out
        and bool(_ARGUMENT.match(links[0].role))
        and (item != context.root)
    )


def align_linking_words(context: Context, draft: Draft) -> None:
    """Align concepts that relate others to the free function word that leads to one of them."""
    options: dict[str, Options] = {}
    for item in _waiting_concepts(context, draft):
        label = context.labels[item]
        is_thing = label == concept_base(label) and label not in CLOSED_CLASS
        if is_thing or _only_modifies(context, item) or _is_described(context, draft, item):
            continue
        spans = list(_linking_spans(context, draft, item))
        options[item] = dict.fromkeys(spans, (0.5, "proximity"))
    place(context, draft, options)


def _waiting_concepts(context: Context, draft: Draft) -> Iterator[str]:
    for item in context.items:
        if item in context.nodes and item not in draft.spans:
            yield item


def _gap(left: Span, right: Span) -> int:
    return max(left[0] - right[1], right[0] - left[1], 0)


def _linking_spans(context: Context, draft: Draft, item: str) -> Iterator[Span]:
    """Give the free function words before an item's arguments, or of the role that it has."""
    for link in context.links[item]:
        if link.is_out and link.other in draft.spans:
            leading = LINKING_WORDS if _ARGUMENT.match(link.role) else ROLE_WORDS.get(link.role)
            position = _before(context, draft, link.other) if leading else -1
            if leading and position >= 0 and context.words[position].token in leading:
                yield position, position + 1
        elif not link.is_out and link.role in ROLE_WORDS:
            for position, word in enumerate(context.words):
                if word.token in ROLE_WORDS[link.role] and draft.is_free((position, position + 1)):
                    yield position, position + 1


def _before(context: Context, draft: Draft, item: str) -> int:
    """Give the free position before an item and what modifies it; -1 where another item is."""
    own = {item, *context.around[item]}
    position = draft.spans[item][0] - 1
    while position >= 0:
        owners = draft.owners.get(position) or {}
        if owners and not own.issuperset(owners):
            return -1
        if not owners and context.words[position].token not in _SKIPPED:
            return position
        position -= 1
    return -1


def align_rest(context: Context, draft: Draft) -> None:
    """Align every remaining item to a neighbour's words, nearest in the graph first.

    With nothing aligned at all, the first word is taken.
    """
    waiting = dict.fromkeys(item for item in context.items if item not in draft.spans)
    ready = list(waiting)
    while waiting:
        near = {item: _host_span(context, draft, item) for item in ready if item in waiting}
        found = {item: span for item, span in near.items() if span is not None}
        if not found:
            found = {next(iter(waiting)): (0, 1)}
        for item, span in found.items():
            draft.put(item, span, "proximity")
            del waiting[item]
        order = dict.fromkeys(k.other for item in found for k in context.links[item])
        ready = [item for item in order if item in waiting]


def _host_span(context: Context, draft: Draft, item: str) -> Span | None:
    """Give the words of the aligned neighbour that an item most belongs to.

    A thing goes to the last word that only describes it ("drawing" for the picture that
    is drawn); all else to its parent before a child, so that a piece without words ends
    at the word that it depends on.
    """
    near = [link for link in context.links[item] if link.other in draft.spans]
    described = [draft.spans[link.other] for link in near if describes(context, item, link)]
    if described:
        return max(described)
    near.sort(key=lambda link: link.is_out)
    return draft.spans[near[0].other] if near else None
