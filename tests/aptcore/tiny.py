"""Tiny models and sentences made on the spot, shared by the tests of the model's parts."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import torch

from aptcore.graph.amr import Sentence
from aptcore.neural.decoding import Decoder
from aptcore.neural.masks import LabelMasks
from aptcore.neural.model import AptConfig, AptModel
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.parser import encode_batch
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.transition.actions import Action, ActionSet, PointerAction
from aptcore.transition.edge_choices import edge_choices
from aptcore.transition.machine import advance, is_legal, start
from aptcore.transition.sets import EXACT, PAPER
from aptcore.transition.state import ParserState

LABELS = (
    "PRED(want-01)",
    "PRED(boy)",
    "CONST(-)",
    "COPY(verb)",
    "COPY(adjective)",
    "SUBGRAPH((person :name (name :op* {words})))",
    "SUBGRAPH((ordinal-entity :value {number}))",
    "LA(:ARG0)",
    "LA(:ARG1)",
    "RA(:ARG0)",
    "RA(:polarity)",
    "LA(:op*)",
    "RA(:op*)",
)
VECTOR_WIDTH = 12

SENTENCES = (
    Sentence("1", "The boy wants to go .", ("The", "boy", "wants", "to", "go", "."),
             ("the", "boy", "want", "to", "go", "."),
             ((), (), (("verb", "want-02"), ("adjective", "a b")), (), (("adjective", "x"),), ())),
    Sentence("2", "It rains", ("It", "rains"), ("it", "rain")),
    Sentence("3", "fifth :- ( Mao 5", ("fifth", ":-", "(", "Mao", "5"),
             ("5", ":-", "(", "mao", "5")),
)  # fmt: skip


def vocabulary() -> ActionVocabulary:
    """A small vocabulary with every kind of label."""
    return ActionVocabulary.from_labels(LABELS, EXACT)


def tiny_model(seed: int = 0, **switches: bool | int) -> AptModel:
    """A model of width 16 with random weights, large enough to be far from uniform."""
    torch.manual_seed(seed)
    config = AptConfig(
        vocabulary_size=len(vocabulary()), word_vector_width=VECTOR_WIDTH, width=16,
        feed_forward=24, num_encoder_layers=2, num_decoder_layers=3, num_graph_layers=2,
        dropout=0.0, num_shapes=10, edge_label_input=True,
    )  # fmt: skip
    model = AptModel(replace(config, **switches))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5)
    return model.eval()


def vectors_of(sentence: Sentence) -> torch.Tensor:
    """Random word vectors that depend on the sentence alone."""
    generator = torch.Generator().manual_seed(int(sentence.id or 0))
    return torch.randn(len(sentence.tokens), VECTOR_WIDTH, generator=generator)


def encoded_by(models: list[AptModel], *sentences: Sentence):
    """Sentences encoded by each model."""
    with torch.inference_mode():
        return encode_batch(models, [vectors_of(s) for s in sentences],
                            [s.tokens for s in sentences])  # fmt: skip


def decoder_of(*models: AptModel, beam: int = 1, action_set: ActionSet = PAPER, **caps) -> Decoder:
    """A decoder over tiny models."""
    options = DecodingOptions(beam=beam, **{"actions_per_token": 6, "actions_extra": 4, **caps})
    return Decoder(list(models), LabelMasks(vocabulary()), action_set, options)


@cache
def label_actions() -> tuple[Action, ...]:
    """The actions of the small vocabulary, without their pointers."""
    return tuple(action for action in LabelMasks(vocabulary()).actions if action is not None)


def all_legal(state: ParserState) -> list[Action]:
    """Every legal action with a label of the vocabulary, found one by one by why_illegal."""
    found = []
    for action in label_actions():
        choices = [action]
        if isinstance(action, PointerAction):
            choices = [action.pointing_at(position) for position in range(len(state.actions))]
        found += [choice for choice in choices if is_legal(state, choice)]
    return found


@cache
def random_walk(sentence: Sentence, seed: int, action_set: ActionSet = PAPER) -> tuple[Action, ...]:
    """A legal walk to the end, with more moves than items so that it ends soon."""
    draw = random.Random(seed)
    state = start(sentence, action_set)
    while not state.is_closed:
        legal = all_legal(state)
        moves = [action for action in legal if type(action).__name__ in ("Shift", "Reduce")]
        state = advance(state, draw.choice(moves if moves and draw.random() < 0.4 else legal))
    assert edge_choices(state) is not None
    return state.actions
