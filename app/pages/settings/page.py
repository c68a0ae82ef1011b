"""Data & settings: what is in force and where it comes from, and what a person may set.

Nothing is opened by a path here: models are chosen by the names of runs that there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from app.annotation.identity import draw_account
from app.annotation.session import current_person
from app.canvas.component import draw_own
from app.engine.shared import shared_engine
from app.kit.address import timed
from app.kit.look import apply_look
from app.kit.own_settings import keep_settings
from app.kit.text import escape_markdown
from app.pages.settings.in_force import Row, version_rows
from app.pages.settings.state import (
    DATES,
    DATES_NAMES,
    MODEL,
    missing_choice,
    prepare,
    rows_in_force,
    scope,
    take_dates,
    take_model,
)

OWN = "settings_own"
POLL_SECONDS = 1.0
_STYLE = """<style>
.in-force { margin: 0 !important; padding: 0 !important; }
.in-force div {
  display: grid; grid-template-columns: minmax(9em, 1fr) 3fr 2fr; gap: 2px 20px; padding: 7px 0;
  border-top: 1px solid color-mix(in srgb, currentColor 18%, transparent);
}
.in-force dt { font-weight: 600; }
.in-force dd { margin: 0 !important; overflow-wrap: anywhere; }
.in-force dd + dd { opacity: 0.78; }
.in-force code { font-size: 0.9em; }
@media (max-width: 800px) { .in-force div { grid-template-columns: 1fr; } }
</style>"""


def draw_page() -> None:
    """Draw the whole page."""
    apply_look()
    st.title("Data & settings")
    draw_own_settings()
    st.header("In force on this server", anchor=False)
    shared_engine().start()
    is_loading = shared_engine().status.kind == "loading"
    timed(draw_in_force, POLL_SECONDS if is_loading else None)(is_loading)
    with st.expander("Versions"):
        draw_rows(version_rows())
    keep_settings()


def draw_in_force(is_polling: bool) -> None:
    """Draw what is in force; the page is drawn anew once the model is there, or will not come."""
    if is_polling and shared_engine().status.kind != "loading":
        st.rerun()
    draw_rows(rows_in_force())


def draw_own_settings() -> None:
    """Draw what a person may set for this browser."""
    st.header("For you, in this browser", anchor=False)
    draw_account(current_person())
    found = prepare()
    if missing := missing_choice():
        st.warning(
            f"The run {escape_markdown(missing)}, which you chose, is not there any more: the "
            "server's model parses."
        )
    st.selectbox(
        "Model on Parse & step",
        found,
        format_func=lambda choice: choice.name,
        key=MODEL,
        on_change=take_model,
        help="A link that names a model or a run keeps it. Training runs come from the page Train.",
    )
    st.radio(
        "Dates in tables",
        tuple(DATES_NAMES),
        format_func=lambda name: DATES_NAMES[name],
        key=DATES,
        on_change=take_dates,
        horizontal=True,
    )
    store, person = scope()
    draw_own({"store": store, "person": person}, key=OWN)
    st.caption(
        "Light or dark follows your system; the menu ⋮ at the top right changes it for this visit, "
        "and for good on the page that is open."
    )


def draw_rows(rows: Sequence[Row]) -> None:
    """Draw rows as a list of terms: in three columns, or one below the other where it is narrow."""
    lines = [
        f"<div><dt>{escape(row.what)}</dt><dd>{escape(row.value)}</dd><dd>{_source(row)}</dd></div>"
        for row in rows
    ]
    st.html(f'{_STYLE}<dl class="in-force">{"".join(lines)}</dl>')


def _source(row: Row) -> str:
    """Escape a source; what stands between backticks is code."""
    pieces = escape(row.source).split("`")
    return "".join(
        f"<code>{piece}</code>" if place % 2 else piece for place, piece in enumerate(pieces)
    )


draw_page()
