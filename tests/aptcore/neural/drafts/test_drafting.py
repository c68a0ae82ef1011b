"""Decoding along a draft gives what greedy decoding step by step gives, and sooner."""

from itertools import accumulate

import pytest

from aptcore.errors import IllegalActionError
from aptcore.neural.drafts import drafting
from aptcore.neural.drafts.drafting import decode_along
from aptcore.neural.drafts.earlier import EarlierWalk
from aptcore.neural.drafts.habits import Habits
from aptcore.neural.walks import moments_of
from aptcore.transition.actions import format_action
from aptcore.transition.machine import advance, start
from aptcore.transition.sets import ACTION_SETS, parse_action, parse_label
from tests.aptcore.tiny import SENTENCES, decoder_of, encoded_by, random_walk, tiny_model


def along(decoder, sentence, prefix, walk):
    """Decode under a prefix along another walk; gives the walk found and what came up."""
    draft, watched = None, []
    if walk is not None:
        moments = moments_of(decoder, sentence, walk)
        draft = EarlierWalk(walk, [moment.state for moment in moments[:-1]])
    encoded = encoded_by(list(decoder.models), sentence)
    found, read = decode_along(decoder, sentence, encoded, prefix, draft, watched)
    if read is not None:
        assert [len(moment.state.actions) for moment in read.moments] == list(
            range(len(found.state.actions))
        )
    return found, watched


def step_by_step(decoder, sentence, prefix):
    watched, encoded = [], encoded_by(list(decoder.models), sentence)
    (found,) = decoder.decode([sentence], encoded, [prefix], watched)
    return found, watched


def assert_same(one, other):
    (found, watched), (plain, seen) = one, other
    assert found.state == plain.state
    assert found.reading == plain.reading
    assert found.hit_caps == plain.hit_caps
    assert found.score == pytest.approx(plain.score, abs=1e-4)
    assert len(watched) == len(seen)
    for (entry,), (known,) in zip(watched, seen, strict=True):
        assert entry.score == pytest.approx(known.score, abs=1e-4)
        assert (entry.action, entry.parent, entry.place, entry.status) == (
            known.action, known.parent, known.place, known.status)  # fmt: skip


@pytest.fixture(params=["right", "wrong"])
def habits(request, monkeypatch):
    """Guesses that mostly hold for some walk, and others that never do."""
    guesses = {"before\tREDUCE\t0": ("REDUCE", 0, 0.9), "before\tSHIFT\t0": ("REDUCE", 0, 0.9),
               "before\tPRED(boy)\t1": ("SHIFT", 0, 0.9)}  # fmt: skip
    if request.param == "wrong":
        guesses = dict.fromkeys(guesses, ("LA(:ARG0)", 1, 0.9))
    actions = {label: parse_label(label) for label, *_ in guesses.values()}
    monkeypatch.setattr(drafting, "shipped_habits", lambda action_set: Habits(guesses, actions))


@pytest.mark.usefixtures("habits")
@pytest.mark.parametrize("action_set", ACTION_SETS.values(), ids=ACTION_SETS)
@pytest.mark.parametrize("num_models", [1, 2])
def test_any_draft_gives_the_greedy_walk(action_set, num_models):
    for seed in range(2):
        models = [tiny_model(seed + 10 * n) for n in range(num_models)]
        decoder = decoder_of(*models, beam=1, action_set=action_set, actions_per_token=3)
        for sentence in SENTENCES[:2]:
            own = step_by_step(decoder, sentence, ())[0].state.actions
            other = random_walk(sentence, seed, action_set)
            for prefix in (own[:1], own[: len(own) // 2], other[: len(other) // 2], other):
                plain = step_by_step(decoder, sentence, prefix)
                for draft in (own, other, None):
                    assert_same(along(decoder, sentence, prefix, draft), plain)


def test_a_draft_that_holds_is_read_in_one_pass(monkeypatch):
    decoder, sentence = decoder_of(tiny_model(1), beam=1), SENTENCES[0]
    own, _ = step_by_step(decoder, sentence, ())
    passes = []
    read = drafting.read_walk
    monkeypatch.setattr(drafting, "read_walk", lambda *a: passes.append(a) or read(*a))
    monkeypatch.setattr(drafting.StepCache, "step", None)
    found, _ = along(decoder, sentence, own.state.actions[:2], own.state.actions)
    assert (found.state, len(passes)) == (own.state, 1)


def test_pointers_of_a_draft_go_along_with_what_they_named():
    earlier = ["REDUCE", "PRED(boy)", "SHIFT", "PRED(want-01)", "LA(1, :ARG0)", "SHIFT"]
    now = ["PRED(boy)", "SHIFT", "PRED(boy)", "SHIFT", "PRED(want-01)", "LA(2, :ARG0)", "SHIFT"]
    earlier, now = map(parse_action, earlier), map(parse_action, now)
    *states, _ = accumulate(actions := tuple(earlier), advance, initial=start(SENTENCES[0]))
    draft, state, proposed = EarlierWalk(actions, states), start(SENTENCES[0]), []
    for action in now:
        proposed.append(draft.proposed())
        state = advance(state, action)
        draft.follow(action, state)
    assert [*map(format_action, proposed)] == [
        "REDUCE", "REDUCE", "PRED(boy)", "SHIFT", "PRED(want-01)", "LA(2, :ARG0)", "SHIFT"
    ]  # fmt: skip
    assert draft.proposed() is None


def test_an_illegal_prefix_is_refused_with_its_step():
    decoder = decoder_of(tiny_model(), beam=1)
    walk = random_walk(SENTENCES[1], 2)
    with pytest.raises(IllegalActionError, match="step 0"):
        along(decoder, SENTENCES[1], walk[-1:], walk)
