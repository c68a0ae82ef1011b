from pathlib import Path

import pytest

from aptcore.errors import ConfigurationError
from trainer.config import DataConfig, TrainConfig, from_mapping, load_config
from trainer.examples.batching import rate_at
from trainer.learning.adam import BETA1

CONFIGS = sorted((Path(__file__).resolve().parents[2] / "trainer" / "configs").glob("*.toml"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_shipped_configuration_loads(path):
    config = load_config(path)
    assert config.data.train
    assert not any("dev" in name or "test" in name for name in config.data.train)


def test_the_recipe_of_the_paper_has_its_figures():
    """Source: Zhou and others 2021, section 4 (models) and its implementation details."""
    config = load_config(next(path for path in CONFIGS if path.stem == "paper"))
    loop, model = config.loop, config.model
    assert (loop.learning_rate, loop.warmup_steps, loop.schedule) == (5e-4, 4000, "inverse-sqrt")
    assert (BETA1, loop.beta2, loop.weight_decay, loop.clip_norm) == (0.9, 0.98, 0, 0)
    assert (model.dropout, model.attention_dropout, loop.label_smoothing) == (0.3, 0, 0.01)
    assert (loop.batch_actions, loop.epochs, loop.dev_every) == (3584, 120, 1)
    assert (loop.average, loop.average_among) == (5, 40)
    assert (model.size, config.oracle.variant) == ("base", "paper")
    assert (config.encoder.name, config.encoder.layers) == ("roberta-large", ())
    assert model.cursor_masks
    assert model.graph_embedding
    assert model.legality_in_training
    assert not any((model.edge_label_input, model.shapes, model.legal_pointers))
    assert len(config.data.train) == 9
    assert len(config.data.dev) == 5
    rates = [rate_at(config, step, 10**6) for step in (2000, 4000, 16000)]
    assert rates == pytest.approx([2.5e-4, 5e-4, 2.5e-4])


def test_overrides_reach_nested_settings(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text('name = "x"\n[loop]\nepochs = 9\n')
    config = load_config(path, ["loop.epochs=2", "model.dropout=0.25", 'output="runs/y"', "name=z"])
    assert (config.loop.epochs, config.model.dropout) == (2, 0.25)
    assert (config.output, config.name) == ("runs/y", "z")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"loop": {"epoch": 3}}, "'loop.epoch'; did you mean 'epochs'"),
        ({"loop": {"epochs": "three"}}, "'loop.epochs' is of type int"),
        ({"loop": {"epochs": True}}, "'loop.epochs' is of type int"),
        ({"loop": {"epochs": 0}}, "at least 1"),
        ({"model": {"size": "large"}}, "small or base"),
        ({"model": {"dropout": 1}}, "from 0 to below 1"),
        ({"oracle": {"variant": "other"}}, "unknown oracle variant"),
        ({"loop": 3}, "'loop' is a table"),
    ],
)
def test_wrong_settings_are_named(values, message):
    with pytest.raises(ConfigurationError, match=message):
        from_mapping(TrainConfig, values)


def test_a_saved_configuration_reads_back():
    config = TrainConfig(data=DataConfig(train=("a",), alignments_from={"a": "b"}))
    assert from_mapping(TrainConfig, config.to_json()) == config


def test_relative_corpora_need_their_folder(monkeypatch):
    monkeypatch.delenv("APTAMR_DATA", raising=False)
    with pytest.raises(ConfigurationError, match="set APTAMR_DATA"):
        DataConfig().path("x.txt")
    assert DataConfig(root="/data").path("x.txt") == Path("/data/x.txt")


def test_training_without_a_given_set():
    data = DataConfig(train=("bio/a.txt", "little-prince/b.txt"), without=("bio/",))
    assert data.train_names() == ["little-prince/b.txt"]
