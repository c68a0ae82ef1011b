"""What a person has set for this browser: kept in a cookie, so that a reload knows it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args
from urllib.parse import quote, unquote

import streamlit as st

Dates = Literal["iso", "local"]

COOKIE = "aptamr-settings"
"""The cookie in which a browser keeps them."""
_STATE = "own_settings"
_KEEP = """<script>
document.cookie = "{cookie}={text}; path=/; max-age=31536000; samesite=lax";
</script>"""
_DATES = {"iso": "YYYY-MM-DD HH:mm", "local": "localized"}


@dataclass(frozen=True, slots=True)
class OwnSettings:
    """What a person has set.

    Attributes:
        run: The training run whose model parses on Parse & step; empty for the server's.
        checkpoint: Which of its models.
        dates: Dates as 2026-05-01 14:30, or in the language of the browser.
    """

    run: str = ""
    checkpoint: str = ""
    dates: Dates = "iso"


def own_settings() -> OwnSettings:
    """Give what was set in this session, or else what the browser keeps."""
    known: OwnSettings | None = st.session_state.get(_STATE)
    if known is None:
        known = read_settings(st.context.cookies.get(COOKIE, ""))
        st.session_state[_STATE] = known
    return known


def set_own(**changes: Any) -> None:
    """Change some of them in this session; :func:`keep_settings` lets the browser know."""
    st.session_state[_STATE] = replace(own_settings(), **changes)


def keep_settings() -> None:
    """Let the browser keep them."""
    text = write_settings(own_settings())
    st.html(_KEEP.format(cookie=COOKIE, text=text), unsafe_allow_javascript=True)


def read_settings(cookie: str) -> OwnSettings:
    """Read a cookie; what cannot be used counts as not set."""
    try:
        found = json.loads(unquote(cookie) or "{}")
    except (ValueError, TypeError, RecursionError):
        return OwnSettings()
    if not isinstance(found, dict):
        return OwnSettings()
    names = [field.name for field in fields(OwnSettings)]
    texts = {name: found[name] for name in names if isinstance(found.get(name), str)}
    if texts.get("dates") not in get_args(Dates):
        texts.pop("dates", None)
    return OwnSettings(**texts)


def write_settings(settings: OwnSettings) -> str:
    """Write them for a cookie; :func:`read_settings` reads them back."""
    return quote(json.dumps(asdict(settings), separators=(",", ":")), safe="")


def date_format() -> str:
    """Give the format of dates in tables, as Streamlit's columns take it."""
    return _DATES[own_settings().dates]
