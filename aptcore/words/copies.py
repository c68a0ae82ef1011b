"""What COPY(kind) makes of a word in the own action set.

The paper copies a lemma, or the lemma with ``-01``. The own set goes on from there, so
that fewer concepts need a label of their own. For each token a sentence carries pairs
of a kind and a concept; which kinds there are:

    frame        the lemma in its usual sense, where that is not 01: good-02
    word         the word as it stands, where its lemma is a verb: direction
    word-frame   the same in its usual sense: revolution-03
    base         what the word is derived from: mystery (mysterious), color (colour)
    base-frame   the same in its usual sense: arrive-01 (arrival), sad-02 (sadness)
    base-01, base-02  the same in the sense named
    positive     the word without its negating prefix: lucky (unlucky)
    positive-frame  the same in its usual sense: happy-01 (unhappy)
    positive-base-frame  what that is derived from: separate-01 (inseparable)
    particle     the verb with a particle that follows: shut-up-06 ("shut them up")
    sense-02 ... the lemma in the sense named; of merged tokens, their joined lemmas
    phrase       merged tokens in their usual sense: carry-out-03

A kind is offered only where it gives what no earlier one gives, so every concept has
one label at a token. The pairs are a pure function of the token, its lemma and the
tables (aptcore.words.copy_tables); the state machine reads them off the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from aptcore.graph.amr import Sentence
from aptcore.words.copy_tables import PHRASE, SENSE_KIND, CopyTables, Rule
from aptcore.words.lemmas import Lexicon
from aptcore.words.rolesets import rolesets
from aptcore.words.tokens import lexicon

Pairs = tuple[tuple[str, str], ...]

FIRST_SENSE = "01"
BASE_SENSES = ("01", "02")

LONGEST_PHRASE = 3
"""Tokens of a phrase at most."""

FARTHEST_PARTICLE = 5
"""Tokens from a verb to its particle at most."""

PARTICLES = frozenset(
    "about across after against ahead along apart around aside at away back by down for forth "
    "forward from in into of off on out over past through to together under up upon with".split()
)
"""What makes a phrase of a verb."""

_NEGATING = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
_LEAST_STEM = 3
"""Characters that are left of a word at least."""

REMEMBERED_WORDS = 8192
"""Words of which is remembered what COPY makes of them; a stream of texts has ever new ones."""


def with_derived(sentence: Sentence, tables: CopyTables) -> Sentence:
    """Give the sentence with what COPY makes of each of its tokens.

    Args:
        sentence: Its tokens and lemmas.
        tables: What was learnt about words.

    Returns:
        The same sentence, ``derived`` filled: one tuple of pairs for each token.
    """
    known = tables.pairs_of_word
    derived = []
    for position, word in enumerate(zip(sentence.tokens, sentence.lemmas, strict=True)):
        pairs = known.get(word)
        if pairs is None:
            if len(known) >= REMEMBERED_WORDS:
                known.clear()
            pairs = known[word] = derived_pairs(*word, tables)
        derived.append(pairs + _phrases(sentence.lemmas, position, tables))
    return replace(sentence, derived=tuple(derived))


def _phrases(lemmas: Sequence[str], position: int, tables: CopyTables) -> Pairs:
    """Give what a lemma makes with its neighbours: as a verb, or as the end of a phrase."""
    found = []
    lemma = lemmas[position]
    if lemma in PARTICLES:
        for first in range(max(0, position - LONGEST_PHRASE + 1), position):
            phrase = "-".join(lemmas[first : position + 1])
            if phrase in tables.frames or phrase in tables.listed:
                found.append((PHRASE, in_usual_sense(phrase, tables)))
    for particle in lemmas[position + 1 : position + 1 + FARTHEST_PARTICLE]:
        phrase = f"{lemma}-{particle}"
        if particle in PARTICLES and (phrase in tables.frames or phrase in tables.listed):
            found.append(("particle", in_usual_sense(phrase, tables)))
            break
    return tuple(found)


def derived_pairs(token: str, lemma: str, tables: CopyTables) -> Pairs:
    """Give the kinds of COPY for a token and what each makes, best first."""
    if not is_word(lemma):
        return ()
    taken = {lemma, f"{lemma}-{FIRST_SENSE}"}
    pairs = []
    for kind, concept in _all_pairs(token.lower(), lemma, tables):
        if concept not in taken:
            taken.add(concept)
            pairs.append((kind, concept))
    return tuple(pairs)


def is_word(text: str) -> bool:
    """Tell whether a lemma is made of letters, with hyphens between them perhaps."""
    return text.replace("-", "").isalpha() and text[0] != "-" != text[-1]


def _all_pairs(word: str, lemma: str, tables: CopyTables) -> Iterator[tuple[str, str]]:
    known = lexicon()
    if lemma in tables.frames:
        yield "frame", in_usual_sense(lemma, tables)
    if word != lemma and is_name(word, known, tables):
        yield "word", word
        yield "word-frame", in_usual_sense(word, tables)
    bases = [base for base in bases_of(lemma, known, tables, word) if base != word]
    for base in bases[:1]:
        usual = tables.usual.get(lemma, "")
        yield "base", base
        yield "base-frame", usual if is_sense_of(usual, base) else in_usual_sense(base, tables)
        yield from ((f"base-{sense}", f"{base}-{sense}") for sense in BASE_SENSES)
    for positive in _positives(lemma, known, tables):
        yield "positive", positive
        yield "positive-frame", in_usual_sense(positive, tables)
        for base in bases_of(positive, known, tables)[:1]:
            yield "positive-base-frame", in_usual_sense(base, tables)
    for sense in (*tables.senses, *tables.listed.get(lemma, ())):
        yield f"{SENSE_KIND}{sense}", f"{lemma}-{sense}"


def in_usual_sense(base: str, tables: CopyTables) -> str:
    """Give the frame that a base names most often."""
    return f"{base}-{tables.frames.get(base, FIRST_SENSE)}"


def is_sense_of(frame: str, base: str) -> bool:
    """Tell whether a frame names a sense of a base."""
    return frame.rpartition("-")[0] == base


def is_name(word: str, known: Lexicon, tables: CopyTables) -> bool:
    """Tell whether a word can be a concept as it stands: a noun, adjective or known base."""
    return word in known.nouns or word in known.adjectives or word in tables.bases


def is_base(word: str, known: Lexicon, tables: CopyTables) -> bool:
    """Tell whether something can be derived from a word."""
    return word in known.verbs or is_name(word, known, tables)


def bases_of(lemma: str, known: Lexicon, tables: CopyTables, word: str = "") -> list[str]:
    """List what a lemma may be derived from, the likeliest first.

    First come the words of the tables, then the base forms of ``word`` if it is irregular
    ("eaten", that spaCy takes for an adjective), then what the endings give. A base is a
    known word or one whose usual frame is a roleset, and those with a frame come first
    ("aspiration" is of "aspire", for there is no aspirate-01); where no rule gives one, the
    first sure rule gives a new word ("hyperproliferation" is of "hyperproliferate").
    """
    irregular = [base for base in known.irregular.get(word or lemma, ()) if base != lemma]
    found = dict.fromkeys((*tables.words.get(lemma, ()), *irregular))
    if len(lemma) <= _LEAST_STEM:
        return list(found)
    rules: list[tuple[int, Rule]] = []
    for cut in range(max(0, len(lemma) - tables.longest_ending), len(lemma) + 1):
        rules += tables.rules_of_ending.get(lemma[cut:], ())
    new = ""
    framed: dict[str, None] = {}
    others: dict[str, None] = {}
    for _, rule in sorted(rules, key=lambda pair: pair[0]):
        base = lemma[: len(lemma) - len(rule.ending)] + rule.replacement
        if len(base) < _LEAST_STEM or base == lemma:
            continue
        if in_usual_sense(base, tables) in rolesets():
            framed[base] = None
        elif is_base(base, known, tables):
            others[base] = None
        elif rule.is_sure:
            new = new or base
    return list(found | framed | others) or [new] * bool(new)


def _positives(lemma: str, known: Lexicon, tables: CopyTables) -> list[str]:
    """Take off a negating prefix, if a word is left; at most one such word."""
    for prefix in _NEGATING:
        rest = lemma.removeprefix(prefix)
        if rest != lemma and len(rest) >= _LEAST_STEM and is_base(rest, known, tables):
            return [rest]
    return []
