"""Two runs side by side on the Train page."""

from __future__ import annotations

import streamlit as st

from app.kit.address import timed
from app.kit.text import escape_markdown
from app.pages.train.page_runs import POLL_SECONDS, draw_charts
from app.pages.train.state import folder, requested, take_pair
from app.pages.train.tables import difference_frame, outcome_frame
from aptcore.errors import AptamrError
from trainer.runs import watching as trained
from trainer.runs.status import ENDED
from trainer.runs.watching import RunInfo


def draw_compare() -> None:
    """Draw the choice of two runs, how their settings differ, and what they measured."""
    found = trained.list_runs(folder())
    if len(found) < 2:
        st.info("Two runs are needed to compare them; there are fewer in the folder of runs.")
        return
    pair = chosen_pair(found)
    names = [run.name for run in found]
    st.session_state.train_first, st.session_state.train_second = (run.name for run in pair)
    row = st.container(horizontal=True, gap="small")
    row.selectbox("First run", names, key="train_first", on_change=take_pair, width=300)
    row.selectbox("Second run", names, key="train_second", on_change=take_pair, width=300)
    first, second = pair
    if first.name == second.name:
        st.info("Choose two different runs.")
        return
    draw_differences(first, second)
    is_on = any(run.state not in ENDED for run in pair)
    timed(draw_outcome, POLL_SECONDS if is_on else None)(first.name, second.name)


def draw_outcome(first: str, second: str) -> None:
    """Draw what two runs measured so far."""
    pair = [trained.read_run(folder(), name) for name in (first, second)]
    measured = [(run, trained.read_run_metrics(run.folder)) for run in pair]
    st.markdown("**What they measured**")
    st.dataframe(outcome_frame(measured[0], measured[1]), key="train_outcome")
    draw_charts({run.name: metrics for run, metrics in measured})


def chosen_pair(found: tuple[RunInfo, ...]) -> tuple[RunInfo, RunInfo]:
    """Give the runs of the address; the newest ones where it names none."""
    link = requested()
    chosen = []
    for name in (link.run, link.other):
        if name is None:
            continue
        try:
            chosen.append(trained.read_run(folder(), name))
        except AptamrError as error:
            st.error(escape_markdown(str(error)))
    known = {run.name for run in chosen}
    rest = [run for run in found if run.name not in known]
    first, second = [*chosen, *rest][:2]
    return first, second


def draw_differences(first: RunInfo, second: RunInfo) -> None:
    """Draw the settings in which two runs differ."""
    differing = trained.differences(first.folder, second.folder)
    st.markdown("**Settings that differ**")
    if not differing:
        st.caption("None: the two runs have the same configuration.")
        return
    frame = difference_frame(differing, first.name, second.name)
    st.dataframe(frame, key="train_differences")
