"""What the pages under Annotate share: the store, and who is at work.

The store is the one that ``aptamr app --store URL`` names (APTAMR_STORE); without it a
SQLite file in the user's data folder.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import streamlit as st

from app.kit.text import escape_markdown
from app.store.log.operations import MAX_NAME
from app.store.store import Store, open_store
from aptcore.errors import StoreError

PERSON = "annotation_person"
RETRY_SECONDS = 3.0
"""How often a page looks whether a store can be used again."""
NO_PASSWORD = (
    "The name is a label, not security: whoever reaches this page can type any name. "
    "An administrator can set up sign-in (OpenID Connect) in Streamlit's secrets."
)


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
    return open_store(url)


def is_store_open() -> bool:
    """Tell whether the store can be used; say on the page why not, and draw it when it can."""
    try:
        shared_store().documents()
    except StoreError as error:
        draw_waiting(error)
        return False
    return True


def draw_waiting(error: StoreError) -> None:
    """Say why the store cannot be used, and draw the page anew once it can."""
    st.error(f"The store cannot be opened. {escape_markdown(str(error))}")
    st.fragment(_watch_store, run_every=RETRY_SECONDS)()


def _watch_store() -> None:
    try:
        shared_store().documents()
    except StoreError:
        return
    st.rerun()


def has_sign_in() -> bool:
    """Tell whether sign-in is configured: a section ``auth`` in Streamlit's secrets."""
    return bool(st.secrets.load_if_toml_exists()) and "auth" in st.secrets


def current_person() -> str:
    """Give who is at work; empty while nobody has said so."""
    if has_sign_in():
        if not st.user.is_logged_in:
            return ""
        return str(st.user.get("name") or st.user.get("email") or "")[:MAX_NAME]
    return str(st.session_state.get(PERSON, "") or st.query_params.get("person", ""))[:MAX_NAME]


def set_person(name: str) -> None:
    """Note who is at work, in the session and in the address."""
    st.session_state[PERSON] = name
    st.query_params["person"] = name


def forget_person() -> None:
    """Ask again who is at work."""
    st.session_state[PERSON] = ""
    if "person" in st.query_params:
        del st.query_params["person"]


def draw_person_form() -> None:
    """Ask who is at work."""
    if has_sign_in():
        st.info("Sign in to annotate.")
        st.button("Sign in", on_click=st.login, type="primary")
        return
    with st.form("annotation_name", border=False):
        name = st.text_input("Your name", max_chars=MAX_NAME, key="annotation_typed")
        is_sent = st.form_submit_button("Begin", type="primary")
    st.caption(escape_markdown(NO_PASSWORD))
    cleaned = " ".join(name.split())
    if is_sent and cleaned and cleaned.isprintable():
        set_person(cleaned)
        st.rerun()
    if is_sent and not cleaned:
        st.warning("Type a name first.")
