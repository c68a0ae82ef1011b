"""Several sentences in one text, and text that is not English.

A sentence ends at a full stop, question mark or exclamation mark, with the quotation
marks and brackets behind it, before a blank and a word that can begin a sentence. A
full stop behind a title, an initial or "No." ends none. Behind another abbreviation
("p.m.", "U.S.", "Inc.") one ends only before a word that hardly stands anywhere else
with a capital: a pronoun, an article, a title. Measured against spaCy's parser and
sentence recogniser: they split no "at 5 p.m. Dr. Lum stayed".

Another language is told by its small words, spaCy's stop words, or by its letters; what is
no word at all by the pieces of the packaged encoder, which has 30,000 words of English whole.
"""

from __future__ import annotations

import importlib.util
import json
import re
import runpy
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from aptcore.assets import MINILM, encoder_folder
from aptcore.graph.characters import entities_in, plain_text
from aptcore.words.given import MAX_CHARACTERS
from aptcore.words.rolesets import rolesets

_END = re.compile(r"""(?<![.?!])(?:\.{2,}+|…|[.?!]++)["'”’»)\]]*(?=\s+["'“‘«(\[]*[^\W_])""")
_LAST = re.compile(r"(\S+?)\s?[.?!…]+[\"'”’»)\]]*$")
_NEXT = re.compile(r"\s+[\"'“‘«(\[]*([^\W_][\w'’.-]*)")
_INITIALS = re.compile(r"[A-Z](?:\.[A-Z])*")
_ITEM = re.compile(r"\s*(?:\d{1,2}|[A-Za-z])\.")
"""The number of an item in a list: "1. Wash the rice."."""

LONGEST_ABBREVIATION = 40
"""Characters before a full stop that are looked at for one."""

_TITLES = frozenset(
    "Mr Mrs Ms Messrs Dr Prof St Mt Ft Gen Col Lt Capt Sgt Maj Cpl Adm Sen Rep Gov Pres Hon Rev "
    "Fr Mme Mlle Mx".split()
)
_GOES_ON = frozenset("cf v vs viz e.g i.e a.k.a eg approx".split())
_COUNTS = frozenset("no nos fig figs eq eqs sec ch vol vols pp p art ref refs".split())
"""What has a number behind its full stop."""

_MAY_END = frozenset(
    "a.m p.m am pm inc ltd co corp bros llc plc etc jan feb mar apr jun jul aug sep sept oct nov "
    "dec mon tue tues wed thu thur thurs fri sat sun ave blvd rd dept univ assn est min max hr hrs "
    "al jr sr ft lb lbs oz ed eds u.s u.k u.n e.u d.c ph.d b.a m.a b.c a.d".split()
)
"""Abbreviations that end a sentence as often as not."""

_BEGINNERS = frozenset(
    "i he she it we they you this that these those there here the a an my his her its our their "
    "your what who where when why how which if but and so then however although because while as "
    "after before since yes no mr mrs ms dr prof".split()
)
"""Words that have a capital at the beginning of a sentence, or are titles."""

_LANGUAGES = {
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "sv": "Swedish",
    "da": "Danish",
    "nb": "Norwegian",
    "fi": "Finnish",
    "pl": "Polish",
    "cs": "Czech",
    "ro": "Romanian",
    "hu": "Hungarian",
    "tr": "Turkish",
    "id": "Indonesian",
}
"""Languages in Latin letters whose small words are known, by spaCy's code."""

_SCRIPTS = {"HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean", "CJK": "Chinese"}
"""Languages by their letters; where Japanese and Korean write CJK too, their own tell."""

_ENDING = re.compile(r"(?<=..)(?:'s|’s|s|ed|ing|d)$")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def split_sentences(text: str) -> tuple[str, ...]:
    """Split a text into its sentences.

    Returns:
        The sentences, without the blanks between them; the text as it is where it is one.

    >>> split_sentences("Ms. Orr left at 5 p.m. Dr. Lum stayed.")
    ('Ms. Orr left at 5 p.m.', 'Dr. Lum stayed.')
    """
    parts = []
    start = 0
    for end in _END.finditer(text):
        if _ends_here(text, start, end):
            parts.append(text[start : end.end()].strip())
            start = end.end()
    return (*parts, text[start:].strip()) if parts else (text,)


def _ends_here(text: str, start: int, end: re.Match[str]) -> bool:
    """Tell whether the sentence that began at ``start`` ends at this mark."""
    near = max(start, end.start() - LONGEST_ABBREVIATION)
    found, following = _LAST.search(text, near, end.end()), _NEXT.match(text, end.end())
    if following is None or following[1][0].islower():
        return False
    if found is None or end[0][0] != "." or end[0].startswith(".."):
        return True
    last, word = found[1].lstrip("\"'“‘«(["), following[1].rstrip(".'’").lower()
    if last in _TITLES or last.lower() in _GOES_ON or _ITEM.fullmatch(text, start, end.end()):
        return False
    if last.lower() in _COUNTS and any(character.isdigit() for character in word):
        return False
    return word in _BEGINNERS or not (_INITIALS.fullmatch(last) or last.lower() in _MAY_END)


def with_split(named: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Split texts, given with their names, into sentences.

    Returns:
        A name and a sentence each; where a text has several, its name with a number
        behind it: ``3.1``, ``3.2``.
    """
    found: list[tuple[str, str]] = []
    for name, text in named:
        parts = split_sentences(text)
        if len(parts) == 1:
            found.append((name, text))
        else:
            found += [(f"{name}.{n}".lstrip("."), part) for n, part in enumerate(parts, 1)]
    return found


def remarks_on(text: str) -> tuple[str, ...]:
    """Say what of a text a person may not have meant, or not expect.

    >>> remarks_on("It&#39;s late. We sleep.")
    ('looks like 2 sentences', "&#39; is read as '")
    """
    remarks = []
    num_sentences = len(split_sentences(text))
    if num_sentences > 1:
        remarks.append(f"looks like {num_sentences} sentences")
    text = text[:MAX_CHARACTERS]
    language = other_language(text)
    if language is not None:
        remarks.append(f"looks like {language}, but is read as English")
    elif not has_known_word(text):
        remarks.append("has no word that is known here, so its graph is a guess")
    entities = entities_in(text)
    if entities:
        read = " ".join(plain_text(entity).text for entity in entities)
        remarks.append(f"{' '.join(entities)} is read as {read}")
    return tuple(remarks)


def other_language(text: str) -> str | None:
    """Name the language that a text looks to be in; None where it may well be English.

    >>> other_language("Der Hund schläft heute im Garten .")
    'German'
    """
    letters = [character for character in text if character.isalpha()]
    scripts = Counter(unicodedata.name(letter, "?").split(" ")[0] for letter in letters)
    if letters and scripts["LATIN"] * 2 < len(letters):
        script = max(scripts, key=lambda name: (name in _SCRIPTS and name != "CJK", scripts[name]))
        return _SCRIPTS.get(script, f"{script.title()} script")
    found = _WORD.findall(text)
    words = [word.lower() for word in found]
    not_names = [word for n, word in enumerate(words) if n == 0 or found[n].islower()]
    if len(words) < 3:
        return None
    english = sum(word in _small_words("en") for word in words)
    counts = {code: sum(word in _small_words(code) for word in not_names) for code in _LANGUAGES}
    most = max(counts.values())
    if most < max(2, english + 1, len(words) / 4):
        return None
    languages = [name for code, name in _LANGUAGES.items() if counts[code] == most]
    return languages[0] if len(languages) == 1 else "another language"


def has_known_word(text: str) -> bool:
    """Tell whether any word of a text is known; a single word may be a name and is let through.

    >>> has_known_word("Zxqv blarfing grumwottle ."), has_known_word("Kittens purr .")
    (False, True)

    A ligature is none of the letters that it joins.

    >>> has_known_word("ﬁ ﬂ ﬀ"), has_known_word("7 + 5 = 12")
    (False, True)
    """
    found = _WORD.findall(text)
    words = [word.lower() for word in found if len(word) > 1 or not word.isascii()]
    stems = (_ENDING.sub("", word) for word in words)
    return len(words) < 2 or not _known_words().isdisjoint([*words, *stems])


@cache
def _known_words() -> frozenset[str]:
    """Give the words that the packaged encoder reads as one piece, and those of frames."""
    folder = encoder_folder(MINILM)
    assert folder is not None  # a requirement of the package
    pieces = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    verbs = (part for name in rolesets() for part in name.split("-")[:-1])
    return frozenset(word for word in (*pieces, *verbs) if len(word) > 1 and word.isalpha())


@cache
def _small_words(code: str) -> frozenset[str]:
    """Give the stop words of a language; of others than English those that it has not.

    Single letters are left out: "U.S." is no Czech. The file is run by itself: to import it
    would import spaCy, and each language with all its rules, which takes seconds.
    """
    spacy = importlib.util.find_spec("spacy")
    assert spacy is not None  # a requirement of the package
    assert spacy.submodule_search_locations is not None
    file = Path(spacy.submodule_search_locations[0], "lang", code, "stop_words.py")
    words = frozenset(runpy.run_path(str(file))["STOP_WORDS"])
    if code == "en":
        return words
    return frozenset(word for word in words - _small_words("en") if len(word) > 1)
