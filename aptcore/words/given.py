"""What is given to be parsed: texts, sentences, lists of tokens, spaCy's documents and spans."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import cast

from aptcore.errors import InputError
from aptcore.graph.amr import Sentence
from aptcore.words.tokens import has_words, sentence_from_tokens, tokenize_all

MAX_TOKENS = 1500
"""Longest sentence that is parsed, in tokens."""

MAX_CHARACTERS = 50_000
"""Longest text that is looked at as one sentence: a book in one line takes minutes to tokenise."""


def several(given: object) -> Iterable[object]:
    """Give back what is an iterable of things to parse.

    Raises:
        TypeError: If it is one thing, or none.
    """
    is_one = isinstance(given, str | bytes | Sentence) or _is_of_spacy(given)
    if is_one or not isinstance(given, Iterable):
        raise TypeError(f"give a list of sentences, not one {type(given).__name__}")
    return given


def sentences_of(given: object, first: int = 0) -> list[Sentence | str]:
    """Give a sentence for each thing given, or why it is none, in order.

    Args:
        given: Any iterable, a generator or an open file as well: of texts, sentences,
            lists of tokens, spaCy ``Doc`` and ``Span``.
        first: The place of its first item among all that are parsed.

    Returns:
        A sentence, or the reason why there is none, with the place from 0 and the type.

    Raises:
        TypeError: If one thing is given that is no iterable of sentences.
    """
    found = [_sentence(item, place) for place, item in enumerate(several(given), first)]
    texts = [item for item in found if isinstance(item, _Text)]
    fresh = iter(tokenize_all([text if len(text) <= MAX_CHARACTERS else "" for text in texts]))
    return [
        replace(next(fresh), text=str(item)) if isinstance(item, _Text) else item for item in found
    ]


def chunks_of(given: Iterable[object], size: int) -> Iterator[tuple[int, list[object]]]:
    """Read things to parse, some at a time.

    Yields:
        Up to ``size`` of them, with the place of the first. If reading fails, what was read
        comes before the error.
    """
    waiting, first, error = iter(given), 0, None
    while error is None:
        chunk: list[object] = []
        try:
            for item in islice(waiting, size):
                chunk.append(item)
        except Exception as failure:
            error = failure
        if not chunk:
            break
        yield first, chunk
        first += len(chunk)
    if error is not None:
        raise error


def why_not(sentence: Sentence) -> str | None:
    """Say why a sentence cannot be parsed; None where it can."""
    if len(sentence.text) > MAX_CHARACTERS:
        return (
            f"the sentence has {len(sentence.text):,} characters; at most {MAX_CHARACTERS:,} are "
            f"parsed: {sentence.text[:40]!r} ..."
        )
    if not has_words(sentence):
        return "the sentence has no words: no letter or digit is in it"
    if len(sentence.tokens) > MAX_TOKENS:
        return (
            f"the sentence has {len(sentence.tokens)} tokens; at most {MAX_TOKENS} are "
            f"parsed: {sentence.text[:40]!r} ..."
        )
    return None


class _Text(str):
    """A text still to be tokenised."""


def _sentence(item: object, place: int) -> Sentence | str:
    if isinstance(item, Sentence):
        return item
    if isinstance(item, str):  # half a surrogate pair becomes U+FFFD
        line = item.rstrip("\r\n")  # as an open file gives it
        return _Text(line.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    if _is_of_spacy(item):
        words = [str(token) for token in cast(Iterable[object], item)]
        return sentence_from_tokens([word for word in words if word.strip()], text=str(item))
    if isinstance(item, list | tuple) and all(isinstance(token, str) for token in item):
        try:
            return sentence_from_tokens(item)
        except InputError as error:
            return f"item {place} is no list of tokens: {error}"
    return (
        f"item {place} is {item!r:.60} of type {type(item).__name__}: "
        "a text, a Sentence, a list of tokens or a spaCy Doc or Span can be parsed"
    )


def _is_of_spacy(item: object) -> bool:
    """Tell whether a thing is a document or span of spaCy, without loading it."""
    spacy = sys.modules.get("spacy.tokens")
    return spacy is not None and isinstance(item, (spacy.Doc, spacy.Span))
