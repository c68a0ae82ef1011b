"""The model over padded batches, every head at every place: the slow twin of the model."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from aptcore.neural.masks import LabelMasks, Walk
from aptcore.neural.model import (
    AFTER_HEAD,
    CURSOR_HEAD,
    LEFT_ARC_HEAD,
    POINTER_HEAD,
    RIGHT_ARC_HEAD,
    AptModel,
)
from aptcore.neural.padding import sinusoidal_positions


def padded(rows: Sequence[Sequence[int]], filler: int) -> Tensor:
    """Stack lists of unequal length, (batch, longest) int64."""
    longest = max(len(row) for row in rows)
    return torch.tensor([[*row, *[filler] * (longest - len(row))] for row in rows])


def legal_labels(walks: Sequence[Walk], masks: LabelMasks) -> Tensor:
    """Give the legal labels of every step, (batch, steps, V) bool; padding: row 0."""
    legal = masks.table[padded([walk.legal for walk in walks], 0)]  # (batch, steps, V)
    for number, walk in enumerate(walks):
        for step, label in walk.illegal:
            legal[number, step, label] = False
    return legal


def slow_outputs(
    model: AptModel,
    walks: Sequence[Walk],
    vectors: Sequence[Tensor],
    shapes: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor]:
    """Read sentences and walks; gives logits (B, T, V) and the pointer's logs (B, T, T)."""
    words, token_mask = _words(model, vectors, shapes)
    ids = padded([walk.ids for walk in walks], 0)
    edge_ids = padded([walk.edge_ids for walk in walks], -1)
    cursor = padded([walk.cursor for walk in walks], 0)
    x = model.input_table(ids)  # (B, T, D)
    if model.config.edge_label_input and model.config.graph_embedding:
        x = x + model.input_table(edge_ids.clamp(min=0)) * (edge_ids >= 0)[..., None]
    x = x * math.sqrt(model.config.width)
    x = x + sinusoidal_positions(x.shape[1], x.shape[2]).to(x.dtype)
    causal, graph = _self_masks(model, walks, ids.shape[1])
    crossing = _cross_mask(model, cursor, token_mask)
    for layer in model.layers:
        mask = graph if layer.has_graph_heads else causal
        query, key, value = (_split(model, part) for part in layer.qkv(x).chunk(3, -1))
        seen, scores = _attend(query, key, value, mask)
        x = layer.self_norm(x + layer.self_output(seen))
        key, value = (_split(model, part) for part in layer.cross_key_value(words).chunk(2, -1))
        seen, _ = _attend(_split(model, layer.cross_query(x)), key, value, crossing)
        x = layer.cross_norm(x + layer.cross_output(seen))
        x = layer.feed_forward(x)
    return model.output_table(x), scores[:, POINTER_HEAD].log_softmax(-1)


def _words(
    model: AptModel, vectors: Sequence[Tensor], shapes: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor]:
    """Encode words, (B, N, D), and tell which there are, (B, N) bool."""
    x = model.word_projection(torch.nn.utils.rnn.pad_sequence(list(vectors), batch_first=True))
    if model.config.num_shapes:
        x = x + model.shape_table(padded(shapes, 0))
    x = functional.pad(x, (0, 0, 0, 1))  # (B, N, D)
    lengths, tokens = torch.tensor([len(vector) for vector in vectors]), torch.arange(x.shape[1])
    root = model.input_table.weight[model.config.root_id] * math.sqrt(model.config.width)
    x = torch.where((tokens == lengths[:, None])[..., None], root, x)
    x = x + sinusoidal_positions(x.shape[1], x.shape[2]).to(x.dtype)
    token_mask = tokens <= lengths[:, None]  # (B, N)
    for layer in model.encoder_layers:
        query, key, value = (_split(model, part) for part in layer.qkv(x).chunk(3, -1))
        seen, _ = _attend(query, key, value, token_mask[:, None, None])
        x = layer.feed_forward(layer.norm(x + layer.output(seen)))
    return x, token_mask


def _self_masks(model: AptModel, walks: Sequence[Walk], steps: int) -> tuple[Tensor, Tensor]:
    causal = torch.ones(steps, steps, dtype=torch.bool).tril()[None, None]
    if not model.config.graph_embedding:
        return causal, causal
    graph = causal.repeat(len(walks), model.config.num_heads, 1, 1)
    graph[:, [LEFT_ARC_HEAD, RIGHT_ARC_HEAD]] = False
    for number, walk in enumerate(walks):
        for head, pairs in ((LEFT_ARC_HEAD, walk.left), (RIGHT_ARC_HEAD, walk.right)):
            for step, position in pairs:
                graph[number, head, step, position] = True
    return causal, graph


def _cross_mask(model: AptModel, cursor: Tensor, token_mask: Tensor) -> Tensor:
    mask = token_mask[:, None, None].repeat(1, model.config.num_heads, cursor.shape[1], 1)
    if model.config.cursor_masks:
        tokens = torch.arange(token_mask.shape[1])
        mask[:, CURSOR_HEAD] = tokens == cursor[..., None]
        mask[:, AFTER_HEAD] &= tokens > cursor[..., None]
    return mask  # (B, H, T, N)


def _split(model: AptModel, vectors: Tensor) -> Tensor:
    """(B, T, D) to (B, H, T, K)."""
    return vectors.unflatten(2, (model.config.num_heads, -1)).transpose(1, 2)


def _attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Give what is seen, (B, T, D), and the masked scores; what sees nothing gets zeros."""
    scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5  # (B, H, T, N)
    blind = ~mask.any(-1, keepdim=True)
    scores = scores.masked_fill(~(mask | blind), -torch.inf)
    seen = scores.softmax(-1).masked_fill(blind, 0.0) @ value  # (B, H, T, K)
    return seen.transpose(1, 2).flatten(2), scores
