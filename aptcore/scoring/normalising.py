"""One form for what AMR says in two ways, so that a score does not tell them apart.

``x :domain y`` is ``y :mod x`` (and ``:domain-of`` is ``:mod``). A reification that says no
more than its role does (``be-located-at-91`` with ``:ARG1`` and ``:ARG2`` alone, nothing on
it, not the root) is that role; which role is penman's AMR model's to say.
"""

from __future__ import annotations

from dataclasses import replace

from penman import Graph
from penman.models.amr import model
from penman.transform import dereify_edges

from aptcore.graph.amr import AmrGraph, Attribute, Edge
from aptcore.graph.checks import triples


def normalised(graph: AmrGraph) -> tuple[AmrGraph, int]:
    """Give a graph in one form, without alignments, and how many relations were changed."""
    plain, num_reified = _without_reifications(graph)
    turned = [
        Edge(edge.target, ":mod", edge.source) if edge.role == ":domain" else edge
        for edge in plain.edges
    ]
    num_turned = sum(edge.role == ":domain" for edge in plain.edges)
    edges = tuple(dict.fromkeys(turned))  # both ways may be said at once
    return replace(plain, edges=edges, alignments={}, layout=()), num_reified + num_turned


def _without_reifications(graph: AmrGraph) -> tuple[AmrGraph, int]:
    """Take the nodes that say no more than a role out, by triples: no graph is too deep."""
    if not any(model.is_concept_dereifiable(node.concept) for node in graph.nodes):
        return graph, 0
    given = Graph(triples(graph), graph.root, {triple: [] for triple in triples(graph)})
    kept = dereify_edges(given, model).triples
    nodes = {source for source, role, _ in kept if role == ":instance"}
    if not nodes.issuperset(source for source, _, _ in kept):  # a constant would have a role
        return graph, 0
    said = [each for each in dict.fromkeys(kept) if each[1] != ":instance"]
    constants = [
        Attribute(f"{source}{role}#{number}", source, role, str(target))
        for number, (source, role, target) in enumerate(said)
        if target not in nodes
    ]
    plain = replace(
        graph,
        nodes=tuple(node for node in graph.nodes if node.id in nodes),
        attributes=tuple(constants),
        edges=tuple(Edge(s, role, str(t)) for s, role, t in said if t in nodes),
    )
    return plain, len(graph.nodes) - len(nodes)
