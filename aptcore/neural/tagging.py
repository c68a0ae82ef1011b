"""What is given to be parsed, tagged by spaCy with torch's matrix products.

spaCy multiplies by BLIS, which takes three times as long; tagging takes two fifths less so.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch

from aptcore.graph.amr import Sentence
from aptcore.words import given
from aptcore.words.tokens import english_pipeline

if TYPE_CHECKING:
    from thinc.api import NumpyOps

Floats = npt.NDArray[np.float32]


def sentences_of(things: Iterable[object], first: int = 0) -> list[Sentence | str]:
    """Give a sentence for each thing, or why it is none: aptcore.words.given.sentences_of."""
    _tag_by_torch()
    return given.sentences_of(things, first)


@cache
def _tag_by_torch() -> None:
    """Let the English pipeline multiply by torch, with as many threads as that takes."""
    ops = _torch_ops()
    models = (getattr(part, "model", None) for _, part in english_pipeline().pipeline)
    for model in models:
        for node in model.walk() if model else ():
            node.ops = ops


def _torch_ops() -> NumpyOps:
    from thinc.api import NumpyOps

    class TorchOps(NumpyOps):
        """Operations on arrays, matrix products by torch."""

        def gemm(
            self,
            x: Floats,
            y: Floats,
            out: Floats | None = None,
            trans1: bool = False,
            trans2: bool = False,
        ) -> Floats:
            """Multiply two matrices, each turned round where it says so."""
            one, other = (torch.from_numpy(np.ascontiguousarray(part)) for part in (x, y))
            found = torch.mm(one.t() if trans1 else one, other.t() if trans2 else other).numpy()
            if out is None:
                return found
            out[...] = found
            return out

    return TorchOps()
