from pathlib import Path

import pytest

from aptcore.errors import ConfigurationError
from trainer.config import DataConfig, TrainConfig, load_config
from trainer.examples.batching import rate_at
from trainer.learning.adam import BETA1
from trainer.mapping import from_mapping

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


STAGES = [
    {"name": "one"},
    {"name": "two", "settings": ["loop.seed=2", "name=x"]},
    {"name": "text", "kind": "annotate", "uses": ["one", "two"]},
    {"name": "last", "uses": ["one", "text", "two"], "settings": ["loop.epochs=9"]},
]


def test_a_stage_has_the_settings_of_the_run_but_for_its_own():
    values = {"name": "m", "output": "/runs/m", "stages": STAGES, "data": {"silver": ["s"]}}
    config = from_mapping(TrainConfig, values)
    one, two, text, last = (config.of_stage(stage) for stage in config.stages)
    assert [each.output for each in (one, two, text, last)] == [
        "/runs/m/one", "/runs/m/two", "/runs/m/text", "/runs/m/last",
    ]  # fmt: skip
    assert [each.name for each in (one, two, text, last)] == ["m-one", "x", "m-text", "m"]
    assert (one.loop.seed, two.loop.seed, last.loop.epochs) == (1, 2, 9)
    assert (one.data.silver, one.data.beside_gold) == (("s",), ())
    assert last.data.silver == ("s", "/runs/m/text/silver.amr")
    assert last.data.beside_gold == ("/runs/m/text/silver.amr",)
    assert last.model.start == ("/runs/m/one/model", "/runs/m/two/model")
    assert one.model.start == text.model.start == ()
    assert not any(each.stages for each in (one, two, text, last))
    assert from_mapping(TrainConfig, config.to_json()) == config


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([{"name": "a"}, {"name": "a"}], "two stages are called a"),
        ([{"name": "A/b"}], "small letters, digits and hyphens, not 'A/b'"),
        ([{"name": "a", "kind": "parse"}], "the kind is train or annotate, not 'parse'"),
        ([{"name": "a", "uses": ["b"]}, {"name": "b"}], "uses b, which is none before it"),
        (
            [*STAGES[:3], {"name": "more", "kind": "annotate", "uses": ["text"]}],
            "more cannot use text: it is models that annotate",
        ),
        ([{"name": "a"}, {"name": "b", "kind": "annotate"}], "b uses no model"),
        ([*STAGES[:3]], "the last stage trains the model: text does not"),
        ([{"name": "a", "settings": ["loop.epoch=1"]}], "did you mean 'epochs'"),
        ([{"nam": "a"}], "unknown setting 'stages.nam'"),
    ],
)
def test_stages_that_do_not_fit_together_are_refused(stages, message):
    with pytest.raises(ConfigurationError, match=message):
        from_mapping(TrainConfig, {"stages": stages})


def test_the_small_model_is_three_seeds_in_two_turns_and_a_student_of_all_they_made():
    config = load_config(next(path for path in CONFIGS if path.stem == "small"))
    taught = [config.of_stage(stage) for stage in config.stages if stage.kind == "train"]
    assert [each.loop.seed for each in taught] == [1, 2, 3, 2, 3, 4, 1]
    assert [each.loop.epochs - each.data.silver_epochs for each in taught] == [3, 3, 3, 2, 2, 2, 2]
    assert [len(each.model.start) for each in taught] == [0, 0, 0, 1, 1, 1, 1]
    assert set(taught[-1].data.beside_gold) == set(taught[-1].data.silver) - set(config.data.silver)
    gold = load_config(next(path for path in CONFIGS if path.stem == "gold"))
    assert (gold.data.train, gold.data.dev) == (config.data.train, config.data.dev)


def test_a_byte_order_mark_before_a_configuration_is_none_of_it(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('output = "runs/own"\n', encoding="utf-8-sig")
    assert load_config(path).output == "runs/own"
