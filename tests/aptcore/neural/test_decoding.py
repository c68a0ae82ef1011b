import pytest
import torch

from aptcore.errors import ConfigurationError, IllegalActionError
from aptcore.graph.amr import Sentence
from aptcore.graph.roles import is_single_role
from aptcore.graph.validation import problems_of
from aptcore.neural.masks import LabelMasks, add_step, steps_of, walk_of
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.steps.cache import StepCache
from aptcore.neural.steps.next_steps import NextSteps
from aptcore.neural.steps.stepper import Stepper
from aptcore.neural.tracing import steps_read
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.neural.walks import moments_of, read_walk
from aptcore.transition.actions import format_label
from aptcore.transition.building import repaired_graph
from aptcore.transition.edge_choices import edge_choices
from aptcore.transition.items import Pred
from aptcore.transition.limits import Limits
from aptcore.transition.machine import replay, start
from aptcore.transition.moves import Reduce
from aptcore.transition.sets import ACTION_SETS, EXACT, PAPER
from tests.aptcore.tiny import (
    LABELS,
    SENTENCES,
    decoder_of,
    encoded_by,
    random_walk,
    tiny_model,
    vocabulary,
)

SWITCHES = [
    {},
    {"graph_embedding": False},
    {"cursor_masks": False},
    {"edge_label_input": False},
    {"graph_embedding": False, "cursor_masks": False},
    {"num_heads": 8},
]


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("first", [1, 5])
@pytest.mark.parametrize("action_set", ACTION_SETS.values(), ids=ACTION_SETS)
def test_cached_steps_equal_one_pass_over_the_whole_walk(switches, first, action_set):
    model, sentence = tiny_model(2, **switches), SENTENCES[0]
    graph_embedding = model.config.graph_embedding
    masks, actions = LabelMasks(vocabulary()), random_walk(sentence, 8, action_set)
    assert ("LINK" in map(format_label, actions)) == (action_set is EXACT)
    walk, _, _ = walk_of(sentence, actions, masks, action_set, graph_embedding)
    (encoded,) = encoded_by([model], sentence)
    with torch.inference_mode():
        whole = model(encoded, steps_of([walk]))
    stepper = Stepper(model)
    cache = StepCache.start(encoded, stepper)
    for t in range(first - 1, len(walk)):
        read, state, reading = walk_of(sentence, actions[:t], masks, action_set, graph_embedding)
        if t < first:
            add_step(read, reading, state)
            logits, pointer = cache.read(model, encoded, steps_of([read]))
        else:
            stands, sizes = [(reading, state.cursor)], [len(sentence.tokens) + 1]
            step = NextSteps.of(stands, sizes, model.config, model.device)
            logits, pointer = cache.step(stepper, step)
        torch.testing.assert_close(logits[0], whole.logits[t])
        torch.testing.assert_close(pointer[0], whole.pointer[t, : t + 1])


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_several_steps_of_one_walk_equal_one_pass_over_the_whole_walk(switches, count):
    model, sentence = tiny_model(2, **switches), SENTENCES[0]
    decoder = decoder_of(model, action_set=EXACT)
    *moments, _ = moments_of(decoder, sentence, random_walk(sentence, 8, EXACT))
    encoded = encoded_by([model], sentence)
    (whole,) = read_walk(decoder, encoded, moments).outputs
    cache, read = StepCache.start(encoded[0], decoder.steppers[0]), 2
    read_walk(decoder, encoded, moments[:read], [cache])
    while read < len(moments):
        stands = [(m.reading, m.state.cursor) for m in moments[read : read + count]]
        steps = NextSteps.of_walk(
            stands, read, len(sentence.tokens) + 1, model.config, model.device
        )
        logits, pointer = cache.step(decoder.steppers[0], steps)
        for number in range(len(stands)):
            torch.testing.assert_close(logits[number], whole.logits[read + number])
            seen = pointer[number, : read + number + 1]
            torch.testing.assert_close(seen, whole.pointer[read + number, : read + number + 1])
            assert bool((pointer[number, read + number + 1 :] == -torch.inf).all())
        read += len(stands)


def trace_steps(decoder, sentence, actions, encoded, num_forced):
    *moments, end = moments_of(decoder, sentence, actions)
    read = read_walk(decoder, encoded, moments)
    return steps_read(decoder, read, actions, num_forced), end.state


def walks(decoder, *sentences):
    found = decoder.decode(sentences, encoded_by(list(decoder.models), *sentences))
    return [hypothesis.state.actions for hypothesis in found]


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("action_set", ACTION_SETS.values(), ids=ACTION_SETS)
def test_a_batch_gives_what_single_sentences_give(beam, action_set):
    for seed in range(4):
        decoder = decoder_of(tiny_model(seed), beam=beam, action_set=action_set)
        together = walks(decoder, *SENTENCES)
        assert together == [walks(decoder, sentence)[0] for sentence in SENTENCES]


@pytest.mark.parametrize("action_set", ACTION_SETS.values(), ids=ACTION_SETS)
def test_a_forced_prefix_of_its_own_walk_changes_nothing(action_set):
    for seed in range(4):
        decoder = decoder_of(
            tiny_model(seed), beam=1, action_set=action_set, actions_per_token=2, max_items=2
        )
        sentence = SENTENCES[0]
        encoded = encoded_by(list(decoder.models), sentence)
        (actions,) = walks(decoder, sentence)
        for length in range(len(actions) + 1):
            (found,) = decoder.decode([sentence], encoded, [actions[:length]])
            assert found.state.actions == actions


def test_resuming_equals_a_search_that_masks_all_but_the_prefix():
    model, sentence = tiny_model(3), SENTENCES[0]
    prefix = random_walk(sentence, 11)[:6]
    decoder = decoder_of(model, beam=3)
    encoded = encoded_by([model], sentence)
    (resumed,) = decoder.decode([sentence], encoded, [prefix])
    assert resumed.state.actions[:6] == prefix
    # step by step from scratch: read the prefix one action at a time through the cache
    stepwise = decoder_of(model, beam=1)
    walk, _, _ = walk_of(sentence, resumed.state.actions, LabelMasks(vocabulary()), PAPER, True)
    with torch.inference_mode():
        whole = model(encoded[0], steps_of([walk]))
    steps, state = trace_steps(stepwise, sentence, resumed.state.actions, encoded, 6)
    assert state == resumed.state
    assert resumed.score == pytest.approx(sum(s.log_prob for s in steps[6:]), abs=1e-3)
    assert len(whole.logits) == len(steps)


@pytest.mark.parametrize("single_pointer", [False, True])
def test_every_decoded_graph_is_sound_after_its_stated_repairs(single_pointer):
    for seed in range(6):
        decoder = decoder_of(tiny_model(seed), beam=2, single_pointer=single_pointer)
        encoded = encoded_by(list(decoder.models), *SENTENCES)
        for hypothesis in decoder.decode(SENTENCES, encoded):
            replayed = replay(hypothesis.state.sentence, hypothesis.state.actions, PAPER)
            assert replayed.is_closed
            graph, _ = repaired_graph(hypothesis.state)
            assert not [problem for problem in problems_of(graph) if problem.is_error]


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("actions_per_token", [1, 6])
def test_the_own_set_joins_all_that_is_apart_even_at_the_caps(beam, actions_per_token):
    """Pieces that hang on nothing are what the paper's set leaves to repairs."""
    linked = 0
    for seed in range(8):
        decoder = decoder_of(
            tiny_model(seed), beam=beam, action_set=EXACT, actions_per_token=actions_per_token
        )
        encoded = encoded_by(list(decoder.models), *SENTENCES)
        for hypothesis in decoder.decode(SENTENCES, encoded):
            state = replay(hypothesis.state.sentence, hypothesis.state.actions, EXACT)
            assert state.is_closed
            # so few roles that a constant may have to repeat after LINK, for the walk to end
            assert all(repair.text.endswith(" twice") for repair in repaired_graph(state)[1])
            linked += "LINK" in map(format_label, state.actions)
            cap = decoder.options.max_actions(state.sentence)
            most = cap + 2 * len(state.sentence.tokens) + 2 * len(state.roots) + 1
            assert len(state.actions) <= most
    assert linked


def before(found, edge):
    """The label of the action before the one that made an edge."""
    return format_label(found.state.actions[edge.made_by - 1])


def test_a_node_gets_no_second_edge_with_a_role_that_is_single():
    repeated = {True: 0, False: 0}
    for distinct in (True, False):
        for seed in range(8):
            decoder = decoder_of(
                tiny_model(seed), beam=2, action_set=EXACT, distinct_roles=distinct
            )
            for found in decoder.decode(SENTENCES, encoded_by(list(decoder.models), *SENTENCES)):
                # after LINK a second one is better than none
                edges = [e for e in found.state.edges if "LINK" not in before(found, e)]
                pairs = [(edge.source, edge.role) for edge in edges]
                single = [pair for pair in pairs if is_single_role(pair[1])]
                repeated[distinct] += len(single) - len(set(single))
    assert repeated[True] == 0
    assert repeated[False] > 0


def test_a_trace_of_the_own_set_scores_its_links():
    decoder = decoder_of(tiny_model(2), beam=3, action_set=EXACT)
    for sentence in SENTENCES:
        encoded = encoded_by(list(decoder.models), sentence)
        (found,) = decoder.decode([sentence], encoded)
        steps, _ = trace_steps(decoder, sentence, found.state.actions, encoded, 0)
        assert found.score == pytest.approx(sum(s.log_prob for s in steps), abs=1e-2)
        for one in steps:
            assert all(isinstance(weight, float) for _, weight in one.pointer)
            if format_label(one.action) == "LINK":
                assert one.pointer


def test_caps_end_every_walk_and_are_reported():
    for seed in range(6):
        decoder = decoder_of(tiny_model(seed), max_items=1, actions_per_token=1, actions_extra=0)
        for hypothesis in decoder.decode(SENTENCES, encoded_by(list(decoder.models), *SENTENCES)):
            sentence = hypothesis.state.sentence
            assert len(hypothesis.state.actions) <= 3 * len(sentence.tokens) + 3
            assert hypothesis.hit_caps


def test_an_ensemble_of_one_model_three_times_is_that_model():
    model = tiny_model(5)
    alone = walks(decoder_of(model, beam=2), *SENTENCES)
    assert walks(decoder_of(model, model, model, beam=2), *SENTENCES) == alone


def test_an_ensemble_averages_probabilities_not_logarithms():
    first, second, sentence = tiny_model(6), tiny_model(7), SENTENCES[1]
    actions = random_walk(sentence, 2)
    both = decoder_of(first, second)
    probabilities = []
    for decoder in (decoder_of(first), decoder_of(second), both):
        encoded = encoded_by(list(decoder.models), sentence)
        steps, _ = trace_steps(decoder, sentence, actions, encoded, 0)
        probabilities.append(torch.tensor([s.log_prob for s in steps[:1]]).exp())
    torch.testing.assert_close((probabilities[0] + probabilities[1]) / 2, probabilities[2])


def test_probabilities_of_legal_actions_with_single_positions_sum_to_one():
    decoder, sentence = decoder_of(tiny_model(1)), SENTENCES[0]
    encoded = encoded_by(list(decoder.models), sentence)
    steps, _ = trace_steps(decoder, sentence, random_walk(sentence, 0), encoded, 0)
    first = steps[0]
    total = sum(p for _, p in first.alternatives) + torch.tensor(first.log_prob).exp().item()
    assert total <= 1 + 1e-5


def test_an_illegal_prefix_is_refused_with_its_step():
    decoder, sentence = decoder_of(tiny_model()), SENTENCES[0]
    prefix = (Pred("boy"), Reduce())
    encoded = encoded_by(list(decoder.models), sentence)
    with pytest.raises(IllegalActionError, match="at step 1"):
        decoder.decode([sentence], encoded, [prefix])


def test_a_forced_label_that_the_model_does_not_know_is_scored_as_unknown():
    decoder, sentence = decoder_of(tiny_model()), SENTENCES[1]
    encoded = encoded_by(list(decoder.models), sentence)
    (found,) = decoder.decode([sentence], encoded, [(Pred("never-seen"),)])
    steps, _ = trace_steps(decoder, sentence, found.state.actions, encoded, 1)
    assert steps[0].log_prob is None
    assert format_label(steps[0].action) == "PRED(never-seen)"


def test_prefixes_of_unequal_length_are_refused():
    decoder = decoder_of(tiny_model())
    encoded = encoded_by(list(decoder.models), *SENTENCES[:2])
    with pytest.raises(ConfigurationError, match="equally long"):
        decoder.decode(SENTENCES[:2], encoded, [(Pred("boy"),), ()])


def test_options_are_checked():
    with pytest.raises(ConfigurationError):
        DecodingOptions(beam=0)


def test_the_cache_grows_past_its_first_capacity_by_the_walks_that_are_left():
    model = tiny_model()
    cache = StepCache.start(encoded_by([model], *SENTENCES[:2])[0], Stepper(model))
    cache.past.length = cache.capacity
    before = cache.past.layers[0][0].keys.fill_(1.0)
    cache.make_room(1, 1)
    after = cache.past.layers[0][0].keys
    assert cache.capacity == 2 * cache.past.length
    assert len(before) == 2
    assert len(after) == 1
    assert torch.equal(after[:, :, : cache.past.length], before[:1])


def test_walks_longer_than_the_first_capacity_reorder_their_beams():
    words = ("the", "boy", "wants") * 12
    sentence = Sentence("9", " ".join(words), words, words)
    for seed in range(3):
        decoder = decoder_of(tiny_model(seed), beam=4)
        (found,) = decoder.decode([sentence], encoded_by(list(decoder.models), sentence))
        encoded = encoded_by(list(decoder.models), sentence)
        steps, _ = trace_steps(decoder, sentence, found.state.actions, encoded, 0)
        assert found.score == pytest.approx(sum(s.log_prob for s in steps), abs=1e-2)


def test_a_search_tells_how_many_tokens_are_done():
    decoder = decoder_of(tiny_model(4), beam=3)
    told = []
    encoded = encoded_by(list(decoder.models), SENTENCES[0])
    decoder.decode([SENTENCES[0]], encoded, progress=lambda done, size: told.append((done, size)))
    size = len(SENTENCES[0].tokens)
    assert {each for _, each in told} == {size}
    assert told[0] == (0, size)
    assert 0 < told[-1][0] <= size


def test_what_is_too_far_behind_the_best_of_a_step_is_dropped():
    for seed in range(4):
        greedy, tied, narrow, wide = (
            decoder_of(tiny_model(seed), beam=beam, margin=margin)
            for beam, margin in ((1, 2.0), (4, 0.0), (4, 0.5), (4, torch.inf))
        )
        assert walks(tied, *SENTENCES) == walks(greedy, *SENTENCES)
        kept = {}
        for decoder in (narrow, wide):
            watched = kept[decoder] = []
            encoded = encoded_by(list(decoder.models), SENTENCES[0])
            decoder.decode([SENTENCES[0]], encoded, None, watched)
        for entries in kept[narrow]:
            going = [entry.score for entry in entries if entry.status != "pruned"]
            assert min(going) >= max(entry.score for entry in entries) - 0.5
        counts = [sum(e.status == "kept" for each in kept[d] for e in each) for d in (narrow, wide)]
        assert counts[0] < counts[1]


def test_a_watched_search_tells_what_was_kept_and_pruned():
    decoder = decoder_of(tiny_model(4), beam=3)
    watched = []
    encoded = encoded_by(list(decoder.models), SENTENCES[0])
    (found,) = decoder.decode([SENTENCES[0]], encoded, None, watched)
    assert len(watched) >= len(found.state.actions)
    for entries in watched:
        scores = [entry.score for entry in entries]
        assert scores == sorted(scores, reverse=True)
        places = [entry.place for entry in entries if entry.status == "kept"]
        assert len(places) == len(set(places)) <= 3
        assert all(entry.place is None for entry in entries if entry.status != "kept")
    # the winner can be followed back from its closing step through its parents
    step = len(found.state.actions) - 1
    entry = max((e for e in watched[step] if e.status == "closed"), key=lambda e: e.score)
    actions = [entry.action]
    for earlier in reversed(watched[:step]):
        entry = next(e for e in earlier if e.place == entry.parent)
        actions.append(entry.action)
    assert tuple(reversed(actions)) == found.state.actions


def test_a_figure_that_contradicts_the_words_is_not_made():
    masks = LabelMasks(
        ActionVocabulary.from_labels([*LABELS, "CONST(5)", 'CONST("5")', "CONST(7)"])
    )
    assert masks.figures("five") is None
    assert masks.figures("5") == {"5", '"5"'}
    assert masks.figures("4,821") == frozenset()
    state = start(Sentence("", "4821", ("4821",), ("4821",)))
    row = masks.row(state, edge_choices(state), Limits(faithful=True))
    legal = {masks.vocabulary.decode(index) for index in masks.table[row].nonzero()[:, 0].tolist()}
    assert not legal & {"CONST(5)", "CONST(7)"}
    assert "CONST(-)" in legal


def test_a_sentence_with_words_always_gets_a_concept():
    words = ("1", "2")
    sentence = Sentence("8", "1 2", words, words)
    for action_set in (PAPER, EXACT):
        for seed in range(12):
            decoder = decoder_of(
                tiny_model(seed), beam=1, max_items=2, actions_per_token=1, action_set=action_set
            )
            (found,) = decoder.decode([sentence], encoded_by(list(decoder.models), sentence))
            assert found.state.is_closed
            assert not found.state.is_failed or (action_set is PAPER and found.hit_caps)
