"""A JSON value as compressed text for an address or a page, read again within a bound."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import Any

from aptcore.errors import FormatError


def compress_json(document: Any) -> str:
    """Write a JSON value as letters, digits, ``-``, ``_`` and ``=``."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    compressed = zlib.compress(text.encode("utf-8", "surrogatepass"), 9)
    return base64.urlsafe_b64encode(compressed).decode("ascii")


def decompress_json(compressed: str, most: int, what: str) -> str:
    """Give the text of a JSON value that was compressed.

    Args:
        compressed: As :func:`compress_json` wrote it; ``+`` and ``/`` are ``-`` and ``_`` too.
        most: Most bytes that it may take: a short text can stand for very many.
        what: What it is, for people, such as ``the lecture``.

    Raises:
        FormatError: If it is damaged, or takes more.
    """
    try:
        reader = zlib.decompressobj()
        text = reader.decompress(base64.urlsafe_b64decode(compressed.encode("ascii")), most)
        if reader.unconsumed_tail:
            raise FormatError(f"{what} holds more than {most / 2**20:g} MB")
        if not reader.eof:
            raise ValueError("its end is missing")
        return text.decode("utf-8", "surrogatepass")
    except (binascii.Error, zlib.error, ValueError) as error:
        raise FormatError(f"{what} is damaged: part of it is missing or changed") from error
