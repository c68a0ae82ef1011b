"""A little English for reading graphs aloud: endings, articles, words for roles."""

from __future__ import annotations

import re
from collections import Counter

from aptcore.advice.english.word_classes import DETERMINERS, NO_NOUNS, is_adjective
from aptcore.graph.amr import AmrGraph
from aptcore.graph.layout import role_order
from aptcore.graph.penman import item_order
from aptcore.words.dates import MONTH_NAMES

ROLE_WORDS: dict[str, str] = {
    ":accompanier": "with whom",
    ":age": "how old",
    ":beneficiary": "for whom",
    ":cause": "why",
    ":compared-to": "compared with",
    ":concession": "although",
    ":condition": "on condition that",
    ":consist-of": "made of",
    ":degree": "how much",
    ":destination": "where to",
    ":direction": "which way",
    ":domain": "said of",
    ":duration": "how long",
    ":example": "for example",
    ":extent": "how far",
    ":frequency": "how often",
    ":instrument": "with what",
    ":li": "list number",
    ":location": "where",
    ":manner": "how",
    ":medium": "by what means",
    ":mod": "what kind",
    ":ord": "which in order",
    ":part": "with the part",
    ":path": "by which way",
    ":polite": "politely",
    ":poss": "whose",
    ":purpose": "what for",
    ":quant": "how many or much",
    ":range": "over what range",
    ":scale": "on what scale",
    ":source": "where from",
    ":subevent": "in the course of it",
    ":subset": "of these",
    ":time": "when",
    ":topic": "about what",
    ":unit": "in what unit",
    ":value": "of what value",
    ":wiki": "in Wikipedia",
}

_DEGREE_ROLES = {":ARG4": "compared with", ":ARG5": "among", ":ARG6": "with the outcome"}

BARE_ROLES = frozenset(
    ":degree :duration :extent :frequency :manner :mod :ord :polarity :quant :scale".split()
)
"""Roles whose ends are said without an article: what stands there is seldom a thing."""

PERSONAL = frozenset("I you he she it we they one nobody everyone someone nothing".split())
"""Words that are said again as they are, without `the same`."""

POSSESSIVES = {
    "I": "mine",
    "you": "yours",
    "he": "his",
    "she": "hers",
    "it": "its",
    "we": "ours",
    "they": "theirs",
}

ARGUMENT_WORDS = {":ARG0": "who or what does it", ":ARG1": "who or what it happens to"}

SPECIAL_FRAMES: dict[str, str] = {
    "contrast-01": "{ARG1} is in contrast with {ARG2}",
    "be-destined-for-91": "{ARG1} is meant for {ARG2}",
    "be-from-91": "{ARG1} is from {ARG2}",
    "be-located-at-91": "{ARG1} is at {ARG2}",
    "be-polite-91": "{ARG1} is polite",
    "be-temporally-at-91": "{ARG1} is at the time {ARG2}",
    "have-concession-91": "{ARG1} is so although {ARG2}",
    "have-condition-91": "{ARG1} is so if {ARG2}",
    "have-degree-91": "{ARG1} is {ARG2!} to the degree {ARG3!}",
    "have-extent-91": "{ARG1} has the extent {ARG2}",
    "have-frequency-91": "{ARG1} happens as often as {ARG2}",
    "have-instrument-91": "{ARG1} is done with {ARG2}",
    "have-li-91": "{ARG1} is in a list at {ARG2}",
    "have-manner-91": "{ARG1} is done in the manner {ARG2}",
    "have-mod-91": "{ARG1} is of the kind {ARG2}",
    "have-name-91": "{ARG1} is called {ARG2}",
    "have-ord-91": "{ARG1} is in order {ARG2}",
    "have-org-role-91": "{ARG0} holds the office of {ARG2!} at {ARG1}",
    "have-part-91": "{ARG1} has the part {ARG2}",
    "have-polarity-91": "{ARG1} is so or not: {ARG2}",
    "have-purpose-91": "{ARG1} has the purpose {ARG2}",
    "have-quant-91": "{ARG1} is as many or much as {ARG2}",
    "have-rel-role-91": "{ARG0} is the {ARG2!} of {ARG1}",
    "have-subevent-91": "{ARG1} has in its course {ARG2}",
    "have-value-91": "{ARG1} has the value {ARG2}",
    "include-91": "{ARG1} is among {ARG2}",
    "instead-of-91": "{ARG1} is so instead of {ARG2}",
    "resemble-91": "{ARG1} is like {ARG2}",
}
"""How a frame without a verb is said; an argument with ``!`` stands without an article."""

PRONOUNS = frozenset(
    "i you he she it we they one this that these those here there now then today yesterday "
    "tomorrow everything something nothing anything everyone someone anyone nobody".split()
)

_PLURAL_PRONOUNS = ("i", "you", "we", "they", "these", "those")
_IRREGULAR = {"have": "has", "be": "is", "do": "does", "go": "goes", "can": "can", "must": "must"}


_SAID = {"i": "I", "and": "group", "or": "choice", "slash": "choice", "date entity": "date"}
"""What is said instead of a concept's own words."""


def words_of(concept: str) -> str:
    """Write a concept as words: no quotation marks, hyphens as spaces, no sense."""
    plain = re.sub(r"-\d\d\d?$", "", concept.strip('"'))
    return " ".join(re.split(r"[-_]+", plain)).strip() or concept


def labels_of(graph: AmrGraph) -> dict[str, str]:
    """Give each node a word for later mentions; those alike are numbered from the second on."""
    counts: Counter[str] = Counter()
    labels = {}
    names = {node.id: node.concept for node in graph.nodes}
    for name in item_order(graph):
        if name in names:
            words = words_of(names[name])
            words = _SAID.get(words, words)
            counts[words] += 1
            labels[name] = words if counts[words] == 1 else f"{words} no. {counts[words]}"
    return labels


def third_person(verb: str) -> str:
    """Give the form after he, she or it; of several words the first one changes.

    >>> third_person("go"), third_person("carry out"), third_person("watch")
    ('goes', 'carries out', 'watches')
    """
    first, space, rest = verb.partition(" ")
    if first in _IRREGULAR:
        form = _IRREGULAR[first]
    elif re.search(r"(s|x|z|ch|sh|o)$", first):
        form = first + "es"
    elif re.search(r"[^aeiou]y$", first):
        form = first[:-1] + "ies"
    else:
        form = first + "s"
    return form + space + rest


def plural(noun: str) -> str:
    """Give the form for several; of several words the last one changes.

    >>> plural("apple"), plural("old box"), plural("person"), plural("cell no. 2")
    ('apples', 'old boxes', 'people', 'cells no. 2')
    """
    noun, number, rest = noun.partition(" no. ")
    head, space, last = noun.rpartition(" ")
    if last == "person":
        form = "people"
    elif last == "child":
        form = "children"
    elif last in ("man", "woman"):
        form = last[:-2] + "en"
    elif re.search(r"(s|x|z|ch|sh)$", last):
        form = last + "es"
    elif re.search(r"[^aeiou]y$", last):
        form = last[:-1] + "ies"
    else:
        form = last + "s"
    return head + space + form + number + rest


def is_plural(phrase: str) -> bool:
    """Tell whether a verb after a phrase goes without an ending.

    >>> is_plural("2 men"), is_plural("the same you"), is_plural("a boy"), is_plural("1 man")
    (True, True, False, False)
    """
    words = phrase.removeprefix("the same ").split()
    if not words or words[0].strip('"') == "1":
        return False
    return (
        words[0].strip('"')[:1].isdigit() or words[0].lower() in _PLURAL_PRONOUNS or "and" in words
    )


def with_article(noun: str) -> str:
    """Put ``a`` or ``an`` before a noun, unless it stands alone.

    >>> with_article("old boat"), with_article("boy"), with_article("they")
    ('an old boat', 'a boy', 'they')
    >>> with_article("this boat"), with_article("very"), with_article("serious")
    ('this boat', 'very', 'serious')
    """
    words = noun.lower().split() or [""]
    last = re.sub(r" no\. \d+$", "", noun.lower()).rpartition(" ")[2]
    if words[0] in DETERMINERS or last in NO_NOUNS or is_adjective(last):
        return noun
    if last in PRONOUNS or not noun[:1].isalpha():
        return noun
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def role_words(role: str) -> str:
    """Say a role: ``where`` for ``:location``; its own name where no word is known."""
    if role in ROLE_WORDS:
        return ROLE_WORDS[role]
    stem, number = role_order(role)
    if stem == ":op":
        return f"part {number}"
    if stem == ":snt":
        return f"sentence {number}"
    if stem == ":ARG" and role not in ARGUMENT_WORDS:
        return f"further participant (ARG{number})"
    return ARGUMENT_WORDS.get(role, role.removeprefix(":").replace("-", " ").strip() or "no role")


def special_role(concept: str, role: str) -> str:
    """Say a further role of a frame without a verb; empty where it has no words of its own.

    >>> special_role("have-degree-91", ":ARG4"), special_role("see-01", ":ARG2")
    ('compared with', '')
    """
    is_degree = concept in ("have-degree-91", "have-quant-91")
    return _DEGREE_ROLES.get(role, "") if is_degree else ""


def date_words(parts: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    """Write day, month and year; also gives the roles that were used.

    >>> date_words({":day": "3", ":month": "5", ":year": "2011"})
    ('3 May 2011', (':day', ':month', ':year'))
    """
    used = [role for role in (":day", ":month", ":year") if role in parts]
    shown = []
    for role in used:
        value = parts[role].strip('"')
        is_month = role == ":month" and value.isascii() and value.isdigit()
        if is_month and 1 <= int(value) <= len(MONTH_NAMES):
            value = MONTH_NAMES[int(value) - 1]
        shown.append(value)
    return " ".join(shown), tuple(used)


def sentence_case(text: str) -> str:
    """Begin with a capital letter and end with a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else text + "."
