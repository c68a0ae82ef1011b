"""The reference of the public names is built strictly, and leaves none of them out."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest
from sphinx.util.inventory import InventoryFile

import aptcore
from tests.modules import ROOT


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the reference describes, each name with its kind; a warning ends the build."""
    folder = tmp_path_factory.mktemp("reference")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    run = subprocess.run(
        [*command, "-d", str(folder / "doctrees"), str(ROOT / "docs" / "reference"), str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    content = (folder / "objects.inv").read_bytes()
    inventory = InventoryFile.loads(content, uri="").data
    return {
        name: kind
        for kind, described in inventory.items()
        if kind.startswith("py:")
        for name in described
    }


def test_every_public_name_is_described(names: dict[str, str]) -> None:
    assert {f"aptcore.{name}" for name in aptcore.__all__} - {"aptcore.__version__"} <= set(names)


def described(name: str) -> object:
    """Find the object that a name of the reference means."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = Path(ROOT, *parts[:length])
        if path.is_dir() or path.with_suffix(".py").exists():
            return reduce(getattr, parts[length:], import_module(".".join(parts[:length])))
    raise LookupError(name)


def test_everything_that_is_described_says_what_it_is(names: dict[str, str]) -> None:
    silent = []
    for name in sorted(names):
        text = inspect.getdoc(described(name)) or ""
        is_made = text.startswith(f"{name.rpartition('.')[2]}(")  # what a dataclass writes itself
        if not text or is_made:
            silent.append(name)
    assert not silent
