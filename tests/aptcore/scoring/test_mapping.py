"""The best mapping: against trying all, against an independent program, against itself."""

from __future__ import annotations

import itertools
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from aptcore.graph.corpus import read_corpus
from aptcore.graph.layout import INSTANCE, TOP
from aptcore.graph.penman import parse_penman, read_penman
from aptcore.scoring import mapping
from aptcore.scoring.mapping import Match, best_match
from aptcore.scoring.node_pairs import NodePairs
from aptcore.scoring.pair_bounds import Bounded
from aptcore.scoring.triple_graph import TripleGraph, triple_graph

NUM_RANDOM_PAIRS = 2_000
NUM_REAL_PAIRS = 200

CORPORA = (
    "bio/alignment-release-bio-training-2015-05.txt",
    "bio/amr-release-dev-bio.txt",
    "bio/amr-release-bio-v3.0.part.txt",
    "bio/amr-release-training-bio.first838.txt",
    "bio/bio-bel-2015-draft-aligned.txt",
    "emory-dialogue/amr_dialogue_corpus.train.penman",
    "grapes/grapes-corpus.part.txt",
    "guidelines/amr-guidelines-1.2.6.part.txt",
    "legal-amr/civilcode.train.txt",
    "little-prince/v1.6/amr-bank-struct-v1.6-dev.txt",
    "little-prince/v1.6/amr-bank-struct-v1.6-training.txt",
    "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt",
    "little-prince/v3.0/amr-bank-struct-v3.0-training.txt",
    "massive-amr/massive_amr.en.train.txt",
    "minecraft-spatial/minecraft.utterances.train.txt",
    "qald9-amr/qald-9-amr-test.part.txt",
    "qald9-amr/qald-9-amr-train.txt",
    "scout/Dialogue-AMR.train.txt",
    "scout/Standard-AMR.train.txt",
    "silver-sick/sick.silver.txt",
    "wiki25/wiki25.jkaln",
)
"""Every file of free graphs; the aligned copies of two Bio files hold the same graphs."""


def count_matched(first: TripleGraph, second: TripleGraph, mapping: tuple[int, ...]) -> int:
    """Count the triples that are equal under a mapping (-1: no partner)."""
    labels = sum(
        (mapping[node], role, value) in second.labels for node, role, value in first.labels
    )
    return labels + sum(
        (mapping[source], role, mapping[target]) in second.links
        for source, role, target in first.links
    )


def random_graph(generator: random.Random) -> TripleGraph:
    """Give a graph of up to six nodes with few labels, so that much is alike."""
    size = generator.randint(1, 6)
    nodes, words, roles = range(size), "xyz"[: generator.randint(1, 3)], (":ARG0", ":mod")
    labels = {(node, INSTANCE, generator.choice(words)) for node in nodes}
    for _ in range(generator.randint(0, 3)):
        labels.add((generator.choice(nodes), generator.choice(roles), generator.choice(words)))
    labels.add((generator.choice(nodes), TOP, ""))
    links = {
        (generator.choice(nodes), generator.choice(roles), generator.choice(nodes))
        for _ in range(generator.randint(0, 9))
    }
    return TripleGraph(size, frozenset(labels), frozenset(links))


@cache
def all_mappings(num_first: int, num_second: int) -> np.ndarray:
    """List all mappings, (mappings, num_first); -1 where a node has no partner."""
    places = [*range(num_second), *[-1] * num_first]
    return np.array(sorted(set(itertools.permutations(places, num_first))))


def best_by_trying_all(first: TripleGraph, second: TripleGraph) -> int:
    mappings = all_mappings(first.num_nodes, second.num_nodes)
    matched = np.zeros(len(mappings), dtype=int)
    for node, role, value in first.labels:
        partners = [n for n, r, v in second.labels if (r, v) == (role, value)]
        matched += np.isin(mappings[:, node], partners)
    for source, role, target in first.links:
        for other_source, other_role, other_target in second.links:
            if other_role == role:
                is_source = mappings[:, source] == other_source
                matched += is_source & (mappings[:, target] == other_target)
    return int(matched.max())


@pytest.mark.parametrize("part", range(4))
def test_the_best_mapping_is_what_trying_all_finds(part: int) -> None:
    generator = random.Random(part)
    for _ in range(NUM_RANDOM_PAIRS // 4):
        first, second = random_graph(generator), random_graph(generator)
        match = best_match(first, second)
        assert match.is_proven
        assert match.matched == best_by_trying_all(first, second), (first, second)
        assert count_matched(first, second, match.mapping) == match.matched


def shuffled(graph: TripleGraph, seed: int) -> TripleGraph:
    """Give the same graph with its nodes in another order."""
    order = list(range(graph.num_nodes))
    random.Random(seed).shuffle(order)
    return TripleGraph(
        graph.num_nodes,
        frozenset((order[node], role, value) for node, role, value in graph.labels),
        frozenset((order[source], role, order[target]) for source, role, target in graph.links),
    )


def test_a_graph_with_itself_is_one_whatever_the_order_of_its_nodes() -> None:
    generator = random.Random(5)
    for seed in range(200):
        graph = random_graph(generator)
        match = best_match(graph, shuffled(graph, seed))
        assert match.matched == match.bound == graph.num_triples


def test_a_mapping_is_one_to_one_and_the_same_every_time() -> None:
    generator = random.Random(6)
    for _ in range(200):
        first, second = random_graph(generator), random_graph(generator)
        match = best_match(first, second)
        partners = [partner for partner in match.mapping if partner >= 0]
        assert len(match.mapping) == first.num_nodes
        assert len(set(partners)) == len(partners)
        assert best_match(first, second) == match


def test_which_graph_is_mapped_does_not_matter() -> None:
    generator = random.Random(7)
    for _ in range(200):
        first, second = random_graph(generator), random_graph(generator)
        assert best_match(first, second).matched == best_match(second, first).matched


def test_a_node_with_nothing_in_common_has_no_partner() -> None:
    first = TripleGraph(2, frozenset({(0, INSTANCE, "a"), (1, INSTANCE, "b")}), frozenset())
    second = TripleGraph(2, frozenset({(0, INSTANCE, "c"), (1, INSTANCE, "a")}), frozenset())
    assert best_match(first, second) == Match(1, 1, (1, -1))


def alike(size: int, seed: int) -> TripleGraph:
    """Give a large random graph whose nodes all have the same concept."""
    generator = random.Random(seed)
    links = {
        (generator.randrange(size), generator.choice((":a", ":b", ":c")), generator.randrange(size))
        for _ in range(2 * size)
    }
    labels = {(node, INSTANCE, "x") for node in range(size)} | {(0, TOP, "")}
    return TripleGraph(size, frozenset(labels), frozenset(links))


@pytest.mark.parametrize("time_limit", [0.0, 0.3])
def test_a_pair_that_needs_too_long_is_given_with_its_bounds(time_limit: float) -> None:
    first, second = alike(24, 1), alike(24, 2)
    match = best_match(first, second, time_limit)
    assert not match.is_proven
    assert count_matched(first, second, match.mapping) == match.matched < match.bound
    assert match.bound <= first.num_triples


def best_by_program(first: TripleGraph, second: TripleGraph) -> int:
    """Solve the matching as an integer program of its own.

    One variable for each pair of nodes, of labels and of links of one role; a pair of
    labels or links counts only if the nodes at its ends are paired.
    """
    num_second = second.num_nodes
    num_nodes = first.num_nodes * num_second
    rows: list[list[int]] = []
    rows += [[n * num_second + m for m in range(num_second)] for n in range(first.num_nodes)]
    rows += [[n * num_second + m for n in range(first.num_nodes)] for m in range(num_second)]
    needs: dict[tuple[int, ...], list[int]] = defaultdict(list)
    number = itertools.count(num_nodes)
    labels = itertools.product(sorted(first.labels), sorted(second.labels))
    for one, other in labels:
        if one[1:] == other[1:]:
            pair = next(number)
            needs[0, pair, one[0] * num_second + other[0]].append(pair)
    links = itertools.product(enumerate(sorted(first.links)), enumerate(sorted(second.links)))
    for (k, (source, role, target)), (m, (other_source, other_role, other_target)) in links:
        if role == other_role:
            pair = next(number)
            start, end = source * num_second + other_source, target * num_second + other_target
            for side, link, cell in ((1, k, start), (2, k, end), (3, m, start), (4, m, end)):
                needs[side, link, cell].append(pair)
    num_columns = next(number)
    entries = [(r, c, 1.0) for r, row in enumerate(rows) for c in row]
    for r, (key, columns) in enumerate(needs.items(), start=len(rows)):
        entries += [(r, c, 1.0) for c in columns] + [(r, key[-1], -1.0)]
    where, columns, values = zip(*entries, strict=True)
    num_rows = len(rows) + len(needs)
    result = milp(
        np.where(np.arange(num_columns) < num_nodes, 0.0, -1.0),
        integrality=np.ones(num_columns),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(
            coo_array((values, (where, columns)), shape=(num_rows, num_columns)).tocsr(),
            ub=np.where(np.arange(num_rows) < len(rows), 1.0, 0.0),
        ),
        options={"mip_rel_gap": 0.0},
    )
    assert result.status == 0
    return round(-result.fun)


def test_the_independent_program_agrees_with_trying_all() -> None:
    generator = random.Random(8)
    for _ in range(40):
        first, second = random_graph(generator), random_graph(generator)
        assert best_by_program(first, second) == best_by_trying_all(first, second)


def graphs_by_id(path: Path) -> dict[str, TripleGraph]:
    records = read_corpus(path).records
    return {record.id: triple_graph(record.graph) for record in records if record.graph}


def real_pairs(folder: Path) -> list[tuple[TripleGraph, TripleGraph]]:
    """Pairs of two releases whose graphs differ, and pairs of unlike sentences."""
    pairs: list[tuple[TripleGraph, TripleGraph]] = []
    for one, other, count in (
        (
            "little-prince/v3.0/amr-bank-struct-v3.0-training.txt",
            "little-prince/v1.6/amr-bank-struct-v1.6-training.txt",
            80,
        ),
        ("bio/amr-release-bio-v3.0.part.txt", "bio/amr-release-training-bio.first838.txt", 80),
    ):
        new, old = graphs_by_id(folder / one), graphs_by_id(folder / other)
        changed = [(new[name], old[name]) for name in new if name in old and new[name] != old[name]]
        pairs += changed[:count]
    dev = list(graphs_by_id(folder / "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt").values())
    pairs += list(itertools.pairwise(dev))[: NUM_REAL_PAIRS - len(pairs)]
    return pairs


def test_an_independent_program_agrees_on_real_pairs(data_folder: Path) -> None:
    pairs = real_pairs(data_folder)
    assert len(pairs) == NUM_REAL_PAIRS
    for first, second in pairs:
        match = best_match(first, second)
        assert match.is_proven
        assert match.matched == best_by_program(first, second)


@pytest.mark.parametrize("name", CORPORA)
def test_every_free_graph_with_itself_is_one(data_folder: Path, name: str) -> None:
    records = read_corpus(data_folder / name).records
    graphs = [triple_graph(record.graph) for record in records if record.graph]
    assert graphs
    for seed, graph in enumerate(graphs):
        match = best_match(graph, shuffled(graph, seed))
        assert match.matched == match.bound == graph.num_triples


def chain(end: str, roles: Sequence[str]) -> TripleGraph:
    opened = "".join(f"(x{number} / c {role} " for number, role in enumerate(roles))
    return triple_graph(parse_penman(f"{opened}(z / {end}){')' * len(roles)}"))


def test_a_chain_of_thousands_is_scored_within_its_limit(cases: dict[str, Any]) -> None:
    """Case c64, with two chains that are not alike: those are bounded alone."""
    limit = cases["c64"]["input"]["time_limit"]
    gold, other = chain("end", [":ARG0"] * 3000), chain("stop", [":ARG0"] * 3000)
    mixed = chain("end", random.Random(1).choices([":ARG0", ":ARG1"], k=900))
    long = chain("end", random.Random(2).choices([":ARG0", ":ARG1"], k=3000))
    begun = time.thread_time()
    assert best_match(gold, shuffled(gold, 1), 0.0).matched == 6002
    matches = [best_match(*pair, limit) for pair in ((gold, gold), (other, gold), (mixed, long))]
    assert time.thread_time() - begun < 1.2 * limit
    assert [match.matched for match in matches[:2]] == [6002, 6001]
    assert all(match.is_proven for match in matches[:2])
    assert 1200 < matches[2].matched < matches[2].bound
    assert count_matched(mixed, long, matches[2].mapping) == matches[2].matched


def flat(end: str, role: str, size: int) -> TripleGraph:
    """Give one node over all others, which have one concept but for the last."""
    last = size - 1
    inside = " ".join(f"{role.format(n)} (x{n} / {end if n == last else 'c'})" for n in range(size))
    return triple_graph(parse_penman(f"(a / and {inside})"))


def forked(end: str, size: int) -> TripleGraph:
    """Give a tree of two branches at each node, of one concept but for the last node."""

    def text(node: int) -> str:
        below = [2 * node + 1, 2 * node + 2]
        inside = "".join(f" :ARG{n} {text(b)}" for n, b in enumerate(below) if b < size)
        return f"(x{node} / {end if node == size - 1 else 'c'}{inside})"

    return triple_graph(parse_penman(text(0)))


@pytest.mark.parametrize(
    ("gold", "other"),
    [
        (flat("end", ":op{}", 3000), flat("stop", ":op{}", 3000)),
        (flat("end", ":mod", 1000), flat("stop", ":mod", 1000)),
        (forked("end", 3000), forked("stop", 3000)),
    ],
    ids=["list", "alike", "tree"],
)
def test_other_large_graphs_are_scored_within_the_limit(
    gold: TripleGraph, other: TripleGraph
) -> None:
    """Case c64, other shapes: all but one concept match, and a shuffled copy matches wholly."""
    assert best_match(gold, shuffled(gold, 1), 0.0).matched == gold.num_triples
    begun = time.thread_time()
    match = best_match(other, gold, 2.0)
    assert time.thread_time() - begun < 2.4
    assert (match.matched, match.is_proven) == (gold.num_triples - 1, True)


@pytest.mark.parametrize(("size", "limit"), [(60, 0.5), (160, 0.5), (300, 1.0), (500, 0.5)])
def test_the_limit_binds_at_every_size(size: int, limit: float) -> None:
    first, second = alike(size, 1), alike(size, 2)
    begun = time.thread_time()
    match = best_match(first, second, limit)
    assert time.thread_time() - begun < 1.2 * limit
    assert match.matched < match.bound
    assert count_matched(first, second, match.mapping) == match.matched


def test_documents_score_no_less_than_restarted_climbing(cases: dict[str, Any]) -> None:
    """Case c65."""
    case = cases["c65"]
    for pair, least in zip(case["input"]["pairs"], case["expected"]["score_at_least"], strict=True):
        first, second = (triple_graph(read_penman(pair[side])[0]) for side in ("pred", "gold"))
        match = best_match(first, second, 4.0)
        assert least["matched"] <= match.matched <= match.bound
        assert count_matched(first, second, match.mapping) == match.matched


def test_a_program_that_takes_more_than_its_share_leaves_climbing_its_own(
    cases: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case c65, on a machine where the program's clock says little of the processor's time."""
    over, thread_time = 0.0, time.thread_time

    def overrun(pairs: NodePairs, known: Bounded, time_limit: float, pace: float) -> Bounded:
        nonlocal over
        over = 10 * time_limit
        return known

    monkeypatch.setattr(time, "thread_time", lambda: thread_time() + over)
    monkeypatch.setattr(mapping, "solve_open_cells", overrun)
    case = cases["c65"]
    for pair, least in zip(case["input"]["pairs"], case["expected"]["score_at_least"], strict=True):
        over = 0.0
        first, second = (triple_graph(read_penman(pair[side])[0]) for side in ("pred", "gold"))
        assert best_match(first, second, 4.0).matched >= least["matched"]
        assert over
