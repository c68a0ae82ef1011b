"""The address of a moment: sentence, model, branch and step in the query parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.addresses.branch import Path, format_path, parse_path
from app.kit.limits import MAX_BEAM
from aptcore.errors import InputError

MODEL_DIGITS = 12
"""How much of a model's hash an address holds, in characters."""

_MODEL = re.compile(r"[0-9A-Za-z+_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Link:
    """What an address asks for.

    Attributes:
        sentence: The sentence; None where the address names none.
        step: Position of the action to show; None stands for the last.
        beam: Beam width, in hypotheses; None stands for the default.
        branch: Actions forced against the model's choice; empty for the original.
        model: Start of the hash of the model it was made with; None where not named.
        run: Name of the training run whose checkpoint is to parse; None for the model that
            the pages were started with.
        checkpoint: Which checkpoint of that run; None for its best.
    """

    sentence: str | None = None
    step: int | None = None
    beam: int | None = None
    branch: Path = ()
    model: str | None = None
    run: str | None = None
    checkpoint: str | None = None


def parse_link(parameters: Mapping[str, str]) -> Link:
    """Read query parameters; what cannot be read counts as absent."""
    beam = _number(parameters.get("beam"))
    model = parameters.get("model", "")
    return Link(
        sentence=parameters.get("sentence"),
        step=_number(parameters.get("step")),
        beam=beam if beam is not None and 1 <= beam <= MAX_BEAM else None,
        branch=_branch(parameters) or (),
        model=model if _MODEL.fullmatch(model) else None,
        run=parameters.get("run") or None,
        checkpoint=parameters.get("checkpoint") or None,
    )


def link_problem(parameters: Mapping[str, str]) -> str | None:
    """Say what of an address cannot be read and matters; None where nothing does."""
    problems = []
    step, beam, model = (parameters.get(name) for name in ("step", "beam", "model"))
    if step is not None and _number(step) is None:
        problems.append("its step is no number, so the last action is shown")
    if beam is not None and not 1 <= (_number(beam) or 0) <= MAX_BEAM:
        problems.append(f"its beam is no number from 1 to {MAX_BEAM}, so the usual one is taken")
    if model and not _MODEL.fullmatch(model):
        problems.append("its model is no hash, so it cannot be told which model it was made with")
    if _branch(parameters) is None:
        problems.append("its branch cannot be read, so the original is shown")
    return f"This address is damaged: {'; '.join(problems)}." if problems else None


def format_link(link: Link) -> dict[str, str]:
    """Write query parameters, without those that say nothing."""
    named = {
        "sentence": link.sentence,
        "step": link.step,
        "beam": link.beam,
        "branch": format_path(link.branch) or None,
        "model": link.model,
        "run": link.run,
        "checkpoint": link.checkpoint,
    }
    return {name: str(value) for name, value in named.items() if value is not None}


def without_step(link: Link) -> Link:
    """Leave the step out: another step alone asks for nothing new."""
    return replace(link, step=None)


def _branch(parameters: Mapping[str, str]) -> Path | None:
    """Read the branch; None where it cannot be read."""
    text = parameters.get("branch", "")
    try:
        return parse_path(text) if text else ()
    except InputError:
        return None


def _number(text: str | None) -> int | None:
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 9:
        return None
    return int(text)
