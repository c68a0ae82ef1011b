"""The scores of single pairs, one after the other or in several processes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Literal

from aptcore.errors import AptamrError, ConfigurationError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.penman import without_wiki
from aptcore.scoring.counts import Counts, Tally
from aptcore.scoring.fine_grained import part_tallies
from aptcore.scoring.mapping import TIME_LIMIT, Match, best_match
from aptcore.scoring.smatch_search import search_match
from aptcore.scoring.triple_graph import TripleGraph, triple_graph

Scorer = Literal["exact", "smatch"]
SCORERS: tuple[Scorer, ...] = ("exact", "smatch")
CHUNKS_PER_PROCESS = 4

Task = tuple[int, AmrGraph, AmrGraph | None]
"""Position, gold graph, predicted graph (None where the prediction failed)."""


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How pairs are scored.

    Attributes:
        scorer: ``exact`` finds the best mapping; ``smatch`` searches as smatch 1.0.4.
        wiki: Count ``:wiki`` triples as well.
        fine_grained: Also score the parts of ``aptcore.scoring.fine_grained``.
        time_limit: Seconds of processor time for one mapping, with ``exact``.
    """

    scorer: Scorer = "exact"
    wiki: bool = False
    fine_grained: bool = False
    time_limit: float = TIME_LIMIT

    def __post_init__(self) -> None:
        if self.scorer not in SCORERS:
            raise ConfigurationError(
                f"no scorer {self.scorer!r}; choose one of {', '.join(SCORERS)}"
            )
        if not self.time_limit >= 0:
            raise ConfigurationError(f"a time limit of {self.time_limit} seconds; give 0 or more")


@dataclass(frozen=True, slots=True)
class PairScore:
    """The score of one pair.

    Attributes:
        position: Place in the lists, from 0.
        id: ``::id`` of the gold graph; empty if it has none.
        tally: Its triples.
        is_failed: True where the prediction failed.
        mapping: Ids of predicted and gold nodes that are partners; nodes with which
            no triple matches are left out.
        num_wiki_removed: ``:wiki`` left out on both sides together.
        parts: The fine-grained parts, where they were asked for.
    """

    position: int
    id: str
    tally: Tally
    is_failed: bool
    mapping: tuple[tuple[str, str], ...] = ()
    num_wiki_removed: int = 0
    parts: Mapping[str, Tally] = field(default_factory=dict)

    @property
    def counts(self) -> Counts:
        """Give the counts of the whole graphs."""
        return self.tally.counts

    @property
    def bound(self) -> int:
        """Give the triples that the best mapping could match at most."""
        return self.tally.bound


def score_pairs(tasks: Sequence[Task], options: ScoringOptions, jobs: int) -> list[PairScore]:
    """Score pairs in order; the number of processes changes nothing but the time.

    Raises:
        ConfigurationError: ``jobs`` is below 1.
        AptamrError: A process ended before its pairs were scored.
    """
    if jobs < 1:
        raise ConfigurationError(f"{jobs} processes cannot score; give 1 or more")
    jobs = min(jobs, len(tasks))
    if jobs <= 1:
        return score_chunk(tasks, options)
    size = -(-len(tasks) // (jobs * CHUNKS_PER_PROCESS))
    chunks = [tasks[start : start + size] for start in range(0, len(tasks), size)]
    context = get_context("spawn")  # forking a process that may run torch's threads can hang
    theirs, ours = context.Pipe(duplex=False)
    with (
        theirs,
        ours,
        ProcessPoolExecutor(jobs, context, initializer=_end_with, initargs=(theirs,)) as pool,
    ):
        try:
            found = pool.map(score_chunk, chunks, [options] * len(chunks))
            return [score for chunk in found for score in chunk]
        except BrokenProcessPool as error:
            raise AptamrError("a process that scores ended before its work was done") from error
        except BaseException:
            ours.close()  # or what is stopped goes on until the pairs under way are scored
            raise


def _end_with(starter: Connection) -> None:
    """End this process once the one that started it closes its end of a pipe, or is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the starter, which ends this one

    def watch() -> None:
        wait([starter])
        os._exit(1)

    threading.Thread(target=watch, name="starter-watch", daemon=True).start()


def score_chunk(tasks: Sequence[Task], options: ScoringOptions) -> list[PairScore]:
    """Score some pairs in this process."""
    return [_score_pair(position, gold, own, options) for position, gold, own in tasks]


def _score_pair(
    position: int, gold: AmrGraph, predicted: AmrGraph | None, options: ScoringOptions
) -> PairScore:
    def match(first: TripleGraph, second: TripleGraph) -> Match:
        if options.scorer == "smatch":
            return search_match(first, second)
        return best_match(first, second, options.time_limit)

    parts: dict[str, Tally] = {}
    if options.fine_grained:
        parts = part_tallies(gold, predicted, match, options.wiki)
    identifier = gold.metadata.get("id", "")
    scored_gold, num_removed = (gold, 0) if options.wiki else without_wiki(gold)
    wanted = triple_graph(scored_gold)
    if predicted is None:
        tally = Tally(Counts(0, 0, wanted.num_triples), 0)
        return PairScore(position, identifier, tally, True, (), num_removed, parts)
    scored, num_own_removed = (predicted, 0) if options.wiki else without_wiki(predicted)
    found = triple_graph(scored)
    result = match(found, wanted)
    return PairScore(
        position,
        identifier,
        Tally(Counts(result.matched, found.num_triples, wanted.num_triples), result.bound),
        False,
        tuple(
            (node.id, gold.nodes[partner].id)
            for node, partner in zip(predicted.nodes, result.mapping, strict=True)
            if partner >= 0
        ),
        num_removed + num_own_removed,
        parts,
    )
