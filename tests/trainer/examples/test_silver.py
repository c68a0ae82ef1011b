"""Silver sentences: which are taken, when they are drawn, and that a run learns from them."""

import json
from dataclasses import replace

import pytest

from app.cli import main
from aptcore.errors import ConfigurationError, TrainingError
from aptcore.graph.corpus import read_corpus
from trainer.config import DataConfig, LoopConfig, OracleConfig, TrainConfig
from trainer.dry_run import sampled
from trainer.examples.batching import batches_of
from trainer.examples.corpora import Example
from trainer.examples.prepare import prepare
from trainer.examples.silver import count_steps, silver_of_epoch
from trainer.learning.loop import Run, train
from trainer.mapping import from_mapping

GOLD = """# ::id 1
# ::snt The girl sleeps .
(s / sleep-01 :ARG0 (g / girl))

# ::id 2
# ::snt The cook sings .
(s / sing-01 :ARG0 (p / person :ARG0-of (c / cook-01)))
"""

DEV = """# ::id 1
# ::snt The old cook sleeps .
(s / sleep-01 :ARG0 (c / cook :mod (o / old)))
"""

SILVER = """# ::id 1
# ::snt The cook sleeps .
(s / sleep-01 :ARG0 (p / person :ARG0-of (c / cook-01)))

# ::id 2
# ::snt the girl sleeps.
(s / sleep-01 :ARG0 (g / girl))

# ::id 3
# ::snt The old cook sleeps .
(s / sleep-01 :ARG0 (g / girl))

# ::id 4
# ::snt The cook sleeps.
(s / sleep-01 :ARG0 (g / girl))

# ::id 5
# ::snt - -
# ::error no words
(a / amr-empty)

# ::id 6
# ::snt A poet from Lima shouts .
(s / shout-01 :ARG0 (p / poet :wiki - :source (c / city :name (n / name :op1 "Lima"))))
"""


@pytest.fixture
def config(tmp_path):
    for name, text in (("gold", GOLD), ("dev", DEV), ("silver", SILVER)):
        (tmp_path / name).write_text(text)
    data = DataConfig(
        train=("gold",), dev=("dev",), root=str(tmp_path), cache=str(tmp_path / "cache"),
        silver=("silver",),
    )  # fmt: skip
    loop = LoopConfig(epochs=2, batch_actions=20, warmup_steps=2, average=1)
    oracle = OracleConfig(min_label_count=1)
    return TrainConfig(output=str(tmp_path / "run"), data=data, oracle=oracle, loop=loop)


def test_sentences_of_gold_and_dev_files_failed_and_repeated_ones_are_left_out(config):
    assert [e.sentence.id for e in prepare(config).silver] == ["1", "6"]


def test_a_file_beside_gold_keeps_the_sentences_of_gold_files_but_none_of_dev(config):
    beside = replace(config, data=replace(config.data, beside_gold=("silver",)))
    assert [e.sentence.id for e in prepare(beside).silver] == ["1", "2", "6"]
    with pytest.raises(ConfigurationError, match="lacks 'other' of beside_gold"):
        DataConfig(silver=("silver",), beside_gold=("other",))


def test_labels_and_tables_come_from_the_gold_sentences_alone(config):
    with_silver, without = prepare(config), prepare(replace(config, data=no_silver(config)))
    assert with_silver.masks.vocabulary == without.masks.vocabulary
    assert with_silver.copies == without.copies
    assert len(with_silver.examples) == len(without.examples) == 2


def no_silver(config):
    return replace(config.data, silver=())


def test_an_epoch_draws_the_share_and_the_last_ones_gold_alone():
    data = DataConfig(silver_share=0.5, silver_epochs=2)
    silver = [Example(None, None, None, source="one") for _ in range(6)]
    first = silver_of_epoch(silver, data, 0, 7)
    assert len(first) == 3
    assert first == silver_of_epoch(silver, data, 0, 7)
    draws = {tuple(map(id, silver_of_epoch(silver, data, 1, seed))) for seed in range(5)}
    assert len(draws) > 1
    assert silver_of_epoch(silver, data, 2, 7) == []


def test_each_file_has_a_share_of_its_own():
    data = DataConfig(silver=("one", "two"), silver_share=0.5, silver_shares={"two": 1.0})
    silver = [Example(None, None, None, source=name) for name in ("one", "two") for _ in range(4)]
    drawn = [example.source for example in silver_of_epoch(silver, data, 0, 3)]
    assert (drawn.count("one"), drawn.count("two")) == (2, 4)


def test_silver_brings_labels_and_tables_where_asked_for(config):
    """A role of silver alone is a label; where two sightings are asked for, it is none."""
    taught = prepare(replace(config, data=replace(config.data, silver_labels=1)))
    assert "RA(:source)" in taught.masks.vocabulary.labels
    assert "RA(:source)" not in prepare(config).masks.vocabulary.labels
    twice = prepare(replace(config, data=replace(config.data, silver_labels=2)))
    assert "RA(:source)" not in twice.masks.vocabulary.labels
    assert set(prepare(config).masks.vocabulary.labels) <= set(twice.masks.vocabulary.labels)


@pytest.mark.parametrize(("epochs", "expected"), [(0, 2), (1, 1)])
def test_a_run_learns_from_silver_in_the_epochs_that_have_it(config, monkeypatch, epochs, expected):
    seen = []
    original = Run._step

    def step(run, examples, sums):
        seen.extend((run.position.epoch, example.sentence.text) for example in examples)
        original(run, examples, sums)

    monkeypatch.setattr(Run, "_step", step)
    folder = train(replace(config, data=replace(config.data, silver_epochs=epochs)))
    assert sum("poet" in text for _, text in seen) == expected
    assert sum("girl" in text for _, text in seen) == 2
    facts = json.loads((folder / "facts.json").read_text())
    assert (facts["sentences"], facts["silver"]) == (2, 2)
    assert set(facts["data"]) == {"gold", "dev", "silver"}


def test_the_steps_of_both_kinds_of_epochs_are_counted(config):
    prepared = prepare(config)
    alone = len(batches_of(prepared.examples, config.loop.batch_actions, 0))
    both = len(batches_of([*prepared.examples, *prepared.silver], config.loop.batch_actions, 0))
    assert both > alone
    assert count_steps(config, prepared.examples, ()) == 2 * alone
    half = replace(config, data=replace(config.data, silver_epochs=1))
    assert count_steps(half, prepared.examples, prepared.silver) == alone + both


def test_what_cannot_be_is_named(config):
    with pytest.raises(ConfigurationError, match="silver_share is above 0"):
        DataConfig(silver_share=0.0)
    with pytest.raises(ConfigurationError, match="lacks 'b' of silver_shares"):
        DataConfig(silver=("a",), silver_shares={"b": 0.5})
    with pytest.raises(ConfigurationError, match=r"'data\.silver_shares\.a' is of type float"):
        from_mapping(DataConfig, {"silver": ["a"], "silver_shares": {"a": "x"}}, "data.")
    with pytest.raises(TrainingError, match="cannot read .*absent"):
        prepare(replace(config, data=replace(config.data, silver=("absent",))))


def test_what_an_ensemble_annotated_can_be_trained_on(config, tmp_path):
    """The whole way: two seeds, their silver, a run on gold and silver that can join them."""
    models = []
    for seed in (1, 2):
        loop = replace(config.loop, seed=seed, epochs=30)
        output = str(tmp_path / f"seed-{seed}")
        data = replace(no_silver(config), dev=())
        models += [
            "--model",
            str(train(replace(config, output=output, data=data, loop=loop)) / "model"),
        ]
    (tmp_path / "raw.txt").write_text("The poet sings .\nThe girl sleeps .\nA cook dances .\n")
    silver = tmp_path / "annotated.txt"
    with pytest.raises(SystemExit) as left:
        main(["annotate", str(tmp_path / "raw.txt"), "--output", str(silver), "--beam", "2",
              "--keep-detached", "--device", "cpu", *models])  # fmt: skip
    assert left.value.code == 0
    records = read_corpus(silver).records
    assert len(records) == 3
    assert records[0].metadata["silver"].count("+") == 2  # two names, two hashes
    data = replace(config.data, silver=(str(silver),))
    prepared = prepare(replace(config, data=data))
    assert [e.sentence.text for e in prepared.silver] == ["The poet sings .", "A cook dances ."]
    assert train(replace(config, data=data)).joinpath("model", "config.json").is_file()


def test_sentences_of_the_grammar_are_a_silver_file_of_their_own(config):
    data = replace(config.data, grammar=26, silver_shares={"grammar": 0.5}, silver_labels=1)
    prepared = prepare(replace(config, data=data))
    taught = [example for example in prepared.silver if example.source == "grammar"]
    assert len(taught) == 26
    drawn = silver_of_epoch(prepared.silver, data, 0, 1)
    assert sum(example.source == "grammar" for example in drawn) == 13
    assert [e.sentence.id for e in prepared.silver if e.source == "silver"] == ["1", "6"]


def test_a_dry_run_over_a_sample_leaves_silver_and_grammar_out(config, tmp_path):
    data = replace(
        config.data, grammar=26, silver_shares={"silver": 0.5}, silver_labels=2, silver_epochs=1
    )
    small = sampled(replace(config, data=data), tmp_path / "sample", [GOLD], [DEV])
    assert (small.data.silver, small.data.silver_shares, small.data.grammar) == ((), {}, 0)
    assert len(prepare(small).examples) == 2
