"""The public surface: the names that ``import aptcore`` gives, and what they cost."""

from __future__ import annotations

import ast
import subprocess
import sys

import aptcore
from tests.modules import ROOT

NAMES = {
    "AmrGraph",
    "AptParser",
    "AptamrError",
    "Parse",
    "Sentence",
    "Trace",
    "__version__",
    "align",
    "format_action",
    "format_penman",
    "oracle_actions",
    "parse_action",
    "parse_penman",
    "problems_of",
    "read_corpus",
    "replay",
    "save_graphs",
    "score_corpus",
    "tokenize",
    "why_illegal",
}
"""A name that goes, or comes, changes what others build on: the changelog tells of it."""


def test_the_names_are_these_and_no_others() -> None:
    assert set(aptcore.__all__) == NAMES
    assert dir(aptcore) == sorted(NAMES)


def test_every_name_is_what_its_module_defines() -> None:
    for name in NAMES - {"__version__"}:
        assert getattr(aptcore, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(aptcore, "parse_amr")


def test_checkers_of_types_see_the_same_names() -> None:
    tree = ast.parse((ROOT / "aptcore" / "__init__.py").read_text(encoding="utf-8"))
    (checked,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in checked.body if isinstance(node, ast.ImportFrom)]
    homes = {alias.name: node.module for node in imports for alias in node.names}
    assert homes == {name: f"aptcore.{home}" for name, home in aptcore._HOMES.items()}
    assert (ROOT / "aptcore" / "py.typed").exists()


def loaded_after(code: str) -> set[str]:
    report = "import sys; print(*[m for m in ('torch', 'spacy', 'numpy') if m in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(run.stdout.split())


def test_the_surface_loads_nothing_until_it_is_used() -> None:
    assert loaded_after("import aptcore") == set()
    assert loaded_after("import aptcore; aptcore.parse_penman('(b / boy)')") == set()
    assert "torch" in loaded_after("import aptcore; aptcore.AptParser")
