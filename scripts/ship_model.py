"""Put a trained model into ``assets/``: weights, copy tables, model card, stored traces.

    python scripts/ship_model.py runs/small
    python scripts/ship_model.py runs/small --stage teacher-1
    python scripts/ship_model.py --traces     make the stored traces anew, nothing else

The scores on the card are measured here, on the dev files of the run's configuration
and with the default command; nothing else is copied from the run than what parses.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from aptcore.graph.corpus import read_corpus, sentence_text  # noqa: E402
from aptcore.neural.checkpoint import load_checkpoint  # noqa: E402
from aptcore.neural.parser import AptParser  # noqa: E402
from aptcore.scoring.evaluation import score_corpus  # noqa: E402
from aptcore.trace.format import encode_trace  # noqa: E402
from trainer.config import TrainConfig, load_config  # noqa: E402
from trainer.learning.checkpoint import load_run_config  # noqa: E402
from trainer.stage import SILVER_FILE  # noqa: E402

BEAMS = (1, 5, 10)
DEFAULT_BEAM = 5
"""Beam width whose score has its interval, and that of smatch 1.0.4 beside it."""

LICENCES = {
    "little-prince": "The Little Prince AMR corpus, USC/ISI: free download, no licence text; "
    "research use",
    "qald9-amr": "QALD-9-AMR, IBM: Apache 2.0",
    "emory-dialogue": "Emory dialogue AMR, Emory University: Apache 2.0",
    "scout": "ARL-SCOUT Standard-AMR, Army Research Laboratory: CC0 1.0",
    "guidelines": "Examples of the AMR specification 1.2.6: no licence text; research use",
    "legal-amr": "Japanese Civil Code in AMR (legal_amr): no licence text; research use",
    "wiki25": "25 sentences of Wikipedia, IBM transition-amr-parser: Apache 2.0",
    "bio": "Bio AMR corpus, USC/ISI: free download, no licence text; research use",
}
"""Who made the corpora, and on what terms, by their folder."""

SILVER_LICENCES = {
    "sts.silver.amr": "captions, news and forum posts of the STS benchmark, from "
    "flipz357/bamboo-amr-benchmark; parser not named; no licence given; research use",
    "para.silver.amr": "news of MSRP, from flipz357/bamboo-amr-benchmark; parser not named; no "
    "licence given; research use",
    "arguments.silver.amr": "UKP arguments, from Heidelberg-NLP/amr-argument-sim: MIT; a T5 of "
    "amrlib",
    "arguments2.silver.amr": "conclusions of debate posts, from "
    "TamaraAtanasoska/AMRArgumentSimilarity: MIT; amrlib, T5 0.1.0",
    "recipes.silver.amr": "recipes, from interactive-cookbook/recipe-generation: Apache 2.0, "
    "corpora CC BY 4.0; IBM's StructBART transition parser",
    SILVER_FILE: "sentences that the teachers of this model annotated together (docs/training.md): "
    "WordNet 3.0's examples, Princeton University, free of charge with its notice; PropBank's "
    "examples: CC BY-SA 4.0; sentences of the files above without their graphs",
}
"""What silver files hold, their terms and their parsers, by file name."""

SILVER_SETTINGS = ("silver_labels", "silver_share", "silver_shares", "silver_epochs", "grammar")

TRACED = {
    "1-prince": "The little prince asked the fox what it wanted to say.",
    "2-kinase": "Phosphorylation of the receptor activates a kinase that inhibits cell growth.",
    "3-long": "When the astronomers looked at the sky again, the star had vanished, and none of "
    "them could explain what had happened to it.",
}
"""Sentences of our own that the pages show before a model is loaded."""


def dev_scores(
    parser: AptParser, config: TrainConfig, beams: Sequence[int] = BEAMS
) -> dict[str, dict[str, Any]]:
    """Parse every dev file at every beam; gives Smatch and counts by file."""
    scores: dict[str, dict[str, Any]] = {}
    for name in config.data.dev:
        records = [r for r in read_corpus(config.data.path(name)).records if r.graph]
        gold = [record.graph for record in records]
        texts = [sentence_text(record) for record in records]
        scores[name] = {"sentences": len(gold)}
        for beam in beams:
            parses = parser.parse(texts, beam=beam)
            report = score_corpus(gold, [parse.graph for parse in parses])
            scores[name][f"beam {beam}"] = round(report.counts.f1, 4)
            scores[name][f"repaired {beam}"] = sum(bool(parse.repairs) for parse in parses)
            if beam == DEFAULT_BEAM:
                scores[name]["interval"] = report.interval
                found = [parse.graph for parse in parses]
                scores[name]["smatch"] = score_corpus(gold, found, "smatch").counts.f1
            sys.stderr.write(f"{name} beam {beam}: {report.counts.f1:.4f}\n")
    return scores


def card(
    config: TrainConfig,
    facts: dict[str, Any],
    scores: dict[str, Any],
    digest: str,
    command: str,
    ship: str,
) -> str:
    """Write the model card; ``command`` trains the model again, ``ship`` ships it."""
    folders = dict.fromkeys(name.split("/")[0] for name in config.data.train_names())
    data = "\n".join(f"- {LICENCES.get(folder, folder)}" for folder in folders)
    files = "\n".join(
        f"| `{Path(*Path(name).parts[-2:]) if Path(name).is_absolute() else name}` "
        f"| `{digest_of_file[:16]}` |"
        for name, digest_of_file in facts["data"].items()
    )
    rows = "\n".join(
        f"| `{name}` | {row['sentences']} | "
        + " | ".join(
            f"{100 * row[f'beam {beam}']:.1f} ({row[f'repaired {beam}']})" for beam in BEAMS
        )
        + f" | {100 * row['interval'][0]:.1f}-{100 * row['interval'][1]:.1f}"
        + f" | {100 * row['smatch']:.1f} |"
        for name, row in scores.items()
    )
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    parts = {"encoder": config.encoder, "model": config.model, "loop": config.loop}
    settings = {name: vars(part) for name, part in parts.items()}
    starts = [str(Path(*Path(name).parts[-2:])) for name in config.model.start]
    settings["model"] = {**settings["model"], "start": starts}
    settings["silver"] = {name: getattr(config.data, name) for name in SILVER_SETTINGS}
    return f"""# {config.name}

An AMR parser for English: the Action-Pointer Transformer (Zhou and others 2021),
{config.model.size}, oracle variant `{config.oracle.variant}`, with word vectors of
`{facts["encoder"]["name"]}` (mean of layers {", ".join(map(str, facts["encoder"]["layers"]))};
sha256 of its weights {facts["encoder"]["weights_hash"]}){trained_layers(facts)}.
Stored in bfloat16, run in float32.
Weights sha256 {digest}.

## Data

{facts["sentences"]} graphs, {facts["actions"]} actions, {facts["labels"]} labels (those seen
once are left out). All corpora are distributed free of charge; none needs a licence from the
Linguistic Data Consortium. Dev files were never trained on.

{data}
{silver(config, facts)}
Because some have no licence text, use the model for research.

| file | sha256 |
| --- | --- |
{files}

## Scores

Smatch F1 (exact, root counted, `:wiki` left out) in per cent; in brackets the sentences whose
graph needed a repair. The interval and the score by smatch 1.0.4 are those of beam {DEFAULT_BEAM}.

| file | sentences | {" | ".join(f"beam {beam}" for beam in BEAMS)} | 95 % interval | smatch 1.0.4 |
| --- | --- | {" | ".join("---" for _ in BEAMS)} | --- | --- |
{rows}

Repeat them with `aptamr parse --input SENTENCES --output PARSED --beam 5` on the `::snt` lines of
a dev file, and `aptamr evaluate GOLD PARSED`.

## How to repeat it

`APTAMR_DATA=/folder/of/the/corpora {command}`, then
`{ship}`; `python scripts/measure_ensemble.py RUN ...` measures
finished runs as an ensemble. Seed {config.loop.seed}; {versions}.
Without one of the sets, for instance the Bio files:
`{command} --set 'data.without=["bio/"]' --set output=runs/other`.

```json
{json.dumps(settings, indent=1)}
```
"""


def silver(config: TrainConfig, facts: dict[str, Any]) -> str:
    """Say what was trained on that people did not annotate."""
    if not facts["silver"]:
        return ""
    names = dict.fromkeys(Path(name).name for name in config.data.silver)
    lines = "\n".join(
        f"- {name}: {SILVER_LICENCES.get(name, 'a file of silver')}" for name in names
    )
    made = ""
    if config.data.grammar:
        made = (
            f"- {config.data.grammar} sentences of the trainer's own grammar, with their graphs\n"
        )
    if config.data.recombined:
        made += f"- {config.data.recombined} sentences made of parts of the training graphs\n"
    return f"""
Beside these, {facts["silver"]} sentences that no person annotated (docs/silver.md). The graphs
of the files were made by parsers trained on data of the Linguistic Data Consortium; no graph of
those data is among them.

{lines}
{made}"""


def trained_layers(facts: dict[str, Any]) -> str:
    """Say which layers of the encoder learnt with the model."""
    number = facts["encoder"]["trained_layers"]
    return f", whose {number} topmost layers used learnt with it" if number else ", frozen"


def main() -> None:
    """Ship the model of a run."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("run", type=Path, nargs="?", help="folder of a finished run")
    arguments.add_argument("--stage", help="the stage that made the model; by default the last")
    arguments.add_argument("--traces", action="store_true", help="make the stored traces anew")
    wanted = arguments.parse_args()
    if wanted.traces:
        store_traces(AptParser.from_pretrained(device="cpu"))
        return
    if wanted.run is None:
        arguments.error("name the folder of a run, or --traces")
    run = wanted.run
    config = load_run_config(run)
    recipe = config.name.removeprefix("apt-")
    command = f"aptamr train {recipe}"
    if config.stages:
        stage = wanted.stage or config.stages[-1].name
        run = config.folder_of(stage)
        config = replace(load_run_config(run), name=config.name)
    elif load_config(Path(recipe)).stages:
        command += " --set 'stages=[]'"
    ship = f"python scripts/ship_model.py runs/{recipe}"
    if wanted.stage:
        ship += f" --stage {wanted.stage}"
    facts = json.loads((run / "facts.json").read_text("utf-8"))
    folder = ROOT / "assets" / "model"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(run / "model", folder)
    for weights in folder.glob("*.safetensors"):
        weights.chmod(0o644)
    parser = AptParser.from_pretrained(folder, "cpu")
    digest = load_checkpoint(folder).weights_hash
    scores = dev_scores(parser, config)
    (folder / "README.md").write_text(card(config, facts, scores, digest, command, ship), "utf-8")
    store_traces(parser)


def store_traces(parser: AptParser) -> None:
    """Replace the stored traces by those of this parser."""
    traces = ROOT / "assets" / "traces"
    shutil.rmtree(traces, ignore_errors=True)
    traces.mkdir()
    for name, text in TRACED.items():
        values = encode_trace(parser.trace(text, beam=5))
        path = traces / f"{name}.json"
        path.write_text(json.dumps(values, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
