"""The score of a model in training: dev sets decoded greedily."""

from __future__ import annotations

import torch

from aptcore.graph.amr import AmrGraph
from aptcore.neural.decoding import Decoder
from aptcore.neural.model import AptModel
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import encode_batch
from aptcore.oracle.oracle import variant_of
from aptcore.scoring.evaluation import score_corpus
from aptcore.transition.building import repaired_graph
from trainer.config import TrainConfig
from trainer.examples.corpora import vectors_of
from trainer.examples.prepare import DevSet, Prepared

BATCH = 64
"""Sentences decoded at once."""


def dev_score(config: TrainConfig, prepared: Prepared, model: AptModel, dev: DevSet) -> float:
    """Decode a dev set greedily; gives its Smatch F1, 0..1. Model and encoder must evaluate."""
    action_set = variant_of(config.oracle.variant).action_set
    decoder = Decoder([model], prepared.masks, action_set, DecodingOptions(beam=1))
    order = sorted(range(len(dev.gold)), key=lambda n: len(dev.examples[n].sentence.tokens))
    built: dict[int, AmrGraph] = {}
    for first in range(0, len(order), BATCH):
        batch = [dev.examples[n] for n in order[first : first + BATCH]]
        tokens = [example.sentence.tokens for example in batch]
        with torch.inference_mode():
            encoded = encode_batch([model], vectors_of(batch, prepared.encoder), tokens)
        found = decoder.decode([example.sentence for example in batch], encoded)
        for n, hypothesis in zip(order[first:], found, strict=False):
            built[n] = repaired_graph(hypothesis.state)[0]
    return score_corpus(dev.gold, [built[n] for n in range(len(dev.gold))]).counts.f1
