"""What a graph consists of, what holds it together, and what keeps it from being written."""

from __future__ import annotations

from collections import Counter

from aptcore.graph.amr import AmrGraph, Edge
from aptcore.graph.branches import is_token
from aptcore.graph.layout import INSTANCE, TOP, Triple, is_role_inverted


def triples(graph: AmrGraph) -> tuple[Triple, ...]:
    """Give all triples: ``:instance`` of each node, then attributes, then edges."""
    return (
        *((node.id, INSTANCE, node.concept) for node in graph.nodes),
        *attribute_triples(graph),
        *edge_triples(graph),
    )


def rooted_triples(graph: AmrGraph) -> tuple[Triple, ...]:
    """Give all triples of a graph, that of the root last."""
    return (*triples(graph), (graph.root, TOP, ""))


def attribute_triples(graph: AmrGraph) -> tuple[Triple, ...]:
    """Give source, role and constant of each attribute."""
    return tuple(item.triple for item in graph.attributes)


def edge_triples(graph: AmrGraph) -> tuple[Triple, ...]:
    """Give source, role and target of each edge."""
    return tuple(edge.triple for edge in graph.edges)


def is_connected(graph: AmrGraph) -> bool:
    """Tell whether the root reaches every node along edges in either direction."""
    return len(connected_nodes(graph, graph.root)) == len({node.id for node in graph.nodes})


def connected_nodes(graph: AmrGraph, start: str) -> tuple[str, ...]:
    """Give the nodes that ``start`` reaches along edges in either direction, breadth first."""
    neighbours: dict[str, list[str]] = {node.id: [] for node in graph.nodes}
    for edge in graph.edges:
        if edge.source in neighbours and edge.target in neighbours:
            neighbours[edge.source].append(edge.target)
            neighbours[edge.target].append(edge.source)
    if start not in neighbours:
        return ()
    reached = {start: None}
    queue = [start]
    for node in queue:
        new = [other for other in dict.fromkeys(neighbours[node]) if other not in reached]
        reached.update(dict.fromkeys(new))
        queue += new
    return tuple(reached)


def unwritable_parts(graph: AmrGraph) -> tuple[str, ...]:
    """Say everything that keeps a graph from being written and read back the same."""
    problems = []
    counts = Counter(node.id for node in graph.nodes)
    problems += [f"variable {name!r} stands for {n} nodes" for name, n in counts.items() if n > 1]
    if graph.root not in counts:
        problems.append(f"root {graph.root!r} is no node of the graph")
    for node in graph.nodes:
        if not is_token(node.id, "symbol"):
            problems.append(f"variable {node.id!r} cannot be written")
        if not is_token(node.concept, "symbol", "string"):
            problems.append(f"concept {node.concept!r} of {node.id} cannot be written")
    for attribute in graph.attributes:
        place = f"{attribute.source} {attribute.role}"
        if attribute.source not in counts:
            problems.append(f"{place} {attribute.value} hangs on no node")
        if not is_token(attribute.value, "symbol", "string"):
            problems.append(f"constant {attribute.value!r} at {place} cannot be written; quote it")
        if attribute.value in counts:
            problems.append(f"constant {attribute.value!r} at {place} is also a variable")
    for edge in graph.edges:
        missing = [end for end in (edge.source, edge.target) if end not in counts]
        problems += [f"{_shown(edge)}: {end!r} is no node of the graph" for end in missing]
        if is_role_inverted(edge.role):
            problems.append(f"{_shown(edge)}: the role is inverted; turn the edge round")
    roles = [a.role for a in graph.attributes] + [edge.role for edge in graph.edges]
    problems += [
        f"role {role!r} cannot be written"
        for role in dict.fromkeys(roles)
        if not is_token(role, "role")
    ]
    repeated = Counter((*attribute_triples(graph), *edge_triples(graph)))
    problems += [f"triple {' '.join(t)} is repeated" for t, n in repeated.items() if n > 1]
    if not problems and not is_connected(graph):
        reached = set(connected_nodes(graph, graph.root))
        lost = ", ".join(node.id for node in graph.nodes if node.id not in reached)
        problems.append(f"nothing links the root to {lost}")
    return tuple(problems)


def _shown(edge: Edge) -> str:
    return f"edge {edge.source} {edge.role} {edge.target}"
