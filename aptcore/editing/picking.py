"""Taking single differences from another graph: the adjudicator's picks as one edit.

A pick makes one triple of the first graph as it is in the second: a changed one is
changed, an extra one is deleted, a missing one is added. A missing node is added with
its links to what is there, and with it come the nodes that a picked edge needs.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from aptcore.editing.applying import apply_edit, fresh_attribute, fresh_variable
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
    RenameNode,
    SetRoot,
    Several,
)
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph, Attribute, Edge, Node
from aptcore.graph.checks import connected_nodes
from aptcore.graph.layout import INSTANCE, Triple
from aptcore.scoring.difference import Compared, Pair


def edit_of_picks(compared: Compared, picks: Collection[int]) -> Several:
    """Give the edit that takes some differences over from the second graph.

    Args:
        compared: The two graphs side by side.
        picks: Which of its pairs, from 0; matched ones change nothing.

    Raises:
        EditError: Taken together they would leave a part of the graph without a link, or
            take along what was not picked.
    """
    chosen = [compared.pairs[place] for place in sorted(picks)]
    edit = Several(tuple(_Picking(compared).edits(chosen)))
    edited = apply_edit(compared.first, edit)
    deleted = {p.first[0] for p in chosen if p.first and not p.second and p.kind == "concept"}
    kept = {node.id for node in edited.nodes} | deleted
    lost = [f"{n.id} / {n.concept}" for n in compared.first.nodes if n.id not in kept]
    if lost:
        raise EditError(
            f"nothing would link the root to {', '.join(lost[:5])}: pick its deletion or a "
            "link to it as well"
        )
    return edit


@dataclass(slots=True)
class _Picking:
    """What was chosen, turned into edits one after the other."""

    compared: Compared
    names: dict[str, str] = field(init=False)
    taken: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.names = {other: own for own, other in self.compared.partners.items()}

    @property
    def first(self) -> AmrGraph:
        return self.compared.first

    def edits(self, chosen: list[Pair]) -> list[Edit]:
        """Give the edits: nodes that come, changes, triples that come, then what goes."""
        new = self.new_nodes(chosen)
        chosen = [*chosen, *self.links_of(new, chosen)]
        edits: list[Edit] = [self.add_node(name) for name in new]
        edits += self.changes_of([p for p in chosen if p.first and p.second])
        edits += [e for p in chosen if p.second and not p.first for e in self.addition(p)]
        extra = [pair.first for pair in chosen if pair.first and not pair.second]
        gone = [t[0] for t in extra if t[1] == INSTANCE]
        edits += [self.deletion(t) for t in extra if t[1] != INSTANCE]
        return edits + self.node_deletions(edits, gone)

    def new_nodes(self, chosen: list[Pair]) -> list[str]:
        """Give the nodes of the second graph that the picks need and the first lacks."""
        ends = []
        for pair in chosen:
            if pair.second is None or pair.status == "matched":
                continue
            source, role, target = pair.second
            ends += [source] if pair.kind == "constant" or role == INSTANCE else [source, target]
        return [name for name in dict.fromkeys(ends) if name and name not in self.names]

    def links_of(self, new: list[str], chosen: list[Pair]) -> list[Pair]:
        """Give the edges that link new nodes to what is there, beyond those chosen."""
        there = set(self.names) | set(new)
        return [
            pair
            for pair in self.compared.pairs
            if pair.kind == "edge"
            and pair.second is not None
            and pair.first is None
            and pair not in chosen
            and {pair.second[0], pair.second[2]} & set(new)
            and {pair.second[0], pair.second[2]} <= there
        ]

    def add_node(self, name: str) -> Edit:
        second = self.compared.second
        concept = next(node.concept for node in second.nodes if node.id == name)
        own = fresh_variable(self.first, concept, tuple(self.names.values()))
        self.names[name] = own
        alignment = second.alignments.get(name)
        return AddNode(own, concept, alignment.tokens if alignment else ())

    def changes_of(self, changed: list[Pair]) -> list[Edit]:
        """Give the changes in an order in which none makes what still stands elsewhere."""
        edits: list[Edit] = []
        edges: list[tuple[Triple, Triple]] = []
        for pair in changed:
            own, other = pair.first, pair.second
            if own is None or other is None or pair.status == "matched":
                continue
            if pair.kind == "root":
                edits.append(SetRoot(self.names[other[0]]))
            elif pair.kind == "concept":
                edits.append(RenameNode(own[0], other[2]))
            elif pair.kind == "constant":
                new = self.constant(other)
                edits.append(ChangeAttribute(own[2], own[0], new.role, new.value))
            else:
                edges.append((own, (self.names[other[0]], other[1], self.names[other[2]])))
        return edits + _ordered(edges)

    def constant(self, triple: Triple) -> Attribute:
        """Find a constant of the second graph."""
        return next(item for item in self.compared.second.attributes if item.id == triple[2])

    def addition(self, pair: Pair) -> list[Edit]:
        """Give the edit for a missing triple; nodes are added before."""
        if pair.second is None or pair.kind == "concept":
            return []
        source, role, target = pair.second
        own = self.names[source]
        if pair.kind == "edge":
            return [AddEdge(own, role, self.names[target])]
        name = fresh_attribute(self.first, own, role, tuple(self.taken))
        self.taken.append(name)
        return [AddAttribute(name, own, role, self.constant(pair.second).value)]

    def deletion(self, triple: Triple) -> Edit:
        """Give the edit for an extra edge or constant."""
        source, role, target = triple
        if any(item.id == target for item in self.first.attributes):
            return DeleteAttribute(target)
        return DeleteEdge(source, role, target)

    def node_deletions(self, edits: list[Edit], gone: list[str]) -> list[Edit]:
        """Delete nodes, but not those that go by themselves with one deleted before."""
        root, edges = self.first.root, set(self.first.edges)
        nodes = list(self.first.nodes)
        for edit in edits:
            match edit:
                case AddNode(id, concept):
                    nodes.append(Node(id, concept))
                case SetRoot(id):
                    root = id
                case AddEdge(source, role, target):
                    edges.add(Edge(source, role, target))
                case DeleteEdge(source, role, target):
                    edges.discard(Edge(source, role, target))
                case ChangeEdge():
                    edges.discard(Edge(edit.source, edit.role, edit.target))
                    edges.add(Edge(edit.new_source, edit.new_role, edit.new_target))
        left = {node.id for node in nodes}
        deletions: list[Edit] = []
        for name in gone:
            if name == root:
                raise EditError(f"{name} is the root: pick the other root as well")
            if name in left:
                deletions.append(DeleteNode(name))
                edges = {edge for edge in edges if name not in (edge.source, edge.target)}
                rest = replace(self.first, nodes=tuple(nodes), edges=tuple(edges))
                left = set(connected_nodes(rest, root)) - {name}
        return deletions


def _ordered(changes: list[tuple[Triple, Triple]]) -> list[Edit]:
    """Order changes of edges; those that wait for each other in a ring are made anew."""
    edits: list[Edit] = []
    waiting = list(changes)
    while waiting:
        standing = {old for old, _ in waiting}
        free = next((c for c in waiting if c[1] not in standing), None)
        if free is None:
            edits += [DeleteEdge(*old) for old, _ in waiting]
            edits += [AddEdge(*new) for _, new in waiting]
            break
        waiting.remove(free)
        edits.append(ChangeEdge(*free[0], *free[1]))
    return edits
