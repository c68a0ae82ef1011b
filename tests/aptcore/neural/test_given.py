"""What a parser takes, from one process or several, and what it says of anything else."""

import io
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import spacy

from aptcore.errors import InputError
from aptcore.graph.penman import format_penman
from aptcore.neural.parser import AptParser
from aptcore.words.tokens import token_offsets, tokenize


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
        parser.parse(io.StringIO(f"{text}\r\n{text}\r"), beam=1),
        parser.parse(np.array([text, text]), beam=1),
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
        (["It", None], "list"), ([""], "list of tokens"), (bytearray(b"So ."), "bytearray"),
        (Path("sentences.txt"), "Path"), (object(), "object"), ({"snt": "It rains ."}, "dict"),
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


def test_what_scripts_hand_over_has_a_result_for_each_item(parser, tmp_path, cases):
    case = cases["c75"]
    wanted = case["expected"]
    path = tmp_path / "two-lines.txt"
    path.write_text(case["input"]["two_lines"], encoding="utf-8")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    doc = pipeline(case["input"]["doc"])
    holed = ["She left .", None, float("nan"), b"It rains .", ["It", "hails", "."], 7, "It rains ."]
    with path.open(encoding="utf-8") as lines:
        given = [
            (line for line in ["It rains .", "She left ."]),
            lines,
            doc.sents,
            iter([doc]),
            holed,
        ]
        results = [parser.parse(one, beam=1) for one in given]
    results.append(pickle.loads(pickle.dumps(parser)).parse(["She left ."], beam=1))
    assert [len(parses) for parses in results] == wanted["results"]
    assert [parse.error is not None for parse in results[4]] == wanted["errors_of_call_5"]
    for place, kind in enumerate(wanted["error_names_of_call_5"]):
        parse = results[4][place]
        if kind is not None:
            assert f"item {place} " in parse.error
            assert kind in parse.error
            assert format_penman(parse.graph, metadata=False) == "(a / amr-empty)"
    assert [parse.sentence.text for parse in results[1]] == ["It rains .", "She left ."]
    assert results[5][0].graph == results[4][0].graph
    sentences = [parse.sentence for parse in [*results[2], *results[3]]]
    assert [sentence.text for sentence in sentences] == ["It rains.", "She left.", doc.text]
    assert sentences[2].tokens == tuple(map(str, doc))
    shown = [doc.text[slice(*offset)] for offset in token_offsets(sentences[2])]
    assert shown == list(map(str, doc))


@pytest.mark.parametrize(
    "one",
    [
        None,
        7,
        Path("sentences.txt"),
        b"It rains .",
        tokenize("It rains ."),
        spacy.blank("en")("So ."),
    ],
)
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
