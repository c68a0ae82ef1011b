"""Time this version and an earlier one in turns: ``python -m benchmarks.turns EARLIER``.

EARLIER is a checkout with an environment of its own in ``.venv``. Both do the same work in turns,
each in a process of its own, so that what others do on the machine hits both alike; what counts
is the ratio of the processor's seconds. Seconds are by action, for Little Prince by sentence.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

LITTLE_PRINCE = "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt"
WORK = (
    "greedy-64",
    "greedy-256",
    "beam10-64",
    "ensemble-64",
    "latency",
    "forced",
    "prince-1",
    "prince-5",
)
_WORKER = """
import inspect, os, sys, time, torch
import benchmarks.run as run
torch.set_num_threads(1)
run.matrix_peak = lambda: 1.0
bench, (kind, _, size) = run.Bench(), sys.argv[1].partition("-")
try:
    from aptcore.neural.checkpoint import keep_loaded
    keep_loaded()
except ImportError:  # before it was there
    pass

def decode(models, beam):
    if "batch" in inspect.signature(bench.decode).parameters:
        return bench.decode(models, beam, int(size))
    return bench.decode(models, beam)  # 64 sentences

def prince():
    path = os.path.join(os.environ["APTAMR_DATA"], sys.argv[2])
    with open(path, encoding="utf-8") as lines:
        texts = [line[8:].strip() for line in lines if line.startswith("# ::snt ")]
    return lambda: len(bench.parser.parse(texts, beam=int(size)))

work = {"greedy": lambda: decode(1, 1), "beam10": lambda: decode(1, 10),
        "ensemble": lambda: decode(3, 1), "latency": lambda: bench.latency,
        "forced": lambda: bench.redecode(bench.twenty), "prince": prince}[kind]()
work()
print("ready", flush=True)
for _ in sys.stdin:
    began = time.process_time()
    count = work()
    print((time.process_time() - began) / count, flush=True)
"""


class Version:
    """One version at work in a process of its own."""

    def __init__(self, folder: Path, python: Path, work: str) -> None:
        command = [str(python), "-c", _WORKER, work, LITTLE_PRINCE]
        settings = {"PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
        self.process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **settings}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.answer()

    def answer(self) -> str:
        """Wait for its next line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args!r} ended")
        return line.strip()

    def seconds(self) -> float:
        """Let it work once."""
        assert self.process.stdin is not None
        self.process.stdin.write("again\n")
        self.process.stdin.flush()
        return float(self.answer())


def main() -> None:
    """Print a line for each kind of work."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("earlier", type=Path, help="folder of the earlier version")
    parser.add_argument("--work", nargs="*", default=WORK, help=f"of {', '.join(WORK)}")
    parser.add_argument("--rounds", type=int, default=11)
    chosen = parser.parse_args()
    earlier, here = chosen.earlier.resolve(), Path(__file__).resolve().parents[1]
    for work in chosen.work:
        before = Version(earlier, earlier / ".venv" / "bin" / "python", work)
        now = Version(here, Path(sys.executable), work)
        pairs = [(before.seconds(), now.seconds()) for _ in range(chosen.rounds)]
        ratio = statistics.median(after / first for first, after in pairs)
        least = min(after for _, after in pairs) / min(first for first, _ in pairs)
        print(
            f"{work:12} {ratio:.2f} of the time (median), {least:.2f} (least by least)", flush=True
        )
        before.process.kill()
        now.process.kill()


if __name__ == "__main__":
    main()
