"""The stages of a run that has several: what each is, and what fits together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from aptcore.errors import ConfigurationError

SILVER_FILE = "silver.amr"
"""What a stage that annotates leaves in its folder."""

MODEL = "model"
"""The folder of what a stage that trains leaves in its folder."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True)
class AnnotateConfig:
    """How text is annotated.

    Attributes:
        sources: Files below ``data.root``: one sentence a line, or AMR files, whose sentences
            are parsed anew.
        beam: Width of the search; 1 is greedy.
        processes: How many parse side by side, with one thread each.
        guided: The sources are PropBank's examples, whose sense and arguments graphs must have.
    """

    sources: tuple[str, ...] = ()
    beam: int = 1
    processes: int = 2
    guided: bool = False

    def __post_init__(self) -> None:
        if min(self.beam, self.processes) < 1:
            raise ConfigurationError("annotate.beam and annotate.processes are at least 1")


@dataclass(frozen=True)
class Stage:
    """A stage, which works in a folder of its own inside the run's.

    Attributes:
        name: Of the stage and of its folder.
        kind: ``train`` makes a model, ``annotate`` a silver file.
        uses: Earlier stages: their models annotate together, or training begins with the mean
            of their weights; their silver files are learnt from beside ``data.silver``.
        settings: ``key=value`` settings in which it differs from the run's own.
    """

    name: str = ""
    kind: str = "train"
    uses: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ConfigurationError(
                f"a stage is named by small letters, digits and hyphens, not {self.name!r}"
            )
        if self.kind not in ("train", "annotate"):
            raise ConfigurationError(
                f"stage {self.name}: the kind is train or annotate, not {self.kind!r}"
            )


def check_stages(stages: Sequence[Stage]) -> None:
    """Refuse stages that do not fit together.

    Raises:
        ConfigurationError: Two have one name, one uses what is not made before it or is of no
            use to it, or the last makes no model.
    """
    kinds: dict[str, str] = {}
    for stage in stages:
        if stage.name in kinds:
            raise ConfigurationError(f"two stages are called {stage.name}")
        for used in stage.uses:
            if used not in kinds:
                raise ConfigurationError(f"stage {stage.name} uses {used}, which is none before it")
            if kinds[used] == stage.kind == "annotate":
                raise ConfigurationError(
                    f"stage {stage.name} cannot use {used}: it is models that annotate"
                )
        if stage.kind == "annotate" and not stage.uses:
            raise ConfigurationError(f"stage {stage.name} uses no model to annotate with")
        kinds[stage.name] = stage.kind
    if stages and stages[-1].kind != "train":
        raise ConfigurationError(f"the last stage trains the model: {stages[-1].name} does not")
