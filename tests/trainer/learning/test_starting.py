"""Training that begins with the weights of models that are there already."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from aptcore.errors import ConfigurationError, TrainingError
from aptcore.neural.checkpoint import load_checkpoint
from tests.trainer.tiny_runs import corpus, tiny_run
from trainer.config import TrainConfig, load_config
from trainer.examples.prepare import ignore, prepare
from trainer.learning.loop import Run, train


def config_of(folder, name, start=(), seed=1, epochs=1, train_layers=1) -> TrainConfig:
    run = tiny_run(folder, name, train_layers=train_layers, epochs=epochs, seed=seed, dev_every=9)
    return load_config(run.config, [f"model.start={json.dumps([str(each) for each in start])}"])


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A model, and two that went on from it, each with a seed of its own."""
    folder = tmp_path_factory.mktemp("models")
    trunk = train(config_of(folder, "trunk")) / "model"
    settings = [(f"branch-{seed}", (trunk,), seed) for seed in (2, 3)]
    return [trunk, *(train(config_of(folder, *each)) / "model" for each in settings)]


def weights_of(folder):
    return load_file(folder / "model.safetensors") | load_file(folder / "encoder.safetensors")


def test_training_begins_with_the_weights_of_the_model_and_its_encoder(models, tmp_path):
    config = config_of(tmp_path, "run", models[:1])
    learner = Run(config, prepare(config, ignore)).learner
    started = learner.model.state_dict() | learner.encoder.state_dict()
    for name, value in weights_of(models[0]).items():
        assert torch.equal(started[name], value.float()), name


def test_without_epochs_the_model_is_the_mean_of_those_that_it_begins_with(models, tmp_path):
    mean = train(config_of(tmp_path, "mean", models[1:], epochs=0))
    first, second = map(weights_of, models[1:])
    assert any(not torch.equal(first[name], second[name]) for name in first)
    for name, value in weights_of(mean / "model").items():
        expected = ((first[name].double() + second[name].double()) / 2).to(torch.bfloat16)
        assert torch.equal(value, expected), name
    assert json.loads((mean / "scores.json").read_text())["greedy"]


def test_rows_go_by_label_and_a_label_that_the_model_lacks_begins_anew(models, tmp_path):
    config = config_of(tmp_path, "wider", models[:1])
    more = "(g / gallop-01 :ARG0 (z / zebra) :destination (r / river))"
    more = f"# ::id x\n# ::snt A zebra gallops to the river .\n{more}\n\n"
    (tmp_path / "train.txt").write_text(more + corpus(1))
    prepared = prepare(config, ignore)
    fresh = Run(replace(config, model=replace(config.model, start=())), prepared).model
    model, before = Run(config, prepared).model, load_checkpoint(models[0])
    labels = prepared.masks.vocabulary.labels
    added = [label for label in labels if label not in before.vocabulary.ids]
    assert added
    for place, label in enumerate(labels):
        row = model.output_table.weight[place]
        if label in added:
            assert torch.equal(row, fresh.output_table.weight[place])
        else:
            old = before.vocabulary.ids[label]
            assert torch.equal(row, before.model.output_table.weight[old])


def test_a_start_that_does_not_fit_is_refused(models, tmp_path):
    config = config_of(tmp_path, "frozen", models[:1], train_layers=0)
    with pytest.raises(TrainingError, match="cannot start from"):
        Run(config, prepare(config, ignore))
    config = config_of(tmp_path, "absent", [tmp_path / "none"])
    with pytest.raises(TrainingError, match="cannot start from a model: .*no model folder"):
        Run(config, prepare(config, ignore))
    with pytest.raises(ConfigurationError, match=r"at least 1 where model\.start names no model"):
        config_of(tmp_path, "nothing", epochs=0)
