"""Which actions a parser state allows, and why it does not allow the others.

``why_illegal`` is the one rule of the transition system: it gives the boolean, the
error text and the tooltip. The rule of each kind of action stands by itself, for
masks and pages.

Source: Zhou and others 2021, section 2 and appendix B. Deviations: constants are
kept apart from concepts, and several edges may join one pair of items.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from aptcore.errors import ActionFormatError
from aptcore.graph.branches import is_token, is_writable_concept
from aptcore.graph.layout import invert_role, is_role_inverted
from aptcore.transition.actions import (
    ROOT_ROLE,
    Action,
    Const,
    Copy,
    EdgeAction,
    LeftArc,
    Link,
    Merge,
    Pred,
    Reduce,
    RightArc,
    Shift,
    Subgraph,
    format_action,
)
from aptcore.transition.pieces import main_piece, num_pieces
from aptcore.transition.state import (
    ParserState,
    copied_lemma,
    derived_concepts,
    last_root,
    repeated_constants,
    root_item_at,
    root_place,
    words_at_cursor,
)
from aptcore.transition.templates import fits, parse_template
from aptcore.words.tokens import has_words


def why_illegal(state: ParserState, action: Action) -> str | None:
    """Say why an action cannot be taken now; None where it can."""
    match action:
        case LeftArc(_, role) if role == ROOT_ROLE:
            return why_no_root(state, action.position)
        case Shift():
            return why_no_shift(state)
        case Reduce():
            return why_no_reduce(state)
        case Merge():
            return why_no_merge(state)
        case Copy(kind):
            return why_no_copy(state, kind)
        case Pred(label):
            return why_no_item(state) or why_no_concept(label)
        case Const(value):
            return why_no_item(state) or _why_no_constant(value)
        case Subgraph(label):
            return why_no_subgraph(state, label)
        case Link(position):
            return why_no_link(state) or _why_no_link_to(state, position)
        case LeftArc() | RightArc():
            return why_no_edge(state) or _why_no_arc(state, action)


def is_legal(state: ParserState, action: Action) -> bool:
    """Tell whether an action can be taken now."""
    return why_illegal(state, action) is None


def legal(state: ParserState, candidates: Iterable[Action]) -> list[Action]:
    """Keep the candidates that can be taken now."""
    return [action for action in candidates if is_legal(state, action)]


def why_no_shift(state: ParserState) -> str | None:
    """Legal when: some item was made at this cursor."""
    if state.is_closed:
        return "the walk is closed"
    if state.is_at_root:
        return "the cursor is past the last word: mark the root with LA(position, root)"
    if state.num_items_here == 0:
        return "nothing was made at this token: use REDUCE"
    return None


def why_no_reduce(state: ParserState) -> str | None:
    """Legal when: nothing was made or merged here; on ``<ROOT>``: no concept exists."""
    if state.is_closed:
        return "the walk is closed"
    if state.is_at_root:
        return None if state.num_concepts == 0 else "there are concepts: mark one as the root"
    if state.num_items_here:
        return "an item was made at this token: use SHIFT"
    if state.span_start != state.cursor:
        return "tokens were merged here: make an item of them first"
    if _would_leave_no_concept(state, state.cursor + 1):
        return "this is the last word and there is no concept yet: make one"
    return None


def _would_leave_no_concept(state: ParserState, cursor: int) -> bool:
    return (
        state.num_concepts == 0
        and cursor == len(state.sentence.tokens)
        and has_words(state.sentence)
    )


def why_no_merge(state: ParserState) -> str | None:
    """Legal when: a next word exists and no item was made here yet."""
    if state.is_closed:
        return "the walk is closed"
    if state.cursor + 1 >= len(state.sentence.tokens):
        return "there is no next word to merge with"
    if state.num_items_here:
        return "an item was made at this token already"
    return None


def why_no_item(state: ParserState) -> str | None:
    """Legal when: a word is under the cursor."""
    if state.is_closed:
        return "the walk is closed"
    if state.is_at_root:
        return "no word is under the cursor: only the root can be marked here"
    return None


def why_no_copy(state: ParserState, kind: str) -> str | None:
    """Legal when: a word is under the cursor and the result is a writable concept."""
    reason = why_no_item(state)
    if reason:
        return reason
    if kind in ("lemma", "sense"):
        return _why_no_lemma(copied_lemma(state))
    if state.action_set != "exact":
        return "not in the paper's action set"
    return None if kind == "token" else _why_no_derived(state, kind)


def _why_no_derived(state: ParserState, kind: str) -> str | None:
    """Legal when: the sentence's tables give the words at the cursor such a concept."""
    if kind in derived_kinds(state):
        return None
    if state.span_start != state.cursor:
        return f"tokens were merged here: no concept of the kind {kind!r} is known for them"
    return f"no concept of the kind {kind!r} is known for “{words_at_cursor(state)}”"


def derived_kinds(state: ParserState) -> Iterable[str]:
    """Give the kinds of COPY beyond lemma, sense and token that are legal at a word."""
    if state.action_set != "exact" or state.is_at_root:
        return ()
    return derived_concepts(state.sentence, state.span_start, state.cursor + 1).keys()


@lru_cache(maxsize=65536)
def _why_no_lemma(lemma: str) -> str | None:
    return None if is_writable_concept(lemma) else f"“{lemma}” cannot be written as a concept"


@lru_cache(maxsize=65536)
def why_no_concept(label: str) -> str | None:
    """Legal when: the label can be written as a concept.

    PRED may also name one in quotation marks, which PENMAN allows and people have
    written (``(c / "Baker")`` in the Emory data); COPY never makes one.
    """
    if is_writable_concept(label) or is_token(label, "string"):
        return None
    return f"“{label}” cannot be written as a concept"


def _why_no_constant(value: str) -> str | None:
    if is_token(value, "string", "symbol"):
        return None
    return f"“{value}” cannot be written as a constant; quote it"


def why_no_subgraph(state: ParserState, label: str) -> str | None:
    """Legal when: a word is under the cursor and the template fits the words."""
    reason = why_no_item(state)
    if reason:
        return reason
    try:
        template = parse_template(label)
    except ActionFormatError as error:
        return str(error)
    if not fits(template.slots, words_at_cursor(state)):
        return f"the words “{words_at_cursor(state)}” do not fill the template"
    return None


def why_no_edge(state: ParserState) -> str | None:
    """Legal when: directly after an item or edge action at this cursor."""
    if state.is_closed:
        return "the walk is closed"
    if state.is_linked:
        return None
    if state.is_at_root:
        return "only the root can be marked here"
    if state.num_items_here == 0:
        return "an edge starts or ends at an item made at this token, and there is none"
    return None


def why_no_root(state: ParserState, position: int) -> str | None:
    """Legal when: the moment is right and a concept was made at ``position``."""
    reason = why_not_rooted(state)
    if reason:
        return reason
    item = root_item_at(state, position)
    if item is None:
        return _no_item_text(state, position)
    return "a constant cannot be the root" if item.is_constant else None


def why_not_rooted(state: ParserState) -> str | None:
    """Legal when: on ``<ROOT>``; in the own set, once everything hangs together."""
    if state.is_closed:
        return "the walk is closed"
    if not state.is_at_root:
        return "the root is marked after the last word"
    if state.is_linked:
        return "an item was linked just now: join it by an edge first"
    if num_pieces(state.pieces) > 1:
        return f"the graph is in {num_pieces(state.pieces)} pieces: join them by LINK and an edge"
    return None


def why_no_link(state: ParserState) -> str | None:
    """Legal when: on ``<ROOT>`` in the own set, while the graph is in more than one piece.

    After it exactly one edge follows, which joins two pieces.
    """
    if state.is_closed:
        return "the walk is closed"
    if state.action_set != "exact":
        return "not in the paper's action set"
    if not state.is_at_root:
        return "what is still apart is linked after the last word"
    if state.is_linked:
        return "an item was linked just now: join it by an edge first"
    if state.num_concepts == 0:
        return "there is no concept to join anything to"
    if num_pieces(state.pieces) == 1:
        return "everything hangs together: mark the root"
    return None


def _why_no_link_to(state: ParserState, position: int) -> str | None:
    """Check what LINK names; the moment is right already."""
    item = root_item_at(state, position)
    if item is None:
        return _no_item_text(state, position)
    if item.is_constant and position in state.parented:
        return f"the constant {item.label} has its one parent already"
    if state.pieces[root_place(state, position)] == main_piece(state.pieces):
        return f"{item.label} is in the largest piece: link an item of a smaller one"
    return None


def _no_item_text(state: ParserState, position: int) -> str:
    choices = ", ".join(str(item.position) for item in state.roots) or "none yet"
    if 0 <= position < len(state.actions):
        made = f"action {position} ({format_action(state.actions[position])}) made no item"
    else:
        made = f"there is no action {position} yet"
    return f"{made}; items were made at: {choices}"


def _why_no_arc(state: ParserState, action: EdgeAction) -> str | None:
    """Check the two ends of an edge; the moment is right already."""
    other = root_item_at(state, action.position)
    if other is None:
        return _no_item_text(state, action.position)
    last = last_root(state)
    if state.is_linked and _hang_together(state, last.position, other.position):
        return f"{last.label} and {other.label} hang together: join two pieces after LINK"
    if other.position == last.position and state.action_set != "exact":
        return "an edge from an item to itself is not in the paper's action set"
    source, target = (last, other) if isinstance(action, LeftArc) else (other, last)
    if not is_token(action.role, "role"):
        return f"“{action.role}” cannot be written as a role"
    if source.is_constant:
        return f"the constant {source.label} cannot have an outgoing edge"
    if is_role_inverted(action.role) and not target.is_constant:
        turned = RightArc if isinstance(action, LeftArc) else LeftArc
        better = format_action(turned(action.position, invert_role(action.role)))
        return f"{action.role} is turned round: write {better}"
    if target.is_constant and target.position in state.parented:
        return f"the constant {target.label} has its one parent already"
    repeated = repeated_constants(state, target) if target.is_constant else ()
    if (source.position, action.role) in repeated and not state.is_linked:
        return f"the constant {target.label} stands at {source.label} {action.role} already"
    for edge in reversed(state.edges):
        if edge.made_by <= last.position:
            break
        if edge.source == source.key and edge.role == action.role and edge.target == target.key:
            return f"the edge {source.label} {action.role} {target.label} exists already"
    return None


def _hang_together(state: ParserState, one: int, other: int) -> bool:
    return state.pieces[root_place(state, one)] == state.pieces[root_place(state, other)]
