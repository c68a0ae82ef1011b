"""The difference between a person's graph and another one, as single proposals.

Each proposal is an edit that can be taken or left by itself. Nodes of the other graph
get the names of the person's nodes that they stand for; what the person decided is never
changed, and what the person took away is never proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from aptcore.advice.person_guide import Removed
from aptcore.advice.proposals import Kind, Proposal, aligned_tokens, all_triples, with_needs
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
    RenameNode,
    SetRoot,
    Several,
)
from aptcore.graph.amr import AmrGraph, Attribute, Edge, Node
from aptcore.graph.layout import INSTANCE, TOP, Triple

_ALIKE: tuple[Callable[[Triple], object], ...] = (
    lambda edge: {edge[0], edge[2]},
    lambda edge: edge[:2],
    lambda edge: edge[1:],
    lambda edge: edge[2],
)
"""What an edge shares with one that takes its place, the surest sign first."""


@dataclass(frozen=True)
class Wanted:
    """What a difference is made of.

    Attributes:
        graph: The person's graph.
        other: Another graph of the sentence.
        names: Names of ``graph`` by names of ``other``, for the nodes that are the same.
        kept: Triples of ``graph`` that must stay.
        removed: What must not come back.
        reserved: Names that new nodes must not take: those of nodes taken away.
        movable: Nodes and attributes of ``graph`` that may be deleted.
        steps: For nodes and constants of ``other`` the action that made them; what one
            action made is proposed together.
        edge_steps: For edges of ``other``, constants by id, the action that made them.
    """

    graph: AmrGraph
    other: AmrGraph
    names: Mapping[str, str]
    kept: frozenset[Triple]
    removed: Removed
    reserved: frozenset[str]
    movable: frozenset[str]
    steps: Mapping[str, int]
    edge_steps: Mapping[Triple, int]


def difference(wanted: Wanted) -> tuple[Proposal, ...]:
    """Give the proposals that lead from a person's graph to another one.

    All can be taken in the order given. Another order is as good where the ids in
    ``needs`` allow it; :func:`aptcore.advice.proposals.take` says why one cannot be taken yet.
    """
    maker = _Maker(wanted)
    found = [
        *maker.new_nodes(),
        *maker.renamed(),
        *maker.edges(),
        *maker.constants(),
        *maker.root(),
        *maker.deleted_nodes(),
    ]
    ranks = {kind: rank for rank, kind in enumerate(get_args(Kind))}
    proposals = sorted(found, key=lambda proposal: ranks[proposal.kind])
    return with_needs(wanted.graph, proposals, wanted.kept)


class _Maker:
    """The parts of a difference, kind by kind."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.graph = wanted.graph
        self.names = dict(wanted.names)
        self.edges_here = {e.triple for e in self.graph.edges}
        self.used: set[Triple] = set()
        self.added_by: dict[str, str] = {}
        matched = set(self.names.values())
        self.gone = {
            node.id for node in self.graph.nodes if node.id not in matched and self._may_go(node.id)
        }
        self.unknown = {n.id for n in self.graph.nodes} - matched - self.gone

    def _may_go(self, name: str) -> bool:
        return name in self.wanted.movable and not any(
            name in (source, target) for source, _, target in self.wanted.kept
        )

    def new_nodes(self) -> list[Proposal]:
        """Add what the other graph has more, each piece with a link to what is there."""
        waiting: dict[int, list[Node]] = {}
        for number, node in enumerate(self.wanted.other.nodes):
            if node.id not in self.names and not self._was_removed(node.id, False, node.concept):
                group = self.wanted.steps.get(node.id, -1 - number)
                waiting.setdefault(group, []).append(node)
        found: list[Proposal] = []
        is_moving = True
        while waiting and is_moving:
            is_moving = False
            for group, nodes in list(waiting.items()):
                link = self._link(nodes)
                if link is not None:
                    found.append(self._piece(nodes, link))
                    del waiting[group]
                    is_moving = True
        return found

    def _was_removed(self, name: str, is_constant: bool, label: str) -> bool:
        labels = self.wanted.removed.labels
        return any(
            (is_constant, label) in labels.get(token, ())
            for token in aligned_tokens(self.wanted.other, name)
        )

    def _link(self, nodes: Sequence[Node]) -> Edge | None:
        """Find an edge that joins new nodes to what has a name already."""
        inside = {node.id for node in nodes}
        for edge in self.wanted.other.edges:
            ends = {edge.source, edge.target}
            if len(ends & inside) == 1 and (ends - inside) <= self.names.keys():
                return edge
        return None

    def _piece(self, nodes: Sequence[Node], link: Edge) -> Proposal:
        other, inside = self.wanted.other, {node.id for node in nodes}
        needs = {self.added_by[self.names[end]] for end in (link.source, link.target)
                 if end not in inside and self.names[end] in self.added_by}  # fmt: skip
        edits: list[Edit] = []
        adds: list[Triple] = []
        for node in nodes:
            taken = (*self.added_by, *self.wanted.reserved)
            name = fresh_variable(self.graph, node.concept, taken)
            self.names[node.id] = name
            self.added_by[name] = f"add-node {self.names[nodes[0].id]}"
            edits.append(AddNode(name, node.concept, self._own_tokens(node.id)))
            adds.append((name, INSTANCE, node.concept))
        for item in other.attributes:
            if item.source in inside:
                source = self.names[item.source]
                numbered = tuple(e.id for e in edits if isinstance(e, AddAttribute))
                name = fresh_attribute(self.graph, source, item.role, numbered)
                tokens = self._own_tokens(item.id)
                edits.append(AddAttribute(name, source, item.role, item.value, tokens))
                adds.append((source, item.role, item.value))
        for edge in other.edges:
            if edge == link or {edge.source, edge.target} <= inside:
                triple = (self.names[edge.source], edge.role, self.names[edge.target])
                edits.append(AddEdge(*triple))
                adds.append(triple)
                self.used.add(triple)
        name = f"add-node {self.names[nodes[0].id]}"
        return Proposal(
            name,
            "add-node",
            Several(tuple(edits)),
            tuple(adds),
            (),
            needs=tuple(sorted(needs)),
            step=self.wanted.steps.get(nodes[0].id),
        )

    def _own_tokens(self, name: str) -> tuple[int, ...]:
        """Give the words of a new piece, where the person's file counts that many."""
        tokens = aligned_tokens(self.wanted.other, name)
        size = len(self.graph.metadata.get("tok", "").split())
        return () if size and tokens and max(tokens) >= size else tokens

    def renamed(self) -> list[Proposal]:
        """Give nodes the concepts of the nodes that stand for them."""
        concepts = {node.id: node.concept for node in self.graph.nodes}
        found = []
        for node in self.wanted.other.nodes:
            name = self.names.get(node.id, "")
            old = concepts.get(name)
            triple = (name, INSTANCE, old or "")
            if old is None or old == node.concept or triple in self.wanted.kept:
                continue
            if not self._was_removed(node.id, False, node.concept):
                adds = ((name, INSTANCE, node.concept),)
                edit, step = RenameNode(name, node.concept), self.wanted.steps.get(node.id)
                made = Proposal(f"rename {name}", "rename-node", edit, adds, (triple,), step=step)
                found.append(made)
        return found

    def edges(self) -> list[Proposal]:
        """Change, add and delete edges; one that moved is one change."""
        steps = self.wanted.edge_steps
        there = {
            (self.names[e.source], e.role, self.names[e.target]): steps.get(e.triple)
            for e in self.wanted.other.edges
            if e.source in self.names and e.target in self.names
        }
        new = [
            triple
            for triple in sorted(there)
            if triple not in self.edges_here
            and triple not in self.used
            and triple not in self.wanted.removed.links
        ]
        apart = self.gone | self.unknown
        old = [
            e.triple
            for e in self.graph.edges
            if e.triple not in self.wanted.kept | there.keys() and not apart & {e.source, e.target}
        ]
        found = self._moved_edges(old, new, there)
        for triple in new:
            name, needs, step = f"add {' '.join(triple)}", self._needs(triple), there[triple]
            added = AddEdge(*triple)
            found.append(Proposal(name, "add-edge", added, (triple,), (), needs=needs, step=step))
        for triple in old:
            name, gone = f"delete {' '.join(triple)}", DeleteEdge(*triple)
            found.append(Proposal(name, "delete-edge", gone, (), (triple,)))
        return found

    def _moved_edges(
        self, old: list[Triple], new: list[Triple], there: Mapping[Triple, int | None]
    ) -> list[Proposal]:
        """Pair old edges with new ones that take their place; both lists lose them."""
        found = []
        for part in _ALIKE:
            for gone in list(old):
                fits = (t for t in new if part(t) == part(gone) and not self._needs(t))
                pair = next(fits, None)
                if pair is not None:
                    old.remove(gone)
                    new.remove(pair)
                    name, step = f"change {' '.join(gone)}", there[pair]
                    edit = ChangeEdge(*gone, *pair)
                    found.append(Proposal(name, "change-edge", edit, (pair,), (gone,), step=step))
        return found

    def _needs(self, triple: Triple) -> tuple[str, ...]:
        ends = (triple[0], triple[2])
        return tuple(sorted({self.added_by[end] for end in ends if end in self.added_by}))

    def constants(self) -> list[Proposal]:
        """Change, add and delete constants of the nodes that are the same."""
        own = {item.triple: item for item in self.graph.attributes}
        new: dict[Triple, Attribute] = {}
        for item in self.wanted.other.attributes:
            source = self.names.get(item.source, "")
            triple = (source, item.role, item.value)
            is_old = not source or source in self.added_by
            if is_old or triple in own or triple in self.wanted.removed.links:
                continue
            if not self._was_removed(item.id, True, item.value):
                new[triple] = item
        others = self.wanted.other.attributes
        there = {(self.names.get(item.source, ""), item.role, item.value) for item in others}
        old = {
            triple: item
            for triple, item in own.items()
            if triple not in there | self.wanted.kept
            and item.role != ":wiki"
            and item.id in self.wanted.movable
            and item.source not in self.gone | self.unknown
        }
        found = []
        for gone, item in list(old.items()):
            pair = next((t for t in new if t[:2] == gone[:2]), None)
            if pair is not None:
                del old[gone]
                edit: Edit = ChangeAttribute(item.id, *pair)
                name, step = f"change {' '.join(gone)}", self.wanted.steps.get(new[pair].id)
                del new[pair]
                found.append(Proposal(name, "change-constant", edit, (pair,), (gone,), step=step))
        taken: list[str] = []
        for triple, item in new.items():
            taken.append(fresh_attribute(self.graph, triple[0], triple[1], tuple(taken)))
            edit = AddAttribute(taken[-1], *triple, self._own_tokens(item.id))
            name, step = f"add {' '.join(triple)}", self.wanted.steps.get(item.id)
            found.append(Proposal(name, "add-constant", edit, (triple,), (), step=step))
        for gone, item in old.items():
            edit = DeleteAttribute(item.id)
            found.append(Proposal(f"delete {' '.join(gone)}", "delete-constant", edit, (), (gone,)))
        return found

    def root(self) -> list[Proposal]:
        """Move the root."""
        name, old = self.names.get(self.wanted.other.root, ""), (self.graph.root, TOP, "")
        if not name or name == self.graph.root or old in self.wanted.kept:
            return []
        needs = (self.added_by[name],) if name in self.added_by else ()
        triple = (name, TOP, "")
        return [Proposal("root", "set-root", SetRoot(name), (triple,), (old,), needs=needs)]

    def deleted_nodes(self) -> list[Proposal]:
        """Delete what the other graph does not have."""
        found = []
        everything = all_triples(self.graph)
        for node in reversed(self.graph.nodes):
            if node.id in self.gone:
                removes = tuple(
                    sorted(t for t in everything if node.id in (t[0], t[2]) and t[1] != TOP)
                )
                name = f"delete {node.id}"
                found.append(Proposal(name, "delete-node", DeleteNode(node.id), (), removes))
        return found
