"""Why each kind of action can come next or not."""

from __future__ import annotations

from aptcore.transition.edge_choices import edge_choices
from aptcore.transition.legality import (
    why_no_copy,
    why_no_edge,
    why_no_item,
    why_no_link,
    why_no_merge,
    why_no_reduce,
    why_no_root,
    why_no_shift,
)
from aptcore.transition.state import ParserState


def kind_reasons(state: ParserState) -> list[tuple[str, str | None]]:
    """Say for every kind of action why it cannot come next; None where it can."""
    choices = edge_choices(state)
    no_edge = why_no_edge(state)
    concepts = [item.position for item in state.roots if not item.is_constant]
    no_root = why_no_root(state, concepts[-1]) if concepts else "there is no concept to mark"
    kinds = [
        ("SHIFT", why_no_shift(state)),
        ("REDUCE", why_no_reduce(state)),
        ("MERGE", why_no_merge(state)),
        ("COPY(lemma)", why_no_copy(state, "lemma")),
        ("COPY(sense)", why_no_copy(state, "sense")),
        ("COPY(token)", why_no_copy(state, "token")),
        ("PRED", why_no_item(state)),
        ("CONST", why_no_item(state)),
        ("SUBGRAPH", why_no_item(state)),
        ("LA", no_edge or (None if choices.left else "the last item can point to no other item")),
        ("RA", no_edge or (None if choices.right else "no other item can point to the last one")),
        ("ROOT", no_root),
    ]
    if state.action_set == "exact":
        kinds.insert(-1, ("LINK", why_no_link(state)))
    return kinds
