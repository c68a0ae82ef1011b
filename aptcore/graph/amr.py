"""The frozen values that make up an AMR graph.

They are public as ``aptcore.graph.penman``, which explains them and converts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from aptcore.graph.branches import Layout

AlignmentSource = Literal["given", "rule", "em", "proximity", "person", "parser"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as the parser reads it.

    Attributes:
        id: The name of the sentence in its file; may be empty.
        text: The sentence as given, on one line.
        tokens: Pieces of ``text`` in order; none is empty or holds white space.
        lemmas: One for each token, numbers normalised ("two" gives "2").
        derived: For each token, (kind, concept) pairs, best first: what COPY(kind) makes
            there in the own action set, beyond the lemma and its first sense. Empty
            where no tables were applied (see aptcore.words.copies).
    """

    id: str
    text: str
    tokens: tuple[str, ...]
    lemmas: tuple[str, ...]
    derived: tuple[tuple[tuple[str, str], ...], ...] = field(default=(), hash=False)


@dataclass(frozen=True, slots=True)
class Node:
    """A concept with its variable."""

    id: str
    concept: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """A constant at its one parent; ``id`` is unique among nodes and attributes.

    ``value`` is the constant as written, quotation marks included.
    """

    id: str
    source: str
    role: str
    value: str

    @property
    def triple(self) -> tuple[str, str, str]:
        """Source, role and the constant as written."""
        return self.source, self.role, self.value


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes, in its normal direction."""

    source: str
    role: str
    target: str

    @property
    def triple(self) -> tuple[str, str, str]:
        """Source, role and target."""
        return self.source, self.role, self.target


@dataclass(frozen=True, slots=True)
class Mention:
    """A later mention of a variable, known by the edge that it stands on."""

    edge: Edge


AlignmentKey = str | Edge | Mention
"""A node or attribute id, an edge (its role is aligned), or a later mention.

The role of an attribute is ``Edge(source, role, attribute id)``.
"""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Token positions (from 0, ascending) and where they come from."""

    tokens: tuple[int, ...]
    source: AlignmentSource


@dataclass(frozen=True, slots=True)
class AmrGraph:
    """One AMR graph.

    Attributes:
        nodes: In order of introduction in the text (pre-order of its tree).
        attributes: In order of the text.
        edges: In order of the text.
        root: The id of the root node; empty only while a parse is unfinished.
        alignments: Which tokens stand for what.
        metadata: The ``# ::key value`` lines.
        layout: The branches as written; empty for a graph that was not read.
    """

    nodes: tuple[Node, ...]
    attributes: tuple[Attribute, ...]
    edges: tuple[Edge, ...]
    root: str
    alignments: Mapping[AlignmentKey, Alignment] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    layout: Layout = field(default=(), compare=False, repr=False)
