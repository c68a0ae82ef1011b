"""The address of the page, which a browser on a slow line tells late.

What draws itself by a timer is asked for with the address that the browser had when it asked. The
page may have another by then: drawn anew by the old one, it would go back to what the person has
left. So the session keeps the address that the page has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import ParamSpec

import streamlit as st

P = ParamSpec("P")
_KEPT = "address_kept"


def put_address(parameters: Mapping[str, str]) -> None:
    """Give the page another address."""
    st.query_params.from_dict(dict(parameters))
    _keep()


def timed(draw: Callable[P, None], seconds: float | None) -> Callable[P, None]:
    """Let a part of the page be drawn again by a timer, at the address that the page has by then.

    Args:
        draw: What draws it.
        seconds: From one time to the next; None for once.

    Returns:
        What draws it for the first time, to be called once.
    """
    is_drawn = False

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
        nonlocal is_drawn
        if not is_drawn:
            _keep()
        elif (kept := st.session_state.get(_KEPT)) != st.query_params.to_dict():
            st.query_params.from_dict(kept or {})
        is_drawn = True
        draw(*args, **kwargs)

    return st.fragment(drawn, run_every=seconds)


def _keep() -> None:
    st.session_state[_KEPT] = st.query_params.to_dict()
