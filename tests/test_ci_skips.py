"""In CI a test may be skipped only for what CI does not have."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")


def status_with_skip(folder: Path, reason: str, **environment: str) -> int:
    """Run one test that is skipped for a reason; gives pytest's exit status."""
    (folder / "tests").mkdir()
    shutil.copy(CONFTEST, folder / "tests")
    (folder / "tests" / "test_one.py").write_text(
        f"import pytest\ndef test_good():\n    pass\ndef test_one():\n    pytest.skip({reason!r})\n"
    )
    kept = {k: v for k, v in os.environ.items() if k not in ("APTAMR_CI", "APTAMR_DATA")}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder,
        env={**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment},
        capture_output=True,
        check=False,
    )
    return run.returncode


@pytest.mark.parametrize(
    "reason",
    ["/usr/bin/chromium is absent", "PostgreSQL is absent: install Debian's postgresql"],
)
def test_a_skip_for_what_ci_has_fails_the_run(tmp_path: Path, reason: str) -> None:
    assert status_with_skip(tmp_path, reason, APTAMR_CI="1") == 1


def test_outside_ci_a_skip_is_only_a_skip(tmp_path: Path) -> None:
    assert status_with_skip(tmp_path, "/usr/bin/chromium is absent") == 0


@pytest.mark.parametrize("reason", ["no CUDA here", "no model hub can be reached"])
def test_cuda_and_the_hub_are_excused(tmp_path: Path, reason: str) -> None:
    assert status_with_skip(tmp_path, reason, APTAMR_CI="1") == 0


@pytest.mark.parametrize(("folder", "status"), [({}, 0), ({"APTAMR_DATA": "/data"}, 1)])
def test_absent_corpora_are_excused_only_where_they_are_absent(
    tmp_path: Path, folder: dict[str, str], status: int
) -> None:
    reason = "set APTAMR_DATA to the folder of the public corpora"
    assert status_with_skip(tmp_path, reason, APTAMR_CI="1", **folder) == status
