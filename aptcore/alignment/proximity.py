"""Place what nothing else could place: at a word or a neighbour near by in the graph."""

from __future__ import annotations

from aptcore.alignment.choosing import place
from aptcore.alignment.closed_class import CLOSED_CLASS, FUNCTION_WORDS
from aptcore.alignment.context import MARK_UP, Context, Draft, Span
from aptcore.alignment.options import Options
from aptcore.alignment.structure import leans_on_neighbour

REACH = 3
"""Words between a free word and the nearest aligned neighbour, at most."""


def align_free_words(context: Context, draft: Draft) -> None:
    """Align concepts to content words near their neighbours that no other item has.

    So "got out" comes to its escape-01, which shares no letter with it. Concepts that
    only frame others ("cause-01", "have-degree-91") have no content word to look for.
    """
    free = [
        (position, position + 1)
        for position, word in enumerate(context.words)
        if position not in draft.owners
        and context.letters[position]
        and word.lemma not in FUNCTION_WORDS
        and not MARK_UP.search(word.token)
    ]
    options: dict[str, Options] = {}
    for item in context.items:
        label = context.labels[item]
        if item in draft.spans or item not in context.nodes or leans_on_neighbour(context, item):
            continue
        if label in CLOSED_CLASS or label.endswith("-91"):
            continue
        near = [draft.spans[k.other] for k in context.links[item] if k.other in draft.spans]
        options[item] = {
            span: (0.5, "proximity")
            for span in free
            if any(_gap(span, other) <= REACH for other in near)
        }
    place(context, draft, options)


def _gap(left: Span, right: Span) -> int:
    return max(left[0] - right[1], right[0] - left[1], 0)


def align_rest(context: Context, draft: Draft) -> None:
    """Align every remaining item to a neighbour's words, nearest in the graph first.

    A parent's words are taken before a child's, so that a piece without words ends at
    the word that it depends on. With nothing aligned at all, the first word is taken.
    """
    waiting = dict.fromkeys(item for item in context.items if item not in draft.spans)
    ready = list(waiting)
    while waiting:
        near = {item: _nearest(context, draft, item) for item in ready if item in waiting}
        placed = [item for item, span in near.items() if span is not None]
        for item in placed:
            draft.put(item, near[item] or (0, 1), "proximity")
            del waiting[item]
        if not placed:
            first = next(iter(waiting))
            draft.put(first, (0, 1), "proximity")
            del waiting[first]
            placed = [first]
        order = dict.fromkeys(k.other for item in placed for k in context.links[item])
        ready = [item for item in order if item in waiting]


def _nearest(context: Context, draft: Draft, item: str) -> Span | None:
    """Give the words of an aligned neighbour, a parent's before a child's."""
    near = [link for link in context.links[item] if link.other in draft.spans]
    near.sort(key=lambda link: link.is_out)
    return draft.spans[near[0].other] if near else None
