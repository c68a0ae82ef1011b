"""One form for what AMR says in two ways, so that a score does not tell them apart.

``x :domain y`` is ``y :mod x`` (and ``:domain-of`` is ``:mod``). A reification that says no
more than its role does (``be-located-at-91`` with ``:ARG1`` and ``:ARG2`` alone, nothing on
it, not the root) is that role; which role is penman's AMR model's to say.
"""

from __future__ import annotations

from dataclasses import replace

import penman
from penman.models.amr import model
from penman.transform import dereify_edges

from aptcore.graph.amr import AmrGraph, Edge
from aptcore.graph.penman import format_penman, parse_penman


def normalised(graph: AmrGraph) -> tuple[AmrGraph, int]:
    """Give a graph in one form, without alignments, and how many relations were changed."""
    plain, num_reified = _without_reifications(graph)
    turned = [
        Edge(edge.target, ":mod", edge.source) if edge.role == ":domain" else edge
        for edge in plain.edges
    ]
    num_turned = sum(edge.role == ":domain" for edge in plain.edges)
    return replace(plain, edges=tuple(turned), layout=()), num_reified + num_turned


def _without_reifications(graph: AmrGraph) -> tuple[AmrGraph, int]:
    if not any(model.is_concept_dereifiable(node.concept) for node in graph.nodes):
        return graph, 0
    read = penman.decode(format_penman(graph, metadata=False), model=model)
    text = penman.encode(dereify_edges(read, model), model=model)
    plain = replace(parse_penman(text), metadata=graph.metadata)
    return plain, len(graph.nodes) - len(plain.nodes)
