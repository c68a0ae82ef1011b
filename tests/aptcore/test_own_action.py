"""An action is added in one place: a class in a set, and everything takes it from there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from aptcore.errors import ActionFormatError, IllegalActionError
from aptcore.neural.decoding import Decoder
from aptcore.neural.masks import LabelMasks, walk_of
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.trace.making import step_of
from aptcore.transition.actions import PointerAction, format_action, format_label, no_item_text
from aptcore.transition.building import graph_of
from aptcore.transition.edge_choices import edge_choices
from aptcore.transition.items import ItemAction
from aptcore.transition.machine import advance, is_legal, replay, start, why_illegal
from aptcore.transition.sets import ACTION_SETS, EXACT, parse_action, parse_label
from aptcore.transition.state import ParserState, root_item_at, root_place
from aptcore.transition.templates import Piece
from tests.aptcore.tiny import LABELS, encoded_by, tiny_model
from tests.aptcore.walks import sentence_of


@dataclass(frozen=True, slots=True)
class Again(ItemAction, PointerAction):
    """Make one more concept like that made at ``position``: "a red ball and a blue"."""

    page_name = name = "AGAIN"
    form = "AGAIN(position), as in AGAIN(3)"

    @classmethod
    def why_not_here(cls, state: ParserState) -> str | None:
        """Legal when: a word is under the cursor and there is a concept."""
        reason = ItemAction.why_not_here(state)
        return reason or (None if state.num_concepts else "there is no concept to make again")

    def why_not_this(self, state: ParserState) -> str | None:
        """Legal when: it names a concept."""
        item = root_item_at(state, self.position)
        if item is None:
            return no_item_text(state, self.position)
        return "a constant is not made again" if item.is_constant else None

    @classmethod
    def places(cls, state: ParserState) -> tuple[int, ...]:
        """Give all concepts."""
        if cls.why_not_now(state):
            return ()
        return tuple(n for n, item in enumerate(state.roots) if not item.is_constant)

    def made_alone(self, state: ParserState) -> Piece:
        """Make a concept of the same name."""
        return Piece(False, state.roots[root_place(state, self.position)].label)


OWN = replace(
    EXACT,
    name="own",
    title="the set of this test",
    actions=(*EXACT.actions[:7], Again, *EXACT.actions[7:]),
    labels=(*EXACT.labels, "AGAIN"),
)
BALLS = sentence_of("red ball blue")
TEXTS = """
COPY(lemma) | SHIFT | COPY(lemma) | LA(0, :mod) | SHIFT |
COPY(lemma) | AGAIN(2) | LA(5, :mod) | LA(2, :compared-to) | SHIFT | LA(2, root)
"""
WALK = tuple(parse_action(text.strip(), OWN) for text in TEXTS.split("|"))


def test_its_text_and_its_label_are_read_and_written() -> None:
    assert parse_action("AGAIN(12)", OWN) == Again(12)
    assert format_action(Again(12)) == "AGAIN(12)"
    assert format_label(Again(12)) == "AGAIN"
    assert parse_label("AGAIN", 4, OWN) == Again(4)
    with pytest.raises(ActionFormatError, match=r"write AGAIN\(position\), as in AGAIN\(3\)"):
        parse_action("AGAIN(boy)", OWN)


def test_another_set_knows_nothing_of_it() -> None:
    assert OWN not in ACTION_SETS.values()
    with pytest.raises(ActionFormatError, match="unknown action"):
        parse_action("AGAIN(12)")
    assert why_illegal(replay(BALLS, WALK[:1]), Again(0)) == "not in our own action set"


def test_it_says_why_it_is_illegal() -> None:
    state = start(BALLS, OWN)
    assert why_illegal(state, Again(0)) == "there is no concept to make again"
    state = replay(BALLS, [*WALK[:1], parse_action("CONST(-)")], OWN)
    assert why_illegal(state, Again(1)) == "a constant is not made again"
    with pytest.raises(IllegalActionError, match=r"cannot apply AGAIN\(7\) at step 2: there is no"):
        advance(state, Again(7))
    assert "no token is under the cursor" in (
        why_illegal(replay(BALLS, WALK[:-1], OWN), Again(0)) or ""
    )
    assert why_illegal(replay(BALLS, WALK, OWN), Again(0)) == "the walk is closed"


def test_replayed_it_makes_its_part_of_the_graph() -> None:
    graph = graph_of(replay(BALLS, WALK, OWN))
    names = {node.id: node.concept for node in graph.nodes}
    assert [(names[e.source], e.role, names[e.target]) for e in graph.edges] == [
        ("ball", ":mod", "red"),
        ("ball", ":mod", "blue"),
        ("ball", ":compared-to", "ball"),
    ]


def test_pages_and_traces_list_it() -> None:
    state = replay(BALLS, WALK[:6], OWN)
    rows = dict(step_of(state, WALK[6]).legal)
    assert rows["AGAIN"] is None
    assert list(rows)[8:11] == ["SUBGRAPH", "AGAIN", "LA"]
    assert dict(step_of(start(BALLS, OWN), WALK[0]).legal)["AGAIN"].startswith(
        "there is no concept"
    )


def vocabulary() -> ActionVocabulary:
    return ActionVocabulary.from_labels(LABELS, OWN)


def test_vocabulary_masks_and_reading_hold_it() -> None:
    known = vocabulary()
    masks, label = LabelMasks(known, OWN), known.ids["AGAIN"]
    assert OWN.labels == known.labels[3 : 3 + len(OWN.labels)]
    assert EXACT.labels == ActionVocabulary.from_labels([], EXACT).labels[3:]
    walk, _, reading = walk_of(BALLS, WALK, masks, OWN, True)
    assert walk.targets[6] == label
    assert walk.pointers[6] == 4  # the ball, read at 3 and again with its edge at 4
    assert len(reading.positions) == 4
    for step in range(len(WALK)):
        state = replay(BALLS, WALK[:step], OWN)
        places = edge_choices(state).places.get(Again, ())
        positions = [p for p in range(step) if is_legal(state, Again(p))]
        assert [state.roots[place].position for place in places] == positions
        assert bool(masks.table[walk.legal[step], label]) == bool(positions)


def test_the_decoder_takes_it() -> None:
    known, sentence = vocabulary(), sentence_of("red ball blue", id="1")
    options = DecodingOptions(beam=1, actions_per_token=6, actions_extra=4)
    found = []
    for seed in range(6):
        model = tiny_model(seed, vocabulary_size=len(known))
        decoder = Decoder([model], LabelMasks(known, OWN), OWN, options)
        (one,) = decoder.decode([sentence], encoded_by([model], sentence))
        assert replay(sentence, one.state.actions, OWN) == one.state
        found += one.state.actions
    assert any(isinstance(action, Again) for action in found)
