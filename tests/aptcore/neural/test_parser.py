"""The shipped model on real sentences, on awkward input, and as a trace."""

import json
import math
import pickle
import re

import pytest
import torch

from aptcore.errors import ConfigurationError, IllegalActionError, InputError
from aptcore.graph.branches import unquote
from aptcore.graph.characters import PENN_BRACKETS
from aptcore.graph.checks import is_connected, triples
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.graph.validation import problems_of
from aptcore.neural.checkpoint import load_checkpoint, save_checkpoint, shipped_model
from aptcore.neural.decoding import Decoder
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import AptParser
from aptcore.neural.parses import format_block
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.neural.weights import Linear, in_bytes
from aptcore.trace.format import encode_trace
from aptcore.transition.actions import format_action
from aptcore.transition.arcs import EdgeAction
from aptcore.transition.items import Pred
from aptcore.transition.machine import replay
from aptcore.transition.sets import PAPER, parse_action
from aptcore.words.given import MAX_CHARACTERS, MAX_TOKENS
from aptcore.words.written_values import written_value

TWENTY = (
    "The teacher asked the children to draw what they had seen in the old forest near the "
    "river that day ."
)


@pytest.fixture(scope="module")
def parser():
    return AptParser.from_pretrained()


def test_a_parse_replays_to_its_graph_and_can_be_read_back(parser):
    for parse in parser.parse(["The boy wants to go.", TWENTY, "It rains."], beam=2):
        assert parse.error is None
        assert is_connected(parse.graph)
        assert replay(parse.sentence, parse.actions, parser.action_set).is_closed
        text = format_penman(parse.graph)
        assert set(triples(parse_penman(text))) == set(triples(parse.graph))


def test_a_batch_gives_what_single_sentences_give(parser):
    texts = ["It rains.", TWENTY, "Who is the mayor of New York City?", "Go!"]
    for beam in (1, 3):
        together = [parse.actions for parse in parser.parse(texts, beam=beam)]
        assert together == [parser.parse([text], beam=beam)[0].actions for text in texts]


@pytest.mark.parametrize("case", ["c24", "c25"])
def test_awkward_sentences_give_sound_graphs(parser, cases, case):
    (parse,) = parser.parse([cases[case]["input"]["sentence"]], beam=1)
    assert parse.error is None
    assert is_connected(parse.graph)


def test_a_very_long_sentence_is_parsed_whole(parser):
    """Case c26: more word pieces than the encoder reads at once."""
    long = "the old red boat sailed and " * 120 + "the tall keeper waved ."
    parse, short = parser.parse([long, "It rains ."], beam=1)
    assert parse.error is None
    tokens = parse.sentence.tokens
    aligned = {place for found in parse.graph.alignments.values() for place in found.tokens}
    assert max(aligned) >= len(tokens) - 3
    assert is_connected(parse.graph)
    assert short.actions == parser.parse(["It rains ."], beam=1)[0].actions


def test_a_sentence_past_the_limit_is_refused_by_its_length(parser):
    parses = parser.parse(["word " * (MAX_TOKENS + 1), "It rains ."], beam=1)
    assert f"{MAX_TOKENS + 1} tokens" in parses[0].error
    assert parses[1].error is None


def test_a_book_in_one_line_fails_at_once_and_keeps_its_text(parser):
    book = "She left. " * (MAX_CHARACTERS // 10 + 1)
    parses = parser.parse([book, "It rains ."], beam=1)
    assert f"{len(book):,} characters; at most {MAX_CHARACTERS:,}" in parses[0].error
    assert (parses[0].sentence.text, parses[0].sentence.tokens) == (book, ())
    assert parses[1].error is None


def test_lines_without_words_keep_their_place(parser, cases):
    """Case c27."""
    texts = cases["c27"]["input"]["sentences"]
    parses = parser.parse(texts, beam=1)
    assert [parse.sentence.text for parse in parses] == texts
    for parse in parses[:-1]:
        assert "no words" in parse.error
        assert [node.concept for node in parse.graph.nodes] == ["amr-empty"]
    assert parses[-1].error is None


@pytest.mark.parametrize(
    "text",
    [
        "🙂 👍🏽 she laughed 😂",
        "東京 is big and Москва is old .",
        'He said "(x / y :ARG0 z)" : see http://x.example/a?b=c#d .',
        "a~e.1 :ARG0 b/c (d) [e] {f} \\ \" '",
        "word" * 300,
        "1 2 3 4 5 6 7",
        "x \u200b y \ufeff z",
        "اللغة العربية right to left",
    ],
)
def test_odd_text_gives_a_graph_that_can_be_read_back(parser, text):
    for beam in (1, 3):
        (parse,) = parser.parse([text], beam=beam)
        assert parse.error is None
        read = parse_penman(format_penman(parse.graph))
        assert set(triples(read)) == set(triples(parse.graph))


def test_dropping_detached_pieces_leaves_a_connected_graph(parser):
    (parse,) = parser.parse([TWENTY], beam=1, detached="drop")
    assert is_connected(parse.graph)
    assert not [repair for repair in parse.repairs if repair.kind == "joined"]


def test_resuming_from_its_own_prefix_gives_the_same_walk(parser):
    actions = [step.action for step in parser.trace(TWENTY, beam=1).steps]
    for length in (0, 1, len(actions) // 2, len(actions)):
        resumed = parser.trace(TWENTY, 1, actions[:length])
        assert [step.action for step in resumed.steps] == actions
        assert [step.is_forced for step in resumed.steps] == [
            n < length for n in range(len(actions))
        ]


def test_a_forced_action_is_taken_and_the_rest_is_decoded(parser):
    prefix = [parse_action("REDUCE"), parse_action("PRED(girl)")]
    trace = parser.trace("The boy wants to go.", 1, prefix)
    assert [step.action for step in trace.steps[:2]] == prefix
    assert "girl" in trace.penman


@pytest.mark.parametrize("beam", [1, 3])
def test_a_trace_before_saves_time_and_changes_nothing(parser, beam):
    sentence = "The boy who saw the tall girl wants to go home."
    before = parser.trace(sentence, beam)
    other = parser.trace("The girl sings.", beam)
    walk = [step.action for step in before.steps]
    walks = [walk[:length] for length in (0, 1, len(walk))]  # the same walk again
    for place in range(0, len(walk), 5):
        others = [action for action, _ in before.steps[place].alternatives[:1]]
        walks.append(walk[:place] + others)
    for forced in walks:
        plain = parser.trace(sentence, beam, forced)
        for earlier in (before, other):
            quick = parser.trace(sentence, beam, forced, before=earlier)
            assert quick.penman == plain.penman
            assert quick.log_prob == pytest.approx(plain.log_prob, abs=1e-3)
            assert len(quick.beams) == len(plain.beams)
            for step, known in zip(quick.steps, plain.steps, strict=True):
                assert (step.action, step.is_forced) == (known.action, known.is_forced)
                assert step.entropy == pytest.approx(known.entropy, abs=1e-3)
                assert dict(step.attention) == pytest.approx(dict(known.attention), abs=2e-3)


def test_an_illegal_prefix_is_refused_with_its_step(parser):
    with pytest.raises(IllegalActionError, match="at step 0: nothing was made"):
        parser.trace("It rains.", prefix=[parse_action("SHIFT")])


def test_a_sentence_without_words_has_no_trace(parser):
    with pytest.raises(InputError, match="no words"):
        parser.trace("...")


def test_a_trace_holds_the_models_own_figures(parser):
    """The figures of a trace equal a plain pass over the walk, to 3 decimals."""
    trace = parser.trace("The boy wants to go.", beam=1)
    values = json.loads(json.dumps(encode_trace(trace), allow_nan=False))
    assert values["penman"] == trace.penman
    sentence = parser.parse(["The boy wants to go."], beam=1)[0].sentence
    decoder = Decoder(parser.models, parser.masks, parser.action_set, DecodingOptions(beam=1))
    (found,) = decoder.decode([sentence], parser.encode([sentence]))
    assert found.score == pytest.approx(values["log_prob"], abs=2e-3)
    for number, step in enumerate(values["steps"]):
        shown = sum(weight for _, weight in step["attention"])
        assert shown + step["attention_hidden"] == pytest.approx(1, abs=0.005)
        listed = sum(a["probability"] for a in step["alternatives"])
        assert math.exp(step["log_prob"]) + listed <= 1.001
        assert parse_action(step["action"]) == trace.steps[number].action
        assert step["action"] not in [a["action"] for a in step["alternatives"]]
        reasons = {entry["kind"]: entry["reason"] for entry in step["legal"]}
        kind = step["action"].partition("(")[0]
        if kind in ("SHIFT", "REDUCE", "PRED", "LA") and "root" not in step["action"]:
            assert reasons[kind] is None


def test_rivals_and_entropy_count_where_an_action_points(parser):
    """Nothing but the pointer decides at the root: what is left of it is in other items."""
    trace = parser.trace("The man who saw the old dog in the park left.", beam=1)
    root = trace.steps[-1]
    assert format_action(root.action).endswith("root)")
    assert root.alternatives
    shares = [root.probability, *(share for _, share in root.alternatives)]
    assert sum(shares) == pytest.approx(1, abs=0.01)
    whole = sum(shares)
    expected = -sum(share / whole * math.log(share / whole) for share in shares if share)
    assert root.entropy == pytest.approx(expected, abs=0.01)
    edges = [step for step in trace.steps if isinstance(step.action, EdgeAction)]
    named = [(s.action, a) for s in edges for a, _ in s.alternatives if isinstance(a, EdgeAction)]
    assert any(a.role == b.role and a.position != b.position for a, b in named)


def test_every_alternative_of_a_trace_can_be_taken(parser):
    trace = parser.trace("The boy wants to go.", beam=1)
    actions = [step.action for step in trace.steps]
    for number, step in enumerate(trace.steps):
        for action, _ in step.alternatives[:2]:
            resumed = parser.trace("The boy wants to go.", 1, [*actions[:number], action])
            assert resumed.steps[number].action == action, format_action(action)


def test_an_ensemble_of_the_same_model_gives_its_parse(parser):
    both = AptParser.from_pretrained([shipped_model(), shipped_model()])
    text = ["Who is the mayor of New York City?"]
    assert both.parse(text, beam=2)[0].actions == parser.parse(text, beam=2)[0].actions


def test_models_with_other_vocabularies_are_no_ensemble(tmp_path):
    shipped = load_checkpoint(shipped_model())
    labels = (*shipped.vocabulary.labels[:-1], "PRED(something-else)")
    other = ActionVocabulary(labels)
    save_checkpoint(
        tmp_path,
        shipped.model,
        other,
        shipped.encoder,
        PAPER,
        "paper",
        "x",
        trained=shipped.trained,
    )
    with pytest.raises(ConfigurationError, match="vocabularies differ"):
        AptParser.from_pretrained([shipped_model(), tmp_path])


def test_the_parser_is_not_changed_by_parsing(parser):
    before = {name: value.clone() for name, value in parser.models[0].state_dict().items()}
    first = parser.parse([TWENTY], beam=2)[0]
    parser.trace("It rains.", prefix=[Pred("never-seen-before")])
    assert parser.parse([TWENTY], beam=2)[0] == first
    after = parser.models[0].state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_half_a_surrogate_pair_does_not_end_a_batch(parser):
    first, second = parser.parse(["It rains .", "She \ud83d left ."], beam=1)
    assert first.error is None
    assert second.error is None
    assert second.sentence.text == "She \ufffd left ."


def test_one_string_is_no_list_of_sentences(parser):
    with pytest.raises(TypeError, match="list of sentences"):
        parser.parse("It rains.")


def test_a_beam_without_end_is_refused(parser):
    with pytest.raises(ConfigurationError, match="from 1 to 100"):
        parser.parse(["It rains."], beam=1000)


def test_figures_of_the_text_are_never_replaced_by_others(parser):
    for text, figures in (("It has 4821 pages.", "4821"), ("We met at 18:45.", "18:45")):
        (parse,) = parser.parse([text], beam=3)
        for attribute in parse.graph.attributes:
            assert not any(c.isdigit() for c in attribute.value) or figures in attribute.value


def test_every_apostrophe_is_parsed_as_the_plain_one(parser, cases):
    plain, *others = cases["c68"]["input"]["sentences"][:12]
    wanted, *found = parser.parse([plain, *others], beam=1)
    assert ":polarity -" in format_penman(wanted.graph)
    for parse, text in zip(found, others, strict=True):
        assert triples(parse.graph) == triples(wanted.graph)
        assert parse.sentence.text == text


def test_accents_of_their_own_are_parsed_as_composed_ones(parser, cases):
    for pair in cases["c69"]["input"]["pairs"]:
        one, other = parser.parse([pair["composed"], pair["decomposed"]], beam=1)
        assert triples(one.graph) == triples(other.graph)


@pytest.mark.parametrize("beam", [1, 5])
def test_her_id_does_not_become_i(parser, cases, beam):
    """Case c69; of its own sentences the "i" is "me", as AMR names it."""
    for parse in parser.parse(["Her id .", "Show Mia her id.", "The Id is red."], beam=beam):
        assert not any(node.concept == "i" for node in parse.graph.nodes)
    for parse in parser.parse(cases["c69"]["input"]["sentences"], beam=beam):
        found = [node.id for node in parse.graph.nodes if node.concept == "i"]
        words = [parse.graph.alignments[name].tokens for name in found]
        assert words == [(parse.sentence.tokens.index("me"),)] * len(words)


def test_signs_of_the_penn_treebank_are_parsed_as_what_they_stand_for(parser, cases):
    """Case c60."""
    text = cases["c60"]["input"]["sentence"]
    near = "The car -LRB- a Ford -RRB- was `` new '' .", "-LSB- Go -RSB-"
    for penn in (text, text.lower(), *near):
        plain = penn
        for sign, mark in (*PENN_BRACKETS.items(), ("``", '"'), ("''", '"')):
            plain = plain.replace(sign, mark).replace(sign.lower(), mark)
        one, other = parser.parse([penn, plain], beam=1)
        assert triples(one.graph) == triples(other.graph)
        assert not re.search("[LR][RSC]B", format_penman(one.graph, metadata=False), re.IGNORECASE)


def test_every_character_of_an_emoji_is_kept(parser, cases):
    case = cases["c70"]
    tokens = [*case["expected"]["tokens"], ["Go", "👩🏽‍🚀", "❤️‍🔥", "!"], ["☺️", "☺️"], ["I", "1️⃣"]]
    texts = [*case["input"]["sentences"], "Go👩🏽‍🚀❤️‍🔥!", "☺️☺️", "I 1️⃣"]
    for text, wanted, parse in zip(texts, tokens, parser.parse(texts, beam=1), strict=True):
        assert list(parse.sentence.tokens) == wanted
        assert parse.sentence.text == text
        metadata = parse_penman(format_block(parse)).metadata
        assert (metadata["snt"], metadata["tok"]) == (text, " ".join(wanted))


SIGNS = ["Orr & Lum paid $5 ... 50% !", "@ home : + 2 = 3 % .", "etc. & Mr. Orr, Ph.D. *"]


def what_no_graph_may_hold(graph):
    """Constants that are structure in AMR, and every error."""
    times = [part.value for part in graph.attributes if part.role == ":time"]
    values = [part.value for part in graph.attributes if part.value not in times]
    errors = [problem.message for problem in problems_of(graph) if problem.is_error]
    return [*errors, *(value for value in values if written_value(unquote(value)))]


@pytest.mark.parametrize("beam", [1, 5])
def test_no_figure_and_no_sign_is_taken_as_it_stands(parser, cases, beam):
    """Cases c71 and c72: ``:time "2002-12-31"``, the name "5-1", ``(x / $)``."""
    case = cases["c71"]
    texts = [item["sentence"] for item in case["input"]["items"]]
    near = ["They won 21 – 14 .", "He lost 0-3 on 3/4/98.", "Prices fell 0.3 per cent to £3.7m."]
    parses = parser.parse([*texts, *near, *SIGNS], beam=beam)
    assert [what_no_graph_may_hold(parse.graph) for parse in parses] == [[]] * len(parses)
    for parse, never in zip(parses, case["expected"]["never"], strict=False):
        assert not {part.value for part in parse.graph.attributes} & set(never)
        assert not {node.concept for node in parse.graph.nodes} & set("$%°")


def test_neither_an_ensemble_nor_a_forced_choice_makes_what_no_graph_may_hold(parser):
    """Case c72."""
    both = AptParser.from_pretrained([shipped_model(), shipped_model()])
    assert [what_no_graph_may_hold(parse.graph) for parse in both.parse(SIGNS, 1)] == [[]] * 3
    steps = parser.trace(SIGNS[0], beam=1).steps
    for number, step in enumerate(steps):
        for action, _ in step.alternatives[:2]:
            forced = [*(before.action for before in steps[:number]), action]
            assert what_no_graph_may_hold(parser.trace(SIGNS[0], 1, forced).graph) == []


def assert_nearly_the_same(rounded, parser, far):
    """The probabilities of a walk are no further apart than so, and not all the same."""
    trace = parser.trace(TWENTY, beam=1)
    actions = [step.action for step in trace.steps]
    other = rounded.trace(TWENTY, prefix=actions)
    pairs = list(zip(trace.steps, other.steps, strict=True))
    assert all(own.probability == pytest.approx(twin.probability, abs=far) for own, twin in pairs)
    assert any(own.probability != twin.probability for own, twin in pairs)


def test_linear_maps_in_bfloat16_give_nearly_the_same_probabilities(parser):
    half = pickle.loads(pickle.dumps(AptParser.from_pretrained(precision="bfloat16")))
    for module in (half.models[0], half.encoders[0].model):
        for part in module.modules():
            wanted = torch.bfloat16 if isinstance(part, Linear) else torch.float32
            assert all(own.dtype == wanted for own in part.parameters(recurse=False))
    assert (half.info.precision, parser.info.precision) == ("bfloat16", "float32")
    assert_nearly_the_same(half, parser, 0.1)


def test_linear_maps_in_bytes_give_nearly_the_same_probabilities(parser):
    rounded = pickle.loads(pickle.dumps(AptParser.from_pretrained(precision="int8")))
    for module in (rounded.models[0], rounded.encoders[0].model):
        maps = [part for part in module.modules() if isinstance(part, Linear)]
        assert maps
        assert all(part.product is not None for part in maps)
    assert rounded.info.precision == "int8"
    assert_nearly_the_same(rounded, parser, 0.2)


def test_bytes_are_for_the_processor_alone():
    with pytest.raises(ConfigurationError, match="int8 multiplies on the processor alone"):
        in_bytes(torch.zeros(2, 2, device="meta"), None)


def test_settings_that_are_none_are_refused_and_not_read_as_others(parser):
    for setting in ({"device": "tpu"}, {"precision": "float16"}):
        with pytest.raises(ConfigurationError, match=r"is '.*'; it may be "):
            AptParser.from_pretrained(**setting)
    with pytest.raises(ConfigurationError, match="detached is 'keep'; it may be join or drop"):
        parser.parse(["She left."], detached="keep")
