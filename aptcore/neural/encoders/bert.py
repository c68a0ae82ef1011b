"""BERT without padding: what gives the word vectors of the encoder that travels with the program.

The same as transformers' ``BertModel`` for the same weights, as a test holds it; transformers
itself takes longer to import than a short text takes to parse. The pieces of all texts of a
batch stand one after another (see aptcore.neural.padding), only the layers that are used are
read from disk, and names of weights are those of the file.

Source: Devlin and others 2019.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, cast

import torch
from safetensors import safe_open
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from aptcore.neural.model import Dropout, add_to
from aptcore.neural.padding import Padding
from aptcore.neural.weights import Linear, unfilled

_PIECES_IN_BATCH = 4096
_MORE_PLACES, _FEW_PLACES = 1.3, 512
_FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors")


@dataclass(frozen=True, slots=True)
class BertSettings:
    """What ``config.json`` says of a BERT."""

    vocab_size: int
    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    intermediate_size: int
    max_position_embeddings: int
    type_vocab_size: int
    layer_norm_eps: float


def settings_of(folder: Path) -> BertSettings | None:
    """Read the settings of a BERT; None where a folder holds another kind of encoder."""
    if not all((folder / name).is_file() for name in _FILES):
        return None
    values = json.loads((folder / "config.json").read_text("utf-8"))
    is_plain = (
        values.get("model_type") == "bert"
        and values.get("hidden_act") == "gelu"
        and values.get("position_embedding_type", "absolute") == "absolute"
        and not values.get("is_decoder")
    )
    names = BertSettings.__slots__
    if not is_plain or any(name not in values for name in names):
        return None
    return BertSettings(**{name: values[name] for name in names})


class Bert(nn.Module):
    """A BERT with its tokeniser, cut off above the layers that are used.

    Attributes:
        layers: Lowest first.
        reach: Pieces of a text at most, with those before and after it.
    """

    def __init__(self, folder: Path, settings: BertSettings, num_layers: int) -> None:
        """Read it.

        Raises:
            OSError: A file cannot be read.
            RuntimeError: It does not hold these layers.
        """
        super().__init__()
        self.width = settings.hidden_size
        self.num_heads = settings.num_attention_heads
        with unfilled():
            self.embeddings = _Embeddings(settings)
            self.layers = nn.ModuleList(_Layer(settings) for _ in range(num_layers))
        self.load_state_dict(_weights_in(folder, num_layers), assign=True)
        named = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
        self.reach = min(
            named.get("model_max_length", settings.max_position_embeddings),
            settings.max_position_embeddings - 2,
        )
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()

    def split(self, tokens: Sequence[str], is_framed: bool = False) -> tuple[list[int], list[int]]:
        """Give the pieces of words and the word of each; ``is_framed`` adds those around a text."""
        found = self.tokenizer.encode(
            list(tokens), is_pretokenized=True, add_special_tokens=is_framed
        )
        return found.ids, [-1 if word is None else word for word in found.word_ids]

    def forward(self, texts: Sequence[Sequence[int]], layers: Sequence[int]) -> Tensor:
        """Give the mean of the layers asked for.

        Args:
            texts: The pieces of each text, those around it included.
            layers: From 1; 0 is the embeddings.

        Returns:
            (P, width), the pieces of all texts one after another.
        """
        device = self.embeddings.LayerNorm.weight.device
        parts: dict[int, Tensor] = {}
        for batch in _batches([len(pieces) for pieces in texts]):
            lengths = torch.tensor([len(texts[number]) for number in batch])
            pieces = torch.tensor(list(chain.from_iterable(texts[number] for number in batch)))
            mean = self._mean(pieces.to(device), Padding.of(lengths.to(device)), layers)
            parts.update(zip(batch, mean.split(lengths.tolist()), strict=True))
        return torch.cat([parts[number] for number in range(len(texts))])

    def _mean(self, pieces: Tensor, padding: Padding, layers: Sequence[int]) -> Tensor:
        """(P,) int64 to (P, width)."""
        seen = None
        if len(padding.empty):
            batch, longest = padding.rows.shape
            seen = torch.ones(batch * longest, dtype=torch.bool, device=pieces.device)
            seen = seen.index_fill_(0, padding.empty, False).view(batch, 1, 1, longest)
        x = self.embeddings(pieces, padding.steps)
        total = torch.zeros_like(x, dtype=torch.float32)
        if 0 in layers:
            total = total + x
        for number, layer in enumerate(self.layers, 1):
            x = layer(x, padding, seen)
            if number in layers:
                total = total + x
        return total / len(layers)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group texts so that attention, which needs padding, has little of it; a few stay together."""
    batch: list[int] = []
    filled = 0
    for number in sorted(range(len(lengths)), key=lambda number: lengths[number]):
        length = lengths[number]
        size, places = filled + length, (len(batch) + 1) * length
        if batch and (size > _PIECES_IN_BATCH or places > _MORE_PLACES * size + _FEW_PLACES):
            yield batch
            batch, size = [], length
        batch.append(number)
        filled = size
    if batch:
        yield batch


class _Embeddings(nn.Module):
    """The vectors of pieces, places and texts, added up."""

    def __init__(self, settings: BertSettings) -> None:
        super().__init__()
        width = settings.hidden_size
        self.word_embeddings = nn.Embedding(settings.vocab_size, width)
        self.position_embeddings = nn.Embedding(settings.max_position_embeddings, width)
        self.token_type_embeddings = nn.Embedding(settings.type_vocab_size, width)
        self.LayerNorm = nn.LayerNorm(width, settings.layer_norm_eps)

    def forward(self, pieces: Tensor, places: Tensor) -> Tensor:
        """(P,) pieces and their places to (P, D); all are of the first text of a pair."""
        x = self.word_embeddings(pieces) + self.token_type_embeddings.weight[0]
        normed: Tensor = self.LayerNorm(x + self.position_embeddings(places))
        return normed


class _Layer(nn.Module):
    """Self-attention, then feed-forward; post-norm."""

    def __init__(self, settings: BertSettings) -> None:
        super().__init__()
        self.attention = _Attention(settings)
        self.intermediate = _Dense(settings.hidden_size, settings.intermediate_size)
        self.output = _Output(settings.intermediate_size, settings)

    def forward(self, x: Tensor, padding: Padding, seen: Tensor | None) -> Tensor:
        """(P, D) to (P, D); ``seen`` (B, 1, 1, L) bool where some places hold no piece."""
        x = self.attention(x, padding, seen)
        out: Tensor = self.output(functional.gelu(self.intermediate.dense(x)), x)
        return out


class _Attention(nn.Module):
    def __init__(self, settings: BertSettings) -> None:
        super().__init__()
        self.num_heads = settings.num_attention_heads
        self.self = nn.ModuleDict(
            {
                name: Linear(settings.hidden_size, settings.hidden_size)
                for name in ("query", "key", "value")
            }
        )
        self.dropout = Dropout(0.0)
        self.output = _Output(settings.hidden_size, settings)

    def forward(self, x: Tensor, padding: Padding, seen: Tensor | None) -> Tensor:
        heads = padding.by_place(self._mapped(x))  # (B, L, 3 * H * K)
        query, key, value = heads.unflatten(2, (3, self.num_heads, -1)).transpose(1, 3).unbind(2)
        share = self.dropout.share if self.training else 0.0
        found = functional.scaled_dot_product_attention(query, key, value, seen, share)
        out: Tensor = self.output(padding.at_rows(found.transpose(1, 2)), x)
        return out

    def _mapped(self, x: Tensor) -> Tensor:
        """Give queries, keys and values side by side, (P, D) to (P, 3 * H * K)."""
        maps = [cast(Linear, self.self[name]) for name in ("query", "key", "value")]
        if torch.is_grad_enabled() or any(
            one.product or one.weight.dtype != x.dtype for one in maps
        ):
            return torch.cat([one(x) for one in maps], 1)
        side_by_side = x.new_empty(len(x), sum(one.out_features for one in maps))
        parts = side_by_side.split([one.out_features for one in maps], 1)
        for one, part in zip(maps, parts, strict=True):
            torch.addmm(one.bias, x, one.weight.t(), out=part)
        return side_by_side


class _Dense(nn.Module):
    """A linear map under the name that the file has for it."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.dense = Linear(width, inner)


class _Output(nn.Module):
    """A linear map back to the width, residual and norm."""

    def __init__(self, inner: int, settings: BertSettings) -> None:
        super().__init__()
        self.dense = Linear(inner, settings.hidden_size)
        self.LayerNorm = nn.LayerNorm(settings.hidden_size, settings.layer_norm_eps)
        self.dropout = Dropout(0.0)

    def forward(self, inner: Tensor, x: Tensor) -> Tensor:
        normed: Tensor = self.LayerNorm(add_to(self.dropout(self.dense(inner)), x))
        return normed


def _weights_in(folder: Path, num_layers: int) -> Mapping[str, Tensor]:
    """Read the embeddings and the lowest layers, in float32."""
    found: dict[str, Any] = {}
    with safe_open(folder / "model.safetensors", "pt") as file:
        for name in file.keys():  # noqa: SIM118 (it is no mapping)
            head, _, rest = name.partition("encoder.layer.")
            number, _, part = rest.partition(".")
            if not head and number.isdecimal() and int(number) < num_layers:
                found[f"layers.{number}.{part}"] = file.get_tensor(name).float()
            elif name.startswith("embeddings.") and not name.endswith("_ids"):
                found[name] = file.get_tensor(name).float()
    return found
