"""The parser as a user meets it: sentences in, graphs and traces out.

    parser = AptParser.from_pretrained()
    parse, = parser.parse(["The boy wants to go."])
    print(format_penman(parse.graph))

A bad sentence never ends a batch: its ``Parse`` holds the error and an empty graph.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor

from aptcore.errors import AptamrError, ConfigurationError, InputError
from aptcore.graph.amr import Sentence
from aptcore.neural.checkpoint import (
    Checkpoint,
    encoders_of,
    load_checkpoint,
    part_that_differs,
    shipped_model,
)
from aptcore.neural.decoding import Decoder
from aptcore.neural.drafts.drafting import decode_along
from aptcore.neural.encoders.word_encoder import WordEncoder, sentence_shapes
from aptcore.neural.masks import LabelMasks
from aptcore.neural.model import AptModel, Encoded, Words
from aptcore.neural.next_actions import DecodingOptions
from aptcore.neural.padding import moved
from aptcore.neural.parses import Parse, Search, failed_parse, keeps
from aptcore.neural.steps.stepper import Stepper
from aptcore.neural.tagging import sentences_of
from aptcore.neural.tracing import Asked, traced
from aptcore.neural.weights import Device, Precision, device_of, set_precision
from aptcore.trace.trace import ModelInfo, Progress, Trace
from aptcore.transition.actions import Action
from aptcore.transition.guide import Guide
from aptcore.words.copies import with_derived
from aptcore.words.given import chunks_of, several, why_not

REMEMBERED = 16
"""Sentences whose tokens and encoding are kept, to decode them again under a prefix."""

_NOTHING = Sentence("", "", (), ())


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
        table = self.models[0].output_table
        if table.product is not None:
            return "int8"
        return "bfloat16" if table.weight.dtype == torch.bfloat16 else "float32"

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
        search = Search(options or DecodingOptions(beam), keeps(detached))
        return [found[0] for found in self._search(sentences_of(sentences), search, guides)]

    def n_best(
        self,
        sentences: Iterable[object],
        n: int = 5,
        beam: int = 10,
        detached: Literal["join", "drop"] = "join",
        options: DecodingOptions | None = None,
    ) -> list[list[Parse]]:
        """Find several graphs for each sentence.

        The search drops no hypothesis for being far behind the best one, as that of
        :meth:`parse` does, whose graph may therefore be another than the first here.

        Args:
            sentences: As in :meth:`parse`.
            n: Graphs for each sentence, at most; no two are written alike.
            beam: Width of the search, at least ``n``.
            detached: As in :meth:`parse`.
            options: All settings of the search; replaces ``beam``.

        Returns:
            For each sentence its parses, best first by ``Parse.score``; at least one.

        Raises:
            ConfigurationError: If the beam is narrower than ``n``, or ``n`` is not positive.
        """
        options = options or DecodingOptions(beam, margin=math.inf)
        if not 1 <= n <= options.beam:
            raise ConfigurationError(
                f"a beam of {options.beam} finds from 1 to {options.beam} graphs, not {n}"
            )
        return self._search(sentences_of(sentences), Search(options, keeps(detached), n))

    def stream(
        self,
        sentences: Iterable[object],
        beam: int = 10,
        detached: Literal["join", "drop"] = "join",
        options: DecodingOptions | None = None,
        ahead: int = 256,
    ) -> Iterator[Parse]:
        """Parse sentences one after the other, however many there are.

        Args:
            sentences: As in :meth:`parse`; read as the results are taken.
            beam: As in :meth:`parse`.
            detached: As in :meth:`parse`.
            options: As in :meth:`parse`.
            ahead: Sentences that are read and parsed together; no more are in memory.

        Yields:
            One result for each sentence, in order. If reading fails, the results of all that
            was read come before the error.

        Raises:
            TypeError: If one thing is given that is no iterable of sentences.
        """
        search = Search(options or DecodingOptions(beam), keeps(detached))
        chunks = chunks_of(several(sentences), max(1, ahead))
        read = (sentences_of(chunk, first) for first, chunk in chunks)
        return (found[0] for given in read for found in self._search(given, search))

    def trace(
        self,
        text: object,
        beam: int = 10,
        prefix: Iterable[Action] = (),
        guide: Guide | None = None,
        progress: Progress | None = None,
        before: Trace | None = None,
    ) -> Trace:
        """Parse one sentence and give every step with its figures.

        Args:
            text: The sentence, in any of the ways that :meth:`parse` takes.
            beam: Width of the search; 1 is greedy.
            prefix: Actions forced at the start; the rest is decoded under them.
            guide: Who narrows the choice at each step after them.
            progress: Told after each step.
            before: A trace of the same sentence by this parser. The steps in front of the
                first other action are taken from it, and greedily the rest of its walk is
                tried before any other; the result is the same, and sooner there.

        Raises:
            InputError: If the sentence has no words or is too long, or is none.
            IllegalActionError: If the prefix is illegal, with its step.
        """
        sentence = self.read(text)
        reason = why_not(sentence)
        if reason is not None:
            raise InputError(reason)
        decoder, encoded = self._decoder(DecodingOptions(beam)), self._encoded(sentence)
        asked = Asked(tuple(prefix), guide, progress, before)
        return traced(decoder, sentence, encoded, self.info, asked)

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
        return Decoder(self.models, self.masks, self.action_set, options, self._steppers)

    @cached_property
    def _steppers(self) -> list[Stepper]:
        return [Stepper(model) for model in self.models]

    def _search(
        self, given: Sequence[Sentence | str], search: Search, guides: Sequence[Guide] | None = None
    ) -> list[list[Parse]]:
        """Parse sentences, each or the reason why there is none; gives the best of each."""
        decoder = self._decoder(search.options)
        read = self._read_all([_NOTHING if isinstance(one, str) else one for one in given])
        reasons = [
            one if isinstance(one, str) else why_not(sentence)
            for one, sentence in zip(given, read, strict=True)
        ]
        results = {n: [failed_parse(read[n], reason)] for n, reason in enumerate(reasons) if reason}
        wordy = [(n, read[n]) for n, reason in enumerate(reasons) if not reason]
        for batch in search.batches(wordy):
            own = None if guides is None else [guides[n] for n in batch]
            parsed = self._parse_batch(decoder, [read[n] for n in batch], search, own)
            results.update(zip(batch, parsed, strict=True))
        return [results[n] for n in range(len(read))]

    def _parse_batch(
        self,
        decoder: Decoder,
        sentences: list[Sentence],
        search: Search,
        guides: list[Guide] | None,
    ) -> list[list[Parse]]:
        """Parse a batch; if it fails, each sentence alone."""
        try:
            encoded = self.encode(sentences)
            if len(sentences) == 1 and decoder.beam == 1 and guides is None:
                return [search.parses_of([decode_along(decoder, sentences[0], encoded)[0]])]
            found = decoder.decode_all(sentences, encoded, guides=guides)
            return [search.parses_of(ranked) for ranked in found]
        except AptamrError as error:
            if len(sentences) == 1:
                return [[failed_parse(sentences[0], str(error))]]
            return [
                self._parse_batch(decoder, [sentence], search, guides and [guides[n]])[0]
                for n, sentence in enumerate(sentences)
            ]


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
