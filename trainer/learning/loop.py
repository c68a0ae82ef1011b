"""The training loop: launch, resume, stop at a signal, measure, average.

Everything random is drawn from the seed and the step, so a run that is interrupted
and resumed gives the same weights as one that is not.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from aptcore.errors import ConfigurationError, TrainingError
from aptcore.neural.checkpoint import save_checkpoint
from aptcore.neural.encoders.word_encoder import NUM_SHAPES
from aptcore.neural.large_pages import use_large_pages
from aptcore.neural.model import AptConfig, AptModel
from aptcore.neural.vocabulary import ROOT_WORD, START
from aptcore.neural.weights import Device
from aptcore.oracle.oracle import variant_of
from trainer.config import ModelSettings, TrainConfig
from trainer.examples.batching import batches_of, encoder_rate_at, rate_at
from trainer.examples.corpora import Example, examples_of_epoch
from trainer.examples.prepare import Prepared, ignore, prepare, report
from trainer.examples.silver import count_steps, silver_of_epoch
from trainer.files import with_files
from trainer.learning.adam import Adam
from trainer.learning.checkpoint import (
    Position,
    append_metrics,
    average_weights,
    check_data,
    dev_scores,
    drop_old_epochs,
    epochs_to_average,
    has_position,
    load_position,
    mean_of,
    replaced_folder,
    save_position,
    save_weights,
)
from trainer.learning.dev_scores import dev_score
from trainer.learning.events import Curves
from trainer.learning.loss import Learner, LossSettings
from trainer.learning.starting import start_from
from trainer.learning.stepping import Stepper
from trainer.learning.workers import Workers, describe, workers_of
from trainer.runs.files import write_json
from trainer.runs.heartbeat import Heart, Progress, beating, stopping_at_signals


def model_config(settings: ModelSettings, num_labels: int, vector_width: int) -> AptConfig:
    """Give the model's configuration for training settings."""
    layers, graph_layers = (3, 2) if settings.size == "small" else (6, 3)
    return AptConfig(
        vocabulary_size=num_labels,
        word_vector_width=vector_width,
        num_encoder_layers=layers,
        num_decoder_layers=layers,
        num_graph_layers=graph_layers,
        dropout=settings.dropout,
        attention_dropout=settings.attention_dropout,
        cursor_masks=settings.cursor_masks,
        graph_embedding=settings.graph_embedding,
        edge_label_input=settings.edge_label_input,
        num_shapes=NUM_SHAPES if settings.shapes else 0,
    )


class Run:
    """One training run in a folder, seen from one of its processes."""

    def __init__(
        self, config: TrainConfig, prepared: Prepared, workers: Workers | None = None
    ) -> None:
        self.config = config
        self.folder = Path(config.output)
        self.prepared = prepared
        self.workers = workers or Workers(torch.device("cpu"))
        torch.manual_seed(config.loop.seed)
        vocabulary = prepared.masks.vocabulary
        settings = model_config(config.model, len(vocabulary), prepared.encoder.width)
        settings.start_id, settings.root_id = vocabulary.ids[START], vocabulary.ids[ROOT_WORD]
        self.model = AptModel(settings)
        self.learner = Learner(
            self.model,
            prepared.masks,
            LossSettings(
                config.loop.label_smoothing,
                config.model.legality_in_training,
                config.model.legal_pointers,
            ),
            prepared.encoder.trained,
        )
        if config.model.start:
            start_from([Path(folder) for folder in config.model.start], self.learner, vocabulary)
        self.learner.to(self.workers.device)
        groups = [list(part.parameters()) for part in (self.model, self.learner.encoder)]
        self.optimizer = Adam(groups, config.loop.beta2, config.loop.weight_decay)
        self.stepper = Stepper(
            self.learner, prepared.encoder, self.optimizer, config.loop, self.workers
        )
        self.position = Position()
        self.num_steps = count_steps(config, prepared.examples, prepared.silver)
        self.curves = Curves(self.folder)
        self.expected_steps, self.stop_asked, self.stop_wanted = self.num_steps, False, False
        self.doing = "training"
        self.bad_in_a_row = 0

    def train(self) -> None:
        """Train to the last epoch, or until a stop is asked for.

        Raises:
            TrainingError: If the loss is not finite several times in a row.
        """
        while self.position.epoch < self.config.loop.epochs and not self.stop_wanted:
            self._epoch()
            self._agree_on_stop()
        if self.stop_wanted:
            self._save_stopped()
        elif self.workers.is_first:
            self._average()
        self.workers.leave()

    def _epoch(self) -> None:
        loop, epoch = self.config.loop, self.position.epoch
        seed = loop.seed * 1000 + epoch
        silver = silver_of_epoch(self.prepared.silver, self.config.data, epoch, seed)
        examples = [*self.prepared.examples, *silver]
        examples = examples_of_epoch(examples, self.config.oracle.link_share, seed)
        batches = batches_of(examples, loop.batch_actions, seed)
        end = self.position.step - self.position.batch + len(batches)
        self.expected_steps = end if epoch + 1 == loop.epochs else max(end, self.num_steps)
        self.learner.train()
        began, sums = time.perf_counter(), [0.0, 0.0, 0]
        for number in range(self.position.batch, len(batches)):
            self._step([examples[n] for n in batches[number]], sums)
            self.position = replace(self.position, batch=number + 1, step=self.position.step + 1)
            if self.position.step % loop.report_every == 0:
                self._report_steps(sums, time.perf_counter() - began)
                began, sums = time.perf_counter(), [0.0, 0.0, 0]
            if self.stop_wanted:
                return
            if loop.save_every and self.position.step % loop.save_every == 0:
                self._save_position()
        self.position = replace(self.position, epoch=epoch + 1, batch=0)
        if self.workers.is_first:
            save_weights(self.folder / "epochs" / f"{epoch + 1:03d}.safetensors", self.learner)
            self._save_position()
            self.save_model("latest")
            drop_old_epochs(self.folder, loop)
        self.score_epoch()

    def _agree_on_stop(self) -> None:
        """Stop if any process was asked to, after the last step of an epoch as well."""
        asked = torch.tensor([float(self.stop_asked)], device=self.workers.device)
        self.workers.add_up([asked])
        self.stop_wanted = self.stop_wanted or bool(asked)

    def _save_position(self) -> None:
        if self.workers.is_first:
            save_position(self.folder, self.learner, self.optimizer, self.position)

    def _save_stopped(self) -> None:
        if self.workers.is_first:
            self._save_position()
            self.save_model("latest")
            report(f"stopped at step {self.position.step}; resume with --resume")

    def score_epoch(self) -> None:
        """Score the epoch just finished, if it is due and was not scored before a kill."""
        epoch = self.position.epoch
        if not epoch or self.position.batch or epoch % self.config.loop.dev_every:
            return
        if not self.workers.is_first or epoch in dev_scores(self.folder):
            return
        self.doing = "measuring on dev"
        scores = self._scores()
        self.doing = "training"
        if scores and mean_of(scores) > max(dev_scores(self.folder).values(), default=-1.0):
            self.save_model("best")
        self._note({"epoch": epoch, "dev": scores})
        shown = ", ".join(f"{name} {score:.4f}" for name, score in scores.items())
        report(f"epoch {epoch}: {shown}")
        means = dev_scores(self.folder)
        best = max(means, key=means.__getitem__, default=epoch)
        if scores:
            report(f"best epoch so far: {best} with {means[best]:.4f}")

    def _scores(self) -> dict[str, float]:
        self.learner.eval()
        return {
            dev.name: dev_score(self.config, self.prepared, self.model, dev)
            for dev in self.prepared.dev
        }

    def _note(self, values: dict[str, Any]) -> None:
        """Add a line to the metrics, and its numbers to the curves."""
        append_metrics(self.folder, values)
        self.curves.add(values, self.position.step)

    def progress(self) -> Progress:
        """Tell what the run is at; asked from another thread. Steps are exact in the last epoch."""
        return (self.doing, self.position.step, self.expected_steps, self.position.epoch)

    def save_model(self, name: str) -> None:
        """Write the weights as they are as a model folder of the run, ready to parse."""
        with replaced_folder(self.folder / name) as fresh:
            save_checkpoint(
                fresh,
                self.model,
                self.prepared.masks.vocabulary,
                self.prepared.encoder.config,
                variant_of(self.config.oracle.variant).action_set,
                self.config.oracle.variant,
                self.config.name,
                self.prepared.copies,
                self.learner.encoder.state_dict(),
            )

    def _step(self, examples: list[Example], sums: list[float]) -> None:
        """Do one step; a loss that is not finite changes no weights."""
        step = self.position.step
        rates = [at(self.config, step + 1, self.num_steps) for at in (rate_at, encoder_rate_at)]
        done = self.stepper.step(examples, step, rates, self.stop_asked)
        self.stop_wanted = done.is_stop_asked
        if done.bad:
            self._bad_step(", ".join(done.bad[:5]))
            return
        self.bad_in_a_row = 0
        for place, value in enumerate((done.action_loss, done.pointer_loss, done.actions)):
            sums[place] += value

    def _bad_step(self, names: str) -> None:
        step = self.position.step + 1
        self.bad_in_a_row += 1
        self.position = replace(self.position, bad_steps=self.position.bad_steps + 1)
        if self.workers.is_first:
            self._note({"step": step, "bad": names})
            report(f"step {step}: the loss is not finite (batch with {names}); no weights changed")
        if self.bad_in_a_row >= self.config.loop.max_bad_steps:
            raise TrainingError(
                f"the loss was not finite {self.bad_in_a_row} times in a row, last at step "
                f"{step} (batch with {names}); the weights of the last epoch are kept"
            )

    def _report_steps(self, sums: list[float], seconds: float) -> None:
        if not self.workers.is_first:
            return
        actions = max(1, sums[2])
        values = {
            "step": self.position.step,
            "epoch": self.position.epoch + 1,
            "loss": (sums[0] + sums[1]) / actions,
            "action_loss": sums[0] / actions,
            "pointer_loss": sums[1] / actions,
            "learning_rate": rate_at(self.config, self.position.step, self.num_steps),
            "actions_per_second": sums[2] / seconds,
        }
        self._note(values)
        report(
            f"epoch {values['epoch']} step {values['step']}/{self.expected_steps}: loss "
            f"{values['loss']:.4f}, {values['actions_per_second']:.0f} actions/s"
        )

    def _average(self) -> None:
        """Average checkpoints, score the average, and write the model folder in bfloat16."""
        paths = epochs_to_average(self.folder, self.config.loop)
        if paths:
            self.learner.load_state_dict(average_weights(paths))
        self.learner.to(torch.bfloat16)
        self.save_model("model")
        self.learner.to(torch.float32)
        self.doing = "measuring the average on dev"
        scores = self._scores()
        averaged = [path.stem for path in paths]
        self._note({"averaged": averaged, "dev": scores})
        means = dev_scores(self.folder)
        best = max(means, key=means.__getitem__, default=None)
        values = {"averaged": averaged, "greedy": scores, "best_epoch": best}
        write_json(self.folder / "scores.json", values)
        write_json(self.folder / "facts.json", {**self.prepared.facts, "best_epoch": best})
        what = f"averaged epochs {', '.join(averaged)}" if averaged else "mean of the models"
        report(f"{what}: {scores}")


def train(config: TrainConfig, resume: bool = False, device: Device = "auto") -> Path:
    """Train a model; every process of a run that ``accelerate launch`` started calls it.

    Args:
        config: What to train.
        resume: Go on from the last save in ``config.output``, or from the start where the
            run was killed before it.
        device: Where to train; the processor where CUDA is absent.

    Returns:
        The folder of the run; ``model/`` in it is ready to parse once training ended.

    Raises:
        TrainingError: If the folder holds a run already and ``resume`` is off, if there is
            nothing to resume, if the data changed since, or if training cannot go on.
        ConfigurationError: If the run has stages (see trainer.stages.running).
    """
    if config.stages:
        raise ConfigurationError(f"{config.name} has stages; to train one model set stages=[]")
    folder = Path(config.output)
    if not resume and (folder / "config.json").exists():
        raise TrainingError(f"{folder} holds a run already: resume it, or choose another output")
    if resume and not (folder / "config.json").exists():
        raise TrainingError(f"{folder} holds no saved position to resume from")
    config = replace(config, data=with_files(config.data, report))
    with beating(folder) as heart:
        _train(config, resume, device, heart)
    return folder


def _train(config: TrainConfig, resume: bool, device: Device, heart: Heart) -> None:
    folder = Path(config.output)
    if config.loop.threads:
        torch.set_num_threads(config.loop.threads)
    use_large_pages()
    workers = workers_of(device, config.loop.precision)
    if workers.is_first:
        report(describe(workers, device))
    with workers.first_before_others():
        tell = report if workers.is_first else ignore
        prepared = prepare(config, tell, str(workers.device))
    run = Run(config, prepared, workers)
    if resume and has_position(folder):  # killed before the first save, it begins anew
        check_data(folder, prepared.facts)
        run.position = load_position(folder, run.learner, run.optimizer)
        workers.wait()  # at the end of an epoch the first saves anew before any step
        run.score_epoch()
    elif workers.is_first:
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "config.json", config.to_json())
        write_json(folder / "facts.json", prepared.facts)
        prepared.tables.save(folder / "alignment.json")
    if workers.is_first:
        report(
            f"{prepared.facts['sentences']} sentences, {prepared.facts['actions']} actions, "
            f"{prepared.facts['labels']} labels, {run.learner.num_weights} parameters"
        )
    heart.watch(run.progress)
    with stopping_at_signals(run):
        run.train()
