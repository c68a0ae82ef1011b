"""The launch form: the settings that matter most, and what they become for the trainer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from trainer.config import TrainConfig

Value = str | int | float


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting with a field of its own.

    Attributes:
        key: Its dotted name in the configuration.
        label: What the field is called.
        help: What it means, with its unit.
        choices: Its possible values; empty where it is a number.
        low: Least value of a number.
        step: How far one press of the field's button goes.
        digits: Digits after the point; 0 for whole numbers.
    """

    key: str
    label: str
    help: str
    choices: tuple[str, ...] = ()
    low: float = 0.0
    step: float = 1.0
    digits: int = 0


SETTINGS = (
    Setting("model.size", "Size", "small: 3+3 layers; base: 6+6 layers.", ("small", "base")),
    Setting("loop.epochs", "Epochs", "Passes over the training data.", low=1),
    Setting(
        "loop.batch_actions",
        "Actions in a batch",
        "Padding counted. A larger batch needs more memory.",
        low=1,
        step=100,
    ),
    Setting(
        "loop.learning_rate",
        "Learning rate",
        "The highest, reached after the warm-up.",
        low=0.00001,
        step=0.0001,
        digits=5,
    ),
    Setting("loop.warmup_steps", "Warm-up steps", "Steps until the highest rate.", low=1, step=100),
    Setting("model.dropout", "Dropout", "Share of values dropped.", step=0.05, digits=2),
    Setting("loop.dev_every", "Epochs between scores", "A dev score takes time as well.", low=1),
    Setting("loop.seed", "Seed", "Of weights, order and dropout."),
)
"""The fields of the form, in their order; all other settings are free overrides."""

FREE_HINT = "data.dev_sentences=100\nmodel.shapes=false"


def values_of(config: TrainConfig) -> dict[str, Value]:
    """Give what the fields show for a configuration, by setting."""
    flat = {
        f"{table}.{name}": value
        for table, values in config.to_json().items()
        if isinstance(values, dict)
        for name, value in values.items()
    }
    return {setting.key: flat[setting.key] for setting in SETTINGS}


def overrides_of(
    values: Mapping[str, Value], shipped: Mapping[str, Value], free: str
) -> tuple[str, ...]:
    """Write ``key=value`` settings for the trainer.

    Args:
        values: What the fields hold, by setting.
        shipped: What the configuration file says; equal values are left out.
        free: Further settings, one a line; they win, and ``#`` begins a comment line.
    """
    changed = [f"{key}={value}" for key, value in values.items() if value != shipped[key]]
    lines = [line.strip() for line in free.splitlines()]
    return (*changed, *(line for line in lines if line and not line.startswith("#")))


def free_name(config: str, taken: Collection[str]) -> str:
    """Propose a name for a run: the configuration's, with the first free number."""
    number = 1
    while f"{config}-{number}" in taken:
        number += 1
    return f"{config}-{number}"
