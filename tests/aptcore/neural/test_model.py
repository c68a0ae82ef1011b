import pytest
import torch

from aptcore.errors import CheckpointError, ConfigurationError
from aptcore.neural.checkpoint import load_checkpoint, save_checkpoint
from aptcore.neural.encoders.word_encoder import EncoderConfig
from aptcore.neural.masks import LabelMasks, steps_of, walk_of
from aptcore.neural.model import AptConfig, AptModel, AttentionMask, attend
from aptcore.transition.arcs import EdgeAction
from aptcore.transition.sets import PAPER
from tests.aptcore.tiny import SENTENCES, encoded_by, random_walk, tiny_model, vocabulary


@pytest.mark.parametrize(
    ("layers", "labels", "expected"),
    [
        (6, 4640, 10_545_152),
        (3, 4640, 6_591_488),
        (6, 9288, 12_924_928),
        (3, 9288, 8_971_264),
        (6, 11_680, 14_149_632),
    ],
)
def test_parameter_counts_equal_the_papers(layers, labels, expected):
    config = AptConfig(
        vocabulary_size=labels,
        word_vector_width=1024,
        num_encoder_layers=layers,
        num_decoder_layers=layers,
        num_graph_layers=layers // 2 + layers % 2,
    )
    assert sum(p.numel() for p in AptModel(config).parameters()) == expected


def test_rows_that_see_nothing_give_zero():
    mask = AttentionMask.of(torch.tensor([[True, False, True], [False] * 3]))
    query, key, value = (torch.randn(1, rows, 4) for rows in (2, 3, 3))
    seen, _, weights = attend(query, key, value, mask)
    assert weights[0, 1].tolist() == [0, 0, 0]
    assert weights[0, 0].sum().item() == pytest.approx(1)
    assert seen[0, 1].tolist() == [0, 0, 0, 0]


def output_of(model, sentence, actions, graph_embedding=True):
    masks = LabelMasks(vocabulary())
    walk, _, _ = walk_of(sentence, actions, masks, PAPER, graph_embedding)
    (encoded,) = encoded_by([model], sentence)
    with torch.inference_mode():
        return model(encoded, steps_of([walk]))


def test_an_earlier_step_does_not_see_later_actions():
    model, sentence = tiny_model(), SENTENCES[0]
    actions = random_walk(sentence, 3)
    whole = output_of(model, sentence, actions)
    part = output_of(model, sentence, actions[:7])
    torch.testing.assert_close(whole.logits[:7], part.logits)
    torch.testing.assert_close(whole.pointer[:7, :7], part.pointer)


def test_the_cursor_head_sees_only_the_token_at_the_cursor():
    model, sentence = tiny_model(), SENTENCES[0]
    actions = random_walk(sentence, 5)
    walk, _, _ = walk_of(sentence, actions, LabelMasks(vocabulary()), PAPER, True)
    for weights in output_of(model, sentence, actions).token_attention:
        for step, cursor in enumerate(walk.cursor):
            assert weights[0, 0, step].argmax() == cursor
            assert weights[0, 0, step, cursor] == 1
            assert weights[0, 1, step, : cursor + 1].sum() == 0
            after = weights[0, 1, step].sum().item()
            assert after == pytest.approx(0 if cursor == len(sentence.tokens) else 1)


def test_weights_of_self_attention_are_told_and_change_nothing():
    model, sentence = tiny_model(), SENTENCES[0]
    candidates = (random_walk(sentence, seed) for seed in range(99))
    actions = next(walk for walk in candidates if any(isinstance(a, EdgeAction) for a in walk[:-1]))
    walk, _, _ = walk_of(sentence, actions, LabelMasks(vocabulary()), PAPER, True)
    (encoded,) = encoded_by([model], sentence)
    steps, told = steps_of([walk]), []
    with torch.inference_mode():
        watched = model(encoded, steps, looked_back=told)
        plain = model(encoded, steps)
    torch.testing.assert_close(watched.logits, plain.logits)
    torch.testing.assert_close(watched.pointer, plain.pointer)
    torch.testing.assert_close(told[-1][0, 0], plain.pointer.exp())
    sees = steps.links[0].any(-1).float()  # (2, T)
    for number, weights in enumerate(told):
        assert weights[0].triu(1).sum() == 0
        totals = weights[0].sum(-1)
        expected = torch.ones_like(totals)
        if model.layers[number].has_graph_heads:
            expected[2:4] = sees
            assert weights[0, 2:4][~steps.links[0]].sum() == 0
        torch.testing.assert_close(totals, expected)


@pytest.mark.parametrize("switch", ["cursor_masks", "graph_embedding", "edge_label_input"])
def test_every_switch_changes_the_output(switch):
    sentence = SENTENCES[0]
    candidates = (random_walk(sentence, seed) for seed in range(99))
    actions = next(walk for walk in candidates if any(isinstance(a, EdgeAction) for a in walk[:-1]))
    on = output_of(tiny_model(1), sentence, actions)
    off = output_of(
        tiny_model(1, **{switch: False}), sentence, actions, switch != "graph_embedding"
    )
    assert not torch.allclose(on.logits, off.logits)


def test_padding_does_not_change_a_sentence():
    model = tiny_model()
    alone = encoded_by([model], SENTENCES[1])[0]
    batch = encoded_by([model], *SENTENCES)[0]
    tokens = len(SENTENCES[1].tokens) + 1
    for one, many in zip(alone.keys, batch.keys, strict=True):
        torch.testing.assert_close(one[0], many[1, :, :tokens])


def test_saved_and_loaded_models_give_the_same_bits(tmp_path):
    model = tiny_model()
    save_checkpoint(tmp_path, model, vocabulary(), EncoderConfig(), PAPER, "paper", "tiny")
    loaded = load_checkpoint(tmp_path)
    assert (loaded.name, loaded.variant) == ("tiny", "paper")
    actions = random_walk(SENTENCES[0], 1)
    before, after = (output_of(m, SENTENCES[0], actions) for m in (model, loaded.model))
    assert torch.equal(before.logits, after.logits)
    assert torch.equal(before.pointer, after.pointer)


def test_a_damaged_model_folder_is_named(tmp_path):
    save_checkpoint(tmp_path, tiny_model(), vocabulary(), EncoderConfig(), PAPER, "paper", "tiny")
    (tmp_path / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(CheckpointError, match="cannot load the weights"):
        load_checkpoint(tmp_path)
    (tmp_path / "vocabulary.json").unlink()
    with pytest.raises(CheckpointError, match="has no vocabulary.json"):
        load_checkpoint(tmp_path)


def test_a_damaged_configuration_of_a_model_is_named(tmp_path):
    save_checkpoint(tmp_path, tiny_model(), vocabulary(), EncoderConfig(), PAPER, "paper", "tiny")
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(CheckpointError, match=r"cannot read .*config\.json: "):
        load_checkpoint(tmp_path)


def test_a_vocabulary_of_another_size_is_refused(tmp_path):
    save_checkpoint(tmp_path, tiny_model(), vocabulary(), EncoderConfig(), PAPER, "paper", "tiny")
    short = type(vocabulary())(vocabulary().labels[:-1])
    short.save(tmp_path / "vocabulary.json")
    with pytest.raises(CheckpointError, match="labels"):
        load_checkpoint(tmp_path)


def test_graph_heads_in_the_pointer_layer_are_refused():
    with pytest.raises(ConfigurationError, match="pointer"):
        AptConfig(num_decoder_layers=3, num_graph_layers=3)


def test_flipped_bytes_in_the_weights_are_noticed(tmp_path):
    save_checkpoint(tmp_path, tiny_model(), vocabulary(), EncoderConfig(), PAPER, "paper", "tiny")
    weights = tmp_path / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[len(content) // 2] ^= 255
    weights.write_bytes(bytes(content))
    with pytest.raises(CheckpointError, match="changed or damaged"):
        load_checkpoint(tmp_path)
