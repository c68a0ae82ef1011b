r"""Patterns for graphs: a small language in the shape of PENMAN, and where it matches.

    (x / want-* :ARG0 (y / *) :ARG1 (z / go-02 :ARG0 y))

- ``*`` stands for any run of signs in a concept, a role or a constant: ``want-*``,
  ``:ARG*``, ``"Li*"``, ``(y / *)``; a star itself is written ``\*``.
- A variable stands for one node of the graph, whatever its name there; two variables
  stand for two nodes. Where a variable comes again, the same node must stand.
- ``:polarity -`` and ``:op1 "Lima"`` ask for constants, compared as written, quotation
  marks included. ``:mod *`` asks for any node or constant.
- Roles may be turned round: ``:ARG0-of`` and ``:ARG*-of`` are read as edges the other way.
- ``:!ARG1 *`` asks that there is no such role: the target is ``*`` or a constant.

Each triple of the pattern is another triple of the graph; what the pattern does not say
may be there or not. A hit is known by its nodes and triples, so that two readings that
differ only in the names count once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from aptcore.errors import PatternError, PenmanError
from aptcore.graph.amr import AmrGraph, Attribute, Edge
from aptcore.graph.branches import TOKEN, Branch, Layout, parse_layout, variables_of
from aptcore.graph.characters import composed
from aptcore.graph.layout import invert_role, is_role_inverted

ANY = "*"
MAX_TRIPLES = 40
"""Triples of one pattern."""
MAX_STARS = 4
"""Stars in one concept, role or constant."""
MAX_HITS = 500
"""Hits that are given for one graph."""
MAX_TRIES = 50_000
"""Triples of one graph that are tried before the search gives up."""

Piece = Edge | Attribute
Kind = Literal["edge", "constant", "any", "into"]


@dataclass(frozen=True, slots=True)
class PatternTriple:
    """One triple of a pattern, an edge in its normal direction.

    Attributes:
        source: A variable; ``*`` for any node where the kind is ``into``.
        role: With stars.
        target: A variable, a constant with stars, or ``*``.
        kind: ``edge`` between two variables; ``constant``; ``any`` node or constant;
            ``into``, an edge from any node.
        is_absent: Whether there must be no such triple.
        line: Where its role stands in the text, from 1.
        offset: Sign within the line, from 0.
    """

    source: str
    role: str
    target: str
    kind: Kind
    is_absent: bool
    line: int
    offset: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that was read.

    Attributes:
        text: As written.
        top: Its first variable.
        concepts: Concept of each variable, with stars, in order.
        triples: In the order of the text.
        places: Line (from 1) and offset at which each variable gets its concept.
    """

    text: str
    top: str
    concepts: Mapping[str, str]
    triples: tuple[PatternTriple, ...]
    places: Mapping[str, tuple[int, int]]

    @property
    def wanted(self) -> tuple[PatternTriple, ...]:
        """Give the triples that must be there."""
        return tuple(triple for triple in self.triples if not triple.is_absent)


@dataclass(frozen=True, slots=True)
class Match:
    """One hit of a pattern in a graph.

    Attributes:
        nodes: The node of each variable, in the order of the pattern.
        pieces: The edge or attribute of each triple that must be there, in order.
    """

    nodes: Mapping[str, str]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a pattern in one graph; ``is_cut`` where the search gave up before its end."""

    matches: tuple[Match, ...]
    is_cut: bool = False


def parse_pattern(text: str, known: Collection[str] = ()) -> Pattern:
    """Read a pattern.

    Args:
        text: As a person wrote it.
        known: Variables of another pattern, which may stand here without their concept.

    Raises:
        PatternError: It is none; the message shows the place.
    """
    try:
        layout = parse_layout(text)
    except PenmanError as error:
        raise PatternError(
            error.message, line=error.line, offset=error.offset, text=error.text
        ) from error
    places = branch_places(text)
    if len(layout) - 1 > MAX_TRIPLES:
        raise pattern_error(text, places[MAX_TRIPLES], f"a pattern has up to {MAX_TRIPLES} triples")
    concepts, introduced = variables_of(layout), {}
    for branch, place in zip(layout, places, strict=True):
        _check_branch(text, branch, place)
        if branch.concept is not None:
            introduced[branch.target] = place
        elif branch.target in known:
            concepts.setdefault(branch.target, ANY)
            introduced.setdefault(branch.target, place)
    triples = _triples(text, layout, concepts, places)
    return Pattern(text, layout[0].target, concepts, triples, introduced)


def _triples(
    text: str, layout: Layout, variables: Mapping[str, str], places: list[tuple[int, int]]
) -> tuple[PatternTriple, ...]:
    path: list[str] = []
    found = []
    for branch, place in zip(layout, places, strict=True):
        del path[branch.depth :]
        if path:
            found.append(_triple(text, path[-1], branch, branch.target in variables, place))
        if branch.concept is not None:
            path.append(branch.target)
    return tuple(found)


def _triple(
    text: str, source: str, branch: Branch, is_variable: bool, place: tuple[int, int]
) -> PatternTriple:
    """Read one branch; an edge is turned to its normal direction."""
    is_absent = branch.role.startswith(":!")
    role = ":" + branch.role[2:] if is_absent else branch.role
    target = branch.target
    kind: Kind = "edge" if is_variable else "any" if target == ANY else "constant"
    if is_absent and kind == "edge":
        raise pattern_error(text, place, f"{branch.role} says what is not there: its target is *")
    while kind != "constant" and is_role_inverted(role):
        source, role, target = target, invert_role(role), source
    if source == ANY:
        kind = "into"
    return PatternTriple(source, role, target, kind, is_absent, *place)


def _check_branch(text: str, branch: Branch, place: tuple[int, int]) -> None:
    if branch.role_mark or branch.target_mark:
        raise pattern_error(text, place, "a pattern has no ~ marks")
    if branch.role in (":", ":!"):
        raise pattern_error(text, place, "a role has a name; for any role write :*")
    for part in (branch.role, branch.target, branch.concept or ""):
        if len(_STAR.findall(part)) > MAX_STARS:
            raise pattern_error(text, place, f"{part} has more than {MAX_STARS} stars")


def branch_places(text: str) -> list[tuple[int, int]]:
    """Give line (from 1) and offset of the first bracket and of each role, as branches."""
    starts: list[tuple[int, int]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        for match in TOKEN.finditer(line.rstrip("\r")):
            if match.lastgroup == "role" or (match.lastgroup == "open" and not starts):
                starts.append((number, match.start()))
    return starts


def pattern_error(text: str, place: tuple[int, int], message: str) -> PatternError:
    """Make an error that shows a place of a pattern."""
    line, offset = place
    return PatternError(message, line=line, offset=offset, text=text.split("\n")[line - 1])


_STAR = re.compile(r"(?<!\\)\*")


def stars_in(glob: str) -> int:
    r"""Count the stars of a concept, role or constant; ``\*`` is none."""
    return len(_STAR.findall(glob))


def captures(glob: str, text: str) -> tuple[str, ...] | None:
    """Give what each star of ``glob`` stands for in a text; None where they differ.

    An accent counts the same with its letter or behind it.

    >>> captures("want-*", "want-01"), captures("want-*", "wish-01")
    (('01',), None)
    """
    match = _regex(composed(glob)).fullmatch(composed(text))
    return None if match is None else match.groups()


def fill(glob: str, values: tuple[str, ...]) -> str:
    """Put values in the places of the stars.

    >>> fill("wish-*", ("01",))
    'wish-01'
    """
    pieces = [piece.replace(r"\*", "*") for piece in _STAR.split(glob)]
    return pieces[0] + "".join(a + b for a, b in zip(values, pieces[1:], strict=False))


@lru_cache(maxsize=1024)
def _regex(glob: str) -> re.Pattern[str]:
    pieces = (re.escape(piece.replace(r"\*", "*")) for piece in _STAR.split(glob))
    return re.compile("(.*?)".join(pieces), re.DOTALL)


def find_matches(pattern: Pattern, graph: AmrGraph) -> Found:
    """Find all hits of a pattern in a graph, in the order of its nodes.

    Args:
        pattern: What is looked for.
        graph: Where.
    """
    search = _Search(pattern, graph)
    kept: dict[tuple[frozenset[str], frozenset[Piece]], Match] = {}
    for match in search.all_matches():
        key = (frozenset(match.nodes.values()), frozenset(match.pieces))
        kept.setdefault(key, match)
        if len(kept) >= MAX_HITS:
            return Found(tuple(kept.values()), is_cut=True)
    return Found(tuple(kept.values()), search.is_cut)


def still_holds(pattern: Pattern, match: Match, graph: AmrGraph) -> bool:
    """Tell whether a hit is one in a graph that was edited since."""
    concepts = {node.id: node.concept for node in graph.nodes}
    for variable, node in match.nodes.items():
        if node not in concepts or captures(pattern.concepts[variable], concepts[node]) is None:
            return False
    if any(piece not in graph.edges and piece not in graph.attributes for piece in match.pieces):
        return False
    search = _Search(pattern, graph)
    return not any(search.has_absent(triple, match.nodes) for triple in pattern.triples)


class _Search:
    """Looks for one pattern in one graph, triple by triple in the order of the text."""

    def __init__(self, pattern: Pattern, graph: AmrGraph) -> None:
        self.pattern = pattern
        self.wanted = pattern.wanted
        self.graph = graph
        self.concepts = {node.id: node.concept for node in graph.nodes}
        self.outgoing: dict[str, list[Piece]] = {name: [] for name in self.concepts}
        self.incoming: dict[str, list[Piece]] = {name: [] for name in self.concepts}
        for edge in graph.edges:
            self.outgoing[edge.source].append(edge)
            self.incoming[edge.target].append(edge)
        for attribute in graph.attributes:
            self.outgoing[attribute.source].append(attribute)
        self.tries = 0
        self.is_cut = False

    def all_matches(self) -> Iterator[Match]:
        """Give every assignment, those that differ only in the names among them."""
        for node in self.concepts:
            if self.fits(self.pattern.top, node):
                yield from self.extend({self.pattern.top: node}, ())

    def extend(self, nodes: dict[str, str], pieces: tuple[Piece, ...]) -> Iterator[Match]:
        """Give all ways to go on after the first triples; as deep as the pattern is long."""
        if len(pieces) == len(self.wanted):
            if not any(self.has_absent(triple, nodes) for triple in self.pattern.triples):
                yield Match({name: nodes[name] for name in self.pattern.concepts}, pieces)
            return
        triple = self.wanted[len(pieces)]
        for piece in self.candidates(triple, nodes):
            self.tries += 1
            if self.tries > MAX_TRIES:
                self.is_cut = True
                return
            if piece in pieces or captures(triple.role, piece.role) is None:
                continue
            grown = self.bind(triple, piece, nodes)
            if grown is not None:
                yield from self.extend(grown, (*pieces, piece))

    def candidates(self, triple: PatternTriple, nodes: Mapping[str, str]) -> list[Piece]:
        """Give the triples at the end that is bound already."""
        if triple.source in nodes and triple.kind != "into":
            return self.outgoing[nodes[triple.source]]
        return self.incoming[nodes[triple.target]]

    def bind(
        self, triple: PatternTriple, piece: Piece, nodes: dict[str, str]
    ) -> dict[str, str] | None:
        """Give the variables after a triple took a piece; None where it cannot."""
        if triple.kind in ("any", "into"):
            return nodes
        if isinstance(piece, Attribute):
            is_hit = triple.kind == "constant" and captures(triple.target, piece.value) is not None
            return nodes if is_hit else None
        if triple.kind == "constant":
            return None
        grown = dict(nodes)
        for variable, node in ((triple.source, piece.source), (triple.target, piece.target)):
            bound = grown.get(variable)
            if bound is None and node not in grown.values() and self.fits(variable, node):
                grown[variable] = node
            elif bound != node:
                return None
        return grown

    def fits(self, variable: str, node: str) -> bool:
        """Tell whether a node has a concept that the variable asks for."""
        return captures(self.pattern.concepts[variable], self.concepts[node]) is not None

    def has_absent(self, triple: PatternTriple, nodes: Mapping[str, str]) -> bool:
        """Tell whether a triple is there that must not be."""
        return triple.is_absent and any(
            captures(triple.role, piece.role) is not None
            and self.bind(triple, piece, dict(nodes)) is not None
            for piece in self.candidates(triple, nodes)
        )
