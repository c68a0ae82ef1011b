"""User text made safe for the places it is shown in: Markdown, and labels in a drawing."""

from __future__ import annotations

import re
import unicodedata

_IN_WORD = r"[^\W_]"
_MARKDOWN = re.compile(rf"([\\`*_{{}}\[\]()<>#+.!|~$:&=^\"']|(?<!{_IN_WORD})-|-(?!{_IN_WORD}))")
_BLANKS = re.compile(r"\s+")


def escape_markdown(text: str) -> str:
    """Write text so that Streamlit's Markdown shows exactly these characters on one line.

    Every sign that Markdown, its formulas, emoji or colour directives could read is
    preceded by a backslash; runs of white space become one space. The hyphen of ``go-02`` is
    none: names that screen readers get of fields and boxes keep their backslashes.
    """
    return _MARKDOWN.sub(r"\\\1", _BLANKS.sub(" ", text).strip())


def as_sentence(text: str) -> str:
    """Make a sentence of a reason: a word at its head gets a capital, its end a full stop.

    >>> as_sentence("there is no file"), as_sentence("amr.txt, line 3: too long")
    ('There is no file.', 'amr.txt, line 3: too long.')
    """
    head = re.sub(r"^[^\W\d_]+(?=[\s,:])", lambda word: word[0][0].upper() + word[0][1:], text)
    return head if head.endswith((".", "?", "!")) else f"{head}."


def counted(number: int, noun: str) -> str:
    """Write a number with its noun.

    >>> counted(1, "hit"), counted(1200, "hit")
    ('1 hit', '1,200 hits')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def moment_text(step: int, num_actions: int) -> str:
    """Name a moment as the canvas does (``momentText``), the same wherever it is counted.

    >>> moment_text(3, 27)
    'After 3 of 27 actions'
    """
    return f"After {step} of {counted(num_actions, 'action')}"


def num_columns(text: str) -> int:
    """Count the columns that a text takes: 2 for East Asian wide signs, 0 for marks."""
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def shorten(text: str, columns: int) -> str:
    """Cut a text in its middle so that it takes at most so many columns."""
    if num_columns(text) <= columns:
        return text
    room = columns - 1
    head = _take(text, (room + 1) // 2)
    tail = _take(text[::-1], room // 2)[::-1]
    return f"{head}…{tail}"


def _take(text: str, columns: int) -> str:
    used = 0
    for position, character in enumerate(text):
        used += _columns_of(character)
        if used > columns:
            return text[:position]
    return text
