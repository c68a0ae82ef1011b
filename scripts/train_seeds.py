"""Train a configuration with several seeds, and measure the models and their ensemble.

    python scripts/train_seeds.py small --seeds 1 2 3        runs/small, runs/small-2, ...
    python scripts/train_seeds.py --run A --run B --run C    runs that are there

Resumable: a finished run is taken as it is, one that was stopped goes on, and what was
measured is kept beside the first run. At the end the scores and the hashes of the
weights go into the card of the shipped model.
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
from trainer.config import TrainConfig, load_config  # noqa: E402
from trainer.learning.checkpoint import load_run_config  # noqa: E402
from trainer.learning.loop import train  # noqa: E402
from trainer.runs.files import write_json  # noqa: E402

CARD = ROOT / "assets" / "model" / "README.md"
HEADING = "## Ensemble"
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


def wanted_runs(arguments: argparse.Namespace) -> list[TrainConfig]:
    """Give the configuration of each run, with its folder as ``output``."""
    if arguments.run:
        return [replace(load_run_config(run), output=str(run)) for run in arguments.run]
    base = replace(load_config(arguments.config, arguments.settings), stages=())
    folders = [base.output if n == 1 else f"{base.output}-{n}" for n in arguments.seeds]
    return [
        replace(base, output=folder, loop=replace(base.loop, seed=seed))
        for folder, seed in zip(folders, arguments.seeds, strict=True)
    ]


def finished(config: TrainConfig) -> Seed:
    """Train a run to its end, from where it is.

    Raises:
        TrainingError: It was stopped, another process trains it, or its folder holds a run
            of another configuration.
    """
    folder = Path(config.output)
    is_there = (folder / "config.json").is_file()
    if is_there and replace(load_run_config(folder), output=config.output) != config:
        raise TrainingError(f"{folder} holds a run of another configuration; name it with --run")
    if not (folder / "scores.json").is_file():
        train(config, resume=is_there)
    if not (folder / "scores.json").is_file():
        raise TrainingError(f"{folder} was stopped; the same command goes on with it")
    return Seed(config, file_hash(folder / "model" / "model.safetensors"))


def measured(seeds: Sequence[Seed]) -> dict[str, dict[str, Any]]:
    """Measure every model and all together at the default beam; what is known is kept.

    Returns:
        For each hash, and for all hashes joined by ``+``, figures by dev file.

    Raises:
        ConfigurationError: If the models cannot be an ensemble.
    """
    together = "+".join(seed.digest for seed in seeds)
    groups = {together: list(seeds), **{seed.digest: [seed] for seed in seeds}}
    kept = Path(seeds[0].config.output) / MEASURED
    known: dict[str, Any] = json.loads(kept.read_text("utf-8")) if kept.is_file() else {}
    for digests, group in groups.items():
        if digests not in known:
            parser = AptParser.from_pretrained([seed.model for seed in group])
            known[digests] = dev_scores(parser, seeds[0].config, (DEFAULT_BEAM,))
            write_json(kept, known)
    return {digests: known[digests] for digests in groups}


def section(seeds: Sequence[Seed], scores: dict[str, dict[str, Any]]) -> str:
    """Write what the card says of the ensemble."""
    names = list(next(iter(scores.values())))
    rows = []
    for digests, found in sorted(scores.items(), key=lambda pair: "+" in pair[0]):
        own = [seed for seed in seeds if seed.digest == digests]
        cells = [f"seed {own[0].config.loop.seed}", f"`{digests}`"] if own else ["ensemble", ""]
        rows.append(cells + [figures(found[name]) for name in names])
    header = ["model", "weights sha256", *(f"`{name}`" for name in names)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [header, ["---"] * len(header), *rows])
    numbers = " ".join(str(seed.config.loop.seed) for seed in seeds)
    return f"""{HEADING}

The same configuration with {len(seeds)} seeds, the probabilities of actions averaged. Smatch F1
at beam {DEFAULT_BEAM} with its 95 % interval, by smatch 1.0.4, and in brackets the graphs that
needed a repair. Only the model above travels; the others are trained and measured by
`python scripts/train_seeds.py {seeds[0].config.name.removeprefix("apt-")} --seeds {numbers}`.

{table}
"""


def figures(row: dict[str, Any]) -> str:
    """Write the figures of one dev file."""
    low, high = row["interval"]
    return (
        f"{100 * row[f'beam {DEFAULT_BEAM}']:.1f} ({100 * low:.1f}-{100 * high:.1f}), "
        f"{100 * row['smatch']:.1f} ({row[f'repaired {DEFAULT_BEAM}']})"
    )


def with_section(card: str, text: str) -> str:
    """Put the section in the place of the one that is there, else after the scores."""
    before, _, after = card.partition(f"{HEADING}\n")
    rest = after.partition("\n## ")[2]
    if not after:
        before, _, rest = card.partition("\n## How to repeat it")
        rest = f"How to repeat it{rest}" if rest else ""
    return f"{before.rstrip()}\n\n{text}" + (f"\n## {rest}" if rest else "")


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("config", type=Path, nargs="?", help="a TOML file or a shipped name")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="key=value")
    parser.add_argument(
        "--run", type=Path, action="append", metavar="DIR", help="in place of CONFIG"
    )
    parser.add_argument("--card", type=Path, default=CARD, help="the model card to write into")
    arguments = parser.parse_args()
    if (arguments.config is None) == (arguments.run is None):
        parser.error("name a configuration, or runs with --run")
    return arguments


def main() -> None:
    """Train what is not finished, measure, and write the card."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    arguments = read_arguments()
    try:
        seeds = [finished(config) for config in wanted_runs(arguments)]
        text = section(seeds, measured(seeds))
    except AptamrError as error:
        raise SystemExit(f"error: {error}") from error
    sys.stdout.write(text)
    card: Path = arguments.card
    card.write_text(with_section(card.read_text("utf-8"), text), "utf-8")


if __name__ == "__main__":
    main()
