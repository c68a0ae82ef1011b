"""The entry of the pages: it only routes."""

from __future__ import annotations

import streamlit as st

from app.addresses.pages import page_file

_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#1b6b78" '
    'stroke-width="3"><path d="M16 11v4M16 15L8 21M16 15l8 6"/><circle cx="16" cy="7" r="4"/>'
    '<circle cx="7" cy="25" r="4"/><circle cx="25" cy="25" r="4"/></svg>'
)

st.set_page_config(page_title="aptamr", page_icon=_ICON, layout="wide")
st.navigation(
    {
        "": [
            st.Page(page_file("home"), title="Home", default=True),
            st.Page(page_file("parse"), title="Parse & step", url_path="parse"),
        ],
        "Learn": [
            st.Page(page_file("oracle"), title="Oracle", url_path="oracle"),
            st.Page(page_file("exercises"), title="Exercises", url_path="exercises"),
        ],
        "Annotate": [
            st.Page(page_file("queue"), title="Queue", url_path="queue"),
            st.Page(page_file("correct"), title="Correct", url_path="correct"),
            st.Page(page_file("compare"), title="Compare", url_path="compare"),
        ],
        "Build": [st.Page(page_file("train"), title="Train", url_path="train")],
    },
    position="top",
).run()
