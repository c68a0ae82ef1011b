"""What mostly comes next: counts of the model's own walks, looked up without the model.

A guess costs microseconds; about two of three are what the model then takes, and those need
no step of their own. Guesses that fail cost a little time and change nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from aptcore.assets import asset_path
from aptcore.errors import ActionFormatError
from aptcore.neural.parses import Parse
from aptcore.transition.actions import Action, ActionSet, PointerAction, format_label
from aptcore.transition.machine import start
from aptcore.transition.sets import parse_label
from aptcore.transition.state import ParserState, root_place

HABITS_FILE = "habits.json"
_SEPARATOR = "\t"

Guess = tuple[str, int, float]
"""A label; from the end of the items, 1 for the newest, the one that it names, 0 for none; and
how often that comes there, 0..1."""


def situations(state: ParserState) -> Iterator[str]:
    """Give what a guess may be looked up by, the most telling first."""
    sentence, cursor = state.sentence, state.cursor
    words = (*sentence.lemmas[cursor : cursor + 2], "", "")
    before = format_label(state.actions[-1]) if state.actions else ""
    made = state.roots[-1].label if state.num_items_here else ""
    yield _SEPARATOR.join(("word", words[0], before))
    yield _SEPARATOR.join(("next", made, before, words[1]))
    yield _SEPARATOR.join(("made", made, before))
    yield _SEPARATOR.join(("before", before, str(min(2, state.num_items_here))))


@dataclass(frozen=True)
class Habits:
    """What mostly comes next.

    Attributes:
        guesses: By situation.
        actions: The actions of the labels, their pointers left open.
    """

    guesses: Mapping[str, Guess]
    actions: Mapping[str, Action]

    def guess(self, state: ParserState) -> tuple[Action, float] | None:
        """Give the action that mostly comes next, legal or not, and how often it does."""
        found = next(filter(None, map(self.guesses.get, situations(state))), None)
        if found is None:
            return None
        label, back, share = found
        action = self.actions[label]
        if isinstance(action, PointerAction):
            if not 1 <= back <= len(state.roots):
                return None
            action = action.pointing_at(state.roots[-back].position)
        return action, share


def learn_habits(walks: Iterable[Parse], action_set: ActionSet, min_count: int) -> dict[str, Guess]:
    """Count what came next in parses.

    Args:
        walks: The parses.
        action_set: What their actions are of.
        min_count: How often a situation must have come.
    """
    counts: dict[str, Counter[tuple[str, int]]] = {}
    for walk in walks:
        state = start(walk.sentence, action_set)
        for action in walk.actions:
            named = action.position if isinstance(action, PointerAction) else None
            back = 0 if named is None else len(state.roots) - root_place(state, named)
            for situation in situations(state):
                counts.setdefault(situation, Counter())[format_label(action), back] += 1
            state = action.applied(state)
    found = {}
    for situation, taken in sorted(counts.items()):
        total = taken.total()
        if total >= min_count:
            (label, back), count = min(taken.items(), key=lambda pair: (-pair[1], pair[0]))
            found[situation] = label, back, round(count / (total + 1), 2)
    return found


@cache
def shipped_habits(action_set: ActionSet) -> Habits:
    """Give the habits that travel with the program."""
    return read_habits(asset_path(HABITS_FILE).read_text("utf-8"), action_set)


def read_habits(text: str, action_set: ActionSet) -> Habits:
    """Read what :func:`habits_text` writes; labels that an action set lacks are left out."""
    found = json.loads(text)
    labels: list[str] = found["labels"]
    actions = {}
    for label in labels:
        with suppress(ActionFormatError):
            actions[label] = parse_label(label, action_set=action_set)
    guesses = {
        situation: (labels[number], back, share)
        for situation, (number, back, share) in found["guesses"].items()
        if labels[number] in actions
    }
    return Habits(guesses, actions)


def habits_text(guesses: Mapping[str, Guess]) -> str:
    """Write habits as a file: labels by number, a situation on a line."""
    labels = sorted({label for label, _, _ in guesses.values()})
    numbers = {label: number for number, label in enumerate(labels)}
    lines = [
        f"{json.dumps(situation, ensure_ascii=False)}:{json.dumps([numbers[label], back, share])}"
        for situation, (label, back, share) in sorted(guesses.items())
    ]
    return (
        f'{{"labels":{json.dumps(labels, ensure_ascii=False)},\n"guesses":{{\n'
        + ",\n".join(lines)
        + "}}\n"
    )
