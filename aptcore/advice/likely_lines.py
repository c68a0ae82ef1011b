"""The lines that a person most likely types to add something to a node.

A line is a role and what hangs by it, see ``aptcore.advice.entering``. Concepts are ranked as
for any node, and each brings the roles that fit it and the node above, so that mostly the
beginning of a concept is all that is typed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from aptcore.advice.completion import LIMIT, Completion, covered_words, described, roles_at
from aptcore.advice.entering import (
    AGE,
    DATE,
    NAME,
    as_concept,
    built,
    dated,
    is_age,
    is_number,
    named,
    ordinal,
    read_line,
    split_line,
)
from aptcore.advice.entities import named_types
from aptcore.advice.likely import FREE_WORD, OWN_WORD, Setting, concept_scores
from aptcore.advice.likely_roles import (
    closeness,
    constant_roles,
    described_role,
    fits_role,
    role_scores,
)
from aptcore.graph.roles import MODES
from aptcore.graph.validation import is_constant_text
from aptcore.transition.templates import surface
from aptcore.words.nations import PLACES
from aptcore.words.surface import number_value

MANY = 40
"""Concepts whose roles are ranked."""
ROLES_EACH = 3
"""Roles offered with one concept."""
FIT = 0.5
"""Weight of how well a concept fits the node above."""
MARKS = ' ,;:!?"()[]'
"""What is no part of a name or date where tokens are split at blanks alone."""
MARKED = 40.0
"""What is built of marked words comes before anything else."""


def likely_lines(
    setting: Setting,
    parent: str,
    typed: str = "",
    tokens: Sequence[int] = (),
    limit: int = LIMIT,
) -> tuple[Completion, ...]:
    """Rank the lines that begin as typed.

    Args:
        setting: The sentence and its graph.
        parent: The node that something is hung on.
        typed: What is typed: a role, and behind a space the beginning of a concept or a value;
            or that alone. A role may be begun only, or be named by its number (``:1 boy``).
        tokens: Words that are marked, from 0: what they build comes first.
        limit: How many to give.

    Returns:
        Whole lines; where only a role is typed, roles with a space behind.
    """
    concept, taken = setting.concept(parent), roles_at(setting.graph, parent)
    role, rest = split_line(typed)
    if role and not rest and not typed.endswith(" "):
        names = _meant(setting, concept, taken, role)
        found = (described_role(setting.lexicon, concept, name) for name in names[:limit])
        return tuple(replace(one, text=f"{one.text} ") for one in found)
    roles = _meant(setting, concept, taken, role)[:MANY] if role else ()
    scores: dict[str, float] = {}
    for text, label, score in _values(setting, roles, rest, tokens):
        said = roles or ((AGE,) if is_age(text) else ())
        for name, fit in _roles_of(setting, concept, taken, said, label):
            line = f"{name} {text}"
            scores[line] = max(scores.get(line, -math.inf), score + fit)
    lines = sorted(scores, key=lambda line: (-scores[line], line))[:limit]
    return tuple(_described(setting, line) for line in lines)


def _described(setting: Setting, line: str) -> Completion:
    role, text = split_line(line)
    _, tree = read_line(role, text)
    found = described(setting.lexicon, tree.label)
    inside = ", ".join(f"{below} {branch.label}" for below, branch in tree.branches)
    gloss = f"{tree.label} with {inside}" if inside else found.gloss
    return Completion(line, gloss, found.count, found.why)


def _meant(setting: Setting, concept: str, taken: Sequence[str], role: str) -> tuple[str, ...]:
    """Give the roles that may be meant by what is typed of one, the likeliest first.

    A role that is typed whole means itself.
    """
    scores = role_scores(setting.lexicon, concept, "", taken)
    fitting = [name for name in scores if fits_role(role, name)]
    if role in (*fitting, DATE):
        return (role,)
    order = sorted(fitting, key=lambda name: (*closeness(role, name), -scores.get(name, 0.0), name))
    return tuple(order) or (role,)


def _roles_of(
    setting: Setting, concept: str, taken: Sequence[str], roles: Sequence[str], label: str
) -> Iterable[tuple[str, float]]:
    """Give the roles by which something may hang, each with how well it fits."""
    scores = role_scores(setting.lexicon, concept, label, taken)
    if is_constant_text(label) or label in MODES:
        scores = constant_roles(scores, label)
    if roles:
        scores = {name: scores.get(name, -9.0) for name in roles}
    best = sorted(scores, key=lambda name: (-scores[name], name))[:ROLES_EACH]
    for name in best:
        yield name, FIT * scores[best[0]] + scores[name] - scores[best[0]]


# --- what hangs ---------------------------------------------------------------------------


def _values(
    setting: Setting, roles: Sequence[str], rest: str, tokens: Sequence[int]
) -> Iterable[tuple[str, str, float]]:
    """Give what may hang there: its text, the label of its root, and how likely it is."""
    if not rest and tokens:
        yield from _of_words(setting, tokens)
    if roles[:1] == (NAME,):
        yield from ((f'"{name.strip(chr(34))}"', "name", MARKED) for name in [rest] if name)
        yield from ((f'"{name}"', "name", FREE_WORD) for name in _names(setting) if not rest)
        return
    if rest.startswith('"'):
        name = rest.strip('"')
        yield from ((named(one, name), one, score) for one, score in _types(setting, name))
        yield f'"{name}"', f'"{name}"', OWN_WORD if " " not in name else 0.0
        return
    whole = (dated if roles[:1] == (DATE,) else built)(rest) if rest else None
    if whole is not None:
        yield rest, whole.label, MARKED
    if is_constant_text(rest):
        yield rest, rest, MARKED
        return
    entity = re.fullmatch(r'([^\s"]+) "([^"]*)"?', rest)
    if entity:
        yield named(entity[1], entity[2]), entity[1], MARKED
        return
    typed = as_concept(rest)
    scores = concept_scores(setting, typed, "", tokens)
    for name in sorted(scores, key=lambda name: (-scores[name], name))[:MANY]:
        yield name, name, scores[name] + (MARKED if rest and name == typed.lower() else 0)
    for mode in MODES:
        if typed and mode.startswith(typed):
            yield mode, mode, FREE_WORD
    if not rest:
        yield from _of_free_words(setting)


def _of_words(setting: Setting, tokens: Sequence[int]) -> Iterable[tuple[str, str, float]]:
    """Give what marked words build: a date, an amount, a number, something named."""
    sentence = setting.sentence
    first, last = min(tokens), max(tokens)
    if sentence is None or last >= len(sentence.tokens):
        return
    whole = surface(sentence, first, last + 1).strip(MARKS)
    bare = whole.removesuffix(".") if last == len(sentence.tokens) - 1 else whole
    in_year = re.fullmatch(r"(?:in|since|until) (\d{4})", bare, re.I)
    if in_year:
        yield in_year[1], "date-entity", MARKED
        return
    texts = (whole, bare, _FUNCTION_WORDS.sub("", bare))
    for text in dict.fromkeys(texts):
        value = built(text) or (dated(text) if not is_number(text) else None)
        number = number_value(text)
        if value is not None:
            yield text, value.label, MARKED
            return
        if ordinal(text):
            yield text, "ordinal-entity", MARKED
            return
        if number is not None:
            yield number, number, MARKED
            return
    name = texts[-1]
    if name[:1].isupper() and (first or len(tokens) > 1):
        for one, score in _types(setting, name):
            yield named(one, name), one, MARKED + score


def _of_free_words(setting: Setting) -> Iterable[tuple[str, str, float]]:
    """Give numbers and names among the words that nothing stands for."""
    sentence = setting.sentence
    if sentence is None:
        return
    covered = covered_words(setting.graph)
    for token, word in enumerate(sentence.tokens):
        number = number_value(word)
        if token not in covered and number is not None:
            yield number, number, FREE_WORD
    for name in _names(setting):
        for one, score in _types(setting, name)[:2]:
            yield named(one, name), one, FREE_WORD + score


def _names(setting: Setting) -> Iterable[str]:
    """Give the runs of words with capitals that nothing stands for, behind the first word."""
    sentence = setting.sentence
    if sentence is None:
        return
    covered, start = covered_words(setting.graph), -1
    for token in range(1, len(sentence.tokens) + 1):
        word = sentence.tokens[token] if token < len(sentence.tokens) else ""
        is_in = word[:1].isupper() and len(word) > 1 and token not in covered
        if is_in and start < 0:
            start = token
        elif not is_in and start >= 0:
            yield surface(sentence, start, token)
            start = -1


def _types(setting: Setting, name: str) -> list[tuple[str, float]]:
    """Give the concepts that have names, the likeliest for this one first."""
    found = named_types(setting.lexicon)
    if name in _COUNTRIES:
        found["country"] = found.get("country", 0.0) + MARKED
    if _TITLED.match(name):
        found["person"] = found.get("person", 0.0) + MARKED
    best = sorted(found, key=lambda one: (-found[one], one))[:9]
    return [(one, found[one] - found[best[0]]) for one in best]


_COUNTRIES = frozenset(PLACES.values())
_TITLED = re.compile(r"(?:mr|mrs|ms|miss|dr|prof|sir|aunt|uncle)\.? ", re.I)
_FUNCTION_WORDS = re.compile(r"^(?:(?:on|in|at|by|for|of|from|until|since) )?(?:the )?", re.I)
"""What stands before a name or a date and is no part of it."""
