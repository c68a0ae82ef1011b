"""New training sentences from parts of gold ones: a clause for a clause, a phrase for a phrase.

A part is a node that hangs on the rest of its graph by one edge, with all that hangs on it,
where its words stand side by side and nothing else stands among them. Two parts are of one
kind if they have the same role, and are both named things of a kind, both noun phrases of
one number, or both clauses whose verb has the same ending; phrases and clauses also stand
after the same word, and their heads as their first or last words alike.

Source: Jia and Liang 2016 (recombination for semantic parsing), Andreas 2020.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Edge, Sentence
from aptcore.graph.checks import connected_nodes
from aptcore.words.frames import is_frame
from aptcore.words.tokens import token_offsets

Pair = tuple[Sentence, AmrGraph]
"""A sentence with its aligned graph."""

_LONGEST = 12
_SEED = 1
_ARTICLES = frozenset(("a", "an", "the"))
_BEFORE_NOUNS = frozenset((":mod", ":quant", ":ord"))
_NO_PARTS = frozenset("i you he she it we they one amr-unknown this that name".split())
_ENDINGS = ("ing", "ed", "s")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence and of its graph.

    Attributes:
        pair: The sentence and graph in which it stands.
        edge: The one edge that joins it to the rest; its target is the top of the part.
        inside: Its nodes.
        start: Its first token, an article included.
        stop: The token after its last.
    """

    pair: Pair
    edge: Edge
    inside: frozenset[str]
    start: int
    stop: int


def recombined(pairs: Sequence[Pair], count: int) -> Iterator[Pair]:
    """Give so many new sentences with aligned graphs; the same for the same pairs.

    Fewer are given where there are not enough parts of one kind.
    """
    kinds: dict[tuple[str, ...], list[Part]] = defaultdict(list)
    for pair in pairs:
        for part in parts_of(pair):
            kinds[kind_of(part)].append(part)
    parts = [(part, same) for same in kinds.values() if len(same) > 1 for part in same]
    draw = random.Random(_SEED)
    seen = {sentence.tokens for sentence, _ in pairs}
    for part, same in draw.sample(parts, min(count, len(parts))):
        made = exchanged(part, draw.choice(same), f"recombined.{len(seen)}")
        if made[0].tokens not in seen:
            seen.add(made[0].tokens)
            yield made


def parts_of(pair: Pair) -> Iterator[Part]:
    """Find the parts of a sentence, its first word in none of them."""
    sentence, graph = pair
    concepts = {node.id: node.concept for node in graph.nodes}
    for edge in graph.edges:
        if concepts[edge.target] in _NO_PARTS:
            continue
        inside = _behind(graph, edge)
        if inside and (span := _span(sentence, graph, inside)):
            start, stop = span
            if edge.role not in _BEFORE_NOUNS and _has_article(sentence, graph, start - 1):
                start -= 1
            if start:
                yield Part(pair, edge, inside, start, stop)


def kind_of(part: Part) -> tuple[str, ...]:
    """Tell what a part can stand for; parts of one kind can be exchanged."""
    sentence, graph = part.pair
    top, role = part.edge.target, part.edge.role
    concept = next(node.concept for node in graph.nodes if node.id == top)
    words = [token.lower() for token in sentence.tokens]
    has_article = "article" * (words[part.start] in _ARTICLES)
    if any(edge.source == top and edge.role == ":name" for edge in graph.edges):
        return role, "named", concept, has_article
    head = graph.alignments[top].tokens[-1]
    shape = "first" * (head == part.start) + "last" * (head == part.stop - 1)
    around = words[part.start - 1], has_article, shape
    if is_frame(concept):
        ending = next((end for end in _ENDINGS if words[head].endswith(end)), "")
        return role, "clause", ending, *around
    is_plural = words[head] != sentence.lemmas[head] and words[head].endswith("s")
    return role, "plural" if is_plural else "singular", *around


def exchanged(part: Part, other: Part, id: str) -> Pair:
    """Put one part in another's place.

    Args:
        part: What is replaced, in its sentence.
        other: What stands there instead, from another.
        id: The name of the new sentence.
    """
    (_, graph), (_, given) = part.pair, other.pair
    moved = other.start - part.start
    after = part.stop - part.start - (other.stop - other.start)
    names = {node: f"{node}-2" for node in other.inside}
    rest = [node for node in graph.nodes if node.id not in part.inside]
    kept = [a for a in graph.attributes if a.source not in part.inside]
    alignments: dict[AlignmentKey, Alignment] = {}
    for item in [*(node.id for node in rest), *(attribute.id for attribute in kept)]:
        tokens = graph.alignments[item].tokens
        alignments[item] = _at(t - after * (t >= part.stop) for t in tokens)
    put = [a for a in given.attributes if a.source in other.inside]
    fresh = {a.id: f"{a.id}-2" for a in put}
    for old, new in {**names, **fresh}.items():
        alignments[new] = _at(t - moved for t in given.alignments[old].tokens)
    nodes = [replace(n, id=names[n.id]) for n in given.nodes if n.id in names]
    attributes = [replace(a, id=fresh[a.id], source=names[a.source]) for a in put]
    edges = [e for e in graph.edges if e.source not in part.inside and e != part.edge]
    edges.append(Edge(part.edge.source, part.edge.role, names[other.edge.target]))
    edges += [
        Edge(names[e.source], e.role, names[e.target])
        for e in given.edges
        if e.source in names and e.target in names
    ]
    built = AmrGraph((*rest, *nodes), (*kept, *attributes), tuple(edges), graph.root, alignments)
    return _joined(part, other, id), built


def _joined(part: Part, other: Part, id: str) -> Sentence:
    """Give the words of a sentence with a part exchanged."""
    (sentence, _), (donor, _) = part.pair, other.pair
    offsets, given = token_offsets(sentence), token_offsets(donor)
    text = (
        sentence.text[: offsets[part.start][0]]
        + donor.text[given[other.start][0] : given[other.stop - 1][1]]
        + sentence.text[offsets[part.stop - 1][1] :]
    )
    tokens, lemmas = (
        (*whole[: part.start], *put[other.start : other.stop], *whole[part.stop :])
        for whole, put in ((sentence.tokens, donor.tokens), (sentence.lemmas, donor.lemmas))
    )
    return Sentence(id, text, tokens, lemmas)


def _at(tokens: Iterable[int]) -> Alignment:
    return Alignment(tuple(tokens), "given")


def _behind(graph: AmrGraph, edge: Edge) -> frozenset[str]:
    """Give the nodes that hang on the rest by this edge alone, at its target; else none."""
    others = tuple(other for other in graph.edges if other is not edge)
    inside = frozenset(connected_nodes(replace(graph, edges=others), edge.target))
    return frozenset() if {graph.root, edge.source} & inside else inside


def _span(sentence: Sentence, graph: AmrGraph, inside: frozenset[str]) -> tuple[int, int] | None:
    """Give the first token of some nodes and the one after the last, if no other is among them."""
    owners = {node.id: node.id for node in graph.nodes}
    owners |= {attribute.id: attribute.source for attribute in graph.attributes}
    own: set[int] = set()
    others: set[int] = set()
    for item, owner in owners.items():
        (own if owner in inside else others).update(graph.alignments[item].tokens)
    start, stop = min(own), max(own) + 1
    if any(start <= token < stop for token in others) or stop - start > _LONGEST:
        return None
    return (start, stop) if start else None


def _has_article(sentence: Sentence, graph: AmrGraph, place: int) -> bool:
    """Tell whether a token is an article that stands for nothing in the graph."""
    return sentence.tokens[place].lower() in _ARTICLES and not any(
        place in alignment.tokens for alignment in graph.alignments.values()
    )
