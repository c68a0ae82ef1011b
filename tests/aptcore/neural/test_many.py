"""Many sentences as a stream, and several graphs for one sentence."""

from itertools import count, islice

import pytest

from aptcore.errors import ConfigurationError
from aptcore.graph.penman import format_penman
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import AptParser
from aptcore.transition.machine import replay

TEXTS = ["It rains.", "", "Who is the mayor of New York City?", "She left.", "The boy wants to go."]


@pytest.fixture(scope="module")
def parser():
    return AptParser.from_pretrained()


def test_a_stream_gives_what_parse_gives_in_order(parser):
    expected = parser.parse([*TEXTS, 7, "Go!"], beam=1)
    found = list(parser.stream(iter([*TEXTS, 7, "Go!"]), beam=1, ahead=2))
    assert [(p.sentence, p.actions) for p in found] == [(p.sentence, p.actions) for p in expected]
    assert [p.error for p in found] == [p.error for p in expected]
    assert "item 5 is 7" in found[5].error


def test_a_stream_reads_no_further_ahead_than_asked(parser):
    numbers = count()
    endless = (f"Number {next(numbers)} left." for _ in count())
    stream = parser.stream(endless, beam=1, ahead=3)
    assert next(numbers) == 0
    assert [p.sentence.tokens[1] for p in islice(stream, 4)] == ["1", "2", "3", "4"]
    assert next(numbers) == 7


def test_what_was_read_before_a_failure_is_parsed_before_it(parser):
    def broken():
        yield from ["It rains.", "She left."]
        raise OSError("the disk is gone")

    stream = parser.stream(broken(), beam=1)
    assert [next(stream).error, next(stream).error] == [None, None]
    with pytest.raises(OSError, match="the disk is gone"):
        next(stream)


def test_one_string_is_no_stream_and_is_refused_at_once(parser):
    with pytest.raises(TypeError, match="not one str"):
        parser.stream("It rains.")


def test_the_best_graphs_differ_and_come_best_first(parser):
    found = parser.n_best(TEXTS, n=4, beam=6)
    assert len(found) == len(TEXTS)
    for parses in found:
        assert 1 <= len(parses) <= 4
        assert [p.score for p in parses] == sorted((p.score for p in parses), reverse=True)
        assert len({format_penman(p.graph) for p in parses}) == len(parses)
        for parse in parses:
            assert replay(parse.sentence, parse.actions, parser.action_set).is_closed
    assert len(found[4]) == 4
    assert found[1][0].error


def test_the_first_of_the_best_is_the_parse_of_the_same_search(parser):
    options = DecodingOptions(4)
    best = [parses[0].actions for parses in parser.n_best(TEXTS, n=3, options=options)]
    assert best == [parse.actions for parse in parser.parse(TEXTS, options=options)]


def test_a_sentence_has_the_same_best_graphs_in_any_batch(parser):
    together = [[p.actions for p in parses] for parses in parser.n_best(TEXTS, n=3, beam=3)]
    alone = [parser.n_best([text], n=3, beam=3)[0] for text in TEXTS]
    assert together == [[p.actions for p in parses] for parses in alone]


@pytest.mark.parametrize("n", [0, 11])
def test_more_graphs_than_the_beam_is_wide_are_refused(parser, n):
    with pytest.raises(ConfigurationError, match=f"from 1 to 10 graphs, not {n}"):
        parser.n_best(TEXTS, n=n)
