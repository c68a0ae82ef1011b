import pytest

from aptcore.graph.amr import Sentence
from aptcore.neural.masks import LabelMasks, first_reading, steps_of, walk_of
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.transition.actions import format_label
from aptcore.transition.arcs import LeftArc, RightArc
from aptcore.transition.closing import Link, Root
from aptcore.transition.edge_choices import edge_choices
from aptcore.transition.items import Copy, Pred
from aptcore.transition.limits import Limits
from aptcore.transition.machine import advance, replay, start
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.reading import read_action
from aptcore.transition.sets import ACTION_SETS, EXACT, PAPER
from aptcore.words.tokens import tokenize
from tests.aptcore.neural.slow_model import legal_labels
from tests.aptcore.tiny import LABELS, SENTENCES, all_legal, random_walk, vocabulary


def slow_labels(state):
    """The legal labels, by asking why_illegal about every action."""
    return {format_label(action) for action in all_legal(state)}


def fast_labels(masks, state):
    choices = edge_choices(state)
    number = masks.row(state, choices)
    row = masks.table[number].clone()
    row[masks.exceptions(choices)] = False
    return {masks.vocabulary.decode(index) for index in row.nonzero()[:, 0].tolist()}


@pytest.mark.parametrize("action_set", ACTION_SETS.values(), ids=ACTION_SETS)
@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda s: s.id)
def test_fast_masks_equal_their_slow_twins(sentence, action_set):
    masks = LabelMasks(vocabulary())
    for seed in range(12):
        state = start(sentence, action_set)
        for action in random_walk(sentence, seed, action_set):
            assert fast_labels(masks, state) == slow_labels(state)
            choices = edge_choices(state)
            for is_left, kind in ((True, LeftArc), (False, RightArc)):
                fast = {state.roots[place].position for place in choices.of(is_left, ":ARG0")}
                slow = {a.position for a in all_legal(state)
                        if isinstance(a, kind) and a.role == ":ARG0"}  # fmt: skip
                assert fast == slow
            links = {state.roots[place].position for place in choices.places.get(Link, ())}
            assert links == {a.position for a in all_legal(state) if isinstance(a, Link)}
            state = advance(state, action)


WALK = (Copy("lemma"), Shift(), Pred("want-01"), LeftArc(0, ":ARG0"), LeftArc(0, ":ARG1"), Shift(),
        Pred("boy"), RightArc(2, ":ARG1"), Shift(), Root(2))  # fmt: skip
THREE = Sentence("", "a b c", ("a", "b", "c"), ("a", "b", "c"))


def test_edges_are_read_as_new_views_of_the_last_item():
    masks = LabelMasks(vocabulary())
    walk, state, _ = walk_of(THREE, WALK, masks, PAPER, True)
    assert state.is_closed
    names = [masks.vocabulary.decode(index) for index in walk.ids]
    assert names[3:6] == ["PRED(want-01)"] * 3
    assert [masks.vocabulary.decode(i) if i >= 0 else "" for i in walk.edge_ids[3:6]] == [
        "", "LA(:ARG0)", "LA(:ARG1)"
    ]  # fmt: skip


def test_pointers_name_the_newest_input_position_of_an_item():
    walk, _, _ = walk_of(THREE, WALK, LabelMasks(vocabulary()), PAPER, True)
    # want-01 is made by action 2 and has two edges: position 2 + 1 + 2
    assert walk.pointers == [-1, -1, -1, 1, 1, -1, -1, 5, -1, 5]


def test_without_the_graph_embedding_pointers_name_the_making_action():
    walk, _, _ = walk_of(THREE, WALK, LabelMasks(vocabulary()), PAPER, False)
    assert walk.pointers == [-1, -1, -1, 1, 1, -1, -1, 3, -1, 3]
    assert not walk.left


def test_graph_heads_see_neighbours_by_direction_and_themselves():
    masks = LabelMasks(vocabulary())
    walk, _, _ = walk_of(THREE, WALK, masks, PAPER, True)
    links = steps_of([walk]).links[0]
    left = [row.nonzero()[:, 0].tolist() for row in links[0]]
    right = [row.nonzero()[:, 0].tolist() for row in links[1]]
    assert left[1] == right[1] == [1]
    assert left[2] == right[2] == []  # a SHIFT is neither item nor edge
    assert left[3:6] == [[3], [1, 4], [1, 5]]
    assert right[3:6] == [[3], [4], [5]]
    assert right[8] == [5, 8]
    assert left[8] == [8]


def test_a_label_outside_the_vocabulary_has_no_target_and_is_read_as_unknown():
    masks = LabelMasks(vocabulary())
    walk, _, _ = walk_of(THREE, (Pred("never-seen"), Shift()), masks, PAPER, True)
    assert walk.targets[0] == -1
    assert masks.vocabulary.decode(walk.ids[1]) == "<unknown>"


def test_every_oracle_label_is_legal_in_its_row():
    masks = LabelMasks(vocabulary())
    walks = [walk_of(s, random_walk(s, 4), masks, PAPER, True)[0] for s in SENTENCES]
    legal = legal_labels(walks, masks)
    for number, walk in enumerate(walks):
        for step, target in enumerate(walk.targets):
            assert legal[number, step, target]


def test_reading_incrementally_equals_reading_the_whole_walk():
    masks = LabelMasks(vocabulary())
    walk, _, last = walk_of(THREE, WALK, masks, PAPER, True)
    reading, state = first_reading(masks.vocabulary), start(THREE, PAPER)
    for step, action in enumerate(WALK):
        assert (reading.id, reading.edge_id) == (walk.ids[step], walk.edge_ids[step])
        label = masks.vocabulary.encode(format_label(action))
        reading = read_action(reading, state, action, label, True)
        state = advance(state, action)
    assert reading == last
    assert state == replay(THREE, WALK, PAPER)


def test_a_linked_item_is_read_again_with_all_its_neighbours():
    actions = (Pred("a"), Shift(), Pred("b"), LeftArc(0, ":mod"), Shift(), Pred("want-01"),
               Pred("boy"), RightArc(5, ":ARG0"), Pred("boy"), RightArc(5, ":ARG1"), Shift(),
               Link(2), RightArc(5, ":ARG0"), Root(5))  # fmt: skip
    masks = LabelMasks(ActionVocabulary.from_labels(["PRED(a)", "PRED(b)", *LABELS], EXACT))
    walk, state, reading = walk_of(THREE, actions, masks, EXACT, True)
    assert state.is_closed
    assert walk.pointers == [-1, -1, -1, 1, -1, -1, -1, 6, -1, 6, -1, 4, 6, 6]
    names = [masks.vocabulary.decode(index) for index in walk.ids]
    assert names[12:] == ["PRED(b)", "PRED(b)"]
    edges = [masks.vocabulary.decode(index) for index in walk.edge_ids[12:]]
    assert edges == ["LINK", "RA(:ARG0)"]
    links = steps_of([walk]).links[0]
    left = [row.nonzero()[:, 0].tolist() for row in links[0]]
    right = [row.nonzero()[:, 0].tolist() for row in links[1]]
    assert left[12:] == [[1, 12], [1, 13]]
    assert right[12:] == [[12], [6, 13]]
    assert walk.items[-1] == reading.positions == (1, 13, 6, 8, 10)


def test_frames_that_no_list_has_are_made_by_no_copy_and_stopgaps_by_no_pred():
    labels = ["PRED(ambit-01)", "PRED(fast-00)", "PRED(boy)", "COPY(verb)"]
    masks = LabelMasks(ActionVocabulary.from_labels(labels, EXACT))
    derived = ((("verb", "goo-01"),), (("verb", "go-02"),))
    sentence = Sentence("s", "boas go", ("boas", "go"), ("boas", "go"), derived)
    state = start(sentence, EXACT)
    bare = allowed(masks, state, Limits())
    listed = allowed(masks, state, Limits(rolesets=True))
    assert bare - listed == {"COPY(sense)", "COPY(verb)", "PRED(fast-00)"}
    later = advance(state, Reduce())
    assert allowed(masks, later, Limits()) - allowed(masks, later, Limits(rolesets=True)) == {
        "PRED(fast-00)"
    }


NAMED = "SUBGRAPH((thing :name (name :op* {words})))"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("2002-12-31", set()),
        ("12/05/2019", set()),
        ("6:30", {"COPY(token)"}),
        ("6:30 pm", {"COPY(token)"}),
        ("half past nine", {NAMED, "COPY(lemma)", "COPY(sense)", "COPY(token)"}),
        ("$42,000", set()),
        ("$ 3.5 million", set()),
        ("50%", set()),
        ("-5 °C", set()),
        ("5-1", set()),
        ("half-time", {NAMED, "COPY(token)"}),
        ("21 – 14", set()),
        ("&", {NAMED, "COPY(token)"}),
        ("...", {NAMED, "COPY(token)"}),
    ],
)
def test_copies_make_no_string_or_concept_of_a_value_and_no_concept_of_a_sign(
    text: str, kept: set[str]
) -> None:
    masks = LabelMasks(ActionVocabulary.from_labels([NAMED], EXACT))
    sentence = tokenize(text)
    state = start(sentence, EXACT)
    for _ in sentence.tokens[1:]:
        state = advance(state, Merge())
    assert allowed(masks, state, Limits(barred=(Merge, Reduce), well_formed=True)) == kept


def test_labels_that_name_what_no_graph_may_hold_are_not_made() -> None:
    bad = ["PRED(.)", "PRED(%)", "PRED(mr.)", 'CONST("2002-12-31")', 'CONST("$5")', "PRED($-01)"]
    bad += ["PRED(2)", "PRED(-)"]
    good = ["PRED(boy)", 'CONST("18:30")', 'CONST("ERK1/2")', "CONST(-)", "PRED(3d)", "CONST(5)"]
    masks = LabelMasks(ActionVocabulary.from_labels([*bad, *good], EXACT))
    state = start(tokenize("boy"), EXACT)
    bare, kept = (allowed(masks, state, Limits(well_formed=flag)) for flag in (False, True))
    assert bare - kept == set(bad)
    assert kept >= set(good)


def allowed(masks: LabelMasks, state, limits: Limits) -> set[str]:
    """The labels of a state's row."""
    row = masks.row(state, edge_choices(state), limits)
    return {
        label
        for label, is_in in zip(masks.vocabulary.labels, masks.table[row].tolist(), strict=True)
        if is_in
    }
