"""Templates of SUBGRAPH: a small tree whose slots are filled from the words at the cursor.

A template is written like PENMAN without variables:
``(person :name (name :op* {words}))``. A part in brackets is a concept, a bare
part a constant, and ``-of`` turns an edge round as in PENMAN. Slots:

    {words}              with the role ``:op*``: one quoted string for each piece
                         between white space, as ``:op1``, ``:op2`` ...
    {bare} {place}       the same without mark-up and signs around it, the place that it
    {singular} {lower}   is of ("Dutch": Netherlands), with its last word in the singular,
    {capital} {joined}   with a small first letter, with capitals, without spaces, with
    {hyphened}           hyphens for them; each fits only if that changes the words, and
                         not into what one named before it here gives
    {number}             the number that the words name ("fifth" gives 5)
    {year} {month} {day} parts of the date that the words name, or a time of day; the
    {decade} {time}      template fits only if the date has exactly the parts it asks for
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from aptcore.errors import ActionFormatError
from aptcore.graph.amr import Sentence
from aptcore.graph.branches import is_token, is_writable_concept, quote
from aptcore.graph.layout import normal_direction
from aptcore.words import tokens as tokenization
from aptcore.words.dates import DATE_PARTS, date_parts
from aptcore.words.surface import NAME_FORMS, name_forms, number_value

_NAME_SLOTS = frozenset(NAME_FORMS)
_TOKEN = re.compile(r'\(|\)|"(?:[^"\\]|\\.)*"|[^\s()"]+')


class Piece(NamedTuple):
    """A part of a subgraph: a concept or a constant with its text."""

    is_constant: bool
    label: str


class Link(NamedTuple):
    """An edge inside a subgraph, between positions in its list of pieces."""

    source: int
    role: str
    target: int


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template; piece 0 is its root."""

    pieces: tuple[Piece, ...]
    links: tuple[Link, ...]
    slots: frozenset[str]


@lru_cache(maxsize=8192)
def parse_template(label: str) -> Template:
    """Read a template from the label of a SUBGRAPH action.

    Raises:
        ActionFormatError: If the label is no template.
    """
    tokens = _TOKEN.findall(label)
    pieces: list[Piece] = []
    links: list[Link] = []
    end = _parse_concept(tokens, 0, pieces, links, label)
    if end != len(tokens):
        raise ActionFormatError(f"text after the end of the template {label!r}")
    template = Template(tuple(pieces), tuple(links), _slots(pieces))
    _check(template, label)
    return template


def _slots(pieces: list[Piece]) -> frozenset[str]:
    return frozenset(p.label[1:-1] for p in pieces if p.is_constant and _is_slot(p.label))


def _check(template: Template, label: str) -> None:
    """Refuse what no graph could hold."""
    unknown = template.slots - {*NAME_FORMS, "number", *DATE_PARTS}
    if unknown:
        raise ActionFormatError(f"unknown slot {min(unknown)!r} in the template {label!r}")
    for piece in template.pieces:
        if not (is_writable_concept(piece.label) or piece.is_constant):
            raise ActionFormatError(
                f"{piece.label!r} in the template {label!r} cannot be written as a concept"
            )
        if piece.is_constant and not is_token(piece.label, "string", "symbol"):
            raise ActionFormatError(
                f"{piece.label!r} in the template {label!r} cannot be written as a constant"
            )
    seen = set()
    for link in template.links:
        target = template.pieces[link.target]
        triple = (link.source, link.role, target.label if target.is_constant else link.target)
        if triple in seen:
            raise ActionFormatError(
                f"{link.role} {target.label} stands twice in the template {label!r}"
            )
        seen.add(triple)
        if (target.is_constant and is_name_slot(target.label)) != link.role.endswith("*"):
            raise ActionFormatError(
                f"{link.role} {target.label} in the template {label!r}: a role with * goes "
                "with {words} or another form of a name, and only with that"
            )


def _is_slot(label: str) -> bool:
    return label.startswith("{") and label.endswith("}")


def is_name_slot(label: str) -> bool:
    """Tell whether a part of a template stands for the words of a name."""
    return _is_slot(label) and label[1:-1] in _NAME_SLOTS


def _parse_concept(
    tokens: list[str], at: int, pieces: list[Piece], links: list[Link], label: str
) -> int:
    """Read one bracketed concept with its children; gives the position after it."""
    if tokens[at : at + 1] != ["("] or at + 1 >= len(tokens) or tokens[at + 1] in "()":
        raise ActionFormatError(f"the template {label!r} lacks a concept in brackets")
    here = len(pieces)
    pieces.append(Piece(False, tokens[at + 1]))
    at += 2
    while at < len(tokens) and tokens[at] != ")":
        role, child = tokens[at], len(pieces)
        if not is_token(role, "role") or at + 1 >= len(tokens) or tokens[at + 1] == ")":
            raise ActionFormatError(f"role without a value in the template {label!r}")
        if tokens[at + 1] == "(":
            at = _parse_concept(tokens, at + 1, pieces, links, label)
            links.append(_link(here, role, child))
        else:
            pieces.append(Piece(True, tokens[at + 1]))
            links.append(Link(here, role, child))
            at += 2
    if at >= len(tokens):
        raise ActionFormatError(f"the template {label!r} is not closed")
    return at + 1


def _link(parent: int, role: str, child: int) -> Link:
    source, role, target = normal_direction(str(parent), role, str(child))
    return Link(int(source), role, int(target))


@lru_cache(maxsize=8192)
def plain_offsets(sentence: Sentence) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Find each token in the plain text, as aptcore.words.tokens.plain_offsets, once."""
    return tokenization.plain_offsets(sentence)


def surface(sentence: Sentence, start: int, stop: int) -> str:
    """Give the plain text of the tokens in ``start:stop`` with what stands between them."""
    text, offsets = plain_offsets(sentence)
    return text[offsets[start][0] : offsets[stop - 1][1]]


@lru_cache(maxsize=8192)
def slot_values(text: str) -> dict[str, str]:
    """Read the slots of numbers and dates off the words ``text``."""
    values = dict(date_parts(text))
    number = number_value(text)
    if number is not None:
        values["number"] = number
    return values


def fits(slots: frozenset[str], text: str) -> bool:
    """Tell whether a template with these slots can be filled from the words ``text``."""
    if not slots or slots == {"words"}:
        return True
    names = slots & _NAME_SLOTS
    if names and not names <= name_forms(text).keys():
        return False
    values = slot_values(text)
    dates = slots.intersection(DATE_PARTS)
    if dates and dates != {key for key in values if key in DATE_PARTS}:
        return False
    return "number" not in slots or "number" in values


def fill(template: Template, text: str) -> tuple[tuple[Piece, ...], tuple[Link, ...]] | None:
    """Fill the slots of a template from the words ``text``.

    Returns:
        The pieces and links of the subgraph, or None where the template does not fit.
    """
    if not fits(template.slots, text):
        return None
    if not template.slots:
        return template.pieces, template.links
    values = slot_values(text)
    pieces: list[Piece] = []
    places: list[list[int]] = []
    for piece in template.pieces:
        if piece.is_constant and is_name_slot(piece.label):
            labels = [quote(word) for word in name_forms(text)[piece.label[1:-1]].split()]
        elif piece.is_constant and _is_slot(piece.label):
            labels = [values[piece.label[1:-1]]]
        else:
            labels = [piece.label]
        places.append(list(range(len(pieces), len(pieces) + len(labels))))
        pieces.extend(Piece(piece.is_constant, label) for label in labels)
    return tuple(pieces), tuple(_filled_links(template.links, places))


def _filled_links(links: tuple[Link, ...], places: list[list[int]]) -> list[Link]:
    filled = []
    for link in links:
        source = places[link.source][0]
        for number, target in enumerate(places[link.target], start=1):
            role = f"{link.role[:-1]}{number}" if link.role.endswith("*") else link.role
            filled.append(Link(source, role, target))
    return filled
