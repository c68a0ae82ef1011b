"""Compare opens corpora too."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from app.kit.corpora import list_files


def data_folder() -> Path | None:
    """Give the folder that corpora may be opened from: APTAMR_DATA, if it is one."""
    name = os.environ.get("APTAMR_DATA", "")
    return Path(name) if name and Path(name).is_dir() else None


@st.cache_data(ttl=60, show_spinner=False)
def files_in(folder: Path) -> tuple[str, ...]:
    """List the graph files of a folder; new ones are seen within a minute."""
    return list_files(folder)
