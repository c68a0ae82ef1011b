"""The examples of the documentation run, and what they print is what stands there."""

from __future__ import annotations

import doctest
import re

import pytest

from tests.modules import ROOT

PAGES = [
    path.name for path in sorted((ROOT / "docs").glob("*.md")) if ">>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_a_page_print_what_stands_there(name: str) -> None:
    path = ROOT / "docs" / name
    failed, tried = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert tried
    assert not failed


def test_the_running_example_is_tested() -> None:
    assert {"transition-system.md", "model.md"} <= set(PAGES)


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(path) -> None:
    links = re.findall(r"\]\(([\w./-]+\.md)(?:#[\w-]+)?\)", path.read_text("utf-8"))
    assert not [link for link in links if not (path.parent / link).exists()]
