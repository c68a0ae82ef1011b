"""Larger edits put together from small ones: merge, split, reify, dereify, a constant of a node.

Each function gives one edit that is applied, logged and undone as a whole.

Source of the reifications: the AMR model of penman 1.3.1.
"""

from __future__ import annotations

from penman.models.amr import model as amr_model

from aptcore.editing.applying import fresh_attribute, fresh_variable
from aptcore.editing.edits import (
    AddAttribute,
    AddEdge,
    AddNode,
    ChangeAttribute,
    ChangeEdge,
    DeleteAttribute,
    DeleteEdge,
    DeleteNode,
    Edit,
    SetAlignment,
    SetRoot,
    Several,
)
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph, Edge


def merge_nodes(graph: AmrGraph, kept: str, gone: str) -> Several:
    """Move all that hangs on one node to another and delete it; its words go along.

    Edges between the two are deleted, as are those that would stand twice.

    Raises:
        EditError: If both are the same.
    """
    if kept == gone:
        raise EditError("merge two different nodes")
    edits: list[Edit] = []
    there = {edge.triple for edge in graph.edges}
    for edge in graph.edges:
        if gone not in (edge.source, edge.target):
            continue
        source = kept if edge.source == gone else edge.source
        target = kept if edge.target == gone else edge.target
        moved = (source, edge.role, target)
        if source == target or moved in there:
            edits.append(DeleteEdge(*edge.triple))
            continue
        there.add(moved)
        edits.append(ChangeEdge(*edge.triple, *moved))
    constants = {(item.role, item.value) for item in graph.attributes if item.source == kept}
    for item in graph.attributes:
        if item.source != gone:
            continue
        if (item.role, item.value) in constants:
            edits.append(DeleteAttribute(item.id))
        else:
            edits.append(ChangeAttribute(item.id, kept, item.role, item.value))
    if graph.root == gone:
        edits.append(SetRoot(kept))
    words = {
        token
        for name in (kept, gone)
        if name in graph.alignments
        for token in graph.alignments[name].tokens
    }
    edits.append(DeleteNode(gone))
    if words:
        edits.append(SetAlignment(kept, tuple(sorted(words))))
    return Several(tuple(edits))


def split_node(graph: AmrGraph, name: str, moved: tuple[Edge, ...]) -> Several:
    """Make a second node of the same concept and move some edges to it.

    Args:
        graph: The graph.
        name: The node to split.
        moved: Its edges that the new node takes over; where there are none, ``:mod`` links
            it to the old one.

    Raises:
        EditError: If there is no such node, or an edge is none of its own.
    """
    concept = next((node.concept for node in graph.nodes if node.id == name), None)
    if concept is None:
        raise EditError(f"there is no node {name}")
    new = fresh_variable(graph, concept)
    edits: list[Edit] = [AddNode(new, concept)]
    for edge in moved:
        if edge not in graph.edges or name not in (edge.source, edge.target):
            raise EditError(f"{edge.source} {edge.role} {edge.target} is no edge of {name}")
        source = new if edge.source == name else edge.source
        target = new if edge.target == name else edge.target
        edits.append(ChangeEdge(*edge.triple, source, edge.role, target))
    if not moved:
        edits.append(AddEdge(name, ":mod", new))
    return Several(tuple(edits))


def reify(graph: AmrGraph, edge: Edge) -> Several:
    """Turn an edge into a concept with two edges: ``:location`` into ``be-located-at-91``.

    Raises:
        EditError: If the role has no reification.
    """
    found = amr_model.reifications.get(edge.role)
    if not found:
        raise EditError(f"{edge.role} has no reification")
    concept, source_role, target_role = found[0]
    new = fresh_variable(graph, concept)
    return Several(
        (
            DeleteEdge(*edge.triple),
            AddNode(new, concept),
            AddEdge(new, source_role, edge.source),
            AddEdge(new, target_role, edge.target),
        )
    )


def dereify(graph: AmrGraph, name: str) -> Several:
    """Turn a reified concept with exactly its two edges back into one edge.

    Raises:
        EditError: If the node is no reification, or holds more than its two edges.
    """
    concept = next((node.concept for node in graph.nodes if node.id == name), "")
    own = [edge for edge in graph.edges if name in (edge.source, edge.target)]
    has_more = any(item.source == name for item in graph.attributes) or graph.root == name
    for role, source_role, target_role in amr_model.dereifications.get(concept, ()):
        ends = {edge.role: edge.target for edge in own if edge.source == name}
        if len(own) == 2 and not has_more and set(ends) == {source_role, target_role}:
            return Several((AddEdge(ends[source_role], role, ends[target_role]), DeleteNode(name)))
    raise EditError(f"{name} / {concept} is no reified role with exactly its two edges")


def make_constant(graph: AmrGraph, name: str, value: str) -> Several:
    """Put a constant in the place of a node; the words that the node stands for go along.

    Args:
        graph: The graph.
        name: The node.
        value: The constant, as it is written.

    Raises:
        EditError: If there is no such node, or if it is no leaf: a constant has one parent
            and no branches.
    """
    if all(node.id != name for node in graph.nodes):
        raise EditError(f"there is no node {name}")
    above = [edge for edge in graph.edges if edge.target == name]
    below = [edge.role for edge in graph.edges if edge.source == name]
    below += [item.role for item in graph.attributes if item.source == name]
    why = ""
    if graph.root == name:
        why = f"{name} is the root"
    elif below:
        why = f"{name} has {', '.join(below[:3])}"
    elif len(above) != 1:
        why = f"{name} has {len(above)} parents"
    if why:
        raise EditError(f"{value} is a constant, which has one parent and no branches, but {why}")
    source, role, _ = above[0].triple
    words = graph.alignments[name].tokens if name in graph.alignments else ()
    constant = fresh_attribute(graph, source, role)
    return Several((DeleteNode(name), AddAttribute(constant, source, role, value, words)))
