"""Alignments between tokens and graphs, as other people's files write them.

    ISI     ``2-1.2 5-1.2.1.r``   token-address; 1 is the root, 1.2 its second branch,
                                  constants and later mentions counted; .r is the role
    JAMR    ``2-3|0+0.1``         span|addresses; 0 is the root, 0.1 its second branch,
                                  constants counted, later mentions not
    nodes   ``0.1<TAB>boy<TAB>2-3``  a ``::node`` line each: JAMR's address, or IBM's number,
                                  which the ``::edge`` lines place; concept; span
    marks   ``boy~e.1``           in the graph itself; ``aptcore.graph.penman`` reads them
    LEAMR   JSON                  like ISI's; ``aptcore.alignment.scoring`` reads it

Token positions count from 0 in all of them; ranges are half-open. Addresses follow the
graph as written. A ``::alignments`` line with ``|`` in it is JAMR's. Where a block has
several kinds, marks count before ``::alignments``, and those before ``::node`` lines.

Sources: the ISI format is described with the LDC's AMR releases; Flanigan and others
2014 (JAMR, docs/Alignment_Format.md); Blodgett and Schneider 2021 (LEAMR).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from aptcore.errors import AlignmentError
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Edge
from aptcore.graph.blocks import tokens_of
from aptcore.graph.branches import unquote
from aptcore.graph.layout import invert_role, is_role_inverted
from aptcore.graph.penman import branch_keys, layout_of

_ISI_PIECE = re.compile(r"([0-9]{1,6})-(\d+(?:\.\d+)*)(\.r)?$")
_JAMR_PIECE = re.compile(r"([0-9]{1,6}-[0-9]{1,6})\|(\d+(?:\.\d+)*(?:\+\d+(?:\.\d+)*)*)$")


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
    counts: list[int] = []  # branches so far
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
    found = {key: Alignment(tuple(sorted(at)), "given") for key, at in tokens.items() if at}
    return found, tuple(dict.fromkeys(problems))


Unread = tuple[str, int, str]
"""A key, which of its lines in the block (from 0), and what in it does not hold."""


def with_alignments(graph: AmrGraph) -> tuple[AmrGraph, tuple[Unread, ...]]:
    """Read the alignments that the ``# ::key value`` lines of a graph give.

    Marks say the same as ``::alignments`` and more: in the 2015 draft of the Bio corpus 150
    addresses belong to an older layout of their graph. Of what counts less, each place that
    says something else is named.

    Returns:
        The graph with its alignments, and what could not be read or does not count.
    """
    line, nodes = graph.metadata.get("alignments", ""), graph.metadata.get("node", "")
    num_tokens = len(tokens_of(graph.metadata)) or None
    found, counting = list[Unread](), "the mark in the graph" if graph.alignments else ""
    if line:
        alignments, problems = parse_alignments(line, graph, num_tokens)
        found += [("alignments", 0, problem) for problem in problems]
        if counting:
            placed = [(0, key, at.tokens) for key, at in alignments.items()]
            found += _contradicted("alignments", placed, graph, counting)
        else:
            graph, counting = replace(graph, alignments=alignments), "::alignments"
    if nodes:
        items, unread = parse_node_lines(nodes, graph, num_tokens)
        found += unread
        if counting:
            found += _contradicted("node", items, graph, counting)
        else:
            graph = replace(graph, alignments={i: Alignment(t, "given") for _, i, t in items})
    return graph, tuple(found)


_Placed = list[tuple[int, str, tuple[int, ...]]]  # which line, node or constant, tokens
_Aligned = Iterable[tuple[int, AlignmentKey, tuple[int, ...]]]


def _contradicted(line: str, items: _Aligned, graph: AmrGraph, by: str) -> Iterable[Unread]:
    for number, key, tokens in items:
        given = graph.alignments.get(key)
        if given is None or given.tokens != tokens:
            there = list(given.tokens) if given else "none"
            name = key.role if isinstance(key, Edge) else key
            text = f"::{line} gives {name} tokens {list(tokens)}; {by} gives {there} and counts"
            yield line, number, text


def parse_node_lines(
    nodes: str, graph: AmrGraph, num_tokens: int | None = None
) -> tuple[_Placed, list[Unread]]:
    """Read ``::node`` lines, JAMR's or IBM's.

    Args:
        nodes: Their values, one a line: address or number, concept, span, with tabs between.
        graph: The graph, with its ``::edge`` and ``::root`` lines.
        num_tokens: Tokens in the sentence, to check spans; None to leave them.

    Returns:
        What each line aligns, and what does not hold.
    """
    rows = [[field.strip() for field in row.split("\t")] for row in nodes.split("\n")]
    names = [row[0] for row in rows]
    if any("." in name for name in names) or names == ["0"]:
        places = {address: item.key for address, item in jamr_addresses(graph).items()}
    else:
        places = {**_numbered({row[0]: unquote(row[1]) for row in rows if row[1:]}, graph)}
    concepts = _concepts(graph)
    placed: dict[str, tuple[int, tuple[int, ...]]] = {}
    unread: list[Unread] = []
    for number, row in enumerate(rows):
        name, concept, span = (*row, "", "", "")[:3]
        key, tokens, problem = places.get(name), span_tokens(span), ""
        if not isinstance(key, str) or concepts[key] != unquote(concept):
            problem = "is no node of the graph, or not one alone"
        elif key in placed:
            problem = "has a line before"
        elif not tokens:
            problem = f"has the span {span!r}, which names no token" if span else "has no span"
        elif num_tokens is not None and tokens[-1] >= num_tokens:
            problem = f"names token {tokens[-1]} of {num_tokens} tokens"
        else:
            placed[key] = number, tokens
        if problem:
            unread.append(("node", number, f"::node {name} {concept} {problem}"))
    return [(number, key, tokens) for key, (number, tokens) in placed.items()], unread


def _concepts(graph: AmrGraph) -> dict[str, str]:
    constants = {item.id: unquote(item.value) for item in graph.attributes}
    return {node.id: unquote(node.concept) for node in graph.nodes} | constants


_Item = tuple[bool, str]
"""A number of the file (False), or a node or constant of the graph (True)."""


def _numbered(numbers: Mapping[str, str], graph: AmrGraph) -> dict[str, str]:
    """Find the node or constant that each of IBM's numbers stands for.

    Both get a colour by their concept, then again and again by the colours around them; a
    colour that one of each has makes a pair. Where nothing tells those apart that are left,
    as two branches that are the same, any of them is right.
    """
    fields = [[*line.split("\t"), *5 * [""]] for line in graph.metadata.get("edge", "").split("\n")]
    named = [(row[3].strip(), f":{row[1].strip().lstrip(':')}", row[4].strip()) for row in fields]
    root = graph.metadata.get("root", "").split("\t")[0].strip()
    labels: dict[_Item, object] = {(False, n): (c, n == root) for n, c in numbers.items()}
    for item, concept in _concepts(graph).items():
        labels[True, item] = concept, bool(root) and item == graph.root
    arcs = [((True, edge.source), edge.role, (True, edge.target)) for edge in graph.edges]
    arcs += [((True, each.source), each.role, (True, each.id)) for each in graph.attributes]
    for source, role, target in named:
        ends = (target, source) if is_role_inverted(role) else (source, target)
        role = invert_role(role) if is_role_inverted(role) else role
        arcs.append(((False, ends[0]), role, (False, ends[1])))
    arcs = [(s, role, t) for s, role, t in arcs if s in labels and t in labels]
    pairs: dict[str, str] = {}
    left = list(labels)
    while found := _next_pairs(_colourings(labels, arcs), left):
        for number, item in found:
            labels[False, number] = labels[True, item] = number  # no other has this colour
        pairs |= found
        left = [item for item in left if isinstance(labels[item], tuple)]
    return pairs


def _next_pairs(
    colourings: Sequence[Mapping[_Item, int]], left: Sequence[_Item]
) -> list[tuple[str, str]]:
    """Give the numbers and items that alone have a colour; else the first of those alike."""
    alike: list[tuple[str, str]] = []
    for colours in reversed(colourings):
        sides: dict[int, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
        for is_item, name in left:
            sides[colours[is_item, name]][is_item].append(name)
        single = [(a[0], b[0]) for a, b in sides.values() if len(a) == len(b) == 1]
        if single:
            return single
        if colours is colourings[-1]:
            alike = [(a[0], b[0]) for a, b in sides.values() if len(a) == len(b)][:1]
    return alike


def _colourings(
    labels: Mapping[_Item, object], arcs: Sequence[tuple[_Item, str, _Item]]
) -> list[dict[_Item, int]]:
    """Colour items by their labels, then by what is 1, 2, ... steps around, until no more tell."""
    found = [{item: hash(label) for item, label in labels.items()}]
    num_colours = 0
    while len(set(found[-1].values())) > num_colours:
        last = found[-1]
        num_colours = len(set(last.values()))
        around: dict[_Item, list[tuple[str, int]]] = defaultdict(list)
        for source, role, target in arcs:
            around[source].append((role, last[target]))
            around[target].append((f"{role}-of", last[source]))
        found.append({item: hash((last[item], *sorted(around[item]))) for item in labels})
    return found


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
    positions = span_tokens(match[1])
    if not positions:
        raise AlignmentError(f"alignment {piece!r} names no token: a span leaves its end out")
    return [(_at(table, address, piece).key, positions) for address in match[2].split("+")]


def span_tokens(text: str) -> tuple[int, ...]:
    """Give the tokens of ``from-to``; none where it is no span."""
    match = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", text)
    return tuple(range(int(match[1]), int(match[2]))) if match else ()


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
