"""The address of a moment: sentence, model, branch and step in the query parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.addresses.branch import Path, format_path, parse_path
from app.addresses.codec import NAME, TEXT, Form, damages, integer, parameter
from app.kit.limits import MAX_BEAM
from aptcore.errors import InputError

MODEL_DIGITS = 12
"""How much of a model's hash an address holds, in characters."""

_HASH: Form[str] = Form(lambda text: text if re.fullmatch(r"[0-9A-Za-z+_-]{1,64}", text) else None)


def _branch(text: str) -> Path | None:
    try:
        return parse_path(text) if text else ()
    except InputError:
        return None


@dataclass(frozen=True, slots=True)
class Link:
    """What an address asks for.

    Attributes:
        sentence: The sentence; None where the address names none.
        step: How many actions are taken at the moment to show; None stands for none.
        beam: Beam width, in hypotheses; None stands for the default.
        branch: Actions forced against the model's choice; empty for the original.
        model: Start of the hash of the model it was made with; None where not named.
        run: Name of the training run whose checkpoint is to parse; None for the model that
            the pages were started with.
        checkpoint: Which checkpoint of that run; None for its best.
    """

    sentence: str | None = parameter(None, TEXT)
    step: int | None = parameter(
        None, integer(), damage="its step is no number, so it opens at the start"
    )
    beam: int | None = parameter(
        None,
        integer(1, MAX_BEAM),
        damage=f"its beam is no number from 1 to {MAX_BEAM}, so the usual one is taken",
    )
    branch: Path = parameter(
        (),
        Form(_branch, format_path),
        damage="its branch cannot be read, so the original is shown",
    )
    model: str | None = parameter(
        None,
        _HASH,
        damage="its model is no hash, so it cannot be told which model it was made with",
    )
    run: str | None = parameter(None, NAME)
    checkpoint: str | None = parameter(None, NAME)


def link_problem(parameters: Mapping[str, str]) -> str | None:
    """Say what of an address cannot be read and matters; None where nothing does."""
    problems = damages(Link, parameters)
    return f"This address is damaged: {'; '.join(problems)}." if problems else None
