"""The words of the page explained, and found in the texts of lessons."""

from __future__ import annotations

import re
from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    "parser": "A program that reads a sentence and works out its meaning. Here it is you.",
    "graph": "The meaning of a sentence, drawn as boxes (nodes) joined by arrows (edges).",
    "AMR": (
        "Abstract Meaning Representation: a way of writing the meaning of a sentence as a "
        "graph. Sentences that mean the same get the same graph."
    ),
    "node": "A box of the graph. It stands for a thing, an event or a property.",
    "concept": (
        "The name in a node: a word (boy) or a numbered sense of a verb (want-01). Every node "
        "has one."
    ),
    "sense": (
        "One meaning of a word. The number in run-01 or run-02 says which: a list called "
        "PropBank counts them."
    ),
    "constant": (
        "A bare value in the graph: a number (2), a name in quotation marks (“Lima”) or a "
        "sign such as - for “not”. Arrows can lead to it, never away from it."
    ),
    "item": "A node or a constant: what one action makes.",
    "edge": "An arrow from one node to another. Its name, the role, says how they belong together.",
    "role": (
        "The name of an edge. :ARG0 is mostly the one who acts, :ARG1 what is acted on; "
        ":mod, :time, :location and others say what they are called."
    ),
    "root": "The node that the sentence is mainly about. Marking it finishes the graph.",
    "cursor": "The place in the sentence where you are. The word there is marked.",
    "token": "A word, number or punctuation mark of the sentence.",
    "lemma": "The plain form of a word, as in a dictionary: “wants” has the lemma want.",
    "action": "One small move. A graph is built by a list of actions, one after the other.",
    "aligned": (
        "A node is aligned to the word that it stands for. It must be made while the cursor "
        "is on that word."
    ),
    "SHIFT": "Go on to the next word. For words at which something was made.",
    "REDUCE": "Skip this word. For words that add nothing to the graph, such as “the”.",
    "MERGE": "Join this word with the next, so that both act as one: “New York”.",
    "COPY(lemma)": "Make a node named like the plain form of the word: “boys” makes boy.",
    "COPY(sense)": (
        "Make a node named like the plain form of the word with the number 01: “wants” makes "
        "want-01."
    ),
    "COPY(token)": "Make a constant that is spelled like the word: “Lima” in quotation marks.",
    "PRED": "Make a node and type its name yourself: for names that cannot be copied.",
    "CONST": "Make a constant and type its value yourself.",
    "SUBGRAPH": (
        "Make several nodes at once from a pattern. The parts in braces are filled from the "
        "words: {words} with the words themselves, {number} with the number that they name."
    ),
    "LA": "Left arc: draw an edge from the newest node to an earlier one.",
    "RA": "Right arc: draw an edge from an earlier node to the newest one.",
    "ROOT": (
        "After the last word: say which node is the root. This finishes the graph. In the list "
        "of actions it is written as LA(position, root)."
    ),
    "reentrancy": (
        "A node with two or more edges leading to it, because it plays more than one part. In "
        "“The boy wants to go” the boy is the one who wants and the one who goes."
    ),
    "entropy": (
        "How unsure a model was before an action, in nats: 0 is certain; 0.7 is like tossing "
        "a coin between two actions."
    ),
    "PENMAN": "A way of writing a graph as text, with brackets.",
}
"""Every term of the page and what it means, in the order of the glossary."""

_OTHER_FORMS = {
    "nodes": "node",
    "items": "item",
    "concepts": "concept",
    "constants": "constant",
    "edges": "edge",
    "roles": "role",
    "actions": "action",
    "tokens": "token",
    "lemmas": "lemma",
    "senses": "sense",
    "graphs": "graph",
    "reentrancies": "reentrancy",
}
_BY_SPELLING = {term: term for term in TERMS} | _OTHER_FORMS
_TERM = re.compile(
    r"(?<![\w:(-])("
    + "|".join(sorted(map(re.escape, _BY_SPELLING), key=len, reverse=True))
    + r")(?![\w(-])"
)

Piece = str | tuple[str, str]
"""Plain text, or a term as it is spelled with the name of its entry."""


def with_terms(text: str) -> tuple[Piece, ...]:
    """Cut a text into plain pieces and terms; of each term only the first place counts.

    >>> with_terms("Make a node.")
    ('Make a ', ('node', 'node'), '.')
    """
    pieces: list[Piece] = []
    seen: set[str] = set()
    end = 0
    for match in _TERM.finditer(text):
        term = _BY_SPELLING[match[1]]
        if term in seen:
            continue
        seen.add(term)
        if match.start() > end:
            pieces.append(text[end : match.start()])
        pieces.append((match[1], term))
        end = match.end()
    if end < len(text):
        pieces.append(text[end:])
    return tuple(pieces)
