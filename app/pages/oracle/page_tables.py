"""The tables and files of the Oracle page: to sort, to search and to take away."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from app.canvas.trace.narration import narrate
from app.kit.tables import draw_table
from app.pages.oracle.model import model_rows
from app.pages.oracle.sentence import OracleView, alignment_rows, format_corrected
from aptcore.trace.trace import Trace
from aptcore.transition.actions import format_action


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
    draw_table(alignment_frame(view), "oracle_alignment", f"{stem_of(view)}-alignment.csv")
    st.markdown("**Actions**")
    draw_table(action_frame(view, trace), "oracle_actions", f"{stem_of(view)}-actions.csv")


def alignment_frame(view: OracleView) -> pd.DataFrame:
    """Give the words of each node and constant as a table."""
    frame = pd.DataFrame(alignment_rows(view))
    frame["tokens"] = [" ".join(map(str, tokens)) for tokens in frame["tokens"]]
    return frame.rename(columns={"made_at": "made at"})


def action_frame(view: OracleView, trace: Trace) -> pd.DataFrame:
    """Give the actions as a table; with the model's choices where a model read them."""
    walk = view.trace
    frame = pd.DataFrame(
        {
            "step": [step.step for step in walk.steps],
            "words": [walk.words_at(step) for step in walk.steps],
            "action": [format_action(step.action) for step in walk.steps],
            "effect": narrate(trace),
        }
    )
    if trace.steps[0].entropy is None:
        return frame
    choices = pd.DataFrame(model_rows(trace)).drop(columns=["step", "oracle"])
    names = {"model": "model's first choice", "first": "its probability"}
    return frame.join(choices.rename(columns=names))


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
