"""Word shapes: what an uncased encoder loses."""

from __future__ import annotations

from collections.abc import Iterable

NUM_SHAPES = 10
"""Shapes that :func:`word_shape` tells apart."""


def word_shape(token: str, is_first: bool) -> int:
    """Give the shape of a word.

    0 lower case, 1 capitalised, 2 capitalised at the start of the sentence, 3 all upper
    case, 4 mixed case, 5 digits only, 6 digits and letters, 7 digits and signs,
    8 no letter or digit, 9 anything else.
    """
    has_digit = any(character.isdigit() for character in token)
    letters = [character for character in token if character.isalpha()]
    if has_digit:
        if letters:
            return 6
        return 5 if token.isdigit() else 7
    if not letters:
        return 8
    word = "".join(letters)
    if word.islower():
        return 0
    if word.isupper() and len(word) > 1:
        return 3
    if word[0].isupper() and (len(word) == 1 or word[1:].islower()):
        return 2 if is_first else 1
    return 4 if word != word.lower() else 9


def sentence_shapes(tokens: Iterable[str]) -> tuple[int, ...]:
    """Give the shape of every word of a sentence."""
    return tuple(word_shape(token, position == 0) for position, token in enumerate(tokens))
