"""The action vocabulary: labels and their ids. Pointers are never in it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from aptcore.errors import ActionFormatError, CheckpointError, reason
from aptcore.saving import save_text
from aptcore.transition.actions import ActionSet, format_label
from aptcore.transition.sets import PAPER, parse_label

START = "<start>"
ROOT_WORD = "<root>"
UNKNOWN = "<unknown>"
SPECIALS = (START, ROOT_WORD, UNKNOWN)
"""Rows that are read and never predicted: the start symbol, the vector of the
``<ROOT>`` token, and a label that a forced prefix brings but training never saw."""


@dataclass(frozen=True)
class ActionVocabulary:
    """Labels in order of their ids; the special symbols come first.

    Attributes:
        labels: All rows of the label tables.
    """

    labels: tuple[str, ...]

    @classmethod
    def from_labels(cls, counted: Iterable[str], action_set: ActionSet = PAPER) -> ActionVocabulary:
        """Build from labels, most wanted first; repeated ones count once."""
        return cls(tuple(dict.fromkeys((*SPECIALS, *action_set.labels, *counted))))

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of each label."""
        return {label: index for index, label in enumerate(self.labels)}

    def __len__(self) -> int:
        return len(self.labels)

    def lacks(self, action_set: ActionSet) -> list[str]:
        """Give the labels without which a walk of an action set may not end."""
        return [label for label in action_set.labels if label not in self.ids]

    def encode(self, label: str) -> int:
        """Give the id of a label; that of ``<unknown>`` where it is not held."""
        return self.ids.get(label, self.ids[UNKNOWN])

    def decode(self, index: int) -> str:
        """Give the label of an id."""
        return self.labels[index]

    def save(self, path: Path) -> None:
        """Write the labels as JSON."""
        save_text(path, json.dumps(list(self.labels), ensure_ascii=False, indent=0) + "\n")

    @classmethod
    def load(cls, path: Path) -> ActionVocabulary:
        """Read the labels.

        Raises:
            CheckpointError: If the file is absent or is not a list of known labels.
        """
        try:
            labels = json.loads(path.read_text("utf-8"))
            _check_labels(labels)
        except (OSError, ValueError, ActionFormatError) as error:
            raise CheckpointError(
                f"cannot read the action vocabulary {path}: {reason(error, is_named=True)}"
            ) from error
        return cls(tuple(labels))


def _check_labels(labels: object) -> None:
    """See that this is what ``save`` writes.

    Raises:
        ValueError: If it is not a list of different labels after the special symbols.
        ActionFormatError: If a label is none.
    """
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise ValueError("it is not a list of labels")
    if tuple(labels[: len(SPECIALS)]) != SPECIALS:
        raise ValueError(f"it does not begin with {', '.join(SPECIALS)}")
    if len(set(labels)) < len(labels):
        raise ValueError("a label stands in it twice")
    missing = [label for label in PAPER.labels if label not in labels]
    if missing:
        raise ValueError(f"it lacks {', '.join(missing)}")
    for label in labels[len(SPECIALS) :]:
        if format_label(parse_label(label)) != label:
            raise ValueError(f"{label!r} is not written as the codec writes it")
