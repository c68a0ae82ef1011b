"""The paper's tables for free data: ``python -m benchmarks.tables TABLE ...``.

TABLE is 1 to 6 or ``beam``. Each prints a Markdown table beside the paper's figures; with
``--write FILE`` it replaces the section of that name in a Markdown file. Tables 2, 5 and 6
train models first, all with the settings below; runs that are there already are used
again, and a run that was cut short goes on.

Source: Zhou and others 2021, tables 1 to 6 and the figure on beam sizes.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from torch import nn

from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.errors import AptamrError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import without_wiki
from aptcore.neural.checkpoint import load_checkpoint, shipped_model
from aptcore.neural.model import AptConfig, AptModel
from aptcore.oracle.report import oracle_report
from aptcore.scoring.fine_grained import PARTS
from aptcore.words.copies import with_derived
from aptcore.words.copy_tables import shipped_copies
from aptcore.words.gold import gold_items
from benchmarks.short_runs import (
    BIO_DEV,
    DEV,
    TRAIN,
    Settings,
    annotated,
    best_and_mean,
    data_path,
    dev_report,
    greedy_scores,
    percent,
    trained,
)

BEAM = 5
PLAIN = ("oracle.variant=paper", "model.edge_label_input=false", "model.shapes=false")
"""The model of the paper: its action set, and none of the inputs that we added."""

Rows = list[tuple[str, ...]]


def markdown(header: Sequence[str], rows: Rows) -> str:
    """Write a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def aligned_training(settings: Settings) -> list[tuple[Sentence, AmrGraph]]:
    """Align the training graphs with the shipped tables; words know what they copy as."""
    found, _ = gold_items(read_corpus(data_path(settings.train)))
    tables, copies = shipped_tables(), shipped_copies()
    return [
        (
            with_derived(item.sentence, copies),
            align(item.sentence, without_wiki(item.graph)[0], tables),
        )
        for item in found
    ]


def table_1(settings: Settings) -> str:
    """Actions and oracle Smatch."""
    rows: Rows = [
        ("Naseem and others 2019, AMR 2.0 training", "73.6", "3.9", "93.3"),
        ("Fernandez Astudillo and others 2020, AMR 2.0 training", "76.2", "4.0", "98.0"),
        ("APT, the paper, AMR 2.0 training (18.9 tokens a sentence)", "41.6", "2.2", "98.9"),
    ]
    pairs = aligned_training(settings)
    for variant in ("paper", "exact"):
        report: dict[str, Any] = oracle_report(pairs, variant).to_json()
        tokens = report["tokens"] / report["sentences"]
        rows.append(
            (
                f"ours, `{variant}`, `{settings.train}` ({tokens:.1f} tokens a sentence)",
                f"{report['actions_per_sentence']:.1f}",
                f"{report['actions_per_token']:.1f}",
                percent(report["smatch"]["f1"]),
            )
        )
    header = ("transition system", "actions a sentence", "actions a token", "oracle Smatch")
    return markdown(header, rows)


def table_2(settings: Settings) -> str:
    """Smatch of single models over seeds, and of their partial ensemble."""
    rows: Rows = [
        ("APT small, the paper, AMR 1.0 (10,312 training graphs)", "78.2 / 78.2 ± 0.0"),
        ("APT small p.e., the paper, AMR 1.0", "79.7"),
        ("APT small, the paper, AMR 2.0 (36,521 training graphs)", "81.7 / 81.5 ± 0.2"),
        ("APT small p.e., the paper, AMR 2.0", "82.5"),
        ("APT base, the paper, AMR 2.0", "81.8 / 81.7 ± 0.1"),
        ("APT base p.e., the paper, AMR 2.0", "82.8"),
        ("APT base with 70,000 silver graphs, the paper, AMR 2.0", "82.8 / 82.6 ± 0.1"),
        ("APT base with 70,000 silver graphs p.e., the paper, AMR 2.0", "83.4"),
    ]
    models = [trained(settings, "exact", seed) / "model" for seed in settings.seeds]
    rows += over_models(settings, "ours, short runs", models)
    name = "silver-of-" + "-".join(map(str, settings.seeds))
    silver = annotated(settings, name, models)
    overrides = (f"data.silver=['{silver.resolve()}']",)
    models = [trained(settings, name, seed, overrides) / "model" for seed in settings.seeds]
    size = len(read_corpus(silver).records)
    rows += over_models(settings, f"ours, short runs with {size:,} silver graphs", models)
    for name, corpus in ((DEV, "Little Prince dev"), (BIO_DEV, "Bio dev")):
        report = dev_report(settings, [], name, BEAM)
        rows.append((f"shipped {report['model']}, {corpus}", percent(report["smatch"]["f1"])))
    table = markdown(("model", "Smatch: best / mean ± deviation"), rows)
    return f"{settings.sizes} Beam {BEAM}; p.e. is the ensemble of the seeds.\n\n{table}"


def over_models(settings: Settings, name: str, models: Sequence[Path]) -> Rows:
    """Measure models one by one and together."""
    single = [dev_report(settings, [model], DEV, BEAM)["smatch"]["f1"] for model in models]
    together = dev_report(settings, models, DEV, BEAM)["smatch"]["f1"]
    return [
        (f"{name}, Little Prince dev", best_and_mean(single)),
        (f"{name} p.e., Little Prince dev", percent(together)),
    ]


def _num_weights(model: nn.Module) -> int:
    return sum(weight.numel() for weight in model.parameters())


def table_3(settings: Settings) -> str:
    """Trained parameters."""
    rows: Rows = [
        ("APT small, the paper (with its table of source words)", "17.5M", "81.7"),
        ("APT base, the paper", "21.4M", "81.8"),
        ("APT small p.e., the paper", "52.5M", "82.5"),
        ("APT base p.e., the paper", "64.3M", "82.8"),
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
            name = f"ours, {size}, {labels:,} labels, vectors 1,024 wide, the paper's inputs"
            rows.append((name, f"{_num_weights(AptModel(config)):,}", "-"))
    report = dev_report(settings, [], DEV, BEAM)
    parameters = _num_weights(load_checkpoint(shipped_model()).model)
    score = f"{percent(report['smatch']['f1'])} (Little Prince dev)"
    rows.append((f"shipped {report['model']}", f"{parameters:,}", score))
    return markdown(("model", "trained parameters", "Smatch (the paper: AMR 2.0 test)"), rows)


def table_4(settings: Settings) -> str:
    """Fine-grained F1 of the shipped model."""
    small = ("85.4", "82.2", "88.9", "88.9", "67.5", "78.7", "70.6", "80.7")
    base = ("85.5", "82.3", "88.7", "88.5", "69.7", "78.8", "71.1", "80.8")
    rows: Rows = [
        ("APT small, the paper, AMR 2.0 test", "81.7", *small),
        ("APT base, the paper, AMR 2.0 test", "81.8", *base),
    ]
    for name, label in ((DEV, "Little Prince dev"), (BIO_DEV, "Bio dev")):
        report = dev_report(settings, [], name, BEAM, parts=True)
        figures = [percent(report[part]["f1"]) for part in PARTS]
        rows.append(
            (f"shipped {report['model']}, {label}", percent(report["smatch"]["f1"]), *figures)
        )
    note = "`:wiki` is restored by the shipped dictionary and counts in wikification alone."
    return f"Beam {BEAM}. {note}\n\n" + markdown(("model", "Smatch", *PARTS), rows)


def table_5(settings: Settings) -> str:
    """Ablation of the model's parts."""
    no_graph = (*PLAIN, "model.graph_embedding=false")
    no_masks = (*no_graph, "model.cursor_masks=false")
    no_legality = (*PLAIN, "model.legality_in_training=false")
    last_layer = (*PLAIN, "encoder.layers=[6]")
    first = ("free Transformer with pointers", "72.2 ± 0.4", "77.5 ± 0.2", "free", no_masks)
    last = "other vectors (the paper: BERT large, RoBERTa base; ours: MiniLM's last layer)"
    configurations = (
        first,
        ("+ cursor masks", "78.0 ± 0.1", "81.5 ± 0.1", "masks", no_graph),
        ("+ graph embedding", "78.3 ± 0.1", "81.7 ± 0.1", "paper", PLAIN),
        ("no legality in training", "78.0 ± 0.1", "80.9 ± 0.1", "any", no_legality),
        (last, "77.7 ± 0.1, 78.0 ± 0.1", "81.4 ± 0.1, 81.3 ± 0.1", "last-layer", last_layer),
    )
    rows: Rows = [
        (label, one, two, best_and_mean(greedy_scores(settings, name, overrides)))
        for label, one, two, name, overrides in configurations
    ]
    header = (
        "configuration",
        "the paper, base, AMR 1.0",
        "AMR 2.0",
        "ours: best / mean ± deviation",
    )
    note = "The paper's action set and inputs, greedy; the last two rows change the third."
    return f"{settings.sizes} {note}\n\n" + markdown(header, rows)


def table_6(settings: Settings) -> str:
    """Variants of the oracle."""
    pairs = aligned_training(settings)
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
        name = f"plain-{variant}" if variant == "exact" else variant
        scores = greedy_scores(settings, name, (*PLAIN, f"oracle.variant={variant}"))
        rows.append((f"`{variant}`", oracle, test, percent(smatch), best_and_mean(scores)))
    header = ("oracle", "the paper: oracle", "AMR 2.0 test", "ours: oracle", "ours: dev")
    note = "The paper's inputs, greedy; ours: best / mean ± deviation."
    return f"{settings.sizes} {note}\n\n" + markdown(header, rows)


def table_beam(settings: Settings) -> str:
    """Smatch of the shipped model over beam sizes."""
    rows: Rows = []
    for beam in (1, 2, 3, 5, 10):
        reports = [dev_report(settings, [], name, beam) for name in (DEV, BIO_DEV)]
        figures = [f"{percent(r['smatch']['f1'])} ({r['repaired']})" for r in reports]
        rows.append((str(beam), *figures))
    note = "In brackets the graphs that needed a repair. The paper gains up to beam 3, then little."
    return f"{note}\n\n" + markdown(("beam", "Little Prince dev", "Bio dev"), rows)


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
    title = (TABLES[name].__doc__ or "").strip()
    heading = "## Figure on beam sizes" if name == "beam" else f"## Table {name}"
    command = " ".join(("python -m benchmarks.tables", name, *arguments))
    return f"{heading}\n\n{title} `{command}`\n\n{table}\n"


def replace_section(text: str, new: str) -> str:
    """Put a section in the place of the one with the same heading; tables come before figures."""
    heading = new.partition("\n")[0]
    parts = text.split("\n## ")
    kept = [part for part in parts if f"## {part}".partition("\n")[0] != heading]
    sections = [*kept[1:], new.removeprefix("## ").rstrip("\n") + "\n"]
    sections.sort(key=lambda part: (not part.startswith("Table"), part))
    return "\n## ".join([kept[0].rstrip("\n") + "\n", *sections])


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.tables", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "tables", choices=TABLES, nargs="+", metavar="TABLE", help=", ".join(TABLES)
    )
    parser.add_argument("--epochs", type=int, default=4, help="of each short run")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--train", default=TRAIN, help="training file, below APTAMR_DATA")
    parser.add_argument("--dev-sentences", type=int, default=500, help="at most so many")
    parser.add_argument("--silver-sentences", type=int, default=600, help="annotated for table 2")
    parser.add_argument("--only-finished", action="store_true", help="tables 5 and 6: no training")
    parser.add_argument("--runs", type=Path, default=Path("runs/tables"), help="folder of the runs")
    parser.add_argument("--cache", type=Path, help="folder of word vectors; inside --runs")
    parser.add_argument("--write", type=Path, metavar="FILE", help="Markdown file to renew")
    return parser.parse_args()


def main() -> None:
    """Print tables one after another."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    chosen = read_arguments()
    settings = Settings(
        chosen.runs,
        chosen.epochs,
        tuple(chosen.seeds),
        chosen.train,
        chosen.cache or chosen.runs / "cache",
        chosen.dev_sentences,
        chosen.silver_sentences,
        chosen.only_finished,
    )
    seeds = " ".join(map(str, chosen.seeds))
    sizes = ("--epochs", str(chosen.epochs), "--seeds", seeds)
    for name in chosen.tables:
        try:
            table = TABLES[name](settings)
        except AptamrError as error:
            raise SystemExit(f"error: {error}") from error
        text = section(name, sizes if name in "256" else (), table)
        print(text, flush=True)
        if chosen.write is not None:
            there = chosen.write.exists()
            old = chosen.write.read_text("utf-8") if there else "# The paper's tables\n"
            chosen.write.write_text(replace_section(old, text), "utf-8")


if __name__ == "__main__":
    main()
