"""Bulk annotation: memory over many lines, and two processes against one.

    python -m benchmarks.bulk memory       the most memory after 20,000 and after 200,000 lines
    python -m benchmarks.bulk speed        lines a second of two local processes against one

Memory is that of a real ``aptamr annotate`` with the shipped model, read from the system while
it works; every line is short, and its word is new to all that is remembered. Speed counts what
is annotated once all models are loaded, by one thread a process; runs of one and of two
processes take turns, and the median of the ratios is what is told.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

POLL_SECONDS = 0.2
MIB = 1024
WINDOW_SECONDS = 7.0
"""That a rate is taken over."""


def sentences(number: int) -> Iterator[str]:
    """Give short lines of one length, each with a word that no line before had."""
    for n in range(number):
        yield f"Boat{100_000 + n}"


def write_lines(path: Path, number: int) -> None:
    """Write sentences into a file, one a line."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{sentence}\n" for sentence in sentences(number))


# --- memory -------------------------------------------------------------------------------


def peak_of(pid: int) -> int:
    """Give the most memory that a process had in use since the last reset, in KiB; 0 if ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)


def reset_peak(pid: int) -> None:
    """Forget the most memory of a process so far, as that of loading the model (Linux)."""
    with suppress(OSError):
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def tell_memory(number: int, kib: int) -> None:
    """Tell the most memory so far."""
    print(f"most memory after {number:,} lines: {kib / MIB:.1f} MiB", flush=True)


def memory(few: int, many: int) -> float:
    """Annotate many lines; tell the most memory around the first few and around the last.

    Each is the most of the last half of ``few`` lines before.

    Returns:
        By how much the second is more, as a share of the first.
    """
    from trainer.annotating.parts import CHUNK

    found: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder) / "lines.txt", Path(folder) / "silver.amr"
        write_lines(source, many)
        command = [sys.executable, "-m", "benchmarks.bulk", "annotate", source, output]
        run = subprocess.Popen(list(map(str, command)))
        parts, started = Path(f"{output}.parts"), time.monotonic()
        resets = [few // 2, many - few // 2]
        while run.poll() is None:
            time.sleep(POLL_SECONDS)
            peak = peak_of(run.pid)
            done = CHUNK * (sum(1 for _ in parts.iterdir()) if parts.is_dir() else 0)
            if resets and done >= resets[0]:
                reset_peak(run.pid)
                resets.pop(0)
            if few not in found and done >= few and len(resets) == 1:
                found[few] = peak
                tell_memory(few, peak)
            elif not resets:
                found[many] = peak or found.get(many, 0)
        if run.returncode:
            raise SystemExit(f"annotate ended with status {run.returncode}")
        seconds = time.monotonic() - started
        with output.open("rb") as file:
            num_blocks = sum(line.startswith(b"# ::id ") for line in file)
    growth = found[many] / found[few] - 1
    tell_memory(many, found[many])
    print(f"{growth:+.1%}; {many:,} lines in {seconds:.0f} s, {num_blocks:,} graphs kept")
    return growth


# --- speed --------------------------------------------------------------------------------


def rate_of(num_processes: int, source: Path) -> float:
    """Give how many lines a second some processes annotate once all of them are at work."""
    from trainer.annotating.chunks import Request
    from trainer.annotating.engines import in_processes
    from trainer.annotating.lines import open_sources
    from trainer.annotating.parts import rows_of

    work = in_processes(Request((), 1, keep_detached=True), "cpu", num_processes)
    finished = work(rows_of("", open_sources(str(source), print).lines(print)))
    for _ in range(2 * num_processes):  # by then each has its models and has warmed up
        next(finished)
    started, num_done = time.monotonic(), 0
    for row, _ in finished:
        num_done += len(row.lines)
        seconds = time.monotonic() - started
        if seconds >= WINDOW_SECONDS:
            break
    finished.close()
    return num_done / seconds


def speed(pairs: int) -> float:
    """Let one and two processes take turns; tell the rates and the median of the ratios."""
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "lines.txt"
        write_lines(source, 100_000)
        for _ in range(pairs):
            one, two = rate_of(1, source), rate_of(2, source)
            ratios.append(two / one)
            print(f"one {one:6.1f}, two {two:6.1f} lines a second: {ratios[-1]:.2f} times")
    print(f"two processes are {statistics.median(ratios):.2f} times one (median of {pairs})")
    return statistics.median(ratios)


def main() -> None:
    """Run what the words ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    of_memory = commands.add_parser("memory")
    of_memory.add_argument("--few", type=int, default=20_000)
    of_memory.add_argument("--many", type=int, default=200_000)
    commands.add_parser("speed").add_argument("--pairs", type=int, default=3)
    of_annotate = commands.add_parser("annotate")
    of_annotate.add_argument("files", nargs=2)
    given = parser.parse_args()
    if given.command == "memory":
        sys.exit(memory(given.few, given.many) >= 0.05)
    if given.command == "speed":
        sys.exit(speed(given.pairs) < 1.8)
    from app.cli import main as run

    source, output = given.files
    options = ("--beam", "1", "--device", "cpu", "--keep-detached")
    run(["annotate", source, "--output", output, *options])


if __name__ == "__main__":
    main()
