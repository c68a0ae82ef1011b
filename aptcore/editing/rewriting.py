"""Rewriting of graphs: a pattern, and a template for what is to stand in its place.

    (x / want-* :ARG0 (y / *))   ->   (x / wish-* :ARG1 y)

The template has the pattern's shape and uses its variables:

- another concept renames the node; ``*`` alone leaves it as it is, and otherwise each
  star takes what the star in the same place of the pattern stood for;
- a triple between the same ends with another role is relabelled (or turned round), one
  with the same role and another end is moved, a constant with another value is changed;
- a triple that only the pattern has is deleted, one that only the template has is added;
- a variable that only the template has is a new node; one that only the pattern has is
  deleted, if nothing but what the pattern says hangs on it.

Triples that the pattern forbids (``:!ARG1 *``) are not written in the template. Each hit
is applied or refused as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

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
    Several,
)
from aptcore.editing.patterns import (
    ANY,
    Match,
    Pattern,
    PatternTriple,
    Piece,
    captures,
    fill,
    find_matches,
    parse_pattern,
    pattern_error,
    stars_in,
    still_holds,
)
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph, Attribute
from aptcore.graph.validation import is_constant_text


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one triple.

    Attributes:
        place: Which of the pattern's wanted triples, from 0; None where it is new.
        new: What stands in its place; None where it is deleted.
    """

    place: int | None
    new: PatternTriple | None


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern with its template, checked against each other.

    Attributes:
        pattern: What is looked for.
        template: What is to stand there.
        renamed: Variables that get another concept.
        made: Variables that are new.
        gone: Variables that are deleted.
        changes: Of the triples; those that stay as they are are left out.
    """

    pattern: Pattern
    template: Pattern
    renamed: tuple[str, ...]
    made: tuple[str, ...]
    gone: tuple[str, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """One hit of a rule in a graph.

    Attributes:
        match: Where.
        edit: What is done there; None where it is refused.
        reason: Why it is refused; empty where it is not.
    """

    match: Match
    edit: Several | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A rule applied to a graph.

    Attributes:
        graph: Afterwards.
        edit: All hits as one edit; None where nothing changes.
        hits: Every hit, refused ones included, in order.
        after: The graph after each hit.
        is_cut: Whether there may be more hits than were looked for.
    """

    graph: AmrGraph
    edit: Several | None
    hits: tuple[Hit, ...]
    after: tuple[AmrGraph, ...]
    is_cut: bool


def parse_rule(pattern: str, template: str) -> Rule:
    """Read a pattern with its template.

    Raises:
        PatternError: One of them is none, or they do not fit; the message shows where.
    """
    old = parse_pattern(pattern)
    new = parse_pattern(template, known=old.concepts)
    _check_concepts(old, new)
    rule = Rule(
        old,
        new,
        tuple(n for n, c in new.concepts.items() if c not in (ANY, old.concepts.get(n, c))),
        tuple(name for name in new.concepts if name not in old.concepts),
        tuple(name for name in old.concepts if name not in new.concepts),
        _pair_triples(old, new),
    )
    if not (rule.renamed or rule.made or rule.gone or rule.changes):
        raise pattern_error(template, (1, 0), "the template says the same as the pattern")
    return rule


def _check_concepts(old: Pattern, new: Pattern) -> None:
    for name, concept in new.concepts.items():
        place = new.places[name]
        if is_constant_text(concept) and concept != old.concepts.get(name):
            raise pattern_error(new.text, place, f"{concept} is a constant: it follows its role")
        if name not in old.concepts and stars_in(concept):
            message = f"the pattern has no variable {name}: a new node has a concept without stars"
            raise pattern_error(new.text, place, message)
        if name in old.concepts and concept != ANY:
            _check_stars(new, concept, old.concepts[name], place)


def _check_stars(new: Pattern, glob: str, old: str, place: tuple[int, int]) -> None:
    if stars_in(glob) > stars_in(old):
        raise pattern_error(new.text, place, f"{glob} has more stars than {old} in the pattern")


def _pair_triples(old: Pattern, new: Pattern) -> tuple[Change, ...]:
    """Find out which triple of the template stands for which one of the pattern."""
    left = dict(enumerate(old.wanted))
    partners: dict[int, int] = {}
    for alike in (_is_equal, _has_same_ends, _has_same_start, _has_same_end):
        for place, triple in enumerate(new.triples):
            if place not in partners:
                found = next((n for n, other in left.items() if alike(other, triple)), None)
                if found is not None:
                    partners[place] = found
                    del left[found]
    changes = [Change(place, None) for place in left]
    for place, triple in enumerate(new.triples):
        partner = old.wanted[partners[place]] if place in partners else None
        _check_triple(new, triple, partner)
        if partner is None or not _is_equal(partner, triple):
            changes.append(Change(partners.get(place), triple))
    return tuple(changes)


def _is_equal(old: PatternTriple, new: PatternTriple) -> bool:
    return _has_same_start(old, new) and old.target == new.target


def _has_same_ends(old: PatternTriple, new: PatternTriple) -> bool:
    ends, others = [old.source, old.target], [new.source, new.target]
    return old.kind == new.kind and (
        ends == others or (old.kind == "edge" and ends == others[::-1])
    )


def _has_same_start(old: PatternTriple, new: PatternTriple) -> bool:
    return (old.kind, old.source, old.role) == (new.kind, new.source, new.role)


def _has_same_end(old: PatternTriple, new: PatternTriple) -> bool:
    both = (old.kind, old.role, old.target), (new.kind, new.role, new.target)
    return old.kind == "edge" and both[0] == both[1]


def _check_triple(new: Pattern, triple: PatternTriple, partner: PatternTriple | None) -> None:
    place = (triple.line, triple.offset)
    if triple.is_absent:
        raise pattern_error(new.text, place, "a template says what is to be there, without :!")
    if partner is None:
        if triple.kind in ("any", "into"):
            message = "* stands for nothing: the pattern has no such triple with these ends"
            raise pattern_error(new.text, place, message)
        if stars_in(triple.role) or (triple.kind == "constant" and stars_in(triple.target)):
            raise pattern_error(new.text, place, "a new triple is written without stars")
        return
    if triple.role != partner.role:
        _check_stars(new, triple.role, partner.role, place)
    if triple.kind == "constant" and triple.target != partner.target:
        _check_stars(new, triple.target, partner.target, place)


def rewrite(graph: AmrGraph, rule: Rule, left_out: Collection[int] = ()) -> Rewritten:
    """Apply a rule to every hit in a graph.

    The hits are those of the graph as it is; one that an earlier hit took away is refused.

    Args:
        graph: A sound graph; it is not changed.
        rule: What is to be done.
        left_out: Hits that a person does not want, from 0.
    """
    found = find_matches(rule.pattern, graph)
    now = graph
    hits: list[Hit] = []
    after: list[AmrGraph] = []
    for number, match in enumerate(found.matches):
        if number in left_out:
            hits.append(Hit(match, None, "left out"))
        elif not still_holds(rule.pattern, match, now):
            hits.append(Hit(match, None, "an earlier hit in this sentence changed it"))
        else:
            hit, now = _apply(now, rule, match)
            hits.append(hit)
        after.append(now)
    edits = tuple(hit.edit for hit in hits if hit.edit is not None)
    edit = Several(edits) if edits else None
    return Rewritten(now, edit, tuple(hits), tuple(after), found.is_cut)


def _apply(graph: AmrGraph, rule: Rule, match: Match) -> tuple[Hit, AmrGraph]:
    """Apply one hit, or refuse it and leave the graph as it is."""
    try:
        edit = Several(tuple(_edits_of(graph, rule, match)))
        edited = apply_edit(graph, edit)
        _check_kept(graph, edited, rule, match)
    except EditError as error:
        return Hit(match, None, str(error)), graph
    return Hit(match, edit), edited


def _edits_of(graph: AmrGraph, rule: Rule, match: Match) -> list[Edit]:
    """Give what is to be done at one hit: what goes first, then what changes, then what comes."""
    names = dict(match.nodes)
    concepts = {node.id: node.concept for node in graph.nodes}
    edits: list[Edit] = []
    for variable in rule.renamed:
        before = concepts[names[variable]]
        values = captures(rule.pattern.concepts[variable], before) or ()
        edits.append(RenameNode(names[variable], fill(rule.template.concepts[variable], values)))
    for variable in rule.made:
        concept = fill(rule.template.concepts[variable], ())
        names[variable] = fresh_variable(graph, concept, tuple(names.values()))
        edits.append(AddNode(names[variable], concept))
    taken: list[str] = []
    for change in rule.changes:
        edits += _edits_of_change(graph, rule, match, change, names, taken)
    for variable in rule.gone:
        _check_bare(graph, match, names[variable])
        edits.append(DeleteNode(names[variable]))
    return edits


def _edits_of_change(
    graph: AmrGraph,
    rule: Rule,
    match: Match,
    change: Change,
    names: Mapping[str, str],
    taken: list[str],
) -> list[Edit]:
    piece = None if change.place is None else match.pieces[change.place]
    new = change.new
    if new is None:
        return [_deletion(piece)] if piece is not None else []
    if piece is None:
        return [_addition(graph, new, names, taken)]
    old = rule.pattern.wanted[change.place or 0]
    role = _filled(new.role, old.role, piece.role)
    if isinstance(piece, Attribute):
        source = names[new.source]
        value = piece.value
        if new.kind == "constant":
            value = _filled(new.target, old.target, piece.value)
        return [ChangeAttribute(piece.id, source, role, value)]
    source = piece.source if new.kind == "into" else names[new.source]
    target = piece.target if new.kind == "any" else names[new.target]
    return [ChangeEdge(*piece.triple, source, role, target)]


def _filled(new: str, old: str, text: str) -> str:
    """Give a role or constant: as it is where the template says the same as the pattern."""
    return text if new == old else fill(new, captures(old, text) or ())


def _deletion(piece: Piece) -> Edit:
    if isinstance(piece, Attribute):
        return DeleteAttribute(piece.id)
    return DeleteEdge(*piece.triple)


def _addition(
    graph: AmrGraph, new: PatternTriple, names: Mapping[str, str], taken: list[str]
) -> Edit:
    source, role = names[new.source], fill(new.role, ())
    if new.kind == "edge":
        return AddEdge(source, role, names[new.target])
    name = fresh_attribute(graph, source, role, tuple(taken))
    taken.append(name)
    return AddAttribute(name, source, role, fill(new.target, ()))


def _check_bare(graph: AmrGraph, match: Match, name: str) -> None:
    """Refuse to delete a node on which more hangs than the pattern says."""
    if name == graph.root:
        raise EditError(f"{name} is the root of the graph: it is not deleted by a template")
    pieces: tuple[Piece, ...] = (*graph.edges, *graph.attributes)
    for piece in pieces:
        ends = (piece.source,) if isinstance(piece, Attribute) else (piece.source, piece.target)
        if name in ends and piece not in match.pieces:
            raise EditError(
                f"{' '.join(piece.triple)} hangs on {name}: a pattern that deletes {name} names it"
            )


def _check_kept(before: AmrGraph, after: AmrGraph, rule: Rule, match: Match) -> None:
    """Refuse what would take along a part that the pattern does not delete."""
    gone = {match.nodes[variable] for variable in rule.gone}
    kept = gone | {node.id for node in after.nodes}
    lost = [f"{n.id} / {n.concept}" for n in before.nodes if n.id not in kept]
    if lost:
        raise EditError(f"nothing would link the root to {', '.join(lost[:5])}")
