"""A wheel built from the checkout carries all it needs and works outside it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("aptcore", "trainer", "app", "assets")
FILES = ("pyproject.toml", "README.md", "LICENSE", "NOTICE")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that an unpacked wheel gives."""
    checkout = tmp_path_factory.mktemp("checkout")
    for name in SOURCES:
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, checkout / name)
    wheels = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    options = ["--no-index", "--no-build-isolation", "--wheel-dir", str(wheels), str(checkout)]
    subprocess.run([*command, *options], check=True, cwd=wheels)
    (wheel,) = wheels.glob("aptamr-*.whl")
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def suffixes_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("package", ["aptcore", "trainer", "app"])
def test_every_file_of_a_package_travels(installed: Path, package: str) -> None:
    expected = {name for name in suffixes_of(ROOT / package) if "__pycache__" not in name}
    assert expected <= suffixes_of(installed / package)


def test_every_asset_travels(installed: Path) -> None:
    assert suffixes_of(installed / "aptcore" / "shipped") == suffixes_of(ROOT / "assets")


def test_spacy_finds_the_component_in_the_wheel(installed: Path) -> None:
    (found,) = distributions(path=[str(installed)])
    (factory,) = found.entry_points.select(group="spacy_factories")
    assert factory.name == "aptamr"
    assert (installed / factory.module.replace(".", "/")).with_suffix(".py").is_file()


def test_the_wheel_parses_a_sentence_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    code = "import aptcore, app.cli; print(aptcore.__file__); app.cli.main(['parse', 'She left.'])"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    where, *block = run.stdout.splitlines()
    assert Path(where).is_relative_to(installed)
    assert block[:3] == ["# ::id 1", "# ::snt She left.", "# ::tok She left ."]
