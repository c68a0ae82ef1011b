"""What the layout promises: where torch and Streamlit stay, what travels, what is documented."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from itertools import chain

import pytest
import typer
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import aptcore
from app.cli import cli
from tests.modules import PACKAGES, ROOT, module_files

NEURAL = "aptcore.neural"
"""The only package of aptcore that may import torch, and that no other may import."""

HEAVY = ("torch", "torch._dynamo", "transformers", "streamlit", "spacy", "pandas", "altair")


def imported_names(tree: ast.AST) -> set[str]:
    """All dotted names that the code imports, at the top or inside functions.

    Imports for annotations only (``if TYPE_CHECKING``) are not run and do not count.
    """
    names = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@cache
def imports_of(module: str) -> frozenset[str]:
    return frozenset(imported_names(ast.parse(module_files()[module].read_text(encoding="utf-8"))))


def project_imports(module: str) -> set[str]:
    return {name for name in imports_of(module) if name in module_files()} - {module}


def closure(module: str) -> set[str]:
    """All project modules that a module reaches."""
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        for name in project_imports(waiting.pop()):
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    return reached


def outside(module: str) -> set[str]:
    """The top-level packages that a module imports."""
    return {name.partition(".")[0] for name in imports_of(module)}


def test_what_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    given = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    declared = {canonicalize_name(Requirement(one).name) for one in given}
    distributions = packages_distributions()
    for module in module_files():
        for name in outside(module) - sys.stdlib_module_names - set(PACKAGES):
            names = map(canonicalize_name, distributions.get(name, [name]))
            assert declared.intersection(names), f"{module} imports {name}"


def modules_under(package: str) -> list[str]:
    return [name for name in module_files() if name == package or name.startswith(f"{package}.")]


@pytest.mark.parametrize("module", modules_under("aptcore"))
def test_the_core_imports_no_page_and_no_trainer(module: str) -> None:
    assert not outside(module) & {"streamlit", "trainer", "app", "typer"}


@pytest.mark.parametrize(
    "module", sorted(set(modules_under("aptcore")) - set(modules_under(NEURAL)))
)
def test_torch_stays_in_the_model_modules(module: str) -> None:
    reached = {module} | closure(module)
    assert not reached & set(modules_under(NEURAL))
    assert not any(outside(name) & {"torch", "transformers"} for name in reached)


@pytest.mark.parametrize("module", modules_under("aptcore"))
def test_no_module_imports_itself_in_a_circle(module: str) -> None:
    assert module not in closure(module)


@pytest.mark.parametrize("module", modules_under("aptcore"))
def test_the_core_reads_nothing_of_the_environment(module: str) -> None:
    text = module_files()[module].read_text(encoding="utf-8")
    assert not re.search(r"\b(environb?|getenvb?)\b", text)


def test_the_model_imports_only_errors_padding_and_weights_of_this_project() -> None:
    assert project_imports("aptcore.neural.model") <= {
        "aptcore",
        "aptcore.errors",
        "aptcore.neural",
        "aptcore.neural.weights",
        "aptcore.neural.padding",
    }


STREAMLIT = re.compile(
    r"app\.(main|server|commands\.serve|serving\.patches|engine\.shared"
    r"|annotation\.(session|identity|documents|waiting)"
    r"|kit\.(address|look|tables|data_folder|own_settings)|canvas\.component|pages\.\w+\.(page|state)\w*)"
)
"""The modules of app that may import Streamlit; all else is plain Python."""


@pytest.mark.parametrize("module", modules_under("app"))
def test_streamlit_stays_in_pages_and_their_state(module: str) -> None:
    assert "streamlit" not in outside(module) or STREAMLIT.fullmatch(module)


@pytest.mark.parametrize("module", [*modules_under("trainer.runs"), "trainer.config"])
def test_runs_are_managed_without_torch(module: str) -> None:
    reached = {module} | closure(module)
    assert not any(outside(name) & {"torch", "transformers"} for name in reached)


def loaded_by(code: str) -> set[str]:
    """The heavy packages that are loaded after running ``code`` in a new interpreter."""
    report = f"import json, sys; print(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(run.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "module",
    [
        "transition.machine",
        "oracle.oracle",
        "alignment.aligner",
        "graph.corpus",
        "scoring.evaluation",
    ],
)
def test_the_state_machine_and_its_kin_load_no_torch(module: str) -> None:
    assert not loaded_by(f"import aptcore.{module}") & {"torch", "transformers", "streamlit"}


@pytest.mark.parametrize("module", ["app.main", "app.pages.home.page", "app.pages.parse.page"])
def test_the_first_pages_load_no_tables_and_no_charts(module: str) -> None:
    reached = {module} | closure(module)
    assert not any(outside(name) & {"pandas", "altair"} for name in reached)


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import contextlib, io\n"
        "from app.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    main(['--help'])"
    )
    assert loaded_by(code) == set()


@cache
def project_file() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_package_travels_in_the_wheel() -> None:
    folders = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for package in PACKAGES
        for path in (ROOT / package).rglob("__init__.py")
    }
    assert set(project_file()["tool"]["setuptools"]["packages"]) == folders | {"aptcore.shipped"}


def test_every_module_stands_in_a_package() -> None:
    missing = {
        str(path.parent.relative_to(ROOT))
        for path in module_files().values()
        if not (path.parent / "__init__.py").exists()
    }
    assert not missing


def test_the_version_is_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(aptcore.__version__)}\b", changelog, re.M)


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_the_makefile_has_the_promised_targets() -> None:
    assert {"setup", "app", "test", "bench"} <= make_targets()


PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "assets" / "model" / "README.md",
]


@cache
def code_of_pages() -> list[tuple[str, str]]:
    """The fenced lines and inline pieces of code of every page, each with its page."""
    found = []
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        fenced = re.findall(r"^```[a-z]*\n(.*?)^```", text, re.S | re.M)
        lines = [line.strip() for block in fenced for line in block.splitlines()]
        found += [(path.name, code) for code in lines + re.findall(r"`([^`\n]+)`", text)]
    return found


def test_pages_name_only_make_targets_that_exist() -> None:
    named = {code.split()[1] for _, code in code_of_pages() if re.match(r"make [a-z]", code)}
    assert {"app", "test"} <= named <= make_targets()


def test_pages_name_only_modules_and_scripts_that_exist() -> None:
    absent = []
    for page, code in code_of_pages():
        for module in re.findall(r"\bpython -m ([a-z]+\.?\w*)", code):
            path = ROOT.joinpath(*module.split("."))
            if not (path.with_suffix(".py").exists() or (path / "__main__.py").exists()):
                absent.append((page, code))
        absent += [
            (page, code)
            for script in re.findall(r"\bpython (scripts/\w+\.py)", code)
            if not (ROOT / script).exists()
        ]
    assert not [(page, code) for page, code in absent if "python -m venv" not in code]


def test_readme_shows_both_commands_and_the_picture_in_its_first_screen() -> None:
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:30]
    text = "\n".join(first_screen)
    assert all(piece in text for piece in ("make app", "make test", "docs/step-page.png"))


@cache
def commands() -> dict[str, set[str]]:
    """The options of every command of ``aptamr``."""
    group = typer.main.get_command(cli)
    assert isinstance(group, typer.core.TyperGroup)
    return {
        name: {"--help"}
        | {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
        for name, command in group.commands.items()
    }


def test_pages_name_only_commands_and_options_that_exist() -> None:
    unknown = []
    for page, code in code_of_pages():
        if line := re.match(r"aptamr ([a-z]+)\b(.*)", code):
            options = {"--help", *re.findall(r"(?<=\s)--[a-z-]+", line[2])}
            if not options <= commands().get(line[1], set()):
                unknown.append((page, code))
    assert not unknown


def test_readme_documents_every_command_in_its_table() -> None:
    rows = re.findall(r"^\| `aptamr ([a-z]+)", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert rows == list(commands())


def test_parsing_loads_neither_a_compiler_nor_what_other_encoders_need() -> None:
    code = "from aptcore import AptParser; AptParser.from_pretrained().parse(['She left.'])"
    assert loaded_by(code) == {"torch", "spacy"}
