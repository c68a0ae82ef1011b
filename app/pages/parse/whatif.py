"""What the canvas asks of the page, and what it is told about branches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.addresses.branch import Path, format_path, parse_path
from app.canvas.trace.narration import states_of
from app.canvas.trace.readable import readable
from app.pages.parse.branches import WHAT_IF_BEAM, Branch, Change, Tree, compare, in_order, trace_at
from aptcore.errors import InputError
from aptcore.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class Ask:
    """A question from the canvas.

    Attributes:
        key: Hash of the trace that it was asked in.
        number: Rises with every question of a session.
        step: Position of the action that was to come.
        action: The action to force there; None where a branch is to be shown.
        path: The branch to show; None where an action is to be forced.
    """

    key: str
    number: int
    step: int
    action: str | None
    path: Path | None


def read_ask(message: object) -> Ask | None:
    """Read the canvas's outbox; None where it holds no question of the agreed form."""
    if not isinstance(message, Mapping):
        return None
    key, number, step = message.get("key"), message.get("number"), message.get("step")
    action, path = message.get("action"), message.get("path")
    if not isinstance(key, str) or not isinstance(number, int | float):
        return None
    if not isinstance(step, int | float):
        return None
    if isinstance(action, str):
        return Ask(key, int(number), int(step), action, None)
    if not isinstance(path, str):
        return None
    try:
        return Ask(key, int(number), int(step), None, parse_path(path))
    except InputError:
        return None


def payload_of_branches(
    tree: Tree, answered: int, refusal: str | None, *, is_decoding: bool
) -> dict[str, Any]:
    """Give the canvas the tree, the comparison with the parent and the last answer.

    Args:
        tree: The branches, and which is shown.
        answered: Number of the last question that was taken.
        refusal: Why it was answered with no; None where it was not.
        is_decoding: Whether its answer is still worked out.

    Returns:
        ``ack``, ``refusal``, ``isDecoding``, ``at`` and ``branches`` (paths as text, with the
        depth, step and action of each), ``compared`` (None in the original) and ``how`` (in
        words).
    """
    shown = next((branch for branch in tree.branches if branch.path == tree.at), None)
    return {
        "ack": answered,
        "refusal": refusal,
        "isDecoding": is_decoding,
        "at": format_path(tree.at),
        "beam": tree.root.beam,
        "branches": [
            {
                "path": format_path(branch.path),
                "depth": len(branch.path),
                "step": branch.path[-1].step,
                "action": _read(branch.trace, branch.path[-1].step),
            }
            for branch in in_order(tree)
        ],
        "compared": None if shown is None else _compared(tree, shown),
    }


def _compared(tree: Tree, shown: Branch) -> dict[str, Any]:
    parent = trace_at(tree, shown.path[:-1]) or tree.root
    difference = compare(parent, shown.trace)
    step = difference.step
    made_by = "beam 1, greedy" if WHAT_IF_BEAM == 1 else f"beam {WHAT_IF_BEAM}"
    other = shown.trace.model.hash != tree.root.model.hash
    by_other = f" by another model, hash {shown.trace.model.hash[:12]}" if other else ""
    return {
        "step": step,
        "was": None if step is None or difference.was is None else _read(parent, step),
        "how": f"The rest was decoded in {shown.seconds:.2f} s ({made_by}){by_other}.",
        "gained": [_texts(change) for change in difference.gained],
        "lost": [_texts(change) for change in difference.lost],
    }


def _read(trace: Trace, step: int) -> str:
    """Write an action of a trace as people read it."""
    return readable(trace.steps[step].action, states_of(trace)[step])


def _texts(change: Change) -> list[str]:
    return [change.source, change.role, change.target]
