"""Lemmas in the form that AMR concepts have.

spaCy's lemma is the starting point. What is changed here was chosen by how often the
concept or constant aligned to a word equals its lemma in the free training data: numbers
are digits, contractions are whole words, possessive and object pronouns are the pronoun.
"""

from __future__ import annotations

import re

_CONTRACTIONS = {
    "n't": "not",
    "n’t": "not",
    "'ll": "will",
    "’ll": "will",
    "'re": "be",
    "’re": "be",
    "'m": "be",
    "’m": "be",
    "'ve": "have",
    "’ve": "have",
    "ca": "can",
    "wo": "will",
    "sha": "shall",
    "ai": "be",
    "let's": "let",
}
_PRONOUNS = {
    "i": "i",
    "me": "i",
    "my": "i",
    "mine": "i",
    "myself": "i",
    "you": "you",
    "your": "you",
    "yours": "you",
    "yourself": "you",
    "yourselves": "you",
    "he": "he",
    "him": "he",
    "his": "he",
    "himself": "he",
    "she": "she",
    "her": "she",
    "hers": "she",
    "herself": "she",
    "it": "it",
    "its": "it",
    "itself": "it",
    "we": "we",
    "us": "we",
    "our": "we",
    "ours": "we",
    "ourselves": "we",
    "they": "they",
    "them": "they",
    "their": "they",
    "theirs": "they",
    "themselves": "they",
}
_NUMBERS = {
    "zero": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "eleven": "11",
    "twelve": "12",
    "thirteen": "13",
    "fourteen": "14",
    "fifteen": "15",
    "sixteen": "16",
    "seventeen": "17",
    "eighteen": "18",
    "nineteen": "19",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "seventy": "70",
    "eighty": "80",
    "ninety": "90",
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "billion": "1000000000",
}
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def normalize_lemma(token: str, lemma: str, tag: str) -> str:
    """Give the lemma of a token as AMR would write it.

    Args:
        token: The word as it stands in the text.
        lemma: spaCy's lemma.
        tag: Its Penn Treebank tag.

    Returns:
        The lemma in lower case; never empty for a token that is not empty.
    """
    word = token.lower()
    if word in _CONTRACTIONS:
        return _CONTRACTIONS[word]
    if word in _PRONOUNS and tag in ("PRP", "PRP$"):
        return _PRONOUNS[word]
    if word in _NUMBERS:
        return _NUMBERS[word]
    if _GROUPED.fullmatch(word):
        return word.replace(",", "")
    return lemma.lower() or word
