"""What the Data & settings page reads of this process, and what it changes."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from app.annotation.identity import has_sign_in
from app.annotation.own_roles import own_roles
from app.annotation.session import current_person, shared_store, store_url
from app.engine.choosing import Choice, choices, chosen
from app.engine.shared import shared_engine
from app.kit.data_folder import data_folder, files_in
from app.kit.own_settings import own_settings, set_own
from app.lessons.files import VARIABLE
from app.lessons.files import files_in as lessons_in
from app.pages.settings.in_force import (
    Counts,
    Row,
    data_rows,
    model_rows,
    sign_in_row,
)
from aptcore.errors import StoreError
from trainer.runs.folders import folders_of_runs, runs_folder

MODEL, DATES = "settings_model", "settings_dates"
DATES_NAMES = {"iso": "2026-05-01 14:30", "local": "As the browser writes them"}


def rows_in_force() -> list[Row]:
    """Give what is in force, but for the versions."""
    environment = os.environ
    rows = model_rows(environment, shared_engine().status)
    rows += data_rows(environment, store_url(), _counts())
    provider = str(st.secrets["auth"].get("server_metadata_url", "")) if has_sign_in() else None
    rows.append(sign_in_row(provider, current_person()))
    return rows


def _counts() -> Counts:
    data, lessons = data_folder(), os.environ.get(VARIABLE)
    roles, problem = own_roles()
    return Counts(
        corpora=None if data is None else len(files_in(data)),
        runs=len(folders_of_runs(runs_folder())),
        lessons=len(lessons_in(Path(lessons))) if lessons else 0,
        roles=problem or len(roles),
    )


def prepare() -> tuple[Choice, ...]:
    """Fill the fields from what is set; give the models to choose from."""
    found = choices()
    st.session_state[MODEL] = chosen()
    st.session_state[DATES] = own_settings().dates
    return found


def take_model() -> None:
    """Let the chosen model parse in this browser from now on."""
    choice: Choice = st.session_state[MODEL]
    set_own(run=choice.run, checkpoint=choice.checkpoint)


def take_dates() -> None:
    """Write dates as was chosen."""
    set_own(dates=st.session_state[DATES])


def missing_choice() -> str:
    """Give the run that was chosen and is no longer there; empty where all is well."""
    own = own_settings()
    return own.run if own.run and not chosen().run else ""


def scope() -> tuple[str, str]:
    """Give store and person, under which a browser keeps keys; empty where one is not known."""
    person = current_person()
    try:
        return (shared_store().identity, person) if person else ("", "")
    except StoreError:
        return "", ""
