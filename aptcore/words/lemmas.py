"""Lemmas in the form that AMR concepts have.

spaCy's lemma is the starting point; what is changed was chosen by how often the concept
aligned to a word equals its lemma, or its lemma with ``-01``, in the free training data.
Numbers are digits, contractions are whole words, pronouns are in the nominative. Nouns
and participles made from a verb give the verb ("activation" gives "activate": 1,320 of
1,509 such words in ``-ation``), adverbs the adjective ("rapidly" gives "rapid"). Endings
that are right less than half the time are left alone: ``-er``, ``-al``, ``-ent``. Where
spaCy gives the wrong stem of an inflected word, English spelling decides: "stared" is of
"stare" and not of "star", whose r would be doubled; "transfected" of "transfect".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from aptcore.words.surface import NUMBER_WORDS

_BARE = {
    "m": "be", "re": "be", "s": "be", "ve": "have", "ll": "will", "d": "would", "nt": "not"
}  # fmt: skip
_BEFORE_BARE = frozenset(
    "i you he she it we they that there who what where when how why should could would might "
    "must do does did is are was were ca wo sha need has have had ai dare ought nt".split()
)
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
UNITS = {
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
    "nt": "nucleotide",
    "mph": "mile-per-hour",
    "$": "dollar",
    "us$": "dollar",
    "€": "euro",
    "£": "pound",
    "¥": "yen",
    "₹": "rupee",
    "¢": "cent",
    "°": "degree",
    "º": "degree",
    "˚": "degree",
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
    "trillion": "1000000000000",
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

_SHORT_STEM = re.compile(r"[^aeiou]*[aeiou][^aeiouwxys]")
"""A verb like this doubles its last letter before ``-ed`` and ``-ing``."""

_NO_E_AFTER = re.compile(r"(?:ct|ss|nt|nd|rt|ft|pt|lt|ck|sh|wn|rn)$")
"""Ends of stems that no silent ``e`` follows."""

_NO_ADJECTIVES = frozenset(
    "accordingly approximately barely early especially hardly lately likely lonely lively mostly "
    "namely nearly only really roughly".split()
)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words that spaCy's lemmatiser knows.

    Attributes:
        verbs: In their base form.
        adjectives: In their base form.
        nouns: In the singular.
        irregular: Base forms of words that are not inflected by rule: "eaten", "best".
    """

    verbs: frozenset[str]
    adjectives: frozenset[str]
    nouns: frozenset[str] = frozenset()
    irregular: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def contracted_lemma(before: str, token: str) -> str | None:
    """Give the lemma of a contraction without its apostrophe ("youre", "im", "theyll").

    Args:
        before: The token before it, or "".
        token: The token, which stands alone: "re".

    Returns:
        The lemma; None where the token is none.
    """
    return _BARE.get(token.lower()) if before.lower() in _BEFORE_BARE else None


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
    for table in (_WORDS, _NUMBERS, UNITS):
        if word in table:
            return table[word]
    if _GROUPED.fullmatch(word):
        return word.replace(",", "")
    base = _without_accents(lemma.lower().strip()) or word
    if tag.startswith("NNP"):
        return base
    if tag.startswith("V"):
        return _inflected_verb(word, base, lexicon)
    if tag == "NNS":
        base = _singular(word, base, lexicon)
    if tag in ("JJR", "JJS", "RBR", "RBS"):
        return _compared(base, lexicon)
    if tag == "RB":
        return _adjective(base, lexicon)
    if tag.startswith("NN") or tag == "JJ":
        return _verb(base, lexicon)
    return base


def _inflected_verb(word: str, lemma: str, lexicon: Lexicon) -> str:
    """Mend the lemma of an inflected verb: whether its stem ends in ``e``."""
    if f"{lemma}e" in lexicon.verbs and _SHORT_STEM.fullmatch(lemma):
        return f"{lemma}e" if word in (f"{lemma}es", f"{lemma}ed", f"{lemma}ing") else lemma
    if lemma in lexicon.verbs or not lemma.endswith("e") or word == lemma:
        return lemma
    stem = lemma[:-1]
    if len(stem) > 4 and stem[-1] == stem[-2] and _ends_in_verb(stem[:-1], lexicon):
        return stem[:-1]
    if _NO_E_AFTER.search(stem) or (
        _ends_in_verb(stem, lexicon) and not _ends_in_verb(lemma, lexicon)
    ):
        return stem
    return lemma


def _ends_in_verb(word: str, lexicon: Lexicon) -> bool:
    """Tell whether a word is a verb behind a prefix: "counterstain"."""
    return any(word[start:] in lexicon.verbs for start in range(1, len(word) - 3))


def _singular(word: str, lemma: str, lexicon: Lexicon) -> str:
    """Mend the lemma of a plural that spaCy does not know: "antibodies", "lentiviruses"."""
    if lemma in lexicon.nouns or not lemma.isalpha():
        return lemma
    if lemma.endswith("ie") and word == f"{lemma}s":
        return f"{lemma[:-2]}y"
    return lemma[:-1] if lemma.endswith("use") and word == f"{lemma}s" else lemma


def _compared(lemma: str, lexicon: Lexicon) -> str:
    """Mend the lemma of a comparative whose consonant is doubled: "saddest"."""
    stem = lemma.removesuffix("est").removesuffix("er")
    is_doubled = stem != lemma and len(stem) > 3 and stem[-1] == stem[-2]
    return stem[:-1] if is_doubled and stem[:-1] in lexicon.adjectives else lemma


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
