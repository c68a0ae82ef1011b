"""Frames and their arguments: senses that no list has, arguments a frame lacks or has twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from aptcore.advice.problems.problem import Fix, Problem, key_of
from aptcore.advice.problems.role_fixes import next_member, relabel
from aptcore.editing.edits import DeleteNode, RenameNode
from aptcore.graph.amr import AmrGraph, Node
from aptcore.graph.layout import is_argument
from aptcore.graph.roles import LISTS, is_single_role
from aptcore.words.frames import Lexicon, is_frame, lemma_of
from aptcore.words.rolesets import rolesets, senses_of

MAX_FIXES = 4
_NEAR = 0.75
"""How like each other two words are spelt (difflib's ratio): one letter of four."""

_RELATIONS = frozenset({"have-org-role-91", "have-rel-role-91"})


def frame_problems(graph: AmrGraph, lexicon: Lexicon, tokens: Sequence[str] = ()) -> list[Problem]:
    """Find unknown frames, arguments their frame lacks, and arguments of what is no frame.

    Without a frame list frames are looked up among PropBank's names and those of training
    graphs, and nothing is said of their arguments.

    Args:
        graph: Any graph.
        lexicon: Frames and counts.
        tokens: The words that the graph is aligned to, if they are known.
    """
    found = list(_arguments_of_no_frame(graph, lexicon))
    found += _unknown_frames(graph, lexicon, tokens)
    if lexicon.has_list:
        found += _missing_arguments(graph, lexicon)
    return found


def _unknown_frames(graph: AmrGraph, lexicon: Lexicon, tokens: Sequence[str]) -> Iterator[Problem]:
    """Find frames that nobody names, and such as only a slip makes of a word at hand.

    ``stud-01`` is a name of PropBank's, but at "studying" what training graphs have is
    ``study-01``.
    """
    for node in graph.nodes:
        concept = node.concept
        is_seen = concept in lexicon.counts.concepts
        # A list of verbs, such as PropBank's, lacks the frames that AMR alone has.
        is_own = is_seen and (concept.endswith("-91") or not lexicon.has_list)
        is_named = concept in (lexicon.frames if lexicon.has_list else rolesets())
        if not is_frame(concept) or is_own or (is_seen and is_named):
            continue
        near = _near_frames(lexicon, lemma_of(concept))
        if is_named:
            place = graph.alignments.get(node.id)
            at_hand = place.tokens if place and place.tokens else range(len(tokens))
            words = [tokens[token].lower() for token in at_hand if token < len(tokens)]
            near = tuple(name for name in near if _is_cut_of(concept, name, words))
        if is_named and not near:
            continue
        others = () if is_named else _senses_of(lexicon, lemma_of(concept))
        chosen = tuple(dict.fromkeys((*others, *near)))[:MAX_FIXES]
        fixes = tuple(
            Fix(f"{name} {lexicon.gloss(name)}".strip(), RenameNode(node.id, name))
            for name in chosen
        )
        lacks = "the frame list has no" if lexicon.has_list else "no list and no training graph has"
        reason = f"{'no training graph has' if is_named else lacks} {concept}"
        reason += f"; near it are {', '.join(chosen)}" if chosen else ""
        key = key_of("unknown-frame", node.id, concept)
        fixes = fixes or _as_plain_word(graph, node)
        yield Problem(key, "unknown-frame", "warning", reason, (node.id,), fixes=fixes)


def _senses_of(lexicon: Lexicon, word: str) -> tuple[str, ...]:
    """Give the senses of a word: those of the list, or else those of training graphs first."""
    seen = lexicon.senses(word)
    if lexicon.has_list:
        return tuple(name for name in seen if name in lexicon.frames)
    return tuple(dict.fromkeys((*seen, *senses_of(word))))


def _near_frames(lexicon: Lexicon, word: str) -> tuple[str, ...]:
    """Give the frames of training graphs whose word is spelt nearly like one, most seen first."""
    counts = lexicon.counts.concepts
    words = dict.fromkeys(lemma_of(name) for name in counts if is_frame(name))
    words.pop(word, None)
    near = get_close_matches(word, words, n=MAX_FIXES, cutoff=_NEAR)
    frames = [name for other in near for name in lexicon.senses(other) if name in counts]
    if lexicon.has_list:
        frames = [name for name in frames if name in lexicon.frames]
    return tuple(sorted(frames, key=lambda name: -counts[name]))


def _is_cut_of(concept: str, other: str, words: Sequence[str]) -> bool:
    """Tell whether one of the words is a form of another frame's that lost its last letter.

    "riding" is of ``ride-01`` and, its ending cut off, of ``rid-01``.
    """
    cut, lemma = lemma_of(concept), lemma_of(other)
    if lemma[:-1] != cut:
        return False
    changed = {"e": "ei", "y": "yi"}.get(lemma[-1], lemma[-1])
    return any(re.match(f"{re.escape(cut)}[{changed}]", word) for word in words)


def _as_plain_word(graph: AmrGraph, node: Node) -> tuple[Fix, ...]:
    """Offer the word without a sense, where it has no argument that needs one."""
    if any(source == node.id for source, _, _, _ in _numbered(graph)):
        return ()
    word = lemma_of(node.concept)
    return (Fix(f"{word}, no frame", RenameNode(node.id, word)),)


def _missing_arguments(graph: AmrGraph, lexicon: Lexicon) -> Iterator[Problem]:
    concepts = {node.id: node.concept for node in graph.nodes}
    for source, role, target, _ in _numbered(graph):
        frame = lexicon.frames.get(concepts.get(source, ""))
        if frame is None or role in frame.roles:
            continue
        taken = {other for name, other, _, _ in _numbered(graph) if name == source}
        free = [other for other in frame.roles if other not in taken][:MAX_FIXES]
        fixes = tuple(
            Fix(
                f"{other} {frame.roles[other]}".strip(),
                relabel(graph, (source, role, target), other),
            )
            for other in free
        )
        fixes += _senses_with(lexicon, frame.concept, source, taken)
        has = ", ".join(f"{name} {text}".strip() for name, text in frame.roles.items()) or "none"
        reason = f"{frame.concept} has no {role}; its arguments are: {has}"
        key = key_of("no-argument", source, frame.concept, role)
        ends = (source, role, target)
        yield Problem(key, "no-argument", "warning", reason, (source,), ends, fixes=fixes)


def _senses_with(lexicon: Lexicon, concept: str, source: str, roles: set[str]) -> tuple[Fix, ...]:
    """Offer other senses of the word that have all these arguments."""
    senses = [lexicon.frames[name] for name in lexicon.senses(lemma_of(concept))
              if name in lexicon.frames]  # fmt: skip
    fitting = [frame for frame in senses if roles <= set(frame.roles)]
    return tuple(
        Fix(f"{frame.concept} {frame.name}".strip(), RenameNode(source, frame.concept))
        for frame in fitting[:2]
    )


def _arguments_of_no_frame(graph: AmrGraph, lexicon: Lexicon) -> Iterator[Problem]:
    concepts = {node.id: node.concept for node in graph.nodes}
    for source, role, target, _ in _numbered(graph):
        concept = concepts.get(source, "")
        if concept and not is_frame(concept):
            reason = f"{concept} is no frame, but has a numbered argument {role}"
            key = key_of("argument-of-no-frame", source, concept, role)
            ends = (source, role, target)
            fixes = _without_argument(graph, lexicon, concept, ends)
            yield Problem(
                key, "argument-of-no-frame", "warning", reason, (source,), ends, fixes=fixes
            )


def _without_argument(
    graph: AmrGraph, lexicon: Lexicon, concept: str, ends: tuple[str, str, str]
) -> tuple[Fix, ...]:
    """Offer the next place of a list, frames of the word, or the plainest other role."""
    if concept in LISTS:
        member = next_member(graph, ends[0], LISTS[concept])
        return (Fix(f"call it {member}", relabel(graph, ends, member)),)
    counts = lexicon.counts.concepts
    senses = sorted(lexicon.senses(concept), key=lambda name: -counts.get(name, 0))
    frames = tuple(
        Fix(f"{name} {lexicon.gloss(name)}".strip(), RenameNode(ends[0], name))
        for name in senses[:2]
    )
    return (*frames, Fix("call it :mod", relabel(graph, ends, ":mod")))


def repeated_arguments(graph: AmrGraph) -> list[Problem]:
    """Find roles that a node has twice although nodes have them once."""
    seen: dict[tuple[str, str], list[str]] = {}
    for edge in graph.edges:
        seen.setdefault((edge.source, edge.role), []).append(edge.target)
    for item in graph.attributes:
        seen.setdefault((item.source, item.role), []).append(item.id)
    found = []
    for (source, role), targets in seen.items():
        if len(targets) > 1 and is_single_role(role) and not role.startswith((":op", ":snt")):
            reason = f"{source} has {role} {len(targets)} times; join them by `and`, or rename one"
            key = key_of("repeated-argument", source, role, *sorted(targets))
            ends = (source, role, targets[-1])
            nodes = (source, *targets)
            found.append(Problem(key, "repeated-argument", "warning", reason, nodes, ends))
    return found


def doubled_relations(graph: AmrGraph) -> list[Problem]:
    """Find a relation or office that is said twice of the same person.

    Two are the same where they have the same ``:ARG0``, and no other argument of one is
    otherwise in the other.
    """
    concepts = {node.id: node.concept for node in graph.nodes}
    ends: dict[str, dict[str, str]] = {
        node.id: {} for node in graph.nodes if node.concept in _RELATIONS
    }
    for source, role, target, _ in _numbered(graph):
        if source in ends:
            ends[source][role] = target
    found = []
    for place, (one, first) in enumerate(ends.items()):
        for two, second in list(ends.items())[place + 1 :]:
            both = (first.keys() & second.keys()) - {":ARG0"}
            apart = [role for role in both if not _is_alike(concepts, first[role], second[role])]
            is_same = first.get(":ARG0", one) == second.get(":ARG0", two)
            if concepts[one] == concepts[two] and is_same and not apart:
                reason = f"{one} and {two} are both {concepts[one]} of {first[':ARG0']}"
                key = key_of("doubled-relation", one, two)
                fixes = (Fix(f"delete {two}", DeleteNode(two)),)
                kind = "doubled-relation"
                found.append(Problem(key, kind, "warning", reason, (two, one), fixes=fixes))
    return found


def _is_alike(concepts: Mapping[str, str], one: str, two: str) -> bool:
    """Tell whether two ends are the same node, or plain words of one concept."""
    return one == two or (concepts.get(one) == concepts.get(two) and one in concepts)


def _numbered(graph: AmrGraph) -> Iterator[tuple[str, str, str, str]]:
    """Give source, role, target and value (empty for an edge) of each numbered argument."""
    for edge in graph.edges:
        if is_argument(edge.role):
            yield edge.source, edge.role, edge.target, ""
    for item in graph.attributes:
        if is_argument(item.role):
            yield item.source, item.role, item.id, item.value
