"""Where the oracle makes each item: runs of tokens, each acting as one.

An item is made at the last word of the first contiguous run of its alignment, or of
the part of that run which spells it: in "belong to" a ``belong-01`` is made at
"belong", where it can be copied. The constants of a name or a date that stand side by
side share one run, so that one template can make them. Runs that share a token are
united.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from aptcore.errors import AlignmentError
from aptcore.graph.amr import AmrGraph, Attribute, Sentence
from aptcore.graph.branches import unquote
from aptcore.transition.state import constant_of
from aptcore.transition.templates import plain_offsets, surface
from aptcore.words.dates import DATE_PARTS, date_parts

Run = tuple[int, int]
"""First token, and one past the last."""

_SENSE = re.compile(r"-\d\d\d?$")


@dataclass(frozen=True, slots=True)
class Site:
    """A run of tokens and the items that are made at its last word.

    Attributes:
        start: First token.
        stop: One past the last token.
        items: Ids of nodes and attributes, in the order of the graph's text.
    """

    start: int
    stop: int
    items: tuple[str, ...]


def sites_of(
    sentence: Sentence, graph: AmrGraph, order: Sequence[str]
) -> tuple[tuple[Site, ...], dict[str, int]]:
    """Find the run of tokens for each item.

    Args:
        sentence: It must have a token.
        graph: With alignments; items without one are put beside a neighbour.
        order: The ids of the items to place, in the order of the graph's text.

    Returns:
        The sites from left to right, and the first token chosen for each item that had
        no alignment.

    Raises:
        AlignmentError: An alignment names a token that does not exist.
    """
    runs: dict[str, Run] = {}
    for name in order:
        tokens = _aligned(sentence, graph, name)
        if tokens:
            runs[name] = first_run(tokens)
    wanted = frozenset(order)
    attributes: dict[str, list[Attribute]] = {}
    for attribute in graph.attributes:
        if attribute.id in wanted:
            attributes.setdefault(attribute.source, []).append(attribute)
    for node in graph.nodes:
        if node.concept == "name" and node.id in wanted:
            _join_name(sentence, graph, node.id, attributes.get(node.id, []), runs)
        elif node.concept == "date-entity" and node.id in wanted:
            _join_date(sentence, graph, node.id, attributes.get(node.id, []), runs)
    _narrow(sentence, graph, runs)
    placed = _place_rest(graph, order, runs)
    return _united(order, runs), placed


def first_run(tokens: Sequence[int]) -> Run:
    """Give the first run of tokens without a gap."""
    stop = tokens[0] + 1
    while stop in tokens:
        stop += 1
    return tokens[0], stop


def _aligned(sentence: Sentence, graph: AmrGraph, name: str) -> tuple[int, ...]:
    alignment = graph.alignments.get(name)
    if alignment is None:
        return ()
    tokens = tuple(sorted(alignment.tokens))
    if tokens and not 0 <= tokens[0] <= tokens[-1] < len(sentence.tokens):
        raise AlignmentError(
            f"sentence {sentence.id!r}: {name!r} is aligned to token "
            f"{tokens[0] if tokens[0] < 0 else tokens[-1]}, but there are only "
            f"{len(sentence.tokens)} tokens, counted from 0"
        )
    return tokens


def _aligned_to_any(
    sentence: Sentence, graph: AmrGraph, parts: Iterable[Attribute]
) -> tuple[int, ...]:
    return tuple(sorted({token for p in parts for token in _aligned(sentence, graph, p.id)}))


def _join_name(
    sentence: Sentence,
    graph: AmrGraph,
    name: str,
    parts: Sequence[Attribute],
    runs: dict[str, Run],
) -> None:
    """Put a name and its parts on one run if they are spelled there or stand side by side."""
    tokens = _aligned_to_any(sentence, graph, parts)
    if not tokens:
        return
    run = _spelled_run(sentence, " ".join(unquote(part.value) for part in parts), tokens)
    if run is None:
        run = first_run(tokens)
        if run[1] <= tokens[-1]:
            return
    runs.update({part.id: run for part in parts})
    if name not in runs or _overlap(runs[name], run) or _is_guess(graph, name):
        runs[name] = run


def _spelled_run(sentence: Sentence, words: str, tokens: Sequence[int]) -> Run | None:
    """Find the first run that spells ``words`` exactly and holds one of the tokens.

    In the given alignments of "YB-1" often only "YB" is named, or both places of two.
    """
    text, offsets = plain_offsets(sentence)
    starts = {start: token for token, (start, _) in enumerate(offsets)}
    stops = {stop: token + 1 for token, (_, stop) in enumerate(offsets)}
    place = text.find(words) if words else -1
    while place >= 0:
        start, stop = starts.get(place), stops.get(place + len(words))
        if start is not None and stop is not None and any(start <= t < stop for t in tokens):
            return start, stop
        place = text.find(words, place + 1)
    return None


def _join_date(
    sentence: Sentence,
    graph: AmrGraph,
    name: str,
    attributes: Sequence[Attribute],
    runs: dict[str, Run],
) -> None:
    """Put a date and its parts on one run if the words there name exactly this date.

    A time of day that other words name stays there: "on May 3, 2019 at 6:30 pm".
    """
    parts = [part for part in attributes if part.role[1:] in DATE_PARTS]
    of_days = [part for part in parts if part.role != ":time"]
    for named in (parts, of_days):
        run = _named_run(sentence, graph, named)
        if run is not None:
            if name not in runs or _overlap(runs[name], run) or _is_guess(graph, name):
                runs.update({part.id: run for part in named})
                runs[name] = run
            return


def _named_run(sentence: Sentence, graph: AmrGraph, parts: Sequence[Attribute]) -> Run | None:
    """Give the run of some parts of a date if its words name just these."""
    tokens = _aligned_to_any(sentence, graph, parts)
    if not tokens:
        return None
    run = tokens[0], tokens[-1] + 1
    words = " ".join(surface(sentence, *run).split())
    return run if date_parts(words) == {part.role[1:]: part.value for part in parts} else None


def _narrow(sentence: Sentence, graph: AmrGraph, runs: dict[str, Run]) -> None:
    """Take each item to the words of its run that spell it; the rest of its run with it.

    Of "six years old" the number goes to "six", the unit to "years", their quantity
    with it, and the age, which no word spells, to "old", the word that is left. The
    words of names and dates stay together.
    """
    concepts = {node.id: node.concept for node in graph.nodes}
    values = {attribute.id: unquote(attribute.value) for attribute in graph.attributes}
    sharing: dict[Run, list[str]] = {}
    whole: set[Run] = set()
    for name, run in runs.items():
        if run[1] - run[0] > 1:
            sharing.setdefault(run, []).append(name)
            if concepts.get(name) in ("name", "date-entity"):
                whole.add(run)
    for run, names in sharing.items():
        if run in whole:
            continue
        spelled = {
            name: found
            for name in names
            if (found := _spelling(sentence, concepts.get(name), values.get(name), run)) is not None
        }
        if not spelled:
            continue
        last = max(spelled.values())
        rest = (run[1] - 1, run[1]) if last[1] < run[1] else last
        for name in names:
            is_quantity = concepts.get(name, "").endswith("-quantity")
            runs[name] = spelled.get(name, last if is_quantity else rest)


def _spelling(sentence: Sentence, concept: str | None, value: str | None, run: Run) -> Run | None:
    """Find the shortest part of a run whose lemmas or tokens spell a concept or a constant.

    "3.5 million" spells 3500000, "half past six" 6:30.
    """
    label = (concept or value or "").lower()
    wanted = (label, _SENSE.sub("", label))
    for width in range(1, run[1] - run[0] + 1):
        for start in range(run[0], run[1] - width + 1):
            for words in (sentence.lemmas, sentence.tokens):
                if "-".join(words[start : start + width]).lower() in wanted:
                    return start, start + width
            if concept is None:
                text = " ".join(surface(sentence, start, start + width).split())
                if unquote(constant_of(text)) == value:
                    return start, start + width
    return None


def _overlap(one: Run, other: Run) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _is_guess(graph: AmrGraph, name: str) -> bool:
    return graph.alignments[name].source == "proximity"


def _place_rest(graph: AmrGraph, order: Sequence[str], runs: dict[str, Run]) -> dict[str, int]:
    """Put each item without alignment on the run of its nearest neighbour, else on token 0."""
    placed: dict[str, int] = {}
    waiting = {name: rank for rank, name in enumerate(order) if name not in runs}
    if not waiting:
        return placed
    neighbours = _neighbours(graph)
    ready = list(waiting)
    while waiting:
        found = {}
        for name in ready:
            near = next((other for other in neighbours.get(name, ()) if other in runs), None)
            if near is not None:
                found[name] = runs[near]
        if not found:
            found = {next(iter(waiting)): (0, 1)}
        runs.update(found)
        placed.update({name: run[0] for name, run in found.items()})
        for name in found:
            del waiting[name]
        # Only beside what was just placed can anything new be placed.
        beside = {other for name in found for other in neighbours.get(name, ())}
        ready = sorted(beside & waiting.keys(), key=waiting.__getitem__)
    return placed


def _neighbours(graph: AmrGraph) -> Mapping[str, Sequence[str]]:
    """Give the items that an edge joins to each item: parents first, then children."""
    parents: dict[str, list[str]] = {}
    children: dict[str, list[str]] = {}
    for edge in graph.edges:
        parents.setdefault(edge.target, []).append(edge.source)
        children.setdefault(edge.source, []).append(edge.target)
    for attribute in graph.attributes:
        parents.setdefault(attribute.id, []).append(attribute.source)
        children.setdefault(attribute.source, []).append(attribute.id)
    names = dict.fromkeys((*parents, *children))
    return {name: parents.get(name, []) + children.get(name, []) for name in names}


def _united(order: Sequence[str], runs: Mapping[str, Run]) -> tuple[Site, ...]:
    """Unite the runs that share a token."""
    bounds: list[Run] = []
    for start, stop in sorted(set(runs.values())):
        if bounds and start < bounds[-1][1]:
            bounds[-1] = bounds[-1][0], max(bounds[-1][1], stop)
        else:
            bounds.append((start, stop))
    site_of_token = {
        token: index for index, (start, stop) in enumerate(bounds) for token in range(start, stop)
    }
    items: list[list[str]] = [[] for _ in bounds]
    for name in order:
        items[site_of_token[runs[name][0]]].append(name)
    return tuple(
        Site(start, stop, tuple(names)) for (start, stop), names in zip(bounds, items, strict=True)
    )
