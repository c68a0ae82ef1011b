"""The Action-Pointer Transformer: the whole model, tensors only.

An encoder reads frozen word vectors; a decoder reads the actions so far and gives,
at each step, a distribution over labels and one over earlier positions. Hard masks
on some heads carry the state of the parser: a cross-attention head that sees only
the token at the cursor, one that sees those after it, and two self-attention heads
that see the graph neighbours of the last item. The pointer is one self-attention
head of the top decoder layer.

Positions: action i is read at input position i + 1; position 0 is the start symbol.
Step t stands at input position t and predicts action t.

Rows: all sequences of a batch stand one after another without padding, W words or R
steps, so nothing is computed at padding. Only attention lays them out by place
(:class:`Padding`). One pass reads whole walks; decoding goes on from there step by step
(:mod:`aptcore.neural.steps.stepper`), with the keys and values that it kept (:class:`Past`).

Shapes: batch B, steps T, tokens N (``<ROOT>`` included), heads H, width D, head
width K = D / H, labels V.

Source: Zhou and others 2021, sections 3 and 4. Deviations: word vectors replace the source
word table; the extras of :class:`AptConfig`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from aptcore.errors import ConfigurationError
from aptcore.neural.padding import Padding, with_positions
from aptcore.neural.weights import Linear

CURSOR_HEAD = 0
AFTER_HEAD = 1
POINTER_HEAD = 0
LEFT_ARC_HEAD = 2
RIGHT_ARC_HEAD = 3


@dataclass
class AptConfig:
    """Sizes and switches of the model.

    Attributes:
        vocabulary_size: Rows of each label table, special symbols included.
        word_vector_width: Width of the word vectors.
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

    vocabulary_size: int = 8
    word_vector_width: int = 384
    width: int = 256
    feed_forward: int = 512
    num_heads: int = 4
    num_encoder_layers: int = 3
    num_decoder_layers: int = 3
    num_graph_layers: int = 2
    dropout: float = 0.3
    attention_dropout: float = 0.0
    cursor_masks: bool = True
    graph_embedding: bool = True
    edge_label_input: bool = False
    num_shapes: int = 0
    start_id: int = 0
    root_id: int = 1

    def __post_init__(self) -> None:
        if self.num_heads < 4 or self.width % self.num_heads:
            raise ConfigurationError(f"width {self.width} needs at least 4 heads that divide it")
        if self.graph_embedding and self.num_graph_layers >= self.num_decoder_layers:
            raise ConfigurationError("the top decoder layer holds the pointer, not graph heads")


@dataclass(frozen=True)
class Words:
    """B sentences, W words with the ``<ROOT>`` at the end of each.

    Attributes:
        vectors: (W, word_vector_width); zeros at ``<ROOT>``.
        shapes: (W,) int64 word shapes.
        padding: The words among their sentences.
    """

    vectors: Tensor
    shapes: Tensor
    padding: Padding

    @classmethod
    def of(cls, vectors: Sequence[Tensor], shapes: Sequence[Sequence[int]]) -> Words:
        """Put sentences one after another: for each (words, width) and the words' shapes."""
        root = vectors[0].new_zeros(1, vectors[0].shape[1])
        return cls(
            torch.cat([part for vector in vectors for part in (vector, root)]),
            torch.tensor([shape for sentence in shapes for shape in (*sentence, 0)]),
            Padding.of(torch.tensor([len(vector) + 1 for vector in vectors])),
        )


@dataclass(frozen=True)
class Encoded:
    """S encoded sentences: cross-attention keys and values of every decoder layer.

    Attributes:
        keys: For each layer, (S, H, N, K).
        values: For each layer, (S, H, N, K).
        token_mask: (S, N) bool, True on words and ``<ROOT>``.
    """

    keys: tuple[Tensor, ...]
    values: tuple[Tensor, ...]
    token_mask: Tensor

    def mapped(self, change: Callable[[Tensor], Tensor]) -> Encoded:
        """Do the same to every tensor."""
        keys, values = (tuple(map(change, part)) for part in (self.keys, self.values))
        return Encoded(keys, values, change(self.token_mask))


@dataclass(frozen=True)
class Steps:
    """What the decoder reads: R steps of B walks.

    Attributes:
        ids: (R,) int64, label at each input position (an edge: that of its item,
            where the graph embedding is on).
        edge_ids: (R,) int64, label of the edge read there; -1 elsewhere.
        cursor: (R,) int64, token position before the action that is predicted.
        walks: The steps among their walks, T at most of each.
        links: (B, 2, T, T) bool: what the LA head and the RA head see; all False outside
            items and edges.
    """

    ids: Tensor
    edge_ids: Tensor
    cursor: Tensor
    walks: Padding
    links: Tensor


class KeptHeads(NamedTuple):
    """Keys and values of some heads of a layer.

    Attributes:
        heads: Which of the H heads these G are.
        keys: (room, G, capacity, K), those of the B walks first.
        values: The same.
    """

    heads: list[int]
    keys: Tensor
    values: Tensor


@dataclass
class Past:
    """Keys and values of what B walks have read, equally many steps each.

    Attributes:
        layers: For each layer its heads, in one part or more.
        length: Steps read.
    """

    layers: list[list[KeptHeads]]
    length: int = 0

    def put(self, layer: int, key: Tensor, value: Tensor) -> None:
        """Write (B, H, T, K) behind what was read."""
        walks, stop = key.shape[0], self.length + key.shape[2]
        for heads, keys, values in self.layers[layer]:
            keys[:walks, :, self.length : stop] = key[:, heads]
            values[:walks, :, self.length : stop] = value[:, heads]


@dataclass(frozen=True)
class DecoderOutput:
    """What the decoder says.

    Attributes:
        logits: (R, V) label scores, no mask applied.
        pointer: (R, T) log-probabilities over the input positions of each step's walk,
            -inf after the step; only of the steps that were asked for.
        token_attention: For each layer, (B, H, T, N) cross-attention weights.
    """

    logits: Tensor
    pointer: Tensor
    token_attention: tuple[Tensor, ...]


@dataclass(frozen=True)
class AttentionMask:
    """A mask made once for all layers.

    Attributes:
        added: 0 where seen, -inf elsewhere; a row that sees nothing is opened (all 0).
        kept: 0 for the rows that see nothing, else 1; None where there are none.
    """

    added: Tensor
    kept: Tensor | None = None

    @classmethod
    def of(cls, mask: Tensor) -> AttentionMask:
        """Make it from a bool mask, True where seen."""
        blind = ~mask.any(dim=-1, keepdim=True)
        added = torch.zeros_like(mask, dtype=torch.float).masked_fill_(~(mask | blind), -torch.inf)
        return cls(added, (~blind).float() if bool(blind.any()) else None)

    @classmethod
    def seeing(cls, mask: Tensor) -> AttentionMask:
        """Make it from a bool mask each of whose rows sees something."""
        return cls(torch.zeros(mask.shape, device=mask.device).masked_fill_(~mask, -torch.inf))


@dataclass(frozen=True)
class Sight:
    """What the heads of the decoder see, and where the steps stand.

    Attributes:
        walks: The steps among their walks.
        causal: Of self-attention, (T, T).
        graph: Of self-attention with graph heads, (B * H, T, T); with ``items`` of the
            graph heads alone, (B * 2, L, L).
        items: Rows of the steps that read an item or an edge, (n,) int64, and where those
            stand among their walks, L at most of each.
        words: Of cross-attention, (B * H, T or 1, N).
    """

    walks: Padding
    causal: AttentionMask
    graph: AttentionMask
    items: tuple[Tensor, Padding] | None
    words: AttentionMask


def weigh(query: Tensor, key: Tensor, mask: AttentionMask | None) -> tuple[Tensor, Tensor]:
    """Weigh keys (B * H, N, K): masked scores and weights of (B * H, T, K), (B * H, T, N) each."""
    scale, keys = query.shape[-1] ** -0.5, key.transpose(1, 2)
    if mask is None:
        scores = torch.bmm(query, keys).mul_(scale)  # (B * H, T, N)
    else:
        added = mask.added if mask.added.dtype == query.dtype else mask.added.to(query.dtype)
        scores = torch.baddbmm(added, query, keys, alpha=scale)
    weights = scores.softmax(-1)
    if mask is not None and mask.kept is not None:
        weights = weights * mask.kept.to(weights.dtype)
    return scores, weights


def attend(
    query: Tensor, key: Tensor, value: Tensor, mask: AttentionMask | None, dropout: float = 0.0
) -> tuple[Tensor, Tensor, Tensor]:
    """Give what queries see of values (B * H, N, K), (B * H, T, K), and what ``weigh`` gives."""
    scores, weights = weigh(query, key, mask)
    dropped = functional.dropout(weights, dropout) if dropout else weights
    return torch.bmm(dropped, value), scores, weights


class Dropout(nn.Module):
    """Dropout in place, which draws a byte for each value on a processor.

    torch takes 8 ns a value there, a tenth of the time of a training step; this takes 1 ns.
    The share dropped becomes a number of 256ths (0.1484 for 0.15), and what is kept is
    scaled by that very share.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, x: Tensor) -> Tensor:
        """Drop values of ``x`` itself, of any shape."""
        if not self.training or not self.share:
            return x
        num_kept = round(256 * (1 - self.share))
        if x.device.type != "cpu" or num_kept in (0, 256):
            return functional.dropout(x, self.share, inplace=True)
        drawn = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
        kept = drawn.view(torch.uint8)[: x.numel()].float().lt_(num_kept)  # 0 or 1
        return x.mul_(kept.mul_(256 / num_kept).view(x.shape))


def add_to(part: Tensor, x: Tensor) -> Tensor:
    """Add ``x`` to a part in place; where the part is of lower precision, to the side."""
    return part.add_(x) if part.dtype == x.dtype else x + part


class FeedForward(nn.Module):
    """Two linear maps with a ReLU between, residual and norm."""

    def __init__(self, config: AptConfig) -> None:
        super().__init__()
        self.inner = Linear(config.width, config.feed_forward)
        self.outer = Linear(config.feed_forward, config.width)
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
        self.qkv = Linear(config.width, 3 * config.width)
        self.output = Linear(config.width, config.width)
        self.norm = nn.LayerNorm(config.width)
        self.dropout = Dropout(config.dropout)
        self.feed_forward = FeedForward(config)

    def forward(self, x: Tensor, words: Padding, mask: AttentionMask) -> Tensor:
        """(W, D) to (W, D)."""
        query, key, value = words.spread(self.qkv(x), 3, self.num_heads).unbind()
        seen, _, _ = attend(query, key, value, mask)  # (B * H, N, K)
        output = self.output(words.joined(seen, self.num_heads))  # (W, D)
        x = self.norm(add_to(self.dropout(output), x))
        return cast(Tensor, self.feed_forward(x))


class DecoderLayer(nn.Module):
    """Self-attention over steps, cross-attention to words, feed-forward; post-norm."""

    def __init__(self, config: AptConfig, number: int) -> None:
        super().__init__()
        self.number = number
        self.num_heads = config.num_heads
        self.has_graph_heads = config.graph_embedding and number < config.num_graph_layers
        self.qkv = Linear(config.width, 3 * config.width)
        self.self_output = Linear(config.width, config.width)
        self.self_norm = nn.LayerNorm(config.width)
        self.cross_query = Linear(config.width, config.width)
        self.cross_key_value = Linear(config.width, 2 * config.width)
        self.cross_output = Linear(config.width, config.width)
        self.cross_norm = nn.LayerNorm(config.width)
        self.dropout = Dropout(config.dropout)
        self.attention_dropout = config.attention_dropout
        self.feed_forward = FeedForward(config)

    def forward(
        self, x: Tensor, encoded: Encoded, sight: Sight, past: Past | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Read steps.

        Args:
            x: (R, D).
            encoded: The sentences.
            sight: What the heads see.
            past: Where the keys and values of the steps go, if anywhere.

        Returns:
            The new (R, D); the masked scores of self-attention, (B * H, T, T), without
            the graph heads where the layer has them apart; the weights of cross-attention,
            (B * H, T, N).
        """
        share = self.attention_dropout if self.training else 0.0
        if self.has_graph_heads and sight.items:
            output, scores = self._look_back_apart(x, sight, sight.items, share)
        else:
            output, scores = self._look_back(x, sight, past, share)
        x = self.self_norm(add_to(self.dropout(output), x))
        query = sight.walks.spread(self.cross_query(x), 1, self.num_heads)[0]  # (B * H, T, K)
        key, value = encoded.keys[self.number], encoded.values[self.number]
        seen, _, weights = attend(query, key.flatten(0, 1), value.flatten(0, 1), sight.words, share)
        output = self.cross_output(sight.walks.joined(seen, self.num_heads))  # (R, D)
        x = self.cross_norm(add_to(self.dropout(output), x))
        return self.feed_forward(x), scores, weights

    def _look_back(
        self, x: Tensor, sight: Sight, past: Past | None, dropout: float
    ) -> tuple[Tensor, Tensor]:
        """Attend over steps up to each one."""
        query, key, value = sight.walks.spread(self.qkv(x), 3, self.num_heads).unbind()
        if past is not None:
            kept = (part.unflatten(0, (-1, self.num_heads)) for part in (key, value))
            past.put(self.number, *kept)
        mask = sight.graph if self.has_graph_heads else sight.causal
        seen, scores, _ = attend(query, key, value, mask, dropout)  # (B * H, T, K)
        return self.self_output(sight.walks.joined(seen, self.num_heads)), scores

    def _look_back_apart(
        self, x: Tensor, sight: Sight, items: tuple[Tensor, Padding], dropout: float
    ) -> tuple[Tensor, Tensor]:
        """Do the same, but with the graph heads only where they see anything: at items and edges.

        That is at half of the steps; at all steps training took 2 to 3 percent longer.
        """
        rows, padding = items
        graph = [LEFT_ARC_HEAD, RIGHT_ARC_HEAD]
        others = [head for head in range(self.num_heads) if head not in graph]
        output, scores = self._seen_by(others, x, sight.walks, sight.causal, dropout)
        if len(rows):
            at_items = x.index_select(0, rows)  # (n, D)
            linked, _ = self._seen_by(graph, at_items, padding, sight.graph, dropout)
            output = output.index_add_(0, rows, linked)
        return output.add_(self.self_output.bias), scores

    def _seen_by(
        self, heads: list[int], x: Tensor, rows: Padding, mask: AttentionMask, dropout: float
    ) -> tuple[Tensor, Tensor]:
        """Attend with some heads; gives their share of the output, (R, D), and the scores."""
        num_heads, width, chosen = self.num_heads, x.shape[1], torch.tensor(heads, device=x.device)
        weight = self.qkv.weight.view(3, num_heads, -1, width).index_select(1, chosen)
        bias = self.qkv.bias.view(3, num_heads, -1).index_select(1, chosen)
        qkv = functional.linear(x, weight.view(-1, width), bias.flatten())  # (R, 3 * heads * K)
        query, key, value = rows.spread(qkv, 3, len(heads)).unbind()
        seen, scores, _ = attend(query, key, value, mask, dropout)
        weight = self.self_output.weight.view(width, num_heads, -1).index_select(1, chosen)
        return functional.linear(rows.joined(seen, len(heads)), weight.flatten(1)), scores


class AptModel(nn.Module):
    """The Action-Pointer Transformer."""

    input_table: nn.Embedding
    output_table: Linear
    shape_table: nn.Embedding

    def __init__(self, config: AptConfig) -> None:
        super().__init__()
        self.config = config
        self.word_projection = Linear(config.word_vector_width, config.width, bias=False)
        self.input_table = nn.Embedding(config.vocabulary_size, config.width)
        self.output_table = Linear(config.width, config.vocabulary_size, bias=False)
        self.encoder_layers = nn.ModuleList(
            EncoderLayer(config) for _ in range(config.num_encoder_layers)
        )
        self.decoder_layers = nn.ModuleList(
            DecoderLayer(config, layer) for layer in range(config.num_decoder_layers)
        )
        self.dropout = Dropout(config.dropout)
        if config.num_shapes:
            self.shape_table = nn.Embedding(config.num_shapes, config.width)
        self.apply(self._initialise)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.input_table.weight.device

    @property
    def dtype(self) -> torch.dtype:
        """The type of the weights."""
        return self.input_table.weight.dtype

    @property
    def layers(self) -> list[DecoderLayer]:
        """The decoder layers, lowest first."""
        return [cast(DecoderLayer, layer) for layer in self.decoder_layers]

    @torch.no_grad()
    def _initialise(self, module: nn.Module) -> None:
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

    def encode(self, words: Words) -> Encoded:
        """Encode sentences: keys and values for the decoder."""
        config, padding = self.config, words.padding
        x = self.word_projection(words.vectors.to(self.dtype))  # (W, D)
        if config.num_shapes:
            x = x + self.shape_table(words.shapes)
        is_root = torch.zeros(len(x), dtype=torch.bool, device=x.device)
        is_root = is_root.index_fill_(0, padding.rows.max(1).values, True)
        root = self.input_table.weight[config.root_id] * math.sqrt(config.width)
        x = torch.where(is_root[:, None], root.to(x.dtype), x)
        x = self.dropout(with_positions(x, padding))
        batch, tokens = padding.rows.shape
        token_mask = torch.ones(batch * tokens, dtype=torch.bool, device=x.device)
        token_mask = token_mask.index_fill_(0, padding.empty, False).view(batch, tokens)
        mask = AttentionMask.of(token_mask.repeat_interleave(config.num_heads, 0)[:, None])
        for layer in self.encoder_layers:
            x = layer(x, padding, mask)  # mask: (B * H, 1, N)
        pairs = [
            padding.spread(layer.cross_key_value(x), 2, config.num_heads)  # (2, B * H, N, K)
            .unflatten(1, (batch, config.num_heads))
            .unbind()
            for layer in self.layers
        ]
        return Encoded(tuple(key for key, _ in pairs), tuple(v for _, v in pairs), token_mask)

    def forward(
        self,
        encoded: Encoded,
        steps: Steps,
        past: Past | None = None,
        pointing: Tensor | None = None,
        looked_back: list[Tensor] | None = None,
    ) -> DecoderOutput:
        """Read whole walks.

        Args:
            encoded: B sentences.
            steps: One walk for each of them.
            past: Where the keys and values of the steps are kept, if anywhere, to go on from
                there; with room for them, and nothing in it.
            pointing: Rows of the steps whose pointer is wanted; None for all.
            looked_back: Where given, each layer appends its weights of self-attention,
                (B, H, T, T), all zero where a graph head sees nothing.
        """
        x = self.dropout(with_positions(self._embed(steps), steps.walks))  # (R, D)
        apart = past is None and looked_back is None
        sight, scores, attention = self.sight(encoded, steps, apart), x, []
        heads = self.config.num_heads
        for layer in self.layers:
            x, scores, weights = layer(x, encoded, sight, past)
            attention.append(weights.unflatten(0, (-1, heads)))  # (B, H, T, N)
            if looked_back is not None:
                kept = sight.graph.kept if layer.has_graph_heads else None
                seen = scores.softmax(-1) if kept is None else scores.softmax(-1) * kept
                looked_back.append(seen.unflatten(0, (-1, heads)))  # (B, H, T, T)
        if past is not None:
            past.length = steps.walks.rows.shape[1]
        places = steps.walks.places if pointing is None else steps.walks.places[pointing]
        scores = scores.unflatten(0, (-1, heads))[:, POINTER_HEAD].flatten(0, 1)
        precise = torch.promote_types(scores.dtype, torch.float32)
        pointer = scores.index_select(0, places).log_softmax(-1, precise)  # (R, T)
        return DecoderOutput(self.output_table(x), pointer, tuple(attention))

    def _embed(self, steps: Steps) -> Tensor:
        x = self.input_table(steps.ids)  # (R, D)
        if self.config.edge_label_input and self.config.graph_embedding:
            is_edge = (steps.edge_ids >= 0)[:, None]
            x = x + self.input_table(steps.edge_ids.clamp(min=0)) * is_edge
        return x * math.sqrt(self.config.width)

    def sight(self, encoded: Encoded, steps: Steps, apart: bool) -> Sight:
        """Say what the heads see; ``apart``, the graph heads look from items alone."""
        length = steps.links.shape[2]
        before = torch.ones(length, length, dtype=torch.bool, device=steps.ids.device).tril()
        causal = graph = AttentionMask.seeing(before)
        items = None
        if self.config.graph_embedding and apart:
            items, links = _among_items(steps)
            graph = AttentionMask.of(links.flatten(0, 1))
        elif self.config.graph_embedding:
            heads = before.expand(len(steps.links), self.config.num_heads, -1, -1).clone()
            heads[:, LEFT_ARC_HEAD : RIGHT_ARC_HEAD + 1] = steps.links
            graph = AttentionMask.of(heads.flatten(0, 1))
        words = AttentionMask.of(self._words_seen(encoded, steps))
        return Sight(steps.walks, causal, graph, items, words)

    def _words_seen(self, encoded: Encoded, steps: Steps) -> Tensor:
        """Give what the steps see of their sentences, (B * H, T or 1, N) bool."""
        mask = encoded.token_mask[:, None, None].expand(-1, self.config.num_heads, -1, -1)
        if self.config.cursor_masks:
            cursor = steps.cursor[steps.walks.rows][..., None]  # (B, T, 1)
            positions = torch.arange(encoded.token_mask.shape[1], device=cursor.device)
            mask = mask.expand(-1, -1, cursor.shape[1], -1).clone()  # (B, H, T, N)
            mask[:, CURSOR_HEAD] = positions == cursor
            mask[:, AFTER_HEAD] &= positions > cursor
        return mask.flatten(0, 1)


def _among_items(steps: Steps) -> tuple[tuple[Tensor, Padding], Tensor]:
    """Give the rows of the steps with links, where they stand, and the links among them.

    Every position that is seen is among them, as each sees itself.
    """
    is_item = steps.links.any(3).any(1)  # (B, T)
    rows = is_item.flatten()[steps.walks.places].nonzero()[:, 0]  # (n,)
    padding = Padding.of(is_item.sum(1))
    place = is_item.cumsum(1) - 1  # (B, T)
    walk, head, step, other = steps.links.nonzero().unbind(1)
    length = padding.rows.shape[1]
    links = steps.links.new_zeros(len(is_item), 2, length, length)  # (B, 2, L, L)
    links[walk, head, place[walk, step], place[walk, other]] = True
    return (rows, padding), links
