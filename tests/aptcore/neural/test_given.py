"""What a parser takes, from one process or several, and what it says of anything else."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
import spacy

from aptcore.errors import InputError
from aptcore.neural.parser import AptParser
from aptcore.words.tokens import tokenize


@pytest.fixture(scope="module")
def parser():
    return AptParser.from_pretrained()


def test_any_iterable_of_anything_that_is_a_sentence_is_parsed(parser, tmp_path):
    text = "The boy wants to go ."
    (expected,) = parser.parse([text], beam=1)
    path = tmp_path / "sentences.txt"
    path.write_text(f"{text}\n{text}\n")
    document = spacy.blank("en")(f"{text}  {text}")
    with path.open() as file:
        read = parser.parse(file, beam=1)
    ways = [
        parser.parse((text for _ in range(2)), beam=1),
        read,
        parser.parse([text.split(), tuple(text.split())], beam=1),
        parser.parse([tokenize(text), text], beam=1),
        parser.parse([document[:6], document[7:]], beam=1),
        parser.parse({text: 1, f" {text}": 2}, beam=1),
    ]
    for parses in ways:
        assert [parse.graph for parse in parses] == [expected.graph] * 2
        assert [parse.error for parse in parses] == [None, None]
    assert parser.trace(text.split(), beam=1).steps == parser.trace(text, beam=1).steps


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        (None, "NoneType"), (float("nan"), "float"), (b"It rains .", "bytes"), (7, "int"),
        (["It", None], "list"), (object(), "object"), ({"snt": "It rains ."}, "dict"),
    ],
)  # fmt: skip
def test_what_is_no_sentence_has_an_error_at_its_place(parser, item, kind):
    first, odd, last = parser.parse(["It rains .", item, "She left ."], beam=1)
    assert first.error is last.error is None
    assert "item 1 " in odd.error
    assert kind in odd.error
    with pytest.raises(InputError, match=kind):
        parser.trace(item)


def test_a_blank_among_tokens_is_named(parser):
    odd, _ = parser.parse([["It", "rains hard"], "She left ."], beam=1)
    assert "item 0 is no list of tokens" in odd.error
    assert "rains hard" in odd.error


@pytest.mark.parametrize("one", [b"It rains .", tokenize("It rains ."), spacy.blank("en")("So .")])
def test_one_thing_is_no_list_of_sentences(parser, one):
    with pytest.raises(TypeError, match="list of sentences"):
        parser.parse(one)


def test_a_parser_goes_to_other_processes_by_its_folders(parser):
    packed = pickle.dumps(parser)
    assert len(packed) < 1000
    text = ["The boy wants to go ."]
    (expected,) = parser.parse(text, beam=1)
    assert pickle.loads(packed).parse(text, beam=1)[0].graph == expected.graph
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        (there,) = pool.submit(parser.parse, text, 1).result()
    assert there.graph == expected.graph


def test_a_parser_made_of_parts_is_not_pickled(parser):
    made = AptParser(parser.checkpoints, parser.encoders, "cpu")
    with pytest.raises(TypeError, match="from_pretrained"):
        pickle.dumps(made)


def test_threads_share_a_parser(parser):
    texts = [f"The boy saw {number} cats ." for number in range(24)]
    alone = [parse.graph for parse in parser.parse(texts, beam=2)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: parser.parse([text], beam=2)[0].graph, texts))
        traced = list(pool.map(lambda text: parser.trace(text, beam=2).steps, texts))
    assert found == alone
    assert traced == [parser.trace(text, beam=2).steps for text in texts]
