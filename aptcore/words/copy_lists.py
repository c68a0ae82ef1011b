"""Add word lists that a person has to the tables of COPY.

The lists are public but not ours to ship: they are read at run time from a folder,
and nothing of them is written anywhere. Read are, by the beginning of their names:

    propbank-amr-frames   frames that AMR uses, ``abandon-02  ARG0: ...`` (USC/ISI)
    rolesets              PropBank's frames with their aliases, tab-separated
    morph-verbalization   ``::DERIV-VERB "abate" ::DERIV-NOUN "abatement"`` (USC/ISI)
    verbalization-list    ``VERBALIZE employee TO person :ARG0-of employ-01`` (USC/ISI)
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from aptcore.errors import ConfigurationError
from aptcore.words.copies import FIRST_SENSE, is_word
from aptcore.words.copy_tables import CopyTables

LIST_NAMES = ("propbank-amr-frames", "rolesets", "morph-verbalization", "verbalization-list")
"""How the names of the files begin that are read."""

_FRAME = re.compile(r"([^\s]+)-(\d\d)")
_VERBALIZE = re.compile(r"(?:MAYBE-)?VERBALIZE (\S+) TO (.+)")
_DERIVED = re.compile(r'::DERIV-(\S+) "([^"]+)"')


def with_lists(tables: CopyTables, folders: Sequence[Path]) -> CopyTables:
    """Add what the lists in some folders know; what was learnt comes first.

    Args:
        tables: Learnt tables.
        folders: Folders that hold lists; subfolders are looked at too.

    Raises:
        ConfigurationError: If a folder holds none of the lists.
        FormatError: If a list is not text in UTF-8.
    """
    paths = [path for folder in folders for path in _list_files(folder)]
    senses: dict[str, set[str]] = {}
    words: dict[str, list[str]] = {lemma: list(bases) for lemma, bases in tables.words.items()}
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        for base, sense in _frames(path.name, lines):
            senses.setdefault(base, set()).add(sense)
        for lemma, base in _derivations(path.name, lines):
            row = words.setdefault(lemma, [])
            if base != lemma and base not in row and is_word(lemma) and is_word(base):
                row.append(base)
    frames = {base: min(found) for base, found in senses.items() if FIRST_SENSE not in found}
    return replace(
        tables,
        frames={**frames, **tables.frames},
        words={lemma: tuple(row) for lemma, row in words.items() if row},
        bases=tables.bases | senses.keys(),
        listed={base: tuple(sorted(found)) for base, found in senses.items()},
    )


def _list_files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if path.name.startswith(LIST_NAMES))
    if not found:
        raise ConfigurationError(
            f"no word list in {folder}: a file whose name begins with one of "
            f"{', '.join(LIST_NAMES)} is expected"
        )
    return found


def _frames(name: str, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Give base and sense of each frame that a list names."""
    if name.startswith("propbank-amr-frames"):
        concepts = [line.partition(" ")[0] for line in lines]
    elif name.startswith("rolesets"):
        concepts = [row["amr_concept"] for row in _rows(lines) if row["in_amr_2019"] == "+"]
    else:
        return
    for concept in concepts:
        frame = _FRAME.fullmatch(concept)
        if frame and frame[2] <= "90":
            yield frame[1], frame[2]


def _derivations(name: str, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Give words and what a list derives them from."""
    if name.startswith("rolesets"):
        for row in _rows(lines):
            frame = _FRAME.fullmatch(row["amr_concept"])
            for alias in row["aliases"].split(";"):
                if frame and row["in_amr_2019"] == "+":
                    yield alias.partition("/")[0].replace("_", "-"), frame[1]
    for line in lines:
        verbalized = _VERBALIZE.match(line)
        if verbalized and name.startswith("verbalization-list"):
            for frame in _FRAME.finditer(verbalized[2]):
                yield verbalized[1], frame[1]
        elif name.startswith("morph-verbalization"):
            forms = _DERIVED.findall(line)
            verbs = [word for kind, word in forms if kind == "VERB"]
            for kind, word in forms:
                if kind != "VERB":
                    yield from ((word, verb) for verb in verbs)


def _rows(lines: Iterable[str]) -> Iterator[dict[str, str]]:
    return csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
