"""The component of spaCy: behind any pipeline with sentence starts, in batches and processes."""

import logging
import os
import pickle
import shutil
import subprocess
import sys

import pytest
import spacy
from spacy.tokens import Doc, DocBin, Span

from aptcore.errors import CheckpointError, ConfigurationError, InputError
from aptcore.graph.checks import triples
from aptcore.neural.parser import AptParser
from tests.modules import ROOT

BOY = "The boy wants to go."
TEXTS = [f"{BOY} She left.", "It rains.", "", "  \n ", "Who is the mayor of New York City?"]


@pytest.fixture(scope="module")
def nlp():
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("aptamr", config={"beam": 1})
    return pipeline


def words(sent):
    return {key: [token.text for token in tokens] for key, tokens in sent._.amr_tokens.items()}


def written(doc):
    return [(set(triples(graph)), graph.metadata) for graph in doc._.amr]


def test_every_sentence_has_the_graph_that_the_parser_gives(nlp):
    doc = nlp(f"{BOY} She left.")
    parses = AptParser.from_pretrained().parse([BOY, "She left."], beam=1)
    assert len(doc._.amr) == 2
    for sent, parse, graph in zip(doc.sents, parses, doc._.amr, strict=True):
        assert sent._.amr == graph
        assert set(triples(graph)) == set(triples(parse.graph))
        assert graph.alignments == parse.graph.alignments
        assert graph.metadata["snt"] == parse.sentence.text
    assert [graph.metadata["id"] for graph in doc._.amr] == ["1", "2"]
    assert words(doc[:6]) == {"b": ["boy"], "w": ["wants"], "g": ["go"]}
    assert doc[1:3]._.amr is doc[1:3]._.amr_tokens is None


def test_nodes_are_aligned_to_the_tokens_of_spacy_however_it_splits(nlp):
    texts = ["  It's\ta US-based firm,\n isn't it?", "The boy wants to go ."]
    first, second = (nlp(text) for text in texts)
    assert words(first[:])["f"] == ["firm"]
    assert words(first[:])["i"] == ["It"]
    assert "\n" not in first._.amr[0].metadata["snt"]
    wide = Doc(nlp.vocab, words=["The boy", "wants to", "go", "."])
    assert words(nlp(wide)[:]) == {"b": ["The boy"], "w": ["wants to"], "g": ["go"]}
    with second.retokenize() as retokenizer:
        retokenizer.merge(second[2:5])
    assert words(second[:])["g"] == ["wants to go"]


def test_documents_of_a_pipe_come_in_order_and_as_they_would_alone(nlp):
    alone = [written(nlp(text)) for text in TEXTS]
    assert [len(graphs) for graphs in alone] == [2, 1, 0, 1, 1]
    assert [written(doc) for doc in nlp.pipe(TEXTS, batch_size=3)] == alone
    with_context = nlp.pipe([(text, n) for n, text in enumerate(TEXTS)], as_tuples=True)
    assert [(written(doc), n) for doc, n in with_context] == list(zip(alone, range(5), strict=True))


FORKED = f"""
import spacy
nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")
nlp.add_pipe("aptamr", config={{"beam": 5}})
text = "{BOY} She left New York when the teacher asked the children to draw. " * 2
alone = [list(sent._.amr_tokens) for sent in nlp(text).sents]
for doc in nlp.pipe([text, text], n_process=2, batch_size=1):
    assert [list(sent._.amr_tokens) for sent in doc.sents] == alone
"""


def test_two_processes_give_the_same_after_their_parent_computed_in_two_threads():
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "2"}
    command = [sys.executable, "-c", FORKED]
    run = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, timeout=300)
    assert run.returncode == 0, run.stderr


def test_a_pipeline_that_is_pickled_for_another_process_loads_a_model_there(nlp):
    expected = written(nlp(BOY))
    assert len(pickle.dumps(nlp.get_pipe("aptamr"))) < 2000
    assert written(pickle.loads(pickle.dumps(nlp))(BOY)) == expected


def test_a_document_without_sentence_starts_is_told_what_it_needs(caplog):
    pipeline = spacy.blank("en")
    pipeline.add_pipe("aptamr", config={"beam": 1})
    assert pipeline.analyze_pipes()["problems"]["aptamr"] == ["doc.sents"]
    with pytest.raises(InputError, match='nlp.add_pipe."sentencizer", before="aptamr"'):
        pipeline("She left. It rains.")
    given = Doc(pipeline.vocab, ["She", "left", "."], sent_starts=[True, False, False])
    assert len(pipeline(given)._.amr) == 1
    assert pipeline("")._.amr == []
    docs = [pipeline.make_doc("Go"), pipeline.make_doc("She left."), given.copy()]
    pipeline.set_error_handler(lambda name, _, docs, error: logging.warning("%s %s", docs, error))
    assert [doc.text for doc in pipeline.pipe(docs)] == ["Go", "She left . "]
    assert "sentencizer" in caplog.text


def test_one_bad_sentence_never_ends_a_batch(nlp):
    long = "so " * 1600
    first, odd, last = nlp.pipe(["She left.", f"{long}. ... It rains.", "It rains."])
    assert [len(doc._.amr) for doc in (first, last)] == [1, 1]
    errors = [graph.metadata.get("error") for graph in odd._.amr]
    assert "1602 tokens" in errors[0]
    assert errors[-1] is None
    assert odd._.amr[0].nodes[0].concept == "amr-empty"


def test_graphs_travel_with_documents(nlp):
    docs = [nlp(f"{BOY} She left."), nlp("It rains.")]
    stored = DocBin(docs=docs, store_user_data=True).to_bytes()
    loaded = list(DocBin().from_bytes(stored).get_docs(nlp.vocab))
    assert [written(doc) for doc in loaded] == [written(doc) for doc in docs]
    joined = Doc.from_docs(docs)
    assert [set(triples(graph)) for graph in joined._.amr] == [
        set(triples(graph)) for doc in docs for graph in doc._.amr
    ]
    assert [words(sent) for sent in joined.sents][1] == words(docs[0][6:])


def test_a_pipeline_takes_its_model_along(untrained_model, tmp_path):
    folder = shutil.copytree(untrained_model, tmp_path / "own")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("aptamr", name="graphs", config={"model": str(folder), "beam": 1})
    expected = written(pipeline(BOY))
    pipeline.to_disk(tmp_path / "pipeline")
    sent = pipeline.to_bytes()
    shutil.rmtree(folder)
    assert written(spacy.load(tmp_path / "pipeline")(BOY)) == expected
    received = spacy.blank("en").from_config(pipeline.config).from_bytes(sent)
    with pytest.raises(CheckpointError, match="own"):
        spacy.blank("en").from_config(pipeline.config)(BOY)
    assert written(received(BOY)) == expected
    received.to_disk(tmp_path / "again", exclude=["graphs"])
    assert not (tmp_path / "again" / "graphs").exists()


def test_a_pipeline_can_be_saved_where_it_was_loaded_from_or_another_was(untrained_model, tmp_path):
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    models = [str(untrained_model), str(untrained_model)]
    pipeline.add_pipe("aptamr", config={"model": models, "beam": 1})
    expected = written(pipeline(BOY))
    pipeline.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    loaded.to_disk(tmp_path)
    assert written(loaded(BOY)) == written(spacy.load(tmp_path)(BOY)) == expected
    loaded.get_pipe("aptamr").models.pop()
    loaded.to_disk(tmp_path)
    kept = [path.name for path in (tmp_path / "aptamr").iterdir()]
    assert kept == ["model-1"]


@pytest.mark.parametrize("config", [{"beem": 2}, {"device": "tpu"}, {"beam": "wide"}])
def test_a_wrong_setting_is_refused_when_the_component_is_added(config):
    with pytest.raises(ValueError, match=next(iter(config))):
        spacy.blank("en").add_pipe("aptamr", config=config)


def test_settings_of_the_parser_are_heard(untrained_model):
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    models = [str(untrained_model), str(untrained_model)]
    config = {"model": models, "precision": "bfloat16", "beam": 2, "wiki": True}
    component = pipeline.add_pipe("aptamr", config=config)
    pipeline("She left New York.")
    assert len(component.parser.models) == 2
    assert component.parser.precision == "bfloat16"


def test_named_things_get_wiki_where_asked_for():
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("aptamr", config={"wiki": True, "beam": 1})
    (graph,) = pipeline("The merchant sailed to China.")._.amr
    assert ":wiki" in [item.role for item in graph.attributes]


def test_an_attribute_in_use_for_something_else_is_named(nlp):
    kept = Span.remove_extension("amr")
    Span.set_extension("amr", default=None)
    try:
        with pytest.raises(ConfigurationError, match="Span._.amr is in use"):
            spacy.blank("en").add_pipe("aptamr")
    finally:
        Span.remove_extension("amr")
        Span.set_extension("amr", getter=kept[2])
