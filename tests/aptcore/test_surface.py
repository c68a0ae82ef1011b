"""The public surface: the names that ``import aptcore`` gives, and what they cost."""

from __future__ import annotations

import ast
import subprocess
import sys

import aptcore
from tests.modules import ROOT

NAMES = {
    "ActionFormatError",
    "AddAttribute",
    "AddCoref",
    "AddEdge",
    "AddNode",
    "Alignment",
    "AlignmentError",
    "AmrGraph",
    "AptParser",
    "AptamrError",
    "Attribute",
    "ChangeAttribute",
    "ChangeEdge",
    "CheckpointError",
    "ConfigurationError",
    "Corpus",
    "DecodingOptions",
    "DeleteAttribute",
    "DeleteCoref",
    "DeleteEdge",
    "DeleteNode",
    "Edge",
    "EditError",
    "FormatError",
    "GraphError",
    "IllegalActionError",
    "InputError",
    "Item",
    "Node",
    "OracleResult",
    "Parse",
    "ParserState",
    "PatternError",
    "PenmanError",
    "Proposal",
    "Record",
    "RenameNode",
    "ReplaceGraph",
    "Report",
    "Sentence",
    "SetAlignment",
    "SetRoot",
    "Several",
    "Step",
    "StoreError",
    "Suggestion",
    "Trace",
    "TrainingError",
    "UnavailableError",
    "__version__",
    "advance",
    "align",
    "apply_edit",
    "format_action",
    "format_penman",
    "graph_of",
    "oracle_actions",
    "parse_action",
    "parse_penman",
    "problems_of",
    "read_corpus",
    "replay",
    "save_graphs",
    "score_corpus",
    "start",
    "suggest",
    "take",
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


def test_checkers_of_types_see_no_name_besides() -> None:
    tree = ast.parse((ROOT / "aptcore" / "__init__.py").read_text(encoding="utf-8"))
    hidden = [node for part in tree.body if isinstance(part, ast.If) for node in part.orelse]
    defined = [node.name for node in hidden if isinstance(node, ast.FunctionDef)]
    assert defined == ["__getattr__"]  # seen by a checker, it would stand for every name
    assert "__getattr__" not in {getattr(node, "name", "") for node in tree.body}


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


def test_all_names_but_those_of_the_parser_load_no_torch() -> None:
    others = sorted(NAMES - {"AptParser", "Parse", "DecodingOptions"})
    assert not loaded_after(f"import aptcore; [getattr(aptcore, n) for n in {others}]") & {
        "torch",
        "spacy",
    }
