"""Contextual word vectors of a pretrained encoder, and the cache of frozen ones on disk.

An encoder is chosen by name or folder together with its layers. A word's vector is the
mean over those layers (the embedding layer is number 0 and is not among them by
default), then the mean over the word's pieces. Layers above those are dropped on
loading. Sentences longer than the encoder's reach are read in overlapping windows, each
word from the window in which it stands farthest from an edge; nothing is cut.

An encoder is frozen, or its topmost layers learn with the parser. Then a model folder
keeps those layers, and the rest comes from the package as before.

Source: Zhou and others 2021, section 4 (RoBERTa-large, mean of all layers, frozen).
Deviations: layers that learn; the words' shapes, which an uncased encoder loses.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import torch
from safetensors.numpy import load_file, save_file
from torch import Tensor, nn

from aptcore.assets import MINILM, encoder_folder
from aptcore.errors import CheckpointError, ConfigurationError
from aptcore.neural.encoders.bert import Bert, settings_of
from aptcore.neural.model import Dropout
from aptcore.saving import saving

if TYPE_CHECKING:
    from aptcore.neural.encoders.pretrained import Pretrained

_KNOWN_HASHES = {MINILM: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"}
_OVERLAP_PIECES = 64

NUM_SHAPES = 10
"""Shapes that :func:`word_shape` tells apart."""


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """Which pretrained encoder gives the word vectors.

    Attributes:
        name: The name of a packaged encoder, a folder, or a name on the hub.
        layers: Layers whose mean is taken, from 1; 0 would be the embedding layer.
            Empty means all layers from 1 on.
        weights_hash: sha256 of the weights, for local ones; checked on load.
        trained_layers: How many of the topmost layers used were trained with a parser.
        trained_hash: sha256 of what they became, once saved.
    """

    name: str = MINILM
    layers: tuple[int, ...] = (1, 2, 3, 4)
    weights_hash: str = ""
    trained_layers: int = 0
    trained_hash: str = ""

    def to_json(self) -> dict[str, object]:
        """Give the settings as JSON values."""
        return asdict(self)


class WordEncoder:
    """A pretrained encoder, ready to give word vectors.

    Attributes:
        trained: The layers that learn, lowest first; empty where the encoder is frozen.
    """

    def __init__(self, config: EncoderConfig, model: Bert | Pretrained, depth: int) -> None:
        self.config = config
        self.model = model
        self.layers = config.layers or tuple(range(1, depth + 1))
        kept = model.layers
        del kept[max(self.layers) :]
        self.trained = nn.ModuleList(kept[len(kept) - config.trained_layers :])
        self.trained.requires_grad_(True)
        self.before, self.after = _special_pieces(model)
        self.max_pieces = model.reach - len(self.before) - len(self.after)

    @classmethod
    def load(
        cls,
        config: EncoderConfig,
        device: str = "cpu",
        trained: Mapping[str, Tensor] | None = None,
    ) -> WordEncoder:
        """Load a pretrained encoder.

        Args:
            config: Which one.
            device: Where it runs.
            trained: The weights of its trained layers; None leaves them as they were
                before any training.

        Raises:
            CheckpointError: If it cannot be had, or its weights are not the ones named.
        """
        folder = encoder_folder(config.name)
        weights = weights_hash(folder) if folder else ""
        expected = config.weights_hash or _KNOWN_HASHES.get(config.name, "")
        if expected and weights != expected:
            raise CheckpointError(
                f"the encoder {config.name} has weights {weights or 'of unknown hash'}, but "
                f"{expected} is asked for: install the version the model was trained with"
            )
        try:
            model, depth = _model_of(config, folder)
        except (OSError, ValueError, RuntimeError) as error:
            raise CheckpointError(f"cannot load the encoder {config.name}: {error}") from error
        model.eval().requires_grad_(False)
        encoder = cls(replace(config, weights_hash=weights), model, depth)
        if trained is not None:
            try:
                encoder.trained.load_state_dict(trained)
            except RuntimeError as error:
                raise CheckpointError(
                    f"the trained layers do not fit the encoder {config.name}: {error}"
                ) from error
        model.to(device)
        return encoder

    @property
    def width(self) -> int:
        """Width of the word vectors."""
        return self.model.width

    @property
    def device(self) -> torch.device:
        """Where it runs."""
        return next(self.model.parameters()).device

    @property
    def is_trained(self) -> bool:
        """Whether any layer learns."""
        return bool(self.config.trained_layers)

    def drop(self, share: float) -> None:
        """Set the share of values that the trained layers drop while they learn."""
        for part in self.trained.modules():
            if isinstance(part, Dropout):
                part.share = share
            elif isinstance(part, nn.Dropout):
                part.p = share

    @torch.inference_mode()
    def encode(self, sentences: Sequence[Sequence[str]]) -> list[Tensor]:
        """Give the word vectors of sentences, to parse with; see :meth:`read`."""
        return self.read(sentences)

    def read(self, sentences: Sequence[Sequence[str]]) -> list[Tensor]:
        """Give the word vectors of sentences; gradients go back to the trained layers.

        Args:
            sentences: Tokens of each sentence; one may be empty.

        Returns:
            For each sentence (tokens, width) float32 on the encoder's device. A word
            that the encoder's tokeniser drops gets zeros.
        """
        windows = [
            _Window(number, pieces, owners, counts)
            for number, tokens in enumerate(sentences)
            for pieces, owners, counts in self._windows(tokens)
        ]
        lengths = [len(tokens) for tokens in sentences]
        vectors = torch.zeros(sum(lengths), self.width, device=self.device)
        if windows:
            vectors = self._with_pieces(windows, [0, *accumulate(lengths)], vectors)
        return list(vectors.split(lengths))

    def _windows(self, tokens: Sequence[str]) -> list[tuple[list[int], list[int], Counter[int]]]:
        """Cut a sentence into windows: piece ids, the word of each, and pieces per word.

        A piece that another window shows with more context has the word -1.
        """
        if not tokens:
            return []
        pieces, owners = self.model.split(tokens)
        if not pieces:
            return []
        counts = Counter(owners)
        if len(pieces) <= self.max_pieces:
            return [(pieces, owners, counts)]
        stride = self.max_pieces - 2 * _OVERLAP_PIECES
        windows = []
        for start in range(0, len(pieces) - 2 * _OVERLAP_PIECES, stride):
            stop = min(start + self.max_pieces, len(pieces))
            first = start if start == 0 else start + _OVERLAP_PIECES
            last = stop if stop == len(pieces) else stop - _OVERLAP_PIECES
            kept = [owners[n] if first <= n < last else -1 for n in range(start, stop)]
            windows.append((pieces[start:stop], kept, counts))
        return windows

    def _with_pieces(
        self, windows: Sequence[_Window], firsts: Sequence[int], vectors: Tensor
    ) -> Tensor:
        """Add to each word the mean of its pieces; words of all sentences, (words, width)."""
        texts = [[*self.before, *window.pieces, *self.after] for window in windows]
        states = self.model(texts, self.layers)  # (pieces, width)
        pieces, words, shares = [], [], []
        first = len(self.before)
        for window, text in zip(windows, texts, strict=True):
            for place, word in enumerate(window.owners):
                if word >= 0:
                    pieces.append(first + place)
                    words.append(firsts[window.sentence] + word)
                    shares.append(1 / window.counts[word])
            first += len(text)
        seen = states.index_select(0, torch.tensor(pieces, device=self.device)).float()
        seen = seen * torch.tensor(shares, device=self.device)[:, None]
        return vectors.index_add(0, torch.tensor(words, device=self.device), seen)


def _model_of(config: EncoderConfig, folder: Path | None) -> tuple[Bert | Pretrained, int]:
    """Load an encoder; gives it and how many layers it has.

    Raises:
        OSError: It cannot be had.
        ValueError: It is none that transformers knows.
        ConfigurationError: It has not the layers that are asked for.
    """
    settings = settings_of(folder) if folder else None
    if folder and settings:
        depth = settings.num_hidden_layers
        _check_layers(config, depth)
        return Bert(folder, settings, max(config.layers or (depth,))), depth
    from aptcore.neural.encoders.pretrained import Pretrained

    model = Pretrained(str(folder or config.name))
    _check_layers(config, len(model.layers))
    return model, len(model.layers)


def _check_layers(config: EncoderConfig, depth: int) -> None:
    layers = config.layers or (depth,)
    if max(layers) > depth or min(layers) < 0:
        raise ConfigurationError(f"{config.name} has layers 1 to {depth}, not {list(layers)}")
    if not 0 <= config.trained_layers <= max(layers):
        raise ConfigurationError(
            f"{config.trained_layers} layers of {config.name} cannot be trained: "
            f"{max(layers)} are used"
        )


def _special_pieces(model: Bert | Pretrained) -> tuple[list[int], list[int]]:
    """Give the pieces that the encoder wants before and after a sentence."""
    (bare, _), (whole, _) = model.split(["a"]), model.split(["a"], is_framed=True)
    first = next(n for n in range(len(whole)) if whole[n : n + len(bare)] == bare)
    return whole[:first], whole[first + len(bare) :]


@dataclass(frozen=True, slots=True)
class _Window:
    sentence: int
    pieces: list[int]
    owners: list[int]
    counts: Counter[int]


def weights_hash(folder: Path) -> str:
    """Give the sha256 of the weights in an encoder's folder.

    Raises:
        CheckpointError: If there are no weights in it.
    """
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise CheckpointError(f"{folder} has no model.safetensors")
    with weights.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def cached_vectors(
    encoder: WordEncoder, sentences: Sequence[Sequence[str]], folder: Path
) -> list[Tensor]:
    """Give word vectors from a cache on disk, encoding what is not there yet.

    Args:
        encoder: Used where the cache lacks these sentences; its hash is part of the key.
        sentences: Tokens of each sentence.
        folder: Where the cache lies; made if absent.

    Returns:
        For each sentence (tokens, width) float16 on the CPU.
    """
    key = hashlib.sha256(repr((encoder.config, encoder.layers)).encode())
    for tokens in sentences:
        key.update("\x1f".join(tokens).encode() + b"\x1e")
    path = folder / f"vectors-{key.hexdigest()[:24]}.safetensors"
    lengths = [len(tokens) for tokens in sentences]
    if path.is_file():
        stored = torch.from_numpy(load_file(path)["vectors"])
    else:
        flat = torch.cat(
            [vectors.half().cpu() for vectors in encoder.encode(sentences)]
            or [torch.zeros(0, encoder.width).half()]
        )
        folder.mkdir(parents=True, exist_ok=True)
        with saving(path) as fresh:  # two runs may make the same file at once
            save_file({"vectors": numpy.ascontiguousarray(flat.numpy())}, fresh)
        stored = flat
    return list(stored.split(lengths))


def word_shape(token: str, is_first: bool) -> int:
    """Give the shape of a word.

    0 lower case, 1 capitalised, 2 capitalised at the start of the sentence, 3 all upper
    case, 4 mixed case, 5 digits only, 6 digits and letters, 7 digits and signs,
    8 no letter or digit, 9 anything else.
    """
    has_digit = any(character.isdigit() for character in token)
    letters = [character for character in token if character.isalpha()]
    if has_digit:
        if letters:
            return 6
        return 5 if token.isdigit() else 7
    if not letters:
        return 8
    word = "".join(letters)
    if word.islower():
        return 0
    if word.isupper() and len(word) > 1:
        return 3
    if word[0].isupper() and (len(word) == 1 or word[1:].islower()):
        return 2 if is_first else 1
    return 4 if word != word.lower() else 9


def sentence_shapes(tokens: Iterable[str]) -> tuple[int, ...]:
    """Give the shape of every word of a sentence."""
    return tuple(word_shape(token, position == 0) for position, token in enumerate(tokens))
