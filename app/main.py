"""The entry of the pages: it only routes."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app.addresses.pages import page_file

_ICON = (Path(__file__).resolve().parent / "icon.svg").read_text("utf-8").strip()

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
        "Build": [
            st.Page(page_file("train"), title="Train", url_path="train"),
            st.Page(page_file("settings"), title="Data & settings", url_path="settings"),
        ],
    },
    position="top",
).run()
