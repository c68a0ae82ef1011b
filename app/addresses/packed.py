"""A JSON object as text for an address, refused where it is too long for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.kit.compressed import compress_json, decompress_json
from aptcore.errors import FormatError

MAX_PACKED = 12_000
"""Longest text that an address can hold, in characters."""

MAX_UNPACKED = 2**19
"""Most bytes that are unpacked."""


def pack(document: Mapping[str, Any]) -> str | None:
    """Write an object as text for an address; None where it is too long for one."""
    packed = compress_json(document)
    return packed if len(packed) <= MAX_PACKED else None


def unpack(packed: str, what: str) -> str:
    """Give the JSON text that was packed.

    Args:
        packed: As :func:`pack` wrote it.
        what: What it stands for, for people, such as ``the lesson``.

    Raises:
        FormatError: If it is too long or damaged.
    """
    if len(packed) > MAX_PACKED:
        raise FormatError(f"{what} in this address is too long")
    return decompress_json(packed, MAX_UNPACKED, f"{what} in this address")
