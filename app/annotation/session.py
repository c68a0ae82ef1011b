"""What the pages under Annotate share: the store, and who is at work.

The store is the one that ``aptamr app --store URL`` names (APTAMR_STORE); without it a
SQLite file in the user's data folder.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import streamlit as st

from app.annotation.identity import draw_person_form, find_person, keep_person
from app.kit.address import timed
from app.kit.text import escape_markdown
from app.store.store import Store, open_store
from aptcore.errors import StoreError

PATIENCE = 5.0
"""Seconds for which a page waits for another writer of a file, before it says that it waits."""
RETRY_SECONDS = 3.0
"""How often a page looks whether a store can be used again."""


def default_store() -> Path:
    """Give the file that is used where no store is named."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "aptamr" / "annotations.db"


def store_url() -> str:
    """Give the address or file of the store in use."""
    return os.environ.get("APTAMR_STORE") or str(default_store())


def shared_store() -> Store:
    """Give the one open store of this process.

    Raises:
        StoreError: If it cannot be opened.
    """
    return _store_at(store_url())


@st.cache_resource(show_spinner=False)
def _store_at(url: str) -> Store:
    if "APTAMR_STORE" not in os.environ:
        Path(url).parent.mkdir(parents=True, exist_ok=True)
    return open_store(url, patience=PATIENCE)


def is_store_open() -> bool:
    """Tell whether the store can be used; say on the page why not, and draw it when it can."""
    try:
        shared_store().documents()
        find_person(shared_store().people)
        _ = shared_store().identity  # from now on it is known, whatever becomes of the store
    except StoreError as error:
        draw_waiting(error)
        return False
    return True


def draw_waiting(error: StoreError) -> None:
    """Say why the store cannot be used, and draw the page anew once it can."""
    st.error(f"The store cannot be opened. {escape_markdown(str(error))}")
    timed(_watch_store, RETRY_SECONDS)()


def _watch_store() -> None:
    try:
        shared_store().documents()
        find_person(shared_store().people)
    except StoreError:
        return
    st.rerun()


def current_person() -> str:
    """Give who is at work; empty while nobody has said so, or the store cannot tell."""
    try:
        return find_person(shared_store().people)
    except StoreError:
        return ""


def is_person_known() -> bool:
    """Tell whether somebody is at work; ask who it is where nobody has said so."""
    person = current_person()
    if not person:
        draw_person_form(shared_store().people)
    keep_person(person)
    return bool(person)
