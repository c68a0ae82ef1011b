"""The examples of the documentation run, and what they print is what stands there."""

from __future__ import annotations

import doctest
import re

import pytest

from tests.modules import ROOT

DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [str(path.relative_to(ROOT / "docs")) for path in DOCS if ">>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_a_page_print_what_stands_there(name: str) -> None:
    path = ROOT / "docs" / name
    failed, tried = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert tried
    assert not failed


def test_the_running_example_is_tested() -> None:
    assert {"transition-system.md", "model.md"} <= set(PAGES)


WRITTEN = [*sorted(ROOT.glob("*.md")), *DOCS]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_every_block_says_what_it_is(path) -> None:
    """So tests/test_examples.py runs it, or reads it, or leaves it to the eye."""
    fences = re.findall(r"^\s*```(.*)$", path.read_text("utf-8"), re.M)
    assert set(fences[::2]) <= {"sh", "python", "json", "amr", "toml", "text", "mermaid", "bat"}
    assert not any(fences[1::2])


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(path) -> None:
    links = re.findall(r"\]\(([\w./-]+\.md)(?:#[\w-]+)?\)", path.read_text("utf-8"))
    assert not [link for link in links if not (path.parent / link).exists()]
