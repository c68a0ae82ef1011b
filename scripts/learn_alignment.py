"""Learn the shipped tables of the aligner from the training files of the shipped model.

    APTAMR_DATA=/path/to/data python scripts/learn_alignment.py [--output assets/alignment.json]

Only the training files that ``trainer/configs/small.toml`` names are read; development
and test files never are.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from aptcore.alignment.learning import learn_tables  # noqa: E402
from aptcore.alignment.tables import SHIPPED_TABLES  # noqa: E402
from aptcore.assets import asset_path  # noqa: E402
from aptcore.graph.penman import without_wiki  # noqa: E402
from trainer.config import load_config  # noqa: E402
from trainer.examples.corpora import read_gold  # noqa: E402

CONFIG = ROOT / "trainer" / "configs" / "small.toml"


def main() -> int:
    """Learn, save and say how much there is; gives the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=asset_path(SHIPPED_TABLES))
    output: Path = parser.parse_args().output
    config = load_config(CONFIG)
    gold, _ = read_gold(config, config.data.train_names(), lambda line: None)
    tables = learn_tables([(item.sentence, without_wiki(item.graph)[0]) for item in gold])
    tables.save(output)
    num_pairs = sum(len(lemmas) for lemmas in tables.scores.values())
    sys.stdout.write(
        f"{output}: {len(gold)} graphs, {len(tables.scores)} labels, {num_pairs} pairs\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
