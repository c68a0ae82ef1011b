"""The address of what the Oracle page shows: corpus, sentence, step, variant, changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from app.addresses.codec import NAME, Form, choice, integer, parameter
from aptcore.oracle.oracle import VARIANTS

Edits = Mapping[str, tuple[int, ...]]
"""For each item that a person changed: its tokens, ascending; none for no word."""

DEFAULT_VARIANT = next(iter(VARIANTS))
"""The variant that the page opens with."""

MAX_GRAPH = 3000
"""Longest pasted graph that an address holds, in characters."""

MAX_EDITS = 1500
"""Longest list of changed alignments that an address holds, in characters."""

_EDIT = re.compile(r"([^\s@]+)@((?:\d{1,4}(?:\.\d{1,4})*)?)")

View = Literal["sentence", "corpus"]
Replay = Literal["oracle", "model"]


def format_edits(edits: Edits) -> str:
    """Write changed alignments: ``w@3.4 b@`` gives w the tokens 3 and 4 and b none."""
    return " ".join(f"{item}@{'.'.join(map(str, tokens))}" for item, tokens in edits.items())


def parse_edits(text: str) -> Edits:
    """Read changed alignments; what cannot be read is passed over."""
    found: dict[str, tuple[int, ...]] = {}
    for piece in text[:MAX_EDITS].split():
        match = _EDIT.fullmatch(piece)
        if match is not None:
            numbers = match[2].split(".") if match[2] else []
            found[match[1]] = tuple(sorted({int(number) for number in numbers}))
    return found


@dataclass(frozen=True, slots=True)
class OracleLink:
    """What an address asks for.

    Attributes:
        corpus: Path inside the configured folder; None where it names none.
        graph: A pasted graph; None where there is none.
        upload: Name of a file that was given to the page, which no address can hold.
        sentence: ``::id`` of a sentence, or its number from 1; None stands for the first.
        step: How many actions are taken at the moment to show; None stands for none.
        variant: Which oracle.
        view: The sentence or the whole corpus.
        replay: The oracle alone, or the model beside it.
        edits: Alignments that a person changed.
    """

    corpus: str | None = parameter(None, NAME)
    graph: str | None = parameter(None, NAME)
    upload: str | None = parameter(None, NAME)
    sentence: str | None = parameter(None, NAME)
    step: int | None = parameter(None, integer())
    variant: str = parameter(
        DEFAULT_VARIANT,
        choice(VARIANTS),
        damage=f"there is no oracle variant {{!r}}; {DEFAULT_VARIANT} is shown",
    )
    view: View = parameter("sentence", choice(get_args(View)))
    replay: Replay = parameter("oracle", choice(get_args(Replay)))
    edits: Edits = parameter({}, Form(parse_edits, format_edits, MAX_EDITS), key="align")
