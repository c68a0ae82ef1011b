"""AMR graphs as frozen values, and PENMAN text in and out.

A graph has nodes (concepts), attributes (constants, one per occurrence) and
edges. Roles keep their colon and their normal direction, as penman's AMR model
reads them: ``(w / wheel :part-of (c / car))`` holds the edge ``c :part w``.
Constants keep their quotation marks, so ``2`` and ``"2"`` stay apart.

A graph that was read keeps how it was written (``layout``), so that writing it
gives the same branches in the same order. After ``dataclasses.replace`` the
layout may no longer fit; every function here sees to that itself.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from aptcore.errors import GraphError
from aptcore.layout import Triple, branch_triples, is_role_inverted, lay_out
from aptcore.penman_text import (
    TOKEN,
    Branch,
    Layout,
    format_layout,
    format_metadata,
    metadata_of,
    parse_layout,
)

AlignmentSource = Literal["given", "rule", "em", "proximity", "person", "parser"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as the parser reads it.

    Attributes:
        id: The name of the sentence in its file; may be empty.
        text: The sentence as given, on one line.
        tokens: Pieces of ``text`` in order; none is empty or holds white space.
        lemmas: One for each token, numbers normalised ("two" gives "2").
    """

    id: str
    text: str
    tokens: tuple[str, ...]
    lemmas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A concept with its variable."""

    id: str
    concept: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """A constant at its one parent; ``id`` is unique among nodes and attributes.

    ``value`` is the constant as written, quotation marks included.
    """

    id: str
    source: str
    role: str
    value: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes, in its normal direction."""

    source: str
    role: str
    target: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A later mention of a variable, known by the edge that it stands on."""

    edge: Edge


AlignmentKey = str | Edge | Mention
"""A node or attribute id, an edge (its role is aligned), or a later mention.

The role of an attribute is ``Edge(source, role, attribute id)``.
"""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Token positions (from 0, ascending) and where they come from."""

    tokens: tuple[int, ...]
    source: AlignmentSource


@dataclass(frozen=True, slots=True)
class AmrGraph:
    """One AMR graph.

    Attributes:
        nodes: In order of introduction in the text (pre-order of its tree).
        attributes: In order of the text.
        edges: In order of the text.
        root: The id of the root node; empty only while a parse is unfinished.
        alignments: Which tokens stand for what.
        metadata: The ``# ::key value`` lines.
        layout: The branches as written; empty for a graph that was not read.
    """

    nodes: tuple[Node, ...]
    attributes: tuple[Attribute, ...]
    edges: tuple[Edge, ...]
    root: str
    alignments: Mapping[AlignmentKey, Alignment] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    layout: Layout = field(default=(), compare=False, repr=False)


class GraphWarning(UserWarning):
    """Something in a graph that was put right on reading."""


def parse_penman(text: str, *, path: str | None = None, first_line: int = 1) -> AmrGraph:
    """Read one graph with its ``# ::key value`` lines and its ``~e.3`` marks.

    Repeated identical triples are collapsed, with a GraphWarning. Roles are not
    checked; ``aptcore.validation`` does that.

    Args:
        text: One graph in PENMAN notation.
        path: Its file, for messages.
        first_line: The line of the file on which ``text`` begins, from 1.

    Raises:
        PenmanError: The text is not exactly one sound graph: a variable introduced
            twice, a role with no target, an open quotation mark, text after the end.
    """
    graph, problems = read_penman(text, path=path, first_line=first_line)
    _, repeated_keys = metadata_of(_comments(text))
    for key in repeated_keys:
        warnings.warn(f"::{key} is given twice; the first is kept", GraphWarning, stacklevel=2)
    for line, problem in problems:
        warnings.warn(f"line {line}: {problem}", GraphWarning, stacklevel=2)
    return graph


def read_penman(
    text: str, *, path: str | None = None, first_line: int = 1
) -> tuple[AmrGraph, tuple[tuple[int, str], ...]]:
    """Read one graph as ``parse_penman`` does; return its warnings, with lines, beside it."""
    layout = parse_layout(text, path=path, first_line=first_line)
    metadata, _ = metadata_of(_comments(text))
    layout, repeated = _without_repeats(layout)
    problems = tuple(
        (branch.line, f"triple {' '.join(triple)} is repeated; it is kept once")
        for branch, triple in repeated
    )
    graph = replace(_graph_of(layout), metadata=metadata)
    return replace(graph, alignments=_marked_alignments(graph)), problems


def _comments(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.lstrip().startswith("#")]


def format_penman(
    graph: AmrGraph, *, metadata: bool = True, alignments: bool = False, top: str | None = None
) -> str:
    """Write a graph, in the order in which it was read where it was read.

    Args:
        graph: A connected graph whose names can all be written.
        metadata: Write the ``# ::key value`` lines first.
        alignments: Write token positions as ``~e.3,4`` marks.
        top: Another node to begin with; branches are then laid out anew.

    Returns:
        Text without a line end after the last bracket; it reads back as this graph.

    Raises:
        GraphError: The text would not read back; all reasons are listed.
    """
    problems = unwritable_parts(graph)
    if top is not None and top not in {node.id for node in graph.nodes}:
        problems = (*problems, f"top {top!r} is no node of the graph")
    if problems:
        raise GraphError(problems)
    layout = layout_of(graph if top is None else replace(graph, root=top))
    layout = _with_marks(layout, graph) if alignments else _without_marks(layout)
    head = format_metadata(graph.metadata) if metadata else ""
    return head + format_layout(layout)


def quote(text: str) -> str:
    r"""Write any text as a constant in quotation marks; a line break becomes a space.

    >>> quote('say "hi"')
    '"say \\"hi\\""'
    """
    one_line = " ".join(re.split(r"\r\n|[\n\r]", text))
    return '"' + one_line.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquote(value: str) -> str:
    """Give the text of a constant: the inverse of ``quote``; other constants stay."""
    if len(value) < 2 or value[0] != '"' or value[-1] != '"':
        return value
    return re.sub(r'\\(["\\])', r"\1", value[1:-1])


def is_writable_concept(text: str) -> bool:
    """Tell whether a text can stand as a concept and be read back.

    It is not empty, does not begin with ``#``, holds no white space, quotation mark,
    bracket, colon, slash, ``~`` or control character, and something of it can be seen.
    """
    if not text or text[0] == "#" or not any(character.isprintable() for character in text):
        return False
    return not any(
        character in '"()/:~' or character.isspace() or unicodedata.category(character) in _HIDDEN
        for character in text
    )


_HIDDEN = ("Cc", "Cs")  # control characters and lone surrogates cannot be written safely


def triples(graph: AmrGraph) -> tuple[Triple, ...]:
    """Give all triples: ``:instance`` of each node, then attributes, then edges."""
    return (
        *((node.id, ":instance", node.concept) for node in graph.nodes),
        *_attribute_triples(graph),
        *_edge_triples(graph),
    )


def item_order(graph: AmrGraph) -> tuple[str, ...]:
    """Give the ids of nodes and attributes in pre-order of the text as written.

    A node stands where it gets its concept. Without a layout the order is depth
    first from the root, attributes right after their node.
    """
    return tuple(key for key, _ in branch_keys(graph, layout_of(graph)) if isinstance(key, str))


def without_wiki(graph: AmrGraph) -> tuple[AmrGraph, int]:
    """Remove all ``:wiki`` attributes; also give their number."""
    removed = {attribute.id for attribute in graph.attributes if attribute.role == ":wiki"}
    if not removed:
        return graph, 0
    kept = tuple(attribute for attribute in graph.attributes if attribute.id not in removed)
    alignments = {
        key: alignment
        for key, alignment in graph.alignments.items()
        if key not in removed and not (isinstance(key, Edge) and key.target in removed)
    }
    variables = {node.id for node in graph.nodes}
    layout = tuple(
        branch
        for branch in graph.layout
        if branch.role != ":wiki" or branch.concept is not None or branch.target in variables
    )
    return replace(graph, attributes=kept, alignments=alignments, layout=layout), len(removed)


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


def layout_of(graph: AmrGraph) -> Layout:
    """Give the branches of a connected graph: as written, or laid out where none fit."""
    concepts = {node.id: node.concept for node in graph.nodes}
    attributes, edges = _attribute_triples(graph), _edge_triples(graph)
    layout = graph.layout
    if layout and layout[0].target == graph.root:
        written = branch_triples(layout)[1:]
        introduced = {b.target: b.concept for b in layout if b.concept is not None}
        same_triples = Counter(written) == Counter((*attributes, *edges))
        if same_triples and introduced == concepts:
            return layout
    return lay_out(graph.root, concepts, attributes, edges, layout)


def branch_keys(graph: AmrGraph, layout: Layout) -> tuple[tuple[AlignmentKey, Edge | None], ...]:
    """Give for each branch the key of its target and the key of its role.

    The target of a branch is a node, an attribute or a later mention. The root has
    no role.
    """
    ids: dict[Triple, str] = {
        (attribute.source, attribute.role, attribute.value): attribute.id
        for attribute in graph.attributes
    }
    variables = {branch.target for branch in layout if branch.concept is not None}
    keys: list[tuple[AlignmentKey, Edge | None]] = []
    for branch, triple in zip(layout, branch_triples(layout), strict=True):
        if not branch.depth:
            keys.append((branch.target, None))
        elif branch.target in variables:
            edge = Edge(*triple)
            keys.append((branch.target if branch.concept is not None else Mention(edge), edge))
        else:
            keys.append((ids[triple], Edge(triple[0], triple[1], ids[triple])))
    return tuple(keys)


def unwritable_parts(graph: AmrGraph) -> tuple[str, ...]:
    """Say everything that keeps a graph from being written and read back the same."""
    problems = []
    counts = Counter(node.id for node in graph.nodes)
    problems += [f"variable {name!r} stands for {n} nodes" for name, n in counts.items() if n > 1]
    if graph.root not in counts:
        problems.append(f"root {graph.root!r} is no node of the graph")
    for node in graph.nodes:
        if not _is_token(node.id, "symbol"):
            problems.append(f"variable {node.id!r} cannot be written")
        if not _is_token(node.concept, "symbol", "string"):
            problems.append(f"concept {node.concept!r} of {node.id} cannot be written")
    for attribute in graph.attributes:
        place = f"{attribute.source} {attribute.role}"
        if attribute.source not in counts:
            problems.append(f"{place} {attribute.value} hangs on no node")
        if not _is_token(attribute.value, "symbol", "string"):
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
        if not _is_token(role, "role")
    ]
    repeated = Counter((*_attribute_triples(graph), *_edge_triples(graph)))
    problems += [f"triple {' '.join(t)} is repeated" for t, n in repeated.items() if n > 1]
    if not problems and not is_connected(graph):
        reached = set(connected_nodes(graph, graph.root))
        lost = ", ".join(node.id for node in graph.nodes if node.id not in reached)
        problems.append(f"nothing links the root to {lost}")
    return tuple(problems)


def _shown(edge: Edge) -> str:
    return f"edge {edge.source} {edge.role} {edge.target}"


def _is_token(text: str, *kinds: str) -> bool:
    match = TOKEN.fullmatch(text)
    return match is not None and match.lastgroup in kinds and "\n" not in text


def _attribute_triples(graph: AmrGraph) -> tuple[Triple, ...]:
    return tuple((item.source, item.role, item.value) for item in graph.attributes)


def _edge_triples(graph: AmrGraph) -> tuple[Triple, ...]:
    return tuple((edge.source, edge.role, edge.target) for edge in graph.edges)


def _without_repeats(layout: Layout) -> tuple[Layout, list[tuple[Branch, Triple]]]:
    """Drop repeated triples; of two equal ones the one that introduces its node stays."""
    found = branch_triples(layout)
    nested = {
        triple for branch, triple in zip(layout, found, strict=True) if branch.concept is not None
    }
    seen: set[Triple] = set()
    kept, repeated = [], []
    for branch, triple in zip(layout, found, strict=True):
        if branch.concept is None and (triple in seen or triple in nested):
            repeated.append((branch, triple))
        else:
            seen.add(triple)
            kept.append(branch)
    return tuple(kept), repeated


def _graph_of(layout: Layout) -> AmrGraph:
    variables = {branch.target for branch in layout if branch.concept is not None}
    nodes, attributes, edges = [], [], []
    counts: Counter[str] = Counter()
    for branch, triple in zip(layout, branch_triples(layout), strict=True):
        source, role, target = triple
        if branch.concept is not None:
            nodes.append(Node(branch.target, branch.concept))
        if branch.depth and branch.target in variables:
            edges.append(Edge(source, role, target))
        elif branch.depth:
            name = source + role
            counts[name] += 1
            identifier = name if counts[name] == 1 else f"{name}#{counts[name]}"
            attributes.append(Attribute(identifier, source, role, target))
    return AmrGraph(tuple(nodes), tuple(attributes), tuple(edges), layout[0].target, layout=layout)


def mark_tokens(mark: str) -> tuple[int, ...]:
    """Read the token positions of a mark such as ``~e.3,4``, ascending."""
    return tuple(sorted({int(number) for number in re.findall(r"[0-9]+", mark)}))


def _marked_alignments(graph: AmrGraph) -> dict[AlignmentKey, Alignment]:
    alignments: dict[AlignmentKey, Alignment] = {}
    if not any(branch.target_mark or branch.role_mark for branch in graph.layout):
        return alignments
    keys = branch_keys(graph, graph.layout)
    for branch, (target, role) in zip(graph.layout, keys, strict=True):
        if role is not None and branch.role_mark:
            alignments[role] = Alignment(mark_tokens(branch.role_mark), "given")
        if branch.target_mark:
            alignments[target] = Alignment(mark_tokens(branch.target_mark), "given")
    return alignments


def _without_marks(layout: Layout) -> Layout:
    return tuple(replace(branch, role_mark="", target_mark="") for branch in layout)


def _with_marks(layout: Layout, graph: AmrGraph) -> Layout:
    """Set the marks from the alignments; a mark that says the same stays as written."""

    def mark(key: AlignmentKey | None, before: str) -> str:
        alignment = graph.alignments.get(key) if key is not None else None
        if alignment is None or not alignment.tokens:
            return ""
        if before and mark_tokens(before) == alignment.tokens:
            return before
        return "~e." + ",".join(map(str, alignment.tokens))

    keys = branch_keys(graph, layout)
    return tuple(
        replace(
            branch,
            role_mark=mark(role, branch.role_mark),
            target_mark=mark(target, branch.target_mark),
        )
        for branch, (target, role) in zip(layout, keys, strict=True)
    )
