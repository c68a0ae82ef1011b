"""Training that begins with the weights of a model that is there already."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from aptcore.errors import CheckpointError, TrainingError
from aptcore.neural.checkpoint import load_checkpoint
from aptcore.neural.vocabulary import ActionVocabulary
from trainer.learning.loss import Learner

_BY_LABEL = ("input_table.weight", "output_table.weight")
"""Weights with a row for each label."""


@torch.no_grad()
def start_from(folder: Path, learner: Learner, vocabulary: ActionVocabulary) -> None:
    """Give a learner the weights of a model; rows of labels that it lacks stay as they are.

    Args:
        folder: Of the model.
        learner: What is to learn; on the processor.
        vocabulary: Its labels.

    Raises:
        TrainingError: If there is no whole model, or it has other parts or sizes.
    """
    try:
        start = load_checkpoint(folder)
    except CheckpointError as error:
        raise TrainingError(f"cannot start from a model: {error}") from error
    weights = dict(start.model.state_dict())
    own = learner.model.state_dict()
    known = [label for label in vocabulary.labels if label in start.vocabulary.ids]
    to = torch.tensor([vocabulary.ids[label] for label in known])
    taken = torch.tensor([start.vocabulary.ids[label] for label in known])
    for name in _BY_LABEL:
        weights[name] = _with_rows(own[name], to, weights[name], taken)
    try:
        learner.model.load_state_dict(weights)
        learner.encoder.load_state_dict({n: value.float() for n, value in start.trained.items()})
    except RuntimeError as error:
        raise TrainingError(f"cannot start from {folder}: {error}") from error


def _with_rows(table: Tensor, rows: Tensor, source: Tensor, taken: Tensor) -> Tensor:
    """Copy rows of ``source`` (N, D) into a copy of ``table`` (M, D)."""
    return table.clone().index_copy_(0, rows, source[taken].to(table.dtype))
