"""A JSON object as text for an address: compressed, and refused where it is too long."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

from aptcore.errors import FormatError

MAX_PACKED = 12_000
"""Longest text that an address can hold, in characters."""

MAX_UNPACKED = 400_000
"""Most bytes that are unpacked: a short text can stand for very many."""


def pack(document: Mapping[str, Any]) -> str | None:
    """Write an object as text for an address; None where it is too long for one."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")
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
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(base64.urlsafe_b64decode(packed.encode("ascii")), MAX_UNPACKED)
        return text.decode("utf-8")
    except (binascii.Error, zlib.error, UnicodeError) as error:
        reason = f"{what} in this address is damaged: part of the link is missing or changed"
        raise FormatError(reason) from error
