"""The look that all pages share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

NO_VALUE = "–"
"""What a table shows in a cell without a value."""

_LOOK = """<style>
[data-testid="InputInstructions"] { display: none; }
.stMainBlockContainer { padding-top: 4rem; padding-bottom: 3rem; }
.stApp :is(a, button, summary):focus-visible {
  outline: 3px solid currentColor;
  outline-offset: 2px;
}
/* Streamlit's own are at 4.2 to 1 and, in the dark, at 2 to 1. */
[data-testid="stCaptionContainer"] { color: inherit; opacity: 0.78; }
.stButton kbd { color: inherit; opacity: 0.8; }
.stButtonGroup > div, .stButtonGroup [role="radiogroup"] { flex-wrap: wrap; }
.stVegaLiteChart svg text { fill: currentColor; } /* Streamlit's own is at 3.6 to 1 in the light */
.stPageLink :is(p, span, a) { white-space: normal; overflow: visible; }
.st-key-below_origin { margin-top: -1rem; }
/* In a low or narrow window a drawing comes before what is said of it. */
@media (max-width: 640px), (max-height: 600px) {
  .stMainBlockContainer .stVerticalBlock { gap: 0.5rem; }
  .stVerticalBlock > :has(> [class*="st-key-below_"]) { order: 1; }
  .st-key-below_origin { margin-top: 0; }
}
@media (max-height: 600px) {
  .stVerticalBlock > :has(> [class*="st-key-low_"]) { order: 1; }
}
@media (min-width: 480px) and (max-width: 640px) {
  .st-key-sentence_row { flex-wrap: nowrap; }
  .st-key-sentence_row > :not(:has(.stCheckbox)) { flex-shrink: 1; min-width: 4.5rem; }
}
.stApp button:is([kind="primary"], [kind="primaryFormSubmit"]):enabled,
.stMultiSelect [data-tag], .stMultiSelect [data-tag] :is(span, button) {
  color: light-dark(#ffffff, #14191c);
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


def draw_switch(
    row: DeltaGenerator | None,
    label: str,
    names: Mapping[str, str],
    key: str,
    on_change: Callable[[], None] | None = None,
) -> None:
    """Draw a choice of one of a few things side by side; one is always chosen.

    Args:
        row: Where it stands; None for the page itself.
        label: What is chosen, for those who do not see it.
        names: What each value is called, by the value.
        key: The session's name for the value.
        on_change: Called once another was chosen.
    """
    (st if row is None else row).segmented_control(
        label,
        tuple(names),
        format_func=lambda value: names[value],
        key=key,
        on_change=on_change,
        required=True,
        label_visibility="collapsed",
    )
