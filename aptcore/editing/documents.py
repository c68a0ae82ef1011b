"""One graph of the sentence graphs of a document.

    (d / multi-sentence
       :snt1 (s1.r / run-02 :ARG0 (s1.f / fox))
       :snt2 (s2.h / hide-01 :ARG0 s1.f))

is made of ``(r / run-02 :ARG0 (f / fox))`` and ``(h / hide-01 :ARG0 (i / it))``, where a link
says that ``i`` is ``f`` (aptcore.editing.coreference). Variables are renamed apart by the number
of their sentence. What a chain of links joins is one node: the first mention that has a name,
else the first that is no pronoun. Another concept than a pronoun stays, as
``:additional-type``; names that are spelled alike become one. The metadata says what the graph
does not, so that aptcore.editing.splitting gives the sentence graphs back.

Source: Naseem and others 2022, DocAMR: the merging of identity chains.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from aptcore.editing.coreference import chains, coref_links, not_links
from aptcore.errors import GraphError
from aptcore.graph.alignment_formats import format_alignments
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Attribute, Edge, Mention, Node
from aptcore.graph.blocks import token_line, tokens_of
from aptcore.graph.layout import Triple

ROOT, CONCEPT, TYPE, EMPTY = "d", "multi-sentence", ":additional-type", "amr-empty"

MENTIONS, SHARED, SENTENCE = "mentions", "shared", "sentence"
"""Keys of the metadata: which nodes became others; triples whose sentence their ends do not
tell; and, with its number behind, the metadata of a sentence."""

PRONOUNS = frozenset("i you he she it we they one this that these those who what which".split())

MENTION = re.compile(r"s(\d+)\.([^\s=]+)=(\S+?)/(\S+)")
VARIABLE = re.compile(r"s(\d+)\.(.+)")

_Place = tuple[int, str]
"""Number of a sentence, from 1, and a variable in it."""


def named(place: _Place) -> str:
    """Give the variable of a mention in the whole: ``s2.h``."""
    return f"s{place[0]}.{place[1]}"


@dataclass(frozen=True)
class _Heads:
    """Which mention stands for which others; ``graphs`` by the number of their sentence."""

    graphs: Mapping[int, AmrGraph]
    heads: dict[_Place, _Place]

    def name(self, number: int, node: str) -> str:
        """Give the variable that a node of a sentence has in the whole."""
        place = number, node
        return named(self.heads.get(place, place))

    def moved(self, number: int, edge: Edge) -> Edge:
        """Give an edge of a sentence as one of the whole."""
        return Edge(self.name(number, edge.source), edge.role, self.name(number, edge.target))

    def join(self, places: Sequence[_Place]) -> None:
        """Make nodes one, and the names of it that are spelled alike."""
        best = min(places, key=lambda place: (not self.name_nodes(place), self.is_pronoun(place)))
        self.heads.update((place, best) for place in places if place != best)
        spelled: dict[tuple[tuple[str, str], ...], _Place] = {}
        for name in (name for place in (best, *places) for name in self.name_nodes(place)):
            spelling = self.spelling(name)
            first = spelled.setdefault(spelling, name) if spelling else name
            if first != name and name not in self.heads and first not in self.heads:
                self.heads[name] = first

    def concept(self, place: _Place) -> str:
        """Give the concept of a mention."""
        return next(n.concept for n in self.graphs[place[0]].nodes if n.id == place[1])

    def is_pronoun(self, place: _Place) -> bool:
        """Tell whether a mention is a pronoun."""
        return self.concept(place) in PRONOUNS

    def name_nodes(self, place: _Place) -> list[_Place]:
        """Give the nodes that name a mention."""
        number, node = place
        edges = self.graphs[number].edges
        return [(number, e.target) for e in edges if (e.source, e.role) == (node, ":name")]

    def spelling(self, place: _Place) -> tuple[tuple[str, str], ...]:
        """Give the parts of a name; none where more hangs on it."""
        number, node = place
        graph = self.graphs[number]
        if any(edge.source == node for edge in graph.edges):
            return ()
        return tuple(sorted((a.role, a.value) for a in graph.attributes if a.source == node))

    def types(self) -> dict[_Place, _Place]:
        """Give the mentions whose concept stays beside that of their head, each concept once."""
        found: dict[tuple[_Place, str], _Place] = {}
        for place, head in self.heads.items():
            concept = self.concept(place)
            if concept != self.concept(head) and concept not in PRONOUNS:
                found.setdefault((head, concept), place)
        return {place: head for (head, _), place in found.items()}


def merge_document(name: str, graphs: Sequence[AmrGraph]) -> tuple[AmrGraph, tuple[str, ...]]:
    """Make one graph of those of a document.

    Args:
        name: Becomes its ``::id``.
        graphs: In the order of the document, with their metadata; ``(a / amr-empty)`` where a
            sentence has no graph: its number is left free.

    Returns:
        The graph, and what was left out: links that lead nowhere, relations of a node to itself.

    Raises:
        GraphError: No sentence has a graph.
    """
    known = {n: g for n, g in enumerate(graphs, 1) if [x.concept for x in g.nodes] != [EMPTY]}
    if not known:
        raise GraphError(["no sentence of the document has a graph"])
    heads, problems = _heads_of(known)
    constants: dict[Triple, tuple[Attribute, list[int]]] = {}
    edges: dict[Edge, list[int]] = {}
    nodes = [Node(ROOT, CONCEPT)]
    for number, graph in known.items():
        edges[Edge(ROOT, f":snt{number}", heads.name(number, graph.root))] = []
        own = [node for node in graph.nodes if (number, node.id) not in heads.heads]
        nodes += [Node(named((number, node.id)), node.concept) for node in own]
        for constant in graph.attributes:
            triple = heads.name(number, constant.source), constant.role, constant.value
            fresh = Attribute(named((number, constant.id)), *triple)
            constants.setdefault(triple, (fresh, []))[1].append(number)
        for edge in graph.edges:
            moved = heads.moved(number, edge)
            if moved.source == moved.target and edge.source != edge.target:
                problems.append(f"{moved.source} {edge.role} of itself is left out")
            else:
                edges.setdefault(moved, []).append(number)
    told = {triple: numbers for triple, (_, numbers) in constants.items()}
    told |= {edge.triple: numbers for edge, numbers in edges.items() if numbers}
    for place, head in heads.types().items():
        nodes.append(Node(named(place), heads.concept(place)))
        edges[Edge(named(head), TYPE, named(place))] = []
    attributes = tuple(constant for constant, _ in constants.values())
    metadata = {"id": name, **_texts(graphs), **_mentions(heads)}
    where = where_of([node.id for node in nodes], metadata)
    shared = [[*t, ns] for t, ns in told.items() if set(ns) != candidates(where, t)]
    metadata |= {SHARED: json.dumps(shared)} if shared else {}
    metadata |= {f"{SENTENCE}{n}": json.dumps(dict(g.metadata)) for n, g in enumerate(graphs, 1)}
    merged = AmrGraph(tuple(nodes), attributes, tuple(edges), ROOT, metadata=metadata)
    ids = {triple: constant.id for triple, (constant, _) in constants.items()}
    alignments = _alignments(heads, ids, offsets_of(graphs))
    if alignments:
        merged = replace(merged, alignments=alignments)
        merged = replace(merged, metadata={**metadata, "alignments": format_alignments(merged)})
    return merged, tuple(problems)


def _heads_of(graphs: Mapping[int, AmrGraph]) -> tuple[_Heads, list[str]]:
    """Make one of each chain of links; links that lead nowhere are told."""
    heads = _Heads(graphs, {})
    numbers = {graph.metadata.get("id", ""): number for number, graph in graphs.items()}
    nodes = {n: {node.id for node in graph.nodes} for n, graph in graphs.items()}
    links, problems = {}, []
    for number, graph in graphs.items():
        found = []
        for part in not_links(graph.metadata):
            problems.append(f"sentence {number}: {part!r} is no link; one is node=sentence:node")
        for link in coref_links(graph.metadata):
            other = numbers.get(link.sentence, 0)
            if link.node in nodes[number] and link.target in nodes.get(other, ()):
                found.append(link)
            else:
                told = f"{link.node}={link.sentence}:{link.target}"
                problems.append(f"sentence {number}: the link {told} leads nowhere")
        if found:
            links[graph.metadata.get("id", "")] = found
    for chain in chains(links):
        heads.join(sorted((numbers[sentence], node) for sentence, node in chain))
    return heads, problems


def _texts(graphs: Sequence[AmrGraph]) -> dict[str, str]:
    """Join the sentences and, where there are some, their tokens."""
    texts = [graph.metadata.get("snt") or " ".join(tokens_of(graph.metadata)) for graph in graphs]
    found = {"snt": " ".join(texts)}
    if any(key in graph.metadata for graph in graphs for key in ("tok", "tokens")):
        found |= token_line([token for graph in graphs for token in tokens_of(graph.metadata)])
    return found


def offsets_of(graphs: Sequence[AmrGraph]) -> list[int]:
    """Give the place of the first token of each sentence, and that behind the last."""
    return list(accumulate((len(tokens_of(graph.metadata)) for graph in graphs), initial=0))


def _mentions(heads: _Heads) -> dict[str, str]:
    told = [f"{named(p)}={named(h)}/{heads.concept(p)}" for p, h in sorted(heads.heads.items())]
    return {MENTIONS: " ".join(told)} if told else {}


def _alignments(
    heads: _Heads, ids: Mapping[Triple, str], offsets: Sequence[int]
) -> dict[AlignmentKey, Alignment]:
    """Give the alignments of all sentences by the keys and the tokens of the whole."""
    found: dict[AlignmentKey, Alignment] = {}
    for number, graph in heads.graphs.items():
        own = {}
        for constant in graph.attributes:
            triple = heads.name(number, constant.source), constant.role, constant.value
            own[constant.id] = ids[triple]

        def moved(edge: Edge, number: int = number, own: dict[str, str] = own) -> Edge:
            if edge.target in own:
                return Edge(heads.name(number, edge.source), edge.role, own[edge.target])
            return heads.moved(number, edge)

        for key, alignment in graph.alignments.items():
            fresh: AlignmentKey
            if isinstance(key, str):
                fresh = own.get(key) or heads.name(number, key)
            else:
                fresh = Mention(moved(key.edge)) if isinstance(key, Mention) else moved(key)
            tokens = {token + offsets[number - 1] for token in alignment.tokens}
            before = found[fresh].tokens if fresh in found else ()
            found[fresh] = replace(alignment, tokens=tuple(sorted({*before, *tokens})))
    return found


Where = dict[str, dict[int, tuple[str, str]]]
"""For each node of the whole the sentences in which it stands: variable, and concept where that
is another one."""


def where_of(names: Sequence[str], metadata: Mapping[str, str]) -> Where:
    """Tell in which sentences each node stands."""
    found: Where = {}
    for name in names:
        match = VARIABLE.fullmatch(name)
        if match is not None:
            found[name] = {int(match[1]): (match[2], "")}
    for number, variable, head, concept in MENTION.findall(metadata.get(MENTIONS, "")):
        found.setdefault(head, {}).setdefault(int(number), (variable, concept))
    return found


def candidates(where: Where, triple: Triple) -> set[int]:
    """Give the sentences that have the ends of a triple."""
    source, _, target = triple
    both = set(where[source])
    return both & set(where[target]) if target in where else both
