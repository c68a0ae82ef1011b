"""Which prediction belongs to which gold graph: by ``::id``, by file, or by order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.commands.options import Pairing
from aptcore.errors import InputError
from aptcore.graph.corpus import Corpus, Record


@dataclass(frozen=True, slots=True)
class Paired:
    """A system's records at the places of the gold ones.

    Attributes:
        how: What they were paired by; ``file``: file by file, each by id or by order.
        records: None where the system has none of that id.
        missing: Ids of gold records that the system lacks.
        extra: Ids of the system's records that no gold record has; they are not scored.
    """

    how: Literal["id", "order", "file"]
    records: tuple[Record | None, ...]
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Give the pairing for a report."""
        return {"by": self.how, "missing": list(self.missing), "extra": list(self.extra)}


Placed = Mapping[str, tuple[Record, ...]]
"""The records of files by their place below a folder; all else has the place ``""``."""


def placed(path: Path, corpora: Sequence[Corpus]) -> Placed:
    """Give the records of the files that a path names by their place."""
    found: dict[str, tuple[Record, ...]] = {}
    for corpus in corpora:
        place = str(Path(corpus.path).relative_to(path)) if path.is_dir() else ""
        found[place] = found.get(place, ()) + corpus.records
    return found


def paired_places(gold: Placed, predicted: Placed, wanted: Pairing) -> Paired:
    """Put a system's records beside the gold ones, folder beside folder.

    Args:
        gold: The gold records.
        predicted: The system's.
        wanted: As for :func:`paired`. Where ids of all files together make no pairs, those
            files are paired that stand at the same place below their folders.

    Raises:
        InputError: Two files are paired by order and hold different numbers of records.
    """
    together = paired(_all(gold), _all(predicted), wanted)
    if together.how == "id" or {"", *gold} == {""} or gold.keys().isdisjoint(predicted):
        return together
    records: list[Record | None] = []
    missing, extra = [], []
    for place, own in gold.items():
        there = predicted.get(place)
        if there is None:
            records += [None] * len(own)
            missing += [f"{place}: {record.id or number}" for number, record in enumerate(own, 1)]
            continue
        part = paired(own, there, wanted)
        if len(part.records) != len(own):
            raise InputError(f"{place}: {len(own)} gold graphs, but {len(there)} predictions")
        records += part.records
        missing += [f"{place}: {name}" for name in part.missing]
        extra += [f"{place}: {name}" for name in part.extra]
    for place in predicted.keys() - gold.keys():
        extra += [f"{place}: {r.id or number}" for number, r in enumerate(predicted[place], 1)]
    return Paired("file", tuple(records), tuple(missing), tuple(sorted(extra)))


def _all(of_places: Placed) -> tuple[Record, ...]:
    return tuple(record for records in of_places.values() for record in records)


def paired(gold: Sequence[Record], predicted: Sequence[Record], wanted: Pairing) -> Paired:
    """Put a system's records beside the gold ones.

    Args:
        gold: The gold records.
        predicted: The system's.
        wanted: By id only where every record of both has one of its own, and some are the
            same in both; else by order.
    """
    known = {record.id: record for record in predicted}
    names = [record.id for record in gold]
    have_ids = all(
        all(ids) and len(set(ids)) == len(ids)
        for ids in (names, [record.id for record in predicted])
    )
    if wanted == "order" or not have_ids or known.keys().isdisjoint(names):
        return Paired("order", tuple(predicted))
    return Paired(
        "id",
        tuple(known.get(name) for name in names),
        tuple(name for name in names if name not in known),
        tuple(name for name in known if name not in set(names)),
    )
