"""Model folders of both action sets."""

import json

import pytest

from aptcore.alignment.aligner import align
from aptcore.assets import MINILM
from aptcore.errors import CheckpointError, ConfigurationError
from aptcore.graph.penman import parse_penman
from aptcore.neural.checkpoint import load_checkpoint, save_checkpoint
from aptcore.neural.encoders.word_encoder import EncoderConfig, WordEncoder
from aptcore.neural.model import AptConfig, AptModel
from aptcore.neural.parser import AptParser
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.oracle.copy_learning import learn_copies
from aptcore.trace.format import encode_trace
from aptcore.transition.machine import replay
from aptcore.transition.sets import EXACT, PAPER
from aptcore.words.copy_tables import COPIES_FILE, NO_COPIES
from aptcore.words.tokens import tokenize

GRAPHS = (
    ("The boy walked slowly .", "(w / walk-01 :ARG0 (b / boy) :ARG1-of (s / slow-05))"),
    ("She talks slowly .", "(t / talk-01 :ARG0 (s / she) :ARG1-of (s2 / slow-05))"),
    ("They go slowly .", "(g / go-02 :ARG0 (t / they) :ARG1-of (s / slow-05))"),
)


@pytest.fixture(scope="module")
def copies():
    sentences = [tokenize(text) for text, _ in GRAPHS]
    graphs = [parse_penman(penman) for _, penman in GRAPHS]
    return learn_copies([(s, align(s, g)) for s, g in zip(sentences, graphs, strict=True)])


def saved(folder, copies, action_set=EXACT, vocabulary=None):
    """A model folder with random weights."""
    labels = ["LA(:ARG0)", "RA(:ARG0)", "COPY(base-frame)", "PRED(thing)"]
    vocabulary = vocabulary or ActionVocabulary.from_labels(labels, action_set)
    encoder = WordEncoder.load(EncoderConfig(MINILM, (1, 2)))
    config = AptConfig(
        vocabulary_size=len(vocabulary), word_vector_width=encoder.width, width=32,
        feed_forward=32, num_encoder_layers=1, num_decoder_layers=2, num_graph_layers=1,
    )  # fmt: skip
    save_checkpoint(
        folder,
        AptModel(config),
        vocabulary,
        encoder.config,
        action_set,
        action_set.name,
        "x",
        copies,
    )
    return folder


def test_a_model_of_the_own_set_keeps_its_copy_tables(tmp_path, copies):
    checkpoint = load_checkpoint(saved(tmp_path, copies))
    assert checkpoint.action_set is EXACT
    assert checkpoint.copies == copies != NO_COPIES
    parser = AptParser.from_pretrained(tmp_path)
    (parse,) = parser.parse(["He runs slowly ."], beam=2)
    assert any(parse.sentence.derived)
    assert replay(parse.sentence, parse.actions, EXACT).is_closed
    assert parse.error is None
    assert all(r.kind == "capped" or r.text.endswith(" twice") for r in parse.repairs)
    trace = encode_trace(parser.trace("He runs slowly .", beam=1))
    assert len(trace["sentence"]["derived"]) == 4
    assert "LINK" in [row["kind"] for row in trace["steps"][0]["legal"]]


def test_a_model_of_the_papers_set_has_no_copy_tables_and_reads_lemmas_only(tmp_path):
    folder = saved(tmp_path, NO_COPIES, PAPER)
    assert not (folder / COPIES_FILE).exists()
    parser = AptParser.from_pretrained(folder)
    assert parser.parse(["He runs slowly ."], beam=1)[0].sentence.derived == ()
    trace = encode_trace(parser.trace("He runs slowly .", beam=1))
    assert list(trace["sentence"]) == ["id", "text", "tokens", "lemmas"]
    assert "LINK" not in [row["kind"] for row in trace["steps"][0]["legal"]]


def test_a_model_of_the_own_set_without_its_tables_is_refused(tmp_path):
    (saved(tmp_path, NO_COPIES) / COPIES_FILE).unlink()
    with pytest.raises(CheckpointError, match="cannot read the copy tables"):
        load_checkpoint(tmp_path)


def test_a_vocabulary_that_cannot_join_two_pieces_is_refused(tmp_path):
    saved(tmp_path, NO_COPIES, EXACT, ActionVocabulary.from_labels(["RA(:mod)"], PAPER))
    with pytest.raises(CheckpointError, match=r"lacks COPY\(token\), LINK, LA\(:mod\)$"):
        load_checkpoint(tmp_path)


def test_models_with_different_copy_tables_are_no_ensemble(tmp_path, copies):
    folders = [saved(tmp_path / "a", copies), saved(tmp_path / "b", NO_COPIES)]
    with pytest.raises(ConfigurationError, match="tables of COPY differ"):
        AptParser.from_pretrained(folders)


def test_an_unknown_action_set_is_refused(tmp_path):
    path = saved(tmp_path, NO_COPIES) / "parser.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "action_set": "other"}))
    with pytest.raises(CheckpointError, match="unknown action set 'other'"):
        load_checkpoint(tmp_path)
