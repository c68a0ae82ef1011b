"""A change of a graph said as a person would: "boy is also the one who goes"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from aptcore.advice.english.phrases import (
    SPECIAL_FRAMES,
    labels_of,
    role_words,
    third_person,
    words_of,
)
from aptcore.advice.english.word_classes import is_adjective, is_noun, participle, voice_of
from aptcore.graph.amr import AmrGraph
from aptcore.graph.branches import unquote
from aptcore.graph.layout import (
    INSTANCE,
    TOP,
    Triple,
    invert_role,
    is_argument,
    is_role_inverted,
    role_order,
)
from aptcore.words.frames import Lexicon, is_frame

Kind = Literal["", "also", "not", "rather"]
"""How an edge is said: plainly, as one more, as one that is not, in the place of another."""

_ASKS = frozenset(
    ":time :location :manner :cause :duration :frequency :destination :source :direction".split()
)
"""Roles whose words ask what their end answers: "now" is when "go" happens."""

_SIGNS = {
    (":polarity", "-"): "denied",
    (":mode", "imperative"): "asked for",
    (":mode", "interrogative"): "a question",
    (":mode", "expressive"): "an exclamation",
    (":polite", "+"): "said politely",
}


def say_change(
    before: AmrGraph,
    after: AmrGraph,
    adds: tuple[Triple, ...],
    removes: tuple[Triple, ...],
    lexicon: Lexicon,
) -> str:
    """Say what a change adds and takes away.

    Args:
        before: The graph without the change.
        after: The graph with it, with the same names for what is the same.
        adds: Triples that it adds; constants by their value.
        removes: Triples that it takes away.
        lexicon: Frames and counts, which tell how a verb is said.

    >>> from aptcore.graph.penman import parse_penman
    >>> from aptcore.words.frames import read_lexicon
    >>> one = parse_penman("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))")
    >>> two = parse_penman("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))")
    >>> say_change(one, two, (("g", ":ARG0", "b"),), (), read_lexicon())
    'boy is also the one who goes'
    """
    new, old = _Speaker(after, lexicon), _Speaker(before, lexicon)
    named = {name for name, role, _ in adds if role == INSTANCE}
    lost = [(name, concept) for name, role, concept in removes if role == INSTANCE]
    if named & {name for name, _ in lost}:
        return "; ".join(f"{_is(new.concepts[name])} and not {_is(was)}" for name, was in lost)
    if lost:
        return f"{_listed([old.label(name) for name, _ in lost])}: left out"
    if named:
        added = [name for name, role, _ in adds if role == INSTANCE]
        links = [new.say(each, "") for each in adds if each[1] != INSTANCE and _is_link(each, new)]
        inside = [new.label(name) for name in added]
        return f"new: {_listed(inside)}" + (f"; {'; '.join(links)}" if links else "")
    if any(role == TOP for _, role, _ in adds):
        return f"the sentence is first of all about {new.label(adds[0][0])}"
    if adds and removes:
        return f"{new.say(adds[0], 'rather')}, not: {old.say(removes[0], '')}"
    if adds:
        return new.say(adds[0], "also" if new.is_edge(adds[0]) else "")
    return old.say(removes[0], "not")


def _is(concept: str) -> str:
    return f"“{concept}”"


def _is_link(triple: Triple, speaker: _Speaker) -> bool:
    """Tell whether a triple says more than the words of a name."""
    concept = speaker.concepts.get(triple[0], "")
    return concept != "name" and triple[1] != ":name"


def _listed(words: list[str]) -> str:
    return " with ".join(filter(None, (words[0], ", ".join(words[1:]))))


class _Speaker:
    """Says the branches of one graph."""

    def __init__(self, graph: AmrGraph, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.concepts: Mapping[str, str] = {node.id: node.concept for node in graph.nodes}
        self.labels = labels_of(graph)

    def is_edge(self, triple: Triple) -> bool:
        return triple[2] in self.concepts

    def label(self, name: str) -> str:
        """Give a node by its word; a frame in quotation marks, for it is no thing."""
        if name not in self.concepts:
            return unquote(name)
        label = self.labels[name]
        return f"“{label}”" if is_frame(self.concepts[name]) else label

    def say(self, triple: Triple, kind: Kind) -> str:
        """Say an edge or a constant as a clause."""
        source, role, target = triple
        if is_role_inverted(role) and self.is_edge(triple):
            source, role, target = target, invert_role(role), source
        concept, word = self.concepts.get(source, ""), self.label(source)
        end = self.label(target)
        is_or_not = " ".join(filter(None, ("is", kind)))
        if (role, target) in _SIGNS:
            return f"{word} {is_or_not} {_SIGNS[role, target]}"
        if is_argument(role) and is_frame(concept) and concept not in SPECIAL_FRAMES:
            return f"{end} {is_or_not} {self._part(concept, role)}"
        if role in _ASKS:
            verb = "happens" if is_frame(concept) and not is_adjective(words_of(concept)) else "is"
            return f"{end} {is_or_not} {role_words(role)} {word} {verb}"
        if role == ":poss":
            verb = "does not belong" if kind == "not" else f"{kind} belongs".strip()
            return f"{word} {verb} to {end}"
        if role == ":mod":
            verb = "does not say" if kind == "not" else f"{kind} says".strip()
            return f"{end} {verb} what kind of {word}"
        if role == ":domain":
            return f"{end} {is_or_not} {word}"
        stem, number = role_order(role)
        if stem in (":op", ":snt"):
            return f"{end} {is_or_not} part {number} of {word}"
        has = "does not have" if kind == "not" else f"{kind} has".strip()
        return f"{word} {has} {end} as its {role.removeprefix(':').replace('-', ' ')}"

    def _part(self, concept: str, role: str) -> str:
        """Say which part somebody has in what a frame tells: ``the one who goes``."""
        words, gloss = words_of(concept), self.lexicon.role_gloss(concept, role)
        voice = voice_of(concept, self.lexicon)
        if role == ":ARG0" or (role == ":ARG1" and voice == "active"):
            if is_adjective(words):
                return f"the one who is {words}"
            return f"the one who {f'has “{words}”' if is_noun(words) else third_person(words)}"
        if gloss:
            return f"the {gloss} of “{words}”"
        if role == ":ARG1" and voice == "passive":
            return f"what is {participle(words)}"
        return f"part of “{words}” ({role.removeprefix(':')})"
