"""A simulated person corrects one step of each parse: ``python -m benchmarks.person [FILE ...]``.

For each sentence of a gold file the parser's walk is followed to the first wrong step:
the first whose action is not among those after which the gold graph can still be reached
(aptcore.oracle.right_actions). The person takes the oracle's action there. Printed is Smatch of

- the parse as it was;
- the edit alone: the graph of the parse with just that correction. What the wrong action
  made is taken away and what the right one makes is put in; an item that takes the place
  of another keeps its edges; where the right action is an edge and the wrong one is not,
  the wrong one stays, for only the edge was missing; what the walk makes anyhow later at
  the same word is not made twice. A piece that nothing holds any more is joined to the
  root, as after any parse;
- the edit with the rest suggested again: decoded with all up to the right action forced;
- the same as the page does it: the graph of the edit alone handed to
  ``aptcore.advice.suggestion.suggest``, every proposal taken that stays close to the edit,
  and every one that who asks for more is offered.

Also printed is how many of the proposals agree with gold: an exact match to the gold graph
has fewer triples apart once one is taken, after those that it stands on.

A sentence without a wrong step, or whose gold graph no walk reaches, counts as it is in all
of them. Intervals are of 95 % of resampled sets of sentences. Nothing is trained or tuned.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aptcore.advice.closeness import needed_by
from aptcore.advice.proposals import Kind, take
from aptcore.advice.suggestion import Suggestion, suggest
from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.errors import AptamrError
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Edge, Sentence
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import without_wiki
from aptcore.neural.parser import AptParser
from aptcore.oracle.right_actions import goal_of, is_right, next_right
from aptcore.scoring.evaluation import Report, compare_reports, score_corpus
from aptcore.scoring.mapping import best_match
from aptcore.scoring.triple_graph import triple_graph
from aptcore.transition.actions import Action, format_action
from aptcore.transition.arcs import EdgeAction
from aptcore.transition.building import item_names, repaired_graph
from aptcore.transition.machine import advance, start
from aptcore.transition.state import ParserState
from aptcore.words.gold import gold_items
from trainer.config import DataConfig

DEFAULT = "little-prince/v3.0/amr-bank-struct-v3.0-dev.txt"
SYSTEMS = ("parse", "edit alone", "edit + rest again", "edit + close ones", "edit + all proposals")


def take_all(suggestion: Suggestion, *, only_close: bool = False) -> AmrGraph:
    """Take every proposal of a suggestion in order, or every close one."""
    graph = suggestion.graph
    for proposal in suggestion.proposals:
        if proposal.id in suggestion.close or not only_close:
            graph = take(graph, proposal, suggestion.kept)
    return graph


@dataclass(frozen=True, slots=True)
class Judged:
    """A proposal and whether it agrees with gold."""

    kind: Kind
    is_close: bool
    agrees: bool


def judge(suggestion: Suggestion, gold: AmrGraph) -> tuple[Judged, ...]:
    """Tell of each proposal whether the graph with it is nearer to gold than without."""
    found: list[Judged] = []
    for proposal in suggestion.proposals:
        graph = suggestion.graph
        for other in needed_by(proposal, suggestion.proposals):
            graph = take(graph, other, suggestion.kept)
        with_it = take(graph, proposal, suggestion.kept)
        agrees = _num_apart(with_it, gold) < _num_apart(graph, gold)
        found.append(Judged(proposal.kind, proposal.id in suggestion.close, agrees))
    return tuple(found)


def _num_apart(graph: AmrGraph, gold: AmrGraph) -> int:
    """Count the triples that only one of two graphs has."""
    one, two = triple_graph(graph), triple_graph(gold)
    return one.num_triples + two.num_triples - 2 * best_match(one, two).matched


@dataclass(frozen=True)
class Corrected:
    """One sentence.

    Attributes:
        id: Of the sentence.
        gold: The gold graph.
        graphs: The graph of each of ``SYSTEMS``.
        step: The first wrong step; None where none is wrong or none can be found.
        wrong: The action there.
        right: The oracle's action there.
        seconds: Of the suggestion, of processor time.
        num_tokens: Of the sentence.
        reason: Why no step was looked for; empty where one was.
        judged: The proposals of the page.
    """

    id: str
    gold: AmrGraph
    graphs: tuple[AmrGraph, ...]
    step: int | None = None
    wrong: Action | None = None
    right: Action | None = None
    seconds: float = 0.0
    num_tokens: int = 0
    reason: str = ""
    judged: tuple[Judged, ...] = ()


def correct(parser: AptParser, sentence: Sentence, gold: AmrGraph, beam: int) -> Corrected:
    """Correct the first wrong step of one sentence, in all ways."""
    read = parser.read(sentence)
    trace = parser.trace(read, beam)
    actions = tuple(step.action for step in trace.steps)
    before = trace.graph
    try:
        goal = goal_of(read, align(read, gold, shipped_tables()), parser.action_set)
    except AptamrError as error:
        return Corrected(read.id, gold, (before,) * len(SYSTEMS), reason=str(error))
    states = trace.states[:-1]
    wrong = (n for n, state in enumerate(states) if not is_right(goal, state, actions[n]))
    place = next(wrong, None)
    right = None if place is None else next_right(goal, states[place])
    if place is None or right is None:
        return Corrected(read.id, gold, (before,) * len(SYSTEMS), num_tokens=len(read.tokens))
    edited, known = edit_alone(trace.states[-1], states[place], right)
    again = parser.trace(read, beam, (*actions[:place], right))
    clock = time.process_time()
    suggestion = suggest(parser, read, edited, before=known, beam=beam)
    seconds = time.process_time() - clock
    close = take_all(suggestion, only_close=True)
    graphs = (before, edited, again.graph, close, take_all(suggestion))
    size, judged = len(read.tokens), judge(suggestion, gold)
    step = (place, actions[place], right)
    return Corrected(read.id, gold, graphs, *step, seconds, size, judged=judged)


def edit_alone(walk: ParserState, moment: ParserState, right: Action) -> tuple[AmrGraph, AmrGraph]:
    """Give the graph of a walk with one action corrected (see the module).

    Args:
        walk: The closed state.
        moment: The state before the wrong action.
        right: The action to take there.

    Returns:
        The graph, with the names of the walk's own graph for what is the same; and the
        walk's own graph with the edges that join loose pieces of the new one, so that
        these do not count as decided by a person.
    """
    place = len(moment.actions)
    wrong, after = walk.actions[place], advance(moment, right)
    made = [item for item in after.items if item.position == place]
    old = [item for item in walk.items if item.position == place]
    later = list(zip(walk.actions, _cursors(walk), strict=True))[place + 1 :]
    is_made_later = (right, moment.cursor) in later
    items, edges, root = list(walk.items), list(walk.edges), walk.root
    if isinstance(right, EdgeAction) and not after.is_closed:
        if isinstance(wrong, EdgeAction):
            edges = [edge for edge in edges if edge.made_by != place]
        new = after.edges[-1]
        ends = (new.source, new.role, new.target)
        edges += [] if ends in [(e.source, e.role, e.target) for e in edges] else [new]
    elif after.is_closed:
        root = after.root
    else:
        gone = {item.key for item in old}
        heirs = {made[0].key} if made and not is_made_later else set()
        items = [item for item in items if item.key not in gone]
        lost = gone - heirs
        edges = [e for e in edges if e.made_by != place and not {e.source, e.target} & lost]
        if heirs:
            items = sorted([*items, *made], key=lambda item: item.key)
            edges += [edge for edge in after.edges if edge.made_by == place]
        if root == place and not heirs:
            root = None
    edited = walk._replace(items=tuple(items), edges=tuple(edges), root=root)
    return _finished(walk, edited)


def _cursors(walk: ParserState) -> list[int]:
    state, cursors = start(walk.sentence, walk.action_set), []
    for action in walk.actions:
        cursors.append(state.cursor)
        state = advance(state, action)
    return cursors


def _finished(walk: ParserState, edited: ParserState) -> tuple[AmrGraph, AmrGraph]:
    """Make sound graphs of both states, with the same names for the same items."""
    edited = edited._replace(
        roots=tuple(item for item in edited.items if item.index == 0),
        parented=frozenset(edge.target[0] for edge in edited.edges),
    )
    own, _ = repaired_graph(walk)
    graph, repairs = repaired_graph(edited)
    old = item_names(walk)
    names: dict[str, str] = {}
    for key, name in item_names(edited).items():
        wished = old.get(key, f"{name}_new")
        names[name] = wished
    graph = with_names(graph, names)
    joints = [repair.edge for repair in repairs if repair.edge is not None]
    joined = tuple(Edge(names[e.source], e.role, names[e.target]) for e in joints)
    return graph, replace(own, edges=tuple(dict.fromkeys((*own.edges, *joined))))


def with_names(graph: AmrGraph, names: Mapping[str, str]) -> AmrGraph:
    """Give the nodes and constants of a graph other names."""
    alignments: dict[AlignmentKey, Alignment] = {
        names[key]: value for key, value in graph.alignments.items() if isinstance(key, str)
    }
    return replace(
        graph,
        nodes=tuple(replace(node, id=names[node.id]) for node in graph.nodes),
        attributes=tuple(
            replace(item, id=names[item.id], source=names[item.source]) for item in graph.attributes
        ),
        edges=tuple(Edge(names[e.source], e.role, names[e.target]) for e in graph.edges),
        root=names[graph.root],
        alignments=alignments,
    )


def describe(done: Sequence[Corrected], reports: Sequence[Report]) -> list[str]:
    """Write what was found, line by line."""
    steps = [one for one in done if one.step is not None]
    apart = [one for one in done if one.reason]
    lines = [
        f"{len(done)} sentences: {len(steps)} with a wrong step, {len(apart)} whose gold graph no "
        f"walk reaches, {len(done) - len(steps) - len(apart)} right as they are"
    ]
    for name, report in zip(SYSTEMS, reports, strict=True):
        low, high = report.interval
        lines.append(
            f"  {name:24} {100 * report.counts.f1:5.1f}  [{100 * low:.1f}, {100 * high:.1f}]"
        )
    for one, two in ((0, 1), (1, 2), (1, 3), (1, 4), (0, 3)):
        found = compare_reports(reports[one], reports[two])
        low, high = found.interval
        lines.append(
            f"  {SYSTEMS[two]} against {SYSTEMS[one]}: {100 * found.difference:+.1f} "
            f"[{100 * low:+.1f}, {100 * high:+.1f}], p {found.p_value:.4f}; better, worse, equal "
            f"{found.count_outcomes()}"
        )
    lines += [_shares(steps, only_close=only_close) for only_close in (True, False)]
    seconds = sorted(one.seconds for one in steps)
    longer = [one.seconds for one in steps if 20 <= one.num_tokens <= 25]
    if seconds:
        lines.append(
            f"  one suggestion: median {statistics.median(seconds):.2f} s of one core, longest "
            f"{seconds[-1]:.2f} s"
            + (f"; 20 to 25 tokens ({len(longer)}): longest {max(longer):.2f} s" if longer else "")
        )
    return lines


def _shares(steps: Sequence[Corrected], *, only_close: bool) -> str:
    """Say how many proposals agree with gold, and how many of each kind."""
    offered = [[each for each in one.judged if each.is_close or not only_close] for one in steps]
    found = [each for proposals in offered for each in proposals]
    kinds = Counter(each.kind for each in found)
    good = Counter(each.kind for each in found if each.agrees)
    share = sum(good.values()) / max(len(found), 1)
    return (
        f"  {'close' if only_close else 'all'} proposals: {share:.2f} of {len(found)} agree with "
        f"gold, for {sum(map(bool, offered))} sentences; "
        + ", ".join(f"{kind} {good[kind]} of {number}" for kind, number in kinds.most_common())
    )


def to_json(name: str, done: Sequence[Corrected], reports: Sequence[Report]) -> dict[str, object]:
    """Give the figures of one file as JSON values; scores are fractions."""
    return {
        "file": name,
        "sentences": len(done),
        "corrected": sum(one.step is not None for one in done),
        "unreachable": sum(bool(one.reason) for one in done),
        "systems": {
            system: {"f1": report.counts.f1, "interval": list(report.interval)}
            for system, report in zip(SYSTEMS, reports, strict=True)
        },
        "proposals": [
            {"id": one.id, "kind": each.kind, "close": each.is_close, "agrees": each.agrees}
            for one in done
            for each in one.judged
        ],
        "seconds": [round(one.seconds, 3) for one in done if one.step is not None],
        "steps": [
            {
                "id": one.id,
                "step": one.step,
                "wrong": format_action(one.wrong),
                "right": format_action(one.right),
            }
            for one in done
            if one.wrong is not None and one.right is not None
        ],
    }


def main() -> None:
    """Measure each file and print what was found."""
    parser = argparse.ArgumentParser(prog="benchmarks.person", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="gold files; Little Prince dev if none")
    parser.add_argument("--model", type=Path, help="another model folder")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--limit", type=int, help="only the first sentences")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    chosen = parser.parse_args()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    model = AptParser.from_pretrained(chosen.model)
    written = []
    for path in chosen.files or [DataConfig().path(DEFAULT)]:
        items, problems = gold_items(read_corpus(path))
        for problem in problems:
            print(f"left out: {problem}")
        pairs = [(item.sentence, without_wiki(item.graph)[0]) for item in items][: chosen.limit]
        done = [correct(model, sentence, gold, chosen.beam) for sentence, gold in pairs]
        gold = [one.gold for one in done]
        reports = [
            score_corpus(gold, [one.graphs[number] for one in done])
            for number in range(len(SYSTEMS))
        ]
        print(f"{path.name}, model {model.info.id} {model.info.hash}, beam {chosen.beam}")
        print("\n".join(describe(done, reports)), flush=True)
        written.append(to_json(path.name, done, reports))
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(written, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
