"""One gold graph on the Oracle page: its alignment, the actions for it, and what they reach.

A person may give an item other words; everything else is worked out again from that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.addresses.oracle import Edits
from aptcore.alignment.aligner import align
from aptcore.alignment.tables import shipped_tables
from aptcore.errors import AlignmentError
from aptcore.graph.alignment_formats import addresses, format_alignments
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Sentence
from aptcore.graph.penman import format_penman, without_wiki
from aptcore.oracle.oracle import OracleResult, oracle_actions, variant_of
from aptcore.oracle.report import Differences, checked_replay, gold_triples
from aptcore.trace.making import trace_of_walk
from aptcore.trace.trace import Trace
from aptcore.transition.actions import Action, PointerAction, format_label
from aptcore.transition.state import ParserState
from aptcore.words.copies import with_derived
from aptcore.words.copy_tables import shipped_copies
from aptcore.words.gold import GoldItem


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold graph, ready for the oracle.

    Attributes:
        sentence: Our tokens, with what COPY makes of them beyond lemmas.
        graph: Aligned, ``:wiki`` removed.
        written: The graph of the file, ``:wiki`` included.
        num_wiki: How many ``:wiki`` were removed.
    """

    sentence: Sentence
    graph: AmrGraph
    written: AmrGraph
    num_wiki: int


@dataclass(frozen=True, slots=True)
class OracleView:
    """What the page shows of one sentence.

    Attributes:
        gold: The graph with the alignment that was used, a person's changes included.
        variant: Which oracle.
        result: Its actions and what they do not build.
        state: The state after them.
        found: How the built graph differs from the gold graph.
        trace: The walk, ready for the canvas.
    """

    gold: Gold
    variant: str
    result: OracleResult
    state: ParserState
    found: Differences
    trace: Trace

    @property
    def is_exact(self) -> bool:
        """Whether the actions build the gold graph and nothing else."""
        return not self.found.missing and not self.found.extra


def gold_of(item: GoldItem, name: str) -> Gold:
    """Align a gold graph with the tables that come with the program.

    Args:
        item: Sentence and graph.
        name: What the sentence is called.

    Raises:
        AlignmentError: If a given alignment names a token that does not exist.
    """
    sentence = with_derived(replace(item.sentence, id=name), shipped_copies())
    graph, num_wiki = without_wiki(item.graph)
    return Gold(sentence, align(sentence, graph, shipped_tables()), item.graph, num_wiki)


def view_of(gold: Gold, variant: str) -> OracleView:
    """Run the oracle on one sentence and replay it.

    Raises:
        GraphError: If the replay loses something that the oracle did not list.
        IllegalActionError: If the oracle takes an illegal action.
    """
    result = oracle_actions(gold.sentence, gold.graph, variant)
    state, found = checked_replay(gold.sentence, gold.graph, result, variant)
    trace = trace_of_oracle(gold.sentence, result, variant)
    return OracleView(gold, variant, result, state, found, trace)


def with_edits(gold: Gold, edits: Edits) -> Gold:
    """Give items the words that a person chose; the source of these is ``person``.

    Raises:
        AlignmentError: If an item or a token does not exist.
    """
    if not edits:
        return gold
    known = {item.key for item in addresses(gold.graph).values() if isinstance(item.key, str)}
    size = len(gold.sentence.tokens)
    alignments: dict[AlignmentKey, Alignment] = dict(gold.graph.alignments)
    for name, tokens in edits.items():
        if name not in known:
            raise AlignmentError(f"the graph has no item {name!r} to align")
        wrong = [token for token in tokens if not 0 <= token < size]
        if wrong:
            raise AlignmentError(f"there is no token {wrong[0]}: the sentence has {size}, from 0")
        alignments[name] = Alignment(tuple(sorted(set(tokens))), "person")
    return replace(gold, graph=replace(gold.graph, alignments=alignments))


@dataclass(frozen=True, slots=True)
class AlignmentRow:
    """A node or constant with its words.

    Attributes:
        item: Id of the node or attribute.
        label: Concept or constant.
        kind: ``concept`` or ``constant``.
        words: Its words.
        tokens: Positions of these, ascending.
        source: Where the alignment comes from.
        made_at: The words at which the oracle makes it; empty where it does not.
    """

    item: str
    label: str
    kind: str
    words: str
    tokens: tuple[int, ...]
    source: str
    made_at: str


def alignment_rows(view: OracleView) -> tuple[AlignmentRow, ...]:
    """List all nodes and constants in the order of the graph's text."""
    graph, tokens = view.gold.graph, view.gold.sentence.tokens
    labels = {node.id: (node.concept, "concept") for node in graph.nodes}
    labels |= {part.id: (part.value, "constant") for part in graph.attributes}
    made = {view.result.items.get(item.key): item for item in view.state.items}
    rows = []
    for address in addresses(graph).values():
        name = address.key
        if not isinstance(name, str):
            continue
        alignment = graph.alignments.get(name, Alignment((), "given"))
        item = made.get(name)
        rows.append(
            AlignmentRow(
                name,
                *labels[name],
                " ".join(tokens[position] for position in alignment.tokens),
                alignment.tokens,
                alignment.source,
                "" if item is None else " ".join(tokens[item.start : item.stop]),
            )
        )
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Changes:
    """What another alignment does to the actions.

    Attributes:
        gained: Actions that are new, in order, in words that need no position.
        lost: Actions that are gone.
        steps: Positions of the new actions.
        new_labels: Labels that no action had before.
        old_labels: Labels that no action has any more.
        num_before: Number of actions before.
        num_after: Number of actions now.
    """

    gained: tuple[str, ...]
    lost: tuple[str, ...]
    steps: tuple[int, ...]
    new_labels: tuple[str, ...]
    old_labels: tuple[str, ...]
    num_before: int
    num_after: int


def changes_between(before: OracleView, after: OracleView) -> Changes:
    """Compare the actions of two alignments of one graph."""
    old, new = _told_actions(before), _told_actions(after)
    old_labels, new_labels = _labels(before), _labels(after)
    gained = _left_over(new, old)
    return Changes(
        gained=tuple(new[place] for place in gained),
        lost=tuple(old[place] for place in _left_over(old, new)),
        steps=gained,
        new_labels=tuple(label for label in new_labels if label not in old_labels),
        old_labels=tuple(label for label in old_labels if label not in new_labels),
        num_before=len(old),
        num_after=len(new),
    )


def _labels(view: OracleView) -> dict[str, None]:
    return dict.fromkeys(map(format_label, view.result.actions))


def _told_actions(view: OracleView) -> list[str]:
    """Write each action with what it is about: positions change with every other action."""
    names = {item.position: view.result.items.get(item.key, "") for item in view.state.roots}
    last = ""
    told = []
    for step, action in zip(view.trace.steps, view.result.actions, strict=True):
        words = view.trace.words_at(step)
        last = names.get(step.step, last)
        told.append(f"{format_label(action)} {_about(action, words, last, names)}")
    return told


def _about(action: Action, words: str, last: str, names: Mapping[int, str]) -> str:
    if not isinstance(action, PointerAction):
        return f"at “{words}”"
    other = names.get(action.position, "")
    return f"with {other}" if words == "<ROOT>" else f"between {last} and {other}"


def _left_over(those: Sequence[str], without: Sequence[str]) -> tuple[int, ...]:
    """Give the places of what one list has and another has not, or not as often."""
    spare = Counter(without)
    left = []
    for place, text in enumerate(those):
        if spare[text]:
            spare[text] -= 1
        else:
            left.append(place)
    return tuple(left)


def format_corrected(view: OracleView) -> str:
    """Write the graph with its alignment as a block of a file.

    ``::tok`` holds the tokens that ``::alignments`` (ISI's, from 0) counts, and
    ``::alignment-sources`` says for each address where its alignment comes from.
    """
    sentence, written = view.gold.sentence, view.gold.written
    graph = replace(written, alignments={**written.alignments, **view.gold.graph.alignments})
    sources = [
        f"{address}={graph.alignments[at.key].source}"
        for address, at in addresses(graph).items()
        if at.key in graph.alignments
    ]
    metadata = {
        **graph.metadata,
        "id": sentence.id,
        "snt": sentence.text,
        "tok": " ".join(sentence.tokens),
        "alignments": format_alignments(graph),
        "alignment-sources": " ".join(sources),
    }
    return format_penman(replace(graph, metadata=metadata)) + "\n"


def describe_view(view: OracleView) -> str:
    """Say in one line of plain text what the oracle reaches, and with how many actions."""
    num_gold, num_tokens = len(gold_triples(view.gold.graph)), len(view.gold.sentence.tokens)
    actions = f"{len(view.result.actions)} actions for {num_tokens} tokens"
    if view.is_exact:
        return f"Exact: all {num_gold} triples are built by {actions}."
    missing, extra = len(view.found.missing), len(view.found.extra)
    too_many = f", {extra} that are not gold" if extra else ""
    return f"{num_gold - missing} of {num_gold} triples are built by {actions}{too_many}."


_CUT = "The oracle takes these actions for the gold graph; no model took part, so there are no "
_CUT += "probabilities."


def trace_of_oracle(sentence: Sentence, result: OracleResult, variant: str) -> Trace:
    """Replay the oracle's actions and write every moment down.

    Items are called by their gold ids, so that the drawing and the gold graph agree; what
    the oracle made up gets a name of its own.

    Args:
        sentence: What the actions are for.
        result: What the oracle gave.
        variant: The variant of the oracle that gave it.

    Raises:
        IllegalActionError: If an action is illegal where it is taken.
    """
    action_set = variant_of(variant).action_set
    who = f"oracle {variant}"
    return trace_of_walk(sentence, result.actions, action_set, who, _CUT, result.items)
