"""What was learnt about labels and the lemmas that bring them, and its file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aptcore.alignment.context import concept_base
from aptcore.assets import asset_path
from aptcore.errors import FormatError
from aptcore.saving import save_text

SHIPPED_TABLES = "alignment.json"
"""Name of the shipped tables below ``assets/``."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What lemmas bring what labels.

    Attributes:
        scores: For each label (``learnt_label``) the lemmas that bring it, each with
            a score from 0 to 1.
    """

    scores: Mapping[str, Mapping[str, float]]

    def lemmas(self, label: str) -> Mapping[str, float]:
        """Give the lemmas that bring a concept or constant, with their scores."""
        return self.scores.get(learnt_label(label), {})

    def save(self, path: Path) -> None:
        """Write the tables as JSON."""
        text = json.dumps(self.scores, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        save_text(path, text + "\n")

    @classmethod
    def load(cls, path: Path) -> Tables:
        """Read tables that ``save`` wrote.

        Raises:
            FormatError: If the file does not hold such tables.
        """
        try:
            scores = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, UnicodeDecodeError) as error:
            raise FormatError(f"no alignment tables: {error}", path=str(path)) from error
        sound = isinstance(scores, dict) and all(
            isinstance(row, dict)
            and all(isinstance(s, float) and 0.0 <= s <= 1.0 for s in row.values())
            for row in scores.values()
        )
        if not sound:
            raise FormatError(
                "no alignment tables: labels with lemmas and scores are expected", path=str(path)
            )
        return cls(scores)


@cache
def shipped_tables() -> Tables | None:
    """Load the tables that travel with the program; None where none were shipped."""
    path = asset_path(SHIPPED_TABLES)
    return Tables.load(path) if path.is_file() else None


def learnt_label(label: str) -> str:
    """Give the form under which a label is learnt: without sense, except ``-91`` and later.

    >>> learnt_label("say-01"), learnt_label("have-degree-91")
    ('say', 'have-degree-91')
    """
    base = concept_base(label)
    return label if label[len(base) :] >= "-91" else base
