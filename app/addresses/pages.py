"""The file of each page, for ``st.Page`` and ``st.switch_page``."""

from __future__ import annotations

from pathlib import Path

_PAGES = Path(__file__).resolve().parents[1] / "pages"


def page_file(name: str) -> str:
    """Give the script of a page by the name of its folder."""
    return str(_PAGES / name / "page.py")
