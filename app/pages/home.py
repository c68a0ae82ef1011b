"""Home: what this is, and where to go."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app.pages.shared import apply_look, shared_engine, stored_traces
from app.views.link import Link, format_link
from app.views.text import escape_markdown

_PARSE = str(Path(__file__).resolve().parent / "parse.py")


def draw_page() -> None:
    """Draw the whole page."""
    apply_look()
    st.title("Watch a parser think")
    st.markdown(
        "An Action-Pointer Transformer reads a sentence from left to right and builds its "
        "meaning, an AMR graph, out of small actions. Type any English sentence and step "
        "through them: what was chosen, how sure it was, what else was possible and why the "
        "rest was not. Everything runs on this machine."
    )
    st.page_link(_PARSE, label="Parse a sentence", icon=":material/arrow_forward:")
    if stored_traces():
        st.subheader("Stored traces")
        for trace in stored_traces():
            st.page_link(
                _PARSE,
                label=escape_markdown(trace.text),
                query_params=format_link(Link(trace.text)),
            )
    shared_engine().start()


draw_page()
