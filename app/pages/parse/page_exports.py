"""The files of the shown trace, behind one line that opens."""

from __future__ import annotations

import streamlit as st

from app.exports.files import exports_of
from app.kit.text import moment_text
from aptcore.trace.trace import Trace

FINISHED, AT_STEP = "Finished graph", "Graph so far"
"""Which graph the files hold; the second follows the moment at which stepping paused."""


def draw_exports(trace: Trace, step: int) -> None:
    """Offer every export as a download; a file is made only when its button is pressed.

    Args:
        trace: What is exported.
        step: How many actions are taken where the person stands.
    """
    with st.expander("Exports"):
        row = st.container(horizontal=True, gap="small", vertical_alignment="center")
        chosen = row.segmented_control(
            "Graph in the files",
            (FINISHED, AT_STEP),
            default=FINISHED,
            required=True,
            key="export_graph",
            label_visibility="collapsed",
        )
        is_finished = chosen == FINISHED
        row.caption(_explain(trace, step, is_finished=is_finished))
        buttons = st.container(horizontal=True, gap="small")
        for export in exports_of(trace, None if is_finished else step):
            buttons.download_button(
                export.name,
                export.make,
                file_name=export.file_name,
                mime=export.mime,
                on_click="ignore",
                key=f"export_{export.file_name.rpartition('.')[2]}",
            )


def _explain(trace: Trace, step: int, *, is_finished: bool) -> str:
    """Say what the files hold."""
    num_steps = len(trace.steps)
    if is_finished or step == num_steps:
        return "Repairs included, and marked. Trace and stepper always hold all actions."
    return f"{moment_text(step, num_steps)}. Trace and stepper always hold all."
