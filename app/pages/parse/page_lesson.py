"""The way from a parse to a lesson: its graph, with its tokens marked, in the form for lessons."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app.addresses.codec import format_link
from app.addresses.exercises import ExerciseLink
from app.addresses.packed import pack
from app.addresses.pages import page_file
from aptcore.graph.amr import Alignment, AmrGraph, Edge, Mention
from aptcore.graph.penman import format_penman, parse_penman
from aptcore.trace.trace import Trace

_EXERCISES = page_file("exercises")


def draw_lesson(trace: Trace) -> None:
    """Offer to begin a lesson with a finished graph, unless it failed."""
    if trace.is_failed or not st.button(
        "Make a lesson of this",
        icon=":material/school:",
        help="Opens the form for lessons with this sentence and graph, to be corrected.",
    ):
        return
    packed = pack(lesson_of(trace))
    if packed is None:
        st.error("This sentence and its graph are too long to begin a lesson with.")
        return
    st.switch_page(_EXERCISES, query_params=format_link(ExerciseLink(make=packed)))


def lesson_of(trace: Trace) -> dict[str, str]:
    """Give what the form for lessons begins with: the sentence, and the graph with its marks."""
    graph = with_tokens(trace, parse_penman(trace.penman))
    penman = format_penman(graph, metadata=False, alignments=True)
    return {"text": trace.sentence.text, "graph": penman}


def with_tokens(trace: Trace, graph: AmrGraph) -> AmrGraph:
    """Align a trace's graph with the tokens at which each part was made."""
    names = {item.key: item.name for item in trace.items}
    made = {item.name: item.tokens for item in trace.items}
    labels = {item.name: item.label for item in trace.items if item.is_constant}
    ends = ((names[edge.source], edge.role, names[edge.target]) for edge in trace.edges)
    values = {(source, role, labels[end]): made[end] for source, role, end in ends if end in labels}
    for item in graph.attributes:
        made[item.id] = values.get((item.source, item.role, item.value), ())
    ids = [*(node.id for node in graph.nodes), *(item.id for item in graph.attributes)]
    found: dict[str | Edge | Mention, Alignment] = {
        name: Alignment(made[name], "parser") for name in ids if made.get(name)
    }
    return replace(graph, alignments=found)
