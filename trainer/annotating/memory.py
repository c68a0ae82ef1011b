"""Memory that is free goes back to the system.

The C library of Linux keeps what tensors of ever other sizes leave in holes between them: over
4,000 short sentences 100 MB, and so on. What is in use does not grow.
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable
from functools import cache


@cache
def _trim() -> Callable[[int], object] | None:
    if platform.system() != "Linux" or platform.libc_ver()[0] != "glibc":
        return None
    trim: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
    return trim


def give_back() -> None:
    """Give free memory back to the system; does nothing where its C library has no such call."""
    trim = _trim()
    if trim is not None:
        trim(0)
