"""``python -m trainer CONFIG [--set key=value ...]``, or ``python -m trainer --resume DIR``.

``accelerate launch --multi_gpu --num_processes N -m trainer CONFIG`` trains on several devices,
with ``--device cpu`` at its end in several processes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from aptcore.errors import AptamrError
from trainer.config import load_config
from trainer.learning.loop import load_run_config, train


def main() -> int:
    """Train; gives the exit status: 0 when done, 2 on a wrong setting or a stop by an error."""
    parser = argparse.ArgumentParser(prog="trainer", description="Train a parser.")
    parser.add_argument("config", type=Path, nargs="?", help="TOML file")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="go on with a run")
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda"),
        default="auto",
        help="where to train; auto takes CUDA if present",
    )
    arguments = parser.parse_args()
    if (arguments.config is None) == (arguments.resume is None):
        parser.error("give a CONFIG, or --resume DIR")
    try:
        if arguments.resume is not None:
            train(load_run_config(arguments.resume), resume=True, device=arguments.device)
        else:
            train(load_config(arguments.config, arguments.set), device=arguments.device)
    except AptamrError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
