"""What steps read of sentences: keys and values of the words, and what the cursor's word adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class WordMemory:
    """S sentences, N words at most, as every decoder layer looks at them.

    The head at the cursor sees one word, so nothing is asked there: what it adds to the output
    of cross-attention is known for each word before.

    Attributes:
        keys: For each layer, (S, G, K, N) of the G other heads, as a single query reads them best.
        values: For each layer, (S, G, N, K).
        at_cursor: For each layer, (S, N, D), what the head at the cursor adds; none without
            such a head.
    """

    keys: Sequence[Tensor]
    values: Sequence[Tensor]
    at_cursor: Sequence[Tensor]

    def mapped(self, change: Callable[[Tensor], Tensor]) -> WordMemory:
        """Do the same to every tensor."""
        parts = (self.keys, self.values, self.at_cursor)
        return WordMemory(*([change(tensor) for tensor in part] for part in parts))
