"""What if: the branches of one sentence, each decoded again under other first actions.

A branch is named by its path, the actions that were forced in place of what stood
there, each with its step: ``12:PRED(go-02);20:REDUCE``. The empty path is the
original. Everything up to the last forced action is taken from the branch that it
was forced in, the rest is the model's answer. Steps count from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from app.addresses.branch import MAX_ACTION, MAX_FORCED, Forced, Path
from app.canvas.trace.narration import states_of
from app.canvas.trace.readable import read_action, readable
from aptcore.errors import InputError
from aptcore.trace.snapshot import snapshot_of
from aptcore.trace.trace import Trace
from aptcore.transition.actions import format_action
from aptcore.transition.machine import why_illegal

WHAT_IF_BEAM = 1
"""Beam width of a branch, in hypotheses: greedy, so that the answer comes at once."""


MAX_BRANCHES = 24
"""Branches kept for one sentence; the oldest end of the tree gives way."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A finished branch; ``seconds`` is what its decoding took."""

    path: Path
    trace: Trace
    seconds: float


@dataclass(frozen=True, slots=True)
class Tree:
    """The branches of a sentence.

    Attributes:
        root: The original trace.
        branches: In order of their making; each one's parent is among them or the root.
        at: Path of what is shown.
    """

    root: Trace
    branches: tuple[Branch, ...] = ()
    at: Path = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A triple by its labels; ``concept`` and ``root`` stand as roles without a source."""

    source: str
    role: str
    target: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a branch differs from its parent.

    Attributes:
        step: First step at which their actions differ; None where all are the same.
        was: The parent's action there; None where it had ended.
        gained: Triples of the branch's finished graph that the parent's lacks.
        lost: Triples of the parent's that the branch's lacks.
    """

    step: int | None
    was: str | None
    gained: tuple[Change, ...]
    lost: tuple[Change, ...]


def trace_at(tree: Tree, path: Path) -> Trace | None:
    """Give the trace of a path; None where the tree has no such branch."""
    if not path:
        return tree.root
    return next((branch.trace for branch in tree.branches if branch.path == path), None)


def path_of(tree: Tree, key: str) -> Path | None:
    """Give the path of the trace with a hash, what is shown before others; None if there is none.

    Traces are alike where what was forced is what the model would have done.
    """
    paths = (tree.at, (), *(branch.path for branch in tree.branches))
    found = ((path, trace_at(tree, path)) for path in paths)
    return next((path for path, trace in found if trace is not None and trace.hash == key), None)


def path_with(tree: Tree, step: int, action: str) -> Path:
    """Give the path on which another action is forced in what is shown.

    What was forced at this step or later is left: it stood in another future.

    Raises:
        InputError: If there is no such step, or the action is illegal or stands there already.
        ActionFormatError: If the text is no action.
    """
    trace = trace_at(tree, tree.at) or tree.root
    if not 0 <= step < len(trace.steps):
        raise InputError(f"there is no action {step}: the last one is {len(trace.steps) - 1}")
    if len(action) > MAX_ACTION:
        raise InputError(f"the action has {len(action)} characters; at most {MAX_ACTION} are read")
    before, there = states_of(trace)[step], trace.steps[step]
    wanted = read_action(action, before, [other for other, _ in there.alternatives])
    shown = readable(wanted, before)
    if there.action == wanted:
        raise InputError(f"action {step} is {shown} already: choose another one")
    kept = tuple(forced for forced in tree.at if forced.step < step)
    if kept != tree.at:
        parent = trace_at(tree, kept) or tree.root
        if parent.steps[step].action == wanted:
            raise InputError(
                f"action {step} is {shown} in the branch that this one grew from: choose that "
                "branch in the list"
            )
    if len(kept) >= MAX_FORCED:
        raise InputError(f"a branch holds at most {MAX_FORCED} forced actions")
    reason = None if before is None else why_illegal(before, wanted)
    if reason is not None:
        raise InputError(f"{shown} is not possible here: {reason}")
    return (*kept, Forced(step, format_action(wanted)))


def prefix_of(tree: Tree, path: Path) -> tuple[str, ...]:
    """Give all first actions of a path, the last forced one included.

    Raises:
        InputError: If the branch that it grows from is not there, or ends before its step.
    """
    forced = path[-1]
    parent = trace_at(tree, path[:-1])
    if parent is None or forced.step >= len(parent.steps):
        raise InputError(f"there is no action {forced.step} to replace by {forced.action}")
    kept = (format_action(step.action) for step in parent.steps[: forced.step])
    return (*kept, forced.action)


def grow(tree: Tree, branch: Branch) -> Tree:
    """Add a branch and show it; past the limit the oldest branch without others on it goes."""
    kept = [old for old in tree.branches if old.path != branch.path]
    while len(kept) >= MAX_BRANCHES:
        kept.remove(next(old for old in kept if _is_end(old.path, [*kept, branch])))
    return Tree(tree.root, (*kept, branch), branch.path)


def move(tree: Tree, path: Path) -> Tree:
    """Show a branch that is there; any other path leaves the tree as it is."""
    return tree if trace_at(tree, path) is None else replace(tree, at=path)


def _is_end(path: Path, branches: Iterable[Branch]) -> bool:
    return not any(
        len(other.path) > len(path) and other.path[: len(path)] == path for other in branches
    )


def in_order(tree: Tree) -> list[Branch]:
    """List the branches from top to bottom, each right after what it grows from."""
    return sorted(
        tree.branches, key=lambda branch: [(forced.step, forced.action) for forced in branch.path]
    )


def compare(parent: Trace, branch: Trace) -> Comparison:
    """Compare a branch's actions and finished graph with its parent's.

    Items made before the first different action are the same; of those made later
    two are the same if label and tokens are.
    """
    ours, theirs = ([step.action for step in trace.steps] for trace in (branch, parent))
    if ours == theirs:
        return Comparison(None, None, (), ())
    pairs = zip(ours, theirs, strict=False)
    fewest = min(len(ours), len(theirs))
    step = next((n for n, (one, other) in enumerate(pairs) if one != other), fewest)
    new, old = dict(_facts(branch, step)), dict(_facts(parent, step))
    return Comparison(
        step,
        format_action(theirs[step]) if step < len(theirs) else None,
        tuple(change for fact, change in new.items() if fact not in old),
        tuple(change for fact, change in old.items() if fact not in new),
    )


def _facts(trace: Trace, step: int) -> Iterator[tuple[tuple[Any, ...], Change]]:
    """Give what the finished graph says, with identities that two traces share."""
    nodes, graph = trace.items, snapshot_of(trace)
    known = _identities(trace, step)
    for node, identity in zip(nodes, known, strict=True):
        if not node.is_constant:
            yield ("concept", identity), Change("", "concept", node.label)
    for edge in graph.edges:
        fact = (known[edge.source], edge.role, known[edge.target])
        yield fact, Change(nodes[edge.source].label, edge.role, nodes[edge.target].label)
    if graph.root is not None:
        yield ("root", known[graph.root]), Change("", "root", nodes[graph.root].label)


def _identities(trace: Trace, step: int) -> list[tuple[Any, ...]]:
    """Say for every item what it is in two traces that are alike before a step."""
    seen: Counter[tuple[Any, ...]] = Counter()
    known: list[tuple[Any, ...]] = []
    for item in trace.items:
        if item.step < step:
            known.append(("before", item.key))
            continue
        like = (item.label, item.is_constant, item.tokens)
        known.append(("after", *like, seen[like]))
        seen[like] += 1
    return known
