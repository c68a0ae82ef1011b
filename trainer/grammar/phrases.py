"""Words and the piece of graph that they stand for, built side by side.

A phrase is text with a node; phrases grow into sentences by joining texts and hanging
nodes on one another. A node that is hung in two places is one node of the graph.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(eq=False)
class Node:
    """A concept, with what hangs on it.

    Attributes:
        concept: Its name.
        edges: Roles without a colon, with a node or a constant as written in PENMAN.
    """

    concept: str
    edges: list[tuple[str, Node | str]] = field(default_factory=list)

    def add(self, role: str, target: Node | str) -> Node:
        """Hang something on this node; gives the node itself."""
        self.edges.append((role, target))
        return self


@dataclass(frozen=True, eq=False)
class Phrase:
    """Words and the node that they stand for."""

    text: str
    node: Node


@dataclass(frozen=True)
class Taught:
    """A sentence of the grammar.

    Attributes:
        kind: The production that made it.
        text: The sentence.
        penman: Its graph.
    """

    kind: str
    text: str
    penman: str


class Draw:
    """All choices of a sentence, from one seed.

    Attributes:
        tense: ``past`` or ``will`` where what is told must be of that time; else empty.
        mentioned: The nodes of the pronouns so far: "I" and "my" are one person.
    """

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        self.tense = ""
        self.mentioned: dict[str, Node] = {}

    def mention(self, concept: str) -> Node:
        """Give the one node of a pronoun in this sentence."""
        return self.mentioned.setdefault(concept, Node(concept))

    def of(self, choices: Sequence[str]) -> str:
        """Choose one."""
        return self._random.choice(choices)

    def some(self, choices: Sequence[str], count: int) -> list[str]:
        """Choose so many different ones."""
        return self._random.sample(choices, count)

    def number(self, first: int, last: int) -> int:
        """Choose a whole number, both ends included."""
        return self._random.randint(first, last)

    def happens(self, share: float) -> bool:
        """Tell whether something that happens in a share of the sentences does so here."""
        return self._random.random() < share


def node(concept: str, **edges: Node | str) -> Node:
    """Make a node; ``ARG0_of`` stands for the role ``ARG0-of``."""
    return Node(concept, [(role.replace("_", "-"), target) for role, target in edges.items()])


def name(kind: str, text: str) -> Node:
    """Make a named thing of a kind; each word of the text is one part of its name."""
    parts = [(f"op{n}", f'"{word}"') for n, word in enumerate(text.split(), 1)]
    return Node(kind, [("name", Node("name", list(parts)))])


def conjoined(nodes: Sequence[Node], concept: str = "and") -> Node:
    """Put nodes in a list."""
    return Node(concept, [(f"op{n}", part) for n, part in enumerate(nodes, 1)])


def listed(texts: Sequence[str], word: str = "and") -> str:
    """Write a list: ``a, b and c``."""
    return f"{', '.join(texts[:-1])} {word} {texts[-1]}" if len(texts) > 1 else texts[0]


def penman_of(root: Node) -> str:
    """Write a graph in PENMAN notation."""
    names: dict[Node, str] = {}
    return _write(root, names)


def _write(here: Node, names: dict[Node, str]) -> str:
    if here in names:
        return names[here]
    names[here] = f"{here.concept[0]}{len(names)}"
    parts = [f"{names[here]} / {here.concept}"]
    for role, target in here.edges:
        parts.append(f":{role} {_write(target, names) if isinstance(target, Node) else target}")
    return f"({' '.join(parts)})"


def sentence_of(text: str, end: str = ".") -> str:
    """Write a sentence: a capital at its head, a mark at its end, no space before commas."""
    text = " ".join(text.split()).replace(" ,", ",")
    return text[0].upper() + text[1:] + end


def with_article(words: str) -> str:
    """Put ``a`` or ``an`` before words."""
    return f"{'an' if words[0] in 'aeiouAEIOU' or words.startswith('hour') else 'a'} {words}"
