"""Edits applied to AMR graphs: ``apply_edit(graph, edit) -> graph``.

A graph stays sound under every edit: one root that reaches all, no variable and no
triple twice, constants as leaves. What an edit does not touch keeps its variables,
its order and its metadata. What an edit may not do is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from aptcore.editing.coreference import CorefLink, add_link, delete_link, without_lost_links
from aptcore.editing.edits import (
    AddAttribute,
    AddCoref,
    AddEdge,
    AddNode,
    ChangeAttribute,
    ChangeEdge,
    DeleteAttribute,
    DeleteCoref,
    DeleteEdge,
    DeleteNode,
    Edit,
    RenameNode,
    ReplaceGraph,
    SetAlignment,
    SetRoot,
    Several,
)
from aptcore.errors import EditError, PenmanError
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Attribute, Edge, Mention, Node
from aptcore.graph.branches import Layout, is_token, is_writable_concept
from aptcore.graph.checks import connected_nodes, is_connected
from aptcore.graph.layout import branch_triples, invert_role, is_role_inverted, normal_direction
from aptcore.graph.penman import read_penman
from aptcore.graph.validation import hidden_signs


def apply_edit(graph: AmrGraph, edit: Edit) -> AmrGraph:
    """Apply an edit.

    Args:
        graph: A sound graph; it is not changed.
        edit: What to do.

    Returns:
        A sound graph.

    Raises:
        EditError: If the edit names what is not there or is there already, if a name
            cannot be written, or if a part of the graph would be left without a link.
    """
    edited = _apply(graph, edit)
    reached = set(connected_nodes(edited, edited.root))
    lost = [f"{node.id} / {node.concept}" for node in edited.nodes if node.id not in reached]
    if lost:
        raise EditError(
            f"nothing would link the root to {', '.join(lost[:5])}: link it in the same edit"
        )
    return without_lost_links(edited)


def _apply(graph: AmrGraph, edit: Edit) -> AmrGraph:
    match edit:
        case Several(edits):
            for part in edits:
                graph = _apply(graph, part)
            return graph
        case AddNode():
            return _add_node(graph, edit)
        case RenameNode(id, concept):
            return _rename(graph, id, concept)
        case DeleteNode(id):
            return _delete_node(graph, id)
        case AddAttribute():
            return _add_attribute(graph, edit)
        case ChangeAttribute():
            return _change_attribute(graph, edit)
        case DeleteAttribute(id):
            attribute = _attribute(graph, id)
            kept = tuple(item for item in graph.attributes if item is not attribute)
            return _without_keys(replace(graph, attributes=kept))
        case AddEdge(source, role, target):
            edge = _checked_edge(graph, source, role, target)
            return replace(graph, edges=(*graph.edges, edge))
        case ChangeEdge():
            return _change_edge(graph, edit)
        case DeleteEdge(source, role, target):
            gone = _edge(graph, source, role, target)
            return _without_keys(replace(graph, edges=tuple(e for e in graph.edges if e != gone)))
        case SetRoot(id):
            return replace(graph, root=_node(graph, id).id)
        case SetAlignment(key, tokens):
            return _align(graph, key, tokens)
        case AddCoref(id, sentence, target):
            return add_link(graph, CorefLink(id, sentence, target))
        case DeleteCoref(id, sentence, target):
            return delete_link(graph, CorefLink(id, sentence, target))
        case ReplaceGraph(penman):
            return _replace_graph(graph, penman)


def _add_node(graph: AmrGraph, edit: AddNode) -> AmrGraph:
    if edit.id in _names(graph):
        raise EditError(f"the name {edit.id} is taken")
    if not is_token(edit.id, "symbol"):
        raise EditError(f"{edit.id!r} cannot be written as a variable")
    if any(attribute.value == edit.id for attribute in graph.attributes):
        raise EditError(f"{edit.id} is a constant in this graph: choose another variable")
    _check_concept(edit.concept)
    grown = replace(graph, nodes=(*graph.nodes, Node(edit.id, edit.concept)))
    return _align(grown, edit.id, edit.tokens) if edit.tokens else grown


def _rename(graph: AmrGraph, name: str, concept: str) -> AmrGraph:
    _node(graph, name)
    _check_concept(concept)
    nodes = tuple(Node(n.id, concept) if n.id == name else n for n in graph.nodes)
    layout = tuple(
        replace(branch, concept=concept)
        if branch.target == name and branch.concept is not None
        else branch
        for branch in graph.layout
    )
    return replace(graph, nodes=nodes, layout=layout)


def _delete_node(graph: AmrGraph, name: str) -> AmrGraph:
    """Delete a node and all that only it held; of the root's parts the first one stays."""
    _node(graph, name)
    edges = tuple(edge for edge in graph.edges if name not in (edge.source, edge.target))
    nodes = tuple(node for node in graph.nodes if node.id != name)
    if not nodes:
        raise EditError("this is the only node: rename it instead")
    root = graph.root
    if name == root:
        others = [edge.target for edge in graph.edges if edge.source == name]
        others += [edge.source for edge in graph.edges if edge.target == name]
        root = next(other for other in (*others, nodes[0].id) if other != name)
    rest = replace(graph, nodes=nodes, edges=edges, root=root)
    kept = set(connected_nodes(rest, root))
    return _without_keys(
        replace(
            rest,
            nodes=tuple(node for node in nodes if node.id in kept),
            edges=tuple(edge for edge in edges if edge.source in kept and edge.target in kept),
            attributes=tuple(item for item in graph.attributes if item.source in kept),
        )
    )


def _add_attribute(graph: AmrGraph, edit: AddAttribute) -> AmrGraph:
    if edit.id in _names(graph):
        raise EditError(f"the name {edit.id} is taken")
    attribute = Attribute(edit.id, edit.source, edit.role, edit.value)
    _check_attribute(graph, attribute)
    grown = replace(graph, attributes=(*graph.attributes, attribute))
    return _align(grown, edit.id, edit.tokens) if edit.tokens else grown


def _change_attribute(graph: AmrGraph, edit: ChangeAttribute) -> AmrGraph:
    old = _attribute(graph, edit.id)
    new = Attribute(edit.id, edit.source, edit.role, edit.value)
    if new == old:
        return graph
    _check_attribute(graph, new)
    items = tuple(new if item is old else item for item in graph.attributes)
    layout = _relabelled(graph.layout, old.triple, new.triple)
    return _without_keys(replace(graph, attributes=items, layout=layout))


def _change_edge(graph: AmrGraph, edit: ChangeEdge) -> AmrGraph:
    old = _edge(graph, edit.source, edit.role, edit.target)
    new = Edge(*normal_direction(edit.new_source, edit.new_role, edit.new_target))
    if new == old:
        return graph
    _checked_edge(graph, new.source, new.role, new.target)
    edges = tuple(new if edge == old else edge for edge in graph.edges)
    layout = _relabelled(graph.layout, old.triple, new.triple)
    alignments = {_moved(key, old, new): value for key, value in graph.alignments.items()}
    return _without_keys(replace(graph, edges=edges, layout=layout, alignments=alignments))


def _moved(key: AlignmentKey, old: Edge, new: Edge) -> AlignmentKey:
    if key == old:
        return new
    return Mention(new) if key == Mention(old) and new.target == old.target else key


def _relabelled(layout: Layout, old: tuple[str, str, str], new: tuple[str, str, str]) -> Layout:
    """Write a changed triple where the old one stood, if its ends allow that."""
    changed = []
    for branch, triple in zip(layout, branch_triples(layout), strict=True):
        if not branch.depth or triple != old:
            changed.append(branch)
            continue
        is_turned = is_role_inverted(branch.role)
        above, below = (old[2], old[0]) if is_turned else (old[0], old[2])
        if branch.concept is None and not is_turned and new[0] == above:
            branch = replace(branch, role=new[1], target=new[2])
        elif {above, below} == {new[0], new[2]}:
            role = new[1] if new[0] == above else invert_role(new[1])
            branch = replace(branch, role=role)
        changed.append(branch)
    return tuple(changed)


def _align(graph: AmrGraph, key: AlignmentKey, tokens: tuple[int, ...]) -> AmrGraph:
    if key not in _alignable(graph):
        raise EditError(f"there is no {_key_text(key)} to align")
    num_tokens = len(graph.metadata.get("tok", "").split())
    if num_tokens and tokens and max(tokens) >= num_tokens:
        raise EditError(f"there is no token {max(tokens)}: the last one is {num_tokens - 1}")
    alignments = dict(graph.alignments)
    if tokens:
        alignments[key] = Alignment(tuple(sorted(set(tokens))), "person")
    else:
        alignments.pop(key, None)
    return replace(graph, alignments=alignments)


def _replace_graph(graph: AmrGraph, penman: str) -> AmrGraph:
    """Read the new graph; metadata stays, and the alignments of what is still there."""
    try:
        new, problems = read_penman(penman)
    except PenmanError as error:
        raise EditError(f"the text is no graph: {error}") from error
    if problems:
        line, problem = problems[0]
        raise EditError(f"line {line}: {problem}")
    if not is_connected(new):
        raise EditError("the text is no sound graph")
    concepts = {node.id: node.concept for node in graph.nodes}
    renamed = {node.id for node in new.nodes if concepts.get(node.id) != node.concept}
    alignments: dict[AlignmentKey, Alignment] = {
        key: alignment for key, alignment in graph.alignments.items() if key not in renamed
    }
    marked = {key: replace(found, source="person") for key, found in new.alignments.items()}
    new = replace(new, metadata=graph.metadata, alignments={**alignments, **marked})
    return _without_keys(new)


def fresh_variable(graph: AmrGraph, concept: str, taken: tuple[str, ...] = ()) -> str:
    """Give a variable that is free: the concept's first letter, numbered from 2 on."""
    letter = next((c for c in concept.lower() if c.isascii() and c.isalpha()), "x")
    used = _names(graph) | set(taken) | {attribute.value for attribute in graph.attributes}
    number = 1
    while (name := letter if number == 1 else f"{letter}{number}") in used:
        number += 1
    return name


def fresh_attribute(graph: AmrGraph, source: str, role: str, taken: tuple[str, ...] = ()) -> str:
    """Give an attribute id that is free: source and role, numbered from 2 on."""
    used, number = _names(graph) | set(taken), 1
    while (name := source + role if number == 1 else f"{source}{role}#{number}") in used:
        number += 1
    return name


def _names(graph: AmrGraph) -> set[str]:
    return {node.id for node in graph.nodes} | {item.id for item in graph.attributes}


def _node(graph: AmrGraph, name: str) -> Node:
    for node in graph.nodes:
        if node.id == name:
            return node
    raise EditError(f"there is no node {name}")


def _attribute(graph: AmrGraph, name: str) -> Attribute:
    for attribute in graph.attributes:
        if attribute.id == name:
            return attribute
    raise EditError(f"there is no constant {name}")


def _edge(graph: AmrGraph, source: str, role: str, target: str) -> Edge:
    edge = Edge(*normal_direction(source, role, target))
    if edge not in graph.edges:
        raise EditError(f"there is no edge {source} {role} {target}")
    return edge


def _checked_edge(graph: AmrGraph, source: str, role: str, target: str) -> Edge:
    """Give a new edge in its normal direction, if it can be added."""
    constants = {item.id: item for item in graph.attributes}
    for end in (source, target):
        if end in constants:
            raise EditError(f"{constants[end].value} is a constant: it has its one parent only")
        _node(graph, end)
    _check_role(role)
    edge = Edge(*normal_direction(source, role, target))
    if edge in graph.edges:
        raise EditError(f"the edge {edge.source} {edge.role} {edge.target} exists already")
    return edge


def _check_attribute(graph: AmrGraph, attribute: Attribute) -> None:
    _node(graph, attribute.source)
    _check_role(attribute.role)
    if not is_token(attribute.value, "string", "symbol"):
        raise EditError(f"{attribute.value!r} cannot be written as a constant; quote it")
    if any(node.id == attribute.value for node in graph.nodes):
        raise EditError(f"{attribute.value} is a variable in this graph: quote it, or add an edge")
    for other in graph.attributes:
        if other.triple == attribute.triple and other.id != attribute.id:
            raise EditError(f"{' '.join(other.triple)} exists already")


def _check_concept(concept: str) -> None:
    if not is_writable_concept(concept):
        raise EditError(f"{concept!r} cannot be written as a concept")
    if hidden_signs(concept):
        raise EditError(f"a concept has no signs that nobody sees: {hidden_signs(concept)}")


def _check_role(role: str) -> None:
    if role == ":" or not is_token(role, "role"):
        raise EditError(f"{role!r} cannot be written as a role: it starts with a colon")


def _alignable(graph: AmrGraph) -> set[AlignmentKey]:
    keys: set[AlignmentKey] = set(_names(graph))
    keys |= {Edge(item.source, item.role, item.id) for item in graph.attributes}
    for edge in graph.edges:
        keys |= {edge, Mention(edge)}
    return keys


def _without_keys(graph: AmrGraph) -> AmrGraph:
    """Drop the alignments of what is no longer there."""
    known = _alignable(graph)
    kept: Mapping[AlignmentKey, Alignment] = {
        key: alignment for key, alignment in graph.alignments.items() if key in known
    }
    return replace(graph, alignments=kept)


def _key_text(key: AlignmentKey) -> str:
    if isinstance(key, str):
        return key
    edge = key.edge if isinstance(key, Mention) else key
    return f"{edge.source} {edge.role} {edge.target}"
