"""Learn the shipped tables of COPY from the training files of the shipped model.

    APTAMR_DATA=/path/to/data python scripts/learn_copies.py [--output assets/copies.json]

Only the training files that ``trainer/configs/small.toml`` names are read; development
and test files never are. Words of other lists are never written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app.commands.oracle import read_gold  # noqa: E402
from aptcore.assets import asset_path  # noqa: E402
from aptcore.oracle.copy_learning import learn_copies  # noqa: E402
from aptcore.words.copy_tables import COPIES_FILE  # noqa: E402
from trainer.config import load_config  # noqa: E402

CONFIG = ROOT / "trainer" / "configs" / "small.toml"


def main() -> int:
    """Learn, save and say how much there is; gives the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=asset_path(COPIES_FILE))
    output: Path = parser.parse_args().output
    data = load_config(CONFIG).data
    tables = learn_copies(read_gold([data.path(name) for name in data.train]).pairs)
    tables.save(output)
    sys.stdout.write(
        f"{output}: {len(tables.frames)} frames, {len(tables.words)} irregular words, "
        f"{len(tables.rules)} endings, {len(tables.bases)} bases, senses {tables.senses}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
