"""What a person does to a graph with one or two gestures, as edits of that graph.

A gesture is a JSON object of the canvas with the key ``kind``. It names nodes and
constants by id and edges as ``[source, role, target]``, where the target of a constant's
edge is the constant's id. What it makes gets its name here, on the newest graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from itertools import count
from typing import Any

from app.store.log.operations import MAX_TEXT
from aptcore.advice.completion import roles_at
from aptcore.advice.entering import (
    as_concept,
    hang,
    is_constant_of,
    plain_role,
    read_line,
    split_line,
)
from aptcore.editing.coreference import CorefLink, coref_links
from aptcore.editing.edits import (
    AddCoref,
    AddEdge,
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
    edit_from_json,
)
from aptcore.editing.restructuring import (
    dereify,
    make_constant,
    merge_nodes,
    reify,
    split_node,
)
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph, Attribute, Edge
from aptcore.graph.branches import quote
from aptcore.graph.roles import LISTS
from aptcore.graph.validation import is_constant_text

Gesture = Mapping[str, Any]


def free_role(concept: str, taken: Collection[str]) -> str:
    """Offer a role for what is hung on a node: an argument that it lacks, or what fits anything.

    Args:
        concept: The node's.
        taken: The roles that lead away from it already.
    """
    stem, first = (":op", 1) if concept == "name" else (LISTS.get(concept, ""), 1)
    if re.search(r"-\d\d+$", concept):
        stem, first = ":ARG", 0
    numbered = (f"{stem}{number}" for number in count(first))
    return next(role for role in numbered if role not in taken) if stem else ":mod"


def edit_of(graph: AmrGraph, gesture: Gesture) -> Edit:
    """Give the edit that a gesture stands for.

    Raises:
        EditError: If the gesture is damaged, or names what is not in the graph.
    """
    make = _KINDS.get(str(gesture.get("kind")))
    if make is None:
        raise EditError(f"this is no gesture: {str(dict(gesture))[:80]}")
    return make(graph, gesture)


def _add(graph: AmrGraph, gesture: Gesture) -> Edit:
    """Hang a new node or constant on a node, standing for some tokens."""
    parent = _text(gesture, "parent")
    role, value = split_line(_text(gesture, "line"))
    concept = next((node.concept for node in graph.nodes if node.id == parent), "")
    if not value:
        raise EditError(f"say what hangs by {role}: a concept, a name or a value")
    role, tree = read_line(role or free_role(concept, roles_at(graph, parent)), value)
    return hang(graph, parent, role, tree, _tokens(gesture))


def _rename(graph: AmrGraph, gesture: Gesture) -> Edit:
    name, text = _text(gesture, "id"), _text(gesture, "text").strip()
    constant = _constant(graph, name)
    if constant is None:
        roles = [edge.role for edge in graph.edges if edge.target == name]
        if is_constant_of(roles[0] if len(roles) == 1 else "", text):
            return make_constant(graph, name, text)
        return RenameNode(name, as_concept(text))
    return ChangeAttribute(name, constant.source, constant.role, _value_for(graph, constant, text))


def _value_for(graph: AmrGraph, constant: Attribute, text: str) -> str:
    """Give the value that is typed for a constant: a string stays one without its marks."""
    is_string = constant.value.startswith('"') and text and not text.startswith('"')
    is_of_name = any(n.id == constant.source and n.concept == "name" for n in graph.nodes)
    return quote(text) if is_string and (is_of_name or not is_constant_text(text)) else text


def _delete(graph: AmrGraph, gesture: Gesture) -> Edit:
    if "edge" in gesture:
        source, role, target = _edge(gesture)
        if _constant(graph, target) is not None:
            return DeleteAttribute(target)
        return DeleteEdge(source, role, target)
    name = _text(gesture, "id")
    return DeleteNode(name) if _constant(graph, name) is None else DeleteAttribute(name)


def _link(graph: AmrGraph, gesture: Gesture) -> Edit:
    role = as_role(_text(gesture, "role"))
    return AddEdge(_text(gesture, "source"), role, _text(gesture, "target"))


def _relabel(graph: AmrGraph, gesture: Gesture) -> Edit:
    source, role, target = _edge(gesture)
    new = as_role(_text(gesture, "role"))
    constant = _constant(graph, target)
    if constant is not None:
        return ChangeAttribute(target, source, new, constant.value)
    return ChangeEdge(source, role, target, source, new, target)


def _reverse(graph: AmrGraph, gesture: Gesture) -> Edit:
    source, role, target = _edge(gesture)
    if _constant(graph, target) is not None:
        raise EditError("a constant is always the end of its edge: it cannot be turned round")
    return ChangeEdge(source, role, target, target, role, source)


def _move(graph: AmrGraph, gesture: Gesture) -> Edit:
    """Give an edge another source, or another target."""
    source, role, target = _edge(gesture)
    to = _text(gesture, "to")
    is_source = gesture.get("end") == "source"
    constant = _constant(graph, target)
    if constant is not None:
        if not is_source:
            raise EditError("a constant has its one edge: rename it, or delete it and add an edge")
        return ChangeAttribute(target, to, role, constant.value)
    if is_source:
        return ChangeEdge(source, role, target, to, role, target)
    return ChangeEdge(source, role, target, source, role, to)


def _root(graph: AmrGraph, gesture: Gesture) -> Edit:
    return SetRoot(_text(gesture, "id"))


def _merge(graph: AmrGraph, gesture: Gesture) -> Edit:
    return merge_nodes(graph, _text(gesture, "kept"), _text(gesture, "gone"))


def _split(graph: AmrGraph, gesture: Gesture) -> Edit:
    edges = gesture.get("edges", [])
    if not isinstance(edges, list):
        raise EditError("the edges to move are a list")
    moved = tuple(Edge(*_ends(edge)) for edge in edges)
    if any(_constant(graph, edge.target) is not None for edge in moved):
        raise EditError("a constant stays with its node; move it afterwards")
    return split_node(graph, _text(gesture, "id"), moved)


def _reify(graph: AmrGraph, gesture: Gesture) -> Edit:
    return reify(graph, Edge(*_edge(gesture)))


def _dereify(graph: AmrGraph, gesture: Gesture) -> Edit:
    return dereify(graph, _text(gesture, "id"))


def _align(graph: AmrGraph, gesture: Gesture) -> Edit:
    key = _text(gesture, "id") if "id" in gesture else Edge(*_edge(gesture))
    return SetAlignment(key, _tokens(gesture))


def _coref(graph: AmrGraph, gesture: Gesture) -> Edit:
    """Link a node to one of another sentence, or take that link away."""
    name, other = _text(gesture, "id"), gesture.get("other")
    if not isinstance(other, list) or not all(isinstance(part, str) for part in other):
        around = "the five sentences before this one or the next one that have an ::id of their own"
        raise EditError(f"no node of {around} is called {_text(gesture, 'text')}")
    sentence, target = other
    is_linked = CorefLink(name, sentence, target) in coref_links(graph.metadata)
    return (DeleteCoref if is_linked else AddCoref)(name, sentence, target)


def _replace(graph: AmrGraph, gesture: Gesture) -> Edit:
    return ReplaceGraph(_text(gesture, "text"))


def _ready(graph: AmrGraph, gesture: Gesture) -> Edit:
    """Take edits that the page itself offered: an option, a fix, proposals."""
    edits = gesture.get("edits")
    if not isinstance(edits, list) or not edits:
        raise EditError("there is no edit in this")
    read = tuple(edit_from_json(edit) for edit in edits)
    return read[0] if len(read) == 1 else Several(read)


_KINDS: dict[str, Callable[[AmrGraph, Gesture], Edit]] = {
    "add": _add,
    "rename": _rename,
    "delete": _delete,
    "link": _link,
    "relabel": _relabel,
    "reverse": _reverse,
    "move": _move,
    "root": _root,
    "merge": _merge,
    "split": _split,
    "reify": _reify,
    "dereify": _dereify,
    "align": _align,
    "coref": _coref,
    "text": _replace,
    "edits": _ready,
}


def as_role(text: str) -> str:
    """Give a typed role its colon."""
    role = plain_role(text.strip())
    return role if role.startswith(":") else f":{role}"


def _constant(graph: AmrGraph, name: str) -> Attribute | None:
    return next((item for item in graph.attributes if item.id == name), None)


def _text(gesture: Gesture, name: str) -> str:
    value = gesture.get(name)
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise EditError(f"{name} of {gesture.get('kind')} is a text of up to {MAX_TEXT:,} signs")
    return value


def _edge(gesture: Gesture) -> tuple[str, str, str]:
    return _ends(gesture.get("edge"))


def _ends(value: object) -> tuple[str, str, str]:
    if not isinstance(value, list) or len(value) != 3:
        raise EditError("an edge is [source, role, target]")
    source, role, target = value
    if not all(isinstance(part, str) for part in value):
        raise EditError("an edge is [source, role, target]")
    return source, role, target


def _tokens(gesture: Gesture) -> tuple[int, ...]:
    """Read token positions; a browser writes whole numbers as 3 or 3.0."""
    value = gesture.get("tokens", [])
    if not isinstance(value, list) or not all(
        isinstance(token, int | float) and 0 <= token < 1_000_000 and token == int(token)
        for token in value
    ):
        raise EditError("tokens are a list of positions from 0")
    return tuple(sorted({int(token) for token in value}))
