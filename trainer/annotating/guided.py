"""Parses that agree with what people said of one predicate: its sense and its arguments.

A sentence is parsed freely first. The node at the predicate's words gets the sense that
people gave it, and the head of each argument's words hangs from it by the argument's role;
then the sentence is decoded again around that (aptcore.advice.person_guide), so that all
else fits. A pronoun that has no node of its own stands for one that is there already: the
parser says which. A parse that does not hold it all in the end is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aptcore.advice.person_guide import PersonGuide, plan_of, removed_since
from aptcore.errors import AptamrError
from aptcore.graph.amr import AmrGraph, Edge
from aptcore.graph.layout import INSTANCE, Triple
from aptcore.neural.parser import AptParser
from aptcore.neural.parses import Parse
from aptcore.transition.actions import ActionSet
from aptcore.words.tokens import tokenize_all
from trainer.annotating.propbank import (
    Example,
    Marks,
    marks_of,
    nodes_at,
    predicate_node,
    roles_found,
)


def guided_parses(
    parser: AptParser, examples: Sequence[Example], beam: int
) -> list[tuple[Parse, bool]]:
    """Parse examples; gives, for each, the parse and whether it holds what people said."""
    sentences = tokenize_all([e.text for e in examples], [e.id for e in examples])
    free = parser.parse(sentences, beam=beam)
    guides: dict[int, PersonGuide] = {}
    marked = [marks_of(e, s) for e, s in zip(examples, sentences, strict=True)]
    for number, (parse, marks) in enumerate(zip(free, marked, strict=True)):
        guide = guide_for(parse, marks, parser.action_set) if parse.error is None else None
        if guide is not None:
            guides[number] = guide
    again = parser.parse([sentences[n] for n in guides], beam=beam, guides=list(guides.values()))
    found = dict(zip(guides, again, strict=True))
    return [
        (found.get(n, parse), n in found and is_held(found[n].graph, marks))
        for n, (parse, marks) in enumerate(zip(free, marked, strict=True))
    ]


def guide_for(parse: Parse, marks: Marks, action_set: ActionSet) -> PersonGuide | None:
    """Make the guide for a sentence; None where the free parse has no node for what was said."""
    said = said_of(parse.graph, marks)
    if said is None:
        return None
    graph, kept = said
    try:
        plan = plan_of(parse.sentence, graph, action_set)
    except AptamrError:
        return None
    return PersonGuide(plan, kept, removed_since(parse.graph, graph))


def said_of(graph: AmrGraph, marks: Marks) -> tuple[AmrGraph, frozenset[Triple]] | None:
    """Change a graph to what people said; gives it with the triples that they decided.

    What the predicate had otherwise in one of their roles becomes a plain modifier, so that
    the graph still hangs together.
    """
    predicate = predicate_node(graph, marks)
    if predicate is None:
        return None
    free = marks.pronouns
    heads = {role: head_of(graph, tokens, predicate) for role, tokens in marks.arguments}
    ends = {head for head in heads.values() if head is not None}
    if len(ends) < sum(head is not None or role not in free for role, head in heads.items()):
        return None  # one is not there, or two are the same
    said = [Edge(predicate, role, head) for role, head in heads.items() if head is not None]
    roles = {edge.role for edge in said}
    edges = dict.fromkeys(said)
    for edge in graph.edges:
        if {edge.source, edge.target} & ends and predicate in (edge.source, edge.target):
            continue
        is_replaced = edge.source == predicate and edge.role in roles
        edges[replace(edge, role=":mod") if is_replaced else edge] = None
    nodes = tuple(replace(n, concept=marks.frame) if n.id == predicate else n for n in graph.nodes)
    attributes = tuple(
        item for item in graph.attributes if item.source != predicate or item.role not in roles
    )
    changed = replace(graph, nodes=nodes, edges=tuple(edges), attributes=attributes)
    decided = {(predicate, INSTANCE, marks.frame), *(edge.triple for edge in said)}
    return changed, frozenset(decided)


def head_of(graph: AmrGraph, tokens: frozenset[int], predicate: str) -> str | None:
    """Find the head among the nodes at some tokens.

    On the way from the root it comes before the others; of several such the one nearest to
    the predicate.
    """
    inside = [name for name in nodes_at(graph, tokens) if name != predicate]
    above = _parents(graph, graph.root)
    tops = [name for name in inside if above.get(name) not in inside]
    near = list(_parents(graph, predicate))
    return min(tops, key=near.index, default=None)


def _parents(graph: AmrGraph, start: str) -> dict[str, str]:
    """Give, breadth first, each node with the one by which it is reached, edges both ways."""
    neighbours: dict[str, list[str]] = {node.id: [] for node in graph.nodes}
    for edge in graph.edges:
        neighbours[edge.source].append(edge.target)
        neighbours[edge.target].append(edge.source)
    reached, waiting = {start: ""}, [start]
    for name in waiting:
        fresh = [other for other in dict.fromkeys(neighbours[name]) if other not in reached]
        reached.update(dict.fromkeys(fresh, name))
        waiting += fresh
    return reached


def is_held(graph: AmrGraph, marks: Marks) -> bool:
    """Tell whether a graph holds the predicate's sense and a node of each argument by its role.

    Where a pronoun has no node, any other will do.
    """
    predicate = predicate_node(graph, marks)
    concepts = {node.id: node.concept for node in graph.nodes}
    if predicate is None or concepts[predicate] != marks.frame:
        return False
    found = roles_found(graph, predicate, marks)
    return all(
        role in found
        and bool(found[role] & tokens or (role in marks.pronouns and not nodes_at(graph, tokens)))
        for role, tokens in marks.arguments
    )
