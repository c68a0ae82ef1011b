"""A graph read aloud in plain English, for somebody who checks it against the sentence.

    A boy wants this: "go". The same boy goes.

Every concept is named once when it first comes up, and again only as "the same ..."; what
hangs on it is said in a line of its own, its edges in the order of the text. The rules
know names, dates, quantities, negation, mode, coordination, questions, and the frames
that are no verbs (``-91``). What a frame list says of senses and arguments is put in
brackets. The reading is complete: :class:`Reading` tells for every node and constant the
line that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from aptcore.advice.english.clauses import be, clause, object_form, special_clause
from aptcore.advice.english.phrases import (
    BARE_ROLES,
    PERSONAL,
    POSSESSIVES,
    SPECIAL_FRAMES,
    date_words,
    labels_of,
    plural,
    role_words,
    sentence_case,
    special_role,
    with_article,
    words_of,
)
from aptcore.advice.english.word_classes import DETERMINERS, voice_of
from aptcore.graph.amr import AmrGraph, Attribute, Edge
from aptcore.graph.branches import unquote
from aptcore.graph.layout import role_order
from aptcore.graph.penman import item_order
from aptcore.words.frames import Lexicon, is_frame, read_lexicon

_SLOT = re.compile(r"\{(ARG\d)(!?)\}")
_NUMBERED = re.compile(r":op\d+")
_ARTICLE = re.compile(r"^an? ")
_VALUES = ("ordinal-entity", "percentage-entity")
_LISTS = {"and": " and ", "or": " or ", "slash": " or "}
_PREFIXES = {
    (":polarity", "-"): "It is not so: ",
    (":mode", "imperative"): "It is asked for: ",
    (":mode", "expressive"): "It is exclaimed: ",
    (":mode", "interrogative"): "It is asked whether: ",
}
Branch = Edge | Attribute


@dataclass(frozen=True, slots=True)
class Reading:
    """A graph in plain English.

    Attributes:
        lines: Its sentences, in reading order.
        named_in: For each node and constant the number of the line that names it, from 0.
    """

    lines: tuple[str, ...]
    named_in: Mapping[str, int]

    @property
    def text(self) -> str:
        """The whole reading on one line."""
        return " ".join(self.lines)


def paraphrase(graph: AmrGraph, lexicon: Lexicon | None = None) -> Reading:
    """Read a graph aloud.

    Args:
        graph: A sound graph.
        lexicon: Where it has a frame list, senses and arguments are explained.

    Returns:
        The same reading every time.
    """
    return _Reader(graph, lexicon).read()


class _Reader:
    """What has been said so far, and what waits."""

    def __init__(self, graph: AmrGraph, lexicon: Lexicon | None) -> None:
        self.graph = graph
        self.lexicon = lexicon or read_lexicon()
        order = {name: rank for rank, name in enumerate(item_order(graph))}
        self.concepts = {node.id: node.concept for node in graph.nodes}
        self.left: dict[str, list[Branch]] = {node.id: [] for node in graph.nodes}
        self.holders: dict[str, list[str]] = {node.id: [] for node in graph.nodes}
        branches: list[Branch] = [*graph.edges, *graph.attributes]
        for branch in sorted(branches, key=lambda each: role_order(each.role)):
            self.left[branch.source].append(branch)
            if isinstance(branch, Edge):
                self.holders[branch.target].append(branch.source)
        for names in self.holders.values():
            names.sort(key=lambda name: order[name])
        self.labels = labels_of(graph)
        self.lines: list[str] = []
        self.named_in: dict[str, int] = {}
        self.fresh: list[str] = []

    def read(self) -> Reading:
        """Say everything from the root on: each line, then what it named, depth first."""
        waiting = [self.graph.root]
        told: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in told:
                continue
            told.add(name)
            self.fresh = []
            if self.left[name] or name not in self.named_in:
                self.lines.append(sentence_case(self._line(name)))
            waiting.extend(reversed([*self.fresh, *self.holders[name]]))
        return Reading(tuple(self.lines), self.named_in)

    def _line(self, name: str) -> str:
        prefix = self._prefix(name)
        if is_frame(self.concepts[name]):
            self.named_in.setdefault(name, len(self.lines))
            text, mark = self._clause(name), "; "
        elif (domain := next(self._taken(name, ":domain"), None)) is not None:
            who = self._end(domain)
            text, mark = f"{who} {be(who)} {self._mention(name)}", ": "
        elif name in self.named_in:
            text, mark = self._mention(name), ": "
        else:
            text, mark = f"this is about {self._mention(name)}", ": "
        details = [self._detail(name, branch) for branch in self._taken(name)]
        return prefix + mark.join(filter(None, (text, "; ".join(details))))

    def _taken(self, name: str, *roles: str) -> Iterator[Branch]:
        """Take branches of a node off what is left to say: those of some roles, or all."""
        while True:
            found = next((b for b in self.left[name] if not roles or b.role in roles), None)
            if found is None:
                return
            self.left[name].remove(found)
            yield found

    def _prefix(self, name: str) -> str:
        """Take negation and mode off and say them first."""
        found = ""
        for branch in list(self.left[name]):
            words = None
            if isinstance(branch, Attribute):
                words = _PREFIXES.get((branch.role, unquote(branch.value)))
            elif branch.role == ":polarity" and self._is_bare(branch.target, "amr-unknown"):
                words = "It is asked whether: "
            if words is not None:
                self.left[name].remove(branch)
                key = branch.id if isinstance(branch, Attribute) else branch.target
                self.named_in[key] = len(self.lines)
                found += words if not found else words[:1].lower() + words[1:]
        return found

    def _is_bare(self, name: str, concept: str = "") -> bool:
        """Tell whether a node is new, has no branch, and hangs on one edge only."""
        is_alone = name not in self.named_in and len(self.holders[name]) == 1
        return is_alone and not self.left[name] and concept in ("", self.concepts[name])

    def _clause(self, name: str) -> str:
        concept, words = self.concepts[name], words_of(self.concepts[name])
        if concept in SPECIAL_FRAMES:
            return self._special(name, concept)
        subject = next(self._taken(name, ":ARG0"), None)
        thing = next(self._taken(name, ":ARG1"), None)
        gloss = self._bracketed(self.lexicon.gloss(concept))
        if subject is None and thing is None:
            return f"there is this: {self._quoted(name)}{gloss}"
        who = "" if subject is None else self._filled(name, subject)
        what = "" if thing is None else self._filled(name, thing)
        if thing is not None and subject is not None and self._is_frame_end(thing):
            what = f"this: {what}"
        return clause(words, gloss, who, what, voice_of(concept, self.lexicon))

    def _is_frame_end(self, branch: Branch) -> bool:
        return isinstance(branch, Edge) and is_frame(self.concepts[branch.target])

    def _special(self, name: str, concept: str) -> str:
        """Say a frame without a verb."""
        pattern, words = SPECIAL_FRAMES[concept], {}
        for slot, is_bare in _SLOT.findall(pattern):
            branch = next(self._taken(name, f":{slot}"), None)
            words[slot] = "" if branch is None else self._end(branch)
            if is_bare:
                words[slot] = _ARTICLE.sub("", words[slot])
        return special_clause(concept, _SLOT.sub(r"{\1}", pattern), words)

    def _filled(self, name: str, branch: Branch) -> str:
        """Mention the end of an argument, with what the frame list says it is."""
        gloss = self.lexicon.role_gloss(self.concepts[name], branch.role)
        return self._end(branch) + self._bracketed(gloss)

    @staticmethod
    def _bracketed(text: str) -> str:
        return f" ({text})" if text else ""

    def _detail(self, name: str, branch: Branch) -> str:
        gloss = self.lexicon.role_gloss(self.concepts[name], branch.role)
        words = gloss or special_role(self.concepts[name], branch.role)
        end = self._end(branch)
        if branch.role in BARE_ROLES and " named " not in end:
            end = _ARTICLE.sub("", end)
        end = POSSESSIVES.get(end, end) if branch.role == ":poss" else object_form(end)
        return f"{words or role_words(branch.role)}: {end}"

    def _end(self, branch: Branch) -> str:
        if isinstance(branch, Edge):
            return self._mention(branch.target)
        return self._constant(branch)

    def _constant(self, item: Attribute) -> str:
        self.named_in[item.id] = len(self.lines)
        value = unquote(item.value)
        signs = {"-": "no", "+": "yes"}
        return signs.get(value, f'"{value}"' if item.value.startswith('"') else value)

    def _mention(self, name: str) -> str:
        """Name a node: in full when it is new, else as the same one."""
        if name in self.named_in:
            label = self.labels[name]
            if label in PERSONAL:
                return label
            return f'the same "{label}"' if is_frame(self.concepts[name]) else f"the same {label}"
        self.named_in[name] = len(self.lines)
        self.fresh.append(name)
        concept = self.concepts[name]
        if is_frame(concept):
            return self._quoted(name)
        if concept in _LISTS and any(_NUMBERED.fullmatch(b.role) for b in self.left[name]):
            return self._list(name)
        if concept == "date-entity":
            return self._date(name)
        if concept in _VALUES and (said := self._value(name)):
            return said
        if concept == "multi-sentence":
            return "several sentences"
        if concept == "amr-unknown":
            return "who or what (this is asked)"
        return self._noun(name)

    def _value(self, name: str) -> str:
        """Say a percentage or an ordinal that is nothing but a number; empty for any other."""
        if [branch.role for branch in self.left[name]] != [":value"]:
            return ""
        value = self._end(self.left[name].pop()).strip('"')
        if self.concepts[name] == "ordinal-entity":
            return "the last" if value == "-1" else f"number {value}"
        return f"{value} percent"

    def _quoted(self, name: str) -> str:
        return f'"{self.labels[name]}"'

    def _list(self, name: str) -> str:
        roles = sorted(
            {b.role for b in self.left[name] if _NUMBERED.fullmatch(b.role)}, key=role_order
        )
        parts = [self._end(branch) for role in roles for branch in self._taken(name, role)]
        link = _LISTS[self.concepts[name]]
        return link.join(parts) if len(parts) > 1 else f"{self.concepts[name]} {parts[0]}"

    def _date(self, name: str) -> str:
        items = [item for item in self.left[name] if isinstance(item, Attribute)]
        text, used = date_words({item.role: item.value for item in reversed(items)})
        for item in self._taken(name, *used) if used else ():
            if isinstance(item, Attribute):
                self.named_in[item.id] = len(self.lines)
            else:
                self.left[name].append(item)
                break
        return f"the date {text}".strip()

    def _noun(self, name: str) -> str:
        """Write a noun with its number, unit, plain modifiers and name."""
        noun = self.labels[name]
        number = self._number(name)
        unit = self._bare_ends(name, ":unit") if self.concepts[name].endswith("-quantity") else []
        before = self._bare_ends(name, ":mod")
        before.sort(key=lambda word: word not in DETERMINERS)
        if unit:
            noun = " ".join(unit)
        noun = " ".join((*before, noun))
        if number:
            text = f"{number} {noun if number in ('1', 'one') else plural(noun)}"
            text += f" ({words_of(self.concepts[name])})" if unit else ""
        else:
            text = with_article(noun)
            text += f" as a {words_of(self.concepts[name])}" if unit else ""
        return text + self._name(name)

    def _number(self, name: str) -> str:
        for branch in self.left[name]:
            if branch.role == ":quant" and isinstance(branch, Attribute):
                self.left[name].remove(branch)
                return self._constant(branch)
        return ""

    def _bare_ends(self, name: str, role: str) -> list[str]:
        """Take off the branches that lead to a plain word and no further."""
        found = []
        for branch in list(self.left[name]):
            if branch.role != role or not isinstance(branch, Edge):
                continue
            target = branch.target
            if self._is_bare(target) and not is_frame(self.concepts[target]):
                self.left[name].remove(branch)
                self.named_in[target] = len(self.lines)
                found.append(self.labels[target])
        return found

    def _name(self, name: str) -> str:
        """Take off a name that is nothing but words."""
        for branch in list(self.left[name]):
            if branch.role != ":name" or not isinstance(branch, Edge):
                continue
            node = branch.target
            parts = self.left[node]
            is_plain = all(isinstance(p, Attribute) and _NUMBERED.fullmatch(p.role) for p in parts)
            is_new = node not in self.named_in and len(self.holders[node]) == 1
            if self.concepts[node] == "name" and parts and is_plain and is_new:
                self.left[name].remove(branch)
                self.named_in[node] = len(self.lines)
                words = [self._constant(p).strip('"') for p in self._taken(node)
                         if isinstance(p, Attribute)]  # fmt: skip
                return f' named "{" ".join(words)}"'
        return ""
