"""Score alignments against alignments made by people: LEAMR's files.

Source: Blodgett and Schneider 2021 (LEAMR).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aptcore.errors import AlignmentError
from aptcore.graph.alignment_formats import addresses
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph


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


@dataclass(frozen=True, slots=True)
class LeamrEntry:
    """One alignment of a LEAMR file.

    Attributes:
        type: ``subgraph``, ``dupl-subgraph``, ``relation``, ``reentrancy:...``.
        tokens: Positions over white-space tokens, from 0.
        nodes: Addresses.
        edges: Source address, role where it is written, target address.
    """

    type: str
    tokens: tuple[int, ...]
    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str | None, str], ...]


def read_leamr(path: str | Path) -> dict[str, tuple[LeamrEntry, ...]]:
    """Read a LEAMR file: the entries of each sentence id.

    Raises:
        AlignmentError: The file is not such JSON.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8-sig"))
        return {
            str(identifier): tuple(_leamr_entry(entry) for entry in entries)
            for identifier, entries in content.items()
        }
    except json.JSONDecodeError as error:
        raise AlignmentError(error.msg, path=str(path), line=error.lineno) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise AlignmentError(
            f"not LEAMR alignments, sentence id to a list of entries: {error!r}", path=str(path)
        ) from error


def _leamr_entry(entry: Mapping[str, Any]) -> LeamrEntry:
    return LeamrEntry(
        type=str(entry["type"]),
        tokens=tuple(sorted(int(position) for position in entry["tokens"])),
        nodes=tuple(str(address) for address in entry.get("nodes", ())),
        edges=tuple((str(s), role, str(t)) for s, role, t in entry.get("edges", ())),
    )


def leamr_tokens(graph: AmrGraph, entries: Sequence[LeamrEntry]) -> dict[str, tuple[int, ...]]:
    """Give the gold tokens of each node and attribute id in the subgraph layer.

    Entries of other types, ``dupl-subgraph`` among them, are left out.

    Raises:
        AlignmentError: An address that is no node or constant of the graph.
    """
    table = addresses(graph)
    tokens: dict[str, set[int]] = {}
    for entry in entries:
        if entry.type != "subgraph":
            continue
        for address in entry.nodes:
            key = table[address].key if address in table else None
            if not isinstance(key, str):
                raise AlignmentError(f"address {address!r} is no node or constant of the graph")
            tokens.setdefault(key, set()).update(entry.tokens)
    return {key: tuple(sorted(positions)) for key, positions in tokens.items()}
