"""The address of what the Oracle page shows: corpus, sentence, step, variant, changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from aptcore.oracle.oracle import VARIANTS

Edits = Mapping[str, tuple[int, ...]]
"""For each item that a person changed: its tokens, ascending; none for no word."""

DEFAULT_VARIANT = next(iter(VARIANTS))
"""The variant that the page opens with."""

MAX_GRAPH = 3000
"""Longest pasted graph that an address holds, in characters."""

MAX_NAME = 60
"""Longest part of an unknown name that is told again, in characters."""

MAX_EDITS = 1500
"""Longest list of changed alignments that an address holds, in characters."""

_EDIT = re.compile(r"([^\s@]+)@((?:\d{1,4}(?:\.\d{1,4})*)?)")

View = Literal["sentence", "corpus"]


@dataclass(frozen=True, slots=True)
class OracleLink:
    """What an address asks for.

    Attributes:
        corpus: Path inside the configured folder; None where it names none.
        graph: A pasted graph; None where there is none.
        upload: Name of a file that was given to the page, which no address can hold.
        sentence: ``::id`` of a sentence, or its number from 1; None stands for the first.
        step: Position of the action to show; None stands for the last.
        variant: Which oracle.
        view: The sentence or the whole corpus.
        edits: Alignments that a person changed.
        unknown_variant: What stands where a variant should, if there is none of that name.
    """

    corpus: str | None = None
    graph: str | None = None
    upload: str | None = None
    sentence: str | None = None
    step: int | None = None
    variant: str = DEFAULT_VARIANT
    view: View = "sentence"
    edits: Edits = field(default_factory=dict)
    unknown_variant: str | None = None


def parse_oracle_link(parameters: Mapping[str, str]) -> OracleLink:
    """Read query parameters; what cannot be read counts as absent."""
    variant = parameters.get("variant", "")
    return OracleLink(
        corpus=parameters.get("corpus") or None,
        graph=parameters.get("graph") or None,
        upload=parameters.get("upload") or None,
        sentence=parameters.get("sentence") or None,
        step=_number(parameters.get("step", "")),
        variant=variant if variant in VARIANTS else DEFAULT_VARIANT,
        view="corpus" if parameters.get("view") == "corpus" else "sentence",
        edits=parse_edits(parameters.get("align", "")),
        unknown_variant=variant[:MAX_NAME] if variant and variant not in VARIANTS else None,
    )


def format_oracle_link(link: OracleLink) -> dict[str, str]:
    """Write query parameters, without those that say nothing."""
    edits = format_edits(link.edits)
    named = {
        "corpus": link.corpus,
        "graph": link.graph,
        "upload": link.upload,
        "sentence": link.sentence,
        "step": link.step,
        "variant": None if link.variant == DEFAULT_VARIANT else link.variant,
        "view": None if link.view == "sentence" else link.view,
        "align": edits if 0 < len(edits) <= MAX_EDITS else None,
    }
    return {name: str(value) for name, value in named.items() if value is not None}


def without_moment(link: OracleLink) -> OracleLink:
    """Leave the step out: another step alone asks for nothing new."""
    return replace(link, step=None)


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


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None
