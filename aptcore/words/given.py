"""What is given to be parsed: texts, sentences, lists of tokens, spaCy's documents and spans."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import cast

from aptcore.errors import InputError
from aptcore.graph.amr import Sentence
from aptcore.words.tokens import sentence_from_tokens, tokenize_all


def sentences_of(given: object) -> list[Sentence | str]:
    """Give a sentence for each thing given, or why it is none, in order.

    Args:
        given: Any iterable, a generator or an open file as well: of texts, sentences,
            lists of tokens, spaCy ``Doc`` and ``Span``.

    Returns:
        A sentence, or the reason why there is none, with the place from 0 and the type.

    Raises:
        TypeError: If one thing is given that is no iterable of sentences.
    """
    is_one = isinstance(given, str | bytes | Sentence) or _is_of_spacy(given)
    if is_one or not isinstance(given, Iterable):
        raise TypeError(f"give a list of sentences, not one {type(given).__name__}")
    found = [_sentence(item, place) for place, item in enumerate(given)]
    texts = [item for item in found if isinstance(item, _Text)]
    fresh = iter(tokenize_all(texts))
    return [next(fresh) if isinstance(item, _Text) else item for item in found]


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
