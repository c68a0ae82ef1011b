"""Small whole numbers as short text, which keeps a long trace under 100 KB.

A weight of a head as JSON takes ten characters, packed it takes four. The canvas
unpacks with the same digits (``unpack`` in ``unpack.js``).
"""

from __future__ import annotations

from collections.abc import Iterable

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
"""Digits of base 64, all of them safe in JSON, HTML and a script."""


def pack(number: int, width: int) -> str:
    """Write a number in base 64.

    Args:
        number: From 0 on.
        width: Characters to fill, zeros first.

    Raises:
        ValueError: If the number is negative or too large.
    """
    if not 0 <= number < 64**width:
        raise ValueError(f"cannot pack {number} into {width} characters: 0 to {64**width - 1} fit")
    return "".join(DIGITS[number >> 6 * place & 63] for place in reversed(range(width)))


def pack_pairs(pairs: Iterable[tuple[int, int]]) -> str:
    """Write pairs of a position and a weight in thousandths, four characters each."""
    return "".join(pack(position, 2) + pack(weight, 2) for position, weight in pairs)
