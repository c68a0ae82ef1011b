"""Curves for TensorBoard: an event file, written without TensorBoard.

An event file is a row of records (length, checksum of it, bytes, checksum of them), each
the protocol buffer ``tensorflow.Event``. Numbers are all that is written here, so the few
fields are put together by hand. metrics.jsonl stays the truth: what a resumed run does
again stands in its new event file, and TensorBoard then drops the older points.

Source: tensorflow/core/lib/io/record_writer.h and tensorflow/core/util/event.proto.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = "tensorboard"
"""Of the event files, in the folder of a run."""

_SPECIAL = ("step", "epoch", "dev")


class EventFile:
    """The event file of one process."""

    def __init__(self, run_folder: Path) -> None:
        name = f"events.out.tfevents.{time.time():.0f}.{socket.gethostname()}.{os.getpid()}"
        self.path = run_folder / FOLDER / name

    def add(self, values: Mapping[str, Any], step: int) -> None:
        """Add the numbers of a line of metrics.

        Args:
            values: As in metrics.jsonl; scores of dev sets become ``dev/NAME``.
            step: Steps done.
        """
        numbers = {
            f"train/{name}": float(value)
            for name, value in values.items()
            if name not in _SPECIAL and type(value) in (int, float)
        }
        numbers |= {f"dev/{name}": score for name, score in values.get("dev", {}).items()}
        if not numbers:
            return
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # The session's start: points of earlier sessions from this step on are void.
            self._append(_text(3, "brain.Event:2"))
            self._append(_number(2, step) + _message(7, _number(1, 1)))
        summary = b"".join(_message(1, _text(1, n) + _float(2, v)) for n, v in numbers.items())
        self._append(_number(2, step) + _message(5, summary))

    def _append(self, event: bytes) -> None:
        event = _double(1, time.time()) + event
        length = struct.pack("<Q", len(event))
        record = length + _checksum(length) + event + _checksum(event)
        with self.path.open("ab") as file:
            file.write(record)


def _varint(value: int) -> bytes:
    """Give a non-negative whole number in groups of seven bits, the lowest first."""
    groups = bytearray()
    while value > 127:
        groups.append(value & 127 | 128)
        value >>= 7
    return bytes([*groups, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _double(field: int, value: float) -> bytes:
    return _varint(field << 3 | 1) + struct.pack("<d", value)


def _message(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _message(field, value.encode())


def _float(field: int, value: float) -> bytes:
    return _varint(field << 3 | 5) + struct.pack("<f", value)


def _remainders() -> list[int]:
    """Give the remainder of every byte for CRC-32C (Castagnoli, reflected)."""
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _remainders()


def _checksum(content: bytes) -> bytes:
    """Give the masked CRC-32C that records carry."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc = _TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    masked = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    return struct.pack("<I", masked)
