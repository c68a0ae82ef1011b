"""The roles that a person most likely means for an edge, ranked by both of its ends."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from itertools import count

from aptcore.advice.completion import LIMIT, Completion, roles_at
from aptcore.advice.likely import MODEL, Setting, model_options
from aptcore.graph.layout import is_argument, is_role_inverted
from aptcore.graph.roles import LISTS, MODES, is_own_role, is_single_role, own_roles
from aptcore.words.frames import Frame, Lexicon, is_frame

INVERTED = -1.0
"""What it adds to a role that is turned round: what the node above has below it says nothing."""
HANGING = 0.2
"""Weight of how much more often than others the node above hangs by a role that is turned round: of
0, 0.2, 0.3, 0.5 and 1 it costs least by ``benchmarks.corrections`` over 500 sentences.
"""
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
SIGN_ROLES = {"-": ":polarity", "+": ":polite"}
NUMBER_ROLES = (":quant", ":value", ":op1", ":year", ":day", ":month", ":li", ":age")
UNNUMBERED = frozenset(("", ":op", ":snt"))
NO_FRAME = Frame("")
RARE = 1e-4
"""Share of a role that no graph has where it is asked about."""
_NUMBERED = re.compile(r"[a-z]+(\d+)(\D*)")


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
    if target in values:
        found = {name: at for name, at in found.items() if not is_role_inverted(name)}
        found |= {name: MODEL + at for name, at in constant_roles(found, other).items()}
    triple = (source, role, values.get(target, target))
    for name, probability in model_options(setting, triple) if role else ():
        found[name] = MODEL + math.log(probability)
    found.pop(role, None)
    fitting = [name for name in found if fits_role(typed, name)]
    chosen = sorted(fitting, key=lambda name: (*closeness(typed, name), -found[name], name))
    return tuple(described_role(setting.lexicon, concept, name) for name in chosen[:limit])


def constant_roles(scores: Mapping[str, float], value: str) -> dict[str, float]:
    """Give the roles by which a constant or mode hangs, each as well as it fits.

    >>> constant_roles({":mod": 0.0, ":polarity": -2.0}, "-")
    {':polarity': -2.0}
    """
    if value in MODES:
        fitting: tuple[str, ...] = (":mode",)
    elif value in SIGN_ROLES:
        fitting = (SIGN_ROLES[value],)
    elif value.startswith('"'):
        fitting = tuple(name for name in scores if re.fullmatch(r":op\d+|:value|:li", name))
    else:
        fitting = (*NUMBER_ROLES, *(name for name in scores if re.fullmatch(r":op\d+", name)))
    return {name: scores.get(name, -9.0) for name in fitting}


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
    below = _shares_of(counts.roles.get(concept, {}))
    hanging = _shares_of(counts.above.get(concept, {}))
    over: dict[str, float] = {**counts.above.get(other, {})}
    own, has_no_arguments = counts.roles.get(other, {}), bool(other) and not is_frame(other)
    for role, times in own.items():
        turned_times = TURNED * times * lexicon.concept_share(role)
        over[f"{role}-of"] = over.get(f"{role}-of", 0) + turned_times
    above = _shares_of(over)
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
            plain = role.removesuffix("-of")
            under = hanging(plain, hung.get(plain, RARE)) / lexicon.role_share(plain)
            score = math.log(at_all) + INVERTED + HANGING * math.log(under)
            if has_no_arguments and plain not in own and is_argument(plain):
                score += TAKEN
        else:
            score = math.log(below(role, usual.get(role, RARE)))
        if other:
            score += math.log(above(role, hung.get(role, RARE)) / at_all)
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


def _shares_of(own: Mapping[str, float]) -> Callable[[str, float], float]:
    """Give what tells how often a role is had, a few occurrences spread as over all among them."""
    total = sum(own.values()) + SMOOTHING
    return lambda role, prior: (own.get(role, 0) + SMOOTHING * prior) / total
