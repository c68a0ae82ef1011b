"""The field in which people are chosen, for assignments and copies."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.annotation.identity import known_people
from app.annotation.session import shared_store


def draw_people(where: DeltaGenerator, label: str, key: str, hint: str) -> None:
    """Draw a field for people: those who are known, and new ones as they are typed."""
    known = known_people(shared_store().people)
    chosen = st.session_state.get(key, [])
    where.multiselect(
        label,
        tuple(dict.fromkeys((*known, *chosen))),
        key=key,
        accept_new_options=True,
        placeholder="Choose, or type a new name",
        help=hint,
        width=360,
    )
