"""Decode a sentence around what a person has decided about its graph.

The oracle's walk for the person's graph says at which words and by which action each of
its pieces is made (:class:`Plan`). While the sentence is decoded again, a
:class:`PersonGuide` sees to it that every piece that the person decided comes at its
place, and that what the person took away does not come back; all else is free. Pieces
that no action makes are left to the comparison of the graphs afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.layout import INSTANCE, TOP, Triple, role_order
from aptcore.graph.roles import is_single_role
from aptcore.oracle.oracle import oracle_actions
from aptcore.transition.actions import Action, ActionSet, format_label
from aptcore.transition.arcs import LIST_ROLE, EdgeAction, LeftArc, RightArc
from aptcore.transition.closing import Root
from aptcore.transition.guide import Narrowing
from aptcore.transition.items import Const, Copy, ItemAction, Pred
from aptcore.transition.machine import is_legal, replay, why_illegal
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.sets import EXACT
from aptcore.transition.state import ParserState, root_place
from aptcore.transition.templates import Piece

_NO_PLACE = 1 << 30


@dataclass(frozen=True, slots=True)
class PlanItem:
    """What one item action of a plan makes.

    Attributes:
        ids: Its nodes and attributes in the person's graph; the first can take edges.
        action: The action.
        position: Its place in the plan's walk.
        start: First token of the run it is made at.
        stop: One past the last.
        labels: For each id, whether it is a constant and its text.
    """

    ids: tuple[str, ...]
    action: Action
    position: int
    start: int
    stop: int
    labels: tuple[tuple[bool, str], ...]


@dataclass(frozen=True)
class Plan:
    """The oracle's walk for a person's graph.

    Attributes:
        graph: The person's graph.
        actions: The whole walk.
        items: What its item actions make, in their order.
        steps: The action that makes each triple; constants by their value.
        targets: The attribute id of each triple that ends in a constant.
    """

    graph: AmrGraph
    actions: tuple[Action, ...]
    items: tuple[PlanItem, ...]
    steps: Mapping[Triple, int]
    targets: Mapping[Triple, str]


def plan_of(sentence: Sentence, graph: AmrGraph, action_set: ActionSet = EXACT) -> Plan:
    """Find the walk for a person's graph.

    Args:
        sentence: As the parser reads it.
        graph: The graph with alignments; what no action makes is left out.
        action_set: The actions that the parser knows.

    Raises:
        AlignmentError: If an alignment names a token that does not exist.
    """
    result = oracle_actions(sentence, graph, action_set.name)
    state = replay(sentence, result.actions, action_set)
    parts: dict[int, list[tuple[str, bool, str, int, int]]] = {}
    for item in state.items:
        if item.key in result.items:  # "amr-empty" is of nobody's graph
            part = (result.items[item.key], item.is_constant, item.label, item.start, item.stop)
            parts.setdefault(item.position, []).append(part)
    items = tuple(
        PlanItem(
            tuple(part[0] for part in made),
            result.actions[position],
            position,
            made[0][3],
            made[0][4],
            tuple((part[1], part[2]) for part in made),
        )
        for position, made in sorted(parts.items())
    )
    steps: dict[Triple, int] = {}
    targets: dict[Triple, str] = {}
    labels: dict[str, tuple[bool, str]] = {}
    for planned in items:
        for name, label in zip(planned.ids, planned.labels, strict=True):
            labels[name] = label
            if not label[0]:
                steps[name, INSTANCE, label[1]] = planned.position
    for edge in state.edges:
        source, target = result.items.get(edge.source), result.items.get(edge.target)
        if source is None or target is None:
            continue
        is_constant, text = labels[target]
        triple = (source, edge.role, text if is_constant else target)
        steps[triple] = edge.made_by
        if is_constant:
            targets[triple] = target
    return Plan(graph, result.actions, items, steps, targets)


@dataclass(frozen=True, slots=True)
class Removed:
    """What a person took away.

    Attributes:
        links: Edges and constants of nodes that are still there.
        labels: By token, the concepts (False) and constants (True) that stood for it.
    """

    links: frozenset[Triple] = frozenset()
    labels: Mapping[int, frozenset[tuple[bool, str]]] = field(default_factory=dict)


def removed_since(before: AmrGraph, graph: AmrGraph) -> Removed:
    """Find what an earlier graph held and this one does not.

    Args:
        before: The earlier graph with its alignments.
        graph: What a person made of it, with the same names for what is the same.
    """
    concepts = {node.id: node.concept for node in graph.nodes}
    constants = {item.triple for item in graph.attributes}
    edges = {edge.triple for edge in graph.edges}
    links = {edge.triple for edge in before.edges} - edges
    gone: list[tuple[str, bool, str]] = []
    for node in before.nodes:
        if concepts.get(node.id) != node.concept:
            gone.append((node.id, False, node.concept))
    for item in before.attributes:
        triple = item.triple
        if triple not in constants:
            links.add(triple)
            gone.append((item.id, True, item.value))
    labels: dict[int, set[tuple[bool, str]]] = {}
    for name, is_constant, label in gone:
        alignment = before.alignments.get(name)
        for token in alignment.tokens if alignment else ():
            labels.setdefault(token, set()).add((is_constant, label))
    kept = frozenset(link for link in links if link[0] in concepts)
    return Removed(kept, {token: frozenset(found) for token, found in labels.items()})


class PersonGuide:
    """Leads a search so that it makes what a person decided (see ``Guide``).

    Args:
        plan: The walk for the person's graph.
        kept: The triples that must come.
        removed: What must not come back.
        beside: Triples that were changed; what else stands at the words of their concepts
            must come too, for the change was made beside it.
    """

    def __init__(
        self,
        plan: Plan,
        kept: Collection[Triple],
        removed: Removed,
        beside: Collection[Triple] = (),
    ) -> None:
        self.removed = removed
        self._by_look: dict[object, list[PlanItem]] = {}
        for item in plan.items:
            self._by_look.setdefault((item.start, item.stop, item.labels), []).append(item)
        wanted = {name for triple in kept for name in self._ends(plan, triple)}
        changed = {source for source, role, _ in beside if role == INSTANCE}
        runs = {item.start for item in plan.items if changed & set(item.ids)}
        self.wanted = tuple(
            item for item in plan.items if wanted & set(item.ids) or item.start in runs
        )
        self.root = next((source for source, role, _ in kept if role == TOP), None)
        heads = {item.ids[0] for item in plan.items}
        found = (
            (triple[0], triple[1], plan.targets.get(triple, triple[2]))
            for triple in sorted(kept)
            if triple in plan.steps and isinstance(plan.actions[plan.steps[triple]], EdgeAction)
        )
        self.links = tuple(link for link in found if {link[0], link[2]} <= heads)

    @staticmethod
    def _ends(plan: Plan, triple: Triple) -> tuple[str, ...]:
        source, role, target = triple
        if role in (INSTANCE, TOP):
            return (source,)
        return source, plan.targets.get(triple, target)

    def made(self, state: ParserState) -> dict[str, int]:
        """Give the position of every piece of the plan that a state holds, by name.

        Two pieces alike at the same words are told apart by their order.
        """
        looks: dict[int, list[tuple[bool, str]]] = {}
        for item in state.items:
            looks.setdefault(item.position, []).append((item.is_constant, item.label))
        counts: dict[object, int] = {}
        found: dict[str, int] = {}
        for item in state.roots:
            look = (item.start, item.stop, tuple(looks[item.position]))
            alike, number = self._by_look.get(look, []), counts.get(look, 0)
            counts[look] = number + 1
            if number < len(alike):
                found[alike[number].ids[0]] = item.position
        return found

    def has_double(self, head: str) -> bool:
        """Tell whether another piece of the plan looks like that of a head, at its words."""
        return any(
            head in (item.ids[0] for item in alike) and len(alike) > 1
            for alike in self._by_look.values()
        )

    def narrow(self, state: ParserState) -> Narrowing | None:
        """Give what is left of the next actions; None leaves everything."""
        made = self.made(state)
        if state.is_at_root:
            return self._narrow_root(state, made)
        taken = self._taken(state, made) if state.num_items_here else {}
        pending = self._pending(state, made) if state.num_items_here else None
        if pending is not None:
            after = root_place(state, pending.position) + 1
            return Narrowing(pending, False, after, taken=taken)
        here = [item for item in self.wanted if item.start <= state.cursor < item.stop]
        waiting = [item for item in here if item.ids[0] not in made]
        if here and state.cursor < here[0].stop - 1 and is_legal(state, Merge()):
            return Narrowing(Merge(), False, _NO_PLACE)
        for item in waiting:
            if is_legal(state, item.action):
                edges_from = 0 if state.num_items_here else _NO_PLACE
                return Narrowing(item.action, False, edges_from, taken=taken)
        labels = self._labels_out(state)
        if not labels and not taken:
            return None
        heir = next((move for move in (Shift(), Reduce()) if is_legal(state, move)), None)
        return Narrowing(heir if labels else None, labels=labels, taken=taken)

    def _narrow_root(self, state: ParserState, made: Mapping[str, int]) -> Narrowing | None:
        if self.root is None or self.root not in made:
            return None
        mark = Root(made[self.root])
        return Narrowing(mark, False, _NO_PLACE) if is_legal(state, mark) else None

    def _pending(self, state: ParserState, made: Mapping[str, int]) -> EdgeAction | None:
        """Give the next edge that the item just made must get: nearest first."""
        last = state.last_item
        found: list[tuple[int, tuple[str, int], EdgeAction]] = []
        for source, role, target in self.links:
            ends = made.get(source, -1), made.get(target, -1)
            if last not in ends or -1 in ends:
                continue
            edge = LeftArc(ends[1], role) if ends[0] == last else RightArc(ends[0], role)
            by_machine = replace(edge, role=LIST_ROLE)
            if by_machine.made_role(state) == role and is_legal(state, by_machine):
                edge = by_machine
            if why_illegal(state, edge) is None:
                found.append((-edge.position, role_order(role), edge))
        return min(found, key=lambda each: each[:2])[2] if found else None

    def _taken(
        self, state: ParserState, made: Mapping[str, int]
    ) -> dict[tuple[bool, str], frozenset[int]]:
        """Rule out the edges that were taken away, and second ones of what comes once."""
        last = state.last_item
        found: dict[tuple[bool, str], set[int]] = {}
        everything = range(len(state.roots))

        def rule_out(is_left: bool, role: str, places: Iterable[int]) -> None:
            found.setdefault((is_left, role), set()).update(places)

        for source, role, target in self.removed.links:
            ends = made.get(source, -1), made.get(target, -1)
            if -1 in ends or last not in ends:
                continue
            is_left = ends[0] == last
            for name in _names_of(state, ends[0], role):
                rule_out(is_left, name, [root_place(state, ends[1] if is_left else ends[0])])
        for source, role, target in self.links:
            if source not in made or not is_single_role(role) or made.get(target) == last:
                continue
            for name in _names_of(state, made[source], role):
                if made[source] == last:
                    rule_out(True, name, everything)
                else:
                    rule_out(False, name, [root_place(state, made[source])])
        return {key: frozenset(places) for key, places in found.items()}

    def _labels_out(self, state: ParserState) -> frozenset[str]:
        """Give the labels that would make again what was taken away from these words."""
        found: set[Action] = set()
        if not state.num_items_here and any(i.start == state.cursor + 1 for i in self.wanted):
            found.add(Merge())
        tokens = range(state.span_start, state.cursor + 1)
        for is_constant, label in {
            each for token in tokens for each in self.removed.labels.get(token, ())
        }:
            found |= set(_makers(state, is_constant, label))
        return frozenset(map(format_label, found))


def _names_of(state: ParserState, source: int, role: str) -> tuple[str, ...]:
    """Give what an action may call the role of an edge from an item: a list's next has two."""
    arc = RightArc(source, LIST_ROLE)
    return (role, LIST_ROLE) if arc.made_role(state) == role else (role,)


def _makers(state: ParserState, is_constant: bool, label: str) -> list[ItemAction]:
    """Give the single actions that make a label here."""
    piece = Piece(is_constant, label)
    copies = [Copy(kind) for kind, made in Copy.pieces(state).items() if made == piece]
    return [Const(label) if is_constant else Pred(label), *copies]
