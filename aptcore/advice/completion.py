"""Complete a frame or a concept while it is typed: ranked, with its meaning.

What fits the word at hand comes first, then what graphs have often. Nothing is read from
disk here, so that a list is ready between two keys.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.validation import is_constant_text
from aptcore.words.frames import Lexicon, lemma_of
from aptcore.words.rolesets import is_no_roleset
from aptcore.words.tokens import bare_words

LIMIT = 12
"""Completions given at most, unless another number is asked for."""

_MAX_SCANNED = 4000
_GUESSED = re.compile(r"sense-\d+|base-\d+")
"""Kinds of copies that only count senses on."""
_VERBAL = re.compile(r"(ed|ing)$")


Why = Literal["word", "frame list", "graphs", "project"]


@dataclass(frozen=True, slots=True)
class Completion:
    """One way to go on.

    Attributes:
        text: The whole concept or role.
        gloss: What it means; empty where no frame list says.
        count: How often training graphs have it (a role: at this concept).
        why: ``word`` (it comes from the word at hand), ``frame list``, ``graphs``, or
            ``project`` (a role of the project's own).
    """

    text: str
    gloss: str
    count: int
    why: Why


def complete_concept(
    prefix: str,
    lexicon: Lexicon,
    sentence: Sentence | None = None,
    token: int | None = None,
    limit: int = LIMIT,
) -> tuple[Completion, ...]:
    """Complete a concept.

    Args:
        prefix: What is typed so far; may be empty where a word is given.
        lexicon: Frames and counts.
        sentence: The sentence as the parser reads it, with what COPY makes of its words.
        token: The word that the concept is for, from 0.
        limit: How many to give.

    Returns:
        Those that come from the word first, by count; then exact frames of what is typed,
        then all others by count, and last what no training graph has. What is typed must
        be their beginning, or an alias of the frame list (``addition`` gives ``add-02``).
    """
    typed = prefix.lower()
    near = concepts_of_word(lexicon, sentence, token)
    found: dict[str, Why] = {}
    for concept in near:
        if concept.startswith(typed):
            found.setdefault(concept, "word")
    if typed:
        for concept in (*lexicon.senses(typed), *_beginning_with(lexicon, typed)):
            found.setdefault(concept, "frame list" if concept in lexicon.frames else "graphs")
    ranks = {concept: rank for rank, concept in enumerate(near)}
    counts = lexicon.counts.concepts

    def rank(concept: str) -> tuple[object, ...]:
        count = counts.get(concept, 0)
        is_exact = lemma_of(concept) == typed or concept == typed
        place = ranks.get(concept, len(ranks))
        return found[concept] != "word", place, not count, not is_exact, -count, concept

    chosen = sorted(found, key=rank)[:limit]
    return tuple(described(lexicon, name, found[name]) for name in chosen)


def described(lexicon: Lexicon, concept: str, why: Why = "graphs") -> Completion:
    """Give a concept with what it means and how often training graphs have it."""
    gloss = lexicon.gloss(concept) or _arguments(lexicon, concept)
    return Completion(concept, gloss, lexicon.counts.concepts.get(concept, 0), why)


def concepts_of_word(
    lexicon: Lexicon, sentence: Sentence | None, token: int | None
) -> tuple[str, ...]:
    """Give what a word may stand for: what graphs have of it by count, then the rest.

    Of what no graph has, the lemma and what a list knows come first; senses that are made
    up by counting on (``baker-04``) are left out.
    """
    if sentence is None or token is None or not 0 <= token < len(sentence.tokens):
        return ()
    word, lemma = bare_words(sentence.tokens)[token].lower(), sentence.lemmas[token]
    pairs = sentence.derived[token] if sentence.derived else ()
    derived = [concept for kind, concept in pairs if not _GUESSED.fullmatch(kind)]
    guessed = [concept for kind, concept in pairs if _GUESSED.fullmatch(kind)]
    senses = (*lexicon.senses(lemma), *lexicon.senses(word))
    counts = lexicon.counts.concepts
    first = f"{lemma}-01"
    plain = (first, lemma) if _VERBAL.search(word) and word != lemma else (lemma, first)
    named = dict.fromkeys((*derived, *plain, *senses, *guessed))
    times = {name: counts[name] for name in named if name in counts}
    for name, count in lexicon.counts.words.get(lemma, {}).items():
        times.setdefault(name, count)
    often = sorted(times, key=lambda name: -times[name])
    listed = [name for name in (*derived, *senses, *plain) if name in lexicon.frames]
    return tuple(dict.fromkeys((*often, *listed, *plain, *derived)))


def _beginning_with(lexicon: Lexicon, typed: str) -> Iterable[str]:
    names = lexicon.names
    place = bisect_left(names, typed)
    end = min(len(names), place + _MAX_SCANNED)
    while place < end and names[place].startswith(typed):
        yield names[place]
        place += 1


def _arguments(lexicon: Lexicon, concept: str) -> str:
    frame = lexicon.frames.get(concept)
    if frame is None:
        return ""
    return "; ".join(f"{role[1:]} {text}".strip() for role, text in frame.roles.items())


def is_made_up(lexicon: Lexicon, concept: str) -> bool:
    """Tell whether a concept is a frame that neither graphs nor any list have, or a number."""
    if is_constant_text(concept):
        return True
    known = concept in lexicon.counts.concepts or concept in lexicon.frames
    return not known and is_no_roleset(concept)


def covered_words(graph: AmrGraph) -> frozenset[int]:
    """Give the words that nodes and constants stand for, from 0."""
    own = (found.tokens for key, found in graph.alignments.items() if isinstance(key, str))
    return frozenset(token for tokens in own for token in tokens)


def roles_at(graph: AmrGraph, node: str) -> tuple[str, ...]:
    """Give the roles that a node has already."""
    edges = (edge.role for edge in graph.edges if edge.source == node)
    return (*edges, *(item.role for item in graph.attributes if item.source == node))
