"""Rules that read an item's place in the graph: what stands at the word of a neighbour."""

from __future__ import annotations

import re

from aptcore.alignment.closed_class import FUNCTION_WORDS, NEGATIVE_WORDS
from aptcore.alignment.context import Context, Draft, Link, Span, Word, concept_base
from aptcore.alignment.options import DATE_ROLES, Options
from aptcore.alignment.spans import cover
from aptcore.alignment.spelling import NEGATIVE_PREFIXES, POSSIBLE_ENDINGS
from aptcore.graph.layout import is_argument

AT_NEIGHBOUR = 0.72
"""Score of a neighbour's words: a function word beside it may still win."""

HEAD = 0.05
"""What it counts to be the name of a described thing, not a clause about it."""

DESCRIBED = 0.1
"""What it counts that a frame is there only to describe a thing; half for its agent."""

_AGENT_ENDINGS = tuple("er or ist ant ee ian eur ard ers ors ists ants ees ians".split())
_RESULT_ENDINGS = tuple("ings tion tions ment ments sis ses ance ence ure ures sion sions".split())
_VERB_FORMS = frozenset({"", "s", "es", "d", "ed", "ing"})
_ENTITY = re.compile(r".*-(?:quantity|quant|entity)$")
_PART_ROLES = (
    *(":unit", ":quant", ":value", ":dayperiod", ":weekday", ":season", ":time", ":op1", ":op2"),
    *sorted(DATE_ROLES),
)
_ROLE_FRAMES = {
    "have-org-role-91": (":ARG2", ":ARG3", ":ARG1"),
    "have-rel-role-91": (":ARG2", ":ARG3", ":ARG1"),
    "have-degree-91": (":ARG3", ":ARG2"),
    "have-quant-91": (":ARG3", ":ARG2"),
    "rate-entity-91": (":ARG2", ":ARG1"),
    "publication-91": (":time", ":ARG0", ":ARG4"),
}


_ROLE_NOUNS = frozenset({"have-org-role-91", "have-rel-role-91"})
_GRADED = frozenset("better best worse worst farther farthest further furthest".split())
_DEGREES = frozenset({"more", "most"})
_SINGLE = frozenset("a an one single each every per another once".split())
REACH = 3
"""Words between which and its own a function word is looked for."""


def leans_on_neighbour(context: Context, item: str) -> bool:
    """Tell whether an item is placed by its neighbours unless a word names it outright."""
    label = context.labels[item]
    if item not in context.nodes:
        role = context.links[item][0].role
        return label == "-" or role in (":mode", ":wiki") or (label, role) == ("1", ":quant")
    return bool(
        label in ("person", "thing", "you", "name", "ever")
        or (label == "now" and _is_before_now(context, item))
        or (label == "multiple" and context.targets(item, ":op1"))
        or label in _ROLE_FRAMES
        or (label in (*_DEGREES, "equal") and context.sources(item, ":ARG3"))
        or _ENTITY.match(label)
        or context.targets(item, ":name")
    )


def _is_before_now(context: Context, item: str) -> bool:
    """Tell whether a "now" only tells from when on something is counted: "ago"."""
    owners = context.sources(item, ":op1")
    return any(context.labels[owner] in ("before", "after") for owner in owners)


def placed_options(context: Context, draft: Draft, item: str) -> Options:
    """List the words of neighbours that an item can stand at."""
    label = context.labels[item]
    if item not in context.nodes:
        return _attribute_options(context, draft, item, context.links[item][0])
    if label == "you":
        return _imperative_you(context, draft, item)
    if label == "ever":
        owners = [item, *(link.other for link in context.links[item] if not link.is_out)]
        minus = [sign for owner in owners for sign in context.targets(owner, ":polarity")]
        return _at(draft, minus)
    if label == "equal":
        return _equal_options(context, draft, item)
    if label in _DEGREES:
        spans = (_graded_span(context, draft, f) for f in context.sources(item, ":ARG3"))
        return {span: (1.0, "rule") for span in spans if span is not None}
    if label == "now":
        return _at(draft, context.sources(item, ":op1"), score=0.9)
    if label == "multiple":
        return _at(draft, context.targets(item, ":op1"), score=1.0)
    if label == "name":
        return _at(draft, context.sources(item, ":name"))
    names = context.targets(item, ":name")
    if names:
        return _at(draft, names, score=1.0)
    if _ENTITY.match(label):
        return _entity_options(context, draft, item)
    if label in _ROLE_FRAMES:
        return _role_frame_options(context, draft, item)
    return _derived_options(context, draft, item)


def _at(draft: Draft, items: list[str], score: float = AT_NEIGHBOUR) -> Options:
    for item in items:
        if item in draft.spans:
            return {draft.spans[item]: (score, "rule")}
    return {}


def _attribute_options(context: Context, draft: Draft, item: str, link: Link) -> Options:
    label = context.labels[item]
    if label == "-":
        span = draft.spans.get(link.other)
        if span and _is_negative(context, span, context.labels[link.other]):
            return {span: (1.0, "rule")}
        return {}
    if label == "1" and link.role == ":quant":
        return _single_options(context, draft, link.other)
    if label == "interrogative":
        return _at(draft, [link.other], score=0.5)
    return _at(draft, [link.other], score=1.0)


def _single_options(context: Context, draft: Draft, owner: str) -> Options:
    """Give the word of a single one before what is counted: "a month", "every day"."""
    units = [unit for unit in context.targets(owner, ":unit") if unit in draft.spans]
    counted = [*units, *([owner] if owner in draft.spans else [])][:1]
    for start, _ in (draft.spans[item] for item in counted):
        for position in range(start - 1, max(start - 1 - REACH, -1), -1):
            if context.words[position].token in _SINGLE:
                return {(position, position + 1): (0.9, "rule")}
    return _at(draft, counted, score=0.5)


def _is_negative(context: Context, span: Span, label: str) -> bool:
    words = [context.words[position].token for position in range(*span)]
    return any(word in NEGATIVE_WORDS or has_negative_form(word, label) for word in words)


def has_negative_form(token: str, label: str) -> bool:
    """Tell whether a word holds its own negation: "unhappy", "careless", "invisible".

    >>> has_negative_form("unhappy", "happy-01"), has_negative_form("union", "union")
    (True, False)
    >>> has_negative_form("invisible", "possible-01"), has_negative_form("terrible", "terrible")
    (True, False)
    """
    base = label.rstrip("0123456789-")
    if token.endswith("less") and len(token) > 6 and not base.endswith("less"):
        return True
    prefix = next((p for p in NEGATIVE_PREFIXES if token.startswith(p)), None)
    if prefix is None or base.startswith(prefix):
        return False
    rest = token[len(prefix) :]
    return rest[:3] == base[:3] or (base == "possible" and rest.endswith(POSSIBLE_ENDINGS))


def _imperative_you(context: Context, draft: Draft, item: str) -> Options:
    verbs = [
        link.other
        for link in context.links[item]
        for mode in context.targets(link.other, ":mode")
        if not link.is_out and context.labels[mode] == "imperative"
    ]
    return _at(draft, verbs)


def _entity_options(context: Context, draft: Draft, item: str) -> Options:
    """Give the words of a quantity's unit, a date's parts, a number that is spelled out."""
    parts = [
        (_PART_ROLES.index(link.role), link.other)
        for link in context.links[item]
        if link.is_out and link.role in _PART_ROLES and link.other in draft.spans
    ]
    if context.labels[item] == "date-entity":
        names = {part for _, part in parts}
        span = cover((draft.spans[part] for part in names), max_gap=1)
        if span is not None and all(
            names.issuperset(draft.owners.get(position, ())) for position in range(*span)
        ):
            return {span: (AT_NEIGHBOUR, "rule")}
    return _at(draft, [part for _, part in sorted(parts)])


def _role_frame_options(context: Context, draft: Draft, item: str) -> Options:
    if context.labels[item] == "have-degree-91":
        span = _graded_span(context, draft, item)
        if span is not None:
            return {span: (1.0, "rule")}
    for role in _ROLE_FRAMES[context.labels[item]]:
        found = _at(draft, context.targets(item, role))
        if found:
            return found
    return {}


def _equal_options(context: Context, draft: Draft, item: str) -> Options:
    """Give the "as" or "so" just before what is compared: "as long as"."""
    for frame in context.sources(item, ":ARG3"):
        for compared in context.targets(frame, ":ARG2") + context.targets(frame, ":ARG1"):
            if compared in draft.spans:
                start = draft.spans[compared][0]
                for position in range(start - 1, max(start - 1 - REACH, -1), -1):
                    if context.words[position].token in ("as", "so"):
                        return {(position, position + 1): (1.2, "rule")}
    return {}


def _graded_span(context: Context, draft: Draft, frame: str) -> Span | None:
    """Find the adjective of a have-degree-91 that is itself in a degree: "taller", "tallest"."""
    for adjective in context.targets(frame, ":ARG2"):
        span = draft.spans.get(adjective)
        if span is None:
            continue
        word = context.words[span[1] - 1]
        is_graded = word.token.endswith(("er", "est")) and word.token != word.lemma
        if is_graded or word.token in _GRADED:
            return span
    return None


def _derived_options(context: Context, draft: Draft, item: str) -> Options:
    """Give the words of frames that a person or thing has a part in ("teacher", "results")."""
    options: Options = {}
    described: list[Span] = []
    for link in context.links[item]:
        span = draft.spans.get(link.other)
        if link.role == ":ARG0" and context.labels[link.other] in _ROLE_NOUNS:
            found = _role_frame_options(context, draft, link.other)
            options |= dict.fromkeys(found, (0.9, "rule"))
            continue
        if link.is_out or span is None or not is_argument(link.role):
            continue
        if context.words[span[1] - 1].lemma in FUNCTION_WORDS:
            if context.labels[link.other] == "include-91":
                options |= _part_options(context, draft, item)
            continue
        score = _derived_score(link, context.labels[link.other], context.words[span[1] - 1])
        if describes(context, item, link):
            score += DESCRIBED / 2 if link.role == ":ARG0" else DESCRIBED
            described.append(span)
        options[span] = max(options.get(span, (0.0, "rule")), (score, "rule"))
    if described:
        head = _head_of(described)
        options[head] = (options[head][0] + HEAD, "rule")
    return options or _at(draft, context.targets(item, ":mod"))


def _head_of(spans: list[Span]) -> Span:
    """Give the last word of the first group: of "good plans that I know" it is "plans"."""
    ordered = sorted(spans)
    head = ordered[0]
    for span in ordered[1:]:
        if span[0] <= head[1]:
            head = span
    return head


def _part_options(context: Context, draft: Draft, item: str) -> Options:
    """Give the word that counts a part: "some" of "some of it", "first" of "the first of them"."""
    counts = [other for role in (":quant", ":ord", ":mod") for other in context.targets(item, role)]
    return _at(draft, counts, score=0.7)


def describes(context: Context, item: str, link: Link) -> bool:
    """Tell whether a neighbour is there only to say more about a thing: "drawing"."""
    label = context.labels[item]
    if item not in context.nodes or label != concept_base(label):
        return False
    if link.is_out:
        return link.role == ":mod"
    return (
        is_argument(link.role)
        and link.other != context.root
        and all(
            other.is_out or context.labels[other.other].endswith("-91")
            for other in context.links[link.other]
        )
    )


def _derived_score(link: Link, label: str, word: Word) -> float:
    """Score a frame's word for its person or thing: high if the word is no form of the verb."""
    if not word.token[:1].isalpha():
        return AT_NEIGHBOUR - 0.2
    base = concept_base(label)
    is_verb = word.token.startswith(base) and word.token[len(base) :] in _VERB_FORMS
    if link.role == ":ARG0":
        is_agent = word.token.endswith(_AGENT_ENDINGS) and not is_verb
        return 1.0 if is_agent else AT_NEIGHBOUR - 0.1
    return 0.85 if word.token.endswith(_RESULT_ENDINGS) and not is_verb else AT_NEIGHBOUR
