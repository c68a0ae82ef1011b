"""Which prediction belongs to which gold graph: by ``::id``, or by order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.commands.options import Pairing
from aptcore.graph.corpus import Record


@dataclass(frozen=True, slots=True)
class Paired:
    """A system's records at the places of the gold ones.

    Attributes:
        how: What they were paired by.
        records: None where the system has none of that id.
        missing: Ids of gold records that the system lacks.
        extra: Ids of the system's records that no gold record has; they are not scored.
    """

    how: Pairing
    records: tuple[Record | None, ...]
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Give the pairing for a report."""
        return {"by": self.how, "missing": list(self.missing), "extra": list(self.extra)}


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
