"""Place what nothing else could place: at the word of a neighbour in the graph."""

from __future__ import annotations

from aptcore.alignment.context import Context, Draft


def align_rest(context: Context, draft: Draft) -> None:
    """Align every remaining item to a neighbour's word, nearest in the graph first.

    A parent's word is taken before a child's, so that a piece without words ends at
    the word that it depends on. With nothing aligned at all, the first word is taken.
    """
    waiting = [item for item in context.items if item not in draft.spans]
    while waiting:
        left: list[str] = []
        for item in waiting:
            near = [k for k in context.links[item] if k.other in draft.spans]
            near.sort(key=lambda link: link.is_out)
            if near:
                draft.put(item, draft.spans[near[0].other], "proximity")
            else:
                left.append(item)
        if len(left) == len(waiting):
            draft.put(left[0], (0, 1), "proximity")
        waiting = [item for item in left if item not in draft.spans]
