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

import sys
from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from aptcore.errors import ConfigurationError
from aptcore.graph.amr import Sentence
from aptcore.neural.masks import LabelMasks, Walk, add_step, steps_of, walk_of
from aptcore.neural.model import AptModel, Encoded, Steps
from aptcore.neural.next_actions import DecodingOptions, Hypothesis, NextActions, Setting
from aptcore.neural.padding import Padding, moved
from aptcore.neural.searches import SentenceSearch, by_slot, leave, settle
from aptcore.neural.steps.cache import StepCache
from aptcore.neural.steps.next_steps import NextSteps
from aptcore.neural.steps.stepper import Stepper
from aptcore.trace.trace import BeamEntry, Progress
from aptcore.transition.actions import Action, ActionSet
from aptcore.transition.guide import Guide

_Candidate = tuple[float, int, int]
"""A score, a row within its sentence, and a label."""


class Decoder:
    """Search with one model, or with several whose probabilities are averaged."""

    def __init__(
        self,
        models: Sequence[AptModel],
        masks: LabelMasks,
        action_set: ActionSet,
        options: DecodingOptions,
        steppers: Sequence[Stepper] | None = None,
    ) -> None:
        """Search with models; ``steppers`` are theirs, made here where left out."""
        self.models = models
        self.masks = masks
        self.action_set = action_set
        self.options = options
        self.steppers = steppers or [Stepper(model) for model in models]
        self.config = models[0].config
        self.device = models[0].device
        self.setting = Setting.of(masks, options, self.config.graph_embedding, self.device)

    def decode(
        self,
        sentences: Sequence[Sentence],
        encoded: Sequence[Encoded],
        prefixes: Sequence[Sequence[Action]] | None = None,
        watched: list[list[BeamEntry]] | None = None,
        guides: Sequence[Guide] | None = None,
        progress: Progress | None = None,
    ) -> list[Hypothesis]:
        """Find the best walk of each sentence; see :meth:`decode_all`."""
        found = self.decode_all(sentences, encoded, prefixes, watched, guides, progress)
        return [ranked[0] for ranked in found]

    @torch.inference_mode()
    def decode_all(
        self,
        sentences: Sequence[Sentence],
        encoded: Sequence[Encoded],
        prefixes: Sequence[Sequence[Action]] | None = None,
        watched: list[list[BeamEntry]] | None = None,
        guides: Sequence[Guide] | None = None,
        progress: Progress | None = None,
    ) -> list[list[Hypothesis]]:
        """Find the best walks of each sentence.

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
            The closed hypotheses of each sentence, best first, at least one.

        Raises:
            IllegalActionError: If a prefix is illegal, with its step.
        """
        prefixes = prefixes or [()] * len(sentences)
        if len({len(prefix) for prefix in prefixes}) != 1:
            raise ConfigurationError("the prefixes of one batch must be equally long")
        starts = [self._start(s, p) for s, p in zip(sentences, prefixes, strict=True)]
        searches = [SentenceSearch([hypothesis], []) for _, hypothesis in starts]
        searches[0].watched, searches[0].progress = watched, progress
        for search, guide in zip(searches, guides or (), strict=False):
            search.guide = guide
        for search in searches:
            if search.rows[0].state.is_closed:  # the prefix is a whole walk
                search.closed, search.rows = search.rows, []
        order = [number for number, search in enumerate(searches) if search.rows]
        order.sort(key=lambda number: -len(sentences[number].tokens))  # like beside like
        if order:
            if order != list(range(len(searches))):
                at = torch.tensor(order, device=self.device)
                encoded = [each.mapped(lambda t: t.index_select(0, at)) for each in encoded]
            forced = moved(steps_of([starts[number][0] for number in order]), self.device)
            self._search([searches[number] for number in order], encoded, forced)
        return [search.ranked(self.options.normalise, len(prefixes[0])) for search in searches]

    def _start(self, sentence: Sentence, prefix: Sequence[Action]) -> tuple[Walk, Hypothesis]:
        """Read a prefix; the walk ends with the step that predicts the first free action."""
        walk, state, reading = walk_of(
            sentence, prefix, self.masks, self.action_set, self.config.graph_embedding
        )
        add_step(walk, reading, state)
        return walk, Hypothesis(state, reading)

    def _search(
        self, searches: list[SentenceSearch], encoded: Sequence[Encoded], steps: Steps
    ) -> None:
        """Go on until every search is done; each has one row, in order."""
        for slot, search in enumerate(searches):
            search.slots = [slot]
        caches = [StepCache.start(e, s) for e, s in zip(encoded, self.steppers, strict=True)]
        read = zip(self.models, caches, encoded, strict=True)
        scores = [cache.read(model, each, steps) for model, cache, each in read]
        while True:
            origins = self._extend(searches, scores)
            going = [n for n, search in enumerate(searches) if not search.is_done(self.beam)]
            if not going:
                return
            moves = settle([searches[n] for n in going], [origins[n] for n in going])
            for cache in caches if moves else ():
                cache.copy_walks(moves)
            searches = [searches[n] for n in leave(caches, going, len(searches))]
            step = self._next_step(searches)
            scores = [c.step(s, step) for s, c in zip(self.steppers, caches, strict=True)]

    @property
    def beam(self) -> int:
        """Rows for each sentence."""
        return self.options.beam

    def _next_step(self, searches: list[SentenceSearch]) -> NextSteps:
        """Give what every row reads, by slot."""
        rows = [search.rows[nth] for search, nth in by_slot(searches)]
        sizes = [len(search.rows[0].state.sentence.tokens) + 1 for search in searches]
        read = [(row.reading, row.state.cursor) for row in rows]
        sentences = self._among_sentences(searches)
        return NextSteps.of(read, sizes, self.config, self.device, sentences)

    def _among_sentences(self, searches: list[SentenceSearch]) -> Padding | None:
        """Say where the rows stand among the sentences; None for one of each, in order."""
        slots = [search.slots for search in searches]
        if all(own == [place] for place, own in enumerate(slots)):
            return None
        return Padding.among(slots, self.device)

    def _extend(
        self, searches: list[SentenceSearch], scores: list[tuple[Tensor, Tensor]]
    ) -> list[list[int]]:
        """Grow every search by one action; gives, for each new row, the slot it grew from."""
        slots = by_slot(searches)
        live = [search.rows[nth] for search, nth in slots]
        guides = [search.guide for search, _ in slots]
        options = NextActions(self.setting, live, scores, guides if any(guides) else ())
        if self.beam == 1:  # each search has one row
            found = _likeliest(searches, options)
        else:
            size = max(len(search.rows) for search in searches)
            first = {id(search): index * size for index, search in enumerate(searches)}
            places = [first[id(search)] + nth for search, nth in slots]
            found = self._best(len(searches) * size, len(searches), places, options)
        return [self._choose(*own, options) for own in zip(searches, found, strict=True)]

    def _best(
        self, num_places: int, num_searches: int, places: list[int], options: NextActions
    ) -> list[list[_Candidate]]:
        """Find the best continuations of each sentence, best first.

        Twice the beam is enough: each row has one label that closes, so at least the
        beam's number of the others goes on.

        Args:
            num_places: Rows, with those that some sentences lack.
            num_searches: Sentences.
            places: The place of each row of ``options`` among them.
            options: What the rows may do.
        """
        width = min(2 * self.beam, options.scores.shape[1])
        before = [row.score for row in options.rows]
        values, labels = options.scores.topk(width, dim=1)  # (R, width)
        totals = torch.tensor(before, dtype=torch.float64, device=self.device)[:, None] + values
        where = torch.tensor(places, device=self.device)
        by_place = totals.new_full((num_places, width), -torch.inf).index_copy_(0, where, totals)
        all_labels = labels.new_zeros(num_places, width).index_copy_(0, where, labels)
        by_place = by_place.view(num_searches, -1)  # (S, rows * width)
        best, at = by_place.topk(width, dim=1)  # (S, width)
        chosen = all_labels.view(num_searches, -1).gather(1, at)
        found = zip(best.tolist(), (at // width).tolist(), chosen.tolist(), strict=True)
        return [list(zip(*own, strict=True)) for own in found]

    def _choose(
        self, search: SentenceSearch, found: list[_Candidate], options: NextActions
    ) -> list[int]:
        """Turn the best candidates into hypotheses.

        Closed ones are set aside. Gives the slot that each of the others grew from.
        """
        rows: list[Hypothesis] = []
        origins: list[int] = []
        fates: list[tuple[int | None, Literal["kept", "closed", "pruned"]]] = []
        least = max(found[0][0] - self.options.margin, -sys.float_info.max)
        for rank, (score, row, label) in enumerate(found):
            if score < least or len(rows) == self.beam:
                break
            slot = search.slots[row]
            grown = options.take(slot, label, score)
            if not grown.state.is_closed:
                fates.append((len(rows), "kept"))
                rows.append(grown)
                origins.append(slot)
            elif rank < self.beam:
                fates.append((None, "closed"))
                search.closed.append(grown)
            else:
                fates.append((None, "pruned"))
        if search.watched is not None:
            search.watched.append(_entries(found, fates, search.slots, options))
        search.rows = rows
        if search.progress is not None and rows:
            cursor = min(row.state.cursor for row in rows)
            search.progress(cursor, len(rows[0].state.sentence.tokens))
        return origins


def _likeliest(searches: list[SentenceSearch], options: NextActions) -> list[list[_Candidate]]:
    """Give the one best continuation of each sentence, which has one row."""
    values, labels = (part.tolist() for part in options.scores.max(1))  # (R,) each
    slots = [(search, slot) for search in searches for slot in search.slots]
    return [[(search.rows[0].score + values[slot], 0, labels[slot])] for search, slot in slots]


def _entries(
    found: list[_Candidate],
    fates: list[tuple[int | None, Literal["kept", "closed", "pruned"]]],
    slots: list[int],
    options: NextActions,
) -> list[BeamEntry]:
    """Write down the candidates of a step with what became of each."""
    entries = []
    for rank, (score, row, label) in enumerate(found):
        if score == -torch.inf:
            break
        place, status = fates[rank] if rank < len(fates) else (None, "pruned")
        entries.append(BeamEntry(options.action(slots[row], label), score, row, place, status))
    return entries
