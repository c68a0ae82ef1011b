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
from aptcore.errors import CheckpointError
from aptcore.saving import save_text

COPIES_FILE = "copies.json"
"""Name of the tables' file, below ``assets/`` and in a checkpoint."""

_SENSE = re.compile(r"[0-9]{2,3}")


@dataclass(frozen=True)
class CopyTables:
    """Tables of what COPY(kind) makes.

    Attributes:
        frames: The usual sense of a base where it is not ``01``: ``good`` gives ``02``.
        words: The bases of a lemma that no ending gives: ``proof`` gives ``prove``.
        rules: Endings and what bases have in their place, the surest first.
        bases: Words that occur as concepts and that the English lexicon lacks.
        senses: Senses that COPY(sense-02) and its like offer for every word.
        listed: Further senses of a base, from lists given at run time; never saved.
    """

    frames: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]
    rules: tuple[tuple[str, str], ...]
    bases: frozenset[str]
    senses: tuple[str, ...]
    listed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def replacements(self) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Give for each ending its replacements, each with its place among the rules."""
        found: dict[str, list[tuple[int, str]]] = {}
        for place, (ending, replacement) in enumerate(self.rules):
            found.setdefault(ending, []).append((place, replacement))
        return {ending: tuple(row) for ending, row in found.items()}

    @cached_property
    def longest_ending(self) -> int:
        """Give the length of the longest ending, in characters."""
        return max((len(ending) for ending, _ in self.rules), default=0)

    @cached_property
    def pairs_of_word(self) -> dict[tuple[str, str], tuple[tuple[str, str], ...]]:
        """Keep what was found for a token and its lemma, for the next sentence."""
        return {}

    def save(self, path: Path) -> None:
        """Write the tables as JSON, without what lists have added to ``listed``."""
        content = {
            "frames": dict(sorted(self.frames.items())),
            "words": {lemma: list(bases) for lemma, bases in sorted(self.words.items())},
            "rules": [list(rule) for rule in self.rules],
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
            raise CheckpointError(f"cannot read the copy tables {path}: {error}") from error
        return cls(
            content["frames"],
            {lemma: tuple(bases) for lemma, bases in content["words"].items()},
            tuple((ending, replacement) for ending, replacement in content["rules"]),
            frozenset(content["bases"]),
            tuple(content["senses"]),
        )


NO_COPIES = CopyTables({}, {}, (), frozenset(), ())
"""Tables that offer nothing."""


def _check(content: Any) -> None:
    """See that this is what ``save`` writes.

    Raises:
        ValueError: If it is not.
    """
    keys = {"frames", "words", "rules", "bases", "senses"}
    if not isinstance(content, dict) or set(content) != keys:
        raise ValueError(f"it does not hold {', '.join(sorted(keys))} and nothing else")
    for name in ("frames", "words"):
        if not isinstance(content[name], dict):
            raise ValueError(f"{name} is not a table of words")
    if not isinstance(content["rules"], list):
        raise ValueError("rules is not a list")
    if not all(_is_list_of_words(rule) and len(rule) == 2 for rule in content["rules"]):
        raise ValueError("a rule is not an ending and its replacement")
    rows = (content["bases"], content["senses"], *content["words"].values())
    if not all(_is_list_of_words(row) for row in rows):
        raise ValueError("words, bases or senses are not in lists")
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
