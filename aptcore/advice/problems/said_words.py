"""Words that a graph says without a node of their own.

AMR says much of a sentence otherwise than by one concept for each word: `although` by
``:concession``, `not` by ``:polarity -``, a second `he` by one more edge to a node that is
there, `cells` by the concept ``cell-line``. Here stands what in a graph says such a word,
so that only the others count as left out: `although` in a graph without ``:concession``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from aptcore.graph.amr import AmrGraph, Attribute
from aptcore.graph.branches import unquote
from aptcore.words.frames import lemma_of
from aptcore.words.tokens import bare_words

_CONTRAST = ":concession have-concession contrast"
_CAUSE = ":cause cause reason infer result :purpose have-purpose"
_DEGREE = "have-degree have-quant :degree :compared-to :quant :extent"
_TIME = ":time be-temporally-at :duration :frequency have-frequency :condition"
_ASKED = "amr-unknown amr-choice request-confirmation :mode"

_SAID_BY: Mapping[str, frozenset[str]] = {
    word: frozenset(sayings.split())
    for words, sayings in {
        "and": ":list :time",
        "or nor either neither": ":list amr-choice",
        "but yet still": f":list {_CONTRAST} except have-polarity",
        "although though however nevertheless nonetheless despite even spite": _CONTRAST,
        "because therefore thus hence so consequently due": f"{_CAUSE} {_DEGREE}",
        "if unless whether provided case": f":condition have-condition :concession {_ASKED}",
        "order": ":purpose have-purpose",
        "when while before after until since then once whenever time": _TIME,
        "as": f"{_TIME} {_DEGREE} {_CAUSE} resemble :manner :ARG2 :mod :domain :example",
        "where wherever there": ":location be-located-at :destination :source :direction",
        "not no never n't nothing none nobody nor neither without cannot non": (
            ":polarity request-confirmation"
        ),
        "than more most less least too enough much many very": _DEGREE,
        "should shall ought must": "recommend obligate :mode",
        "would could can may might will": "possible permit :condition",
        "let please": ":mode :polite",
        "compare compared": "compare :compared-to have-degree have-quant",
        "such": f":example exemplify {_DEGREE}",
        "like": "resemble :manner :example",
        "way manner": ":manner have-manner",
    }.items()
    for word in words.split()
}
"""Roles and concepts (without their sense), one of which says a word."""

_UNSAID = frozenset(
    "along among amongst around at away down for forth from into of off on onto out over past "
    "per through throughout to together toward towards up upon via with within "
    "ah alas eh er hm hmm oh o 's 'd 'll".split()
)
"""Prepositions and particles, which roles and senses say, and exclamations."""

_ASKING = frozenset("what who whom whose which how why".split())
_PERSONS = {
    form: person
    for person, forms in {
        "i": "i me my mine myself",
        "we": "we us our ours ourselves",
        "you": "you your yours yourself yourselves",
        "": "he him his himself she her hers herself it its itself they them their theirs "
        "themselves one ones own",
    }.items()
    for form in forms.split()
}
"""Words that point at a node, and its concept where that is always the same."""

_MEMBER = re.compile(r":(?:op|snt)(?:[2-9]|[1-9]\d+)")
_ANSWERS = frozenset(_ASKED.split())
_LISTS = frozenset(("and", "or", "slash", "multi-sentence"))
_QUOTES = frozenset(('"', "“", "”", "''", "``", "«", "»"))
_JOINS = frozenset(("-", "–", "/", "−", "‐"))
_BOUND = re.compile(r"[^\W\d_]{1,2}|\d")
"""What is a piece of a word where a hyphen joins it to one: `co`, `N`, `1`."""

_NEAR = 2
"""Words between a concept of several words and a piece of it, at most."""


def roles_saying(word: str) -> tuple[str, ...]:
    """Give the roles that may say a word; none for a content word.

    >>> roles_saying("although"), roles_saying("boat")
    ((':concession',), ())
    """
    sayings = _SAID_BY.get(word, frozenset())
    return tuple(sorted(each for each in sayings if each.startswith(":") and each != ":list"))


def is_structural(word: str) -> bool:
    """Tell whether AMR says a word by structure, and hardly ever by a concept of its name.

    >>> is_structural("although"), is_structural("boat"), is_structural("he")
    (True, False, False)
    """
    return word in _SAID_BY or word in _UNSAID or word in _ASKING


class SaidWords:
    """Asks of the words of one sentence whether the graph says them.

    What says one word by a role of its own or by a further mention is used up by it, so
    that of two words `not` beside one ``:polarity -`` the second is not said.
    """

    def __init__(self, graph: AmrGraph, tokens: Sequence[str], lemmas: Sequence[str]) -> None:
        self._words = [word.lower() for word in bare_words(tuple(tokens))]
        self._asks = any(token.endswith("?") for token in tokens)
        self._quotes = any(mark in token for token in tokens for mark in _QUOTES)
        self._lemmas = [lemma.lower() for lemma in lemmas]
        self._covered = {place for found in graph.alignments.values() for place in found.tokens}
        self._concepts = {node.id: lemma_of(node.concept) for node in graph.nodes}
        self._places = {
            name: set(graph.alignments[name].tokens)
            for name in self._concepts
            if name in graph.alignments
        }
        self._name_parts = _name_parts(graph)
        self._roles = _free_roles(graph)
        self._mentions = _further_mentions(graph)

    def has(self, place: int) -> bool:
        """Tell whether the graph says an uncovered word; ask once for each, in order.

        Args:
            place: Of the word, from 0.
        """
        names = (self._words[place], self._lemmas[place])
        if any(name in _UNSAID for name in names) or self._is_part(place):
            return True
        if any(name in _ASKING for name in names):
            return not self._asks or self._says(_ANSWERS, False)
        if any(self._says(_SAID_BY[name]) for name in names if name in _SAID_BY):
            return True
        return self._points(place)

    def _says(self, sayings: frozenset[str], is_used: bool = True) -> bool:
        if not sayings.isdisjoint(self._concepts.values()):
            return True
        role = max(sorted(sayings), key=lambda each: self._roles[each])
        if self._roles[role] < 1:
            return False
        self._roles[role] -= is_used
        return True

    def _points(self, place: int) -> bool:
        """Tell whether a word may be a further mention of a node: `he`, or its noun again."""
        person = _PERSONS.get(self._words[place])
        if person and person in self._concepts.values():
            return True
        if person and not self._quotes:
            return False
        lemma = self._lemmas[place]
        for name, count in self._mentions.items():
            concept = self._concepts[name]
            if person is None:
                places = self._places.get(name, ())
                fits = any(self._lemmas[one] == lemma for one in places)
            else:
                fits = concept == lemma or concept not in _PERSONS
            if count > 0 and fits:
                self._mentions[name] -= 1
                return True
        return False

    def _is_part(self, place: int) -> bool:
        """Tell whether a word is a piece of a concept, of a name or of a joined word."""
        names = {self._words[place], self._lemmas[place]}
        if names & self._name_parts:
            return True
        for name, places in self._places.items():
            pieces = self._concepts[name].split("-")
            is_near = any(abs(place - one) <= _NEAR for one in places)
            if is_near and len(pieces) > 1 and not names.isdisjoint(pieces):
                return True
        return self._is_joined(place)

    def _is_joined(self, place: int) -> bool:
        """Tell whether hyphens join a short piece, or a number, to a word that is covered."""
        is_number = self._lemmas[place].isdigit()
        if not is_number and not _BOUND.fullmatch(self._words[place]):
            return False
        for way in (-1, 1):
            other = place + way
            while 0 <= other < len(self._words) and other not in self._covered:
                if self._words[other] not in _JOINS and not self._lemmas[other].isdigit():
                    break
                other += way
            if other in self._covered and self._words[other - way] in _JOINS:
                return True
        return False


def _name_parts(graph: AmrGraph) -> set[str]:
    values = (item.value for item in graph.attributes if item.value.startswith('"'))
    return {part for value in values for part in re.findall(r"[^\W_]+", unquote(value).lower())}


def _free_roles(graph: AmrGraph) -> Counter[str]:
    """Count the roles that no word stands for yet; a constant may stand for its role.

    What a coordination lists beyond its first member, and beyond the word that stands for
    the coordination itself, is counted as ``:list``.
    """
    taken = {key for key, found in graph.alignments.items() if found.source != "proximity"}
    found = Counter(edge.role for edge in graph.edges if edge not in taken)
    found.update(item.role for item in graph.attributes if not _has_word(graph, item))
    lists = {node.id for node in graph.nodes if node.concept in _LISTS}
    roles = [edge.role for edge in graph.edges if edge.source in lists]
    roles += [item.role for item in graph.attributes if item.source in lists]
    found[":list"] = sum(_MEMBER.fullmatch(role) is not None for role in roles)
    found[":list"] -= len(lists & taken)
    return found


def _has_word(graph: AmrGraph, item: Attribute) -> bool:
    """Tell whether a constant stands for words that its node does not stand for."""
    own, holder = graph.alignments.get(item.id), graph.alignments.get(item.source)
    return own is not None and (holder is None or own.tokens != holder.tokens)


def _further_mentions(graph: AmrGraph) -> dict[str, int]:
    """Count for each node the edges to it beyond the first; the root is named by being it."""
    mentions = Counter(edge.target for edge in graph.edges)
    mentions[graph.root] += 1
    return {node.id: mentions[node.id] - 1 for node in graph.nodes if mentions[node.id] > 1}
