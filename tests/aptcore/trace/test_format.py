"""A trace goes to JSON and comes back as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aptcore.assets import asset_path
from aptcore.errors import FormatError
from aptcore.graph.amr import Edge, Sentence
from aptcore.graph.penman import format_penman
from aptcore.trace.format import decode_trace, encode_trace
from aptcore.trace.trace import BeamEntry, ModelInfo, Step, Trace, TraceItem
from aptcore.transition.arcs import LeftArc, RightArc
from aptcore.transition.building import Repair
from aptcore.transition.closing import Link
from aptcore.transition.items import Const, Copy, Pred, Subgraph
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.sets import EXACT, PAPER
from aptcore.transition.state import ItemEdge

STORED = sorted(asset_path("traces").glob("*.json"))

texts = st.text(max_size=6)
names = st.text("abcäz0-", min_size=1, max_size=4)
positions = st.integers(0, 300)
figures = st.floats(-99, 99, allow_nan=False)
weights = st.lists(st.tuples(positions, figures), max_size=3).map(tuple)
keys = st.tuples(positions, st.integers(0, 5))
actions = st.one_of(
    st.sampled_from([Shift(), Reduce(), Merge(), Copy("lemma"), Const('"New York"')]),
    st.just(Subgraph("(city :name (name :op* {words}))")),
    st.builds(Pred, names.map(lambda name: f"{name}-01")),
    st.builds(LeftArc, positions, names.map(lambda name: f":{name}")),
    st.builds(RightArc, positions, st.just(":ARG0")),
    st.builds(Link, positions),
)
models = st.builds(ModelInfo, texts, texts, texts, st.sampled_from([PAPER, EXACT]), texts, texts)
steps = st.builds(
    Step,
    step=positions,
    cursor=positions,
    span_start=positions,
    action=actions,
    legal=st.lists(st.tuples(texts, st.none() | texts), max_size=3).map(tuple),
    log_prob=st.none() | figures,
    entropy=st.none() | figures,
    is_forced=st.booleans(),
    alternatives=st.lists(st.tuples(actions, figures), max_size=3).map(tuple),
    pointer=weights,
    pointer_hidden=figures,
    attention=weights,
    attention_hidden=figures,
    heads=st.lists(st.lists(weights, max_size=2).map(tuple), max_size=2).map(tuple),
    self_heads=st.lists(st.lists(weights, max_size=2).map(tuple), max_size=2).map(tuple),
)
beams = st.builds(
    BeamEntry,
    action=actions,
    score=figures,
    parent=positions,
    place=st.none() | positions,
    status=st.sampled_from(["kept", "closed", "pruned"]),
)
repairs = st.builds(
    Repair,
    st.sampled_from(["joined", "dropped", "rooted", "empty", "capped"]),
    texts,
    st.none() | st.builds(Edge, texts, texts, texts),
)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    tokens = draw(st.lists(texts, max_size=3).map(tuple))
    pairs = st.lists(st.tuples(texts, texts), max_size=2).map(tuple)
    derived = draw(st.lists(pairs, min_size=len(tokens), max_size=len(tokens)).map(tuple))
    return Sentence(draw(texts), " ".join(tokens), tokens, tokens, derived if any(derived) else ())


traces = st.builds(
    Trace,
    model=models,
    sentence=sentences(),
    steps=st.lists(steps, max_size=3).map(tuple),
    items=st.lists(
        st.builds(
            TraceItem,
            keys,
            texts,
            texts,
            st.booleans(),
            st.lists(positions, max_size=3).map(tuple),
            positions,
        ),
        max_size=3,
    ).map(tuple),
    edges=st.lists(st.builds(ItemEdge, keys, texts, keys, positions), max_size=3).map(tuple),
    root=st.none() | texts,
    is_failed=st.booleans(),
    repairs=st.lists(repairs, max_size=2).map(tuple),
    penman=texts,
    cut=texts,
    beam=positions,
    prefix_length=positions,
    log_prob=st.none() | figures,
    beams=st.lists(st.lists(beams, max_size=3).map(tuple), max_size=2).map(tuple),
)


@given(traces)
def test_a_trace_comes_back_as_it_was(trace: Trace) -> None:
    again = decode_trace(json.loads(json.dumps(encode_trace(trace))))
    assert again == trace
    assert again.hash == trace.hash


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_stored_trace_is_written_as_it_was_read(path: Any) -> None:
    text = path.read_text("utf-8")
    trace = decode_trace(json.loads(text))
    assert json.dumps(encode_trace(trace), ensure_ascii=False) + "\n" == text


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_the_machine_makes_of_a_stored_walk_what_the_trace_holds(path: Any) -> None:
    trace = decode_trace(json.loads(path.read_text("utf-8")))
    *before, end = trace.states
    assert [state.cursor for state in before] == [step.cursor for step in trace.steps]
    assert end.is_closed
    assert end.edges == trace.edges
    assert [item.key for item in end.items] == [item.key for item in trace.items]
    assert format_penman(trace.graph, metadata=False) == trace.penman


def test_a_change_of_any_figure_changes_the_hash() -> None:
    trace = decode_trace(json.loads(STORED[0].read_text("utf-8")))
    assert replace(trace, beam=trace.beam).hash == trace.hash
    assert replace(trace, beam=trace.beam + 1).hash != trace.hash


def test_an_action_that_is_none_and_an_unknown_action_set_are_damage() -> None:
    document = json.loads(STORED[0].read_text("utf-8"))
    document["steps"][0]["action"] = "JUMP"
    with pytest.raises(FormatError, match=r"x\.json: the trace is damaged: .*JUMP"):
        decode_trace(document, path="x.json")
    document = json.loads(STORED[0].read_text("utf-8"))
    document["model"]["action_set"] = "other"
    with pytest.raises(FormatError, match="damaged: there is no action set 'other'"):
        decode_trace(document)
