"""What all pages share: the engine, the stored traces and the look."""

from __future__ import annotations

import streamlit as st

NO_VALUE = "–"
"""What a table shows in a cell without a value."""

_LOOK = """<style>
[data-testid="InputInstructions"] { display: none; }
.stMainBlockContainer { padding-top: 4rem; padding-bottom: 3rem; }
.stApp :is(a, button, summary):focus-visible {
  outline: 3px solid currentColor;
  outline-offset: 2px;
}
</style>"""


def apply_look() -> None:
    """Bring the page's content nearer to the top."""
    st.html(_LOOK)
