"""Count what the shipped model mostly does next, over the training files that it learnt from.

    APTAMR_DATA=/path/to/data python scripts/learn_habits.py [--output assets/habits.json]

Only sentences of the training files that ``trainer/configs/small.toml`` names are parsed;
development and test files never are. The counts make greedy parsing of one sentence faster
and change no graph (aptcore.neural.drafts).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app.commands.oracle import read_gold  # noqa: E402
from aptcore.assets import asset_path  # noqa: E402
from aptcore.neural.drafts.habits import HABITS_FILE, habits_text, learn_habits  # noqa: E402
from aptcore.neural.parser import AptParser  # noqa: E402
from aptcore.saving import save_text  # noqa: E402
from trainer.config import load_config  # noqa: E402

CONFIG = ROOT / "trainer" / "configs" / "small.toml"

MIN_COUNT = 20
"""How often a situation must have come."""


def main() -> int:
    """Parse, count, save and say how much there is; gives the exit status."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--output", type=Path, default=asset_path(HABITS_FILE))
    output: Path = arguments.parse_args().output
    data = load_config(CONFIG).data
    sentences = [pair[0] for pair in read_gold([data.path(name) for name in data.train]).pairs]
    parser = AptParser.from_pretrained()
    parses = (parse for parse in parser.stream(sentences, beam=1) if parse.error is None)
    guesses = learn_habits(parses, parser.action_set, MIN_COUNT)
    save_text(output, habits_text(guesses))
    sys.stdout.write(f"{output}: {len(guesses)} situations of {len(sentences)} sentences\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
