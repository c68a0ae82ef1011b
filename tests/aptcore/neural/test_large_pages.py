"""Large pages are asked for without harm."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

CODE = """
import resource
from aptcore.neural.large_pages import ARENA, use_large_pages
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert use_large_pages() in (True, False)
assert use_large_pages() in (True, False)
import torch
x = torch.ones(3_000_000)
y = x.mul(2)
del x
assert y.sum().item() == 6_000_000
grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
assert grown < ARENA, grown
"""


def test_memory_in_large_pages_works_and_is_not_taken_beforehand():
    run = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
