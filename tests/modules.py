"""The modules of the project, for the tests of its layout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("aptcore", "trainer", "app")


@cache
def module_files() -> dict[str, Path]:
    """Every module of the project by its dotted name."""
    files = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            files[".".join(parts).removesuffix(".__init__")] = path
    return files
