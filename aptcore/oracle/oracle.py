"""From an aligned gold graph to the actions that build it.

At each run of tokens that something is aligned to: MERGE to its last word, make the
items there, each followed by its edges to earlier items, then SHIFT; REDUCE at every
other token; at ``<ROOT>`` mark the root. What cannot be built is listed with the
reason; nothing is lost without a word.

Source: Zhou and others 2021, appendix B and table 6. Made deterministic: items in
pre-order of the graph's text, edges by falling position of the other item, two edges
to one item by role, RA before LA; in the own set the members of a list by number.
Constants are items of their own, by CONST.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from aptcore.errors import ConfigurationError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.branches import is_writable_concept
from aptcore.graph.layout import INSTANCE, TOP, Triple, role_order
from aptcore.graph.penman import branch_keys, item_order, layout_of
from aptcore.oracle.chunks import Chunk, GraphIndex, name_forms_of, paper_chunks, whole_chunks
from aptcore.oracle.lists import Lists, RankedEdge, in_order
from aptcore.oracle.sites import Site, sites_of
from aptcore.transition.actions import Action, ActionSet
from aptcore.transition.arcs import EdgeAction, LeftArc, RightArc
from aptcore.transition.building import EMPTY_CONCEPT, REPAIR_ROLE
from aptcore.transition.closing import Root, joining_actions
from aptcore.transition.items import Const, Copy, Pred, Subgraph, why_no_concept
from aptcore.transition.moves import Merge, Reduce, Shift
from aptcore.transition.sets import EXACT, PAPER
from aptcore.transition.state import ItemKey, constant_of, derived_concepts
from aptcore.transition.templates import surface
from aptcore.words.tokens import has_words


@dataclass(frozen=True, slots=True)
class Variant:
    """What distinguishes one oracle from another.

    Attributes:
        action_set: The actions that the machine allows.
        is_broken_down: Only names, dates and numbers are made by SUBGRAPH; otherwise
            every tree of items at one run of tokens is.
        is_near_first: Edges to nearer items come first.
        is_top_down: Parents are made before their children.
    """

    action_set: ActionSet = PAPER
    is_broken_down: bool = True
    is_near_first: bool = True
    is_top_down: bool = True


VARIANTS: Mapping[str, Variant] = {
    "exact": Variant(EXACT),
    "paper": Variant(),
    "no-breakdown": Variant(is_broken_down=False),
    "far-first": Variant(is_near_first=False),
    "post-order": Variant(is_top_down=False),
}


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A piece of a gold graph that the actions do not build.

    Attributes:
        id: The node or attribute; of an edge or the root, the node that it belongs to.
        piece: The piece as text: ``b / boy`` or ``w :ARG0 b``.
        reason: Why it cannot be built.
        triple: The gold triple that is missing, in its ids; constants by their value.
    """

    id: str
    piece: str
    reason: str
    triple: Triple


@dataclass(frozen=True, slots=True)
class OracleResult:
    """The actions for one gold graph.

    Attributes:
        actions: The whole walk, the root step included.
        unreachable: What they do not build.
        items: The gold id of each item that replaying the actions makes.
        placed: The first token chosen for each item that had no alignment.
    """

    actions: tuple[Action, ...]
    unreachable: tuple[Unreachable, ...]
    items: Mapping[ItemKey, str]
    placed: Mapping[str, int]


def variant_of(name: str) -> Variant:
    """Look up a variant of the oracle.

    Raises:
        ConfigurationError: If there is none of this name.
    """
    if name not in VARIANTS:
        raise ConfigurationError(
            f"unknown oracle variant {name!r}; choose one of {', '.join(VARIANTS)}"
        )
    return VARIANTS[name]


def oracle_actions(sentence: Sentence, graph: AmrGraph, variant: str = "exact") -> OracleResult:
    """Find the actions that build a gold graph.

    Args:
        sentence: Its tokens and lemmas; only read.
        graph: A gold graph, ``:wiki`` removed, with alignments. Items without one are
            made beside a neighbour and listed in ``placed``.
        variant: One of ``VARIANTS``.

    Returns:
        Actions that are all legal in turn, and every piece that they do not build.

    Raises:
        ConfigurationError: If there is no such variant.
        AlignmentError: If an alignment names a token that does not exist.
    """
    chosen = variant_of(variant)
    walk = _Walk(sentence, graph, chosen)
    order = walk.keep_makeable(_order(graph))
    sites, placed = sites_of(sentence, graph, order) if order else ((), {})
    ranks = {} if chosen.is_top_down else _post_order_ranks(graph)
    for site in sites:
        chunks = _chunks(sentence, walk.index, site, chosen)
        if ranks:
            chunks.sort(key=lambda chunk: ranks.get(chunk.items[0], len(ranks)))
        walk.go_to(site)
        for chunk in chunks:
            walk.make(chunk)
        walk.actions.append(Shift())
    walk.close()
    return OracleResult(tuple(walk.actions), tuple(walk.unreachable), walk.items, placed)


def _order(graph: AmrGraph) -> list[str]:
    """Give all items in pre-order of the text; what the text cannot hold comes last."""
    names = (node.id for node in graph.nodes)
    attributes = (attribute.id for attribute in graph.attributes)
    return list(dict.fromkeys((*item_order(graph), *names, *attributes)))


def _post_order_ranks(graph: AmrGraph) -> dict[str, int]:
    """Rank items so that children come before their parents, siblings in text order."""
    layout = layout_of(graph)
    ranks: dict[str, int] = {}
    path: list[str] = []
    for branch, (key, _) in zip(layout, branch_keys(graph, layout), strict=True):
        while len(path) > branch.depth:
            ranks[path.pop()] = len(ranks)
        if isinstance(key, str):
            path.append(key)
    while path:
        ranks[path.pop()] = len(ranks)
    return ranks


def _chunks(sentence: Sentence, index: GraphIndex, site: Site, variant: Variant) -> list[Chunk]:
    """Split the items of a site into what one action makes, in order of their first item."""
    if len(site.items) == 1:
        return [Chunk("", site.items)]
    choose = paper_chunks if variant.is_broken_down else whole_chunks
    by_root = {chunk.items[0]: chunk for chunk in choose(sentence, index, site)}
    inside = {name for chunk in by_root.values() for name in chunk.items[1:]}
    return [by_root.get(name, Chunk("", (name,))) for name in site.items if name not in inside]


class _Walk:
    """The actions so far, and at which of them each gold item was made."""

    def __init__(self, sentence: Sentence, graph: AmrGraph, variant: Variant) -> None:
        self.sentence = sentence
        self.index = GraphIndex(graph, name_forms_of(variant.action_set))
        self.variant = variant
        self.actions: list[Action] = []
        self.unreachable: list[Unreachable] = []
        self.items: dict[ItemKey, str] = {}
        self.positions: dict[str, int] = {}
        self.inside: set[str] = set()
        self.lists = Lists()
        self.cursor = 0
        self.site: Site = Site(0, 0, ())

    def keep_makeable(self, order: Sequence[str]) -> list[str]:
        """Drop the items that no action makes, with all that hangs on them."""
        lost: set[str] = set()
        for name, concept in self.index.concepts.items():
            reason = why_no_concept(concept)
            if not self.sentence.tokens:
                reason = "the sentence has no tokens"
            if reason is not None:
                triple = (name, INSTANCE, concept)
                self.unreachable.append(Unreachable(name, f"{name} / {concept}", reason, triple))
                lost.add(name)
        for attribute in self.index.attributes.values():
            if attribute.source in lost:
                triple = (attribute.source, attribute.role, attribute.value)
                self._lose(attribute.id, triple, f"{attribute.source} cannot be made")
                lost.add(attribute.id)
        for name in self.index.concepts:
            for edge in self.index.edges_of.get(name, ()):
                if edge.source == name and (edge.source in lost or edge.target in lost):
                    end = edge.source if edge.source in lost else edge.target
                    triple = (edge.source, edge.role, edge.target)
                    self._lose(edge.source, triple, f"{end} cannot be made")
        return [name for name in order if name not in lost]

    def _lose(self, name: str, triple: Triple, reason: str) -> None:
        self.unreachable.append(Unreachable(name, " ".join(triple), reason, triple))

    def go_to(self, site: Site) -> None:
        """Move the cursor to the last word of a site."""
        self.actions += [Reduce()] * (site.start - self.cursor)
        self.actions += [Merge()] * (site.stop - site.start - 1)
        self.cursor = site.stop
        self.site = site

    def make(self, chunk: Chunk) -> None:
        """Make one item or template, then its edges to what is there already."""
        position = len(self.actions)
        root = chunk.items[0]
        self.actions.append(Subgraph(chunk.label) if chunk.label else self._item_action(root))
        self.items.update({(position, k): name for k, name in enumerate(chunk.items)})
        self.positions[root] = position
        self.inside.update(chunk.items[1:])
        if len(chunk.items) > 1:
            links = self._links(root)
            self.lists.begin(position, [r for s, r, t in links if {s, t} <= {*chunk.items}])
        self.actions += self._edges(root, position)
        if len(chunk.items) > 1 and not self.variant.is_broken_down:
            self._lose_edges_to_inside(chunk)

    def _item_action(self, name: str) -> Action:
        if name in self.index.attributes:
            value = self.index.attributes[name].value
            return Copy("token") if value == self._copied_token() else Const(value)
        concept = self.index.concepts[name]
        lemma = "-".join(self.sentence.lemmas[self.site.start : self.site.stop])
        if is_writable_concept(lemma) and concept in (lemma, f"{lemma}-01"):
            return Copy("lemma" if concept == lemma else "sense")
        return self._derived_copy(concept) or Pred(concept)

    def _copied_token(self) -> str | None:
        """Give the constant that COPY(token) makes at this site; the own set has it."""
        if not self.variant.action_set.has_wide_copies:
            return None
        words = surface(self.sentence, self.site.start, self.site.stop)
        return constant_of(" ".join(words.split()))

    def _derived_copy(self, concept: str) -> Copy | None:
        """Give the first COPY(kind) that makes a concept of the tokens of this site."""
        if not self.variant.action_set.has_wide_copies:
            return None
        named = derived_concepts(self.sentence, self.site.start, self.site.stop)
        return next((Copy(kind) for kind, name in named.items() if name == concept), None)

    def _links(self, name: str) -> Iterable[Triple]:
        """Give all links of an item, constants by id."""
        attribute = self.index.attributes.get(name)
        if attribute is not None:
            return [(attribute.source, attribute.role, attribute.id)]
        links = [(e.source, e.role, e.target) for e in self.index.edges_of.get(name, ())]
        parts = self.index.attributes_of.get(name, ())
        return links + [(part.source, part.role, part.id) for part in parts]

    def _edges(self, name: str, position: int) -> list[EdgeAction]:
        """Order the edges of a new item to earlier ones and to itself."""
        found: list[RankedEdge] = []
        for source, role, target in self._links(name):
            is_left = source == name
            other = self.positions.get(target if is_left else source)
            if other is None:
                continue
            if other == position and not self.variant.action_set.has_loops:
                reason = "the paper's action set has no edge from a node to itself"
                self._lose(source, (source, role, target), reason)
                continue
            rank = -other if self.variant.is_near_first else other
            edge = LeftArc(other, role) if is_left else RightArc(other, role)
            found.append(((rank, role_order(role), is_left), edge))
        edges = in_order(found, self.variant.action_set)
        if not self.variant.action_set.numbers_lists:
            return edges
        ends = [(position, e.position) if e.is_left else (e.position, position) for e in edges]
        return [self.lists.named(e, *pair) for e, pair in zip(edges, ends, strict=True)]

    def _lose_edges_to_inside(self, chunk: Chunk) -> None:
        """List the links to the inside of a template from anywhere else."""
        members = set(chunk.items)
        reason = f"inside the template {chunk.label}"
        listed = {lost.triple for lost in self.unreachable}
        for name in chunk.items[1:]:
            for source, role, target in self._links(name):
                if {source, target} <= members and source != target:
                    continue
                attribute = self.index.attributes.get(target)
                triple = (source, role, attribute.value if attribute else target)
                if triple not in listed:
                    listed.add(triple)
                    self._lose(source, triple, f"{name} is {reason}")

    def close(self) -> None:
        """Go to ``<ROOT>`` and mark the root there."""
        left = len(self.sentence.tokens) - self.cursor
        concepts = [name for name in self.positions if name in self.index.concepts]
        spare = None
        if not concepts and has_words(self.sentence):
            self.actions += [Reduce()] * (left - 1)
            spare = len(self.actions)
            self.actions += [Pred(EMPTY_CONCEPT), Shift()]
        else:
            self.actions += [Reduce()] * left
        root = self.index.root
        if self.variant.action_set.is_sound and concepts:
            centre = root if root in self.positions else concepts[0]
            places = [self.positions[name] for name in (centre, *concepts)]
            self.actions += joining_actions(self.actions, places, REPAIR_ROLE)
        if root in self.positions:
            self.actions.append(Root(self.positions[root]))
            return
        why = "inside a template" if root in self.inside else "not made"
        reason = f"the root {root} is {why}"
        self.unreachable.append(Unreachable(root, f"root {root}", reason, (root, TOP, "")))
        if concepts:
            self.actions.append(Root(self.positions[concepts[0]]))
        else:
            self.actions.append(Reduce() if spare is None else Root(spare))
