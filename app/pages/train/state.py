"""What the session of the Train page holds, and how it changes.

The address names the view and the runs on it; the runs themselves are on disk. The
session keeps only what was typed into the form (``train_draft``) and what went wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import streamlit as st

from app.addresses.codec import format_link, parse_link
from app.addresses.train import TrainLink, View
from app.annotation.session import shared_store
from app.kit.address import put_address
from app.kit.data_folder import data_folder
from app.kit.text import counted
from app.pages.train.corpora import corpora_override, write_accepted
from app.pages.train.form import SETTINGS, Value, free_name, overrides_of, values_of
from aptcore.errors import AptamrError, InputError
from trainer.config import DATA_VARIABLE, load_config
from trainer.runs import estimates, launching
from trainer.runs import watching as trained
from trainer.runs.folders import runs_folder
from trainer.runs.launching import Wish
from trainer.runs.status import ENDED
from trainer.runs.watching import RunInfo

FIRST_CONFIG = "gold"
"""The configuration that the form opens with, where it is there."""

ONE_MODEL_ONLY = (
    "this configuration trains several models in stages, and only the training of one is "
    "estimated: add the setting stages=[] to estimate one"
)

_LAUNCHING = threading.Lock()


def folder() -> Path:
    """Give the folder of runs."""
    return runs_folder()


def requested() -> TrainLink:
    """Read the address."""
    return parse_link(TrainLink, st.query_params.to_dict())


def go(link: TrainLink) -> None:
    """Make the address ask for something else; old complaints are no longer shown."""
    st.session_state.train_problems = ()
    put_address(format_link(link))


def prepare() -> None:
    """Fill the session on its first run, and the fields from the address."""
    if "train_draft" not in st.session_state:
        st.session_state.train_problems = ()
        st.session_state.train_measured = None
        st.session_state.train_accepted = ""
        st.session_state.train_launches = []
        st.session_state.train_draft = {}
        begin_draft(FIRST_CONFIG if FIRST_CONFIG in configs() else next(iter(configs())))
    st.session_state.train_view = requested().view


def configs() -> Mapping[str, Path]:
    """Give the configurations that a run can be launched with, by name."""
    return launching.shipped_configs()


@st.cache_data(show_spinner=False)
def shipped_values(config: str) -> dict[str, Value]:
    """Give what a shipped configuration says about the settings of the form."""
    return values_of(load_config(configs()[config]))


@st.cache_data(show_spinner=False)
def corpora_of(config: str) -> tuple[list[str], list[str]]:
    """Give the files that a shipped configuration trains on, and its dev files."""
    data = load_config(configs()[config]).data
    return data.train_names(), list(data.dev)


def begin_draft(config: str) -> None:
    """Fill the form from a shipped configuration; a name that was typed stays."""
    draft = st.session_state.train_draft
    taken = [run.name for run in trained.list_runs(folder())]
    free = draft.get("free", "")
    st.session_state.train_draft = {
        "config": config,
        "name": free_name(config, taken),
        "free": free,
        "corpora": corpora_of(config)[0],
        **shipped_values(config),
    }


def field_key(name: str) -> str:
    """Name the field of a setting in the session."""
    return f"train_{name.replace('.', '_')}"


def fill_fields() -> None:
    """Put the draft into the fields: Streamlit forgets them while another view is open."""
    for name, value in st.session_state.train_draft.items():
        st.session_state.setdefault(field_key(name), value)


def take_config() -> None:
    """Fill the form from the configuration that was chosen."""
    begin_draft(st.session_state[field_key("config")])
    for name, value in st.session_state.train_draft.items():
        st.session_state[field_key(name)] = value


def take_fields() -> Wish:
    """Keep what the form holds, and give the run that it asks for."""
    draft = {name: st.session_state[field_key(name)] for name in st.session_state.train_draft}
    st.session_state.train_draft = draft
    values = {setting.key: draft[setting.key] for setting in SETTINGS}
    chosen = corpora_override(draft["corpora"], corpora_of(draft["config"])[0])
    overrides = overrides_of(values, shipped_values(draft["config"]), draft["free"])
    return Wish(draft["name"].strip(), draft["config"], (*chosen, *overrides))


def take_accepted() -> None:
    """Choose the accepted graphs of the store in use, and nothing else, to be trained on."""
    take_fields()
    try:
        root = data_folder()
        if root is None:
            raise InputError(f"set {DATA_VARIABLE} to the folder of the corpora")
        name, number = write_accepted(shared_store(), root)
    except AptamrError as error:
        st.session_state.train_problems = (str(error),)
        return
    st.session_state.train_problems = ()
    st.session_state.train_draft["corpora"] = st.session_state[field_key("corpora")] = [name]
    st.session_state.train_accepted = f"{name}: {counted(number, 'accepted sentence')}."


def take_launch(number: int) -> None:
    """Launch what the form asks for, or name all that is wrong with it.

    A second click that comes before the run is on the page asks for nothing more. It ends the
    first one's callback wherever that asks the session, and its own runs beside it.

    Args:
        number: How many runs had been launched when the form was drawn.
    """
    launches: list[str] = st.session_state.train_launches
    with _LAUNCHING:
        if number == len(launches):
            wish = take_fields()
            _, problems = launching.check_wish(folder(), wish)
            if not problems:
                try:
                    launching.launch(folder(), wish)
                    launches.append(wish.name)
                except AptamrError as error:
                    problems = (str(error),)
            if problems:
                st.session_state.train_problems = problems
                return
    st.session_state.train_measured = None
    go(TrainLink("runs", launches[-1]))


def take_estimate() -> None:
    """Begin to measure what the form asks for, or name all that is wrong with it."""
    wish = take_fields()
    config, problems = launching.check_wish(folder(), wish)
    if config is not None and config.stages:
        problems = (*problems, ONE_MODEL_ONLY)
    st.session_state.train_problems = problems
    st.session_state.train_measured = None if problems else config
    if config is not None and not problems:
        estimates.start_estimate(folder(), config)


def take_view() -> None:
    """Show another view, with the runs that the last one named."""
    link = requested()
    view: View = st.session_state.train_view or link.view
    go(TrainLink(view, link.run, link.other if view == "compare" else None))


def take_run() -> None:
    """Watch the run that was chosen."""
    go(TrainLink("runs", st.session_state.train_run))


def take_pair() -> None:
    """Compare the two runs that were chosen."""
    go(TrainLink("compare", st.session_state.train_first, st.session_state.train_second))


def take_stop(name: str) -> None:
    """Ask a run to stop."""
    _attempt(lambda: launching.ask_stop(folder(), name))


def take_resume(name: str) -> None:
    """Go on with a run, unless it is on: by a second click, or another browser."""

    def resume() -> None:
        if trained.read_run(folder(), name).state in ENDED:
            launching.resume(folder(), name)

    _attempt(resume)


def _attempt(act: Callable[[], None]) -> None:
    try:
        act()
    except AptamrError as error:
        st.session_state.train_problems = (str(error),)


def chosen_run(found: Sequence[RunInfo]) -> RunInfo | None:
    """Give the run to watch: what the address names, else one that is on, else the newest.

    Raises:
        InputError: If the address names none that there is.
    """
    name = requested().run
    if name is not None:
        return trained.read_run(folder(), name)
    on = [run for run in found if run.state not in ENDED and run.state != "queued"]
    return next(iter([*on, *found]), None)
