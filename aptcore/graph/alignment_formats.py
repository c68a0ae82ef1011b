"""Alignments between tokens and graphs, as other people's files write them.

    ISI     ``2-1.2 5-1.2.1.r``   token-address; 1 is the root, 1.2 its second branch,
                                  constants and later mentions counted; .r is the role
    JAMR    ``2-3|0+0.1``         span|addresses; 0 is the root, 0.1 its second branch,
                                  constants counted, later mentions not
    LEAMR   JSON                  tokens and addresses like those of ISI
    marks   ``boy~e.1``           in the graph itself; ``aptcore.graph.penman`` reads them

Token positions count from 0 in all four; ranges are half-open. Addresses follow the
graph as written. A ``::alignments`` line with ``|`` in it is JAMR's.

Sources: the ISI format is described with the LDC's AMR releases; Flanigan and others
2014 (JAMR, docs/Alignment_Format.md); Blodgett and Schneider 2021 (LEAMR).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from aptcore.errors import AlignmentError
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Edge
from aptcore.graph.penman import branch_keys, layout_of

_ISI_PIECE = re.compile(r"(\d+)-(\d+(?:\.\d+)*)(\.r)?$")
_JAMR_PIECE = re.compile(r"(\d+)-(\d+)\|(\d+(?:\.\d+)*(?:\+\d+(?:\.\d+)*)*)$")


@dataclass(frozen=True, slots=True)
class AddressedItem:
    """What stands at one address: a node, constant or mention, and the role before it."""

    key: AlignmentKey
    role: Edge | None


def addresses(graph: AmrGraph) -> dict[str, AddressedItem]:
    """Give what stands at each address: ``1`` the root, ``1.2`` its second branch.

    Constants and later mentions are counted, as ISI and LEAMR do.
    """
    return _addresses(graph, first=1, count_mentions=True)


def jamr_addresses(graph: AmrGraph) -> dict[str, AddressedItem]:
    """Give what stands at each address: ``0`` the root, ``0.1`` its second branch.

    Constants are counted, later mentions are not, as JAMR does.
    """
    return _addresses(graph, first=0, count_mentions=False)


def _addresses(graph: AmrGraph, *, first: int, count_mentions: bool) -> dict[str, AddressedItem]:
    layout = layout_of(graph)
    found: dict[str, AddressedItem] = {}
    path: list[str] = []  # address of each open node
    counts: list[int] = []  # branches counted so far below each
    for branch, (key, role) in zip(layout, branch_keys(graph, layout), strict=True):
        del path[branch.depth :], counts[branch.depth :]
        if not isinstance(key, str) and not count_mentions:
            continue
        address = f"{path[-1]}.{counts[-1] + first}" if path else str(first)
        if counts:
            counts[-1] += 1
        found[address] = AddressedItem(key, role)
        if branch.concept is not None:
            path.append(address)
            counts.append(0)
    return found


def parse_alignments(
    line: str, graph: AmrGraph, num_tokens: int | None = None
) -> tuple[dict[AlignmentKey, Alignment], tuple[str, ...]]:
    """Read the value of a ``::alignments`` line, ISI's or JAMR's.

    Args:
        line: The pieces, separated by white space.
        graph: The graph whose addresses they name.
        num_tokens: Tokens in the sentence, to check positions; None to leave them.

    Returns:
        The alignments, and one message for each piece that could not be read.
    """
    is_jamr = "|" in line
    table = jamr_addresses(graph) if is_jamr else addresses(graph)
    tokens: dict[AlignmentKey, set[int]] = {}
    problems = []
    for piece in line.split():
        try:
            named = _jamr_piece(piece, table) if is_jamr else _isi_piece(piece, table)
        except AlignmentError as error:
            problems.append(error.message)
            continue
        for key, positions in named:
            outside = [p for p in positions if num_tokens is not None and p >= num_tokens]
            if outside:
                problems.append(
                    f"alignment {piece!r} names token {outside[0]} of {num_tokens} tokens"
                )
            tokens.setdefault(key, set()).update(set(positions) - set(outside))
    alignments = {
        key: Alignment(tuple(sorted(positions)), "given")
        for key, positions in tokens.items()
        if positions
    }
    return alignments, tuple(dict.fromkeys(problems))


def within_tokens(graph: AmrGraph, num_tokens: int) -> tuple[AmrGraph, list[tuple[int, str]]]:
    """Take alignments to tokens that do not exist out of a graph.

    Returns:
        The graph, and a line of its text and what was there for each.
    """
    if not num_tokens or not graph.alignments:
        return graph, []
    alignments, problems = dict(graph.alignments), []
    keys = branch_keys(graph, graph.layout)
    for branch, pair in zip(graph.layout, keys, strict=True):
        for key, name in zip(pair, (branch.target, branch.role), strict=True):
            given = alignments.get(key) if key is not None else None
            outside = [token for token in given.tokens if token >= num_tokens] if given else []
            if key is None or given is None or not outside:
                continue
            problems += [
                (branch.line, f"{name}: token {token} does not exist ({num_tokens} tokens)")
                for token in outside
            ]
            inside = tuple(token for token in given.tokens if token < num_tokens)
            alignments[key] = replace(given, tokens=inside)
            if not inside:
                del alignments[key]
    return replace(graph, alignments=alignments), problems


_Named = list[tuple[AlignmentKey, tuple[int, ...]]]


def _isi_piece(piece: str, table: Mapping[str, AddressedItem]) -> _Named:
    match = _ISI_PIECE.match(piece)
    if match is None:
        raise AlignmentError(f"alignment {piece!r} is not of the form token-address")
    item = _at(table, match[2], piece)
    if match[3] is None:
        return [(item.key, (int(match[1]),))]
    if item.role is None:
        raise AlignmentError(f"alignment {piece!r} names the role of the root, which has none")
    return [(item.role, (int(match[1]),))]


def _jamr_piece(piece: str, table: Mapping[str, AddressedItem]) -> _Named:
    match = _JAMR_PIECE.match(piece)
    if match is None:
        raise AlignmentError(f"alignment {piece!r} is not of the form start-end|address")
    start, end = int(match[1]), int(match[2])
    if end <= start:
        raise AlignmentError(f"alignment {piece!r} names no token: a span leaves its end out")
    positions = tuple(range(start, end))
    return [(_at(table, address, piece).key, positions) for address in match[3].split("+")]


def _at(table: Mapping[str, AddressedItem], address: str, piece: str) -> AddressedItem:
    if address not in table:
        raise AlignmentError(f"alignment {piece!r} names address {address}, which does not exist")
    return table[address]


def format_alignments(graph: AmrGraph) -> str:
    """Write the alignments of a graph in ISI's format, by token, then address."""
    pieces: list[tuple[int, list[int], str]] = []
    for address, item in addresses(graph).items():
        steps = [int(step) for step in address.split(".")]
        for key, ending in ((item.key, ""), (item.role, ".r")):
            alignment = graph.alignments.get(key) if key is not None else None
            for position in alignment.tokens if alignment is not None else ():
                pieces.append((position, steps, f"{position}-{address}{ending}"))
    return " ".join(text for _, _, text in sorted(pieces))


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


def join_isi_tokens(tokens: Sequence[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Join tokens with spaces, and without one where ISI's ``@`` stands.

    ``T @-@ cell`` gives ``T-cell``; a sign that begins with ``@`` joins its left
    neighbour only, one that ends with ``@`` its right one. ``@user`` stays.

    Returns:
        The text, and start and end (half-open) of each token in it.
    """
    text = ""
    spans = []
    glue = True
    for token in tokens:
        joins_left = len(token) > 1 and token[0] == "@" and not token[1].isalnum()
        joins_right = len(token) > 1 and token[-1] == "@" and not token[-2].isalnum()
        core = token[joins_left : len(token) - joins_right]
        if not (glue or joins_left):
            text += " "
        spans.append((len(text), len(text) + len(core)))
        text += core
        glue = joins_right
    return text, tuple(spans)
