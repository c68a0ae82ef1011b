"""PropBank's example sentences: one predicate of each, its sense and its arguments, by people.

Partial gold: spans of the text instead of nodes. Only numbered roles count, for PropBank's
others are no roles of AMR's frames; of a role that comes twice the first.

    {"id": "x.1", "text": "She left him .", "roleset": "leave.02", "rel": [[4, 8]],
     "args": [{"role": "ARG0", "start": 0, "end": 3, "text": "She"}, ...]}
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aptcore.errors import TrainingError, reason
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.encoding import decode_text
from aptcore.words.frames import is_frame
from aptcore.words.gold import positions_in
from aptcore.words.rolesets import rolesets
from aptcore.words.tokens import token_offsets

HELD_OUT = 10
"""One example in so many is never trained on."""

LISTED = "rolesets.tsv"
"""Beside the examples: which rolesets AMR uses, if the file is there."""

_NUMBERED = re.compile(r"ARG[0-9]")

_PRONOUNS = frozenset(
    """i me my mine myself you your yours yourself yourselves he him his himself she her hers
    herself it its itself we us our ours ourselves they them their theirs themselves who whom
    whose which that one oneself""".split()
)


@dataclass(frozen=True, slots=True)
class Example:
    """An example sentence.

    Attributes:
        id: Its name.
        text: The sentence.
        frame: The sense of the predicate, as a concept: ``leave-02``.
        predicate: Half-open ranges of characters, one for each word of the predicate.
        arguments: Role, as ``:ARG0``, and range of each numbered argument.
    """

    id: str
    text: str
    frame: str
    predicate: tuple[tuple[int, int], ...]
    arguments: tuple[tuple[str, tuple[int, int]], ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """What people said of a sentence, by tokens.

    Attributes:
        frame: The sense of the predicate.
        predicate: Its tokens.
        arguments: Role and tokens of each numbered argument.
        pronouns: The roles of arguments that are a pronoun and nothing else.
    """

    frame: str
    predicate: frozenset[int]
    arguments: tuple[tuple[str, frozenset[int]], ...]
    pronouns: frozenset[str] = frozenset()


def frame_of(roleset: str) -> str:
    """Write a roleset as the concept of its frame.

    >>> frame_of("add_up.04")
    'add-up-04'
    """
    lemma, _, number = roleset.rpartition(".")
    return f"{lemma.replace('_', '-')}-{number}"


def example_of(line: str) -> Example:
    """Read an example from a line of JSON.

    Raises:
        ValueError: If it is no JSON.
        KeyError: If a part is not there.
    """
    values: Mapping[str, Any] = json.loads(line)
    arguments: dict[str, tuple[int, int]] = {}
    for each in values["args"]:
        if _NUMBERED.fullmatch(each["role"]):
            arguments.setdefault(f":{each['role']}", (each["start"], each["end"]))
    return Example(
        values["id"],
        values["text"],
        frame_of(values["roleset"]),
        tuple((start, end) for start, end in values["rel"]),
        tuple(arguments.items()),
    )


def is_held_out(name: str) -> bool:
    """Tell whether an example of this id is kept for measuring."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % HELD_OUT == 0


def example_lines(path: Path, held_out: bool = False) -> list[str]:
    """Give the lines of the examples to train on, or of those kept for measuring.

    Left out are frames that no list has and, where ``rolesets.tsv`` stands beside the file,
    those that AMR does not use; in training also other examples of a sentence held out.

    Raises:
        TrainingError: If the file cannot be read, or holds something else.
    """
    try:
        lines = decode_text(path.read_bytes(), str(path)).splitlines()
        examples = [example_of(line) for line in lines]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"cannot read {path}: {reason(error, is_named=True)}") from error
    known = rolesets() & (_used_by_amr(path.with_name(LISTED)) or rolesets())
    kept = {example.text for example in examples if is_held_out(example.id)}
    return [
        line
        for line, example in zip(lines, examples, strict=True)
        if example.frame in known
        and (is_held_out(example.id) if held_out else example.text not in kept)
    ]


def _used_by_amr(path: Path) -> set[str]:
    if not path.is_file():
        return set()
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["amr_concept"] for row in rows if row["in_amr_2019"] == "+"}


def marks_of(example: Example, sentence: Sentence) -> Marks:
    """Put an example on the tokens of its sentence."""
    offsets = token_offsets(sentence)

    def tokens(spans: Iterable[tuple[int, int]]) -> frozenset[int]:
        return frozenset(place for span in spans for place in positions_in(offsets, span))

    arguments = tuple((role, tokens([span])) for role, span in example.arguments)
    said = ((role, example.text[start:end]) for role, (start, end) in example.arguments)
    pronouns = frozenset(role for role, words in said if words.lower() in _PRONOUNS)
    return Marks(example.frame, tokens(example.predicate), arguments, pronouns)


def nodes_at(graph: AmrGraph, tokens: frozenset[int]) -> list[str]:
    """Give the nodes that stand at some of these tokens, in the graph's order."""
    return [
        node.id
        for node in graph.nodes
        if (found := graph.alignments.get(node.id)) and tokens & set(found.tokens)
    ]


def predicate_node(graph: AmrGraph, marks: Marks) -> str | None:
    """Find the node of the predicate: the frame itself, a sense of it, a frame, or any node."""
    concepts = {node.id: node.concept for node in graph.nodes}
    stem = marks.frame.rpartition("-")[0]

    def likeness(name: str) -> tuple[bool, bool, bool]:
        concept = concepts[name]
        is_sense = is_frame(concept) and concept.rpartition("-")[0] == stem
        return concept == marks.frame, is_sense, is_frame(concept)

    return max(nodes_at(graph, marks.predicate), key=likeness, default=None)


def roles_found(graph: AmrGraph, predicate: str, marks: Marks) -> dict[str, frozenset[int]]:
    """Give the numbered roles of a node with the tokens of what hangs there.

    What stands at the predicate's own words, as the person in ``teacher``, is no argument.
    """
    ends = [(edge.role, edge.target) for edge in graph.edges if edge.source == predicate]
    ends += [(item.role, item.id) for item in graph.attributes if item.source == predicate]
    found: dict[str, frozenset[int]] = {}
    for role, end in ends:
        alignment = graph.alignments.get(end)
        tokens = frozenset(alignment.tokens) if alignment else frozenset()
        if _NUMBERED.fullmatch(role[1:]) and not (tokens and tokens <= marks.predicate):
            found[role] = found.get(role, frozenset()) | tokens
    return found
