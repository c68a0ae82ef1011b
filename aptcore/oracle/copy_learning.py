"""Learn the tables of COPY from aligned training graphs.

The danger is to learn by heart: a table with an entry for each rare concept makes every
label of the training graphs common, and helps with no other sentence. Therefore an
entry needs two witnesses, so that none stands only for the sentence that it came from:
a frame or an irregular word two different sentences, an ending two different words, a
sense five different words. Sentences that are repeated count once. What that gives on
sentences never seen is measured in docs/oracle.md.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from os.path import commonprefix

from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.oracle.sites import first_run
from aptcore.words.copies import FIRST_SENSE, bases_of, is_base, is_word
from aptcore.words.copy_tables import NO_COPIES, CopyTables, Rule
from aptcore.words.endings import ENDINGS
from aptcore.words.tokens import lexicon

WITNESSES = 2
"""Sentences that must show an entry, or words that must show an ending."""

WORDS_OF_A_SENSE = 5
"""Words that must occur in a sense before it is offered for every word."""

LAST_SENSE = "90"
"""Senses past this one are AMR's own frames (``have-degree-91``), not those of words."""

CONTEXT = 2
"""Characters of the stem that an ending may name beside what changes."""

LEAST_LIKENESS = 0.5
"""Share of letters in common from which on a base counts as the word's own."""

LEAST_SHARE = 0.1
"""Share of the lemmas with an ending that must give a base by it."""

FEW = 10
"""Lemmas that are too few to say that a general ending is wrong."""

PRIOR = 0.3
"""How often a general ending is right before anything is seen; more for long ones."""

SURE_WORDS = 3
SURE_LENGTH = 3
"""Words that must show a rule, and characters of its ending, for it to give new words."""

MOST_DERIVED = 12
"""Lemmas that may give one base; what more give (person, name) is no derivation."""

_GENERAL = frozenset(ENDINGS)
_FRAME = re.compile(r"(.+)-(\d\d)")


def learn_copies(pairs: Iterable[tuple[Sentence, AmrGraph]]) -> CopyTables:
    """Learn tables from training graphs.

    Args:
        pairs: Sentences with aligned graphs. What only proximity has aligned is left out.

    Returns:
        Tables in which every entry has two witnesses.
    """
    seen = _collect(pairs)
    frames = {
        base: usual
        for base, usual in ((base, _usual(row)) for base, row in sorted(seen.senses.items()))
        if usual != FIRST_SENSE
    }
    words_of_sense: Counter[str] = Counter(
        sense for senses in seen.senses_of_lemma.values() for sense in senses
    )
    senses = tuple(
        sense
        for sense, words in sorted(words_of_sense.items())
        if words >= WORDS_OF_A_SENSE and sense != FIRST_SENSE
    )
    known = lexicon()
    bases = frozenset(
        base
        for base, count in seen.own.items()
        if count >= WITNESSES and not is_base(base, known, NO_COPIES)
    )
    rules = _learn_rules(seen, CopyTables({}, {}, {}, (), bases, ()))
    tables = CopyTables(frames, {}, {}, rules, bases, senses)
    words = dict(_irregular(seen.bases, tables))
    return CopyTables(frames, dict(_usual_frames(seen, frames)), words, rules, bases, senses)


@dataclass
class _Seen:
    """What training graphs show of single words.

    Attributes:
        own: In how many sentences a base is the lemma that it is made from.
        bases: For each lemma, in how many sentences it gives each other base.
        senses: For each base, in how many sentences it has each sense.
        frames: For each lemma, in how many sentences it gives each frame of another base.
        senses_of_lemma: For each lemma, the senses in which it is a concept itself.
    """

    own: Counter[str] = field(default_factory=Counter)
    bases: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    senses: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    frames: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    senses_of_lemma: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def _collect(pairs: Iterable[tuple[Sentence, AmrGraph]]) -> _Seen:
    seen = _Seen()
    texts: set[str] = set()
    for sentence, graph in pairs:
        if sentence.text in texts:
            continue
        texts.add(sentence.text)
        for lemma, concept in sorted(set(_made(sentence, graph))):
            frame = _FRAME.fullmatch(concept)
            base, sense = (frame[1], frame[2]) if frame else (concept, "")
            if sense > LAST_SENSE or not is_word(base):
                continue
            if base == lemma:
                seen.own[base] += 1
                if sense:
                    seen.senses_of_lemma[lemma].add(sense)
            elif _likeness(lemma, base) >= LEAST_LIKENESS:
                seen.bases[lemma][base] += 1
                if sense:
                    seen.frames[lemma][concept] += 1
            else:
                continue
            if sense:
                seen.senses[base][sense] += 1
    derived: Counter[str] = Counter(base for row in seen.bases.values() for base in row)
    for lemma, row in list(seen.bases.items()):
        for base in [base for base in row if derived[base] > MOST_DERIVED]:
            del row[base]
        if not row:
            del seen.bases[lemma]
    return seen


def _made(sentence: Sentence, graph: AmrGraph) -> Iterator[tuple[str, str]]:
    """Give the lemma, or the joined lemmas, and the concept of each aligned node."""
    for node in graph.nodes:
        alignment = graph.alignments.get(node.id)
        if alignment is None or alignment.source == "proximity" or not alignment.tokens:
            continue
        start, stop = first_run(alignment.tokens)
        lemma = "-".join(sentence.lemmas[start:stop])
        if is_word(lemma) and (stop == start + 1 or node.concept.startswith(lemma)):
            yield lemma, node.concept


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _usual(row: Mapping[str, int]) -> str:
    """Give the sense seen most often, the lowest of equals; 01 where too little was seen."""
    sense, count = min(row.items(), key=lambda pair: (-pair[1], pair[0]))
    return sense if count >= WITNESSES else FIRST_SENSE


def _usual_frames(seen: _Seen, frames: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Give the lemmas whose usual frame is not their base's usual one."""
    for lemma, row in sorted(seen.frames.items()):
        frame, count = min(row.items(), key=lambda pair: (-pair[1], pair[0]))
        base, _, sense = frame.rpartition("-")
        is_own = base in seen.bases.get(lemma, {})
        if is_own and count >= WITNESSES and sense != frames.get(base, FIRST_SENSE):
            yield lemma, frame


def _learn_rules(seen: _Seen, tables: CopyTables) -> tuple[Rule, ...]:
    """Rank the endings that give bases, those that are right most often first.

    An ending is ranked by how often it is right where the lemma gives some base. It is
    dropped where that hardly ever happens ("want" gives no "wand").
    """
    right: Counter[tuple[str, str]] = Counter()
    for lemma, row in seen.bases.items():
        right.update({rule for base in row for rule in _rules_of(lemma, base)})
    shown = [rule for rule, words in right.items() if words >= WITNESSES]
    lemmas = sorted({*seen.own, *seen.bases})
    known = lexicon()
    scored = []
    for ending, replacement in dict.fromkeys((*ENDINGS, *sorted(shown))):
        ended = [lemma for lemma in lemmas if lemma.endswith(ending)]
        stems = {lemma: lemma[: len(lemma) - len(ending)] for lemma in ended}
        fitting = [x for x in ended if is_base(stems[x] + replacement, known, tables)]
        words = right[(ending, replacement)]
        is_general = (ending, replacement) in _GENERAL
        if words < LEAST_SHARE * len(fitting) and not (is_general and len(fitting) < FEW):
            continue
        tried = max(sum(lemma in seen.bases for lemma in fitting), words)
        guess = PRIOR + 0.02 * len(ending)
        share = (words + guess) / (tried + 1) if is_general else (words - 0.5) / tried
        is_sure = (
            words >= SURE_WORDS
            and len(ending) >= SURE_LENGTH
            and 2 * words >= sum(lemma in seen.bases for lemma in ended)
        )
        scored.append((-share, ending, replacement, is_sure))
    return tuple(Rule(*row[1:]) for row in sorted(scored))


def _rules_of(lemma: str, base: str) -> list[tuple[str, str]]:
    """Give the change from a lemma to a base, with more or less of what comes before."""
    stem = len(commonprefix([lemma, base]))
    if stem < 2:
        return []
    return [(lemma[cut:], base[cut:]) for cut in range(max(stem - CONTEXT, 1), stem + 1)]


def _irregular(
    bases: Mapping[str, Mapping[str, int]], tables: CopyTables
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give the words whose usual base is not the first that the endings give."""
    known = lexicon()
    for lemma, row in sorted(bases.items()):
        base, count = min(row.items(), key=lambda pair: (-pair[1], pair[0]))
        if count >= WITNESSES and bases_of(lemma, known, tables)[:1] != [base]:
            yield lemma, (base,)
