"""What COPY knows beyond lemmas: the tables of the own action set, and their file.

The tables hold no word of a sentence, only what was learnt of words: how endings
change ("arrival" to "arrive"), which sense of a verb is the usual one, and the few
derivations that no ending explains ("proof" to "prove").
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from aptcore.assets import asset_path
from aptcore.errors import CheckpointError, reason
from aptcore.saving import save_text

PHRASE = "phrase"
"""The kind of COPY that makes a concept of merged tokens which the tables know."""


SENSE_KIND = "sense-"
"""How the kinds of COPY begin that make the lemma in the sense they name."""

COPIES_FILE = "copies.json"
"""Name of the tables' file, below ``assets/`` and in a checkpoint."""

_FRAME = re.compile(r".+-[0-9]{2,3}")
_SENSE = re.compile(r"[0-9]{2,3}")


@dataclass(frozen=True, slots=True)
class Rule:
    """An ending of derived words and what their base has in its place.

    Attributes:
        ending: ``ness``, or with more of the stem ``dness``.
        replacement: May be empty.
        is_sure: Whether it also gives bases that are no known words.
    """

    ending: str
    replacement: str
    is_sure: bool = False


@dataclass(frozen=True)
class CopyTables:
    """Tables of what COPY(kind) makes.

    Attributes:
        frames: The usual sense of a base where it is not ``01``: ``good`` gives ``02``.
        usual: The frame of a lemma that is made from it where its base has another usual
            sense: ``activity`` gives ``act-02``.
        words: The bases of a lemma that no ending gives: ``proof`` gives ``prove``.
        rules: How endings change, the likeliest first.
        bases: Words that occur as concepts and that the English lexicon lacks.
        senses: Senses that COPY(sense-02) and its like offer for every word.
        listed: Further senses of a base, from lists given at run time; never saved.
    """

    frames: Mapping[str, str]
    usual: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]
    rules: tuple[Rule, ...]
    bases: frozenset[str]
    senses: tuple[str, ...]
    listed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def rules_of_ending(self) -> Mapping[str, tuple[tuple[int, Rule], ...]]:
        """Give for each ending its rules, each with its place among all."""
        found: dict[str, list[tuple[int, Rule]]] = {}
        for place, rule in enumerate(self.rules):
            found.setdefault(rule.ending, []).append((place, rule))
        return {ending: tuple(row) for ending, row in found.items()}

    @cached_property
    def longest_ending(self) -> int:
        """Give the length of the longest ending, in characters."""
        return max((len(rule.ending) for rule in self.rules), default=0)

    @cached_property
    def pairs_of_word(self) -> dict[tuple[str, str], tuple[tuple[str, str], ...]]:
        """Keep what was found for a token and its lemma, for the next sentence."""
        return {}

    def save(self, path: Path) -> None:
        """Write the tables as JSON, without what lists have added to ``listed``."""
        content = {
            "frames": dict(sorted(self.frames.items())),
            "usual": dict(sorted(self.usual.items())),
            "words": {lemma: list(bases) for lemma, bases in sorted(self.words.items())},
            "rules": [[r.ending, r.replacement, r.is_sure] for r in self.rules],
            "bases": sorted(self.bases),
            "senses": list(self.senses),
        }
        save_text(path, json.dumps(content, ensure_ascii=False, indent=0) + "\n")

    @classmethod
    def load(cls, path: Path) -> CopyTables:
        """Read tables that ``save`` wrote.

        Raises:
            CheckpointError: If the file is absent or does not hold such tables.
        """
        try:
            content = json.loads(path.read_text("utf-8"))
            _check(content)
        except (OSError, ValueError) as error:
            raise CheckpointError(
                f"cannot read the copy tables {path}: {reason(error, is_named=True)}"
            ) from error
        return cls(
            content["frames"],
            content["usual"],
            {lemma: tuple(bases) for lemma, bases in content["words"].items()},
            tuple(Rule(*row) for row in content["rules"]),
            frozenset(content["bases"]),
            tuple(content["senses"]),
        )


NO_COPIES = CopyTables({}, {}, {}, (), frozenset(), ())
"""Tables that offer nothing."""


def _check(content: Any) -> None:
    """See that this is what ``save`` writes.

    Raises:
        ValueError: If it is not.
    """
    keys = {"frames", "usual", "words", "rules", "bases", "senses"}
    if not isinstance(content, dict) or set(content) != keys:
        raise ValueError(f"it does not hold {', '.join(sorted(keys))} and nothing else")
    for name in ("frames", "usual", "words"):
        if not isinstance(content[name], dict):
            raise ValueError(f"{name} is not a table of words")
    if not isinstance(content["rules"], list):
        raise ValueError("rules is not a list")
    for row in content["rules"]:
        if not isinstance(row, list) or [type(part) for part in row] != [str, str, bool]:
            raise ValueError(f"{row!r} is not an ending, its replacement and whether it is sure")
    rows = (content["bases"], content["senses"], *content["words"].values())
    if not all(_is_list_of_words(row) for row in rows):
        raise ValueError("words, bases or senses are not in lists")
    for frame in content["usual"].values():
        if not isinstance(frame, str) or not _FRAME.fullmatch(frame):
            raise ValueError(f"{frame!r} is not a frame, as in act-02")
    for sense in (*content["frames"].values(), *content["senses"]):
        if not isinstance(sense, str) or not _SENSE.fullmatch(sense):
            raise ValueError(f"{sense!r} is not a sense, written with two or three digits")


def _is_list_of_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


@cache
def shipped_copies() -> CopyTables:
    """Load the tables that travel with the program.

    Raises:
        CheckpointError: If they are absent or damaged.
    """
    return CopyTables.load(asset_path(COPIES_FILE))
