"""What a person most likely means at a place of a graph, before more than a letter is typed.

Three sources are put together: what the parser would rather have there, what the words of
the sentence may stand for (its own word, then words that nothing stands for), and what
training graphs have often.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from aptcore.advice.alike import likeness, spelt_alike
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
from aptcore.graph.layout import INSTANCE, Triple
from aptcore.words.frames import Lexicon, lemma_of
from aptcore.words.rolesets import rolesets_from, senses_of
from aptcore.words.tokens import bare_words

OWN_SENSE, OWN_WORD, FREE_WORD, ANY_WORD = 9.0, 8.0, 7.0, 3.0
"""What it adds to half the logarithm of a concept's count that it is another sense of the concept
which stands there, or may be meant by a word at hand, by one that nothing stands for, by any.
"""
UNSEEN = -1.0
"""What it adds that a concept is a roleset of the list alone."""
UNSAID = 6.0
"""What the most widespread of the concepts that no word spells has, the last of them nothing."""
UNLIKE = 10.0
"""What it takes from that that it is used in another way than the concept which stands there: for a
``boy`` a person may stand, but no contrast.
"""
ALIKE, USUALLY_ALIKE = 30.0, 0.7
"""What it adds for each word at hand, of none at the concept which stands there, that both are used
more alike than so: ``monday`` for ``friday``.
"""
SPELT = 1.0
"""What it adds that a word is spelt much like the concept which stands there."""
ELSEWHERE = 9.0
"""What it takes from words at other places that a concept is spelt by a word of its own."""
RELATION = "-91"
"""Sense of the frames that no word spells: one of them is mostly mended to another."""
APOSTROPHES = ("'", "\u2019")
MODEL = 16.0
"""What it adds that the parser would have it, less the logarithm of how likely that is."""
LEAST_LIKELY = 0.01
"""Probability below which what the parser would have is left out."""
SCANNED = 400
"""Concepts ranked at most where something is typed."""


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
    said: Mapping[str, float] | None = None,
) -> tuple[Completion, ...]:
    """Rank what a node may be called.

    Args:
        setting: The sentence and its graph.
        typed: The beginning of the concept; may be empty.
        node: The node that is renamed; empty for one that is still to be made.
        tokens: Words at hand, from 0.
        limit: How many to give.
        said: What ``said_scores`` gives, where many nodes of one setting are asked about and
            nothing is typed.

    Returns:
        What is typed itself where it is a concept that is known, then the likeliest first.
    """
    scores = concept_scores(setting, typed, node, tokens, said)
    scores.pop(setting.concept(node), None)
    chosen = sorted(scores, key=lambda name: (name != typed.lower(), -scores[name], name))
    return tuple(described(setting.lexicon, name) for name in chosen[:limit])


def said_scores(setting: Setting) -> dict[str, float]:
    """Score what the words of a sentence may stand for, whichever node is asked about."""
    found: dict[str, float] = {}
    sentence = setting.sentence
    words = range(0 if sentence is None else len(sentence.lemmas))
    _add_words(setting, _adder(setting, found), words, is_at_hand=False)
    return found


def concept_scores(
    setting: Setting,
    typed: str,
    node: str,
    tokens: Sequence[int],
    said: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """Score concepts that begin as typed: logarithms, the likeliest highest."""
    lexicon = setting.lexicon
    counts = lexicon.counts.concepts
    typed = typed.lower()
    concept = setting.concept(node)
    found: dict[str, float] = {}
    add = _adder(setting, found, typed, concept)
    if typed and not (concept and typed.isdigit()):
        add((one.text for one in complete_concept(typed, lexicon, limit=SCANNED)), 0.0)
        add(rolesets_from(typed, SCANNED), UNSEEN)
        if senses_of(typed):
            found.setdefault(typed, UNSEEN)  # a whole word: it may be no frame here
        add(lexicon.by_initials.get(typed[:2], ()), 0.0)
    unsaid = lexicon.counts.unsaid
    for place, name in enumerate(unsaid):
        if fits_concept(typed, name, concept):
            unlike = 1 - likeness(concept, name) if concept else 0.0
            found[name] = UNSAID * (1 - place / len(unsaid)) - UNLIKE * unlike
    if concept:
        lemma = lemma_of(concept)
        add((*senses_of(lemma), *lexicon.senses(lemma)), OWN_SENSE)
        add((lemma,), OWN_SENSE if lemma in counts else ANY_WORD)
        add(spelt_alike(concept), SPELT)
        if ":name" in roles_at(setting.graph, node):
            types = named_types(lexicon).items()
            found |= {one: OWN_WORD + p for one, p in types if fits_concept(typed, one, concept)}
        if concept.endswith(RELATION):
            add((name for name in lexicon.names if name.endswith(RELATION)), ANY_WORD)
        alignment = setting.graph.alignments.get(node)
        tokens = tokens or (alignment.tokens if alignment is not None else ())
    own = {name for token in tokens for name in concepts_of_word(lexicon, setting.sentence, token)}
    # Who marks words for a new node means these.
    less = ELSEWHERE if concept in own or (tokens and not node) else 0.0
    for name, score in (said_scores(setting) if said is None else said).items():
        if fits_concept(typed, name, concept):
            found[name] = max(found.get(name, -math.inf), score - less)
    _add_words(setting, add, tokens, is_at_hand=True)
    for name in own & found.keys() if concept and concept not in own else ():
        found[name] += ALIKE * max(0.0, likeness(concept, name) - USUALLY_ALIKE)
    add(_pairs(setting, tokens), ANY_WORD)
    for text, probability in model_options(setting, (node, INSTANCE, concept)):
        if fits_concept(typed, text, concept):
            found[text] = MODEL + math.log(probability)
    return found


def _adder(
    setting: Setting, found: dict[str, float], typed: str = "", concept: str = ""
) -> Callable[[Iterable[str], float], None]:
    """Give what puts concepts that begin as typed among those found, with their counts."""
    lexicon, counts = setting.lexicon, setting.lexicon.counts.concepts

    def add(names: Iterable[str], bonus: float) -> None:
        for name in names:
            if fits_concept(typed, name, concept) and not is_made_up(lexicon, name):
                score = math.log1p(counts.get(name, 0)) / 2 + bonus
                found[name] = max(found.get(name, -math.inf), score)

    return add


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
    setting: Setting,
    add: Callable[[Iterable[str], float], None],
    tokens: Iterable[int],
    *,
    is_at_hand: bool,
) -> None:
    """Add what words of the sentence may stand for, at hand or elsewhere in it."""
    sentence = setting.sentence
    if sentence is None:
        return
    lexicon, covered = setting.lexicon, covered_words(setting.graph)
    words = bare_words(sentence.tokens)
    for token in (one for one in tokens if one < len(sentence.lemmas)):
        lemma = sentence.lemmas[token]
        if not lemma[:1].isalnum() or sentence.tokens[token][:1] in APOSTROPHES:
            continue  # 's, 're
        is_silent = lemma in lexicon.counts.silent
        if is_silent and not is_at_hand:
            continue
        is_free = token not in covered and not is_silent
        bonus = OWN_WORD if is_at_hand else FREE_WORD if is_free else ANY_WORD
        named = concepts_of_word(lexicon, sentence, token)
        add(named, bonus)
        lemmas = dict.fromkeys((lemma, *map(lemma_of, named)))
        add((sense for one in lemmas for sense in senses_of(one)), bonus - 1)
        add((words[token].lower(),), ANY_WORD if bonus == ANY_WORD else bonus - 3)
        if is_at_hand:
            add(_inside(lexicon, lemma), bonus - 1)


def _pairs(setting: Setting, tokens: Sequence[int]) -> Iterable[str]:
    """Give the compounds of words with their neighbours: ``amusement-park``."""
    sentence, silent = setting.sentence, setting.lexicon.counts.silent
    if sentence is None:
        return
    words, taken = bare_words(sentence.tokens), covered_words(setting.graph).difference(tokens)
    for place in sorted({max(0, token + step) for token in tokens for step in (-1, 0)}):
        pair = sentence.lemmas[place : place + 2]
        is_open = len(pair) == 2 and all(map(str.isalpha, pair)) and silent.isdisjoint(pair)
        if is_open and taken.isdisjoint((place, place + 1)):
            yield f"{words[place].lower()}-{pair[1]}"


def _inside(lexicon: Lexicon, word: str) -> Iterable[str]:
    """Give the concepts that stand inside a word: ``friend`` in ``bestfriend``.

    Short ones amid it are none of it: ``each`` in ``teacher``.
    """
    for start in range(len(word)):
        for end in range(max(start + 4, 5), len(word) + 1):
            is_long = end - start > 4 or not start or end == len(word)
            if is_long and word[start:end] in lexicon.counts.concepts:
                yield word[start:end]


def model_options(setting: Setting, triple: Triple) -> list[tuple[str, float]]:
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
