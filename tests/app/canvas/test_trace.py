"""The view models: plain values in, plain values out."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.addresses.codec import format_link, parse_link
from app.addresses.parse import Link
from app.canvas.layout import DrawnEdge, DrawnNode, place, quote_dot
from app.canvas.trace.drawing import payload_of
from app.canvas.trace.narration import narrate
from app.canvas.trace.opened import (
    FATES,
    Opened,
    beam_of,
    heads_of,
    hypotheses_of,
    hypothesis_of,
    path_of,
    payload_of_opened,
    read_opened,
)
from app.canvas.trace.packing import DIGITS, pack
from app.canvas.trace.readable import read_action, readable
from app.engine.shared import load_traces
from app.engine.shown import (
    describe_difference,
    describe_failure,
    describe_origin,
    find_stored,
    shown_at,
)
from app.kit.limits import MAX_CHARACTERS, sentence_problem
from app.kit.text import escape_markdown, num_columns, shorten
from aptcore.errors import ActionFormatError, FormatError
from aptcore.graph.amr import Sentence
from aptcore.trace.format import decode_trace, load_trace
from aptcore.trace.making import step_of, trace_of
from aptcore.trace.snapshot import snapshot_of, triples_of
from aptcore.trace.trace import Trace, clamp_step
from aptcore.transition.actions import PointerAction, format_action
from aptcore.transition.building import repaired_graph
from aptcore.transition.machine import advance, is_legal, start
from aptcore.transition.sets import parse_action
from tests.app.extras import HEADS, LAYERS, with_extras
from tests.app.traces import build_trace, long_trace, want_trace
from tests.seconds import seconds

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def want() -> Trace:
    return decode_trace(want_trace())


@pytest.fixture(scope="module")
def long() -> Trace:
    return decode_trace(long_trace())


def unpack(text: str) -> int:
    number = 0
    for digit in text:
        number = number * 64 + DIGITS.index(digit)
    return number


def unpack_pairs(text: str) -> list[tuple[int, int]]:
    pieces = [text[at : at + 4] for at in range(0, len(text), 4)]
    return [(unpack(piece[:2]), unpack(piece[2:])) for piece in pieces]


# --- limits ---------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "   ", "\t\n"])
def test_an_empty_sentence_is_named(text: str) -> None:
    assert "no sentence" in str(sentence_problem(text))


@pytest.mark.parametrize("text", ["...", "!?", "—", "\u200b", "🙂"])
def test_a_sentence_without_words_is_named(text: str) -> None:
    assert "no word" in str(sentence_problem(text))


def test_a_long_sentence_is_refused_with_both_numbers() -> None:
    problem = str(sentence_problem("word " * 400))
    assert "2,000 characters" in problem
    assert f"{MAX_CHARACTERS:,}" in problem


@pytest.mark.parametrize("text", ["It rains .", "東京", "42", "a" * MAX_CHARACTERS])
def test_a_sentence_with_a_word_has_no_problem(text: str) -> None:
    assert sentence_problem(text) is None


# --- text -----------------------------------------------------------------------


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


@settings(deadline=None)
@given(st.text(st.sampled_from(string.printable + "é東 "), max_size=40))
def test_escaped_markdown_holds_no_bare_sign_and_says_the_same(text: str) -> None:
    escaped = escape_markdown(text)
    assert unescaped(escaped) == " ".join(text.split())
    bare = re.sub(r"\\.|(?<=[^\W_])-(?=[^\W_])", "", escaped)
    assert not set(bare) & set("\\`*_{}[]()<>#+-.!|~$:&=^\"'")


def test_markdown_of_case_c31_is_escaped(cases: dict[str, dict[str, Any]]) -> None:
    case = cases["c31"]
    for text, shown in zip(case["input"]["texts"], case["expected"]["text_shown"], strict=True):
        assert unescaped(escape_markdown(text)) == shown
    assert escape_markdown("$1.5bn to $2bn") == "\\$1\\.5bn to \\$2bn"


def test_a_hyphen_within_a_word_is_no_sign_of_markdown() -> None:
    assert escape_markdown("g / go-02 - a->b -1") == "g / go-02 \\- a\\-\\>b \\-1"


@settings(deadline=None)
@given(st.text(max_size=60), st.integers(2, 30))
def test_a_shortened_text_fits(text: str, columns: int) -> None:
    short = shorten(text, columns)
    assert num_columns(short) <= columns
    assert short == text or "…" in short


def test_wide_signs_take_two_columns() -> None:
    assert num_columns("東京") == 4
    assert num_columns("e\u0301") == 1


# --- labels in the drawing --------------------------------------------------------


def test_labels_of_case_c28_are_quoted_for_dot(cases: dict[str, dict[str, Any]]) -> None:
    case = cases["c28"]
    quoted = [quote_dot(label) for label in case["input"]["labels"]]
    assert quoted == case["expected"]["label_in_dot"]


@pytest.mark.parametrize("name", ["c28", "c29"])
def test_awkward_labels_are_drawn_as_they_are(cases: dict[str, dict[str, Any]], name: str) -> None:
    labels = cases[name]["input"]["labels"]
    nodes = [DrawnNode(label, is_constant=False) for label in labels]
    edges = [DrawnEdge(0, label, n) for n, label in enumerate(labels)]
    layout = place(nodes, edges)
    assert [node.shown for node in layout.nodes] == cases[name]["expected"]["text_shown"]
    assert len(layout.edges) == len(edges)


def test_letters_wider_than_their_box_are_not_told_on_standard_error(
    capfd: pytest.CaptureFixture[str],
) -> None:
    place([DrawnNode("W" * 40, is_constant=False)], [])
    assert "too small" not in capfd.readouterr().err


def test_a_label_with_control_signs_is_laid_out() -> None:
    layout = place([DrawnNode("a\0b\nc\u202e", is_constant=True)], [])
    assert len(layout.nodes) == 1


def test_several_edges_between_one_pair_and_a_loop_are_all_placed() -> None:
    nodes = [DrawnNode("a", is_constant=False), DrawnNode("b", is_constant=False)]
    edges = [
        DrawnEdge(0, ":ARG0", 1),
        DrawnEdge(0, ":ARG1", 1),
        DrawnEdge(1, ":mod", 0),
        DrawnEdge(1, ":ARG2", 1),
    ]
    layout = place(nodes, edges)
    assert len({edge.path for edge in layout.edges}) == 4


def test_nodes_do_not_overlap_and_lie_inside_the_drawing(long: Trace) -> None:
    payload = payload_of(long, 0)
    boxes = [
        (n["x"] - n["w"] / 2, n["y"] - n["h"] / 2, n["x"] + n["w"] / 2, n["y"] + n["h"] / 2)
        for n in payload["nodes"]
    ]
    for left, top, right, bottom in boxes:
        assert left >= -1
        assert top >= -1
        assert right <= payload["width"] + 1
        assert bottom <= payload["height"] + 1
    for n, one in enumerate(boxes):
        for other in boxes[:n]:
            apart = one[0] >= other[2] or other[0] >= one[2]
            assert apart or one[1] >= other[3] or other[1] >= one[3]


def test_the_root_stands_at_the_top_whatever_points_at_it() -> None:
    nodes = [DrawnNode(label, is_constant=False) for label in ("ask-01", "want-01", "prince")]
    edges = [DrawnEdge(1, ":ARG0", 0), DrawnEdge(1, ":ARG1", 2), DrawnEdge(0, ":ARG0", 2)]
    layout = place(nodes, edges, root=0)
    assert layout.nodes[0].y == min(node.y for node in layout.nodes)
    tip = layout.edges[0].head[0]
    assert abs(tip[1] - layout.nodes[0].y) < abs(tip[1] - layout.nodes[1].y)


def test_the_same_graph_is_laid_out_alike_every_time(long: Trace) -> None:
    assert payload_of(long, 0) == payload_of(long, 0)


def test_a_graph_of_very_many_edges_takes_little_longer_than_one_of_many() -> None:
    def place_many(num: int) -> None:
        chance = Random(1)
        nodes = [DrawnNode("thing", False)] * num
        ends = [(chance.randrange(num), chance.randrange(num)) for _ in range(4 * num)]
        edges = [DrawnEdge(source, ":mod", target) for source, target in ends]
        assert len(place(nodes, edges, 0).edges) == 4 * num

    many = seconds(lambda: place_many(50), runs=1)
    assert seconds(lambda: place_many(100), runs=1) < 3 * many


def test_an_empty_graph_has_an_empty_layout() -> None:
    assert place([], []).nodes == ()


# --- the trace and what is sent of it -----------------------------------------------


def test_everything_a_trace_holds_is_read(want: Trace) -> None:
    assert want.sentence.tokens[1] == "boy"
    assert [format_action(step.action) for step in want.steps[:2]] == ["REDUCE", "COPY(lemma)"]
    assert want.root == "w"
    assert not want.is_failed


def test_another_schema_is_refused() -> None:
    with pytest.raises(FormatError, match="schema 7"):
        decode_trace({**want_trace(), "schema": 7})


def test_a_missing_field_is_named_with_the_file() -> None:
    document = want_trace()
    del document["items"]
    with pytest.raises(FormatError, match=r"x\.json: the trace lacks the field 'items'"):
        decode_trace(document, path="x.json")


def test_a_field_of_a_wrong_type_is_refused() -> None:
    with pytest.raises(FormatError, match="damaged"):
        decode_trace({**want_trace(), "edges": [3]})


def test_a_forced_action_that_the_model_does_not_know_has_no_probability() -> None:
    document = want_trace()
    document["steps"][3]["log_prob"] = None
    assert payload_of(decode_trace(document), 0)["steps"]["p"][3] is None


def test_a_long_trace_is_sent_in_under_100_kilobytes(long: Trace) -> None:
    assert len(long.sentence.tokens) == 60
    assert len(long.steps) > 180
    assert len(json.dumps(payload_of(long, 0))) < 100_000


def test_what_can_be_opened_is_sent_only_where_it_is_open_and_of_this_trace() -> None:
    trace = decode_trace(with_extras(want_trace()))
    assert payload_of(trace, 0)["holds"] == ["heads", "beam"]
    asked = {"key": trace.hash, "beam": True, "heads": False, "hypothesis": [4.0, 1]}
    opened = read_opened(asked, trace.hash)
    assert opened == Opened(beam=True, hypothesis=(4, 1))
    assert list(payload_of_opened(trace, opened)) == ["beam", "hypothesis"]
    assert read_opened(asked, "another") == Opened()
    for odd in (None, 3, {"key": trace.hash, "beam": 1, "hypothesis": ["4", 1]}):
        assert payload_of_opened(trace, read_opened(odd, trace.hash)) == {}
    for at in ((99, 0), (4, 99), (-1, 0), (4, -1)):
        assert payload_of_opened(trace, Opened(hypothesis=at)) == {}


def test_heads_are_sent_as_the_trace_has_them() -> None:
    document = with_extras(want_trace())
    tokens, actions = heads_of(decode_trace(document))
    assert (tokens["layers"], tokens["heads"], tokens["kept"]) == (LAYERS, HEADS, 3)
    assert tokens["names"][:3] == ["cursor", "", ""]
    assert actions["names"][-4:] == ["pointer", "", "", ""]
    for block, field in ((tokens, "heads"), (actions, "self_heads")):
        for packed, step in zip(block["weights"], document["steps"], strict=True):
            pairs = [(at + block["first"], weight / 1000) for at, weight in unpack_pairs(packed)]
            sent = [pairs[at : at + 3] for at in range(0, len(pairs), 3)]
            assert sent == [
                [tuple(pair) for pair in head] for layer in step[field] for head in layer
            ]


def test_a_beam_is_sent_as_a_tree_with_actions_as_people_read_them() -> None:
    trace = decode_trace(with_extras(want_trace()))
    beam = beam_of(trace)
    assert beam["first"] == 0
    assert beam["path"] == [0] * 17
    number, score, parent, fate = beam["steps"][4][0]
    assert beam["actions"][number] == ["LA(1, :ARG0)", "LA → want-01 :ARG0 boy"]
    assert (score, parent, FATES[fate]) == (-2000, 0, "kept")
    assert beam["steps"][4][1][1:] == [-3000, 1, 0]
    assert beam["steps"][0][0][2] == -1  # nothing came before it
    assert FATES[beam["steps"][16][0][3]] == "closed"


def test_a_hypothesis_opens_the_graph_that_its_own_actions_have_built() -> None:
    document = with_extras(want_trace())
    other = {**document["beams"][3][0], "action": "COPY(lemma)", "place": 5, "parent": 0}
    document["beams"][3][5] = other
    document["beams"][4][5] |= {"action": "RA(1, :mod)", "parent": 5}
    trace = decode_trace(document)
    own = hypothesis_of(trace, 4, 0)
    assert [node["label"] for node in own["graph"]["nodes"]] == ["boy", "want-01"]
    parted = hypothesis_of(trace, 4, 5)
    beam = beam_of(trace)
    taken = [beam["actions"][beam["steps"][step][5][0]] for step in (3, 4)]
    assert taken == [
        ["COPY(lemma)", "COPY(lemma) → want"],
        ["RA(1, :mod)", "RA → boy :mod want"],
    ]
    assert [node["label"] for node in parted["graph"]["nodes"]] == ["boy", "want"]
    assert [edge["role"] for edge in parted["graph"]["edges"]] == [":mod"]


def test_a_hypothesis_whose_beginning_is_not_listed_says_so() -> None:
    document = with_extras(want_trace())
    document["beams"][4][0]["parent"] = 63
    trace = decode_trace(document)
    assert hypothesis_of(trace, 4, 0) == {"at": [4, 0], "graph": None}
    number, _, parent, _ = beam_of(trace)["steps"][4][0]
    assert (beam_of(trace)["actions"][number][1], parent) == ("LA(1, :ARG0)", -1)


def test_a_file_holds_the_graph_of_every_hypothesis_once_within_its_bound() -> None:
    trace = decode_trace(with_extras(want_trace()))
    whole = hypotheses_of(trace, 10**7)
    for step, places in enumerate(whole["places"]):
        for row, found in enumerate(places):
            graph = None if found < 0 else whole["graphs"][found]
            assert graph == hypothesis_of(trace, step, row)["graph"]
    texts = [json.dumps(graph) for graph in whole["graphs"]]
    assert len(set(texts)) == len(texts)
    size = len(json.dumps(whole["graphs"]))
    less = hypotheses_of(trace, size // 4)
    assert len(json.dumps(less["graphs"])) < size / 2
    best = [places[0] for places in less["places"]]
    assert best == [places[0] for places in whole["places"]]  # they come first


def test_forced_actions_belong_to_every_hypothesis() -> None:
    document = with_extras(want_trace())
    document |= {"prefix_length": 4, "beams": document["beams"][4:]}
    trace = decode_trace(document)
    assert beam_of(trace)["first"] == 4
    opened = hypothesis_of(trace, 4, 0)
    assert [edge["role"] for edge in opened["graph"]["edges"]] == [":ARG0"]


def test_a_search_of_500_steps_is_sent_and_a_wide_one_too() -> None:
    document = with_extras(long_trace(150), width=70)
    trace = decode_trace(document)
    assert len(trace.steps) > 450
    beam = beam_of(trace)
    assert len(beam["steps"]) == len(trace.steps)
    assert len(beam["steps"][9]) == 74
    assert hypothesis_of(trace, 400, 0)["graph"] is not None


def test_what_an_action_could_not_have_named_is_told(want: Trace) -> None:
    steps = payload_of(want, 0)["steps"]
    for number, (step, state) in enumerate(zip(want.steps, want.states, strict=False)):
        if isinstance(step.action, PointerAction):
            barred = [
                [item.key for item in want.items].index(other.key)
                for other in state.roots
                if not is_legal(state, step.action.pointing_at(other.position))
            ]
            assert steps["barred"][number] == barred
        else:
            assert steps["barred"][number] is None
    assert steps["barred"][4] == [1]  # the last item itself


def test_the_path_follows_parents_and_stops_where_the_beam_does_not_list_it() -> None:
    document = with_extras(want_trace())
    chosen = document["beams"][5][0]
    document["beams"][5][0] = document["beams"][5][3]
    document["beams"][5][3] = chosen
    assert path_of(decode_trace(document))[4:7] == (0, 3, 0)
    chosen["status"] = "pruned"
    assert path_of(decode_trace(document))[4:7] == (-1, -1, 0)


def test_an_old_trace_without_heads_and_beam_is_shown() -> None:
    document = want_trace()
    del document["prefix_length"], document["beams"]
    for step in document["steps"]:
        del step["heads"]
    trace = decode_trace(document)
    payload = payload_of(trace, 0)
    assert payload["holds"] == []
    assert payload["cut"] == document["cut"]
    assert payload_of_opened(trace, Opened(True, True, (0, 0))) == {}


def test_stored_traces_hold_heads_and_beams() -> None:
    for path in sorted((ROOT / "assets" / "traces").glob("*.json")):
        trace = load_trace(path)
        opened = payload_of_opened(trace, Opened(beam=True, heads=True))
        assert [block["kept"] for block in opened["heads"]] == [3, 3]
        assert -1 not in opened["beam"]["path"][: len(trace.steps)]
        for later in opened["beam"]["steps"][1:]:
            assert all(parent >= 0 for _, _, parent, _ in later)
        names = {name for block in opened["heads"] for name in block["names"]}
        assert {"cursor", "after cursor", "graph, LA", "graph, RA", "pointer"} <= names
        assert len(json.dumps(payload_of(trace, 0) | opened)) < 100_000


@settings(deadline=None)
@given(st.integers(0, 64**2 - 1))
def test_a_packed_number_comes_back(number: int) -> None:
    assert unpack(pack(number, 2)) == number


@pytest.mark.parametrize("number", [-1, 64])
def test_a_number_that_does_not_fit_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"cannot pack {number} into 1"):
        pack(number, 1)


def test_items_are_made_at_the_tokens_under_the_cursor(want: Trace, long: Trace) -> None:
    for trace in (want, long):
        for item in trace.items:
            step = trace.steps[item.step]
            assert item.tokens == tuple(range(step.span_start, step.cursor + 1))


def test_every_reason_is_sent_as_the_machine_gives_it(want: Trace) -> None:
    payload = payload_of(want, 0)
    for number, step in enumerate(want.steps):
        rule = payload["rules"][payload["steps"]["legal"][number]]
        reasons = [None if entry < 0 else payload["texts"][entry] for entry in rule]
        assert reasons == [reason for _, reason in step.legal]
    assert payload["kinds"][0] == "SHIFT"


def test_weights_are_sent_as_thousandths_largest_first(want: Trace) -> None:
    payload = payload_of(want, 0)
    packed = payload["steps"]["pointer"][13]
    assert unpack_pairs(packed) == [(12, 450), (7, 225), (3, 112), (1, 56)]


def test_nodes_and_edges_carry_the_moment_from_which_they_exist(want: Trace) -> None:
    payload = payload_of(want, 5)
    assert payload["start"] == 5
    assert [node["step"] for node in payload["nodes"]] == [2, 4, 8, 13, 13, 13, 13]
    assert [edge["step"] for edge in payload["edges"]] == [5, 9, 10, 13, 13, 13, 14]
    assert [node["label"] for node in payload["nodes"] if node.get("root")] == ["want-01"]


def test_repair_edges_are_drawn_at_the_end_and_marked() -> None:
    trace = decode_trace(
        build_trace(
            ["dogs", "boats"],
            ["dog", "boat"],
            ["COPY(lemma)", "SHIFT", "COPY(lemma)", "CONST(-)", "SHIFT", "LA(0, root)"],
        )
    )
    payload = payload_of(trace, 0)
    assert payload["edges"][-1]["repair"]
    assert payload["edges"][-1]["step"] == 6
    assert any("detached" in text for text in payload["repairs"])
    assert [node["label"] for node in payload["nodes"] if node.get("dropped")] == ["-"]
    assert triples_of(snapshot_of(trace))[-1].is_repair


# --- triples and narration ----------------------------------------------------------


def test_triples_grow_with_the_steps(want: Trace) -> None:
    assert triples_of(snapshot_of(want, 0)) == ()
    lines = [(t.source, t.role, t.target) for t in triples_of(snapshot_of(want, 5))]
    assert lines == [("b", ":instance", "boy"), ("w", ":instance", "want-01"), ("w", ":ARG0", "b")]
    assert len(triples_of(snapshot_of(want, 17))) == len(triples_of(snapshot_of(want)))
    assert len(triples_of(snapshot_of(want, 16))) < len(triples_of(snapshot_of(want)))


def test_actions_are_read_with_what_they_make_and_bare_where_they_cannot_be_taken(
    want: Trace,
) -> None:
    payload = payload_of(want, 0)
    shown = [payload["texts"][number] for number in payload["steps"]["shown"]]
    assert shown[1:5] == [
        "COPY(lemma) → boy",
        "SHIFT",
        "COPY(sense) → want-01",
        "LA → want-01 :ARG0 boy",
    ]
    assert shown[12] == 'SUBGRAPH → city "New" "York"'
    assert shown[16] == "ROOT → want-01"
    assert readable(parse_action("COPY(frame)"), want.states[1]) == "COPY(frame)"
    assert readable(parse_action("LA(9, :ARG0)"), want.states[3]) == "LA(9, :ARG0)"
    assert readable(parse_action("COPY(sense)"), None) == "COPY(sense)"


def test_only_what_is_certain_is_sent_as_one() -> None:
    document = want_trace()
    for step, log_prob in zip(document["steps"], (0.0, -0.0004), strict=False):
        step["log_prob"] = log_prob
    document["steps"][4]["pointer"] = [[1, 0.9997]]
    steps = payload_of(decode_trace(document), 0)["steps"]
    assert steps["p"][:2] == [1000, 999]
    assert unpack_pairs(steps["pointer"][4]) == [(1, 999)]


def test_an_edge_is_written_out_whether_it_may_be_drawn_or_not(want: Trace) -> None:
    assert readable(parse_action("RA(1, :ARG0)"), want.states[2]) == "RA → boy :ARG0 boy"
    assert readable(parse_action("LA(1, root)"), want.states[4]) == "ROOT → boy"
    assert readable(parse_action("LA(9, root)"), want.states[4]) == "ROOT(9)"


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        (" shift ", "SHIFT"),
        ("Copy(Sense)", "COPY(sense)"),
        ("copy(sense) -> want-01", "COPY(sense)"),
        ("la(1, :ARG0)", "LA(1, :ARG0)"),
        ("LA → want-01 :ARG0 boy", "LA(1, :ARG0)"),
        ("ra -> boy :mod want-01", "RA(1, :mod)"),
        ("root → want-01", "LA(3, root)"),
        ("root(3)", "LA(3, root)"),
        ("PRED(a->b)", "PRED(a->b)"),
        ("pred(Foo)", "PRED(Foo)"),
    ],
)
def test_an_action_is_read_as_it_is_shown_and_bare_in_any_case(
    want: Trace, typed: str, action: str
) -> None:
    assert read_action(typed, want.states[4]) == parse_action(action)


def test_what_is_listed_is_meant_by_what_is_read(want: Trace) -> None:
    step = want.steps[12]
    state = want.states[12]
    assert read_action(readable(step.action, state), state, [step.action]) == step.action
    numbered = [parse_action("LA(1, :op*)")]
    assert read_action("LA → want-01 :op1 boy", want.states[4], numbered) == numbered[0]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("LA -> boy :ARG0 want-01", "LA leads from want-01, the newest node"),
        ("ROOT -> girl", "names nothing that is there"),
        ("SUBGRAPH -> city", "names nothing that is there"),
        ("root", "cannot read the action 'ROOT'"),
    ],
)
def test_what_names_nothing_that_is_there_is_refused(want: Trace, typed: str, words: str) -> None:
    with pytest.raises(ActionFormatError, match=re.escape(words)):
        read_action(typed, want.states[4])


def test_two_nodes_of_one_name_are_told_apart_by_their_actions() -> None:
    actions = ["PRED(boy)", "SHIFT", "PRED(boy)", "SHIFT", "PRED(see-01)"]
    rest = ["LA(0, :ARG0)", "LA(2, :ARG1)", "SHIFT", "LA(4, root)"]
    trace = decode_trace(build_trace(["a", "b", "c"], ["a", "b", "c"], [*actions, *rest]))
    with pytest.raises(ActionFormatError, match=re.escape("LA(0, :mod), LA(2, :mod)")):
        read_action("LA -> see-01 :mod boy", trace.states[5])


def test_a_constant_stands_at_its_edge_only(want: Trace) -> None:
    lines = [(t.role, t.target) for t in triples_of(snapshot_of(want))]
    assert (":op1", '"New"') in lines
    assert (":instance", '"New"') not in lines


def test_every_step_is_told(want: Trace) -> None:
    told = narrate(want)
    assert told[0] == "Passes over “The”: nothing was made here."
    assert told[1] == "Makes the concept boy at “boy”."
    assert told[4] == "Adds the edge want-01 :ARG0 boy."
    assert told[11] == "Joins “New” with “York”."
    assert told[12] == "Makes the concept city with 3 more inside it at “New York”."
    assert told[16] == "Marks want-01 as the root; the graph is finished."


def test_a_link_says_what_it_takes_up() -> None:
    texts = "COPY(lemma) SHIFT COPY(sense) SHIFT LINK(2) LA(0,:ARG0) LA(2,root)".split()
    state, steps = start(Sentence("", "boys sleep", ("boys", "sleep"), ("boy", "sleep"))), []
    for action in (parse_action(text.replace(",", ", ")) for text in texts):
        steps.append(step_of(state, action))
        state = advance(state, action)
    trace = trace_of(steps, state, decode_trace(want_trace()).model, repaired_graph(state))
    assert narrate(trace)[4:6] == (
        "Takes up sleep-01 again, to join what is apart.",
        "Adds the edge sleep-01 :ARG0 boy.",
    )


def test_a_walk_without_concepts_is_told_and_described() -> None:
    trace = decode_trace(build_trace(["..."], ["..."], ["REDUCE", "REDUCE"]))
    assert narrate(trace)[-1].startswith("Closes without a concept")
    assert "no graph" in str(describe_failure(trace))


# --- links, stored traces, origin -----------------------------------------------------


@settings(deadline=None)
@given(st.text(), st.none() | st.integers(0, 999), st.none() | st.integers(1, 10))
def test_a_link_comes_back_as_it_was(sentence: str, step: int | None, beam: int | None) -> None:
    link = Link(sentence, step, beam)
    assert parse_link(Link, format_link(link)) == link


@pytest.mark.parametrize("step", ["", "x", "-1", "1e3", "٣", "9" * 20])
def test_a_step_that_is_no_number_counts_as_absent(step: str) -> None:
    assert parse_link(Link, {"sentence": "a", "step": step}).step is None


def test_steps_are_brought_into_the_trace() -> None:
    assert [clamp_step(step, 5) for step in (None, -1, 0, 4, 5, 6)] == [5, 0, 0, 4, 5, 5]
    assert clamp_step(None, 0) == 0


def test_stored_traces_are_read_in_order_and_found_by_their_sentence(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(json.dumps(want_trace()), encoding="utf-8")
    (tmp_path / "a.json").write_text(json.dumps(long_trace(12)), encoding="utf-8")
    traces = load_traces(tmp_path).traces
    assert [len(trace.sentence.tokens) for trace in traces] == [12, 8]
    assert find_stored(traces, Link(traces[1].sentence.text)) == traces[1]
    assert find_stored(traces, Link(traces[1].sentence.text, beam=3)) is None
    assert find_stored(traces, Link("other")) is None


def test_a_bad_stored_trace_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps(want_trace()), encoding="utf-8")
    stored = load_traces(tmp_path)
    assert len(stored.traces) == 1
    assert "a.json" in stored.problems[0]


def test_a_damaged_stored_trace_is_named_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(FormatError, match=r"a\.json: the file is not JSON"):
        load_trace(path)
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(FormatError, match="holds no trace"):
        load_trace(path)


def test_the_page_says_where_a_trace_comes_from(want: Trace) -> None:
    assert describe_origin(shown_at(want, "stored")).startswith("**Stored trace**")
    stale = describe_origin(shown_at(want, "parsed", seconds=0.25), is_stale=True)
    named = escape_markdown(want.sentence.text)
    assert stale.startswith(f"Still shown: “{named}” **Parsed earlier**")
    meanwhile = describe_origin(shown_at(want, "stored"), is_stale=True, is_filler=True)
    assert meanwhile.startswith(f"Meanwhile: “{named}” **Stored trace**")
    parsed = describe_origin(shown_at(want, "parsed", seconds=0.25))
    assert parsed.startswith("**Parsed just now** in 0.25 s")
    for part in ("test-model", "0123456789ab", "cpu", "float32", "beam 10"):
        assert part in parsed


def test_a_trace_of_another_model_is_called_so(want: Trace) -> None:
    other = decode_trace({**want_trace(), "model": {**want_trace()["model"], "hash": "ff"}})
    assert describe_difference(want, want.model) is None
    assert "another one" in str(describe_difference(want, other.model))
