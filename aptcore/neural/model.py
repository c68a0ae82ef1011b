"""The Action-Pointer Transformer: the whole model, tensors only.

An encoder reads frozen word vectors; a decoder reads the actions so far and gives,
at each step, a distribution over labels and one over earlier positions. Hard masks
on some heads carry the state of the parser: a cross-attention head that sees only
the token at the cursor, one that sees those after it, and two self-attention heads
that see the graph neighbours of the last item. The pointer is one self-attention
head of the top decoder layer.

Positions: action i is read at input position i + 1; position 0 is the start symbol.
Step t stands at input position t and predicts action t.

Shapes: batch B, steps T, tokens N (``<ROOT>`` included), heads H, width D, head
width K = D / H, labels V. Training reads batches without padding (:meth:`AptModel.teach`):
R steps and W words of all sentences one after another.

Source: Zhou and others 2021, sections 3 and 4. Deviations: word vectors replace the
source word table; the optional extras named in :class:`AptConfig`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import PreTrainedConfig, PreTrainedModel

from aptcore.errors import ConfigurationError

CURSOR_HEAD = 0
AFTER_HEAD = 1
POINTER_HEAD = 0
LEFT_ARC_HEAD = 2
RIGHT_ARC_HEAD = 3


class AptConfig(PreTrainedConfig):
    """Sizes and switches of the model.

    Attributes:
        vocabulary_size: Rows of each label table, special symbols included.
        word_vector_width: Width of the frozen word vectors.
        width: Width of the model.
        feed_forward: Inner width of the feed-forward parts.
        num_heads: Attention heads.
        num_encoder_layers: Encoder layers.
        num_decoder_layers: Decoder layers.
        num_graph_layers: Lowest decoder layers with graph heads.
        dropout: Dropout on embeddings and on the output of each part.
        attention_dropout: Dropout on attention weights.
        cursor_masks: Use the two hard cross-attention heads.
        graph_embedding: Read edges as updated views of the last item, and use the
            two graph heads.
        edge_label_input: Extra: add the edge's own embedding to that view.
        num_shapes: Extra: rows of a table of word shapes; 0 turns it off.
        start_id: Row of the start symbol.
        root_id: Row of the ``<ROOT>`` token's vector.
    """

    model_type = "aptamr"

    def __init__(
        self,
        vocabulary_size: int = 8,
        word_vector_width: int = 384,
        width: int = 256,
        feed_forward: int = 512,
        num_heads: int = 4,
        num_encoder_layers: int = 3,
        num_decoder_layers: int = 3,
        num_graph_layers: int = 2,
        dropout: float = 0.3,
        attention_dropout: float = 0.0,
        cursor_masks: bool = True,
        graph_embedding: bool = True,
        edge_label_input: bool = False,
        num_shapes: int = 0,
        start_id: int = 0,
        root_id: int = 1,
        **kwargs: object,
    ) -> None:
        if num_heads < 4 or width % num_heads:
            raise ConfigurationError(f"width {width} needs at least 4 heads that divide it")
        if graph_embedding and num_graph_layers >= num_decoder_layers:
            raise ConfigurationError("the top decoder layer holds the pointer, not graph heads")
        self.vocabulary_size = vocabulary_size
        self.word_vector_width = word_vector_width
        self.width = width
        self.feed_forward = feed_forward
        self.num_heads = num_heads
        self.num_encoder_layers = num_encoder_layers
        self.num_decoder_layers = num_decoder_layers
        self.num_graph_layers = num_graph_layers
        self.dropout = dropout
        self.attention_dropout = attention_dropout
        self.cursor_masks = cursor_masks
        self.graph_embedding = graph_embedding
        self.edge_label_input = edge_label_input
        self.num_shapes = num_shapes
        self.start_id = start_id
        self.root_id = root_id
        super().__init__(**kwargs)


@dataclass(frozen=True)
class Encoded:
    """Encoded sentences: cross-attention keys and values of every decoder layer.

    Attributes:
        keys: For each layer, (B, H, N, K).
        values: For each layer, (B, H, N, K).
        token_mask: (B, N) bool, True on words and ``<ROOT>``.
    """

    keys: tuple[Tensor, ...]
    values: tuple[Tensor, ...]
    token_mask: Tensor

    def select(self, rows: Tensor) -> Encoded:
        """Keep the sentences ``rows``, (R,) int64."""
        return Encoded(
            tuple(key.index_select(0, rows) for key in self.keys),
            tuple(value.index_select(0, rows) for value in self.values),
            self.token_mask.index_select(0, rows),
        )


@dataclass(frozen=True)
class DecoderInput:
    """What the decoder reads, step by step.

    Attributes:
        ids: (B, T) int64, label at each input position (an edge: that of its item,
            where the graph embedding is on).
        edge_ids: (B, T) int64, label of the edge read there; -1 elsewhere.
        cursor: (B, T) int64, token position before the action that is predicted.
        left_links: (B, T, T) bool, what the LA head sees; all False outside items.
        right_links: (B, T, T) bool, what the RA head sees.
    """

    ids: Tensor
    edge_ids: Tensor
    cursor: Tensor
    left_links: Tensor
    right_links: Tensor


@dataclass(frozen=True)
class DecoderOutput:
    """What the decoder says.

    Attributes:
        logits: (B, T, V) label scores, no mask applied.
        pointer: (B, T, T) log-probabilities over input positions up to the step.
        token_attention: For each layer, (B, H, T, N) cross-attention weights; empty
            unless asked for.
        past: Self-attention keys and values of each layer, (B, H, T, K) each.
    """

    logits: Tensor
    pointer: Tensor
    token_attention: tuple[Tensor, ...]
    past: tuple[tuple[Tensor, Tensor], ...]


@dataclass(frozen=True)
class Padding:
    """Where rows without padding stand among B sentences of L places each.

    Attributes:
        rows: (B, L) int64, the row at each place; any row at a place that holds none.
        places: (R,) int64, the place of each row among the B * L.
        sentences: (R,) int64, the sentence of each row.
        empty: (P,) int64, the places that hold no row.
    """

    rows: Tensor
    places: Tensor
    sentences: Tensor
    empty: Tensor
    _by_heads: dict[tuple[int, int], HeadPlaces] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, lengths: Tensor) -> Padding:
        """Lay out B sentences of ``lengths`` rows, (B,) int64."""
        length = int(lengths.max())
        is_row = torch.arange(length, device=lengths.device) < lengths[:, None]  # (B, L)
        firsts = lengths.cumsum(0) - lengths  # (B,)
        sentences, steps = is_row.nonzero().unbind(1)  # (R,) each
        rows = torch.zeros_like(is_row, dtype=torch.int64)  # (B, L)
        places = sentences * length + steps
        rows.view(-1)[places] = firsts[sentences] + steps
        return cls(rows, places, sentences, (~is_row).flatten().nonzero()[:, 0])

    @property
    def steps(self) -> Tensor:
        """The step of each row inside its sentence, (R,) int64."""
        return self.places - self.sentences * self.rows.shape[1]

    def to(self, device: torch.device) -> Padding:
        """Move it to a device."""
        return Padding(
            self.rows.to(device),
            self.places.to(device),
            self.sentences.to(device),
            self.empty.to(device),
        )

    def heads(self, parts: int, num_heads: int) -> HeadPlaces:
        """Give the places of (R, parts, H) head vectors among (parts, B, H, L)."""
        key = (parts, num_heads)
        if key not in self._by_heads:
            self._by_heads[key] = self._head_places(parts, num_heads)
        return self._by_heads[key]

    def _head_places(self, parts: int, num_heads: int) -> HeadPlaces:
        batch, length = self.rows.shape
        count, size = parts * num_heads, num_heads * length
        columns = torch.arange(count, device=self.rows.device)  # (parts * H,)
        rows = self.rows[:, None] * count + columns.view(parts, 1, num_heads, 1)
        # Of a place, s L + t, and a column, p H + h: ((p B + s) H + h) L + t.
        inside = self.places + self.sentences * (size - length)  # (R,)
        firsts = columns * length
        if parts > 1:
            firsts = firsts + columns // num_heads * ((batch - 1) * size)
        places = inside[:, None] + firsts  # (R, parts * H)
        empty = self.empty[:0]  # what is taken apart has none
        if parts == 1:
            inside = self.empty + self.empty // max(1, length) * (size - length)
            empty = (inside[:, None] + firsts).flatten()
        return HeadPlaces(rows.flatten(), places.flatten(), empty)


@dataclass(frozen=True)
class HeadPlaces:
    """A :class:`Padding` for head vectors of width K.

    Attributes:
        rows: (parts * B * H * L,) int64.
        places: (R * parts * H,) int64.
        empty: (P * H,) int64 where there is one part; else none.
    """

    rows: Tensor
    places: Tensor
    empty: Tensor


@dataclass(frozen=True)
class PackedBatch:
    """Sentences and walks without padding: W words, R steps.

    Attributes:
        word_vectors: (W, word_vector_width); zeros at ``<ROOT>``.
        shapes: (W,) int64 word shapes.
        is_root: (W,) bool.
        words: The words among their sentences.
        ids: (R,) int64, as in :class:`DecoderInput`.
        edge_ids: (R,) int64, likewise.
        cursor: (R,) int64, likewise.
        steps: The steps among their walks.
        item_rows: (S,) int64, rows of the steps that read an item or an edge.
        items: Those steps among their walks.
        links: (B, 2, L, L) bool over the places of ``items``: what the LA head and the RA
            head see.
        pointing_rows: (E,) int64, rows of the steps whose pointer is wanted.
    """

    word_vectors: Tensor
    shapes: Tensor
    is_root: Tensor
    words: Padding
    ids: Tensor
    edge_ids: Tensor
    cursor: Tensor
    steps: Padding
    item_rows: Tensor
    items: Padding
    links: Tensor
    pointing_rows: Tensor


@dataclass(frozen=True)
class PackedOutput:
    """What the model says about a packed batch.

    Attributes:
        logits: (R, V) label scores, no mask applied.
        pointer: (E, T) log-probabilities over the input positions of each pointing step's
            walk; -inf after the step.
    """

    logits: Tensor
    pointer: Tensor


@lru_cache(maxsize=8)
def sinusoidal_positions(length: int, width: int) -> Tensor:
    """Give sinusoidal position vectors, (length, width) float32.

    Source: Vaswani and others 2017, section 3.5, sines and cosines in two halves.
    """
    half = width // 2
    rates = torch.exp(torch.arange(half, dtype=torch.float32) * -(math.log(10000) / (half - 1)))
    angles = torch.arange(length, dtype=torch.float32)[:, None] * rates[None, :]  # (length, half)
    return torch.cat([angles.sin(), angles.cos()], dim=1)  # (length, width)


def _positions(first: int, stop: int, like: Tensor) -> Tensor:
    table = sinusoidal_positions(max(512, 1 << (stop - 1).bit_length()), like.shape[-1])
    return table[first:stop].to(device=like.device, dtype=like.dtype)  # (stop - first, D)


def _packed_positions(padding: Padding, like: Tensor) -> Tensor:
    table = _positions(0, padding.rows.shape[1], like)  # (L, D)
    return table.index_select(0, padding.steps)  # (R, D)


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the last dimension where ``mask`` is True; rows of no True give 0."""
    blind = ~mask.any(dim=-1, keepdim=True)
    weights = scores.masked_fill(~(mask | blind), -torch.inf).softmax(dim=-1)
    return weights.masked_fill(blind, 0.0)


def split_heads(vectors: Tensor, num_heads: int) -> Tensor:
    """(B, T, D) to (B, H, T, K)."""
    batch, steps, width = vectors.shape
    return vectors.view(batch, steps, num_heads, width // num_heads).transpose(1, 2)


def join_heads(vectors: Tensor) -> Tensor:
    """(B, H, T, K) to (B, T, D)."""
    batch, heads, steps, head_width = vectors.shape
    return vectors.transpose(1, 2).reshape(batch, steps, heads * head_width)


class _PackedAttention(torch.autograd.Function):
    """Attention over rows without padding, as one node of the graph.

    Only here are rows laid out with padding. The way back takes rows again instead of
    scattering them, and all gradients are written where they are needed: the same with
    torch's own operations took a third more time.
    """

    @staticmethod
    def forward(
        ctx: Any,
        near: Tensor,
        far: Tensor | None,
        mask: AttentionMask,
        padding: tuple[Padding, Padding | None],
        num_heads: int,
        dropout: float,
    ) -> tuple[Tensor, Tensor]:
        """See :func:`packed_attention`."""
        ctx.set_materialize_grads(False)
        inner, outer = padding
        parts = 3 if far is None else 1
        width = near.shape[1] // (parts * num_heads)
        taken = _padded_heads(near, inner, parts, num_heads)  # (parts, B * H, T, K)
        other = taken[1:]
        if far is not None and outer is not None:
            other = _padded_heads(far, outer, 2, num_heads)
        query, key, value = taken[0], other[0], other[1]
        with torch.autocast(near.device.type, enabled=False):
            added = mask.added.to(near.dtype)
            scores = torch.baddbmm(added, query, key.transpose(1, 2), alpha=width**-0.5)
            weights = scores.softmax(-1)  # (B * H, T, N)
            if mask.kept is not None:
                weights = weights * mask.kept.to(near.dtype)
            kept = functional.dropout(torch.ones_like(weights), dropout) if dropout else None
            seen = torch.bmm(weights if kept is None else weights * kept, value)
        ctx.save_for_backward(query, key, value, weights, kept)
        ctx.padding, ctx.num_heads = padding, num_heads
        flat = seen.view(-1, width).index_select(0, inner.heads(1, num_heads).places)
        return flat.view(len(near), -1), scores  # (R, H * K)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        """Give the gradients of both kinds of rows."""
        query, key, value, weights, kept = ctx.saved_tensors
        (inner, outer), num_heads = ctx.padding, ctx.num_heads
        of_rows, of_scores = gradients
        width = query.shape[-1]
        places = inner.heads(1, num_heads)
        if of_rows is None:
            of_rows = query.new_zeros(len(inner.places), num_heads * width)
        of_seen = of_rows.reshape(-1, width).index_select(0, places.rows)
        of_seen = of_seen.index_fill_(0, places.empty, 0.0).view_as(query)  # (B * H, T, K)
        of_weights = torch.bmm(of_seen, value.transpose(1, 2))  # (B * H, T, N)
        if kept is not None:
            of_weights.mul_(kept)
        scores = torch.ops.aten._softmax_backward_data(of_weights, weights, -1, weights.dtype)
        if of_scores is not None:
            scores.add_(of_scores)
        near = query.new_empty((1 if outer else 3, *query.shape))
        far = key.new_empty((2, *key.shape)) if outer else near[1:]
        scores.mul_(width**-0.5)
        torch.bmm(scores, key, out=near[0])
        torch.bmm(scores.transpose(1, 2), query, out=far[0])
        used = weights if kept is None else weights * kept
        torch.bmm(used.transpose(1, 2), of_seen, out=far[1])
        of_far = _packed_heads(far, outer, num_heads) if outer else None
        return _packed_heads(near, inner, num_heads), of_far, None, None, None, None


def _padded_heads(rows: Tensor, padding: Padding, parts: int, num_heads: int) -> Tensor:
    """(R, parts * H * K) to (parts, B * H, L, K)."""
    batch, length = padding.rows.shape
    vectors = rows.reshape(len(rows) * parts * num_heads, -1)
    taken = vectors.index_select(0, padding.heads(parts, num_heads).rows)
    return taken.view(parts, batch * num_heads, length, -1)


def _packed_heads(vectors: Tensor, padding: Padding, num_heads: int) -> Tensor:
    """(parts, B * H, L, K) to (R, parts * H * K)."""
    parts, width = vectors.shape[0], vectors.shape[-1]
    places = padding.heads(parts, num_heads).places
    return vectors.view(-1, width).index_select(0, places).view(len(padding.places), -1)


def packed_attention(
    near: Tensor,
    far: Tensor | None,
    mask: AttentionMask,
    padding: tuple[Padding, Padding | None],
    num_heads: int,
    dropout: float = 0.0,
) -> tuple[Tensor, Tensor]:
    """Attend from rows to rows of the same sentence.

    Args:
        near: (R, 3 * H * K) queries, keys and values; with ``far`` only queries, (R, H * K).
        far: (W, 2 * H * K) keys and values of other rows.
        mask: (B * H, T, N), or what spreads to that.
        padding: Of ``near`` and of ``far``.
        num_heads: H.
        dropout: Share of the weights dropped.

    Returns:
        What is seen, (R, H * K), and the masked scores, (B * H, T, N).
    """
    seen: tuple[Tensor, Tensor] = _PackedAttention.apply(
        near, far, mask, padding, num_heads, dropout
    )
    return seen


class Dropout(nn.Module):
    """Dropout in place, which draws a byte for each value on a processor.

    torch takes 8 ns a value there, a tenth of the time of a training step; this takes 1 ns.
    The share dropped becomes a number of 256ths (0.1484 for 0.15), and what is kept is
    scaled by that very share.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share
        self.num_kept = round(256 * (1 - share))

    def forward(self, x: Tensor) -> Tensor:
        """Drop values of ``x`` itself, of any shape."""
        if not self.training or not self.share:
            return x
        if x.device.type != "cpu" or self.num_kept in (0, 256):
            return functional.dropout(x, self.share, inplace=True)
        drawn = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
        kept = drawn.view(torch.uint8)[: x.numel()].float().lt_(self.num_kept)  # 0 or 1
        return x.mul_(kept.mul_(256 / self.num_kept).view(x.shape))


def add_to(part: Tensor, x: Tensor) -> Tensor:
    """Add ``x`` to a part in place; where the part is of lower precision, to the side."""
    return part.add_(x) if part.dtype == x.dtype else x + part


class FeedForward(nn.Module):
    """Two linear maps with a ReLU between, residual and norm."""

    def __init__(self, config: AptConfig) -> None:
        super().__init__()
        self.inner = nn.Linear(config.width, config.feed_forward)
        self.outer = nn.Linear(config.feed_forward, config.width)
        self.norm = nn.LayerNorm(config.width)
        self.dropout = Dropout(config.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """(..., D) to (..., D)."""
        inner = functional.relu(self.inner(x), inplace=True)
        return self.norm(add_to(self.dropout(self.outer(inner)), x))


class EncoderLayer(nn.Module):
    """Self-attention over words, then feed-forward; post-norm."""

    def __init__(self, config: AptConfig) -> None:
        super().__init__()
        self.num_heads = config.num_heads
        self.qkv = nn.Linear(config.width, 3 * config.width)
        self.output = nn.Linear(config.width, config.width)
        self.norm = nn.LayerNorm(config.width)
        self.dropout = Dropout(config.dropout)
        self.feed_forward = FeedForward(config)

    def forward(self, x: Tensor, token_mask: Tensor) -> Tensor:
        """(B, N, D) and (B, N) bool to (B, N, D)."""
        query, key, value = (
            split_heads(part, self.num_heads) for part in self.qkv(x).chunk(3, dim=-1)
        )  # (B, H, N, K) each
        mask = token_mask[:, None, None, :]
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = self.norm(x + self.dropout(self.output(join_heads(seen))))  # (B, N, D)
        return self.feed_forward(x)

    def read_packed(self, x: Tensor, words: Padding, mask: AttentionMask) -> Tensor:
        """(W, D) to (W, D), as :meth:`forward`."""
        seen, _ = packed_attention(self.qkv(x), None, mask, (words, None), self.num_heads)
        x = self.norm(add_to(self.dropout(self.output(seen)), x))
        return self.feed_forward(x)


class DecoderLayer(nn.Module):
    """Self-attention over steps, cross-attention to words, feed-forward; post-norm."""

    def __init__(self, config: AptConfig, layer: int) -> None:
        super().__init__()
        self.num_heads = config.num_heads
        self.scale = (config.width // config.num_heads) ** -0.5
        self.has_graph_heads = config.graph_embedding and layer < config.num_graph_layers
        self.has_pointer = layer == config.num_decoder_layers - 1
        self.cursor_masks = config.cursor_masks
        self.qkv = nn.Linear(config.width, 3 * config.width)
        self.self_output = nn.Linear(config.width, config.width)
        self.self_norm = nn.LayerNorm(config.width)
        self.cross_query = nn.Linear(config.width, config.width)
        self.cross_key_value = nn.Linear(config.width, 2 * config.width)
        self.cross_output = nn.Linear(config.width, config.width)
        self.cross_norm = nn.LayerNorm(config.width)
        self.dropout = Dropout(config.dropout)
        self.attention_dropout = Dropout(config.attention_dropout)
        self.feed_forward = FeedForward(config)

    def self_attention(
        self, x: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor | None, tuple[Tensor, Tensor]]:
        """Attend over steps up to each one.

        Args:
            x: (B, T, D).
            mask: (B or 1, H or 1, T, T) bool.

        Returns:
            The new (B, T, D); the pointer's log-probabilities (B, T, T) in the top
            layer; keys and values.
        """
        query, key, value = (
            split_heads(part, self.num_heads) for part in self.qkv(x).chunk(3, dim=-1)
        )  # (B, H, T, K) each
        scores = (query * self.scale) @ key.transpose(-1, -2)  # (B, H, T, T)
        weights = masked_softmax(scores, mask)
        pointer = None
        if self.has_pointer:
            pointer_scores = scores[:, POINTER_HEAD].masked_fill(~mask[:, 0], -torch.inf)
            pointer = pointer_scores.float().log_softmax(dim=-1)  # (B, T, T)
        seen = self.attention_dropout(weights) @ value  # (B, H, T, K)
        x = self.self_norm(x + self.dropout(self.self_output(join_heads(seen))))
        return x, pointer, (key, value)

    def cross_attention(
        self, x: Tensor, cursor: Tensor, keys: Tensor, values: Tensor, token_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Attend to words; gives the new (B, T, D) and the weights (B, H, T, N)."""
        query = split_heads(self.cross_query(x), self.num_heads)  # (B, H, T, K)
        scores = (query * self.scale) @ keys.transpose(-1, -2)  # (B, H, T, N)
        mask = token_mask[:, None, None, :].expand_as(scores)
        if self.cursor_masks:
            mask = self.cursor_mask(cursor, token_mask, scores)
        weights = masked_softmax(scores, mask)
        seen = self.attention_dropout(weights) @ values  # (B, H, T, K)
        x = self.cross_norm(x + self.dropout(self.cross_output(join_heads(seen))))
        return x, weights

    def cursor_mask(self, cursor: Tensor, token_mask: Tensor, scores: Tensor) -> Tensor:
        """Give what each cross-attention head sees, (B, H, T, N) bool."""
        tokens = torch.arange(token_mask.shape[1], device=cursor.device)
        mask = token_mask[:, None, None, :].expand_as(scores).clone()
        mask[:, CURSOR_HEAD] = tokens == cursor[:, :, None]  # (B, T, N)
        mask[:, AFTER_HEAD] &= tokens > cursor[:, :, None]
        return mask

    def read_packed(
        self, x: Tensor, words: Tensor, batch: PackedBatch, masks: PackedMasks
    ) -> tuple[Tensor, Tensor]:
        """Read all steps of a packed batch.

        Args:
            x: (R, D).
            words: (W, D) encoded words.
            batch: Where everything stands.
            masks: Of the batch.

        Returns:
            The new (R, D), and the masked scores of self-attention, (B * H, T, T); without
            the graph heads where the layer has them.
        """
        if self.has_graph_heads:
            output, scores = self._packed_graph_attention(x, batch, masks)
        else:
            seen, scores = self._packed_self_attention(self.qkv(x), batch.steps, masks.causal)
            output = self.self_output(seen)
        x = self.self_norm(add_to(self.dropout(output), x))
        seen = self._packed_cross_attention(x, words, batch, masks)
        x = self.cross_norm(add_to(self.dropout(self.cross_output(seen)), x))
        return self.feed_forward(x), scores

    def _packed_self_attention(
        self, qkv: Tensor, steps: Padding, mask: AttentionMask
    ) -> tuple[Tensor, Tensor]:
        num_heads = qkv.shape[1] // (3 * (self.qkv.in_features // self.num_heads))
        return packed_attention(qkv, None, mask, (steps, None), num_heads, self._share_dropped)

    @property
    def _share_dropped(self) -> float:
        return self.attention_dropout.share if self.training else 0.0

    def _packed_graph_attention(
        self, x: Tensor, batch: PackedBatch, masks: PackedMasks
    ) -> tuple[Tensor, Tensor]:
        """Attend and map out; the graph heads work only at items and edges, half of the steps."""
        num_heads, width = self.num_heads, x.shape[1]
        head_width = width // num_heads
        cuts = [LEFT_ARC_HEAD, 2, num_heads - LEFT_ARC_HEAD - 2]
        weights = self.qkv.weight.view(3, num_heads, head_width, width).split(cuts, 1)
        biases = self.qkv.bias.view(3, num_heads, head_width).split(cuts, 1)
        qkv = functional.linear(
            x,
            torch.cat([weights[0], weights[2]], 1).view(-1, width),
            torch.cat([biases[0], biases[2]], 1).view(-1),
        )  # (R, 3 * (H - 2) * K)
        seen, scores = self._packed_self_attention(qkv, batch.steps, masks.causal)
        columns = self.self_output.weight.split([cut * head_width for cut in cuts], 1)
        weight = torch.cat([columns[0], columns[2]], 1)  # (D, (H - 2) * K)
        output = functional.linear(seen, weight, self.self_output.bias)  # (R, D)
        if len(batch.item_rows):
            qkv = functional.linear(
                x.index_select(0, batch.item_rows),
                weights[1].reshape(-1, width),
                biases[1].reshape(-1),
            )  # (S, 3 * 2 * K)
            seen, _ = self._packed_self_attention(qkv, batch.items, masks.links)
            linked = functional.linear(seen, columns[1])  # (S, D)
            output = output.index_add_(0, batch.item_rows, linked)
        return output, scores

    def _packed_cross_attention(
        self, x: Tensor, words: Tensor, batch: PackedBatch, masks: PackedMasks
    ) -> Tensor:
        """Attend to words; the cursor head takes the value of its one word unweighed."""
        width = x.shape[1]
        cut = width // self.num_heads if self.cursor_masks else 0  # the cursor head is the first
        query = functional.linear(x, self.cross_query.weight[cut:], self.cross_query.bias[cut:])
        cuts = [cut, width - cut] * 2
        _, of_keys, at_cursor, of_values = self.cross_key_value.weight.split(cuts)
        _, key_bias, cursor_bias, value_bias = self.cross_key_value.bias.split(cuts)
        key_value = functional.linear(
            words, torch.cat([of_keys, of_values]), torch.cat([key_bias, value_bias])
        )  # (W, 2 * heads * K)
        padding = (batch.steps, batch.words)
        num_heads = self.num_heads - (1 if cut else 0)
        seen, _ = packed_attention(
            query, key_value, masks.crossing, padding, num_heads, self._share_dropped
        )
        if not cut:
            return seen
        values = functional.linear(words, at_cursor, cursor_bias)  # (W, K)
        return torch.cat([values.index_select(0, masks.cursor_rows), seen], 1)  # (R, D)

    def step(
        self,
        x: Tensor,
        past: tuple[Tensor, Tensor],
        length: int,
        crossing: tuple[Tensor, Tensor],
        self_mask: AttentionMask | None,
        cross_mask: AttentionMask,
    ) -> tuple[Tensor, Tensor | None]:
        """Do one step with cached keys and values; equals the last row of a full pass.

        Args:
            x: (R, D), R rows: ``beams`` for each of S sentences, in order.
            past: Keys and values, (R * H, capacity, K) each; written at ``length - 1``.
            length: Steps read, this one included.
            crossing: Keys and values, (S, H, N, K) each.
            self_mask: What the graph heads see, (R * H, 1, length).
            cross_mask: What the cross-attention heads see, (S * H, beams, N).

        Returns:
            The new (R, D) and, in the top layer, the pointer's log-probabilities
            (R, length).
        """
        rows, width = x.shape
        heads, head_width = self.num_heads, width // self.num_heads
        query, key, value = self.qkv(x).view(rows, 3, heads, head_width).unbind(1)  # (R, H, K)
        keys, values = past
        keys[:, length - 1] = key.reshape(rows * heads, head_width)
        values[:, length - 1] = value.reshape(rows * heads, head_width)
        flat_query = (query * self.scale).reshape(rows * heads, 1, head_width)
        scores = torch.bmm(flat_query, keys[:, :length].transpose(1, 2))  # (R * H, 1, length)
        pointer = None
        if self.has_pointer:
            by_head = scores.view(rows, heads, length)
            pointer = by_head[:, POINTER_HEAD].log_softmax(-1)  # (R, length)
        mask = self_mask if self.has_graph_heads else None
        weights = scores.softmax(-1) if mask is None else mask.softmax(scores)
        seen = torch.bmm(weights, values[:, :length])  # (R * H, 1, K)
        x = self.self_norm(x + self.self_output(seen.view(rows, width)))  # (R, D)
        x = self._cross_step(x, crossing, cross_mask)
        return self.feed_forward(x), pointer

    def _cross_step(
        self, x: Tensor, crossing: tuple[Tensor, Tensor], mask: AttentionMask
    ) -> Tensor:
        keys, values = crossing
        rows, width = x.shape
        sentences, heads, tokens, head_width = keys.shape
        beams = rows // sentences
        query = (self.cross_query(x) * self.scale).view(sentences, beams, heads, head_width)
        query = query.transpose(1, 2).reshape(sentences * heads, beams, head_width)
        flat_keys = keys.view(sentences * heads, tokens, head_width)
        flat_values = values.view(sentences * heads, tokens, head_width)
        weights = mask.softmax(torch.bmm(query, flat_keys.transpose(1, 2)))  # (S * H, beams, N)
        seen = torch.bmm(weights, flat_values).view(sentences, heads, beams, head_width)
        joined = seen.transpose(1, 2).reshape(rows, width)
        return self.cross_norm(x + self.cross_output(joined))  # (R, D)


@dataclass(frozen=True)
class AttentionMask:
    """A mask made once for all layers of a step.

    Attributes:
        added: 0 where seen, -inf elsewhere; a row that sees nothing is opened (all 0).
        kept: 0 for the rows that see nothing, else 1; None where there are none.
    """

    added: Tensor
    kept: Tensor | None

    @classmethod
    def of(cls, mask: Tensor) -> AttentionMask:
        """Make it from a bool mask, True where seen."""
        blind = ~mask.any(dim=-1, keepdim=True)
        added = torch.zeros(mask.shape, device=mask.device)
        added.masked_fill_(~(mask | blind), -torch.inf)
        return cls(added, (~blind).float() if bool(blind.any()) else None)

    @classmethod
    def seeing(cls, mask: Tensor) -> AttentionMask:
        """Make it from a bool mask each of whose rows sees something."""
        added = torch.zeros(mask.shape, device=mask.device)
        return cls(added.masked_fill_(~mask, -torch.inf), None)

    def softmax(self, scores: Tensor) -> Tensor:
        """Softmax over the last dimension where the mask lets it see."""
        weights = (scores + self.added).softmax(-1)
        return weights if self.kept is None else weights * self.kept


@dataclass(frozen=True)
class PackedMasks:
    """What attention sees in a packed batch.

    Attributes:
        words: Of the encoder, (B * H, 1, N).
        causal: Of self-attention, (T, T).
        links: Of the graph heads, (B * 2, L, L).
        crossing: Of cross-attention without the cursor head, (B * heads, T or 1, N).
        cursor_rows: (R,) int64, the row of the word at the cursor.
    """

    words: AttentionMask
    causal: AttentionMask
    links: AttentionMask
    crossing: AttentionMask
    cursor_rows: Tensor


class AptModel(PreTrainedModel):
    """The Action-Pointer Transformer."""

    config_class = AptConfig
    base_model_prefix = "apt"
    main_input_name = "word_vectors"
    input_table: nn.Embedding
    output_table: nn.Linear
    shape_table: nn.Embedding

    def __init__(self, config: AptConfig) -> None:
        super().__init__(config)
        self.word_projection = nn.Linear(config.word_vector_width, config.width, bias=False)
        self.input_table = nn.Embedding(config.vocabulary_size, config.width)
        self.output_table = nn.Linear(config.width, config.vocabulary_size, bias=False)
        self.encoder_layers = nn.ModuleList(
            EncoderLayer(config) for _ in range(config.num_encoder_layers)
        )
        self.decoder_layers = nn.ModuleList(
            DecoderLayer(config, layer) for layer in range(config.num_decoder_layers)
        )
        self.dropout = Dropout(config.dropout)
        if config.num_shapes:
            self.shape_table = nn.Embedding(config.num_shapes, config.width)
        self.post_init()

    @property
    def layers(self) -> list[DecoderLayer]:
        """The decoder layers, lowest first."""
        return [cast(DecoderLayer, layer) for layer in self.decoder_layers]

    def _init_weights(self, module: nn.Module) -> None:
        width = self.config.width
        if isinstance(module, nn.Embedding) or module is self.output_table:
            nn.init.normal_(module.weight, std=width**-0.5)
        elif isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)

    def encode(
        self, word_vectors: Tensor, lengths: Tensor, shapes: Tensor | None = None
    ) -> Encoded:
        """Encode sentences.

        Args:
            word_vectors: (B, N - 1 or more, word_vector_width), padded.
            lengths: (B,) int64, words of each sentence, without ``<ROOT>``.
            shapes: (B, N - 1) int64 word shapes, where the model has a table of them.

        Returns:
            Keys and values for the decoder, over N = longest + 1 tokens.
        """
        config = self.config
        x = self.word_projection(word_vectors)  # (B, N - 1, D)
        if config.num_shapes and shapes is not None:
            x = x + self.shape_table(shapes)
        x = functional.pad(x, (0, 0, 0, 1))  # (B, N, D)
        tokens = torch.arange(x.shape[1], device=x.device)
        is_root = (tokens == lengths[:, None])[..., None]  # (B, N, 1)
        root = self.input_table.weight[config.root_id] * math.sqrt(config.width)
        x = torch.where(is_root, root.to(x.dtype), x)
        token_mask = tokens <= lengths[:, None]  # (B, N)
        x = self.dropout(x + _positions(0, x.shape[1], x))
        for layer in self.encoder_layers:
            x = layer(x, token_mask)
        keys, values = [], []
        for layer in self.layers:
            key, value = layer.cross_key_value(x).chunk(2, dim=-1)
            keys.append(split_heads(key, config.num_heads).contiguous())
            values.append(split_heads(value, config.num_heads).contiguous())
        return Encoded(tuple(keys), tuple(values), token_mask)

    def embed(self, ids: Tensor, edge_ids: Tensor, first: int = 0) -> Tensor:
        """Embed the decoder input, (B, T) int64 each, from position ``first``; (B, T, D)."""
        x = self._embed_labels(ids, edge_ids)
        return x + _positions(first, first + ids.shape[1], x)

    def _embed_labels(self, ids: Tensor, edge_ids: Tensor) -> Tensor:
        x = self.input_table(ids)
        if self.config.edge_label_input and self.config.graph_embedding:
            is_edge = (edge_ids >= 0)[..., None]
            x = x + self.input_table(edge_ids.clamp(min=0)) * is_edge
        return x * math.sqrt(self.config.width)

    def self_masks(self, inputs: DecoderInput) -> tuple[Tensor, Tensor]:
        """Give the causal mask (1, 1, T, T) and the one with graph heads (B, H, T, T)."""
        batch, steps = inputs.ids.shape
        causal = torch.ones(steps, steps, dtype=torch.bool, device=inputs.ids.device).tril()
        causal = causal[None, None]
        if not self.config.graph_embedding:
            return causal, causal
        graph = causal.expand(batch, self.config.num_heads, -1, -1).clone()
        graph[:, LEFT_ARC_HEAD] = inputs.left_links
        graph[:, RIGHT_ARC_HEAD] = inputs.right_links
        return causal, graph

    def forward(
        self, encoded: Encoded, inputs: DecoderInput, with_attention: bool = False
    ) -> DecoderOutput:
        """Read all steps at once (teacher forcing)."""
        x = self.dropout(self.embed(inputs.ids, inputs.edge_ids))  # (B, T, D)
        causal, graph = self.self_masks(inputs)
        past, attention, pointer = [], [], None
        for layer, keys, values in zip(self.layers, encoded.keys, encoded.values, strict=True):
            mask = graph if layer.has_graph_heads else causal
            x, pointer, key_value = layer.self_attention(x, mask)
            x, weights = layer.cross_attention(x, inputs.cursor, keys, values, encoded.token_mask)
            x = layer.feed_forward(x)
            past.append(key_value)
            if with_attention:
                attention.append(weights)
        assert pointer is not None  # the top layer always has one
        return DecoderOutput(self.output_table(x), pointer, tuple(attention), tuple(past))

    def teach(self, batch: PackedBatch) -> PackedOutput:
        """Read all steps of a batch at once (teacher forcing), for training.

        It gives what :meth:`encode` and :meth:`forward` give. No work is done at padding,
        and none for a head where its mask leaves it one place to see, or nothing.
        """
        masks = self.packed_masks(batch)
        words = self._packed_words(batch)  # (W, D)
        for layer in self.encoder_layers:
            words = cast(EncoderLayer, layer).read_packed(words, batch.words, masks.words)
        x = self._embed_labels(batch.ids, batch.edge_ids)  # (R, D)
        x = self.dropout(x + _packed_positions(batch.steps, x))
        scores = x
        for layer in self.layers:
            x, scores = layer.read_packed(x, words, batch, masks)
        num_walks, longest = batch.steps.rows.shape
        at_pointer = scores.view(num_walks, -1, longest, longest)[:, POINTER_HEAD]
        places = batch.steps.places[batch.pointing_rows]
        pointing = at_pointer.reshape(-1, longest).index_select(0, places)  # (E, T)
        return PackedOutput(self.output_table(x), pointing.float().log_softmax(-1))

    def _packed_words(self, batch: PackedBatch) -> Tensor:
        config = self.config
        x = self.word_projection(batch.word_vectors.to(self.dtype))  # (W, D)
        if config.num_shapes:
            x = x + self.shape_table(batch.shapes)
        root = self.input_table.weight[config.root_id] * math.sqrt(config.width)
        x = torch.where(batch.is_root[:, None], root.to(x.dtype), x)
        return self.dropout(x + _packed_positions(batch.words, x))

    def packed_masks(self, batch: PackedBatch) -> PackedMasks:
        """Make the attention masks of a packed batch, once for all layers."""
        config, steps, words = self.config, batch.steps, batch.words
        num_walks, longest = steps.rows.shape
        num_words = words.rows.shape[1]
        causal = torch.ones(longest, longest, dtype=torch.bool, device=batch.ids.device).tril()
        is_word = torch.ones(words.rows.numel(), dtype=torch.bool, device=batch.ids.device)
        is_word = is_word.index_fill_(0, words.empty, False).view(num_walks, 1, num_words)
        for_heads = is_word.repeat_interleave(config.num_heads, 0)  # (B * H, 1, N)
        crossing = for_heads
        if config.cursor_masks:
            cursor = batch.cursor[steps.rows][..., None]  # (B, T, 1)
            tokens = torch.arange(num_words, device=batch.ids.device)
            after = is_word & (tokens > cursor)  # (B, T, N)
            rest = [is_word.expand_as(after)] * (config.num_heads - 2)
            crossing = torch.stack([after, *rest], 1).flatten(0, 1)  # (B * (H - 1), T, N)
        return PackedMasks(
            AttentionMask.seeing(for_heads),
            AttentionMask.seeing(causal),
            AttentionMask.of(batch.links.flatten(0, 1)),
            AttentionMask.of(crossing),
            words.rows[steps.sentences, batch.cursor],
        )
