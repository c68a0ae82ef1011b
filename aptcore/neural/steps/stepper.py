"""A model as decoding reads it: one more step of every walk of a batch, or several of one.

This is what decoding does most, so it is written out operation by operation: with few walks
the calls around an operation take longer than the operation. It gives what
:class:`aptcore.neural.model.AptModel` gives for whole walks, which is the definition. What
need not be multiplied again at each step is looked up: queries, keys and values of the lowest
layer by label and by position, and what the head at the cursor adds by word. Graph heads take
the few keys and values that they see.

Shapes: rows R, each a step; sentences S; steps of a sentence T at most; heads H, width
D = H * K; labels V; length L of a walk with what is read; G heads that see several words.
"""

from __future__ import annotations

import math
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
    DecoderLayer,
    Encoded,
    KeptHeads,
    Past,
    attend,
)
from aptcore.neural.padding import positions_until
from aptcore.neural.steps.memory import WordMemory
from aptcore.neural.steps.next_steps import Links, NextSteps
from aptcore.neural.weights import Product, product_of

_GRAPH_HEADS = slice(LEFT_ARC_HEAD, RIGHT_ARC_HEAD + 1)


class _Norm(NamedTuple):
    """Weight and bias of a norm."""

    weight: Tensor
    bias: Tensor


class _Layer(NamedTuple):
    """The weights of a decoder layer, looked up once; ``qkv`` of the lowest is a table instead.

    Of cross-attention without the head at the cursor, if there is one: what that adds to the
    output is ``at_cursor``, (D, K), of the value.
    """

    qkv: Product | None
    self_output: Product
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
        return cls(
            product_of(layer.qkv) if layer.number else None,
            product_of(layer.self_output),
            product_of(layer.cross_query, rows=others),
            product_of(output, columns=others),
            output.weight.detach()[:, own] if has_cursor else None,
            product_of(feed.inner),
            product_of(feed.outer),
            *(_Norm(n.weight, n.bias) for n in (layer.self_norm, layer.cross_norm, feed.norm)),
        )


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
        heads = range(config.num_heads)
        plain = [head for head in heads if head not in heads[_GRAPH_HEADS]]
        parts = [slice(LEFT_ARC_HEAD) if len(plain) == LEFT_ARC_HEAD else plain, _GRAPH_HEADS]
        self.head_parts = [
            parts if layer.has_graph_heads else [slice(None)] for layer in model.layers
        ]
        self._lowest = model.layers[0].qkv
        table = model.input_table.weight * math.sqrt(config.width)
        self._read_first = torch.cat([table, self._multiplied(table)], 1)  # (V, 4 * D)
        self._positions = table.new_empty(0, 4 * config.width)  # (positions, 4 * D)

    def memory_of(self, encoded: Encoded) -> WordMemory:
        """Give sentences as steps look at them."""
        others = slice(int(self.config.cursor_masks), None)
        keys, values = (
            [part[:, others].clone(memory_format=torch.contiguous_format) for part in parts]
            for parts in (encoded.keys, encoded.values)
        )
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
        width, walks = self.config.width, step.num_walks
        x, qkv = self._first(step, past.length).split([width, 3 * width], 1)
        scores, at = x, step.owners * memory.keys[0].shape[2] + step.cursors
        for number, layer in enumerate(self.layers):
            qkv = layer.qkv(x) if layer.qkv else qkv
            seen, scores = self._look_back(number, qkv, past, step)
            x = _normed(layer.self_output(seen), x, layer.self_norm)
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
            known = self._multiplied(table) + self._lowest.bias
            self._positions = torch.cat([table, known], 1)
        return first.add_(self._positions[position:stop])

    def _multiplied(self, table: Tensor) -> Tensor:
        return functional.linear(table, self._lowest.weight.to(table.dtype))

    def _look_back(
        self, number: int, qkv: Tensor, past: Past, step: NextSteps
    ) -> tuple[Tensor, Tensor]:
        """Attend over steps up to each one.

        Returns:
            What is seen, (R, D), and the scores of the heads that see all, (walks * heads, T, L).
        """
        walks, heads, rows = step.num_walks, self.config.num_heads, qkv.shape[0]
        by_head = qkv.view(walks, rows // walks, 3, heads, -1)
        query, key, value = by_head.permute(2, 0, 3, 1, 4).unbind()  # (walks, H, T, K) each
        past.put(number, key, value)
        plain, *linked = past.layers[number]
        asked = query[:, plain.heads].flatten(0, 1)  # (walks * heads, T, K)
        keys, values = (
            part[:walks].flatten(0, 1)[:, : past.length + rows // walks]
            for part in (plain.keys, plain.values)
        )
        seen, scores, _ = attend(asked, keys, values, step.causal)
        seen = seen.view(walks, -1, *seen.shape[1:]).transpose(1, 2)  # (walks, T, heads, K)
        if not linked:
            return seen.reshape(rows, -1), scores
        found = qkv.new_zeros(walks, rows // walks, heads, qkv.shape[1] // 3 // heads)
        found[:, :, plain.heads] = seen
        found = found.flatten(0, 1)  # (R, H, K)
        if step.links is not None:
            asked = qkv.view(rows, 3, heads, -1)[:, 0, _GRAPH_HEADS]
            seen = _linked(asked, linked[0], step.links)
            found[:, _GRAPH_HEADS].index_copy_(0, step.links.rows, seen)
        return found.flatten(1), scores

    def _look_at_words(
        self, asked: Tensor, number: int, memory: WordMemory, step: NextSteps
    ) -> Tensor:
        """Attend to words with the heads that see several: from (R, G * K) to the same."""
        keys, values, among = memory.keys[number], memory.values[number], step.sentences
        heads, rows = keys.shape[1], asked.shape[0]
        if among is None:
            query = asked.view(step.num_walks, -1, heads, keys.shape[3]).transpose(1, 2)
            query = query.flatten(0, 1)
        else:
            query = among.spread(asked, 1, heads)[0]  # (S * G, T, K)
        parts = []
        for first, stop, mask in step.words:
            own = query[first * heads : stop * heads]
            key, value = (
                part[first:stop].flatten(0, 1)[:, : mask.added.shape[2]] for part in (keys, values)
            )
            parts.append(attend(own, key, value, mask)[0])
        seen = torch.cat(parts) if len(parts) > 1 else parts[0]  # (S * G, T, K)
        if among is not None:
            return among.joined(seen, heads)
        return seen.view(step.num_walks, heads, -1, seen.shape[2]).transpose(1, 2).reshape(rows, -1)


def _linked(asked: Tensor, part: KeptHeads, links: Links) -> Tensor:
    """Attend with the graph heads: from queries (R, 2, K) to what n rows see, (n, 2, K)."""
    query = asked.index_select(0, links.rows)  # (n, 2, K)
    at = (links.owners * part.keys.shape[2] + links.places).flatten()
    keys, values = (
        kept.view(-1, kept.shape[3]).index_select(0, at).view(*links.places.shape, -1)
        for kept in (part.keys, part.values)
    )  # (2n, M, K) each
    seen, _, _ = attend(query.flatten(0, 1)[:, None], keys, values, links.mask)
    return seen.view(query.shape)


def _normed(part: Tensor, x: Tensor, norm: _Norm) -> Tensor:
    return torch.layer_norm(part.add_(x), (x.shape[1],), norm.weight, norm.bias)
