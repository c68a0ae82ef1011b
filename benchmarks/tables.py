"""The paper's tables for free data: ``python -m benchmarks.tables TABLE``.

TABLE is 1 to 6 or ``beam``. Each prints a Markdown table beside the paper's figures; with
``--write FILE`` it replaces the section of that name in a Markdown file. Tables 2, 5 and 6
train models first, all with the settings below; runs that are there already are used
again, and a run that was cut short goes on.

Source: Zhou and others 2021, tables 1 to 6 and the figure on beam sizes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aptcore.alignment import align, shipped_tables
from aptcore.amr import AmrGraph, Sentence, without_wiki
from aptcore.copy_tables import shipped_copies
from aptcore.copying import with_derived
from aptcore.corpus import read_corpus
from aptcore.decoding import DecodingOptions
from aptcore.evaluation import Report, score_corpus
from aptcore.gold import gold_items
from aptcore.model import AptConfig, AptModel
from aptcore.oracle_report import oracle_report
from aptcore.parser import AptParser
from trainer.config import DataConfig, TrainConfig, load_config
from trainer.loop import train

CONFIG = Path(__file__).resolve().parents[1] / "trainer" / "configs" / "small.toml"
TRAIN = "little-prince/v3.0/amr-bank-struct-v3.0-training.txt"
DEV = "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt"
BIO_DEV = "bio/amr-release-dev-bio.txt"
BEAM = 5
Rows = list[tuple[str, ...]]


@dataclass(frozen=True)
class Settings:
    """How the short runs of tables 2, 5 and 6 are trained.

    Attributes:
        runs: Folder of the runs.
        epochs: Passes over the Little Prince training graphs.
        seeds: A model is trained for each.
    """

    runs: Path
    epochs: int
    seeds: tuple[int, ...]

    @property
    def sizes(self) -> str:
        """Say what was trained, for the reader of a table."""
        seeds = ", ".join(map(str, self.seeds))
        return (
            f"Small models (3+3 layers), Little Prince v3.0 training graphs alone, {self.epochs} "
            f"epochs, seeds {seeds}; Smatch (exact) on its dev set, beam {BEAM}."
        )


def data_path(name: str) -> Path:
    """Give the path of a corpus below APTAMR_DATA.

    Raises:
        ConfigurationError: If the variable is not set.
    """
    return DataConfig().path(name)


def markdown(header: Sequence[str], rows: Rows) -> str:
    """Write a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def percent(value: float) -> str:
    """Write a fraction as the paper writes scores."""
    return f"{100 * value:.1f}"


def dev_items(name: str) -> list[tuple[Sentence, AmrGraph]]:
    """Read a dev set; ``:wiki`` is removed."""
    found, _ = gold_items(read_corpus(data_path(name)))
    return [(item.sentence, without_wiki(item.graph)[0]) for item in found]


def aligned_training() -> list[tuple[Sentence, AmrGraph]]:
    """Align the training graphs with the shipped tables; words know what they copy as."""
    found, _ = gold_items(read_corpus(data_path(TRAIN)))
    tables, copies = shipped_tables(), shipped_copies()
    return [
        (
            with_derived(item.sentence, copies),
            align(item.sentence, without_wiki(item.graph)[0], tables),
        )
        for item in found
    ]


def scored(
    parser: AptParser, name: str, options: DecodingOptions | None = None, parts: bool = False
) -> Report:
    """Parse a dev set and score it exactly."""
    items = dev_items(name)
    chosen = options or DecodingOptions(beam=BEAM)
    parses = parser.parse([sentence.text for sentence, _ in items], options=chosen)
    gold = [graph for _, graph in items]
    return score_corpus(gold, [parse.graph for parse in parses], fine_grained=parts)


def trained(settings: Settings, name: str, seed: int, *overrides: str) -> Path:
    """Train a short run, or take the one that is there; gives its model folder."""
    folder = settings.runs / f"{name}-{seed}"
    config: TrainConfig = load_config(
        CONFIG,
        [
            f"loop.epochs={settings.epochs}",
            f"loop.seed={seed}",
            f"loop.dev_every={settings.epochs}",
            "loop.warmup_steps=200",
            "loop.threads=1",
            *overrides,
        ],
    )
    data = replace(config.data, train=(TRAIN,), dev=(DEV,), cache=str(settings.runs / "cache"))
    config = replace(config, name=folder.name, output=str(folder), data=data)
    if not (folder / "model" / "config.json").is_file():
        train(config, resume=(folder / "config.json").is_file())
    return folder / "model"


def over_seeds(settings: Settings, name: str, *overrides: str) -> str:
    """Train for every seed; gives best / mean and deviation of the dev scores."""
    scores = [
        scored(AptParser.from_pretrained(trained(settings, name, seed, *overrides)), DEV).counts.f1
        for seed in settings.seeds
    ]
    return best_and_mean(scores)


def best_and_mean(scores: Sequence[float]) -> str:
    """Write scores as the paper does: best / mean ± population deviation."""
    mean, spread = statistics.mean(scores), statistics.pstdev(scores)
    return f"{percent(max(scores))} / {percent(mean)} ± {percent(spread)}"


def table_1(settings: Settings) -> str:
    """Actions and oracle Smatch."""
    rows: Rows = [("APT, paper, on AMR 2.0 training (18.9 tokens)", "41.6", "98.9")]
    pairs = aligned_training()
    for variant in ("paper", "exact"):
        report = oracle_report(pairs, variant)
        actions = report.to_json()["actions_per_sentence"]
        name = f"ours, `{variant}`, Little Prince training ({len(pairs)} graphs)"
        rows.append((name, f"{actions:.1f}", percent(report.to_json()["smatch"]["f1"])))
    return markdown(("transition system", "actions a sentence", "oracle Smatch"), rows)


def table_2(settings: Settings) -> str:
    """Smatch of single models over seeds, and of their partial ensemble."""
    folders = [trained(settings, "exact", seed) for seed in settings.seeds]
    scores = [scored(AptParser.from_pretrained(folder), DEV).counts.f1 for folder in folders]
    ensemble = scored(AptParser.from_pretrained(folders), DEV).counts.f1
    shipped = AptParser.from_pretrained()
    rows: Rows = [
        ("APT small, paper, AMR 1.0 (10,312 training graphs)", "78.2 / 78.2 ± 0.0"),
        ("APT small p.e., paper, AMR 1.0", "79.7"),
        ("APT small, paper, AMR 2.0 (36,521)", "81.7 / 81.5 ± 0.2"),
        ("APT small p.e., paper, AMR 2.0", "82.5"),
        ("ours, short runs, Little Prince dev", best_and_mean(scores)),
        ("ours, short runs p.e., Little Prince dev", percent(ensemble)),
        (f"shipped {shipped.info.id}, Little Prince dev", percent(scored(shipped, DEV).counts.f1)),
        (f"shipped {shipped.info.id}, Bio dev", percent(scored(shipped, BIO_DEV).counts.f1)),
    ]
    return f"{settings.sizes}\n\n" + markdown(("model", "Smatch: best / mean ± deviation"), rows)


def table_3(settings: Settings) -> str:
    """Trained parameters."""
    rows: Rows = [
        ("APT small, paper (with its source word table)", "17.5M"),
        ("APT base, paper", "21.4M"),
    ]
    for size, layers, graph_layers in (("small", 3, 2), ("base", 6, 3)):
        for labels in (4640, 9288):
            config = AptConfig(
                vocabulary_size=labels,
                word_vector_width=1024,
                num_encoder_layers=layers,
                num_decoder_layers=layers,
                num_graph_layers=graph_layers,
                edge_label_input=False,
                num_shapes=0,
            )
            name = f"ours, {size}, {labels:,} labels, vectors 1,024 wide, extras off"
            rows.append((name, f"{AptModel(config).num_parameters():,}"))
    shipped = AptParser.from_pretrained()
    rows.append((f"shipped {shipped.info.id}", f"{shipped.models[0].num_parameters():,}"))
    return markdown(("model", "trained parameters"), rows)


def table_4(settings: Settings) -> str:
    """Fine-grained F1 of the shipped model."""
    parts = (
        "unlabeled",
        "no_wsd",
        "concepts",
        "named_entities",
        "negation",
        "wikification",
        "reentrancies",
        "srl",
    )
    paper = ("81.7", "85.4", "82.2", "88.9", "88.9", "67.5", "78.7", "70.6", "80.7")
    rows: Rows = [("APT small, paper, AMR 2.0 test", *paper)]
    shipped = AptParser.from_pretrained()
    for name, label in ((DEV, "Little Prince dev"), (BIO_DEV, "Bio dev")):
        report = scored(shipped, name, parts=True)
        figures = [
            percent(report.parts[part].f1) if part in report.parts else "-" for part in parts
        ]
        rows.append((f"shipped, {label}", percent(report.counts.f1), *figures))
    return markdown(("model", "Smatch", *parts), rows)


def table_5(settings: Settings) -> str:
    """Ablation of the model's parts."""
    plain = ("oracle.variant=paper",)
    no_graph = (*plain, "model.graph_embedding=false", "model.edge_label_input=false")
    no_masks = (*no_graph, "model.cursor_masks=false")
    last_layer = (*plain, "encoder.layers=[6]")
    no_legality = (*plain, "model.legality_in_training=false")
    rows: Rows = [
        ("free Transformer with pointers", "72.2 ± 0.4", over_seeds(settings, "free", *no_masks)),
        ("+ cursor masks", "78.0 ± 0.1", over_seeds(settings, "masks", *no_graph)),
        ("+ graph embedding", "78.3 ± 0.1", over_seeds(settings, "paper", *plain)),
        ("no legality in training", "78.0 ± 0.1", over_seeds(settings, "any", *no_legality)),
        (
            "other embeddings (paper: BERT large; ours: MiniLM's last layer)",
            "77.7 ± 0.1",
            over_seeds(settings, "last-layer", *last_layer),
        ),
    ]
    header = ("configuration", "paper, base, AMR 1.0", "ours: best / mean ± deviation")
    return f"{settings.sizes}\n\n" + markdown(header, rows)


def table_6(settings: Settings) -> str:
    """Variants of the oracle."""
    pairs = aligned_training()
    paper = {
        "paper": ("98.9", "81.7 ± 0.1"),
        "no-breakdown": ("97.8", "80.6 ± 0.1"),
        "far-first": ("98.9", "81.4 ± 0.2"),
        "post-order": ("98.9", "81.8 ± 0.1"),
        "exact": ("-", "-"),
    }
    rows: Rows = []
    for variant, (oracle, test) in paper.items():
        smatch = oracle_report(pairs, variant).to_json()["smatch"]["f1"]
        score = over_seeds(settings, variant, f"oracle.variant={variant}")
        rows.append((variant, oracle, test, percent(smatch), score))
    header = ("oracle", "paper: oracle", "paper: AMR 2.0 test", "ours: oracle", "ours: dev")
    return f"{settings.sizes}\n\n" + markdown(header, rows)


def table_beam(settings: Settings) -> str:
    """Smatch of the shipped model over beam sizes."""
    shipped, rows = AptParser.from_pretrained(), []
    for beam in (1, 2, 3, 5, 10):
        options = DecodingOptions(beam=beam)
        figures = [percent(scored(shipped, name, options).counts.f1) for name in (DEV, BIO_DEV)]
        rows.append((str(beam), *figures))
    return markdown(("beam", "Little Prince dev", "Bio dev"), rows)


TABLES: dict[str, Callable[[Settings], str]] = {
    "1": table_1,
    "2": table_2,
    "3": table_3,
    "4": table_4,
    "5": table_5,
    "6": table_6,
    "beam": table_beam,
}


def section(name: str, arguments: Iterable[str], table: str) -> str:
    """Give a table with its heading and the command that prints it again."""
    title = TABLES[name].__doc__ or ""
    heading = "## Figure on beam sizes" if name == "beam" else f"## Table {name}"
    command = " ".join(("python -m benchmarks.tables", *arguments))
    return f"{heading}\n\n{title.strip()} `{command}`\n\n{table}\n"


def replace_section(text: str, new: str) -> str:
    """Put a section in the place of the one with the same heading, or at the end."""
    heading = new.partition("\n")[0]
    parts = text.split("\n## ")
    kept = [part for part in parts if f"## {part}".partition("\n")[0] != heading]
    sections = sorted([*kept[1:], new.removeprefix("## ").rstrip("\n") + "\n"])
    return "\n## ".join([kept[0].rstrip("\n") + "\n", *sections])


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(prog="benchmarks.tables", description=__doc__)
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("--runs", type=Path, default=Path("runs/tables"))
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--write", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    settings = Settings(chosen.runs, chosen.epochs, tuple(chosen.seeds))
    arguments = [name for name in sys.argv[1:] if name != "--write" and name != str(chosen.write)]
    text = section(chosen.table, arguments, TABLES[chosen.table](settings))
    print(text)
    if chosen.write is not None:
        old = chosen.write.read_text("utf-8") if chosen.write.exists() else "# The paper's tables\n"
        chosen.write.write_text(replace_section(old, text), "utf-8")


if __name__ == "__main__":
    main()
