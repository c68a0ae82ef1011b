"""Training on four sentences of our own: it learns them, resumes exactly, stops safely."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from aptcore.errors import TrainingError
from aptcore.graph.checks import triples
from aptcore.graph.penman import parse_penman
from aptcore.neural.parser import AptParser
from aptcore.scoring.evaluation import score_corpus
from trainer.config import DataConfig, LoopConfig, ModelSettings, OracleConfig, TrainConfig
from trainer.examples.batching import batches_of, rate_at
from trainer.examples.prepare import prepare
from trainer.learning.checkpoint import (
    append_metrics,
    average_weights,
    drop_old_epochs,
    epochs_to_average,
    load_run_config,
    read_metrics,
    save_weights,
)
from trainer.learning.loop import Run, train
from trainer.learning.workers import Workers

DEV_TEXTS = ["It hailed for a week .", "It snowed twice today .", "her dog"]
ROOT = Path(__file__).resolve().parents[3]

CORPUS = """# ::id 1
# ::snt The girl reads two old books .
(r / read-01 :ARG0 (g / girl) :ARG1 (b / book :quant 2 :mod (o / old)))

# ::id 2
# ::snt Ada Brown did not sleep .
(s / sleep-01 :polarity - :ARG0 (p / person :name (n / name :op1 "Ada" :op2 "Brown")))

# ::id 3
# ::snt The cook wants to sing and dance .
(w / want-01 :ARG0 (c / person :ARG0-of (c2 / cook-01))
   :ARG1 (a / and :op1 (s / sing-01 :ARG0 c) :op2 (d / dance-01 :ARG0 c)))

# ::id 4
# ::snt It rained on 9 May 2011 .
(r / rain-01 :time (d / date-entity :year 2011 :month 5 :day 9))
"""


@pytest.fixture(scope="module")
def corpus_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "four.txt"
    path.write_text(CORPUS)
    return path


@pytest.fixture
def config(corpus_file, tmp_path):
    return TrainConfig(
        output=str(tmp_path / "run"),
        data=DataConfig(
            train=(str(corpus_file),),
            dev=(str(corpus_file),),
            cache=str(corpus_file.parent / "cache"),
        ),
        oracle=OracleConfig(min_label_count=1),
        model=ModelSettings(dropout=0.1),
        loop=LoopConfig(epochs=4, batch_actions=40, learning_rate=1e-3, warmup_steps=4, average=2),
    )


def epoch_weights(folder):
    paths = sorted((folder / "epochs").glob("*.safetensors"))
    return load_file(paths[-1])


def test_a_small_model_memorises_four_sentences(config):
    loop = replace(config.loop, epochs=60, average=1, dev_every=60)
    folder = train(replace(config, loop=loop, model=ModelSettings(dropout=0.0)))
    parser = AptParser.from_pretrained(folder / "model")
    blocks = CORPUS.strip().split("\n\n")
    gold = [parse_penman(block) for block in blocks]
    texts = [graph.metadata["snt"] for graph in gold]
    for beam in (1, 4):
        graphs = [parse.graph for parse in parser.parse(texts, beam=beam)]
        report = score_corpus(gold, graphs).to_json()
        assert report["smatch"]["f1"] == 1.0
        assert len(triples(graphs[0])) == len(triples(gold[0]))
    assert read_metrics(folder)[-1]["dev"][config.data.dev[0]] == 1.0


def test_interrupted_and_resumed_equals_uninterrupted(config, tmp_path, monkeypatch):
    whole = train(config)
    broken = replace(config, output=str(tmp_path / "broken"))
    original = Run._step

    def step_then_signal(run, examples, sums):
        original(run, examples, sums)
        if run.position.step == 6:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(Run, "_step", step_then_signal)
    folder = train(broken)
    assert not (folder / "model").exists()
    monkeypatch.undo()
    train(load_run_config(folder), resume=True)
    first, second = epoch_weights(whole), epoch_weights(folder)
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_a_loss_that_is_not_finite_changes_nothing_and_stops_after_three(config, monkeypatch):
    """Case c35: one bad step is counted; three in a row end the run with the step named."""
    run = Run(config, prepare(config))
    run.folder.mkdir(parents=True)
    examples = run.prepared.examples[:2]
    before = {name: value.clone() for name, value in run.model.state_dict().items()}
    bad = [replace(example, vectors=example.vectors * float("nan")) for example in examples]
    run._step(bad, [0.0, 0.0, 0])
    assert run.position.bad_steps == 1
    assert all(torch.equal(before[n], v) for n, v in run.model.state_dict().items())
    run._step(examples, [0.0, 0.0, 0])
    run._step(bad, [0.0, 0.0, 0])
    run._step(bad, [0.0, 0.0, 0])
    with pytest.raises(TrainingError, match="3 times in a row, last at step 1"):
        run._step(bad, [0.0, 0.0, 0])


def test_bfloat16_gives_about_the_loss_of_float32_and_learns(config):
    prepared = prepare(config)
    for is_bf16 in (False, True):
        run = Run(config, prepared, Workers(torch.device("cpu"), is_bf16))
        losses = []
        for _ in range(4):
            sums = [0.0, 0.0, 0]
            run._step(prepared.examples, sums)
            losses.append((sums[0] + sums[1]) / sums[2])
            run.position = replace(run.position, step=run.position.step + 1)
        assert losses[-1] < losses[0]
        if not is_bf16:
            exact = losses[0]
    assert losses[0] == pytest.approx(exact, rel=0.02)
    assert losses[0] != exact
    assert all(value.dtype == torch.float32 for value in run.model.state_dict().values())


def test_the_best_of_the_last_epochs_are_averaged(tmp_path):
    """The scores decide, the later of equal ones wins, and one never scored comes last."""
    (tmp_path / "epochs").mkdir()
    for epoch in range(1, 7):
        (tmp_path / "epochs" / f"{epoch:03d}.safetensors").touch()
    for epoch, score in ((1, 0.9), (2, 0.5), (3, 0.7), (4, 0.5), (6, 0.4)):
        append_metrics(tmp_path, {"epoch": epoch, "dev": {"a": score, "b": score}})
    append_metrics(tmp_path, {"averaged": ["003"], "dev": {"a": 1.0, "b": 1.0}})
    loop = LoopConfig(average=2, average_among=5)
    assert [path.stem for path in epochs_to_average(tmp_path, loop)] == ["003", "004"]
    last = epochs_to_average(tmp_path, replace(loop, average_among=0))
    assert [path.stem for path in last] == ["005", "006"]
    drop_old_epochs(tmp_path, loop)
    assert [path.stem for path in sorted((tmp_path / "epochs").iterdir())] == [
        "002", "003", "004", "005", "006",
    ]  # fmt: skip


def test_a_run_is_not_overwritten(config):
    train(replace(config, loop=replace(config.loop, epochs=1)))
    with pytest.raises(TrainingError, match="holds a run already"):
        train(config)


def test_resuming_an_empty_folder_is_refused(config):
    with pytest.raises(TrainingError, match="no saved position"):
        train(config, resume=True)


def test_facts_and_metrics_of_a_run_are_kept(config):
    folder = train(config)
    facts = json.loads((folder / "facts.json").read_text())
    assert facts["sentences"] == 4
    assert facts["seed"] == config.loop.seed
    assert {"aptamr", "torch", "spacy"} <= set(facts["versions"])
    assert list((folder / "tensorboard").iterdir())
    assert set(facts["data"]) == {config.data.train[0]}
    assert [line["epoch"] for line in read_metrics(folder) if "epoch" in line] == [1, 2, 3, 4]
    assert load_run_config(folder) == config


def test_the_steps_that_a_run_tells_are_those_it_did(config, monkeypatch):
    """Whatever was counted before: the order of an epoch makes a few batches more or less."""
    for counted in (1, 1000):
        monkeypatch.setattr("trainer.learning.loop.count_steps", lambda *_, n=counted: n)
        run = Run(replace(config, output=f"{config.output}-{counted}"), prepare(config))
        run.train()
        _, step, num_steps, epoch = run.progress()
        assert (num_steps, epoch) == (step, config.loop.epochs)


def test_what_dev_needs_and_training_has_not_is_in_log_and_facts(config, cases, tmp_path, capsys):
    case = cases["c76"]
    texts = {"train": ["It rained today .", "She has a cat ."], "dev": DEV_TEXTS}
    for name, sentences in texts.items():
        blocks = zip(sentences, case["input"][name], strict=True)
        (tmp_path / name).write_text("\n\n".join(f"# ::snt {text}\n{g}" for text, g in blocks))
    files = {name: (str(tmp_path / name),) for name in texts}
    data = replace(config.data, **files, cache=str(tmp_path / "cache"))
    loop = replace(config.loop, epochs=2)
    folder = train(replace(config, output=str(tmp_path / "out"), data=data, loop=loop))
    facts = json.loads((folder / "facts.json").read_text())
    assert list(facts["unseen"]["dev_roles"]) == case["expected"]["dev_roles_not_in_train"]
    assert list(facts["unseen"]["dev_concepts"]) == case["expected"]["dev_concepts_not_in_train"]
    labels = json.loads((folder / "model" / "vocabulary.json").read_text())
    assert not facts["unseen"]["dev_labels"].keys() & set(labels)
    said = capsys.readouterr().err
    assert "3 roles of dev are in no training sentence: :duration, :frequency, :poss" in said
    assert f"{len(facts['unseen']['dev_labels'])} labels of dev are in no training" in said
    scores = [line["dev"] for line in read_metrics(folder) if "epoch" in line]
    means = [sum(dev.values()) / len(dev) for dev in scores]
    assert facts["best_epoch"] == means.index(max(means)) + 1
    assert f"best epoch so far: {facts['best_epoch']} with {max(means):.4f}" in said


def test_labels_that_the_vocabulary_lacks_leave_the_loss_finite(config):
    prepared = prepare(replace(config, oracle=OracleConfig(min_label_count=3)))
    assert any(-1 in example.walk.targets for example in prepared.examples)
    run = Run(config, prepared)
    sums = [0.0, 0.0, 0]
    run._step(prepared.examples, sums)
    assert sums[0] > 0
    assert run.position.bad_steps == 0


def test_batches_hold_every_example_once_and_stay_within_the_limit(config):
    prepared = prepare(config)
    batches = batches_of(prepared.examples, 40, seed=3)
    assert sorted(number for batch in batches for number in batch) == [0, 1, 2, 3]
    for batch in batches:
        longest = max(len(prepared.examples[number].walk) for number in batch)
        assert len(batch) == 1 or len(batch) * longest <= 40
    assert batches == batches_of(prepared.examples, 40, seed=3)


def test_the_rate_warms_up_and_falls(config):
    rates = [rate_at(config, step, 20) for step in range(1, 21)]
    assert rates.index(max(rates)) == config.loop.warmup_steps - 1
    assert rates[-1] == 0
    root = replace(config, loop=replace(config.loop, schedule="inverse-sqrt"))
    assert rate_at(root, 16, 20) == pytest.approx(config.loop.learning_rate / 2)


def test_averaged_weights_are_the_mean(tmp_path, config):
    run = Run(config, prepare(config))
    paths = [tmp_path / "a.safetensors", tmp_path / "b.safetensors"]
    for path in paths:
        with torch.no_grad():
            run.model.input_table.weight.fill_(1.0 if path is paths[0] else 2.0)
        save_weights(path, run.learner)
    assert average_weights(paths)["model.input_table.weight"].mean().item() == 1.5


def test_the_trainer_runs_as_a_module_and_names_a_wrong_setting(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text("[loop]\nepoch = 3\n")
    done = subprocess.run(
        [sys.executable, "-m", "trainer", str(path)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 2
    assert "did you mean 'epochs'" in done.stderr
