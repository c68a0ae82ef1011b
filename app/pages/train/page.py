"""Train: launch runs, watch them, stop and resume them, compare them, open what they learnt.

Only drawing stands here; how the session changes stands in ``app.pages.train.state``. The
runs live in processes of their own and in files: this page only looks.
"""

from __future__ import annotations

import streamlit as st

from app.kit.look import apply_look, draw_switch
from app.kit.text import escape_markdown
from app.pages.train.page_compare import draw_compare
from app.pages.train.page_form import draw_form
from app.pages.train.page_runs import draw_runs
from app.pages.train.state import prepare, requested, take_view

VIEWS = {"runs": "Runs", "new": "New run", "compare": "Compare"}


def draw_problems() -> None:
    """Say why what was asked for last was not done."""
    problems = st.session_state.train_problems
    if problems:
        lines = "\n".join(f"- {escape_markdown(problem)}" for problem in problems)
        st.error(f"Nothing was started or changed:\n\n{lines}")


def draw_page() -> None:
    """Draw the whole page."""
    apply_look()
    prepare()
    draw_switch(None, "Show", VIEWS, "train_view", take_view)
    draw_problems()
    match requested().view:
        case "new":
            draw_form()
        case "compare":
            draw_compare()
        case _:
            draw_runs()


draw_page()
