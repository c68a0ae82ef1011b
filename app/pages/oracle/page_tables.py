"""The tables and files of the Oracle page: to sort, to search and to take away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from app.canvas.trace.narration import narrate
from app.kit.tables import Columns, draw_table
from app.pages.oracle.model import model_rows
from app.pages.oracle.sentence import OracleView, action_rows, alignment_rows, format_corrected
from aptcore.trace.trace import Trace


def draw_tables(view: OracleView, trace: Trace) -> None:
    """Draw alignment and actions of a sentence.

    Args:
        view: The sentence.
        trace: Its walk, with a model's figures or without.
    """
    # Not an expander: what that hides is worked out all the same, at every change.
    if not st.toggle("Tables: alignment and actions", key="oracle_tables"):
        return
    st.markdown("**Alignment**")
    draw_table(alignment_columns(view), "oracle_alignment", f"{stem_of(view)}-alignment.csv")
    st.markdown("**Actions**")
    draw_table(action_columns(view, trace), "oracle_actions", f"{stem_of(view)}-actions.csv")


def alignment_columns(view: OracleView) -> Columns:
    """Give the words of each node and constant as a table."""
    rows = alignment_rows(view)
    return {
        "item": [row.item for row in rows],
        "label": [row.label for row in rows],
        "kind": [row.kind for row in rows],
        "words": [row.words for row in rows],
        "tokens": [" ".join(map(str, row.tokens)) for row in rows],
        "source": [row.source for row in rows],
        "made at": [row.made_at for row in rows],
    }


def action_columns(view: OracleView, trace: Trace) -> Columns:
    """Give the actions as a table; with the model's choices where a model read them."""
    rows = action_rows(view, narrate(trace))
    columns: dict[str, Sequence[Any]] = {
        "step": [row.step for row in rows],
        "words": [row.words for row in rows],
        "action": [row.action for row in rows],
        "effect": [row.effect for row in rows],
    }
    if trace.steps[0].entropy is None:
        return columns
    choices = model_rows(trace)
    return columns | {
        "probability": [row.probability for row in choices],
        "model's first choice": [row.model for row in choices],
        "its probability": [row.first for row in choices],
        "differs": [row.differs for row in choices],
    }


def draw_download(view: OracleView) -> None:
    """Offer the graph with its alignment as a file."""
    st.download_button(
        "Alignment as PENMAN",
        lambda: format_corrected(view).encode("utf-8", "surrogateescape"),
        file_name=f"{stem_of(view)}.amr",
        mime="text/plain",
        on_click="ignore",
        key="oracle_download",
        icon=":material/download:",
        help="The graph with ::tok, ::alignments and ::alignment-sources; changes by hand have "
        "the source person. Nothing is stored here: a change lives in this address and in "
        "the file you take.",
    )


def stem_of(view: OracleView) -> str:
    """Give the start of a file's name: the name of the sentence, in safe signs."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", view.gold.sentence.id).strip("-.")[:60] or "sentence"
