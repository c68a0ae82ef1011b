"""Lemmas in the form that AMR concepts have.

spaCy's lemma is the starting point; what is changed was chosen by how often the concept
aligned to a word equals its lemma, or its lemma with ``-01``, in the free training data.
Numbers are digits, contractions are whole words, pronouns are in the nominative. Nouns
and participles made from a verb give the verb ("activation" gives "activate": 1,320 of
1,509 such words in ``-ation``), adverbs the adjective ("rapidly" gives "rapid"). Endings
that are right less than half the time are left alone: ``-er``, ``-al``, ``-ent``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from aptcore.surface import NUMBER_WORDS

_WORDS = {
    "n't": "not",
    "'ll": "will",
    "'re": "be",
    "'m": "be",
    "'ve": "have",
    "ca": "can",
    "wo": "will",
    "sha": "shall",
    "ai": "be",
    "these": "this",
    "those": "that",
    "people": "person",
    "data": "data",
    "fig": "figure",
    "fig.": "figure",
    "figs": "figure",
    "further": "further",
    "ok": "okay",
    "born": "bear",
    "dna": "DNA",
    "rna": "RNA",
    "wt": "wild-type",
    "growth": "grow",
    "dependent": "depend",
    "independent": "depend",
    "resistant": "resist",
    "resistance": "resist",
    "mutant": "mutate",
    "mutants": "mutate",
    "exposure": "expose",
    "survival": "survive",
    "failure": "fail",
    "inhibitor": "inhibit",
    "inhibitors": "inhibit",
    "response": "respond",
    "responses": "respond",
    "death": "die",
    "existence": "exist",
    "because": "cause",
}
_UNITS = {
    "h": "hour",
    "hr": "hour",
    "hrs": "hour",
    "min": "minute",
    "mins": "minute",
    "sec": "second",
    "km": "kilometer",
    "cm": "centimeter",
    "mm": "millimeter",
    "kg": "kilogram",
    "mg": "milligram",
    "ml": "milliliter",
    "kda": "kilodalton",
    "mph": "mile-per-hour",
}
_MOLAR = {"nM": "nanomolar", "mM": "millimolar", "μM": "micromolar", "µM": "micromolar"}
_PRONOUNS = {
    "me": "i",
    "my": "i",
    "mine": "i",
    "myself": "i",
    "your": "you",
    "yours": "you",
    "yourself": "you",
    "yourselves": "you",
    "him": "he",
    "his": "he",
    "himself": "he",
    "her": "she",
    "hers": "she",
    "herself": "she",
    "its": "it",
    "itself": "it",
    "us": "we",
    "our": "we",
    "ours": "we",
    "ourselves": "we",
    "them": "they",
    "their": "they",
    "theirs": "they",
    "themselves": "they",
}
_NUMBERS = {word: str(value) for word, value in NUMBER_WORDS.items() if word != "one"} | {
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "millions": "1000000",
    "billion": "1000000000",
}
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_QUOTES = str.maketrans({"’": "'", "‘": "'"})

_VERB_ENDINGS = (
    ("ification", ("ify",)),
    ("ization", ("ize",)),
    ("isation", ("ise", "ize")),
    ("ation", ("ate", "", "e")),
    ("ition", ("e", "", "it")),
    ("uction", ("uce", "uct")),
    ("ution", ("ve", "ute")),
    ("ption", ("be", "ve", "pt")),
    ("ction", ("ct",)),
    ("ssion", ("ss", "t")),
    ("sion", ("de", "d", "se", "t", "s")),
    ("tion", ("t", "te")),
    ("ment", ("",)),
    ("ance", ("", "e")),
    ("ysis", ("yze",)),
    ("ing", ("", "e")),
    ("ed", ("", "e")),
)
"""Endings of nouns and participles, and what the verb may have in their place."""

_NO_VERBS = frozenset(
    "balance basement bedding being building ceiling constellation department environment evening "
    "feeling finance importance location marketing meaning mission morning opening organization "
    "passion petition population portion position profession question railing relation situation "
    "station television version wedding".split()
)
"""Nouns with such an ending that AMR keeps."""

_NO_ADJECTIVES = frozenset(
    "accordingly approximately barely early especially hardly lately likely lonely lively mostly "
    "namely nearly only really roughly".split()
)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The verbs, adjectives and nouns that spaCy's lemmatiser knows."""

    verbs: frozenset[str]
    adjectives: frozenset[str]
    nouns: frozenset[str] = frozenset()


def normalize_lemma(token: str, lemma: str, tag: str, lexicon: Lexicon) -> str:
    """Give the lemma of a token as AMR would write it.

    Args:
        token: The word as it stands in the text.
        lemma: spaCy's lemma.
        tag: Its Penn Treebank tag.
        lexicon: What a derived verb or adjective must be in.

    Returns:
        The lemma in lower case; never empty for a token that is not empty.
    """
    word = token.lower().translate(_QUOTES)
    if tag in ("PRP", "PRP$") and word in _PRONOUNS:
        return _PRONOUNS[word]
    if token in _MOLAR:
        return _MOLAR[token]
    for table in (_WORDS, _NUMBERS, _UNITS):
        if word in table:
            return table[word]
    if _GROUPED.fullmatch(word):
        return word.replace(",", "")
    base = _without_accents(lemma.lower().strip()) or word
    if tag.startswith("NNP"):
        return base
    if tag == "RB":
        return _adjective(base, lexicon)
    if tag.startswith("NN") or tag == "JJ":
        return _verb(base, lexicon)
    return base


def _verb(lemma: str, lexicon: Lexicon) -> str:
    if lemma in _NO_VERBS:
        return lemma
    return next((verb for verb in _verb_candidates(lemma) if verb in lexicon.verbs), lemma)


def _verb_candidates(lemma: str) -> Iterator[str]:
    for ending, replacements in _VERB_ENDINGS:
        stem = lemma.removesuffix(ending)
        if stem == lemma or len(stem) < 3:
            continue
        for replacement in replacements:
            yield stem + replacement
        if ending in ("ing", "ed") and stem[-1] == stem[-2]:
            yield stem[:-1]


def _adjective(lemma: str, lexicon: Lexicon) -> str:
    if lemma in _NO_ADJECTIVES or not lemma.endswith("ly") or len(lemma) < 5:
        return lemma
    stem = lemma[:-2]
    candidates = [stem]
    if stem.endswith("i"):
        candidates.append(stem[:-1] + "y")
    if stem.endswith("b"):
        candidates.append(stem + "le")
    if stem.endswith("al"):
        candidates.append(stem[:-2])
    candidates += [stem + "l", stem + "e"]
    return next((form for form in candidates if form in lexicon.adjectives), lemma)


def _without_accents(lemma: str) -> str:
    """Strip accents from Latin letters ("naïve"); other scripts stay as they are."""
    if lemma.isascii():
        return lemma
    stripped = "".join(
        character
        for character in unicodedata.normalize("NFD", lemma)
        if not unicodedata.combining(character)
    )
    return stripped if stripped.isascii() else lemma
