"""A run being watched on the Train page: state, figures, charts and log, drawn anew by itself."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from app.addresses.codec import format_link
from app.addresses.pages import page_file
from app.addresses.parse import Link
from app.addresses.train import TrainLink
from app.kit.address import timed
from app.kit.own_settings import date_format
from app.kit.text import escape_markdown
from app.pages.train.charts import dev_frame, line_chart, step_frame
from app.pages.train.state import (
    chosen_run,
    folder,
    go,
    requested,
    take_resume,
    take_run,
    take_stop,
)
from app.pages.train.tables import run_frame
from app.pages.train.watch import (
    NO_FIGURE,
    NO_SCORE,
    can_resume,
    can_stop,
    describe_best,
    describe_checkpoint,
    describe_run,
    describe_unseen,
    seconds_left,
    seconds_text,
    share_done,
    tiles_of,
)
from aptcore.errors import AptamrError
from trainer.runs import watching as trained
from trainer.runs.status import ENDED
from trainer.runs.watching import Metrics, RunInfo

POLL_SECONDS = 2.0
LOG_LINES = 40
_PARSE = page_file("parse")


def draw_runs() -> None:
    """Draw the choice of runs and the chosen one."""
    found = trained.list_runs(folder())
    if not found:
        st.info(
            f"There is no run in {escape_markdown(str(folder()))} yet. A run trains a parser on "
            "the corpora and keeps everything it measures."
        )
        st.button("Launch the first", on_click=go, args=(TrainLink("new"),), type="primary")
        return
    try:
        run = chosen_run(found)
    except AptamrError as error:
        st.error(escape_markdown(str(error)))
        run = None
    names = [one.name for one in found]
    st.session_state.train_run = run.name if run is not None else None
    st.selectbox("Run", names, key="train_run", on_change=take_run, width=300)
    if run is not None:
        is_on = run.state not in ENDED
        timed(draw_run, POLL_SECONDS if is_on else None)(run.name, is_on)
    draw_table(found)


def draw_run(name: str, is_polling: bool) -> None:
    """Draw one run as it is now; the page is drawn anew when nothing more will happen."""
    run = trained.read_run(folder(), name)
    if (run.state not in ENDED) != is_polling:
        st.rerun()
    metrics = trained.read_run_metrics(run.folder)
    st.markdown(describe_run(run, time.time()))
    draw_progress(run, metrics)
    draw_actions(run)
    draw_tiles(run, metrics)
    draw_charts({run.name: metrics})
    draw_log(run)


def draw_progress(run: RunInfo, metrics: Metrics) -> None:
    """Draw how far the run is."""
    if not run.beat.num_steps:
        return
    text = f"Step {run.beat.step:,} of {run.beat.num_steps:,}"
    size = trained.size_of(run.folder)
    left = seconds_left(run, metrics, size.actions, size.epochs)
    if left is not None:
        text += f"; about {seconds_text(left)} of training left at the last rate"
    st.progress(share_done(run), text)


def draw_actions(run: RunInfo) -> None:
    """Draw what can be done with the run now."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    if can_stop(run):
        row.button("Stop", on_click=take_stop, args=(run.name,), key="train_stop")
    if can_resume(run):
        row.button(
            "Resume", on_click=take_resume, args=(run.name,), key="train_resume", type="primary"
        )
    for checkpoint in run.checkpoints:
        row.page_link(
            _PARSE,
            label=f"Parse & step with {describe_checkpoint(checkpoint)}",
            icon=":material/account_tree:",
            query_params=format_link(Link(run=run.name, checkpoint=checkpoint)),
        )
    if not run.checkpoints:
        row.caption("No checkpoint yet: the first is written after the first epoch, or by a stop.")


def draw_tiles(run: RunInfo, metrics: Metrics) -> None:
    """Draw the figures of the run."""
    row = st.container(horizontal=True, gap="medium")
    for tile in tiles_of(run, metrics, trained.size_of(run.folder).dev):
        row.metric(tile.label, tile.value, help=tile.note or None, width=195)
    st.caption(describe_best(metrics))
    for line in describe_unseen(trained.unseen_of(run.folder)):
        st.caption(escape_markdown(line))
    if metrics.bad_steps:
        step, names = metrics.bad_steps[-1]
        st.warning(
            f"{len(metrics.bad_steps)} steps had a loss that is not finite and changed nothing; "
            f"the last was step {step:,}, with {escape_markdown(names)}."
        )


def draw_charts(runs: Mapping[str, Metrics]) -> None:
    """Draw what one or several runs measured."""
    if not any(metrics.steps or metrics.dev for metrics in runs.values()):
        st.caption("Nothing is measured yet: loss and speed come every 50 steps, scores later.")
        return
    steps, (left, right) = step_frame(runs), st.columns(2)
    with left:
        draw_chart(steps, "step", "loss", "Loss per action, nats")
    with right:
        draw_chart(steps, "step", "learning_rate", "Learning rate")
    left, right = st.columns(2)
    with left:
        draw_chart(dev_frame(runs), "epoch", "smatch", "Dev Smatch, greedy")
    with right:
        draw_chart(steps, "step", "actions_per_second", "Actions/s")


def draw_chart(frame: pd.DataFrame, x: str, y: str, title: str) -> None:
    """Draw one chart, or say that there is nothing to draw yet."""
    st.markdown(f"**{title}**")
    if frame.empty:
        st.caption(NO_SCORE if x == "epoch" else NO_FIGURE)
        return
    num_lines = frame["line"].nunique()
    if len(frame) == num_lines:  # no line has two points
        points = zip(frame["line"], frame[y], strict=True)
        named = escape_markdown("; ".join(f"{line}: {value:.4g}" for line, value in points))
        st.caption(f"One measure so far, at {x} {frame[x].iloc[-1]:,}: {named}")
        return
    has_legend = num_lines > 1 or requested().view == "compare"
    st.altair_chart(line_chart(frame, x, y, title, has_legend=has_legend))


def draw_log(run: RunInfo) -> None:
    """Draw the end of the log; open where the run did not end well."""
    text = trained.log_tail(run.folder, LOG_LINES)
    with st.expander("Log", expanded=run.state in ("failed", "dead")):
        if text:
            st.code(text, language=None, wrap_lines=True, height=260)
        else:
            st.caption("The log is empty.")


def draw_table(found: tuple[RunInfo, ...]) -> None:
    """Draw all runs of the folder."""
    with st.expander(f"All runs ({len(found)})"):
        st.dataframe(
            run_frame([(run, trained.read_run_metrics(run.folder)) for run in found]),
            hide_index=True,
            key="train_table",
            placeholder=NO_SCORE,
            column_config={
                "step": st.column_config.NumberColumn(format="localized"),
                "best dev Smatch": st.column_config.NumberColumn(format="%.1f"),
                "launched": st.column_config.DatetimeColumn(format=date_format()),
            },
        )
