"""The rows of a batch of searches, and where each of them stands among what models have read.

A slot is a row of a :class:`aptcore.neural.steps.cache.StepCache`. Searches that end make room,
so that the first slots are always all that there are.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from aptcore.neural.next_actions import Hypothesis
from aptcore.neural.steps.cache import StepCache
from aptcore.trace.trace import BeamEntry, Progress
from aptcore.transition.guide import Guide


@dataclass
class SentenceSearch:
    """One sentence's hypotheses.

    Attributes:
        rows: Those still going, best first.
        slots: For each of them the row of the batch that holds its past.
        closed: Those that have closed.
        watched: Where the steps of the search are written down, if anywhere.
        guide: Who narrows the choice at each step, if anybody.
        progress: Who is told how far the search is, if anybody.
    """

    rows: list[Hypothesis]
    slots: list[int]
    closed: list[Hypothesis] = field(default_factory=list)
    watched: list[list[BeamEntry]] | None = None
    guide: Guide | None = None
    progress: Progress | None = None

    def is_done(self, beam: int) -> bool:
        """Tell whether as many walks as the beam is wide have closed, or none goes on."""
        return len(self.closed) >= beam or not self.rows

    def ranked(self, normalise: bool, forced: int) -> list[Hypothesis]:
        """Give the closed walks, best first; ``forced`` of their actions do not count."""

        def key(hypothesis: Hypothesis) -> float:
            length = max(1, len(hypothesis.state.actions) - forced)
            return hypothesis.score / length if normalise else hypothesis.score

        return sorted(self.closed, key=key, reverse=True)


def by_slot(searches: list[SentenceSearch]) -> list[tuple[SentenceSearch, int]]:
    """Give, for each slot, whose row it holds and which of its rows."""
    owners = {slot: (search, nth) for search in searches for nth, slot in enumerate(search.slots)}
    return [owners[slot] for slot in range(len(owners))]


def _closed_up(kept: Collection[int], num_left: int) -> list[tuple[int, int]]:
    """Say which of the kept places go to which gap, so that the first ``num_left`` are all."""
    late = sorted((place for place in kept if place >= num_left), reverse=True)
    gaps = (place for place in range(num_left) if place not in kept)
    return list(zip(late, gaps, strict=True))


def settle(searches: list[SentenceSearch], origins: list[list[int]]) -> list[tuple[int, int]]:
    """Give every row a slot, without a gap; the first that grew from a slot stays in it.

    Returns:
        The slots from and to which walks are copied.
    """
    owners: dict[int, tuple[SentenceSearch, int]] = {}
    born: list[tuple[int, SentenceSearch, int]] = []
    for search, own in zip(searches, origins, strict=True):
        search.slots = list(own)
        for place, slot in enumerate(own):
            if slot in owners:
                born.append((slot, search, place))
            else:
                owners[slot] = search, place
    num_rows = len(owners) + len(born)
    moves = []
    free = (slot for slot in range(num_rows) if slot not in owners)
    for (origin, search, place), slot in zip(born, free, strict=False):
        search.slots[place] = slot
        moves.append((origin, slot))
    taken = {*owners, *(slot for _, slot in moves)}
    for slot, gap in _closed_up(taken, num_rows):
        search, place = owners[slot]
        search.slots[place] = gap
        moves.append((slot, gap))
    return moves


def leave(caches: list[StepCache], going: list[int], num_sentences: int) -> list[int]:
    """Keep the sentences ``going`` alone; gives them in their new order."""
    if len(going) == num_sentences:
        return going
    moves = _closed_up(set(going), len(going))
    for cache in caches:
        cache.move_sentences(moves, len(going))
    came = {gap: sentence for sentence, gap in moves}
    return [came.get(place, place) for place in range(len(going))]
