"""What a hypothesis may do next, and how likely the model finds it.

An edge scores as its label times its best position among those that are legal for
that label; labels with no legal position are out. ``single_pointer`` restores the
paper's one position for all labels of a step.

Source: Zhou and others 2021, appendix B, algorithm 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import torch
from torch import Tensor

from aptcore.errors import ConfigurationError
from aptcore.graph.amr import Sentence
from aptcore.neural.masks import LabelMasks
from aptcore.transition.actions import Action, PointerAction, format_label
from aptcore.transition.arcs import EdgeAction, LeftArc, RightArc
from aptcore.transition.edge_choices import EdgeChoices, edge_choices, narrowed, with_distinct_roles
from aptcore.transition.guide import Guide, Narrowing
from aptcore.transition.items import ItemAction
from aptcore.transition.limits import Limits
from aptcore.transition.moves import Merge, Shift
from aptcore.transition.reading import Reading, read_action
from aptcore.transition.state import ParserState

MAX_BEAM = 100
"""Widest beam, in hypotheses; wider ones gain nothing and take minutes a sentence."""


@dataclass(frozen=True, slots=True)
class DecodingOptions:
    """How to search.

    Attributes:
        beam: Hypotheses kept for each sentence; 1 is greedy.
        margin: Hypotheses that are less likely than the best of their step by more than this,
            in nats, are dropped; infinity keeps as many as the beam is wide.
        normalise: Divide the final score by the number of actions.
        single_pointer: Take one position for all edge labels of a step.
        faithful: Make no constant with a digit that contradicts the digits at the cursor,
            and do not leave the last word while there is no concept.
        listed_frames: Make no frame that PropBank's and AMR's lists lack, unless training
            showed it as a label (aptcore.words.rolesets).
        well_formed: Make nothing that no graph may hold: a concept of signs alone or with a
            full stop at its end, a date or an amount as a string.
        distinct_roles: In a sound action set, give no node a second edge with a role that a node
            has once, such as ``:ARG1`` (aptcore.graph.roles.is_single_role), and no
            constant as its name.
        max_items: Item actions at one cursor position; more are not tried.
        actions_per_token: The action cap is this times the tokens, plus ``actions_extra``.
        actions_extra: See above.
    """

    beam: int = 10
    margin: float = 2.0
    normalise: bool = True
    single_pointer: bool = False
    faithful: bool = True
    listed_frames: bool = True
    well_formed: bool = True
    distinct_roles: bool = True
    max_items: int = 8
    actions_per_token: int = 8
    actions_extra: int = 20

    def __post_init__(self) -> None:
        if min(self.max_items, self.actions_per_token) < 1:
            raise ConfigurationError("the caps of decoding are at least 1")
        if not 1 <= self.beam <= MAX_BEAM:
            raise ConfigurationError(f"the beam is from 1 to {MAX_BEAM} wide, not {self.beam}")

    def max_actions(self, sentence: Sentence) -> int:
        """Give the action cap of a sentence."""
        return self.actions_per_token * len(sentence.tokens) + self.actions_extra


class Hypothesis(NamedTuple):
    """A walk in the making.

    Attributes:
        state: Where it stands.
        reading: What the model reads there.
        score: Sum of log-probabilities of its actions, forced ones left out.
        hit_caps: Whether a cap ruled anything out on the way.
    """

    state: ParserState
    reading: Reading
    score: float = 0.0
    hit_caps: bool = False


@dataclass(frozen=True)
class Setting:
    """What all steps of a search share.

    Attributes:
        masks: Legal labels by situation, and the labels' actions.
        options: How to search.
        limits: What decoding allows where nothing more is ruled out.
        graph_embedding: Whether the models read edges as views of items.
        device: Where the scores lie.
        num_left: Number of LA labels.
        num_right: Number of RA labels.
        edges: Ids of the LA labels, then of the RA labels, on the device, (E,) int64.
        sides: For each of them 0 for LA, 1 for RA, (E,) int64.
    """

    masks: LabelMasks
    options: DecodingOptions
    limits: Limits
    graph_embedding: bool
    device: torch.device
    num_left: int
    num_right: int
    edges: Tensor
    sides: Tensor

    @classmethod
    def of(
        cls,
        masks: LabelMasks,
        options: DecodingOptions,
        graph_embedding: bool,
        device: torch.device,
    ) -> Setting:
        """Put the edge labels onto the device."""
        left, right = masks.ids_of[LeftArc], masks.ids_of[RightArc]
        edges = torch.tensor(left + right, dtype=torch.long, device=device)
        sides = torch.tensor([0] * len(left) + [1] * len(right), dtype=torch.long, device=device)
        limits = Limits(
            faithful=options.faithful,
            rolesets=options.listed_frames,
            well_formed=options.well_formed,
        )
        sizes = len(left), len(right)
        return cls(masks, options, limits, graph_embedding, device, *sizes, edges, sides)


class NextActions:
    """What R hypotheses may do next, with the score of each label.

    Attributes:
        label_scores: (R, V) log-probability of each label, pointers left aside; -inf
            where illegal.
        scores: The same with the pointer of every edge label added.
        pointer: For each row, log-probabilities over input positions.
    """

    def __init__(
        self,
        setting: Setting,
        rows: list[Hypothesis],
        scores: list[tuple[Tensor, Tensor]],
        guides: Sequence[Guide | None] = (),
    ) -> None:
        self.setting = setting
        self.rows = rows
        narrowings = {
            number: narrowing
            for number, (row, guide) in enumerate(zip(rows, guides, strict=False))
            if guide is not None and (narrowing := guide.narrow(row.state)) is not None
        }
        self.choices = [self._edge_choices(row.state) for row in rows]
        for number, narrowing in narrowings.items():
            self.choices[number] = narrowed(rows[number].state, self.choices[number], narrowing)
        self.hit_caps = [False] * len(rows)
        masks = setting.masks
        legal = masks.added(
            [self._legal_row(number) for number in range(len(rows))], setting.device
        )  # (R, V)
        exceptions = [
            (number, label)
            for number, choices in enumerate(self.choices)
            if choices.left_taken or choices.right_taken
            for label in masks.exceptions(choices)
        ]
        if exceptions:
            out, labels = torch.tensor(exceptions, device=setting.device).unbind(1)
            legal[out, labels] = -torch.inf
        self.label_scores = mean_log_softmax([logits for logits, _ in scores], legal)
        self.pointer = mean_log([pointer for _, pointer in scores]).tolist()
        self.best: list[dict[tuple[type[PointerAction], str], int]] = [{} for _ in rows]
        self.scores = self._with_pointers()  # (R, V)
        self.heirs: dict[tuple[int, int], Action] = {}
        for number, narrowing in narrowings.items():
            self._narrow(number, narrowing)

    def _edge_choices(self, state: ParserState) -> EdgeChoices:
        choices = edge_choices(state)
        if not (self.setting.options.distinct_roles and state.action_set.is_sound):
            return choices
        distinct = with_distinct_roles(state, choices)
        if state.is_linked:  # an edge must follow: rather a second one than none
            labels = self.setting.num_left * bool(choices.left)
            labels += self.setting.num_right * bool(choices.right)
            if len(self.setting.masks.exceptions(distinct)) == labels:
                return choices
        return distinct

    def _legal_row(self, number: int) -> int:
        """Give the row of legal labels under the caps; without them where they leave nothing."""
        state, options = self.rows[number].state, self.setting.options
        masks, choices = self.setting.masks, self.choices[number]
        faithful = options.faithful
        is_last = state.cursor + 1 == len(state.sentence.tokens)
        shift = state.num_concepts > 0 or not (faithful and is_last)
        limits = self.setting.limits if shift else self.setting.limits._replace(barred=(Shift,))
        if len(state.actions) >= options.max_actions(state.sentence):
            # what is joined past the last word is bounded by the items
            growing = (ItemAction, Merge) if state.is_at_root else (ItemAction, EdgeAction, Merge)
            limits = limits._replace(barred=limits.barred + growing)
        elif state.num_items_here >= options.max_items:
            limits = limits._replace(barred=(*limits.barred, ItemAction))
        self.hit_caps[number] = ItemAction in limits.barred
        if not shift and ItemAction in limits.barred and state.action_set.is_sound:
            limits = Limits((EdgeAction, Merge, Shift), constants=False)
        row = masks.row(state, choices, limits)
        if not masks.row_has_any(row):  # move on, if anything was made here
            row = masks.row(state, choices, Limits((ItemAction, EdgeAction, Merge)))
        if not masks.row_has_any(row):  # else make something
            row = masks.row(state, choices, Limits((EdgeAction, Merge), faithful))
        return row

    def _with_pointers(self) -> Tensor:
        """Add the best legal position's log-probability to every edge label; gives (R, V)."""
        best = [(0.0, 0.0)] * len(self.rows)
        fixes: list[tuple[int, int, float]] = []
        for number, choices in enumerate(self.choices):
            if choices.left or choices.right:
                best[number] = self._point(number, choices, fixes)
            for kind, places in choices.places.items():
                if not issubclass(kind, EdgeAction):
                    place, value = self._best_of(number, places)
                    self.best[number][kind, ""] = place
                    fixes += [(number, label, value) for label in self.setting.masks.ids_of[kind]]
        device, edges, sides = self.setting.device, self.setting.edges, self.setting.sides
        added = torch.tensor(best, device=device).index_select(1, sides)  # (R, E)
        scores = self.label_scores.index_add(1, edges, added)
        if fixes:
            numbers, labels, changes = zip(*fixes, strict=True)
            where = torch.tensor([numbers, labels], device=device)
            scores[where[0], where[1]] += torch.tensor(changes, device=device)
        return scores

    def _narrow(self, number: int, narrowing: Narrowing) -> None:
        """Rule out what a guide does not want; where that is everything, nothing."""
        vocabulary, before = self.setting.masks.vocabulary, self.scores[number].clone()  # (V,)
        if narrowing.others:
            found = [vocabulary.ids[label] for label in narrowing.labels if label in vocabulary.ids]
            out = torch.zeros_like(before, dtype=torch.bool)
            out[found] = True
        else:
            out = torch.ones_like(before, dtype=torch.bool)
            out[self.setting.edges] = False
        scores = before.masked_fill(out, -torch.inf)  # (V,)
        if narrowing.heir is not None:
            label = vocabulary.encode(format_label(narrowing.heir))
            mass = before[out].logsumexp(0).logaddexp(scores[label])
            if not narrowing.others:  # that of the places that edges may not name goes along
                scores[label] = -torch.inf
                mass = (1.0 - scores.exp().sum()).clamp(min=1e-6).log()
            scores[label] = mass
            self.heirs[number, label] = narrowing.heir
        if bool((scores > -torch.inf).any()):
            self.scores[number] = scores

    def _point(
        self, number: int, choices: EdgeChoices, fixes: list[tuple[int, int, float]]
    ) -> tuple[float, float]:
        """Point for LA and RA; labels whose best position is taken get a fix."""
        values: dict[type[PointerAction], float] = {LeftArc: 0.0, RightArc: 0.0}
        single = None
        if self.setting.options.single_pointer:
            single, _ = self._best_of(number, sorted({*choices.left, *choices.right}))
        best = self.best[number]
        for kind, places, taken in choices.sides():
            if not places:
                continue
            if single is not None:
                places = tuple(place for place in places if place == single)
            place, value = self._best_of(number, places)
            best[kind, ""], values[kind] = place, value
            for role in taken[place] if taken and value > -torch.inf else ():
                label = self.setting.masks.edge_id(kind is LeftArc, role)
                if label is not None:
                    rest = [other for other in places if role not in taken[other]]
                    best[kind, role], second = self._best_of(number, rest)
                    fixes.append((number, label, second - value))
        return values[LeftArc], values[RightArc]

    def _best_of(self, number: int, places: Sequence[int]) -> tuple[int, float]:
        """Give the most likely of some items and its log-probability; -inf for none."""
        positions, pointer = self.rows[number].reading.positions, self.pointer[number]
        best, value = -1, -torch.inf
        for place in places:
            if pointer[positions[place]] > value:
                best, value = place, pointer[positions[place]]
        return best, value

    def action(self, number: int, label: int) -> Action:
        """Give the action of a label for a row, its pointer filled in."""
        if (number, label) in self.heirs:
            return self.heirs[number, label]
        action = self.setting.masks.actions[label]
        assert action is not None  # special symbols are never legal
        if isinstance(action, PointerAction):
            best, kind = self.best[number], type(action)
            place = best.get((kind, action.argument or ""), best.get((kind, ""), -1))
            return action.pointing_at(self.rows[number].state.roots[place].position)
        return action

    def take(self, number: int, label: int, score: float) -> Hypothesis:
        """Grow a row by the action of a label."""
        row, action = self.rows[number], self.action(number, label)
        reading = read_action(row.reading, row.state, action, label, self.setting.graph_embedding)
        state = action.applied(row.state)
        return Hypothesis(state, reading, score, row.hit_caps or self.hit_caps[number])


def mean_log_softmax(parts: Sequence[Tensor], added: Tensor) -> Tensor:
    """Average the probabilities of scores (R, V), which a mask of 0 and -inf is added to.

    Returns:
        Logarithms, (R, V), -inf where the mask is. What no model gives a probability that a
        float can hold has the least that it can.
    """
    if len(parts) == 1:
        return (parts[0] + added).log_softmax(-1)
    total = (parts[0] + added).softmax(-1)
    for part in parts[1:]:
        total += (part + added).softmax(-1)
    least = torch.finfo(total.dtype).tiny
    return total.div_(len(parts)).clamp_(min=least).log_().add_(added)


def mean_log(parts: Sequence[Tensor]) -> Tensor:
    """Average probabilities given as logarithms."""
    if len(parts) == 1:
        return parts[0]
    return reduce(torch.logaddexp, parts) - math.log(len(parts))
