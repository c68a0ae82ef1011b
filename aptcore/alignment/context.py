"""What the aligner looks at: the words of a sentence and the neighbourhood in a graph.

Nodes and attributes are both called items here; each has a label, which is a
node's concept or an attribute's value without its quotation marks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from aptcore.graph.amr import Alignment, AlignmentSource, AmrGraph, Sentence
from aptcore.graph.branches import unquote

FAR_WEIGHT = 0.25
"""What a neighbour's neighbour counts beside a neighbour."""

MAX_LINKS = 64
"""Links of one item that are looked at when its neighbourhood is weighed."""

PRONOUNS = ("i", "you", "he", "she", "it", "we", "they")

_NOT_LETTERS = re.compile(r"[\W_]+")
MARK_UP = re.compile(r"[<>]|\w=")
"""Tokens of tags, which mean nothing by themselves."""

_SENSE = re.compile(r"-\d\d\d?$")


Span = tuple[int, int]
"""A half-open range of tokens."""


class Word(NamedTuple):
    """A token in lower case, and its lemma.

    A tuple, because its hash is asked for at every match.
    """

    token: str
    lemma: str


@dataclass(frozen=True, slots=True)
class Link:
    """An edge or attribute seen from one of its ends.

    Attributes:
        role: The role in its normal direction.
        other: The item at the other end.
        is_out: True where this end is the source.
    """

    role: str
    other: str
    is_out: bool


@dataclass(frozen=True, slots=True)
class Context:
    """A sentence and a graph, indexed for the rules.

    Attributes:
        words: One for each token.
        items: Ids of all nodes, then of all attributes, each in the order of the text.
        labels: Concept or unquoted value of each item.
        counts: How many items have each label.
        nodes: The ids that are nodes.
        links: For each item, its edges and attributes in the order of the text.
        around: The neighbours of each item with weight 1, their neighbours with less.
        letters: Letters and digits of each token, in lower case; none of mark-up.
        mentions: The places of each pronoun in the sentence.
        root: The id of the root.
    """

    words: tuple[Word, ...]
    items: tuple[str, ...]
    labels: dict[str, str]
    counts: Counter[str]
    nodes: frozenset[str]
    links: dict[str, tuple[Link, ...]]
    around: dict[str, dict[str, float]]
    letters: tuple[str, ...]
    mentions: dict[str, tuple[Span, ...]]
    root: str

    def targets(self, item: str, role: str) -> list[str]:
        """List the items that ``role`` leads to from ``item``."""
        return [link.other for link in self.links[item] if link.is_out and link.role == role]

    def sources(self, item: str, role: str) -> list[str]:
        """List the items that ``role`` leads from to ``item``."""
        return [link.other for link in self.links[item] if not link.is_out and link.role == role]


@dataclass(slots=True)
class Draft:
    """Alignments found so far; each item is set once.

    Attributes:
        labels: Label of each item.
        spans: Half-open range of tokens of each aligned item; a given alignment to
            separated words stands here with its first contiguous run.
        sources: Where each alignment comes from.
        owners: The items at each token, in the order they came.
        taken: How many items of each label stand at each token.
    """

    labels: Mapping[str, str]
    spans: dict[str, Span] = field(default_factory=dict)
    sources: dict[str, AlignmentSource] = field(default_factory=dict)
    owners: dict[int, dict[str, None]] = field(default_factory=dict)
    taken: dict[int, Counter[str]] = field(default_factory=dict)

    def put(self, item: str, span: Span, source: AlignmentSource) -> None:
        """Align an item, unless it is aligned."""
        if item in self.spans:
            return
        self.spans[item] = span
        self.sources[item] = source
        for position in range(*span):
            self.owners.setdefault(position, {})[item] = None
            self.taken.setdefault(position, Counter())[self.labels[item]] += 1

    def remove(self, item: str) -> None:
        """Take the alignment of an item back."""
        label = self.labels[item]
        for position in range(*self.spans.pop(item)):
            del self.owners[position][item]
            self.taken[position][label] -= 1
        del self.sources[item]

    def is_free(self, span: Span) -> bool:
        """Tell whether nothing stands at these tokens."""
        return not any(self.owners.get(position) for position in range(*span))

    def holds_label(self, span: Span, label: str) -> bool:
        """Tell whether an item with this label stands at one of these tokens."""
        return any(
            self.taken[position][label] for position in range(*span) if position in self.taken
        )

    def alignment(self, item: str) -> Alignment:
        """Give the alignment of an aligned item."""
        return Alignment(tuple(range(*self.spans[item])), self.sources[item])


def concept_base(label: str) -> str:
    """Strip the sense number of a frame: "say-01" gives "say"."""
    return _SENSE.sub("", label)


def make_context(sentence: Sentence, graph: AmrGraph) -> Context:
    """Index a sentence and a graph."""
    words = tuple(
        Word(token.lower(), lemma)
        for token, lemma in zip(sentence.tokens, sentence.lemmas, strict=True)
    )
    labels = {node.id: node.concept for node in graph.nodes}
    labels |= {attribute.id: unquote(attribute.value) for attribute in graph.attributes}
    links: dict[str, list[Link]] = {item: [] for item in labels}
    for edge in graph.edges:
        links[edge.source].append(Link(edge.role, edge.target, True))
        links[edge.target].append(Link(edge.role, edge.source, False))
    for attribute in graph.attributes:
        links[attribute.source].append(Link(attribute.role, attribute.id, True))
        links[attribute.id].append(Link(attribute.role, attribute.source, False))
    return Context(
        words=words,
        items=tuple(labels),
        labels=labels,
        counts=Counter(labels.values()),
        nodes=frozenset(node.id for node in graph.nodes),
        links={item: tuple(found) for item, found in links.items()},
        around={item: _around(item, links) for item in links},
        letters=tuple(
            "" if MARK_UP.search(word.token) else letters_of(word.token) for word in words
        ),
        mentions={
            pronoun: tuple(
                (position, position + 1)
                for position, word in enumerate(words)
                if word.lemma == pronoun
            )
            for pronoun in PRONOUNS
        },
        root=graph.root,
    )


def letters_of(text: str) -> str:
    """Keep the letters and digits of a text, in lower case."""
    return _NOT_LETTERS.sub("", text).lower()


def _around(item: str, links: Mapping[str, Sequence[Link]]) -> dict[str, float]:
    """Weigh the neighbours of an item and theirs; of what has very many only the first."""
    around = {link.other: 1.0 for link in links[item][:MAX_LINKS]}
    for near in list(around):
        if len(links[near]) <= MAX_LINKS:
            for link in links[near]:
                if link.other != item:
                    around.setdefault(link.other, FAR_WEIGHT)
    return around


def start_draft(context: Context, graph: AmrGraph) -> Draft:
    """Take over the alignments that the graph has already."""
    draft = Draft(context.labels)
    for item in context.items:
        given = graph.alignments.get(item)
        if given is None or not given.tokens:
            continue
        start = end = given.tokens[0]
        while end in given.tokens:
            end += 1
        draft.put(item, (start, end), given.source)
    return draft
