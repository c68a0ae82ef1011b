"""Beam search over actions and pointers, on batches of sentences, with exact caching.

Each row of a batch is a hypothesis: a parser state, its reading and its score. One
step of the loop: every row says which labels and positions are legal; the model
scores labels and positions (aptcore.neural.next_actions); the best candidates of each sentence
become its next rows. Greedy search is the same loop with one row for each sentence,
an ensemble the same loop with averaged probabilities.

Source: Zhou and others 2021, appendix B, algorithm 1. Deviations: the final score is
divided by the length (``normalise`` off restores the sum); caps bound the walk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import torch
from torch import Tensor

from aptcore.errors import ConfigurationError
from aptcore.graph.amr import Sentence
from aptcore.neural.cache import StepCache
from aptcore.neural.masks import LabelMasks, Walk, add_step, steps_of, walk_of
from aptcore.neural.model import AptModel, Encoded, Steps
from aptcore.neural.next_actions import DecodingOptions, Hypothesis, NextActions, Setting
from aptcore.neural.padding import Padding, moved
from aptcore.trace.trace import BeamEntry, Progress
from aptcore.transition.actions import Action, ActionSet
from aptcore.transition.guide import Guide
from aptcore.transition.reading import Reading

_COMPACT_BELOW = 0.75
"""Closed sentences leave the batch when no more than this share of it still goes on."""


@dataclass
class _Search:
    """One sentence's hypotheses.

    Attributes:
        rows: Those still going, each at the row of the batch that holds its past.
        closed: Those that have closed.
        watched: Where the steps of the search are written down, if anywhere.
        guide: Who narrows the choice at each step, if anybody.
        progress: Who is told how far the search is, if anybody.
    """

    rows: list[Hypothesis | None]
    closed: list[Hypothesis] = field(default_factory=list)
    watched: list[list[BeamEntry]] | None = None
    guide: Guide | None = None
    progress: Progress | None = None

    def is_done(self, beam: int) -> bool:
        return len(self.closed) >= beam or not any(self.rows)

    def best(self, normalise: bool, forced: int) -> Hypothesis:
        def key(hypothesis: Hypothesis) -> float:
            length = max(1, len(hypothesis.state.actions) - forced)
            return hypothesis.score / length if normalise else hypothesis.score

        return max(self.closed, key=key)


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
        self.setting = Setting.of(masks, options, self.graph_embedding, self.device)

    @torch.inference_mode()
    def decode(
        self,
        sentences: Sequence[Sentence],
        encoded: Sequence[Encoded],
        prefixes: Sequence[Sequence[Action]] | None = None,
        watched: list[list[BeamEntry]] | None = None,
        guides: Sequence[Guide] | None = None,
        progress: Progress | None = None,
    ) -> list[Hypothesis]:
        """Find the best walk of each sentence.

        Args:
            sentences: S sentences, none without tokens.
            encoded: For each model, the S sentences encoded.
            prefixes: Actions forced at the start of each walk, all equally many.
            watched: Where given, each step appends what came up for the first sentence,
                best first.
            guides: Who narrows the choice at each step of each sentence.
            progress: Told after each step what the search of the first sentence has left
                behind.

        Returns:
            The best closed hypothesis of each sentence.

        Raises:
            IllegalActionError: If a prefix is illegal, with its step.
        """
        prefixes = prefixes or [()] * len(sentences)
        if len({len(prefix) for prefix in prefixes}) != 1:
            raise ConfigurationError("the prefixes of one batch must be equally long")
        starts = [self._start(s, p) for s, p in zip(sentences, prefixes, strict=True)]
        forced = moved(steps_of([walk for walk, _ in starts]), self.device)
        searches = [_Search([hypothesis]) for _, hypothesis in starts]
        searches[0].watched, searches[0].progress = watched, progress
        for search, guide in zip(searches, guides or (), strict=False):
            search.guide = guide
        self._search(searches, encoded, forced)
        return [search.best(self.options.normalise, len(prefixes[0])) for search in searches]

    def _start(self, sentence: Sentence, prefix: Sequence[Action]) -> tuple[Walk, Hypothesis]:
        """Read a prefix; the walk ends with the step that predicts the first free action."""
        walk, state, reading = walk_of(
            sentence, prefix, self.masks, self.action_set, self.graph_embedding
        )
        add_step(walk, reading, state)
        return walk, Hypothesis(state, reading)

    def _search(self, searches: list[_Search], encoded: Sequence[Encoded], steps: Steps) -> None:
        for search in searches:
            start = search.rows[0]
            if start is not None and start.state.is_closed:  # the prefix is a whole walk
                search.closed, search.rows = [start], [None]
        caches = [StepCache.start(each) for each in encoded]
        active, rows = list(range(len(searches))), 1
        while not all(search.is_done(self.beam) for search in searches):
            scores = [c.read(m, steps) for m, c in zip(self.models, caches, strict=True)]
            origins = self._extend([searches[index] for index in active], scores)
            going = [n for n, i in enumerate(active) if not searches[i].is_done(self.beam)]
            if not going:
                return
            if rows != self.beam or len(going) <= _COMPACT_BELOW * len(active):
                self._rebuild(caches, origins, going, rows)
                rows = self.beam
                active = [active[n] for n in going]
            else:
                self._follow(caches, origins)
            length = caches[0].past.length + 1
            steps = self._next_steps([searches[index] for index in active], length)

    @property
    def beam(self) -> int:
        """Rows for each sentence."""
        return self.options.beam

    def _next_steps(self, searches: list[_Search], length: int) -> Steps:
        """Give what every row reads; a row without a hypothesis reads the start symbol."""
        idle = Reading(self.idle_id)
        rows = [row for search in searches for row in search.rows]
        readings = [row.reading if row else idle for row in rows]
        cursors = [row.state.cursor if row else 0 for row in rows]
        ids, edge_ids = [r.id for r in readings], [r.edge_id for r in readings]
        columns = torch.tensor([ids, edge_ids, cursors], device=self.device)  # (3, R)
        links = torch.zeros(len(rows) * 2 * length, dtype=torch.bool)
        seen = [part for reading in readings for part in (reading.left, reading.right)]
        places = [number * length + place for number, own in enumerate(seen) for place in own]
        links[places] = True
        links = links.view(-1, 2, 1, length)
        walks = Padding.full(len(rows), 1, self.device)
        return Steps(columns[0], columns[1], columns[2], walks, links.to(self.device))

    def _rebuild(
        self, caches: list[StepCache], origins: list[list[int]], going: list[int], before: int
    ) -> None:
        """Keep the sentences ``going`` alone, with the full number of rows for each."""
        rows = [n * before + origin for n in going for origin in origins[n]]
        row_index = torch.tensor(rows, device=self.device)
        sentences = torch.tensor(going, device=self.device)
        for cache in caches:
            cache.select(row_index, sentences if len(going) < len(origins) else None)

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
            chosen = torch.tensor(places, device=self.device)
            picked = [(logits[chosen], pointer[chosen]) for logits, pointer in scores]
        guides = [search.guide for search in searches for _ in search.rows]
        followed = [guides[place] for place in places]
        options = NextActions(self.setting, live, picked, followed)
        numbers = {place: number for number, place in enumerate(places)}
        best = self._best(len(rows), len(searches), places, live, options)
        origins = []
        for index, search in enumerate(searches):
            first = index * len(search.rows)
            candidates = [
                _Candidate(score, place, numbers[first + place], label)
                for score, place, label in zip(*(part[index] for part in best), strict=True)
                if score > -torch.inf
            ]
            origins.append(self._choose(search, candidates, options))
        return origins

    def _best(
        self,
        num_rows: int,
        num_searches: int,
        places: list[int],
        live: list[Hypothesis],
        options: NextActions,
    ) -> tuple[list[list[float]], list[list[int]], list[list[int]]]:
        """Find the best continuations of each sentence, best first.

        Twice the beam is enough: each row has one label that closes, so at least the
        beam's number of the others goes on.

        Returns:
            For each sentence scores, rows within the sentence, and label ids.
        """
        width = 1 if self.beam == 1 else min(2 * self.beam, options.scores.shape[1])
        values, labels = options.scores.topk(width, dim=1)  # (live, width)
        before = torch.tensor([row.score for row in live], dtype=torch.float64, device=self.device)
        where = torch.tensor(places, device=self.device)
        totals = torch.full((num_rows, width), -torch.inf, dtype=torch.float64, device=self.device)
        totals[where] = before[:, None] + values
        all_labels = torch.zeros(num_rows, width, dtype=torch.long, device=self.device)
        all_labels[where] = labels
        totals = totals.view(num_searches, -1)  # (S, beams * width)
        best, at = totals.topk(width, dim=1)  # (S, width)
        found = all_labels.view(num_searches, -1).gather(1, at)
        return best.tolist(), (at // width).tolist(), found.tolist()

    def _choose(
        self, search: _Search, candidates: list[_Candidate], options: NextActions
    ) -> list[int]:
        """Turn the best candidates into hypotheses; closed ones are set aside.

        The first child of a row stays in its row, so that little has to be copied.
        """
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
        going = [row.state for row in rows if row is not None]
        if search.progress is not None and going:
            search.progress(min(state.cursor for state in going), len(going[0].sentence.tokens))
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
    candidates: list[_Candidate], places: dict[_Candidate, int | None], options: NextActions
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
