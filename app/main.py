"""The entry of the pages: it only routes."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#1b6b78" '
    'stroke-width="3"><path d="M16 11v4M16 15L8 21M16 15l8 6"/><circle cx="16" cy="7" r="4"/>'
    '<circle cx="7" cy="25" r="4"/><circle cx="25" cy="25" r="4"/></svg>'
)
_PAGES = Path(__file__).resolve().parent / "pages"

st.set_page_config(page_title="aptamr", page_icon=_ICON, layout="wide")
st.navigation(
    {
        "": [
            st.Page(_PAGES / "home.py", title="Home", default=True),
            st.Page(_PAGES / "parse.py", title="Parse & step", url_path="parse"),
        ],
        "Learn": [
            st.Page(_PAGES / "oracle.py", title="Oracle", url_path="oracle"),
            st.Page(_PAGES / "exercises.py", title="Exercises", url_path="exercises"),
        ],
        "Annotate": [
            st.Page(_PAGES / "queue.py", title="Queue", url_path="queue"),
            st.Page(_PAGES / "correct.py", title="Correct", url_path="correct"),
            st.Page(_PAGES / "compare.py", title="Compare", url_path="compare"),
        ],
        "Build": [st.Page(_PAGES / "train.py", title="Train", url_path="train")],
    },
    position="top",
).run()
