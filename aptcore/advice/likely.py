"""What a person most likely means at a place of a graph, before more than a letter is typed.

Three sources are put together: what the parser would rather have there, what the words of
the sentence may stand for (its own word, then words that nothing stands for), and what
training graphs have often. Roles are ranked by both ends of their edge.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from aptcore.advice.completion import (
    LIMIT,
    Completion,
    complete_concept,
    concepts_of_word,
    covered_words,
    described,
    is_made_up,
    roles_at,
)
from aptcore.advice.doubt import PieceDoubt
from aptcore.advice.entities import named_types
from aptcore.editing.edits import ChangeEdge, RenameNode
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.layout import INSTANCE, Triple, is_argument, is_role_inverted
from aptcore.graph.roles import LISTS, is_own_role, is_single_role, own_roles
from aptcore.words.frames import Frame, Lexicon, is_frame, lemma_of
from aptcore.words.rolesets import rolesets_from, senses_of

OWN_SENSE, OWN_WORD, FREE_WORD, ANY_WORD = 9.0, 8.0, 7.0, 3.0
"""What it adds to half the logarithm of a concept's count that it is another sense of the concept
which stands there, or may be meant by a word at hand, by one that nothing stands for, by any.
"""
UNSEEN = -1.0
"""What it adds that a concept is a roleset of the list alone."""
UNSAID = 6.0
"""What the most widespread of the concepts that no word spells has, the last of them nothing."""
RELATION = "-91"
"""Sense of the frames that no word spells: one of them is mostly mended to another."""
APOSTROPHES = ("'", "\u2019")
MODEL = 16.0
"""What it adds that the parser would have it, less the logarithm of how likely that is."""
LEAST_LIKELY = 0.01
"""Probability below which what the parser would have is left out."""
INVERTED = -1.0
"""What it adds to a role that is turned round: nothing is counted of the node above."""
LISTED = 3.0
"""What it adds that a frame list gives a frame the role."""
TURNED = 0.05
"""Share of the edges below a concept that count as edges by which it may hang, turned round."""
NEXT = -1.0
"""What the first free place of a list has at least."""
TAKEN = -8.0
"""What it adds to a role that the node has already and that comes once."""
SMOOTHING = 2.0
"""Occurrences of a role that each concept is given beside its own, spread as over all."""
UNNUMBERED = frozenset(("", ":op", ":snt"))
NO_FRAME = Frame("")
RARE = 1e-4
"""Share of a role that no graph has where it is asked about."""
SCANNED = 400
"""Concepts ranked at most where something is typed."""


_NUMBERED = re.compile(r"[a-z]+(\d+)(\D*)")


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of a sentence whose graph is corrected.

    Attributes:
        graph: As it is now.
        lexicon: Frames and counts.
        sentence: As the parser reads it; None while that is not known.
        pieces: What the parser says of each piece of the graph, where it has said it.
    """

    graph: AmrGraph
    lexicon: Lexicon
    sentence: Sentence | None = None
    pieces: tuple[PieceDoubt, ...] = ()

    def concept(self, node: str) -> str:
        """Give the concept of a node; empty for none."""
        return next((one.concept for one in self.graph.nodes if one.id == node), "")


# --- concepts -----------------------------------------------------------------------------


def likely_concepts(
    setting: Setting,
    typed: str = "",
    node: str = "",
    tokens: Sequence[int] = (),
    limit: int = LIMIT,
) -> tuple[Completion, ...]:
    """Rank what a node may be called.

    Args:
        setting: The sentence and its graph.
        typed: The beginning of the concept; may be empty.
        node: The node that is renamed; empty for one that is still to be made.
        tokens: Words at hand, from 0.
        limit: How many to give.

    Returns:
        What is typed itself where it is a concept that is known, then the likeliest first.
    """
    scores = concept_scores(setting, typed, node, tokens)
    scores.pop(setting.concept(node), None)
    chosen = sorted(scores, key=lambda name: (name != typed.lower(), -scores[name], name))
    return tuple(described(setting.lexicon, name) for name in chosen[:limit])


def concept_scores(
    setting: Setting, typed: str, node: str, tokens: Sequence[int]
) -> dict[str, float]:
    """Score concepts that begin as typed: logarithms, the likeliest highest."""
    lexicon = setting.lexicon
    counts = lexicon.counts.concepts
    typed = typed.lower()
    concept = setting.concept(node)
    found: dict[str, float] = {}

    def add(names: Iterable[str], bonus: float) -> None:
        for name in names:
            if fits_concept(typed, name, concept) and not is_made_up(lexicon, name):
                score = math.log1p(counts.get(name, 0)) / 2 + bonus
                found[name] = max(found.get(name, -math.inf), score)

    if typed and not (concept and typed.isdigit()):
        add((one.text for one in complete_concept(typed, lexicon, limit=SCANNED)), 0.0)
        add(rolesets_from(typed, SCANNED), UNSEEN)
        if senses_of(typed):
            found.setdefault(typed, UNSEEN)  # a whole word: it may be no frame here
        add(lexicon.by_initials.get(typed[:2], ()), 0.0)
    unsaid = lexicon.counts.unsaid
    for place, name in enumerate(unsaid):
        if fits_concept(typed, name, concept):
            found[name] = UNSAID * (1 - place / len(unsaid))
    if concept:
        lemma = lemma_of(concept)
        add((*senses_of(lemma), *lexicon.senses(lemma)), OWN_SENSE)
        add((lemma,), OWN_SENSE if lemma in counts else ANY_WORD)
        if ":name" in roles_at(setting.graph, node):
            types = named_types(lexicon).items()
            found |= {one: OWN_WORD + p for one, p in types if fits_concept(typed, one, concept)}
        if concept.endswith(RELATION):
            add((name for name in lexicon.names if name.endswith(RELATION)), ANY_WORD)
        alignment = setting.graph.alignments.get(node)
        tokens = tokens or (alignment.tokens if alignment is not None else ())
    _add_words(setting, add, tokens)
    for text, probability in _model_options(setting, (node, INSTANCE, concept)):
        if fits_concept(typed, text, concept):
            found[text] = MODEL + math.log(probability)
    return found


def fits_concept(typed: str, concept: str, before: str = "") -> bool:
    """Tell whether a concept is meant by what is typed.

    That is its beginning, the first letters of its words, or two figures for another sense of
    the concept before.

    >>> fits_concept("am", "amusement-park"), fits_concept("ap", "amusement-park")
    (True, True)
    >>> fits_concept("13", "close-13", "close-10"), fits_concept("13", "open-13", "close-10")
    (True, False)
    """
    if concept.startswith(typed):
        return True
    if len(typed) < 2:
        return False
    if typed.isdigit():
        return bool(before) and concept == f"{lemma_of(before)}-{typed}"
    words = concept.split("-")
    return len(words) > 1 and "".join(word[:1] for word in words).startswith(typed)


def _add_words(
    setting: Setting, add: Callable[[Iterable[str], float], None], tokens: Sequence[int]
) -> None:
    """Add what the words of the sentence may stand for."""
    sentence = setting.sentence
    if sentence is None:
        return
    covered = covered_words(setting.graph)
    lexicon = setting.lexicon
    for token, lemma in enumerate(sentence.lemmas):
        if not lemma[:1].isalnum() or sentence.tokens[token][:1] in APOSTROPHES:
            continue  # 's, 're
        is_free = token not in covered and lemma not in lexicon.counts.silent
        bonus = OWN_WORD if token in tokens else FREE_WORD if is_free else ANY_WORD
        named = concepts_of_word(lexicon, sentence, token)
        add(named, bonus)
        lemmas = dict.fromkeys((lemma, *map(lemma_of, named)))
        add((sense for one in lemmas for sense in senses_of(one)), bonus - 1)
        add((sentence.tokens[token].lower(),), ANY_WORD if bonus == ANY_WORD else bonus - 3)
        if token in tokens:
            add(_inside(lexicon, lemma), bonus - 1)
    for token in {each + step for each in tokens for step in (-1, 0)}:
        pair = sentence.lemmas[max(0, token) : token + 2]
        if len(pair) == 2 and all(map(str.isalpha, pair)):
            add((f"{sentence.tokens[token].lower()}-{pair[1]}",), ANY_WORD)


def _inside(lexicon: Lexicon, word: str) -> Iterable[str]:
    """Give the concepts that stand inside a word: ``friend`` in ``bestfriend``."""
    for start in range(len(word)):
        for end in range(max(start + 4, 5), len(word) + 1):
            if word[start:end] in lexicon.counts.concepts:
                yield word[start:end]


def _model_options(setting: Setting, triple: Triple) -> list[tuple[str, float]]:
    """Give what the parser would rather have for a node, or for the role of an edge."""
    source, _, target = triple
    found: dict[str, float] = {}
    for piece in setting.pieces:
        if piece.triple != triple:
            continue
        for option in piece.options:
            if option.probability < LEAST_LIKELY:
                continue
            match option.edit:
                case RenameNode(_, concept):
                    found.setdefault(concept, option.probability)
                case ChangeEdge(_, _, _, new_source, role, new_target):
                    if (new_source, new_target) == (source, target):
                        found.setdefault(role, option.probability)
    return list(found.items())


# --- roles --------------------------------------------------------------------------------


def likely_roles(
    setting: Setting,
    source: str,
    target: str,
    typed: str = "",
    role: str = "",
    limit: int = LIMIT,
) -> tuple[Completion, ...]:
    """Rank the roles that may lead from a node to another node or a constant.

    Args:
        setting: The sentence and its graph.
        source: The node.
        target: The other node, or the constant, by id.
        typed: Signs of the role: its beginning, or the number that it has (``1`` for
            ``:ARG1`` and ``:op1``).
        role: The role that is there, if it is relabelled.
        limit: How many to give.
    """
    taken = [other for other in roles_at(setting.graph, source) if other != role]
    values = {item.id: item.value for item in setting.graph.attributes}
    concept, other = setting.concept(source), values.get(target) or setting.concept(target)
    found = role_scores(setting.lexicon, concept, other, taken)
    triple = (source, role, values.get(target, target))
    for name, probability in _model_options(setting, triple) if role else ():
        found[name] = MODEL + math.log(probability)
    found.pop(role, None)
    fitting = [name for name in found if fits_role(typed, name)]
    chosen = sorted(fitting, key=lambda name: (*closeness(typed, name), -found[name], name))
    return tuple(described_role(setting.lexicon, concept, name) for name in chosen[:limit])


def described_role(lexicon: Lexicon, concept: str, role: str) -> Completion:
    """Give a role with what it means at a concept, and how often training graphs have it there."""
    gloss = lexicon.role_gloss(concept, role)
    if is_own_role(role):
        gloss = "of this project"
    return Completion(role, gloss, lexicon.counts.roles.get(concept, {}).get(role, 0), "graphs")


def fits_role(typed: str, role: str) -> bool:
    """Tell whether a role is meant by what is typed.

    >>> fits_role("1", ":ARG1"), fits_role("1o", ":ARG1-of"), fits_role("ti", ":time")
    (True, True, True)
    >>> fits_role("1", ":op10"), fits_role("1", ":mod"), fits_role("", ":mod")
    (False, False, True)
    """
    typed, name = typed.lower().lstrip(":"), role.lower()[1:]
    numbered = _NUMBERED.fullmatch(name)
    if not typed[:1].isdigit() or numbered is None:
        return name.startswith(typed)
    number, rest = numbered[1], numbered[2].replace("-", "")
    return typed[: len(number)] == number and rest.startswith(typed[len(number) :])


def closeness(typed: str, role: str) -> tuple[bool, bool]:
    """Put first what is typed itself, and of a number alone the roles that are not turned."""
    return role != f":{typed.lstrip(':')}", typed.lstrip(":").isdigit() and is_role_inverted(role)


def role_scores(
    lexicon: Lexicon, concept: str, other: str, taken: Collection[str]
) -> dict[str, float]:
    """Score the roles from a concept to another: logarithms, by how often each end has them.

    Args:
        lexicon: Frames and counts.
        concept: The one above.
        other: The one below; empty while it is not known.
        taken: Roles that the first has already.
    """
    counts = lexicon.counts
    below = counts.roles.get(concept, {})
    over: dict[str, float] = {**counts.above.get(other, {})}
    for role, times in counts.roles.get(other, {}).items():
        over[f"{role}-of"] = over.get(f"{role}-of", 0) + TURNED * times
    usual, hung = lexicon.usual_roles(is_frame(concept)), lexicon.hung_roles
    frame = lexicon.frames.get(concept)
    found = dict.fromkeys(own_roles(), 0.0)
    stem = ":op" if concept == "name" else LISTS.get(concept, "")
    member = next(role for n in count(1) if (role := f"{stem}{n}") not in taken) if stem else ""
    listed = (frame or NO_FRAME).roles
    turned = {f"{role}-of" for role in counts.all_roles if role[-1:].isdigit()}
    for role in {*counts.all_roles, *hung, *turned, *listed, member} - UNNUMBERED:
        at_all = lexicon.role_share(role)
        if is_role_inverted(role):
            score = math.log(at_all) + INVERTED
        else:
            score = math.log(_share(below, role, usual.get(role, RARE)))
        if other:
            score += math.log(_share(over, role, hung.get(role, RARE)) / at_all)
        if role in listed:
            score += LISTED
        if role == member:
            score = max(score, NEXT)
        if role in taken and is_single_role(role):
            score += TAKEN
        if frame is not None and is_argument(role) and role not in frame.roles:
            score += TAKEN
        found[role] = score
    return found


def _share(own: Mapping[str, float], role: str, prior: float) -> float:
    """Give how often a role is had, with a few occurrences as they are spread over all."""
    return (own.get(role, 0) + SMOOTHING * prior) / (sum(own.values()) + SMOOTHING)
