"""Links of named things to Wikipedia: ``:wiki``, removed before training, restored after.

The parser never makes ``:wiki``. A linker looks at each named node of a parse, its name
and its concept, and says what stands there: a title, ``-`` for a thing that has no
article, or nothing where the corpus has no ``:wiki`` for such things. Any object with a
``link`` method can take the place of the dictionary that is learnt from graphs.

Source: Zhou and others 2021, section 5, "Data and Evaluation": wiki links are removed and
recovered afterwards, there by the linker of Naseem and others 2019.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Protocol

from aptcore.assets import asset_path
from aptcore.errors import CheckpointError
from aptcore.graph.amr import AmrGraph, Attribute
from aptcore.graph.branches import quote, unquote

WIKI_FILE = "wiki.json"
"""Name of the dictionary's file, below ``assets/`` and in a model folder."""

NO_ARTICLE = "-"
"""What ``:wiki`` says of a thing that has no article."""

UNLINKED = ""
"""Answer for a thing that gets no ``:wiki`` at all."""

ANY_CONCEPT = ""
"""Key of the answer for a name whose concept was not seen with it."""


class WikiLinker(Protocol):
    """Whatever can say what ``:wiki`` a named thing has."""

    def link(self, name: str, concept: str) -> str:
        """Give a title, ``-`` (NO_ARTICLE) or nothing (UNLINKED).

        Args:
            name: The parts of the name, a space between them: ``New York``.
            concept: Of the named node: ``city``.
        """
        ...


@dataclass(frozen=True)
class DictionaryLinker:
    """What the training graphs say of a name: the most frequent answer.

    Looked up by name and concept, then by name alone. A name that was never seen gets
    ``-``, unless most things of its concept are left without ``:wiki`` or have their own
    name as the title (countries, as a rule).

    Attributes:
        names: For a name in small letters, answers by concept; under ANY_CONCEPT that of
            all concepts together.
        unlinked: Concepts of which most things are left without ``:wiki``.
        titled: Concepts of which most things have their name as the title.
    """

    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unlinked: frozenset[str] = frozenset()
    titled: frozenset[str] = frozenset()

    def link(self, name: str, concept: str) -> str:
        """Give a title, ``-`` or nothing; see WikiLinker."""
        answers = self.names.get(name.casefold())
        if answers is None:
            return self.by_concept(name, concept)
        return answers.get(concept, answers[ANY_CONCEPT])

    def by_concept(self, name: str, concept: str) -> str:
        """Give the answer for a name that was never seen."""
        if concept in self.titled:
            return title_of(name)
        return UNLINKED if concept in self.unlinked else NO_ARTICLE

    @classmethod
    def load(cls, path: Path) -> DictionaryLinker:
        """Read a dictionary that ``scripts/learn_wiki.py`` wrote.

        Raises:
            CheckpointError: If the file is absent or does not hold one.
        """
        try:
            content = json.loads(path.read_text("utf-8"))
            names, concepts = content["names"], [content["unlinked"], content["titled"]]
            is_sound = all(
                ANY_CONCEPT in found and all(isinstance(answer, str) for answer in found.values())
                for found in names.values()
            ) and all(isinstance(concept, str) for listed in concepts for concept in listed)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise CheckpointError(f"cannot read the dictionary {path}: {error!r}") from error
        if not is_sound:
            raise CheckpointError(f"{path} holds no dictionary of names and their :wiki")
        return cls(names, *map(frozenset, concepts))


def title_of(name: str) -> str:
    """Write a name as the title of an article.

    >>> title_of("New York")
    'New_York'
    """
    return name.replace(" ", "_")


def named_nodes(graph: AmrGraph) -> list[tuple[str, str, str]]:
    """List the nodes that have a name: id, the name's parts joined by spaces, concept."""
    concepts = {node.id: node.concept for node in graph.nodes}
    parts: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for item in graph.attributes:
        number = item.role.removeprefix(":op")
        if item.role.startswith(":op") and number.isdecimal():
            parts[item.source].append((int(number), unquote(item.value)))
    found = {}
    for edge in graph.edges:
        if edge.role == ":name" and edge.source not in found and parts.get(edge.target):
            found[edge.source] = " ".join(text for _, text in sorted(parts[edge.target]))
    return [(node, name, concepts[node]) for node, name in found.items()]


def with_wiki(graph: AmrGraph, linker: WikiLinker) -> AmrGraph:
    """Add ``:wiki`` to the named nodes that have none."""
    has_one = {item.source for item in graph.attributes if item.role == ":wiki"}
    taken = {node.id for node in graph.nodes} | {item.id for item in graph.attributes}
    added = []
    for node, name, concept in named_nodes(graph):
        answer = linker.link(name, concept) if node not in has_one else UNLINKED
        if answer != UNLINKED:
            value = answer if answer == NO_ARTICLE else quote(answer)
            names = (f"{node}:wiki{number or ''}" for number in count())
            free = next(name for name in names if name not in taken)
            added.append(Attribute(free, node, ":wiki", value))
            taken.add(free)
    return replace(graph, attributes=(*graph.attributes, *added)) if added else graph


def shipped_linker() -> DictionaryLinker:
    """Load the dictionary that travels with the program."""
    return DictionaryLinker.load(asset_path(WIKI_FILE))


def linker_of(folders: Sequence[Path]) -> DictionaryLinker:
    """Load the dictionary of the first model folder that has one, else the shipped one.

    Raises:
        CheckpointError: If it cannot be read.
    """
    own = [folder / WIKI_FILE for folder in folders if (folder / WIKI_FILE).is_file()]
    return DictionaryLinker.load(own[0]) if own else shipped_linker()
