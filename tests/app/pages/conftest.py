"""What the tests of pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import streamlit as st


@pytest.fixture
def empty_caches() -> Iterator[None]:
    """Streamlit keeps nothing for all sessions: neither of tests before, nor for those after."""
    st.cache_resource.clear()
    st.cache_data.clear()
    yield
    st.cache_resource.clear()
    st.cache_data.clear()
