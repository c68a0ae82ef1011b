"""The look that all pages share."""

from __future__ import annotations

from collections.abc import Iterable

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

_FIGURES = """<style>
.figures { display: flex; flex-wrap: wrap; gap: 10px 32px; }
.figures, .figures dd { margin: 0 !important; padding: 0 !important; }
.figures dt { font-size: 0.85rem; opacity: 0.75; font-weight: 400; }
.figures dd { font-size: 1.35rem; font-variant-numeric: tabular-nums; }
</style>"""


def apply_look() -> None:
    """Bring the page's content nearer to the top."""
    st.html(_LOOK)


def draw_figures(figures: Iterable[tuple[str, str]]) -> None:
    """Draw figures in a row, each below its name; neither may hold HTML."""
    pairs = "".join(f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in figures)
    st.html(f'{_FIGURES}<dl class="figures">{pairs}</dl>')
