"""The address of the Compare page: which document, which two versions, which sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from app.addresses.codec import LINE, NAME, TEXT, choice, integer, parameter

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
        person: Who is at work; empty where it does not say.
    """

    view: View = parameter("sentence", choice(get_args(View)))
    document: int | None = parameter(None, integer())
    number: int = parameter(1, integer(least=1))
    first: str = parameter(NOW, NAME)
    second: str = parameter(SILVER, NAME)
    gold: str = parameter("", TEXT)
    person: str = parameter("", LINE)
