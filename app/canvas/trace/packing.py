"""Numbers and texts made small for the browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
"""Digits of base 64, all of them safe in JSON, HTML and a script; ``unpack.js`` has them too."""


_NOISE = 1e-6  # of a sum of shares in single precision


def pack(number: int, width: int) -> str:
    """Write a number in base 64: a weight as JSON takes ten characters, packed it takes four.

    Args:
        number: From 0 on.
        width: Characters to fill, zeros first.

    Raises:
        ValueError: If the number is negative or too large.
    """
    if not 0 <= number < 64**width:
        raise ValueError(f"cannot pack {number} into {width} characters: 0 to {64**width - 1} fit")
    return "".join(DIGITS[number >> 6 * place & 63] for place in reversed(range(width)))


def pack_pairs(weights: Sequence[tuple[int, float]], num_kept: int | None = None) -> str:
    """Write positions and weights in thousandths, four characters each, the largest first.

    Args:
        weights: Shares, 0..1.
        num_kept: How many to write, zeros where there are fewer; None leaves out what is 0
            when written with three decimals.
    """
    largest = sorted(weights, key=lambda pair: -pair[1])
    pairs = [(position, thousandths(weight)) for position, weight in largest]
    if num_kept is None:
        pairs = [pair for pair in pairs if pair[1] > 0]
    else:
        pairs = pairs[:num_kept] + [(0, 0)] * (num_kept - len(pairs))
    return "".join(pack(position, 2) + pack(weight, 2) for position, weight in pairs)


def thousandths(share: float) -> int:
    """Round a share, 0..1, to thousandths; only what is all of it is written as all.

    >>> thousandths(0.9996), thousandths(0.99999999), thousandths(0.0004)
    (999, 1000, 0)
    """
    return min(round(share * 1000), 999 if share < 1 - _NOISE else 1000)


class Numbers(dict[Any, int]):
    """Numbers for texts or rows, in order of first use."""

    def of(self, entry: Any) -> int:
        """Give the number of an entry, a new one where it is new."""
        return self.setdefault(entry, len(self))
