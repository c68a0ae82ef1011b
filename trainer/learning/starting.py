"""Training that begins with the weights of models that are there already.

Models that came from one by training on have weights near each other, and the mean of those
is a good model by itself (Wortsman and others 2022, Model soups).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from aptcore.errors import CheckpointError, TrainingError
from aptcore.neural.checkpoint import load_checkpoint
from aptcore.neural.vocabulary import ActionVocabulary
from trainer.learning.checkpoint import mean_weights
from trainer.learning.loss import Learner

_BY_LABEL = ("input_table.weight", "output_table.weight")
"""Weights with a row for each label."""


@torch.no_grad()
def start_from(folders: Sequence[Path], learner: Learner, vocabulary: ActionVocabulary) -> None:
    """Give a learner the mean weights of models; rows of labels that they lack stay.

    Args:
        folders: Of the models; they have the same labels.
        learner: What is to learn; on the processor.
        vocabulary: Its labels.

    Raises:
        TrainingError: If there is no whole model, or it has other parts or sizes.
    """
    try:
        models = [load_checkpoint(folder) for folder in folders]
    except CheckpointError as error:
        raise TrainingError(f"cannot start from a model: {error}") from error
    first = models[0]
    for folder, model in zip(folders, models, strict=True):
        if model.vocabulary.labels != first.vocabulary.labels:
            raise TrainingError(f"cannot start from {folder}: {folders[0]} has other labels")
    weights = mean_weights([model.model.state_dict() for model in models])
    known = [label for label in vocabulary.labels if label in first.vocabulary.ids]
    rows = torch.tensor([vocabulary.ids[label] for label in known])
    taken = torch.tensor([first.vocabulary.ids[label] for label in known])
    own = learner.model.state_dict()
    for name in _BY_LABEL:
        weights[name] = own[name].index_copy(0, rows, weights[name][taken])
    try:
        learner.model.load_state_dict(weights)
        learner.encoder.load_state_dict(mean_weights([model.trained for model in models]))
    except RuntimeError as error:
        raise TrainingError(f"cannot start from {folders[0]}: {error}") from error
