"""Beam search over actions and pointers, on batches of sentences, with exact caching.

Each row of a batch is a hypothesis: a parser state, its reading and its score. One
step of the loop: every row says which labels and positions are legal; the model
scores labels and positions; an edge scores as its label times its best legal
position; the best candidates of each sentence become its next rows. Greedy search is
the same loop with one row for each sentence, an ensemble the same loop with averaged
probabilities.

Source: Zhou and others 2021, appendix B, algorithm 1. Deviations: each edge label
takes the best position among those legal for that label (``single_pointer`` restores
the paper's one position for all labels); the final score is divided by the length
(``normalise`` off restores the sum); caps bound the walk.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import torch
from torch import Tensor

from aptcore.actions import Action, LeftArc, RightArc
from aptcore.amr import Sentence
from aptcore.cache import StepCache, StepInput, prefill, step
from aptcore.errors import ConfigurationError
from aptcore.machine import ActionSet, ParserState, advance_unchecked, is_legal
from aptcore.masks import (
    NO_LIMITS,
    EdgeChoices,
    LabelMasks,
    Limits,
    Reading,
    Walk,
    add_step,
    decoder_input,
    edge_choices,
    read_action,
    walk_of,
)
from aptcore.model import AptModel, DecoderInput, Encoded


@dataclass(frozen=True, slots=True)
class DecodingOptions:
    """How to search.

    Attributes:
        beam: Hypotheses kept for each sentence; 1 is greedy.
        normalise: Divide the final score by the number of actions.
        single_pointer: Take one position for all edge labels of a step.
        max_items: Item actions at one cursor position; more are not tried.
        actions_per_token: The action cap is this times the tokens, plus ``actions_extra``.
        actions_extra: See above.
    """

    beam: int = 10
    normalise: bool = True
    single_pointer: bool = False
    max_items: int = 8
    actions_per_token: int = 8
    actions_extra: int = 20

    def __post_init__(self) -> None:
        if min(self.beam, self.max_items, self.actions_per_token) < 1:
            raise ConfigurationError("beam and caps are at least 1")

    def max_actions(self, sentence: Sentence) -> int:
        """Give the action cap of a sentence."""
        return self.actions_per_token * len(sentence.tokens) + self.actions_extra


_COMPACT_BELOW = 0.75
"""Closed sentences leave the batch when no more than this share of it still goes on."""

PAPER_OPTIONS = DecodingOptions(normalise=False, single_pointer=True)


@dataclass(frozen=True, slots=True)
class Hypothesis:
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


@dataclass
class _Search:
    """One sentence's hypotheses.

    Attributes:
        rows: Those still going, each at the row of the batch that holds its past.
        closed: Those that have closed.
        watched: Where the steps of the search are written down, if anywhere.
    """

    rows: list[Hypothesis | None]
    closed: list[Hypothesis] = field(default_factory=list)
    watched: list[list[BeamEntry]] | None = None

    def is_done(self, beam: int) -> bool:
        return len(self.closed) >= beam or not any(self.rows)

    def best(self, normalise: bool, forced: int) -> Hypothesis:
        def key(hypothesis: Hypothesis) -> float:
            length = max(1, len(hypothesis.state.actions) - forced)
            return hypothesis.score / length if normalise else hypothesis.score

        return max(self.closed, key=key)


@dataclass(frozen=True, slots=True)
class BeamEntry:
    """A hypothesis that came up at a step of the search, kept or not.

    Attributes:
        action: Its newest action.
        score: Sum of log-probabilities of its actions, forced ones left out.
        parent: Row of the step before that it grew from.
        place: Row that it goes on in; None where it does not.
        status: ``kept``, ``closed`` (finished) or ``pruned``.
    """

    action: Action
    score: float
    parent: int
    place: int | None
    status: Literal["kept", "closed", "pruned"]


class Decoder:
    """Search with one model, or with several whose probabilities are averaged."""

    def __init__(
        self,
        models: Sequence[AptModel],
        masks: LabelMasks,
        action_set: ActionSet,
        options: DecodingOptions,
    ) -> None:
        self.models = models
        self.masks = masks
        self.action_set = action_set
        self.options = options
        self.graph_embedding = models[0].config.graph_embedding
        self.idle_id = models[0].config.start_id
        self.device = models[0].device
        self.left_ids = torch.tensor(masks.left_ids, dtype=torch.long, device=self.device)
        self.right_ids = torch.tensor(masks.right_ids, dtype=torch.long, device=self.device)

    @torch.inference_mode()
    def decode(
        self,
        sentences: Sequence[Sentence],
        encoded: Sequence[Encoded],
        prefixes: Sequence[Sequence[Action]] | None = None,
        watched: list[list[BeamEntry]] | None = None,
    ) -> list[Hypothesis]:
        """Find the best walk of each sentence.

        Args:
            sentences: S sentences, none without tokens.
            encoded: For each model, the S sentences encoded.
            prefixes: Actions forced at the start of each walk, all equally many.
            watched: Where given, each step appends what came up for the first sentence,
                best first.

        Returns:
            The best closed hypothesis of each sentence.

        Raises:
            IllegalActionError: If a prefix is illegal, with its step.
        """
        prefixes = prefixes or [()] * len(sentences)
        if len({len(prefix) for prefix in prefixes}) != 1:
            raise ConfigurationError("the prefixes of one batch must be equally long")
        starts = [self._start(s, p) for s, p in zip(sentences, prefixes, strict=True)]
        inputs = decoder_input([walk for walk, _ in starts], self.device)
        searches = [_Search([hypothesis]) for _, hypothesis in starts]
        searches[0].watched = watched
        self._search(searches, encoded, inputs)
        forced = len(prefixes[0])
        return [search.best(self.options.normalise, forced) for search in searches]

    def _start(self, sentence: Sentence, prefix: Sequence[Action]) -> tuple[Walk, Hypothesis]:
        """Read a prefix; the walk ends with the step that predicts the first free action."""
        walk, state, reading = walk_of(
            sentence, prefix, self.masks, self.action_set, self.graph_embedding
        )
        add_step(walk, reading, state)
        return walk, Hypothesis(state, reading)

    def _search(
        self, searches: list[_Search], encoded: Sequence[Encoded], inputs: DecoderInput
    ) -> None:
        for search in searches:
            start = search.rows[0]
            if start is not None and start.state.is_closed:  # the prefix is a whole walk
                search.closed, search.rows = [start], [None]
        read = [prefill(m, e, inputs) for m, e in zip(self.models, encoded, strict=True)]
        caches = [cache for cache, _, _ in read]
        scores = [(logits, pointer) for _, logits, pointer in read]
        active = list(range(len(searches)))
        while not all(search.is_done(self.beam) for search in searches):
            origins = self._extend([searches[index] for index in active], scores)
            going = [n for n, i in enumerate(active) if not searches[i].is_done(self.beam)]
            if not going:
                return
            if caches[0].beams != self.beam or len(going) <= _COMPACT_BELOW * len(active):
                self._rebuild(caches, origins, going)
                active = [active[n] for n in going]
            else:
                self._follow(caches, origins)
            step_input = self._step_input([searches[index] for index in active])
            scores = [step(m, c, step_input) for m, c in zip(self.models, caches, strict=True)]

    @property
    def beam(self) -> int:
        """Rows for each sentence."""
        return self.options.beam

    def _step_input(self, searches: list[_Search]) -> StepInput:
        """Give what every row reads; a row without a hypothesis reads the start symbol."""
        idle = Reading(self.idle_id)
        rows = [row for search in searches for row in search.rows]
        readings = [row.reading if row else idle for row in rows]
        cursors = [row.state.cursor if row else 0 for row in rows]
        ids, edge_ids = [r.id for r in readings], [r.edge_id for r in readings]
        columns = torch.tensor([ids, edge_ids, cursors], device=self.device)  # (3, R)
        left, right = [r.left for r in readings], [r.right for r in readings]
        return StepInput(columns[0], columns[1], columns[2], left, right)

    def _rebuild(self, caches: list[StepCache], origins: list[list[int]], going: list[int]) -> None:
        """Keep the sentences ``going`` alone, with the full number of rows for each."""
        before = caches[0].beams
        rows = [n * before + origin for n in going for origin in origins[n]]
        row_index = torch.tensor(rows, device=self.device)
        sentences = torch.tensor(going, device=self.device)
        for cache in caches:
            cache.select(row_index, sentences if len(going) < len(origins) else None)
            cache.beams = self.beam

    def _follow(self, caches: list[StepCache], origins: list[list[int]]) -> None:
        """Copy the past of every row whose hypothesis grew from another row."""
        moved = [
            (n * self.beam + origin, n * self.beam + place)
            for n, own in enumerate(origins)
            for place, origin in enumerate(own)
            if origin != place
        ]
        if moved:
            index = torch.tensor(moved, device=self.device)
            for cache in caches:
                cache.copy_rows(index[:, 0], index[:, 1])

    def _extend(
        self, searches: list[_Search], scores: list[tuple[Tensor, Tensor]]
    ) -> list[list[int]]:
        """Grow every search by one action; gives, for each new row, the row it grew from."""
        rows = [row for search in searches for row in search.rows]
        places = [place for place, row in enumerate(rows) if row is not None]
        live = [row for row in rows if row is not None]
        picked = scores
        if len(places) != len(scores[0][0]):
            index = torch.tensor(places, device=self.device)
            picked = [(logits[index], pointer[index]) for logits, pointer in scores]
        options = Options(self, live, picked)
        width = 1 if self.beam == 1 else 2 * self.beam
        best, labels = options.scores.topk(min(width, options.scores.shape[1]), dim=1)
        best_list, label_list = best.tolist(), labels.tolist()
        origins, number = [], 0
        for search in searches:
            candidates = []
            for place, row in enumerate(search.rows):
                if row is None:
                    continue
                candidates += [
                    _Candidate(row.score + value, place, number, label)
                    for value, label in zip(best_list[number], label_list[number], strict=True)
                    if value > -torch.inf
                ]
                number += 1
            origins.append(self._choose(search, candidates, options))
        return origins

    def _choose(self, search: _Search, candidates: list[_Candidate], options: Options) -> list[int]:
        """Turn the best candidates into hypotheses; closed ones are set aside.

        The first child of a row stays in its row, so that little has to be copied.
        """
        candidates.sort(key=lambda candidate: -candidate.score)
        rows: list[Hypothesis | None] = [None] * self.beam
        origins = list(range(self.beam))
        waiting: list[tuple[Hypothesis, _Candidate]] = []
        places: dict[_Candidate, int | None] = {}
        num_live = 0
        for rank, candidate in enumerate(candidates):
            if num_live == self.beam or (self.beam == 1 and rank):
                break
            grown = options.take(candidate.number, candidate.label, candidate.score)
            if grown.state.is_closed:
                if rank < self.beam:
                    search.closed.append(grown)
                    places[candidate] = None
                continue
            num_live += 1
            if rows[candidate.place] is None:
                rows[candidate.place] = grown
                places[candidate] = candidate.place
            else:
                waiting.append((grown, candidate))
        free = (place for place, row in enumerate(rows) if row is None)
        for (grown, candidate), place in zip(waiting, free, strict=False):
            rows[place], origins[place] = grown, candidate.place
            places[candidate] = place
        if search.watched is not None:
            search.watched.append(_entries(candidates, places, options))
        if len(search.rows) < self.beam:
            origins = [min(origin, len(search.rows) - 1) for origin in origins]
        search.rows = rows
        return origins


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A possible next hypothesis: its score, the row it grows from, and its label.

    ``place`` is the row within its sentence, ``number`` the row of Options.
    """

    score: float
    place: int
    number: int
    label: int


def _entries(
    candidates: list[_Candidate], places: dict[_Candidate, int | None], options: Options
) -> list[BeamEntry]:
    """Write down the candidates of a step with what became of each."""
    entries = []
    for candidate in candidates:
        place = places.get(candidate)
        status: Literal["kept", "closed", "pruned"] = "pruned"
        if candidate in places:
            status = "closed" if place is None else "kept"
        action = options.action(candidate.number, candidate.label)
        entries.append(BeamEntry(action, candidate.score, candidate.place, place, status))
    return entries


class Options:
    """What R hypotheses may do next, with the score of each label.

    Attributes:
        label_scores: (R, V) log-probability of each label, pointers left aside; -inf
            where illegal.
        scores: The same with the pointer of every edge label added.
        pointer: For each row, log-probabilities over input positions.
    """

    def __init__(
        self, decoder: Decoder, rows: list[Hypothesis], scores: list[tuple[Tensor, Tensor]]
    ) -> None:
        self.decoder = decoder
        self.rows = rows
        self.choices = [edge_choices(row.state) for row in rows]
        self.hit_caps = [False] * len(rows)
        masks = decoder.masks
        legal = masks.table_on(
            [self._legal_row(number) for number in range(len(rows))], decoder.device
        )  # (R, V)
        for number, choices in enumerate(self.choices):
            for label in masks.exceptions(choices) if choices.taken else ():
                legal[number, label] = False
        self.label_scores = mean_log(
            [logits.masked_fill(~legal, -torch.inf).log_softmax(-1) for logits, _ in scores]
        )  # (R, V)
        self.scores = self.label_scores.clone()
        self.pointer = mean_log([pointer for _, pointer in scores]).tolist()
        self.best: list[dict[tuple[bool, str], int]] = [{} for _ in rows]
        self._add_pointers()

    def _legal_row(self, number: int) -> int:
        """Give the row of legal labels under the caps; without them where they leave nothing."""
        state, options = self.rows[number].state, self.decoder.options
        masks, choices = self.decoder.masks, self.choices[number]
        limits = NO_LIMITS
        if len(state.actions) >= options.max_actions(state.sentence):
            limits = Limits(items=False, edges=False, merge=False)
        elif state.num_items_here >= options.max_items:
            limits = Limits(items=False)
        row = masks.row(state, choices, limits)
        if limits is not NO_LIMITS:
            self.hit_caps[number] = True
            if not masks.row_has_any(row):
                row = masks.row(state, choices, Limits(items=True, edges=False, merge=False))
        return row

    def _add_pointers(self) -> None:
        """Add the best legal position's log-probability to every edge label."""
        left, right = [0.0] * len(self.rows), [0.0] * len(self.rows)
        fixes: list[tuple[int, int, float]] = []
        for number, row in enumerate(self.rows):
            choices = self.choices[number]
            if row.state.is_at_root:
                self._point_to_root(number, fixes)
            elif choices.left or choices.right:
                left[number], right[number] = self._point(number, choices, fixes)
        for ids, values in ((self.decoder.left_ids, left), (self.decoder.right_ids, right)):
            if any(values):
                added = torch.tensor(values, device=self.scores.device)[:, None]
                self.scores[:, ids] += added  # (R, edge labels)
        if fixes:
            where = torch.tensor([fix[:2] for fix in fixes], device=self.scores.device)
            changes = torch.tensor([fix[2] for fix in fixes], device=self.scores.device)
            self.scores[where[:, 0], where[:, 1]] += changes

    def _point_to_root(self, number: int, fixes: list[tuple[int, int, float]]) -> None:
        state = self.rows[number].state
        places = [n for n, item in enumerate(state.roots) if not item.is_constant]
        if places:
            place, value = self._best_of(number, places)
            self.best[number][True, "root"] = place
            fixes.append((number, self.decoder.masks.root_id, value))

    def _point(
        self, number: int, choices: EdgeChoices, fixes: list[tuple[int, int, float]]
    ) -> tuple[float, float]:
        """Point for LA and RA; labels whose best position is taken get a fix."""
        values = {True: 0.0, False: 0.0}
        single = None
        if self.decoder.options.single_pointer:
            single, _ = self._best_of(number, sorted({*choices.left, *choices.right}))
        for is_left, places in ((True, choices.left), (False, choices.right)):
            if places:
                if single is not None:
                    places = tuple(place for place in places if place == single)
                place, values[is_left] = self._best_of(number, places)
                self.best[number][is_left, ""] = place
        for is_left, role in dict.fromkeys((left, role) for left, role, _ in choices.taken):
            rest = choices.of(is_left, role)
            label = self.decoder.masks.edge_id(is_left, role)
            if label is None or (is_left, "") not in self.best[number]:
                continue
            if single is not None:
                rest = [place for place in rest if place == single]
            place, value = self._best_of(number, rest)
            self.best[number][is_left, role] = place
            if values[is_left] > -torch.inf:
                fixes.append((number, label, value - values[is_left]))
        return values[True], values[False]

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
        action = self.decoder.masks.actions[label]
        assert action is not None  # special symbols are never legal
        if isinstance(action, LeftArc | RightArc):
            is_left = isinstance(action, LeftArc)
            best = self.best[number]
            place = best.get((is_left, action.role), best.get((is_left, ""), -1))
            position = self.rows[number].state.roots[place].position
            return type(action)(position, action.role)
        return action

    def entropy(self, number: int) -> float:
        """Give the entropy of a row's distribution over labels, in nats."""
        logs = self.label_scores[number]
        return float(-(logs.exp() * logs.masked_fill(logs == -torch.inf, 0.0)).sum())

    def take(self, number: int, label: int, score: float) -> Hypothesis:
        """Grow a row by the action of a label."""
        row, action = self.rows[number], self.action(number, label)
        reading = read_action(row.reading, row.state, action, label, self.decoder.graph_embedding)
        state = advance_unchecked(row.state, action)
        return Hypothesis(state, reading, score, row.hit_caps or self.hit_caps[number])


def mean_log(parts: Sequence[Tensor]) -> Tensor:
    """Average probabilities given as logarithms."""
    if len(parts) == 1:
        return parts[0]
    return torch.stack(list(parts)).logsumexp(0) - torch.tensor(float(len(parts))).log()


def legal_alternatives(options: Options, number: int, count: int) -> list[tuple[Action, float]]:
    """Give the most probable legal actions of a row with their probabilities."""
    values, labels = options.scores[number].topk(min(count, options.scores.shape[1]))
    found = []
    for value, label in zip(values.tolist(), labels.tolist(), strict=True):
        if value == -torch.inf:
            break
        action = options.action(number, label)
        if is_legal(options.rows[number].state, action):
            found.append((action, math.exp(value)))
    return found
