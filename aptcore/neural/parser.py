"""The parser as a user meets it: sentences in, graphs and traces out.

    parser = AptParser.from_pretrained()
    parse, = parser.parse(["The boy wants to go."])
    print(format_penman(parse.graph))

A bad sentence never ends a batch: its ``Parse`` holds the error and an empty graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor

from aptcore.errors import AptamrError, ConfigurationError, InputError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.neural.checkpoint import (
    Checkpoint,
    encoders_of,
    load_checkpoint,
    part_that_differs,
    shipped_model,
)
from aptcore.neural.decoding import Decoder
from aptcore.neural.encoders.word_encoder import WordEncoder, sentence_shapes
from aptcore.neural.masks import LabelMasks
from aptcore.neural.model import AptModel, Encoded, Words
from aptcore.neural.next_actions import DecodingOptions, Hypothesis
from aptcore.neural.padding import moved
from aptcore.neural.tracing import finished_trace, trace_steps
from aptcore.neural.weights import Precision, set_precision
from aptcore.trace.making import trace_of
from aptcore.trace.trace import BeamEntry, ModelInfo, Progress, Trace
from aptcore.transition.actions import Action
from aptcore.transition.building import Repair, repaired_graph
from aptcore.transition.guide import Guide
from aptcore.transition.machine import replay
from aptcore.transition.moves import Reduce
from aptcore.words.copies import with_derived
from aptcore.words.given import sentences_of
from aptcore.words.tokens import has_words

MAX_TOKENS = 1500
"""Longest sentence that is parsed, in tokens."""

REMEMBERED = 16
"""Sentences whose tokens and encoding are kept, to decode them again under a prefix."""

ROWS_IN_BATCH = 256
"""Hypotheses decoded together, over all sentences of a batch."""

Device = Literal["auto", "cpu", "cuda"]

_NOTHING = Sentence("", "", (), ())


@dataclass(frozen=True, slots=True)
class Parse:
    """The result for one sentence.

    Attributes:
        sentence: As the parser read it.
        graph: Sound; ``(a / amr-empty)`` where parsing failed.
        actions: The walk that built it.
        log_prob: Sum of log-probabilities of the actions, in nats.
        repairs: Every change that made the graph sound.
        error: Why there is no parse; None where there is one.
    """

    sentence: Sentence
    graph: AmrGraph
    actions: tuple[Action, ...]
    log_prob: float
    repairs: tuple[Repair, ...]
    error: str | None = None


def device_of(wanted: Device) -> str:
    """Choose the device: what is wanted, or the CPU where CUDA is absent."""
    return "cuda" if wanted != "cpu" and torch.cuda.is_available() else "cpu"


class AptParser:
    """One model, or several whose probabilities are averaged.

    Never mutated after loading, but for the memory of the last sentences' encodings: threads
    may share one. It can be pickled, by the paths of its folders.
    """

    def __init__(
        self, checkpoints: Sequence[Checkpoint], encoders: Sequence[WordEncoder], device: str
    ) -> None:
        first = checkpoints[0]
        for other in checkpoints[1:]:
            part = part_that_differs(first, other)
            if part is not None:
                raise ConfigurationError(
                    f"{first.name} and {other.name} cannot be an ensemble: their {part} differ"
                )
        self.checkpoints = tuple(checkpoints)
        self.models: list[AptModel] = [checkpoint.model for checkpoint in checkpoints]
        self.encoders = tuple(encoders)
        self.device = device
        self.folders: tuple[str, ...] = ()
        self.action_set = first.action_set
        self.masks = LabelMasks(first.vocabulary)
        self.copies = first.copies
        self._read = lru_cache(REMEMBERED)(self._read_one)
        self._encoded = lru_cache(REMEMBERED)(lambda sentence: self.encode([sentence]))

    @classmethod
    def from_pretrained(
        cls,
        folders: Path | str | Sequence[Path | str] | None = None,
        device: Device = "auto",
        precision: Precision = "float32",
    ) -> AptParser:
        """Load one model folder, or several for an ensemble.

        Args:
            folders: None is the shipped model.
            device: Where to run; without CUDA always the CPU.
            precision: Of linear maps (aptcore.neural.weights); all else is in float32.

        Raises:
            CheckpointError: If a folder or its encoder cannot be loaded.
            ConfigurationError: If several models do not fit together.
        """
        if folders is None or (not isinstance(folders, str | Path) and not folders):
            folders = shipped_model()
        paths = [folders] if isinstance(folders, str | Path) else list(folders)
        place = device_of(device)
        checkpoints = [load_checkpoint(Path(path), place) for path in paths]
        parser = cls(checkpoints, encoders_of(checkpoints, place), place)
        parser.folders = tuple(str(Path(path).resolve()) for path in paths)
        for module in (*parser.models, *(encoder.model for encoder in parser.encoders)):
            set_precision(module, precision)
        return parser

    def __reduce__(self) -> tuple[Callable[..., AptParser], tuple[object, ...]]:
        """Pickle the folders, not the weights: another process loads them again."""
        if not self.folders:
            raise TypeError("only a parser of from_pretrained can be pickled")
        return AptParser.from_pretrained, (list(self.folders), self.device, self.precision)

    @property
    def precision(self) -> Precision:
        """That of the models' linear maps."""
        is_half = self.models[0].output_table.weight.dtype == torch.bfloat16
        return "bfloat16" if is_half else "float32"

    @property
    def info(self) -> ModelInfo:
        """Which models these are, and where they run."""
        return ModelInfo(
            id="+".join(checkpoint.name for checkpoint in self.checkpoints),
            hash="+".join(checkpoint.weights_hash for checkpoint in self.checkpoints),
            encoder="+".join(dict.fromkeys(encoder.config.name for encoder in self.encoders)),
            action_set=self.action_set,
            device=self.device,
            precision=self.precision,
        )

    def parse(
        self,
        sentences: Iterable[object],
        beam: int = 10,
        detached: Literal["join", "drop"] = "join",
        options: DecodingOptions | None = None,
        guides: Sequence[Guide] | None = None,
    ) -> list[Parse]:
        """Parse sentences.

        Args:
            sentences: Texts, sentences tokenised already, lists of tokens, documents and
                spans of spaCy; any iterable of them. Something else has an error as its
                result.
            beam: Width of the search; 1 is greedy.
            detached: Whether a piece that nothing connects is joined to the root or dropped.
            options: All settings of the search; replaces ``beam``.
            guides: For each sentence who narrows the choice at each step.

        Returns:
            One result for each sentence, in order.
        """
        decoder = self._decoder(options or DecodingOptions(beam))
        given = sentences_of(sentences)
        read = self._read_all([_NOTHING if isinstance(one, str) else one for one in given])
        reasons = [
            one if isinstance(one, str) else self._why_not(sentence)
            for one, sentence in zip(given, read, strict=True)
        ]
        results = {n: failed_parse(read[n], reason) for n, reason in enumerate(reasons) if reason}
        wordy = [(n, read[n]) for n, reason in enumerate(reasons) if not reason]
        for batch in _batches(wordy, decoder.options.beam):
            own = None if guides is None else [guides[n] for n in batch]
            parsed = self._parse_batch(decoder, [read[n] for n in batch], detached == "join", own)
            results.update(zip(batch, parsed, strict=True))
        return [results[n] for n in range(len(read))]

    def trace(
        self,
        text: object,
        beam: int = 10,
        prefix: Iterable[Action] = (),
        guide: Guide | None = None,
        progress: Progress | None = None,
    ) -> Trace:
        """Parse one sentence and give every step with its figures.

        Args:
            text: The sentence, in any of the ways that :meth:`parse` takes.
            beam: Width of the search; 1 is greedy.
            prefix: Actions forced at the start; the rest is decoded under them.
            guide: Who narrows the choice at each step after them.
            progress: Told after each step.

        Raises:
            InputError: If the sentence has no words or is too long, or is none.
            IllegalActionError: If the prefix is illegal, with its step.
        """
        sentence = self.read(text)
        reason = self._why_not(sentence)
        if reason is not None:
            raise InputError(reason)
        decoder = self._decoder(DecodingOptions(beam))
        forced = tuple(prefix)
        encoded = self._encoded(sentence)
        watched: list[list[BeamEntry]] = []
        guides = None if guide is None else [guide]
        best = decoder.decode([sentence], encoded, [forced], watched, guides, progress)[0]
        steps, state = trace_steps(decoder, sentence, best.state.actions, encoded, len(forced))
        trace = trace_of(steps, state, self.info, _finished(best, True))
        trace = replace(trace, beam=beam, prefix_length=len(forced))
        return finished_trace(trace, watched, self.models[0].config)

    def read(self, text: object) -> Sentence:
        """Give a sentence as this parser reads it: tokens, lemmas, what COPY makes of them.

        Raises:
            InputError: If it is none.
        """
        if isinstance(text, str | Sentence):
            return self._read(text)
        return self._read_one(text)

    @torch.inference_mode()
    def encode(self, sentences: Sequence[Sentence]) -> list[Encoded]:
        """Encode sentences, once for each model."""
        tokens = [sentence.tokens for sentence in sentences]
        vectors = {encoder: encoder.encode(tokens) for encoder in dict.fromkeys(self.encoders)}
        return [
            encoded
            for model, encoder in zip(self.models, self.encoders, strict=True)
            for encoded in encode_batch([model], vectors[encoder], tokens)
        ]

    def _read_all(self, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
        """Say in the own set what COPY makes of every word."""
        if not self.action_set.has_wide_copies:
            return sentences
        return [with_derived(sentence, self.copies) for sentence in sentences]

    def _read_one(self, given: object) -> Sentence:
        (sentence,) = sentences_of([given])
        if isinstance(sentence, str):
            raise InputError(sentence)
        return self._read_all([sentence])[0]

    def _decoder(self, options: DecodingOptions) -> Decoder:
        return Decoder(self.models, self.masks, self.action_set, options)

    def _why_not(self, sentence: Sentence) -> str | None:
        if not has_words(sentence):
            return "the sentence has no words: no letter or digit is in it"
        if len(sentence.tokens) > MAX_TOKENS:
            return (
                f"the sentence has {len(sentence.tokens)} tokens; at most {MAX_TOKENS} are "
                f"parsed: {sentence.text[:40]!r} ..."
            )
        return None

    def _parse_batch(
        self, decoder: Decoder, sentences: list[Sentence], keep: bool, guides: list[Guide] | None
    ) -> list[Parse]:
        """Parse a batch, detached pieces kept or not; if it fails, each sentence alone."""
        try:
            found = decoder.decode(sentences, self.encode(sentences), guides=guides)
            return [_parse_of(hypothesis, keep) for hypothesis in found]
        except AptamrError as error:
            if len(sentences) == 1:
                return [failed_parse(sentences[0], str(error))]
            single = [
                self._parse_batch(decoder, [sentence], keep, guides and [guides[n]])
                for n, sentence in enumerate(sentences)
            ]
            return [parse for (parse,) in single]


def encode_batch(
    models: Sequence[AptModel], vectors: Sequence[Tensor], tokens: Sequence[Sequence[str]]
) -> list[Encoded]:
    """Encode a batch of word vectors with every model.

    Args:
        models: All on one device.
        vectors: For each sentence (tokens, width).
        tokens: The words themselves, for their shapes.
    """
    words = Words.of(vectors, [sentence_shapes(own) for own in tokens])
    words = moved(words, models[0].device)
    return [model.encode(words) for model in models]


def failed_parse(sentence: Sentence, reason: str) -> Parse:
    """Give the result of a sentence that cannot be parsed."""
    num = 0 if has_words(sentence) else len(sentence.tokens) + 1
    state = replay(sentence, (Reduce(),) * num)
    graph, repairs = repaired_graph(state)
    return Parse(sentence, graph, state.actions, 0.0, repairs, reason)


def _batches(sentences: list[tuple[int, Sentence]], beam: int) -> Iterator[list[int]]:
    """Group sentences of like length; gives their numbers."""
    by_length = sorted(sentences, key=lambda pair: len(pair[1].tokens))
    size = max(1, ROWS_IN_BATCH // beam)
    for first in range(0, len(by_length), size):
        yield [number for number, _ in by_length[first : first + size]]


def _finished(hypothesis: Hypothesis, keep_detached: bool) -> tuple[AmrGraph, tuple[Repair, ...]]:
    graph, repairs = repaired_graph(hypothesis.state, keep_detached=keep_detached)
    if hypothesis.hit_caps:
        repairs = (*repairs, Repair("capped", "a cap on items or actions was reached"))
    return graph, repairs


def _parse_of(hypothesis: Hypothesis, keep_detached: bool) -> Parse:
    state = hypothesis.state
    graph, repairs = _finished(hypothesis, keep_detached)
    error = "no concept could be made of the words" if state.is_failed else None
    return Parse(state.sentence, graph, state.actions, hypothesis.score, repairs, error)
