"""The launch form of the Train page."""

from __future__ import annotations

import streamlit as st

from app.kit.address import timed
from app.kit.data_folder import data_folder, files_in
from app.kit.text import escape_markdown
from app.pages.train.form import FREE_HINT, SETTINGS, Setting
from app.pages.train.state import (
    configs,
    corpora_of,
    field_key,
    fill_fields,
    folder,
    take_accepted,
    take_config,
    take_estimate,
    take_launch,
)
from app.pages.train.watch import describe_estimate, tiles_of_estimate
from trainer.config import DATA_VARIABLE
from trainer.runs import estimates
from trainer.runs import watching as trained
from trainer.runs.estimates import EstimateState
from trainer.runs.status import ENDED

COLUMNS = 4
POLL_SECONDS = 1.0


def draw_form() -> None:
    """Draw the form, and say what a launch would meet."""
    fill_fields()
    draw_busy()
    st.selectbox(
        "Configuration",
        tuple(configs()),
        key=field_key("config"),
        on_change=take_config,
        width=300,
        help="A file that comes with the program; the fields below start with what it says.",
    )
    with st.form("train_form", border=False):
        st.text_input(
            "Name of the run",
            key=field_key("name"),
            width=300,
            help="Its folder inside the folder of runs, and the name of its model.",
        )
        columns = st.columns(COLUMNS)
        for place, setting in enumerate(SETTINGS):
            with columns[place % COLUMNS]:
                draw_field(setting)
        st.text_area(
            "Other settings, one key=value a line",
            key=field_key("free"),
            placeholder=FREE_HINT,
            height=110,
        )
        draw_corpora()
        row = st.container(horizontal=True, gap="small")
        number = len(st.session_state.train_launches)
        row.form_submit_button("Launch", type="primary", on_click=take_launch, args=(number,))
        row.form_submit_button("Estimate time and memory", on_click=take_estimate)
    draw_accepted()
    if st.session_state.train_measured is not None:
        is_measuring = estimate_now().state == "measuring"
        timed(draw_estimate, POLL_SECONDS if is_measuring else None)(is_measuring)
    st.caption(
        f"Runs are kept in {escape_markdown(str(folder()))}. A launched run is a process of its "
        "own: it goes on when this page or the whole app is closed."
    )


def draw_corpora() -> None:
    """Draw the files to train on, and name those that score it."""
    train, dev = corpora_of(st.session_state[field_key("config")])
    chosen = st.session_state[field_key("corpora")]
    root = data_folder()
    found = () if root is None else files_in(root)
    st.multiselect(
        "Files to train on",
        tuple(dict.fromkeys((*train, *chosen, *found))),
        key=field_key("corpora"),
        accept_new_options=True,
        help="Those of the configuration, and all graph files below the folder of corpora.",
    )
    with st.expander(f"The configuration names {len(train)} training and {len(dev)} dev files"):
        st.code("\n".join(["data.train:", *train, "", "data.dev:", *dev]), language=None)
        st.caption(
            f"Paths stand inside the folder of corpora ({DATA_VARIABLE}). Dev files are never "
            "trained on."
        )


def draw_accepted() -> None:
    """Draw the button that chooses what people accepted in the store in use."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    row.button(
        "Train on this store's accepted graphs",
        on_click=take_accepted,
        help="Writes them to a file in the folder of corpora and chooses that file alone.",
    )
    if st.session_state.train_accepted:
        row.caption(escape_markdown(st.session_state.train_accepted), width="content")


def estimate_now() -> EstimateState:
    """Tell how far the estimate is that was asked for last."""
    return estimates.read_estimate(folder(), st.session_state.train_measured)


def draw_estimate(is_polling: bool) -> None:
    """Draw the estimate, or that it is being measured."""
    now = estimate_now()
    if is_polling and now.state != "measuring":
        st.rerun()
    if now.state == "measuring":
        st.caption(
            ":material/hourglass_top: Measuring a few dry batches; half a minute or more. You can "
            "launch without waiting."
        )
    elif now.estimate is None:
        st.warning(f"This cannot be estimated: {escape_markdown(now.message)}")
    else:
        row = st.container(horizontal=True, gap="medium")
        for tile in tiles_of_estimate(now.estimate):
            row.metric(tile.label, tile.value, help=tile.note or None, width=160)
        st.caption(describe_estimate(now.estimate))


def draw_busy() -> None:
    """Say which run is on, and that a launch waits for it."""
    on = [run for run in trained.list_runs(folder()) if run.state not in ENDED]
    if on:
        names = ", ".join(f"**{escape_markdown(run.name)}** ({run.state})" for run in on)
        st.info(
            f"A run is on: {names}. One launched now waits in the queue and begins by itself.",
            icon=":material/schedule:",
        )


def draw_field(setting: Setting) -> None:
    """Draw the field of one setting."""
    key = field_key(setting.key)
    if setting.choices:
        st.selectbox(setting.label, setting.choices, key=key, help=setting.help)
    elif setting.digits:
        st.number_input(
            setting.label,
            min_value=setting.low,
            step=setting.step,
            format=f"%.{setting.digits}f",
            key=key,
            help=setting.help,
        )
    else:
        st.number_input(
            setting.label,
            min_value=int(setting.low),
            step=int(setting.step),
            key=key,
            help=setting.help,
        )
