"""What mostly comes next: counted in walks, and looked up."""

import json

from aptcore.assets import asset_path
from aptcore.neural.drafts.habits import (
    habits_text,
    learn_habits,
    read_habits,
    shipped_habits,
)
from aptcore.neural.parses import parse_of
from aptcore.neural.walks import moments_of
from aptcore.trace.format import decode_trace
from aptcore.transition.machine import start
from aptcore.transition.sets import EXACT, PAPER, parse_action
from tests.aptcore.tiny import SENTENCES, decoder_of, tiny_model

WALK = ["REDUCE", "PRED(boy)", "SHIFT", "PRED(want-01)", "LA(1, :ARG0)", "SHIFT",
        "REDUCE", "REDUCE", "REDUCE", "LA(3, root)"]  # fmt: skip


def walk_parse():
    moments = moments_of(decoder_of(tiny_model()), SENTENCES[0], [*map(parse_action, WALK)])
    return parse_of(moments[-1], True)


def test_what_was_counted_is_guessed():
    parse = walk_parse()
    text = habits_text(learn_habits([parse] * 3, PAPER, 3))
    habits = read_habits(text, PAPER)
    state, right = start(SENTENCES[0], PAPER), []
    for action in parse.actions:
        guess = habits.guess(state)
        right.append(guess is not None and guess[0] == action)
        state = action.applied(state)
    assert right == [True] * len(WALK)


def test_what_came_seldom_is_not_guessed():
    assert learn_habits([walk_parse()], PAPER, 4).keys() == {"before\tREDUCE\t0", "made\t\tREDUCE"}
    assert learn_habits([walk_parse()], PAPER, 5) == {}


def test_labels_that_a_set_lacks_are_left_out():
    text = habits_text({"before\t\t0": ("REDUCE", 0, 0.5), "before\tREDUCE\t0": ("JUMP", 0, 0.9)})
    assert read_habits(text, EXACT).guesses.keys() == {"before\t\t0"}


def test_most_guesses_of_the_shipped_habits_hold():
    right = total = 0
    for path in sorted(asset_path("traces").glob("*.json")):
        trace = decode_trace(json.loads(path.read_text("utf-8")))
        habits = shipped_habits(trace.model.action_set)
        for step, state in zip(trace.steps, trace.states, strict=False):
            guess = habits.guess(state)
            right, total = right + (guess is not None and guess[0] == step.action), total + 1
    assert right / total > 0.5
