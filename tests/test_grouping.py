"""Tests of one file share a process, and so do all that open a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

CONFTEST = Path(__file__).with_name("conftest.py")
TESTS = """import pytest

@pytest.fixture
def browser():
    pass

@pytest.mark.parametrize("number", range(4))
def test_alone(number):
    pass

def test_page(browser):
    pass
"""
RAN = re.compile(r"^\[(gw\d)\] .* PASSED tests/(\w+)\.py::(\w+)", re.M)


def test_a_file_has_one_process_and_so_has_the_browser(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    shutil.copy(CONFTEST, tmp_path / "tests")
    for name in "abcd":
        (tmp_path / "tests" / f"test_{name}.py").write_text(TESTS)
    plugins = ["-p", "no:cacheprovider", "-p", "no:hypothesispytest"]  # which takes a second
    options = ["-v", *plugins, "--numprocesses", "2", "--dist", "loadgroup"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    processes = defaultdict(set)
    for process, file, test in RAN.findall(run.stdout):
        processes[file if test == "test_alone" else "browser"].add(process)
    assert len(processes) == 5
    assert [group for group, used in processes.items() if len(used) > 1] == []
    assert len(set.union(*processes.values())) == 2
