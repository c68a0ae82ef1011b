"""The bytes of a file as text, and what in them is none."""

from __future__ import annotations

import re

from aptcore.errors import FormatError

_FIRST_UNDECODED = 0xDC00  # byte 0xE9 is read as U+DCE9, see ``decode_text``
_UNDECODED = re.compile(r"[\udc80-\udcff]")

_KNOWN = {
    b"PAR1": "a Parquet table",
    b"%PDF-": "a PDF document",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\x1f\x8b": "compressed with gzip",
    b"BZh91AY": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF87a": "a picture",
    b"GIF89a": "a picture",
    b"SQLite format 3": "an SQLite database",
    b"{\\rtf": "an RTF document",
    b"\xd0\xcf\x11\xe0": "an office document",
}
"""What a file begins with that is no text, and what it then is."""


def decode_text(content: bytes, path: str) -> str:
    """Give the text of a file's bytes; what is not UTF-8 in it can be encoded back.

    Args:
        content: All bytes of the file.
        path: What the file is called in messages.

    Raises:
        FormatError: The file is not text in UTF-8 at all (UTF-16, binary).
    """
    for start, kind in _KNOWN.items():
        if content.startswith(start):
            what_to_do = "unpack it" if kind.startswith("compressed") else "save its text as UTF-8"
            raise FormatError(f"the file is {kind}, not text: {what_to_do}", path=path)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("the file is in UTF-16; save it as UTF-8", path=path, line=1, offset=0)
    if b"\0" in content:
        before = re.split(rb"\r\n|\n|\r", content[: content.index(b"\0")])
        message = (
            f"the file is not text: it holds a zero byte, byte {len(before[-1]) + 1} of the line"
        )
        line, offset = len(before), len(before[-1])
        raise FormatError(message, path=path, line=line, offset=offset)
    return content.decode("utf-8", errors="surrogateescape")


def undecoded(text: str) -> str | None:
    r"""Say which bytes of a text were not UTF-8, and what to do; None where all were.

    >>> undecoded(decode_text(b"caf\xe9", ""))
    'byte 0xE9 is not UTF-8: save the file as UTF-8'
    """
    found = _UNDECODED.findall(text)
    if not found:
        return None
    first = f"byte 0x{ord(found[0]) - _FIRST_UNDECODED:02X}"
    others = f" and {len(found) - 1:,} more are" if len(found) > 1 else " is"
    return f"{first}{others} not UTF-8: save the file as UTF-8"
