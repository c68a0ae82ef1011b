"""An encoder whose layers learn with the parser: what changes, what is kept, what is shared."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from aptcore.errors import CheckpointError, ConfigurationError
from aptcore.graph.penman import parse_penman
from aptcore.neural.checkpoint import ENCODER_FILE, load_checkpoint
from aptcore.neural.model import Dropout
from aptcore.neural.parser import AptParser
from aptcore.scoring.evaluation import score_corpus
from tests.trainer.tiny_runs import (
    GRAPHS,
    TRAINER,
    TWO_TRAINERS,
    await_that,
    done,
    finished,
    started,
    tiny_run,
)
from trainer.config import EncoderSettings, load_config
from trainer.examples.batching import encoder_rate_at
from trainer.examples.prepare import prepare
from trainer.learning.checkpoint import read_metrics
from trainer.learning.loop import Run, train

TEXTS = [text for text, _ in GRAPHS]


def trained_config(folder, name="run", train_layers=1, **loop):
    return load_config(tiny_run(folder, name, train_layers=train_layers, **loop).config, ())


def test_only_the_topmost_layers_asked_for_learn(tmp_path):
    run = Run(config := trained_config(tmp_path), prepare(config))
    encoder = run.prepared.encoder
    before = {name: value.clone() for name, value in encoder.model.state_dict().items()}
    run.learner.train()
    for _ in range(2):
        run._step(run.prepared.examples, [0.0, 0.0, 0])
        run.position = replace(run.position, step=run.position.step + 1)
    changed = {n for n, v in encoder.model.state_dict().items() if not torch.equal(before[n], v)}
    assert changed
    assert all(name.startswith("layers.1.") for name in changed)
    assert len(encoder.trained) == 1
    assert all(example.vectors is None for example in run.prepared.examples)


def test_the_rate_of_the_encoder_is_its_own_and_falls_to_zero(tmp_path):
    config = trained_config(tmp_path, schedule="inverse-sqrt")
    rates = [encoder_rate_at(config, step, 20) for step in range(1, 21)]
    assert max(rates) == rates[config.loop.warmup_steps - 1] == config.encoder.learning_rate
    assert rates[-1] == 0


def test_a_small_model_memorises_sentences_with_a_trained_encoder(tmp_path):
    settings = {"epochs": 50, "average": 1, "dev_every": 50, "dropout": 0.0}
    config = trained_config(tmp_path, train_layers=2, **settings)
    folder = train(config)
    parser = AptParser.from_pretrained(folder / "model", "cpu")
    gold = [parse_penman(f"# ::snt {text}\n{graph}") for text, graph in GRAPHS]
    found = [parse.graph for parse in parser.parse(TEXTS, beam=2)]
    assert score_corpus(gold, found).counts.f1 == 1.0
    assert read_metrics(folder)[-1]["dev"][config.data.dev[0]] == 1.0


def test_an_interrupted_run_goes_on_bit_for_bit(tmp_path):
    whole = tiny_run(tmp_path, "whole", copies=3, train_layers=1)
    broken = tiny_run(tmp_path, "broken", copies=3, train_layers=1, save_every=3)
    assert done(whole)[0] == 0
    with started(TRAINER, broken.config) as process:
        await_that(lambda: bool(broken.position()), process)
        process.kill()
    status, said = done(broken, resume=True)
    assert status == 0, said
    first, second = (
        load_file(sorted((run.folder / "epochs").iterdir())[-1]) for run in (whole, broken)
    )
    assert any(name.startswith("encoder.0.") for name in first)
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)
    for name in ("model.safetensors", ENCODER_FILE):
        kept = [(run.folder / "model" / name).read_bytes() for run in (whole, broken)]
        assert kept[0] == kept[1]


def test_two_processes_have_the_losses_of_one(tmp_path):
    settings = {"copies": 3, "dropout": 0.0, "train_layers": 1, "report_every": 1, "epochs": 1}
    one, two = (tiny_run(tmp_path, name, **settings) for name in ("one", "two"))
    losses = []
    for run, (status, said) in ((one, done(one)), (two, finished(TWO_TRAINERS, two.config))):
        assert status == 0, said
        losses.append([line["loss"] for line in read_metrics(run.folder) if "loss" in line])
    assert len(losses[0]) > 2
    assert losses[1] == pytest.approx(losses[0], rel=1e-5)


@pytest.fixture(scope="module")
def two_models(tmp_path_factory):
    """Model folders of two short runs with different seeds."""
    folder = tmp_path_factory.mktemp("two")
    return [
        train(trained_config(folder, f"seed-{seed}", epochs=2, seed=seed)) / "model"
        for seed in (1, 2)
    ]


def test_a_model_folder_keeps_the_trained_layers_alone_in_bfloat16(two_models):
    kept = load_file(two_models[0] / ENCODER_FILE)
    assert all(
        name.startswith("0.") and value.dtype == torch.bfloat16 for name, value in kept.items()
    )
    assert sum(value.numel() for value in kept.values()) == 1_774_464
    config = load_checkpoint(two_models[0]).encoder
    assert (config.trained_layers, config.layers) == (1, (1, 2))
    parser = AptParser.from_pretrained(two_models[0], "cpu")
    weights = parser.encoders[0].trained.state_dict()
    assert all(torch.equal(weights[name], value.float()) for name, value in kept.items())


@pytest.mark.parametrize("harm", ["damaged", "absent"])
def test_trained_layers_that_are_not_those_saved_are_refused(two_models, harm):
    path = two_models[1] / ENCODER_FILE
    whole = path.read_bytes()
    if harm == "absent":
        path.unlink()
    else:
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    try:
        with pytest.raises(CheckpointError, match=r"encoder\.safetensors was changed or damaged"):
            load_checkpoint(two_models[1])
    finally:
        path.write_bytes(whole)


def test_models_with_encoders_of_their_own_are_an_ensemble(two_models):
    both = AptParser.from_pretrained(two_models, "cpu")
    singles = [AptParser.from_pretrained(folder, "cpu") for folder in two_models]
    sentences = [both.read(text) for text in TEXTS]
    together = both.encode(sentences)
    for single, encoded in zip(singles, together, strict=True):
        assert torch.equal(single.encode(sentences)[0].keys[0], encoded.keys[0])
    assert not torch.equal(together[0].keys[0], together[1].keys[0])
    assert both.encoders[0] is not both.encoders[1]
    assert all(parse.error is None for parse in both.parse(TEXTS, beam=2))
    same = AptParser.from_pretrained([two_models[0], two_models[0]], "cpu")
    assert same.encoders[0] is same.encoders[1]


def test_more_layers_than_are_used_cannot_be_trained(tmp_path):
    config = trained_config(tmp_path, train_layers=3)
    with pytest.raises(ConfigurationError, match="3 layers of .* cannot be trained: 2 are used"):
        prepare(config)
    with pytest.raises(ConfigurationError, match="train_layers is 0 or more"):
        EncoderSettings(train_layers=-1)


def test_a_frozen_model_keeps_no_layers(untrained_model):
    assert not (untrained_model / ENCODER_FILE).exists()
    assert (
        json.loads((untrained_model / "parser.json").read_text())["encoder"]["trained_hash"] == ""
    )


def test_the_dropout_of_the_trained_layers_is_set_alone(tmp_path):
    encoder = prepare(trained_config(tmp_path, dropout=0.25)).encoder
    shares = [
        {part.share for part in layer.modules() if isinstance(part, Dropout)}
        for layer in encoder.model.layers
    ]
    assert shares == [{0.0}, {0.25}]
