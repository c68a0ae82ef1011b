"""The two parts of a lesson that the machine needs: its sentence and its graph."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import Any

from aptcore.errors import FormatError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.penman import GraphWarning, parse_penman, without_wiki
from aptcore.graph.validation import problems_of
from aptcore.words.tokens import token_offsets

_MARK = re.compile(r"~(?:[A-Za-z]\.?)?(\d+(?:,\d+)*)")
MAX_TOKENS = 120
MAX_ITEMS = 150
"""Most concepts and constants of a lesson's graph."""


def read_sentence(document: Mapping[str, Any], name: str) -> Sentence:
    """Make the sentence.

    Raises:
        FormatError: If a field is missing or wrong.
        InputError: If a token is not in the text.
    """
    unknown = set(document) - {"text", "tokens", "lemmas", "derived"}
    if unknown:
        raise FormatError(f"unknown field {min(map(str, unknown))!r} in 'sentence'")
    text = document.get("text")
    if not isinstance(text, str) or not text.strip():
        raise FormatError("'sentence' needs its 'text'")
    tokens, lemmas = _words(document, "tokens"), _words(document, "lemmas")
    if len(tokens) != len(lemmas):
        raise FormatError(f"there are {len(tokens)} tokens but {len(lemmas)} lemmas")
    if len(tokens) > MAX_TOKENS:
        raise FormatError(f"the sentence has {len(tokens)} tokens; at most {MAX_TOKENS} fit")
    derived = _derived(document.get("derived", []), len(tokens))
    sentence = Sentence(name, text, tokens, lemmas, derived)
    token_offsets(sentence)
    return sentence


def _words(document: Mapping[str, Any], name: str) -> tuple[str, ...]:
    words = document.get(name)
    is_list = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not is_list or not words or not all(word.split() for word in words):
        raise FormatError(f"{name!r} in 'sentence' must be a list of words")
    return tuple(words)


def _derived(rows: Any, num_tokens: int) -> tuple[tuple[tuple[str, str], ...], ...]:
    is_sound = isinstance(rows, list) and len(rows) in (0, num_tokens)
    pairs = [pair for row in rows if isinstance(row, list) for pair in row] if is_sound else []
    is_sound = is_sound and all(isinstance(row, list) for row in rows)
    for pair in pairs:
        is_text = isinstance(pair, list) and all(isinstance(part, str) for part in pair)
        is_sound = is_sound and is_text and len(pair) == 2
    if not is_sound:
        raise FormatError("'derived' must hold, for each token, a list of [kind, concept] pairs")
    return tuple(tuple((kind, concept) for kind, concept in row) for row in rows)


def read_graph(penman: str, sentence: Sentence) -> AmrGraph:
    """Read a lesson's graph with its ``~e.N`` marks; ``:wiki`` is left out.

    Raises:
        FormatError: If it is no sound graph, or a mark names a token that does not exist.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GraphWarning)
        graph, _ = without_wiki(parse_penman(penman))
    problems = [str(warning.message) for warning in caught]
    problems += [problem.message for problem in problems_of(graph) if problem.is_error]
    if len(graph.nodes) + len(graph.attributes) > MAX_ITEMS:
        problems.append(f"the graph has more than {MAX_ITEMS} concepts and constants")
    if problems:
        raise FormatError("; ".join(dict.fromkeys(problems)))
    _check_marks(graph, penman, len(sentence.tokens) - 1)
    return graph


def _check_marks(graph: AmrGraph, penman: str, last: int) -> None:
    """Refuse the first mark that names no token, with its place in the text."""
    past = {each.tokens[-1] for each in graph.alignments.values() if each.tokens[-1:] > (last,)}
    if not past:
        return
    message = f"a mark ~e.{min(past)} is past the last token, {last}"
    for number, line in enumerate(penman.split("\n"), start=1):
        for mark in _MARK.finditer(line):
            if str(min(past)) in mark[1].split(","):
                raise FormatError(message, line=number, offset=mark.start(), text=line)
    raise FormatError(message)
