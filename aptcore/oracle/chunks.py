"""Which items the oracle makes together, by one SUBGRAPH action.

A template is chosen only where filling it from the words at hand gives exactly the
gold piece. The paper's oracle takes

    (planet :name (name :op* {words}))                a name and its type
    (name :op* {words})                               a name whose type stands elsewhere
    (date-entity :year {year} :month {month})         a date
    (ordinal-entity :value {number})                  a concept and its number

with the constants written out where they differ from the words ("American":
``(country :name (name :op1 "America"))``). All else is broken down into single items.
The own oracle has more slots for the words of a name: ``{singular}`` and its like.
The ``no-breakdown`` oracle makes every tree of items at one site by one template.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from aptcore.errors import ActionFormatError
from aptcore.graph.amr import AmrGraph, Attribute, Edge, Sentence
from aptcore.graph.branches import quote
from aptcore.graph.layout import invert_role
from aptcore.oracle.sites import Site
from aptcore.transition.actions import ActionSet
from aptcore.transition.templates import (
    Link,
    Piece,
    fill,
    parse_template,
    slot_values,
    surface,
)
from aptcore.words.dates import DATE_PARTS
from aptcore.words.surface import NAME_FORMS, name_forms

_NUMBERED = ("-entity", "-quantity")
"""Ends of concepts that are made together with their number.

Any other concept shares a word with a number only by chance: on Little Prince
``(sum-of :op1 {number})`` and its like gave 0.0008 actions a token, and 3 labels seen once.
"""

_OP = re.compile(r":op(\d+)")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Items that one SUBGRAPH action makes.

    Attributes:
        label: The template.
        items: Their ids, in the order of the pieces of the filled template; the first
            is the root, the only one that further edges can reach.
    """

    label: str
    items: tuple[str, ...]


def name_forms_of(action_set: ActionSet) -> tuple[str, ...]:
    """Give the forms of a name that the oracle of an action set writes templates with."""
    return NAME_FORMS if action_set.has_wide_copies else NAME_FORMS[:1]


class GraphIndex:
    """The parts of a graph by id, for quick look-up.

    Args:
        graph: The graph.
        name_forms: The slots that a template may have for the words of a name; the
            paper's oracle has the words as they stand and no other.
    """

    def __init__(self, graph: AmrGraph, name_forms: Sequence[str] = NAME_FORMS) -> None:
        self.name_forms = name_forms
        self.root = graph.root
        self.concepts = {node.id: node.concept for node in graph.nodes}
        self.attributes = {attribute.id: attribute for attribute in graph.attributes}
        self.attributes_of: dict[str, list[Attribute]] = {}
        for attribute in graph.attributes:
            self.attributes_of.setdefault(attribute.source, []).append(attribute)
        self.edges_of: dict[str, list[Edge]] = {}
        for edge in dict.fromkeys(graph.edges):
            self.edges_of.setdefault(edge.source, []).append(edge)
            if edge.target != edge.source:
                self.edges_of.setdefault(edge.target, []).append(edge)


def paper_chunks(sentence: Sentence, index: GraphIndex, site: Site) -> list[Chunk]:
    """Choose the templates of the paper's oracle at one site."""
    here = frozenset(site.items)
    words = " ".join(surface(sentence, site.start, site.stop).split())
    chunks: list[Chunk] = []
    taken: set[str] = set()
    for name in site.items:
        if index.concepts.get(name) == "name":
            chunk = _name_chunk(index, name, here - taken, words)
            if chunk is not None:
                chunks.append(chunk)
                taken.update(chunk.items)
    for name in site.items:
        if name in index.concepts and name not in taken:
            parts = [part for part in index.attributes_of.get(name, []) if part.id in here]
            chunk = _value_chunk(index, name, parts, words) if parts else None
            if chunk is not None:
                chunks.append(chunk)
                taken.update(chunk.items)
    return chunks


def _name_chunk(index: GraphIndex, name: str, here: frozenset[str], words: str) -> Chunk | None:
    parts = index.attributes_of.get(name, [])
    if name not in here or not parts or any(part.id not in here for part in parts):
        return None
    edges = index.edges_of.get(name, [])
    tree = [Edge(name, part.role, part.id) for part in parts]
    if len(edges) == 1 and name != index.root:
        edge = edges[0]
        if edge.role == ":name" and edge.target == name and edge.source in here:
            chunk = write_chunk(index, edge.source, [edge, *tree], words)
            if chunk is not None:
                return chunk
    return write_chunk(index, name, tree, words)


def _value_chunk(
    index: GraphIndex, name: str, parts: Sequence[Attribute], words: str
) -> Chunk | None:
    """Choose a template for a date or for a concept with its number."""
    values = slot_values(words)
    dates = [part for part in parts if part.role[1:] in DATE_PARTS]
    if index.concepts[name] == "date-entity" and dates:
        expected = {key: value for key, value in values.items() if key in DATE_PARTS}
        if expected != {part.role[1:]: part.value for part in dates}:
            return None
        dates.sort(key=lambda part: DATE_PARTS.index(part.role[1:]))
        return write_chunk(index, name, [Edge(name, p.role, p.id) for p in dates], words)
    if not index.concepts[name].endswith(_NUMBERED):
        return None
    for part in parts:
        if part.value == values.get("number"):
            return write_chunk(index, name, [Edge(name, part.role, part.id)], words)
    return None


def whole_chunks(sentence: Sentence, index: GraphIndex, site: Site) -> list[Chunk]:
    """Choose one template for each tree of items at one site, whatever it loses."""
    words = " ".join(surface(sentence, site.start, site.stop).split())
    here = frozenset(site.items)
    chunks: list[Chunk] = []
    seen: set[str] = set()
    for name in site.items:
        if name in seen or name not in index.concepts:
            continue
        members, tree = _component(index, name, here)
        seen.update(members)
        if len(tree) >= 1 and len(tree) == len(members) - 1:
            chunk = write_chunk(index, name, tree, words)
            if chunk is not None:
                chunks.append(chunk)
                continue
        part = Site(site.start, site.stop, tuple(item for item in site.items if item in members))
        chunks.extend(paper_chunks(sentence, index, part))
    return chunks


def _component(index: GraphIndex, start: str, here: frozenset[str]) -> tuple[set[str], list[Edge]]:
    """Collect what is linked to a node within a site, and the links."""
    members, links, waiting = {start}, dict[Edge, None](), [start]
    while waiting:
        name = waiting.pop()
        found = [Edge(name, part.role, part.id) for part in index.attributes_of.get(name, [])]
        for edge in (*index.edges_of.get(name, []), *found):
            if edge.source not in here or edge.target not in here:
                continue
            links[edge] = None
            for other in (edge.source, edge.target):
                if other not in members:
                    members.add(other)
                    waiting.append(other)
    return members, list(links)


def write_chunk(index: GraphIndex, root: str, tree: Sequence[Edge], words: str) -> Chunk | None:
    """Write a template for a tree of items, with slots where the words give the constants.

    Args:
        index: The gold graph.
        root: The root of the template.
        tree: Its links in normal direction; targets may be attribute ids.
        words: The words that fill the slots.

    Returns:
        None where no template gives exactly this piece.
    """
    children: dict[str, list[tuple[str, str]]] = {}
    for link in tree:
        children.setdefault(link.source, []).append((link.role, link.target))
        if link.target in index.concepts:
            children.setdefault(link.target, []).append((invert_role(link.role), link.source))
    items: list[str] = []
    label = _written(index, root, None, children, words, items)
    chunk = Chunk(label, tuple(items))
    return chunk if _gives(index, chunk, tree, words) else None


def _written(
    index: GraphIndex,
    name: str,
    parent: str | None,
    children: dict[str, list[tuple[str, str]]],
    words: str,
    items: list[str],
) -> str:
    items.append(name)
    pieces = [index.concepts[name]]
    below = [child for child in children.get(name, []) if child[1] != parent]
    below, slot, form = _word_slot(index, name, below, words)
    if slot:
        pieces.append(f":op* {{{form}}}")
        items.extend(slot)
    values = slot_values(words)
    for role, child in below:
        if child in index.concepts:
            text = _written(index, child, name, children, words, items)
        else:
            items.append(child)
            text = _constant_slot(index.attributes[child], index.concepts[name], values)
        pieces.append(f"{role} {text}")
    return f"({' '.join(pieces)})"


def _word_slot(
    index: GraphIndex, name: str, below: list[tuple[str, str]], words: str
) -> tuple[list[tuple[str, str]], list[str], str]:
    """Take out the parts of a name if a form of the words gives them.

    Returns:
        What is left below, the parts in order, and the form; no part and no form where
        none gives them.
    """
    if index.concepts[name] != "name":
        return below, [], ""
    numbered = {
        int(match[1]): child
        for role, child in below
        if child in index.attributes and (match := _OP.fullmatch(role))
    }
    ordered = [numbered[number] for number in sorted(numbered)]
    if not ordered or sorted(numbered) != list(range(1, len(ordered) + 1)):
        return below, [], ""
    values = [index.attributes[child].value for child in ordered]
    for form, text in name_forms(words).items():
        if form in index.name_forms and values == [quote(word) for word in text.split()]:
            return [child for child in below if child[1] not in ordered], ordered, form
    return below, [], ""


def _constant_slot(attribute: Attribute, concept: str, values: dict[str, str]) -> str:
    part = attribute.role[1:]
    if concept == "date-entity" and part in DATE_PARTS:
        return f"{{{part}}}" if values.get(part) == attribute.value else attribute.value
    return "{number}" if values.get("number") == attribute.value else attribute.value


def _gives(index: GraphIndex, chunk: Chunk, tree: Sequence[Edge], words: str) -> bool:
    """Check that the filled template is the gold piece, item by item."""
    try:
        filled = fill(parse_template(chunk.label), words)
    except ActionFormatError:
        return False
    if filled is None:
        return False
    pieces = tuple(
        Piece(False, index.concepts[name])
        if name in index.concepts
        else Piece(True, index.attributes[name].value)
        for name in chunk.items
    )
    places = {name: place for place, name in enumerate(chunk.items)}
    if len(places) != len(chunk.items):
        return False
    links = {Link(places[link.source], link.role, places[link.target]) for link in tree}
    return filled[0] == pieces and set(filled[1]) == links
