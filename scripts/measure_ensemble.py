"""Measure the models of finished runs and their ensemble, and write it into a card.

    python scripts/measure_ensemble.py runs/small/teacher-1 runs/small/teacher-2 ...
    python scripts/measure_ensemble.py --alone runs/small/trunk-1 runs/without-silver ...

What was measured is kept beside the first run and not measured again. Scores and hashes of
the weights go into the card of the shipped model; ``--alone`` writes runs that learnt from
other data beside each other, without their ensemble.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ship_model import DEFAULT_BEAM, dev_scores  # noqa: E402

from aptcore.errors import AptamrError, TrainingError  # noqa: E402
from aptcore.neural.checkpoint import file_hash  # noqa: E402
from aptcore.neural.parser import AptParser  # noqa: E402
from trainer.config import TrainConfig  # noqa: E402
from trainer.learning.checkpoint import load_run_config  # noqa: E402
from trainer.runs.files import write_json  # noqa: E402

CARD = ROOT / "assets" / "model" / "README.md"
HEADING = "## Ensemble"
ALONE = "## The same recipe with less silver"
MEASURED = "ensemble.json"
"""What was measured, beside the first run: scores by hash of weights."""


@dataclass(frozen=True)
class Seed:
    """One of the runs.

    Attributes:
        config: Its configuration; ``output`` is its folder.
        digest: The sha256 of its weights.
    """

    config: TrainConfig
    digest: str

    @property
    def model(self) -> Path:
        """Give the folder of the finished model."""
        return Path(self.config.output) / "model"


def finished(folder: Path) -> Seed:
    """Read a run that is finished.

    Raises:
        TrainingError: The folder holds no run, or one without a finished model.
    """
    config = replace(load_run_config(folder), output=str(folder))
    weights = folder / "model" / "model.safetensors"
    if not weights.is_file():
        raise TrainingError(f"{folder} has no finished model")
    return Seed(config, file_hash(weights))


def measured(seeds: Sequence[Seed], alone: bool = False) -> dict[str, dict[str, Any]]:
    """Measure every model, and all together, at the default beam; what is known is kept.

    Returns:
        For each hash, and for all hashes joined by ``+``, figures by dev file.

    Raises:
        ConfigurationError: If the models cannot be an ensemble.
    """
    groups = {seed.digest: [seed] for seed in seeds}
    if not alone:
        groups["+".join(groups)] = list(seeds)
    kept = Path(seeds[0].config.output) / MEASURED
    known: dict[str, Any] = json.loads(kept.read_text("utf-8")) if kept.is_file() else {}
    for digests, group in groups.items():
        if digests not in known:
            parser = AptParser.from_pretrained([seed.model for seed in group])
            known[digests] = dev_scores(parser, seeds[0].config, (DEFAULT_BEAM,))
            write_json(kept, known)
    return {digests: known[digests] for digests in groups}


def section(seeds: Sequence[Seed], scores: dict[str, dict[str, Any]], alone: bool = False) -> str:
    """Write what the card says of the ensemble, or of the models alone."""
    names = list(next(iter(scores.values())))
    rows = []
    for digests, found in sorted(scores.items(), key=lambda pair: "+" in pair[0]):
        own = [seed for seed in seeds if seed.digest == digests]
        cells = [Path(own[0].config.output).name, f"`{digests}`"] if own else ["ensemble", ""]
        rows.append(cells + [figures(found[name]) for name in names])
    header = ["model", "weights sha256", *(f"`{name}`" for name in names)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [header, ["---"] * len(header), *rows])
    measure = (
        f"Smatch F1 at\nbeam {DEFAULT_BEAM} with its 95 % interval, by smatch 1.0.4, and in "
        "brackets the graphs that\nneeded a repair."
    )
    if alone:
        return f"""{ALONE}

One seed each, without the stages after it. {measure}

{table}

{files_of(seeds)}
"""
    return f"""{HEADING}

The same recipe with {len(seeds)} seeds, the probabilities of actions averaged. {measure}
They do not travel; the recipe trains them, and
`python scripts/measure_ensemble.py RUN ...` measures them.

{table}
"""


def files_of(seeds: Sequence[Seed]) -> str:
    """Say from which silver each run learnt."""
    return "\n".join(
        f"- {Path(seed.config.output).name}: "
        + (", ".join(Path(name).name for name in seed.config.data.silver) or "no silver files")
        for seed in seeds
    )


def figures(row: dict[str, Any]) -> str:
    """Write the figures of one dev file."""
    low, high = row["interval"]
    return (
        f"{100 * row[f'beam {DEFAULT_BEAM}']:.1f} ({100 * low:.1f}-{100 * high:.1f}), "
        f"{100 * row['smatch']:.1f} ({row[f'repaired {DEFAULT_BEAM}']})"
    )


def with_section(card: str, text: str) -> str:
    """Put the section in the place of the one of its heading, else before how to repeat it."""
    heading = text.partition("\n")[0]
    before, _, after = card.partition(f"{heading}\n")
    rest = after.partition("\n## ")[2]
    if not after:
        before, _, rest = card.partition("\n## How to repeat it")
        rest = f"How to repeat it{rest}" if rest else ""
    return f"{before.rstrip()}\n\n{text}" + (f"\n## {rest}" if rest else "")


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="a finished run")
    parser.add_argument("--alone", action="store_true", help="each by itself, no ensemble")
    parser.add_argument("--card", type=Path, default=CARD, help="the model card to write into")
    return parser.parse_args()


def main() -> None:
    """Measure what is not measured yet, and write the card."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    arguments = read_arguments()
    try:
        seeds = [finished(folder) for folder in arguments.runs]
        text = section(seeds, measured(seeds, arguments.alone), arguments.alone)
    except AptamrError as error:
        raise SystemExit(f"error: {error}") from error
    sys.stdout.write(text)
    card: Path = arguments.card
    card.write_text(with_section(card.read_text("utf-8"), text), "utf-8")


if __name__ == "__main__":
    main()
