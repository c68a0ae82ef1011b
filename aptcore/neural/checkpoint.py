"""Model folders: tensors in safetensors, all else in JSON.

config.json         sizes and switches of the model
model.safetensors   its weights
encoder.safetensors where the encoder was trained with it: the layers that were
vocabulary.json     labels in order of their ids
parser.json         encoder with its layers, action set, oracle variant, and the hashes of
                        the weights, of the encoder and of its trained layers, checked on load
copies.json         in the own action set: the tables of COPY (see aptcore.words.copies)
"""

from __future__ import annotations

import gc
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from aptcore.assets import asset_path
from aptcore.errors import CheckpointError, ConfigurationError
from aptcore.neural.encoders.word_encoder import EncoderConfig, WordEncoder
from aptcore.neural.model import AptConfig, AptModel
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.neural.weights import unfilled
from aptcore.saving import save_text
from aptcore.transition.actions import ActionSet
from aptcore.transition.sets import ACTION_SETS
from aptcore.words.copy_tables import COPIES_FILE, NO_COPIES, CopyTables

SHIPPED_MODEL = "model"
"""The folder of the shipped model below ``assets/``."""

MODEL_TYPE = "aptamr"
"""What ``config.json`` calls the model."""

CONFIG_FILE, WEIGHTS_FILE = "config.json", "model.safetensors"

ENCODER_FILE = "encoder.safetensors"
"""The trained layers of the encoder, in a model folder."""


_DAMAGES = (OSError, ValueError, TypeError, AttributeError, RuntimeError, SafetensorError)
"""What reading a damaged file raises."""


@dataclass(frozen=True)
class Checkpoint:
    """A loaded model with the parts that it was trained for.

    Attributes:
        name: The folder's name, or the name in parser.json.
        weights_hash: First 12 hex digits of the sha256 of the weights.
        model: In evaluation mode, float32.
        vocabulary: Its labels.
        encoder: The encoder whose vectors it reads.
        action_set: The action set of its state machine.
        variant: The oracle variant of its training actions.
        copies: What COPY makes of words beyond their lemmas; nothing in the paper's set.
        trained: Weights of the encoder's trained layers; nothing where it is frozen.
    """

    name: str
    weights_hash: str
    model: AptModel
    vocabulary: ActionVocabulary
    encoder: EncoderConfig
    action_set: ActionSet
    variant: str
    copies: CopyTables = NO_COPIES
    trained: Mapping[str, Tensor] = field(default_factory=dict)


def shipped_model() -> Path:
    """Give the folder of the shipped model."""
    return asset_path(SHIPPED_MODEL)


def load_checkpoint(folder: Path, device: str = "cpu") -> Checkpoint:
    """Load a model folder.

    Raises:
        CheckpointError: If a part is absent, damaged or does not fit the others.
    """
    for name in (CONFIG_FILE, WEIGHTS_FILE, "vocabulary.json", "parser.json"):
        if not (folder / name).is_file():
            raise CheckpointError(f"{folder} is no model folder: it has no {name}")
    try:
        settings = json.loads((folder / "parser.json").read_text("utf-8"))
        encoder = EncoderConfig(
            settings["encoder"]["name"],
            tuple(settings["encoder"]["layers"]),
            settings["encoder"]["weights_hash"],
            settings["encoder"].get("trained_layers", 0),
            settings["encoder"].get("trained_hash", ""),
        )
        name_of_set, variant = settings["action_set"], settings["variant"]
        name = settings.get("name") or folder.name
        expected = settings["weights_hash"]
    except (ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{folder / 'parser.json'} is damaged: {error!r}") from error
    if name_of_set not in ACTION_SETS:
        raise CheckpointError(f"{folder} was trained with the unknown action set {name_of_set!r}")
    action_set = ACTION_SETS[name_of_set]
    vocabulary = ActionVocabulary.load(folder / "vocabulary.json")
    if vocabulary.lacks(action_set):
        missing = ", ".join(vocabulary.lacks(action_set))
        raise CheckpointError(f"{folder / 'vocabulary.json'} lacks {missing}")
    copies = CopyTables.load(folder / COPIES_FILE) if action_set.has_wide_copies else NO_COPIES
    check_hash(folder / WEIGHTS_FILE, expected)
    trained: dict[str, Tensor] = {}
    if encoder.trained_layers:
        check_hash(folder / ENCODER_FILE, encoder.trained_hash)
        trained = load_file(folder / ENCODER_FILE)
    model = _model_in(folder)
    if model.config.vocabulary_size != len(vocabulary):
        raise CheckpointError(
            f"{folder}: the model has {model.config.vocabulary_size} labels, "
            f"vocabulary.json {len(vocabulary)}"
        )
    model.eval().requires_grad_(False).to(device)
    return Checkpoint(
        name, expected[:12], model, vocabulary, encoder, action_set, variant, copies, trained
    )


def _model_in(folder: Path) -> AptModel:
    """Load sizes and weights, in float32 whatever they were saved in."""
    try:
        settings = json.loads((folder / CONFIG_FILE).read_text("utf-8"))
        if settings.get("model_type") != MODEL_TYPE:
            raise ValueError(f"it is of no model of the type {MODEL_TYPE}")
        known = {field.name for field in fields(AptConfig)}
        config = AptConfig(**{n: value for n, value in settings.items() if n in known})
    except (*_DAMAGES, ConfigurationError) as error:
        raise CheckpointError(f"cannot read {folder / CONFIG_FILE}: {error}") from error
    try:
        with unfilled():
            model = AptModel(config)
        weights = {name: each.float() for name, each in load_file(folder / WEIGHTS_FILE).items()}
        model.load_state_dict(weights, assign=True)
    except _DAMAGES as error:
        raise CheckpointError(f"cannot load the weights in {folder}: {error}") from error
    return model


def check_hash(path: Path, expected: str) -> None:
    """Refuse weights that are not those that were saved.

    Raises:
        CheckpointError: If the file is absent or has another hash.
    """
    digest = file_hash(path) if path.is_file() else "of no file"
    if digest != expected:
        raise CheckpointError(
            f"cannot load the weights in {path.parent}: {path.name} was changed or damaged "
            f"(sha256 {digest[:12]}, parser.json says {str(expected)[:12]})"
        )


def save_checkpoint(
    folder: Path,
    model: AptModel,
    vocabulary: ActionVocabulary,
    encoder: EncoderConfig,
    action_set: ActionSet,
    variant: str,
    name: str,
    copies: CopyTables = NO_COPIES,
    trained: Mapping[str, Tensor] | None = None,
) -> None:
    """Write a model folder; weights keep the type that they have.

    Args:
        folder: Made if absent.
        model: Its weights.
        vocabulary: Its labels.
        encoder: The encoder whose vectors it reads.
        action_set: The action set of its state machine.
        variant: The oracle variant of its training actions.
        name: Of the model.
        copies: What COPY makes of words.
        trained: Weights of the encoder's trained layers, where there are any.
    """
    folder.mkdir(parents=True, exist_ok=True)
    settings = {"model_type": MODEL_TYPE, **asdict(model.config)}
    save_text(folder / CONFIG_FILE, json.dumps(settings, indent=2) + "\n")
    save_file(model.state_dict(), folder / WEIGHTS_FILE)
    if trained:
        save_file(dict(trained), folder / ENCODER_FILE)
        encoder = replace(encoder, trained_hash=file_hash(folder / ENCODER_FILE))
    vocabulary.save(folder / "vocabulary.json")
    if action_set.has_wide_copies:
        copies.save(folder / COPIES_FILE)
    settings = {
        "name": name,
        "action_set": action_set.name,
        "variant": variant,
        "encoder": encoder.to_json(),
        "weights_hash": file_hash(folder / WEIGHTS_FILE),
    }
    save_text(folder / "parser.json", json.dumps(settings, indent=2) + "\n")


def file_hash(path: Path) -> str:
    """Give the sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def part_that_differs(first: Checkpoint, other: Checkpoint) -> str | None:
    """Name what two models of an ensemble should share and do not; None where they fit."""
    if other.vocabulary != first.vocabulary or other.action_set != first.action_set:
        return "action vocabularies"
    return None if other.copies == first.copies else "tables of COPY"


def encoders_of(checkpoints: Sequence[Checkpoint], device: str) -> list[WordEncoder]:
    """Load the encoder of each model; models with the same one share it.

    Raises:
        CheckpointError: If one cannot be had, or is not as wide as its model reads.
    """
    loaded: dict[EncoderConfig, WordEncoder] = {}
    for checkpoint in checkpoints:
        config, width = checkpoint.encoder, checkpoint.model.config.word_vector_width
        if config not in loaded:
            loaded[config] = WordEncoder.load(config, device, checkpoint.trained)
        if loaded[config].width != width:
            raise CheckpointError(
                f"the model reads word vectors {width} wide, {config.name} gives "
                f"{loaded[config].width}"
            )
    return [loaded[checkpoint.encoder] for checkpoint in checkpoints]


def keep_loaded() -> None:
    """Spare the search for garbage all that is loaded by now, once a process.

    It looks through all of torch and spaCy again and again, a twelfth of the time of decoding.
    """
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()
