"""The training loop: launch, resume, stop at a signal, measure, average.

Everything random is drawn from the seed and the step, so a run that is interrupted
and resumed gives the same weights as one that is not.
"""

from __future__ import annotations

import json
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import FrameType

import torch

from aptcore.amr import AmrGraph
from aptcore.building import repaired_graph
from aptcore.checkpoint import save_checkpoint
from aptcore.decoding import Decoder, DecodingOptions
from aptcore.errors import TrainingError
from aptcore.evaluation import score_corpus
from aptcore.model import AptConfig, AptModel
from aptcore.oracle import variant_of
from aptcore.packing import pack_batch
from aptcore.parser import encode_batch
from aptcore.shapes import NUM_SHAPES, sentence_shapes
from aptcore.vocab import ROOT_WORD, START
from trainer.adam import Adam
from trainer.batching import batches_of, rate_at
from trainer.checkpoint import (
    Position,
    append_metrics,
    average_weights,
    has_position,
    load_position,
    read_metrics,
    save_position,
    save_weights,
)
from trainer.config import ModelSettings, TrainConfig, from_mapping
from trainer.data import Example, examples_of_epoch
from trainer.files import write_json
from trainer.heartbeat import Heart, Progress, beating
from trainer.loss import Learner, LossSettings
from trainer.memory import use_large_pages
from trainer.prepare import DevSet, Prepared, prepare, report
from trainer.silver import count_steps, silver_of_epoch

_shapes_of = lru_cache(maxsize=1 << 16)(sentence_shapes)

REPORT_EVERY = 50
"""Steps between two lines of metrics."""


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
    """One training run in a folder."""

    def __init__(self, config: TrainConfig, prepared: Prepared) -> None:
        self.config = config
        self.folder = Path(config.output)
        self.prepared = prepared
        torch.manual_seed(config.loop.seed)
        vocabulary = prepared.masks.vocabulary
        width = prepared.examples[0].vectors.shape[1]
        settings = model_config(config.model, len(vocabulary), width)
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
        )
        self.optimizer = Adam(
            self.model.parameters(), 0.9, config.loop.beta2, config.loop.weight_decay
        )
        self.position = Position()
        self.num_steps = count_steps(config, prepared.examples, prepared.silver)
        self.stop_wanted = False
        self.doing = "training"
        self.bad_in_a_row = 0

    def train(self) -> None:
        """Train to the last epoch, or until a stop is asked for.

        Raises:
            TrainingError: If the loss is not finite several times in a row.
        """
        while self.position.epoch < self.config.loop.epochs and not self.stop_wanted:
            self._epoch()
        if not self.stop_wanted:
            self._average()

    def _epoch(self) -> None:
        loop, epoch = self.config.loop, self.position.epoch
        seed = loop.seed * 1000 + epoch
        silver = silver_of_epoch(self.prepared.silver, self.config.data, epoch, seed)
        examples = [*self.prepared.examples, *silver]
        examples = examples_of_epoch(examples, self.config.oracle.link_share, seed)
        batches = batches_of(examples, loop.batch_actions, seed)
        self.model.train()
        began, sums = time.perf_counter(), [0.0, 0.0, 0]
        for number in range(self.position.batch, len(batches)):
            self._step([examples[n] for n in batches[number]], sums)
            self.position = replace(self.position, batch=number + 1, step=self.position.step + 1)
            if self.position.step % REPORT_EVERY == 0:
                self._report_steps(sums, time.perf_counter() - began)
                began, sums = time.perf_counter(), [0.0, 0.0, 0]
            if self.stop_wanted:
                save_position(self.folder, self.model, self.optimizer, self.position)
                self.save_model("latest")
                report(f"stopped at step {self.position.step}; resume with --resume")
                return
        self.position = replace(self.position, epoch=epoch + 1, batch=0)
        save_weights(self.folder / "epochs" / f"{epoch + 1:03d}.safetensors", self.model)
        save_position(self.folder, self.model, self.optimizer, self.position)
        self.save_model("latest")
        self._drop_old_epochs()
        self.score_epoch()

    def score_epoch(self) -> None:
        """Score the epoch just finished, if it is due and was not scored before a kill."""
        epoch = self.position.epoch
        if not epoch or self.position.batch or epoch % self.config.loop.dev_every:
            return
        if any(line.get("epoch") == epoch for line in read_metrics(self.folder) if "dev" in line):
            return
        self.doing = "measuring on dev"
        scores = {dev.name: self.dev_score(dev) for dev in self.prepared.dev}
        self.doing = "training"
        if scores and self._is_best(scores):
            self.save_model("best")
        append_metrics(self.folder, {"epoch": epoch, "dev": scores})
        shown = ", ".join(f"{name} {score:.4f}" for name, score in scores.items())
        report(f"epoch {epoch}: {shown}")

    def _is_best(self, scores: dict[str, float]) -> bool:
        """Tell whether no epoch so far has a higher mean over the dev sets."""
        earlier = [line["dev"] for line in read_metrics(self.folder) if "dev" in line]
        means = [sum(dev.values()) / len(dev) for dev in earlier if dev]
        return sum(scores.values()) / len(scores) > max(means, default=-1.0)

    def progress(self) -> Progress:
        """Tell what the run is at; asked from another thread."""
        return (self.doing, self.position.step, self.num_steps, self.position.epoch)

    def save_model(self, name: str) -> None:
        """Write the weights as they are as a model folder of the run, ready to parse."""
        fresh, old = self.folder / f"{name}.new", self.folder / f"{name}.old"
        for leftover in (fresh, old):
            shutil.rmtree(leftover, ignore_errors=True)
        save_checkpoint(
            fresh,
            self.model,
            self.prepared.masks.vocabulary,
            self.prepared.encoder,
            variant_of(self.config.oracle.variant).action_set,
            self.config.oracle.variant,
            self.config.name,
            self.prepared.copies,
        )
        if (self.folder / name).exists():
            (self.folder / name).rename(old)
        fresh.rename(self.folder / name)
        shutil.rmtree(old, ignore_errors=True)

    def _step(self, examples: list[Example], sums: list[float]) -> None:
        """Do one step; a loss that is not finite changes no weights."""
        config, step = self.config, self.position.step
        torch.manual_seed(config.loop.seed * 1_000_003 + step)
        batch, targets = pack_batch(
            [example.walk for example in examples],
            [example.vectors for example in examples],
            [_shapes_of(example.sentence.tokens) for example in examples],
        )
        losses = self.learner(batch, targets)  # (2,) actions, pointers
        num_actions = len(batch.ids)
        total = losses.sum() / num_actions
        if not torch.isfinite(total):
            self._bad_step(examples)
            return
        self.optimizer.forget_gradients()
        total.backward()
        if not self.optimizer.step(
            rate_at(config, step + 1, self.num_steps), config.loop.clip_norm
        ):
            self._bad_step(examples)
            return
        self.bad_in_a_row = 0
        for place, value in enumerate((*losses.tolist(), num_actions)):
            sums[place] += value

    def _bad_step(self, examples: list[Example]) -> None:
        step = self.position.step + 1
        self.bad_in_a_row += 1
        self.position = replace(self.position, bad_steps=self.position.bad_steps + 1)
        names = ", ".join(example.sentence.id for example in examples[:5])
        append_metrics(self.folder, {"step": step, "bad": names})
        report(f"step {step}: the loss is not finite (batch with {names}); no weights changed")
        if self.bad_in_a_row >= self.config.loop.max_bad_steps:
            raise TrainingError(
                f"the loss was not finite {self.bad_in_a_row} times in a row, last at step "
                f"{step} (batch with {names}); the weights of the last epoch are kept"
            )

    def _report_steps(self, sums: list[float], seconds: float) -> None:
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
        append_metrics(self.folder, values)
        report(
            f"epoch {values['epoch']} step {values['step']}/{self.num_steps}: loss "
            f"{values['loss']:.4f}, {values['actions_per_second']:.0f} actions/s"
        )

    def dev_score(self, dev: DevSet) -> float:
        """Decode a dev set greedily; gives its Smatch F1, 0..1."""
        self.model.eval()
        variant = variant_of(self.config.oracle.variant)
        decoder = Decoder(
            [self.model], self.prepared.masks, variant.action_set, DecodingOptions(beam=1)
        )
        order = sorted(range(len(dev.gold)), key=lambda n: len(dev.examples[n].sentence.tokens))
        built: dict[int, AmrGraph] = {}
        for first in range(0, len(order), 64):
            batch = [dev.examples[n] for n in order[first : first + 64]]
            tokens = [example.sentence.tokens for example in batch]
            with torch.inference_mode():
                vectors = [example.vectors for example in batch]
                encoded = encode_batch([self.model], vectors, tokens)
            found = decoder.decode([example.sentence for example in batch], encoded)
            for n, hypothesis in zip(order[first:], found, strict=False):
                built[n] = repaired_graph(hypothesis.state)[0]
        graphs = [built[n] for n in range(len(dev.gold))]
        return score_corpus(dev.gold, graphs).counts.f1

    def _kept_epochs(self) -> list[Path]:
        """Give the epoch weights to average: the last ones, or the best of the last ones."""
        loop = self.config.loop
        paths = sorted((self.folder / "epochs").glob("*.safetensors"))
        if not loop.average_among:
            return paths[-loop.average :]
        scores = {
            line["epoch"]: sum(line["dev"].values()) / max(1, len(line["dev"]))
            for line in read_metrics(self.folder)
            if "dev" in line
        }
        last = paths[-loop.average_among :]
        return sorted(last, key=lambda path: -scores.get(int(path.stem), 0.0))[: loop.average]

    def _drop_old_epochs(self) -> None:
        loop = self.config.loop
        for path in sorted((self.folder / "epochs").glob("*.safetensors"))[
            : -max(loop.average, loop.average_among)
        ]:
            path.unlink()

    def _average(self) -> None:
        """Average checkpoints, score the average, and write the model folder in bfloat16."""
        paths = self._kept_epochs()
        self.model.load_state_dict(average_weights(paths))
        self.model.to(torch.bfloat16)
        self.save_model("model")
        self.model.to(torch.float32)
        self.doing = "measuring the average on dev"
        scores = {dev.name: self.dev_score(dev) for dev in self.prepared.dev}
        averaged = [path.stem for path in paths]
        append_metrics(self.folder, {"averaged": averaged, "dev": scores})
        write_json(self.folder / "scores.json", {"averaged": averaged, "greedy": scores})
        report(f"averaged epochs {', '.join(averaged)}: {scores}")


@contextmanager
def stopping_at_signals(run: Run) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the run after the step that is under way."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        run.stop_wanted = True

    kept = {kind: signal.signal(kind, stop) for kind in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for kind, handler in kept.items():
            signal.signal(kind, handler)


def train(config: TrainConfig, resume: bool = False) -> Path:
    """Train a model.

    Args:
        config: What to train.
        resume: Go on from the last save in ``config.output``, or from the start where the
            run was killed before it.

    Returns:
        The folder of the run; ``model/`` in it is ready to parse once training ended.

    Raises:
        TrainingError: If the folder holds a run already and ``resume`` is off, if there is
            nothing to resume, or if training cannot go on.
    """
    folder = Path(config.output)
    if not resume and (folder / "config.json").exists():
        raise TrainingError(f"{folder} holds a run already: resume it, or choose another output")
    if resume and not (folder / "config.json").exists():
        raise TrainingError(f"{folder} holds no saved position to resume from")
    with beating(folder) as heart:
        _train(config, resume, heart)
    return folder


def _train(config: TrainConfig, resume: bool, heart: Heart) -> None:
    folder = Path(config.output)
    if config.loop.threads:
        torch.set_num_threads(config.loop.threads)
    use_large_pages()
    prepared = prepare(config)
    run = Run(config, prepared)
    if resume and has_position(folder):  # killed before the first save, it begins anew
        run.position = load_position(folder, run.model, run.optimizer)
        run.score_epoch()
    else:
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "config.json", config.to_json())
        write_json(folder / "facts.json", prepared.facts)
        prepared.tables.save(folder / "alignment.json")
    report(
        f"{prepared.facts['sentences']} sentences, {prepared.facts['actions']} actions, "
        f"{prepared.facts['labels']} labels, {run.model.num_parameters()} parameters"
    )
    heart.watch(run.progress)
    with stopping_at_signals(run):
        run.train()


def load_run_config(folder: Path) -> TrainConfig:
    """Read the configuration that a run was started with.

    Raises:
        TrainingError: If the folder holds no run.
    """
    path = folder / "config.json"
    if not path.is_file():
        raise TrainingError(f"{folder} holds no run: there is no config.json")
    return from_mapping(TrainConfig, json.loads(path.read_text("utf-8")))
