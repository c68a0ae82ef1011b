"""Any other encoder, through transformers: by the folder or the name that it has on the hub.

Imported only where such an encoder is asked for: transformers is slow to import.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer
from transformers.utils.logging import disable_progress_bar

from aptcore.errors import ConfigurationError

disable_progress_bar()

_PIECES_IN_BATCH = 4096
_MORE_PIECES, _FEW_PIECES = 1.3, 4


class Pretrained(nn.Module):
    """An encoder of transformers with its tokeniser; as :class:`aptcore.neural.encoders.bert.Bert`.

    Attributes:
        width: Of its vectors.
        layers: Lowest first.
        reach: Pieces of a text at most, with those before and after it.
    """

    def __init__(self, source: str) -> None:
        """Load it.

        Raises:
            OSError: It cannot be had.
            ValueError: It is none that transformers knows.
            ConfigurationError: It is not built of like layers.
        """
        super().__init__()
        self.tokenizer = AutoTokenizer.from_pretrained(source, add_prefix_space=True)
        self.model = AutoModel.from_pretrained(source, dtype=torch.float32)
        config = self.model.config
        self.width = int(config.hidden_size)
        self.reach = min(self.tokenizer.model_max_length, config.max_position_embeddings - 2)

    @property
    def layers(self) -> nn.ModuleList:
        """The list of layers itself."""
        depth = self.model.config.num_hidden_layers
        for module in self.model.modules():
            if isinstance(module, nn.ModuleList) and len(module) == depth:
                return module
        kind = self.model.config.model_type
        raise ConfigurationError(f"{kind} is no encoder with {depth} like layers")

    def split(self, tokens: Sequence[str], is_framed: bool = False) -> tuple[list[int], list[int]]:
        """Give the pieces of words and the word of each; ``is_framed`` adds those around a text."""
        found = self.tokenizer(
            list(tokens), is_split_into_words=True, add_special_tokens=is_framed, verbose=False
        )
        return found["input_ids"], found.word_ids() if found["input_ids"] else []

    def forward(self, texts: Sequence[Sequence[int]], layers: Sequence[int]) -> Tensor:
        """Give the mean of layers for the pieces of all texts, (P, width); see Bert."""
        parts: dict[int, Tensor] = {}
        device, filler = self.model.device, self.tokenizer.pad_token_id
        for batch in _batches([len(pieces) for pieces in texts]):
            longest = max(len(texts[number]) for number in batch)
            rows = [[*texts[n], *[filler] * (longest - len(texts[n]))] for n in batch]
            mask = [[1] * len(texts[n]) + [0] * (longest - len(texts[n])) for n in batch]
            output = self.model(
                input_ids=torch.tensor(rows, device=device),
                attention_mask=torch.tensor(mask, device=device),
                output_hidden_states=True,
            )
            mean = torch.stack([output.hidden_states[layer] for layer in layers]).mean(0).float()
            parts.update(
                (number, mean[row, : len(texts[number])]) for row, number in enumerate(batch)
            )
        return torch.cat([parts[number] for number in range(len(texts))])


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group texts of like length, so that a third less work is done at padding."""
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda number: lengths[number]):
        length = lengths[number]
        is_long = bool(batch) and length > _MORE_PIECES * lengths[batch[0]] + _FEW_PIECES
        if is_long or (len(batch) + 1) * length > _PIECES_IN_BATCH:
            if batch:
                yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch
