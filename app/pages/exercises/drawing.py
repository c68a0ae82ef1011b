"""What the canvas draws of a play."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.canvas.edges import join, numbered
from app.canvas.layout import DrawnNode, PlacedEdge, PlacedNode
from app.canvas.payload import Payload, box_payload, flags, line_payload
from app.canvas.trace.drawing import columns_of
from app.canvas.trace.packing import Numbers
from app.canvas.trace.readable import readable
from app.lessons.lesson import Lesson
from app.pages.exercises.feedback import without_advice
from app.pages.exercises.layout import GoalLayout, place_strangers
from app.pages.exercises.play import Play, states_of
from aptcore.graph.penman import format_penman
from aptcore.oracle.goal import Assignment, Goal, assignment
from aptcore.trace.making import step_of
from aptcore.trace.trace import Step
from aptcore.transition.actions import PointerAction, format_action
from aptcore.transition.building import item_names
from aptcore.transition.machine import start
from aptcore.transition.moves import Shift
from aptcore.transition.state import ItemKey, ParserState

NEVER = 1_000_000
"""The moment of what was not made: past every walk."""


def payload_of_play(play: Play, layout: GoalLayout) -> Payload:
    """Give the canvas everything it needs to show a play and to go back and forth in it.

    Args:
        play: The play.
        layout: Of its lesson's goal.

    Returns:
        As :func:`app.canvas.trace.drawing.payload_of`. What the goal has and the walk did not
        make is there too, at the moment ``NEVER``.
    """
    states = states_of(play)
    moments = [_moment(state) for state in states]
    texts, rules = Numbers(), Numbers()
    drawn = _Drawn(play, states[-1], layout)
    document = repr((play.lesson.document, [taken.action for taken in play.walk]))
    return {
        "key": short_hash(document),
        "start": play.at,
        "tokens": list(play.lesson.sentence.tokens),
        "kinds": [kind for kind, _ in moments[0].legal],
        "steps": _steps(play, states, moments, texts, rules),
        "rules": [list(rule) for rule in rules],
        "nodes": drawn.nodes,
        "edges": drawn.edges,
        "triples": drawn.triples,
        "repairs": [],
        "width": drawn.width,
        "height": drawn.height,
        "penman": _goal_text(play.lesson),
        "texts": list(texts),
        "cut": "",
        "unscored": True,
    }


def _goal_text(lesson: Lesson) -> str:
    if not lesson.is_goal_shown:
        return "This lesson does not show its goal."
    return format_penman(lesson.goal.graph, metadata=False)


def short_hash(text: str) -> str:
    """Give a key for a text, 16 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _steps(
    play: Play,
    states: Sequence[ParserState],
    moments: Sequence[Step],
    texts: Numbers,
    rules: Numbers,
) -> Payload:
    actions = [taken.action for taken in play.walk]
    return {
        **columns_of(moments, texts, rules),
        "action": [texts.of(format_action(action)) for action in actions],
        "shown": [texts.of(readable(*pair)) for pair in zip(actions, states, strict=False)],
        "points": [*(int(isinstance(action, PointerAction)) for action in actions), 0],
        "say": [""] * len(moments),
    }


def _moment(state: ParserState) -> Step:
    """Write a moment down whose action is yet to come."""
    step = step_of(state, Shift())
    legal = tuple((kind, reason and without_advice(reason)) for kind, reason in step.legal)
    return replace(step, span_start=min(state.span_start, state.cursor), legal=legal)


class _Drawn:
    """The nodes, edges and triples of a walk's last state, and the rest of the goal."""

    def __init__(self, play: Play, state: ParserState, layout: GoalLayout) -> None:
        self.goal = play.lesson.goal
        self.state = state
        self.layout = layout
        self.names = item_names(state)
        self.gold = best_assignment(self.goal, state)
        made = {name: key for key, name in self.gold.items()}
        strangers = [item for item in state.items if item.key not in self.gold]
        self.width, self.height, below = place_strangers(
            layout.layout, [DrawnNode(item.label, item.is_constant) for item in strangers]
        )
        self.places: dict[ItemKey, int] = {}
        self.boxes: list[PlacedNode] = []
        self.nodes: list[Payload] = []
        for name, box in zip(layout.names, layout.layout.nodes, strict=True):
            key = made.get(name)
            if key is None and not play.lesson.is_goal_shown:
                continue
            is_constant, label = self.goal.labels[name]
            self._add(key, name, label, is_constant, box, is_goal=True)
        for item, box in zip(strangers, below, strict=True):
            self._add(item.key, "", item.label, item.is_constant, box, is_goal=False)
        self.edges = self._all_edges()
        self.triples = self._all_triples()

    def _add(
        self,
        key: ItemKey | None,
        name: str,
        label: str,
        is_constant: bool,
        box: PlacedNode,
        *,
        is_goal: bool,
    ) -> None:
        if key is not None:
            self.places[key] = len(self.nodes)
        self.boxes.append(box)
        self.nodes.append(
            {
                "step": NEVER if key is None else key[0] + 1,
                "name": f"goal-{name}" if key is None else self.names[key],
                "label": label,
                **flags(
                    constant=is_constant,
                    inside=key is not None and key[1] > 0,
                    root=key is not None and key == (self.state.root, 0),
                    goal=is_goal,
                ),
                **box_payload(box),
            }
        )

    def _all_edges(self) -> list[Payload]:
        steps: dict[tuple[str, str, str], int] = {}
        strange = []
        for edge in self.state.edges:
            ends = self.gold.get(edge.source), self.gold.get(edge.target)
            triple = (ends[0] or "", edge.role, ends[1] or "")
            if edge.role in self.goal.links.get((triple[0], triple[2]), ()):
                steps[triple] = edge.made_by + 1
            else:
                strange.append(edge)
        numbers = {name: number for number, name in enumerate(self.layout.names)}
        known: dict[frozenset[int], int] = {}
        found = []
        for triple, placed in zip(self.layout.edges, self.layout.layout.edges, strict=True):
            source, target = numbers[triple[0]], numbers[triple[2]]
            ends_here = frozenset((source, target))
            known[ends_here] = known.get(ends_here, 0) + 1
            step = steps.get(triple, NEVER)
            found.append(_edge(step, source, triple[1], target, placed) | {"goal": True})
        pairs = [(self.places[edge.source], self.places[edge.target]) for edge in strange]
        for edge, pair, number in zip(strange, pairs, numbered(pairs, known), strict=True):
            placed = join(self.boxes[pair[0]], self.boxes[pair[1]], number)
            found.append(_edge(edge.made_by + 1, pair[0], edge.role, pair[1], placed))
        return found

    def _all_triples(self) -> list[list[Any]]:
        constants = {item.key: item.label for item in self.state.items if item.is_constant}
        rows: list[list[Any]] = [
            [item.position + 1, self.names[item.key], ":instance", item.label, 0]
            for item in self.state.items
            if not item.is_constant
        ]
        for edge in self.state.edges:
            target = constants.get(edge.target, self.names[edge.target])
            rows.append([edge.made_by + 1, self.names[edge.source], edge.role, target, 0])
        if self.state.root is not None:
            rows.append([len(self.state.actions), self.names[self.state.root, 0], "root", "", 0])
        return sorted(rows, key=lambda row: row[0])


def _edge(step: int, source: int, role: str, target: int, placed: PlacedEdge) -> Payload:
    return {
        "step": step,
        "source": source,
        "role": role,
        "target": target,
        **line_payload(placed),
    }


def best_assignment(goal: Goal, state: ParserState) -> Assignment:
    """Find gold items for as much of a state as fits: of the longest walk that does."""
    state_before = start(state.sentence, state.action_set)
    best: Assignment = {}
    for action in state.actions:
        state_before = action.applied(state_before)
        found = assignment(goal, state_before)
        if found is None:
            return best
        best = found
    return best
