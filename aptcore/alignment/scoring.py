"""Score alignments against alignments made by people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from aptcore.errors import AlignmentError
from aptcore.graph.amr import Alignment, AlignmentKey


@dataclass(frozen=True, slots=True)
class SourceCount:
    """How many nodes have their alignment from one source, and how many are exact."""

    nodes: int
    exact: int


@dataclass(frozen=True, slots=True)
class AlignmentScore:
    """How well alignments agree with gold ones.

    Attributes:
        nodes: Nodes and constants that have a gold alignment.
        exact: Those whose tokens are the gold tokens.
        partial: Those that are not exact, but share a token with the gold ones.
        by_source: The same for each source of our alignments, by its name.
    """

    nodes: int
    exact: int
    partial: int
    by_source: Mapping[str, SourceCount]

    @property
    def accuracy(self) -> float:
        """The share of exact ones, 0..1; 0 where nothing was scored."""
        return self.exact / self.nodes if self.nodes else 0.0


def score_alignments(
    pairs: Iterable[tuple[Mapping[str, tuple[int, ...]], Mapping[AlignmentKey, Alignment]]],
) -> AlignmentScore:
    """Count the nodes whose token set equals the gold one.

    Args:
        pairs: For each sentence the gold tokens of its nodes and constants, counted in
            our tokens, and the alignments of its graph. What has no gold is not scored.

    Returns:
        The counts over all sentences.

    Raises:
        AlignmentError: If a node with gold tokens has no alignment.
    """
    exact: dict[str, int] = {}
    nodes: dict[str, int] = {}
    num_partial = 0
    for gold, predicted in pairs:
        for item, tokens in gold.items():
            if item not in predicted:
                raise AlignmentError(f"{item!r} has gold tokens {tokens} but no alignment")
            found = predicted[item]
            is_exact = set(found.tokens) == set(tokens)
            nodes[found.source] = nodes.get(found.source, 0) + 1
            exact[found.source] = exact.get(found.source, 0) + is_exact
            num_partial += not is_exact and bool(set(found.tokens) & set(tokens))
    return AlignmentScore(
        nodes=sum(nodes.values()),
        exact=sum(exact.values()),
        partial=num_partial,
        by_source={source: SourceCount(nodes[source], exact[source]) for source in sorted(nodes)},
    )
