"""``python -m trainer CONFIG [--set key=value ...]``, or ``python -m trainer --resume DIR``.

``accelerate launch --multi_gpu --num_processes N -m trainer CONFIG`` trains on several devices,
with ``--device cpu`` at its end in several processes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from trainer.command import run_train


def main() -> int:
    """Train as ``aptamr train`` does; gives the exit status."""
    parser = argparse.ArgumentParser(prog="trainer", description="Train a parser.")
    parser.add_argument("config", type=Path, nargs="?", help="TOML file, or a shipped name")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="go on with a run")
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda"),
        default="auto",
        help="where to train; auto takes CUDA if present",
    )
    parser.add_argument("--json", action="store_true", help="give the scores as JSON")
    given = parser.parse_args()
    return run_train(given.config, given.set, given.resume, given.device, given.json)


if __name__ == "__main__":
    sys.exit(main())
