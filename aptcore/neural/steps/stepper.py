"""A model as decoding reads it: one more step of every walk of a batch, or several of one.

This is what decoding does most, so it is written out operation by operation: with few walks
the calls around an operation take longer than the operation. It gives what
:class:`aptcore.neural.model.AptModel` gives for whole walks, which is the definition. What
need not be multiplied again at each step is looked up: queries, keys and values of the lowest
layer by label and by position, and what the head at the cursor adds by word. Graph heads are
asked where they see anything, at items and edges, and take the few keys and values they see.

Shapes: rows R, each a step; sentences S; steps of a sentence T at most; heads H, width
D = H * K; labels V; length L of a walk with what is read; G heads that see several words.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from aptcore.neural.model import (
    CURSOR_HEAD,
    LEFT_ARC_HEAD,
    POINTER_HEAD,
    RIGHT_ARC_HEAD,
    AptModel,
    AttentionMask,
    DecoderLayer,
    Encoded,
    KeptHeads,
    Past,
    weigh,
)
from aptcore.neural.padding import positions_until
from aptcore.neural.steps.memory import WordMemory
from aptcore.neural.steps.next_steps import Links, NextSteps
from aptcore.neural.weights import Product, product_of

_FEWEST_BAGS = 64
"""Single queries at once from which a sum of bags of rows is faster than a product."""


class _Norm(NamedTuple):
    """Weight and bias of a norm."""

    weight: Tensor
    bias: Tensor


class _Heads(NamedTuple):
    """Some heads of self-attention, which are asked together.

    Attributes:
        qkv: From (R, D) to queries, keys and values of these G, (R, 3 * G * K); None in the
            lowest layer, where those are looked up.
        output: From what they see, (R, G * K), to their share of the output, (R, D).
    """

    qkv: Product | None
    output: Product

    @classmethod
    def of(cls, layer: DecoderLayer, heads: list[int], has_bias: bool) -> _Heads:
        columns = _columns(layer, heads)
        qkv = product_of(layer.qkv, rows=_thrice(layer, columns)) if layer.number else None
        return cls(qkv, product_of(layer.self_output, columns=columns, has_bias=has_bias))


class _Layer(NamedTuple):
    """The weights of a decoder layer, looked up once.

    The graph heads of self-attention, ``linked``, are apart from the ``plain`` ones. Of
    cross-attention without the head at the cursor, if there is one: what that adds to the
    output is ``at_cursor``, (D, K), of the value.
    """

    plain: _Heads
    linked: _Heads | None
    cross_query: Product
    cross_output: Product
    at_cursor: Tensor | None
    inner: Product
    outer: Product
    self_norm: _Norm
    cross_norm: _Norm
    norm: _Norm

    @classmethod
    def of(cls, layer: DecoderLayer, has_cursor: bool) -> _Layer:
        feed, width = layer.feed_forward, layer.cross_query.weight.shape[1] // layer.num_heads
        others, output = slice(width * has_cursor, None), layer.cross_output
        own = slice(CURSOR_HEAD * width, (CURSOR_HEAD + 1) * width)
        plain, *linked = _head_parts(layer)
        return cls(
            _Heads.of(layer, plain, has_bias=True),
            _Heads.of(layer, linked[0], has_bias=False) if linked else None,
            product_of(layer.cross_query, rows=others),
            product_of(output, columns=others),
            output.weight.detach()[:, own] if has_cursor else None,
            product_of(feed.inner),
            product_of(feed.outer),
            *(_Norm(n.weight, n.bias) for n in (layer.self_norm, layer.cross_norm, feed.norm)),
        )


def _head_parts(layer: DecoderLayer) -> list[list[int]]:
    """Give the heads that see all that was read, then the graph heads, if there are any."""
    heads = list(range(layer.num_heads))
    linked = [LEFT_ARC_HEAD, RIGHT_ARC_HEAD]
    if not layer.has_graph_heads:
        return [heads]
    return [[head for head in heads if head not in linked], linked]


def _columns(layer: DecoderLayer, heads: list[int]) -> Tensor:
    """Give where heads stand in the width of the model, (G * K,)."""
    weight = layer.self_output.weight
    columns = torch.arange(weight.shape[1], device=weight.device)
    return columns.view(layer.num_heads, -1)[heads].flatten()


def _thrice(layer: DecoderLayer, columns: Tensor) -> Tensor:
    """Give the rows of queries, keys and values of those columns in ``qkv``."""
    width = layer.self_output.weight.shape[1]
    return torch.cat([columns + part * width for part in range(3)])


class Stepper:
    """A model as decoding reads it, step by step: its weights as they are when it is made.

    Attributes:
        head_parts: For each layer, which heads' keys and values are kept together: those that
            see all that was read, and the graph heads where it has them.
    """

    @torch.inference_mode()
    def __init__(self, model: AptModel) -> None:
        config = self.config = model.config
        self.layers = [_Layer.of(layer, config.cursor_masks) for layer in model.layers]
        self.output_table = product_of(model.output_table)
        self.head_parts = [_head_parts(layer) for layer in model.layers]
        lowest = model.layers[0]
        columns = [_thrice(lowest, _columns(lowest, heads)) for heads in self.head_parts[0]]
        self._widths = [config.width, *map(len, columns)]
        order = torch.cat(columns)
        self._first_weight = lowest.qkv.weight[order]  # (3 * D, D)
        self._first_bias = lowest.qkv.bias[order]
        table = model.input_table.weight * math.sqrt(config.width)
        self._read_first = torch.cat([table, self._multiplied(table)], 1)  # (V, 4 * D)
        self._positions = table.new_empty(0, 4 * config.width)  # (positions, 4 * D)

    def memory_of(self, encoded: Encoded) -> WordMemory:
        """Give sentences as steps look at them."""
        others = slice(int(self.config.cursor_masks), None)
        keys = [part[:, others].transpose(2, 3).contiguous() for part in encoded.keys]
        values = [
            part[:, others].clone(memory_format=torch.contiguous_format) for part in encoded.values
        ]
        adding = [layer.at_cursor for layer in self.layers]
        at_cursor = [
            functional.linear(value[:, CURSOR_HEAD], weight.to(value.dtype))  # (S, N, D)
            for value, weight in zip(encoded.values, adding, strict=True)
            if weight is not None
        ]
        return WordMemory(keys, values, at_cursor)

    def read(self, memory: WordMemory, past: Past, step: NextSteps) -> tuple[Tensor, Tensor]:
        """Read what follows; its keys and values are added to ``past``.

        Returns:
            Label scores (R, V), no mask applied, and pointer log-probabilities (R, L).
        """
        width, walks, links = self.config.width, step.num_walks, step.links
        x, *first = self._first(step, past.length).split(self._widths, 1)
        scores, at = x, step.owners * memory.values[0].shape[2] + step.cursors
        for number, layer in enumerate(self.layers):
            plain, linked = layer.plain, layer.linked
            kept, *kept_apart = past.layers[number]
            qkv = plain.qkv(x) if plain.qkv else first[0]
            seen, scores = _look_back(qkv, kept, past.length, step)
            output = plain.output(seen)
            if linked is not None and links is not None:
                asking = (x if linked.qkv else first[1]).index_select(0, links.rows)
                qkv = linked.qkv(asking) if linked.qkv else asking
                seen = _look_at_neighbours(qkv, kept_apart[0], past.length, links, walks)
                output.index_add_(0, links.rows, linked.output(seen))
            x = _normed(output, x, layer.self_norm)
            seen = self._look_at_words(layer.cross_query(x), number, memory, step)
            output = layer.cross_output(seen)
            if memory.at_cursor:
                output.add_(memory.at_cursor[number].view(-1, width).index_select(0, at))
            x = _normed(output, x, layer.cross_norm)
            x = _normed(layer.outer(layer.inner(x).relu_()), x, layer.norm)
        past.length += x.shape[0] // walks
        pointer = scores.view(walks, self.config.num_heads, -1, past.length)[:, POINTER_HEAD]
        return self.output_table(x), pointer.flatten(0, 1).log_softmax(-1, torch.float32)

    def _first(self, step: NextSteps, position: int) -> Tensor:
        """Give what is read, and queries, keys and values of the lowest layer: (R, 4 * D)."""
        first = self._read_first.index_select(0, step.ids)
        if step.edges is not None and self.config.edge_label_input:
            rows, labels = step.edges
            first.index_add_(0, rows, self._read_first.index_select(0, labels))
        stop = position + first.shape[0] // step.num_walks
        if stop > self._positions.shape[0]:
            table = positions_until(stop, first[:, : self.config.width])
            known = self._multiplied(table) + self._first_bias
            self._positions = torch.cat([table, known], 1)
        return first.add_(self._positions[position:stop])

    def _multiplied(self, table: Tensor) -> Tensor:
        return functional.linear(table, self._first_weight.to(table.dtype))

    def _look_at_words(
        self, asked: Tensor, number: int, memory: WordMemory, step: NextSteps
    ) -> Tensor:
        """Attend to words with the heads that see several: from (R, G * K) to the same."""
        keys, values, among = memory.keys[number], memory.values[number], step.sentences
        heads, rows = keys.shape[1], asked.shape[0]
        if among is None:
            query = asked.view(step.num_walks, -1, heads, keys.shape[2]).transpose(1, 2)
            query = query.flatten(0, 1)
        else:
            query = among.spread(asked, 1, heads)[0]  # (S * G, T, K)
        parts = []
        for first, stop, mask in step.words:
            own = query[first * heads : stop * heads]
            key, value = (part[first:stop].flatten(0, 1) for part in (keys, values))
            parts.append(_attend(own, key.transpose(1, 2), value, mask.added.shape[2], mask)[0])
        seen = torch.cat(parts) if len(parts) > 1 else parts[0]  # (S * G, T, K)
        if among is not None:
            return among.joined(seen, heads)
        return seen.view(step.num_walks, heads, -1, seen.shape[2]).transpose(1, 2).reshape(rows, -1)


def _look_back(qkv: Tensor, kept: KeptHeads, length: int, step: NextSteps) -> tuple[Tensor, Tensor]:
    """Attend over steps up to each one, ``length`` of which were read before.

    Returns:
        What is seen, (R, G * K), and the scores, (walks * G, T, L).
    """
    walks, heads, rows = step.num_walks, kept.keys.shape[1], qkv.shape[0]
    by_head = qkv.view(walks, rows // walks, 3, heads, -1)
    query, key, value = by_head.permute(2, 0, 3, 1, 4).unbind()  # (walks, G, T, K) each
    stop = length + rows // walks
    kept.keys[:walks, :, length:stop] = key
    kept.values[:walks, :, length:stop] = value
    keys, values = (part[:walks].flatten(0, 1) for part in (kept.keys, kept.values))
    seen, scores = _attend(query.flatten(0, 1), keys, values, stop, step.causal)
    return seen.view(walks, heads, -1, seen.shape[2]).transpose(1, 2).reshape(rows, -1), scores


def _look_at_neighbours(
    qkv: Tensor, kept: KeptHeads, length: int, links: Links, walks: int
) -> Tensor:
    """Attend with the graph heads where they see anything.

    Args:
        qkv: Of the n rows with links, (n, 3 * 2 * K).
        kept: What was read before; that of the rows is added.
        length: Steps read before.
        links: What is seen.
        walks: Walks that are read.

    Returns:
        What is seen, (n, 2 * K).
    """
    query, key, value = qkv.view(len(qkv), 3, 2, -1).transpose(0, 1).flatten(1, 2)  # (2n, K) each
    first = links.owners * kept.keys.shape[2]  # (2n, 1)
    here = length if walks > 1 else length + links.rows.repeat_interleave(2)
    own = first[:, 0] + here
    at = (first + links.places).flatten()
    read = []
    for part, new in ((kept.keys, key), (kept.values, value)):
        flat = part.view(-1, part.shape[3])
        flat.index_copy_(0, own, new)
        read.append(flat.index_select(0, at).view(*links.places.shape, -1))  # (2n, M, K)
    keys, values = read
    seen, _ = _attend(query[:, None], keys, values, links.places.shape[1], links.mask)
    return seen.view(len(qkv), -1)


def _attend(
    query: Tensor, keys: Tensor, values: Tensor, length: int, mask: AttentionMask | None
) -> tuple[Tensor, Tensor]:
    """Attend from queries (B, T, K) to the first ``length`` keys and values of (B, room, K).

    A single query is bound by the memory that its values lie in, which a sum of bags of rows
    reads at full speed on a processor, a product of matrices at a third of it.

    Returns:
        What is seen, (B, T, K), and the masked scores, (B, T, length).
    """
    scores, weights = weigh(query, keys[:, :length], mask)
    is_few = query.shape[0] < _FEWEST_BAGS or query.shape[1] > 1
    if is_few or values.device.type != "cpu":
        return torch.bmm(weights, values[:, :length]), scores
    rows, bags = _bags(values.shape[0], values.shape[1], length)
    flat = values.view(-1, values.shape[2])
    seen = torch.embedding_bag(flat, rows, bags, mode=0, per_sample_weights=weights.flatten())[0]
    return seen[:, None], scores


@lru_cache(maxsize=16)
def _bags(num: int, room: int, length: int) -> tuple[Tensor, Tensor]:
    """Number the first ``length`` of each ``room`` rows, and where those of each begin."""
    starts = torch.arange(0, num * room, room, dtype=torch.int32)
    rows = starts[:, None] + torch.arange(length, dtype=torch.int32)
    return rows.flatten(), torch.arange(0, num * length, length, dtype=torch.int32)


def _normed(part: Tensor, x: Tensor, norm: _Norm) -> Tensor:
    return torch.layer_norm(part.add_(x), (x.shape[1],), norm.weight, norm.bias)
