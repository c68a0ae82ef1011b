"""docs/architecture.md held against the code: arrows, sizes, where names come from."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from tests.modules import ROOT, module_files

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
GROUND = {"aptcore.errors", "aptcore.assets", "aptcore.saving", "aptcore", "trainer", "app"}
MODEL = "aptcore/neural/model.py"
SURFACE = "aptcore"
"""The public surface: the only module that hands on the names of others."""


@cache
def rows() -> dict[str, set[str]]:
    """Each package of the page's table of arrows, with the packages that it may import."""
    (block,) = re.findall(r"^```text\n(aptcore\.graph .*?)^```", ARCHITECTURE, re.S | re.M)
    lines = [line.split() for line in block.splitlines() if line.strip()]
    return {
        name: {
            other if other.partition(".")[0] in ("aptcore", "trainer") else f"{root(name)}.{other}"
            for other in others
            if other != "nothing"
        }
        for name, *others in lines
    }


def root(module: str) -> str:
    return module.partition(".")[0]


def row_of(module: str) -> str | None:
    """The row that a module belongs to; None for the ground."""
    if module in GROUND:
        return None
    while module and module not in rows():
        module = module.rpartition(".")[0]
    return module or None


@cache
def trees() -> dict[str, ast.Module]:
    return {
        name: ast.parse(path.read_text(encoding="utf-8")) for name, path in module_files().items()
    }


@cache
def imports() -> list[tuple[str, str, str]]:
    """All imports within the project: importing module, module that is named, name or ``""``."""
    found = []
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found += [(module, alias.name, "") for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    is_module = inner in module_files()
                    found.append(
                        (
                            module,
                            inner if is_module else node.module,
                            "" if is_module else alias.name,
                        )
                    )
    return [each for each in found if each[1] in module_files()]


def arrows() -> dict[tuple[str, str], str]:
    """Every arrow between two rows of the page, with one import that draws it."""
    found = {}
    for module, named, name in imports():
        start, end = row_of(module), row_of(named)
        if module == SURFACE or start is None or end is None or start == end:
            continue
        if end == "trainer.config" and root(module) != "aptcore":
            continue
        found[start, end] = f"{module} imports {named} {name}".strip()
    return found


def test_every_arrow_of_the_code_is_drawn() -> None:
    drawn = {(name, other) for name, others in rows().items() for other in others}
    assert not {arrow: why for arrow, why in arrows().items() if arrow not in drawn}


def test_every_arrow_that_is_drawn_is_used() -> None:
    drawn = {(name, other) for name, others in rows().items() for other in others}
    assert not drawn - arrows().keys()


def test_arrows_make_no_circle() -> None:
    waiting = {name: set(others) for name, others in rows().items()}
    while free := {name for name, others in waiting.items() if not others & waiting.keys()}:
        waiting = {name: others for name, others in waiting.items() if name not in free}
    assert not waiting


def page_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[2] if parts[:2] == ["app", "pages"] and len(parts) > 2 else None


def test_no_page_imports_another() -> None:
    assert not [
        each
        for each in imports()
        if page_of(each[0]) and page_of(each[1]) and page_of(each[0]) != page_of(each[1])
    ]


def defined(module: str) -> set[str]:
    """The names that a module defines at its top."""
    names: set[str] = set()
    waiting: list[ast.stmt] = list(trees()[module].body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        elif isinstance(node, ast.If | ast.Try):
            waiting += node.body + node.orelse
    return names


def test_every_name_is_imported_from_where_it_is_defined() -> None:
    assert not [
        f"{module} takes {name} from {named}"
        for module, named, name in imports()
        if name and module != SURFACE and name not in defined(named)
    ]


def test_only_the_public_surface_has_code_in_an_init() -> None:
    assert not [
        str(path.relative_to(ROOT))
        for name, path in module_files().items()
        if path.name == "__init__.py"
        and name != SURFACE
        and [n for n in trees()[name].body if not isinstance(n, ast.Expr)]
    ]


def code_files() -> list[Path]:
    return [*module_files().values()] + sorted((ROOT / "app" / "canvas").rglob("*.js"))


def test_no_file_is_longer_than_it_may_be() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in code_files()
    }
    assert lengths.pop(MODEL) <= 600
    assert not {name: length for name, length in lengths.items() if length > 350}


def test_a_folder_holds_at_most_fifteen_modules() -> None:
    folders = [path.parent for path in module_files().values() if path.name != "__init__.py"]
    assert not {str(folder) for folder in folders if folders.count(folder) > 15}


def test_every_folder_stands_in_the_tree_of_the_page() -> None:
    table = ARCHITECTURE.partition("## The tree")[2].partition("## Who")[0]
    folders = {path.parent.relative_to(ROOT) for path in module_files().values()}
    packages = {"/".join(folder.parts[:2]) for folder in folders if folder.parts[1:]}
    assert not {package for package in packages if f"`{package}/" not in table}
