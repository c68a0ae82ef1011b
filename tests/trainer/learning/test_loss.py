"""Training reads batches without padding: the same loss and gradients as with padding."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from aptcore.graph.amr import Sentence
from aptcore.neural.encoders.word_encoder import sentence_shapes
from aptcore.neural.masks import LabelMasks, Walk, walk_of
from aptcore.neural.model import AttentionMask, Dropout, attend
from aptcore.neural.padding import Padding
from aptcore.transition.actions import ActionSet
from aptcore.transition.sets import ACTION_SETS, EXACT, PAPER
from tests.aptcore.tiny import SENTENCES, random_walk, tiny_model, vectors_of, vocabulary
from tests.trainer.learning.slow_loss import slow_losses
from trainer.examples.packing import pack_batch, pack_walk
from trainer.learning.loss import Learner, LossSettings

PLAIN = LossSettings(smoothing=0.01, legality=True, legal_pointers=False)


def walks_of(
    seeds: tuple[int, ...], action_set: ActionSet, masks: LabelMasks, graph_embedding: bool
) -> tuple[list[Sentence], list[Walk]]:
    """Random walks over the small sentences, one for each seed."""
    chosen = [SENTENCES[place % len(SENTENCES)] for place in range(len(seeds))]
    walks = []
    for sentence, seed in zip(chosen, seeds, strict=True):
        actions = random_walk(sentence, seed, action_set)
        walks.append(walk_of(sentence, actions, masks, action_set, graph_embedding)[0])
    return chosen, walks


def both_losses(settings, switches, seeds, action_set, dtype=torch.float64):
    """The losses and gradients of the slow twin and of the learner."""
    masks = LabelMasks(vocabulary())
    model = tiny_model(3, **switches).to(dtype)
    sentences, walks = walks_of(seeds, action_set, masks, model.config.graph_embedding)
    walks[0].targets[1] = -1  # a label that the vocabulary lacks
    vectors = [vectors_of(sentence).to(dtype) for sentence in sentences]
    shapes = [sentence_shapes(sentence.tokens) for sentence in sentences]
    results = []
    for is_slow in (True, False):
        model.zero_grad()
        if is_slow:
            losses = torch.stack(
                slow_losses(model, walks, vectors, shapes, masks, **vars(settings))
            )
        else:
            packed = pack_batch([pack_walk(walk) for walk in walks], vectors, shapes)
            losses = Learner(model, masks, settings)(packed)
        losses.sum().backward()
        gradients = {name: value.grad for name, value in model.named_parameters()}
        results.append((losses.detach(), {n: g.clone() for n, g in gradients.items()}))
    return results


SWITCHES = [
    {},
    {"cursor_masks": False},
    {"graph_embedding": False},
    {"edge_label_input": False, "num_shapes": 0},
    {"num_heads": 8},
]


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("action_set", ACTION_SETS.values(), ids=ACTION_SETS)
@pytest.mark.parametrize(
    "settings",
    [PLAIN, LossSettings(0.1, False, False), LossSettings(0.0, True, True)],
    ids=["plain", "no legality", "legal pointers"],
)
def test_packed_losses_and_gradients_equal_those_of_padded_batches(settings, action_set, switches):
    (slow, slow_gradients), (fast, gradients) = both_losses(
        settings, switches, (1, 2, 3, 4, 9), action_set
    )
    torch.testing.assert_close(fast.double(), slow.double(), rtol=1e-6, atol=1e-6)
    for name, gradient in gradients.items():
        torch.testing.assert_close(gradient, slow_gradients[name], rtol=1e-5, atol=1e-6)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 200), min_size=1, max_size=6), st.sampled_from([PAPER, EXACT]))
def test_any_batch_of_walks_has_the_same_loss_packed(seeds, action_set):
    (slow, _), (fast, _) = both_losses(PLAIN, {}, tuple(seeds), action_set, torch.float32)
    torch.testing.assert_close(fast, slow, rtol=1e-5, atol=1e-5)


def look(near, far, mask, padding, dropout=0.0):
    """Attend with two heads from rows to themselves or to other rows; gives the scores as well."""
    inner, outer = padding
    parts = inner.spread(near, 3 if far is None else 1, 2).unbind()
    query, key, value = parts if far is None else (*parts, *outer.spread(far, 2, 2).unbind())
    seen, scores, _ = attend(query, key, value, mask, dropout)
    return inner.joined(seen, 2), scores


def test_attention_has_the_gradients_that_finite_differences_give():
    torch.manual_seed(0)
    steps, words = Padding.of(torch.tensor([3, 1])), Padding.of(torch.tensor([2, 4]))
    near = torch.randn(4, 3 * 2 * 3, dtype=torch.float64, requires_grad=True)
    query = torch.randn(4, 2 * 3, dtype=torch.float64, requires_grad=True)
    far = torch.randn(6, 2 * 2 * 3, dtype=torch.float64, requires_grad=True)
    causal = AttentionMask.of(torch.ones(3, 3, dtype=torch.bool).tril())
    blind = torch.ones(4, 3, 4, dtype=torch.bool)
    blind[:2, :, 2:] = False  # the first sentence has two words
    blind[3, 0] = False  # a step that sees no word
    assert torch.autograd.gradcheck(lambda x: look(x, None, causal, (steps, None))[0], near)

    def crossing(q, kv):
        seen, scores = look(q, kv, AttentionMask.of(blind), (steps, words))
        first_head = scores.view(2, 2, 3, 4)[:, 0].flatten(0, 1)[steps.places]
        return seen, first_head.masked_fill(first_head.isinf(), 0.0)

    assert torch.autograd.gradcheck(crossing, (query, far))


def test_attention_dropout_drops_weights_and_its_gradient_follows():
    steps = Padding.of(torch.tensor([3, 2]))
    causal = AttentionMask.of(torch.ones(3, 3, dtype=torch.bool).tril())
    near = torch.randn(5, 3 * 2 * 3, dtype=torch.float64, requires_grad=True)

    def dropped(x):
        torch.manual_seed(5)
        return look(x, None, causal, (steps, None), dropout=0.5)[0]

    whole = look(near, None, causal, (steps, None))[0]
    assert not torch.equal(dropped(near), whole)
    assert torch.equal(dropped(near), dropped(near))
    assert torch.autograd.gradcheck(dropped, near)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_dropout_keeps_the_mean_and_drops_its_share(share):
    torch.manual_seed(1)
    dropout = Dropout(share)
    x = torch.ones(1000, 301)
    dropped = dropout(x.clone())
    assert (dropped == 0).float().mean().item() == pytest.approx(share, abs=0.005)
    assert dropped.mean().item() == pytest.approx(1, abs=0.005)
    assert dropped.unique().tolist() == pytest.approx([0, 256 / round(256 * (1 - share))])
    torch.manual_seed(1)
    assert torch.equal(dropout(x.clone()), dropped)
    assert torch.equal(dropout.eval()(x), x)


def test_a_packed_walk_keeps_what_training_reads_in_few_bytes():
    masks = LabelMasks(vocabulary())
    sentence = SENTENCES[0]
    walk = walk_of(sentence, random_walk(sentence, 4, EXACT), masks, EXACT, True)[0]
    packed = pack_walk(walk)
    assert len(packed) == len(walk)
    assert packed.targets.tolist() == walk.targets
    for step, positions in enumerate(walk.items):
        newest = [p for p, later in enumerate(packed.steps[6].tolist()) if p <= step < later]
        assert newest == sorted(positions)
    num_bytes = packed.steps.nbytes + packed.pairs.nbytes
    assert num_bytes < 70 * len(walk)
    assert num_bytes < len(vocabulary()) * 4 * len(walk)


def test_padding_and_packing_are_inverse():
    padding = Padding.of(torch.tensor([2, 0, 3]))
    assert padding.places.tolist() == [0, 1, 6, 7, 8]
    assert padding.empty.tolist() == [2, 3, 4, 5]
    assert padding.rows[0, :2].tolist() == [0, 1]
    assert padding.rows[2].tolist() == [2, 3, 4]
    assert padding.steps.tolist() == [0, 1, 0, 1, 2]
    assert padding.sentences.tolist() == [0, 0, 2, 2, 2]
    for parts, heads in ((1, 2), (3, 4)):
        places = padding.heads(parts, heads)
        assert torch.equal(places.rows[places.places], torch.arange(5 * parts * heads))
        assert len(places.places.unique()) == 5 * parts * heads
    places = padding.heads(1, 2)
    assert sorted([*places.places.tolist(), *places.empty.tolist()]) == [*range(3 * 2 * 3)]
