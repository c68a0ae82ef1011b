"""One spelling for characters that texts write in several ways.

An accent is one character with its letter ("é") or one of its own behind it; an
apostrophe is any of ten signs, an HTML entity, or has a backslash before it. Words are
compared, split and parsed in the plain form that this module gives: accents composed
(Unicode's NFC), entities decoded, apostrophes as ``'``, brackets and quotation marks of
the Penn Treebank as ``(`` and ``"``. What the signs are besides apostrophes, quotation
marks and feet, stays as it is. The text itself is kept, and every character of the plain
form knows its place there.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from aptcore.graph.amr import AmrGraph

_SIGNS = "'’‘´`′ʼ＇\x91\x92"
_LETTER = r"[^\W\d_]"
_APOSTROPHE = re.compile(
    rf"""
    (?<={_LETTER}) \\?[{_SIGNS}] (?={_LETTER})
    | (?<![\w{_SIGNS}]) [{_SIGNS}]
      (?= (?: s|m|d|ll|re|ve|em|cause|bout|til|tis|twas|n|\d0s ) (?![\w{_SIGNS}]) )
    | (?<={_LETTER}) [´ʼ＇\x92] (?!\w)
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Inside a word; before one that begins with it; behind one, where it is no quotation mark."""

PENN_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
"""How the Penn Treebank writes brackets."""

_PENN = re.compile(r"-[LR][RSC]B-|\\[/*]|``|(?<![\d'])''(?!['\w])", re.IGNORECASE)
"""Behind a figure two signs are seconds or inches."""

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});")
_MAY_DIFFER = re.compile(r"[&\\`]|''|-[LR][RSC]B-", re.IGNORECASE)


MOST_MARKS = 30
"""Accents behind one letter that are composed with it.

Source: Unicode Standard Annex 15, "Unicode Normalization Forms", section 13.
"""


@dataclass(frozen=True, slots=True)
class PlainText:
    """The plain form of a text.

    Attributes:
        text: The plain form.
        starts: For each of its characters, where in the text given what it stands for begins.
        ends: For each of its characters, where that ends.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


@lru_cache(maxsize=1024)
def plain_text(text: str) -> PlainText:
    r"""Give the plain form of a text, each character with its place.

    >>> plain_text("They don&#39;t").text, plain_text("Zoe\u0308 isn´t").text
    ("They don't", "Zoë isn't")
    """
    plain = _as_it_is(text)
    if text.isascii() and not _MAY_DIFFER.search(text):
        return plain
    plain = _composed(plain)
    plain = _rewritten(plain, _decoded(plain.text))
    signs = _PENN.finditer(plain.text)
    plain = _rewritten(plain, ((*sign.span(), _without_penn(sign[0])) for sign in signs))
    return _rewritten(plain, ((*match.span(), "'") for match in _APOSTROPHE.finditer(plain.text)))


def _as_it_is(text: str) -> PlainText:
    return PlainText(text, range(len(text)), range(1, len(text) + 1))


def _without_penn(sign: str) -> str:
    return sign[1] if sign[0] == "\\" else PENN_BRACKETS.get(sign.upper(), '"')


def entities_in(text: str) -> tuple[str, ...]:
    """Give the HTML entities that the plain form of a text decodes, each once."""
    return tuple(dict.fromkeys(text[start:end] for start, end, _ in _decoded(text)))


def composed(text: str) -> str:
    """Give a text with each accent and its letter as one character."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def composed_graph(graph: AmrGraph) -> AmrGraph:
    """Give a graph with composed concepts and constants."""
    nodes = tuple(replace(node, concept=composed(node.concept)) for node in graph.nodes)
    attributes = tuple(replace(part, value=composed(part.value)) for part in graph.attributes)
    if nodes == graph.nodes and attributes == graph.attributes:
        return graph
    return replace(graph, nodes=nodes, attributes=attributes)


def _decoded(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _ENTITY.finditer(text):
        character = html.unescape(match.group())
        if character != match.group():
            yield *match.span(), character


def _composed(plain: PlainText) -> PlainText:
    """Compose each letter with the accents behind it."""
    if unicodedata.is_normalized("NFC", plain.text):
        return plain
    changes = []
    start, whole = 0, ""
    for place, character in enumerate(plain.text):
        longer = composed(plain.text[start : place + 1])
        is_new = longer == whole + character and not unicodedata.combining(character)
        if whole and (is_new or place - start > MOST_MARKS):
            changes.append((start, place, whole))
            start, longer = place, composed(character)
        whole = longer
    return _rewritten(plain, [*changes, (start, len(plain.text), whole)])


def _rewritten(plain: PlainText, changes: Iterable[tuple[int, int, str]]) -> PlainText:
    """Replace ranges of the plain form; what comes instead stands for the whole range."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for start, end, instead in changes:
        pieces += [plain.text[done:start], instead]
        starts += [*plain.starts[done:start], *[plain.starts[start]] * len(instead)]
        ends += [*plain.ends[done:start], *[plain.ends[end - 1]] * len(instead)]
        done = end
    if not pieces:
        return plain
    return PlainText(
        "".join((*pieces, plain.text[done:])),
        (*starts, *plain.starts[done:]),
        (*ends, *plain.ends[done:]),
    )
