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
import warnings
from collections import Counter
from dataclasses import replace

from aptcore.errors import GraphError
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Attribute, Edge, Mention, Node
from aptcore.graph.blocks import format_metadata, metadata_of
from aptcore.graph.branches import Branch, Layout, format_layout, parse_layout
from aptcore.graph.checks import attribute_triples, edge_triples, unwritable_parts
from aptcore.graph.layout import Triple, branch_triples, lay_out


class GraphWarning(UserWarning):
    """Something in a graph that was put right on reading."""


def parse_penman(text: str, *, path: str | None = None, first_line: int = 1) -> AmrGraph:
    """Read one graph with its ``# ::key value`` lines and its ``~e.3`` marks.

    Repeated identical triples are collapsed, with a GraphWarning. Roles are not
    checked; ``aptcore.graph.validation`` does that.

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


def format_penman(graph: AmrGraph, *, metadata: bool = True, alignments: bool = False) -> str:
    """Write a graph, in the order in which it was read where it was read.

    Args:
        graph: A connected graph whose names can all be written.
        metadata: Write the ``# ::key value`` lines first.
        alignments: Write token positions as ``~e.3,4`` marks.

    Returns:
        Text without a line end after the last bracket; it reads back as this graph.

    Raises:
        GraphError: The text would not read back; all reasons are listed.
    """
    problems = unwritable_parts(graph)
    if problems:
        raise GraphError(problems)
    layout = layout_of(graph)
    layout = _with_marks(layout, graph) if alignments else _without_marks(layout)
    head = format_metadata(graph.metadata) if metadata else ""
    return head + format_layout(layout)


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


def layout_of(graph: AmrGraph) -> Layout:
    """Give the branches of a connected graph: as written, or laid out where none fit."""
    concepts = {node.id: node.concept for node in graph.nodes}
    attributes, edges = attribute_triples(graph), edge_triples(graph)
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
    ids: dict[Triple, str] = {attribute.triple: attribute.id for attribute in graph.attributes}
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
    return tuple(sorted({int(number[:9]) for number in re.findall(r"[0-9]+", mark)}))


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
