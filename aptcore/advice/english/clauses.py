"""Clauses of plain English from a verb or adjective and the phrases around it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from aptcore.advice.english.phrases import is_plural, third_person
from aptcore.advice.english.word_classes import (
    Voice,
    is_adjective,
    is_also_verb,
    is_noun,
    participle,
)

_OBJECTS = {"I": "me", "he": "him", "she": "her", "we": "us", "they": "them"}
_BE = re.compile(r"\{(ARG\d)\} (is|has|holds|happens)\b")
_BEFORE = ("more", "most", "less", "least", "too", "so", "as")
DEGREE = "have-degree-91"


def be(phrase: str) -> str:
    """Give the form of `be` after a phrase.

    >>> be("I"), be("2 men"), be("a boy")
    ('am', 'are', 'is')
    """
    if phrase == "I":
        return "am"
    return "are" if is_plural(phrase) else "is"


def object_form(phrase: str) -> str:
    """Give a phrase as the object of a verb: `he` becomes `him`.

    >>> object_form("he"), object_form("a boy")
    ('him', 'a boy')
    """
    return _OBJECTS.get(phrase, phrase)


def clause(words: str, gloss: str, who: str, what: str, voice: Voice) -> str:
    r"""Write a clause.

    Args:
        words: Of the frame.
        gloss: What it means, in brackets after a space; may be empty.
        who: The phrase for ``:ARG0``; empty where there is none.
        what: The same for ``:ARG1``; one that is told later begins with "this: ".
        voice: Of a verb where there is no ``who``.

    >>> clause("see", "", "a boy", "he", "passive"), clause("see", "", "", "he", "passive")
    ('a boy sees him', 'he is seen')
    >>> clause("die", "", "", "2 men", "active"), clause("sad", "", "", "I", "active")
    ('2 men die', 'I am sad')
    >>> clause("sure", "", "you", "a boat", "active"), clause("blorb", "", "", "he", "unknown")
    ('you are sure with regard to a boat', 'it is said of him: blorb')
    """
    subject = who or what
    if is_adjective(words) and not (who and what and is_also_verb(words)):
        rest = f" with regard to {object_form(what)}" if who and what else ""
        return f"{subject} {be(subject)} {words}{gloss}{rest}"
    if is_noun(words):
        verb = "have" if is_plural(subject) else "has"
        rest = f" with regard to {object_form(what)}" if who and what else ""
        return f'{subject} {verb} "{words}"{gloss}{rest}'
    if not who and voice == "unknown":
        return f"it is said of {object_form(what)}: {words}{gloss}"
    if not who and voice == "passive":
        return f"{subject} {be(subject)} {participle(words)}{gloss}"
    text = f"{subject} {words if is_plural(subject) else third_person(words)}{gloss}"
    return f"{text} {object_form(what)}" if who and what else text


def special_clause(concept: str, pattern: str, words: Mapping[str, str]) -> str:
    """Fill the pattern of a frame without a verb.

    Args:
        concept: The frame.
        pattern: With slots such as ``{ARG1}``.
        words: The phrase for each slot; empty where nothing is said.

    >>> special_clause("include-91", "{ARG1} is among {ARG2}", {"ARG1": "they", "ARG2": "he"})
    'they are among him'
    """
    if concept == DEGREE:
        return _degree(words)
    said = {slot: phrase or "something not said" for slot, phrase in words.items()}
    first, *others = said
    said = {first: said[first], **{slot: object_form(said[slot]) for slot in others}}
    agreeing = _BE.sub(lambda match: _agree(match, said), pattern, count=1)
    for slot, phrase in said.items():
        agreeing = agreeing.replace(f"{{{slot}}}", phrase)
    return agreeing


def _agree(match: re.Match[str], said: Mapping[str, str]) -> str:
    subject, verb = said[match[1]], match[2]
    if verb == "is":
        return f"{subject} {be(subject)}"
    plain = {"has": "have", "holds": "hold", "happens": "happen"}[verb]
    return f"{subject} {plain if is_plural(subject) else verb}"


def _degree(words: Mapping[str, str]) -> str:
    """Say ``have-degree-91``: `more difficult`, `small enough`, `as big`."""
    subject = words["ARG1"] or "something not said"
    quality, degree = words["ARG2"] or "something not said", words["ARG3"]
    plain = degree.partition(" no. ")[0]
    if plain in _BEFORE:
        said = f"{plain} {quality}"
    elif degree == "enough":
        said = f"{quality} enough"
    elif degree == "equal":
        said = f"equally {quality}"
    else:
        said = f"{quality} to the degree {degree}" if degree else quality
    return f"{subject} {be(subject)} {said}"
