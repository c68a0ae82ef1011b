"""The address of the Compare page: which document, which two versions, which sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

View = Literal["sentence", "agreement"]
NOW, SILVER, GOLD, COPY = "now", "silver", "gold", "copy "
"""Names of versions: as it is now, as imported, gold, and ``copy PERSON``."""


@dataclass(frozen=True, slots=True)
class CompareLink:
    """What an address asks for.

    Attributes:
        view: One sentence, or how well the versions agree.
        document: Number of a document; None for the first.
        number: Sentence within the document, from 1.
        first: The version that is looked at.
        second: What it is compared with.
        gold: Path of gold graphs inside the configured folder; empty for none.
    """

    view: View = "sentence"
    document: int | None = None
    number: int = 1
    first: str = NOW
    second: str = SILVER
    gold: str = ""


def parse_compare_link(parameters: Mapping[str, str]) -> CompareLink:
    """Read query parameters; what cannot be read counts as absent."""
    number = _number(parameters.get("number", ""))
    return CompareLink(
        view="agreement" if parameters.get("view") == "agreement" else "sentence",
        document=_number(parameters.get("document", "")),
        number=number or 1,
        first=parameters.get("first") or NOW,
        second=parameters.get("second") or SILVER,
        gold=parameters.get("gold", ""),
    )


def format_compare_link(link: CompareLink) -> dict[str, str]:
    """Write query parameters, without those that say nothing."""
    named = {
        "view": "" if link.view == "sentence" else link.view,
        "document": "" if link.document is None else str(link.document),
        "number": "" if link.number == 1 else str(link.number),
        "first": "" if link.first == NOW else link.first,
        "second": "" if link.second == SILVER else link.second,
        "gold": link.gold,
    }
    return {name: value for name, value in named.items() if value}


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None
