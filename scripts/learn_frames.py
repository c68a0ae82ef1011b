"""Count frames and roles in the training files of the shipped model.

    APTAMR_DATA=/path/to/data python scripts/learn_frames.py [--output assets/frames.json]

Only the training files that ``trainer/configs/small.toml`` names are read; development
and test files never are, nor any frame list.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app.commands.oracle import read_gold  # noqa: E402
from aptcore.assets import asset_path  # noqa: E402
from aptcore.words.frame_learning import learn_counts  # noqa: E402
from aptcore.words.frames import COUNTS_FILE, save_counts  # noqa: E402
from trainer.config import load_config  # noqa: E402

CONFIG = ROOT / "trainer" / "configs" / "small.toml"


def main() -> int:
    """Count, save and say how much there is; gives the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=asset_path(COUNTS_FILE))
    output: Path = parser.parse_args().output
    data = load_config(CONFIG).data
    counts = learn_counts(read_gold([data.path(name) for name in data.train]).pairs)
    save_counts(counts, output)
    sys.stdout.write(
        f"{output}: {counts.num_graphs} graphs, {len(counts.concepts)} concepts, "
        f"{len(counts.all_roles)} roles, {len(counts.silent)} silent lemmas\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
