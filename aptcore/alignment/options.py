"""List the words that an item can stand for by what its label says.

An option is a range of tokens with a score, from 0 to 1 (as good as certain) or a
little more for whole names and dates, and the source that the alignment will name.
"""

from __future__ import annotations

import re

from aptcore.alignment.clock import clock_spans
from aptcore.alignment.closed_class import CLOSED_CLASS, FUNCTION_WORDS, PHRASES
from aptcore.alignment.context import MARK_UP, Context, Span, concept_base
from aptcore.alignment.spans import (
    amino_acid_spans,
    date_spans,
    number_spans,
    phrase_spans,
    similar_spans,
    site_spans,
    spelled_spans,
)
from aptcore.alignment.spelling import STRONG, match_score
from aptcore.alignment.tables import Tables
from aptcore.graph.amr import AlignmentSource

Options = dict[Span, tuple[float, AlignmentSource]]

LEAST_SCORE = 0.5
LEAST_LEARNT = 0.4
LEARNT_POWER = 0.5
"""Learnt scores are geometric means of probabilities: 0.1 is already a good match."""
SURELY_LEARNT = 0.7
"""Function words need this for open-class labels; labels with function words of their
own in ``CLOSED_CLASS`` learn no others."""

GUESS = 0.6
"""Scores below this are guesses."""

SPELLED = 1.2
SPELLED_BEHIND = 0.9
SITE = 0.9
MAX_CUT = 4
"""Letters that may stand before a name in its word: "pAKT", "wtMEK", "p44erk"."""

COMPOUND = 0.95
LEAST_HALF = 3
"""Letters that each half of a compound word must have."""

_ASKING = frozenset("am are can could did do does had has have is was were will would".split())
_RELATING = frozenset("who whom whose which where when".split())

DATE_ROLES = frozenset({":day", ":month", ":year"})

_OP = re.compile(r":op\d+$")


def own_options(context: Context, item: str, tables: Tables | None) -> Options:
    """List the words that an item's label matches by rules or by what was learnt."""
    label = context.labels[item]
    options: Options = {}
    if label == "name" and item in context.nodes:
        _add_name(options, context, item)
    elif label == "date-entity":
        _add_date(options, context, item)
    else:
        _add_spans(options, context, item)
        _add_words(options, context, label)
        _add_compounds(options, context, label)
        if tables is not None:
            _add_learnt(options, context, label, tables)
        if label == "amr-unknown":
            _drop_other_questions(options, context, item)
        _drop_guesses(options, context, label)
    return options


def _drop_guesses(options: Options, context: Context, label: str) -> None:
    """Drop what may bring a label, if enough words that surely bring it are there."""
    sure = [span for span, (score, _) in options.items() if score >= STRONG]
    if len(sure) >= context.counts[label]:
        for span in list(options):
            if span not in sure and options[span][0] < GUESS:
                del options[span]


def _drop_other_questions(options: Options, context: Context, item: str) -> None:
    """Leave the sign or verb of a question for "yes or no", no relative pronoun: ", who"."""
    is_yes_no = bool(context.sources(item, ":polarity"))
    kept: Options = {}
    for span, option in options.items():
        token = context.words[span[0]].token
        before = context.words[span[0] - 1].token if span[0] else ""
        after = context.words[span[1]].token if span[1] < len(context.words) else ""
        is_relating = before == "," and token in _RELATING and after != "one"
        if token == "?" if is_yes_no else not is_relating:
            kept[span] = option
    if is_yes_no and not kept:
        kept = {
            (position, position + 1): (GUESS, "rule")
            for position, word in enumerate(context.words)
            if word.token in _ASKING
        }
    if kept:
        options.clear()
        options.update(kept)


def companions(context: Context, item: str) -> list[str]:
    """List the constants that are spelled by the same words as a name or a date."""
    if context.labels[item] == "name":
        wiki = [
            link.other
            for entity in context.sources(item, ":name")
            for link in context.links[entity]
            if link.role == ":wiki" and link.other not in context.nodes
        ]
        return name_parts(context, item) + wiki
    if context.labels[item] == "date-entity":
        return [part for _, part in date_attributes(context, item)]
    return []


def name_parts(context: Context, name: str) -> list[str]:
    """List the constants that a name is made of."""
    return [
        link.other
        for link in context.links[name]
        if link.is_out and _OP.match(link.role) and link.other not in context.nodes
    ]


def date_attributes(context: Context, date: str) -> list[tuple[str, str]]:
    """List year, month and day of a date as role (without colon) and item."""
    return [
        (link.role[1:], link.other)
        for link in context.links[date]
        if link.is_out and link.role in DATE_ROLES and link.other not in context.nodes
    ]


def _add_name(options: Options, context: Context, name: str) -> None:
    parts = [context.labels[part] for part in name_parts(context, name)]
    if not parts:
        return
    for span in spelled_spans(parts, context, max_cut=MAX_CUT):
        options[span] = (SPELLED_BEHIND, "rule")
    for span in spelled_spans(parts, context) or spelled_spans([*parts, "s"], context):
        options[span] = (SPELLED, "rule")
    if len(parts) == 1:
        for span in amino_acid_spans(parts[0], context):
            options.setdefault(span, (SITE, "rule"))
    if not options:
        for span, share in similar_spans(parts, context):
            options[span] = (0.4 + 0.5 * share, "rule")


def _add_date(options: Options, context: Context, date: str) -> None:
    wanted = {role: context.labels[part] for role, part in date_attributes(context, date)}
    if wanted:
        for span in date_spans(wanted, context):
            options[span] = (SPELLED, "rule")


def _add_spans(options: Options, context: Context, item: str) -> None:
    label = context.labels[item]
    if label.lstrip("-")[:1].isdigit():
        for span in number_spans(label, context):
            options[span] = (1.0, "rule")
        for span in clock_spans(label, context):
            options[span] = (SPELLED, "rule")
        for span in site_spans(label, context):
            options.setdefault(span, (SITE, "rule"))
    pieces = concept_base(label).split("-")
    phrases = [pieces] if len(pieces) > 1 and all(pieces) else []
    for phrase in (*phrases, *PHRASES.get(label, ())):
        for span in phrase_spans(phrase, context):
            options[span] = (SPELLED, "rule")
    if len(label) > 1 and (item not in context.nodes or label.isalpha()):
        for span in spelled_spans([label], context):
            options[span] = (1.0, "rule")


def _add_words(options: Options, context: Context, label: str) -> None:
    for position, word in enumerate(context.words):
        score = match_score(label, word)
        if score >= LEAST_SCORE:
            options.setdefault((position, position + 1), (score, "rule"))


def _add_compounds(options: Options, context: Context, label: str) -> None:
    """Add words that this label and another one of the graph make up: "moonlight"."""
    base = concept_base(label).lower()
    if len(base) < LEAST_HALF or not base.isalpha():
        return
    for position, letters in enumerate(context.letters):
        if len(letters) < len(base) + LEAST_HALF or base not in letters:
            continue
        before, after = letters.split(base, 1)
        rest = before if len(before) >= LEAST_HALF else after
        others = (concept_base(other).lower() for other in context.counts if other != label)
        if any(len(other) >= LEAST_HALF and rest.startswith(other) for other in others):
            options[position, position + 1] = (COMPOUND, "rule")


def _add_learnt(options: Options, context: Context, label: str, tables: Tables) -> None:
    """Add learnt words; none where a function word of the label's own stands."""
    is_closed = label in CLOSED_CLASS or label.endswith("-91")
    if is_closed and options:
        return
    learnt = tables.lemmas(label)
    for position, word in enumerate(context.words):
        if word.lemma not in learnt or MARK_UP.search(word.token):
            continue
        score = learnt[word.lemma] ** LEARNT_POWER
        span = (position, position + 1)
        if score < LEAST_LEARNT or not (is_closed or context.letters[position]):
            continue
        if word.lemma in FUNCTION_WORDS and (
            label in CLOSED_CLASS or (not is_closed and score < SURELY_LEARNT)
        ):
            continue
        if score > options.get(span, (0.0,))[0]:
            options[span] = (score, "em")
