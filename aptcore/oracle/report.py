"""What replaying oracle actions gives, against the gold graph and over a corpus.

Which item stands for which gold id is known from the oracle, so the two graphs are
compared triple by triple and no search is needed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from aptcore.errors import GraphError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.checks import rooted_triples
from aptcore.graph.layout import INSTANCE, TOP, Triple
from aptcore.oracle.oracle import OracleResult, oracle_actions, variant_of
from aptcore.transition.actions import Action, format_label
from aptcore.transition.items import Const, Copy, Pred, Subgraph
from aptcore.transition.machine import replay
from aptcore.transition.state import ParserState


@dataclass(frozen=True, slots=True)
class Differences:
    """How a built graph differs from the gold graph, in gold ids.

    Attributes:
        missing: Gold triples that were not built.
        extra: Built triples that are not gold.
    """

    missing: tuple[Triple, ...]
    extra: tuple[Triple, ...]


def gold_triples(graph: AmrGraph) -> tuple[Triple, ...]:
    """Give all triples of a graph once, that of the root last."""
    return tuple(dict.fromkeys(rooted_triples(graph)))


def built_triples(result: OracleResult, state: ParserState) -> tuple[Triple, ...]:
    """Give all triples of a replayed state, in gold ids.

    Items that the oracle made up are called by their place in the state; constants
    without a parent give no triple.
    """
    constants = {item.key: item.label for item in state.items if item.is_constant}
    names = {item.key: result.items.get(item.key, f"+{item.key}") for item in state.items}
    built = [
        (names[item.key], INSTANCE, item.label) for item in state.items if not item.is_constant
    ]
    for edge in state.edges:
        target = constants.get(edge.target, names[edge.target])
        built.append((names[edge.source], edge.role, target))
    if state.root is not None:
        built.append((names[(state.root, 0)], TOP, ""))
    return tuple(dict.fromkeys(built))


def differences(graph: AmrGraph, result: OracleResult, state: ParserState) -> Differences:
    """Compare a replayed state with the gold graph.

    Args:
        graph: The gold graph.
        result: What the oracle gave for it.
        state: The state after its actions.
    """
    gold, built = gold_triples(graph), built_triples(result, state)
    gold_set, built_set = set(gold), set(built)
    return Differences(
        tuple(triple for triple in gold if triple not in built_set),
        tuple(triple for triple in built if triple not in gold_set),
    )


def checked_replay(
    sentence: Sentence, graph: AmrGraph, result: OracleResult, variant: str = "exact"
) -> tuple[ParserState, Differences]:
    """Replay oracle actions and see that nothing is lost that is not listed.

    Raises:
        IllegalActionError: If an action is illegal where it is taken.
        GraphError: If a gold triple is missing and not listed as unreachable.
    """
    state = replay(sentence, result.actions, variant_of(variant).action_set)
    found = differences(graph, result, state)
    listed = {lost.triple for lost in result.unreachable}
    silent = [triple for triple in found.missing if triple not in listed]
    if silent:
        raise GraphError(
            [
                f"sentence {sentence.id!r}: replaying the oracle loses {' '.join(triple)}"
                for triple in silent
            ]
        )
    return state, found


@dataclass(frozen=True, slots=True)
class OracleReport:
    """Figures of an oracle over a corpus.

    Attributes:
        sentences: Number of sentences.
        tokens: Number of white-space tokens, without ``<ROOT>``.
        actions: Number of actions, root steps counted.
        matched: Triples that were built and are gold.
        built: Triples that were built.
        gold: Triples of the gold graphs, one for the root among them.
        exact: Sentences whose replay equals the gold graph.
        copies: Actions that are COPY.
        items: Actions that make an item: COPY, PRED, CONST and SUBGRAPH.
        labels: How often each label occurs.
        unseen: Labels that the vocabulary corpus lacks; None without one.
        unreachable: Sentence id, piece and reason of everything that is not built.
        seconds: Time of the oracle and the replay, in seconds.
    """

    sentences: int
    tokens: int
    actions: int
    matched: int
    built: int
    gold: int
    exact: int
    copies: int
    items: int
    labels: Counter[str]
    unseen: int | None
    unreachable: tuple[tuple[str, str, str], ...]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Give the figures under the keys of ``aptamr oracle --json``; shares are 0..1.

        ``copy_share`` is COPY's share of the actions that make items; ``labels``,
        ``labels_once`` and ``unseen`` count different labels.
        """
        once = sum(1 for count in self.labels.values() if count == 1)
        return {
            "sentences": self.sentences,
            "tokens": self.tokens,
            "actions": self.actions,
            "actions_per_sentence": _share(self.actions, self.sentences),
            "actions_per_token": _share(self.actions, self.tokens),
            "smatch": {
                "precision": _share(self.matched, self.built),
                "recall": _share(self.matched, self.gold),
                "f1": _share(2 * self.matched, self.built + self.gold),
            },
            "exact": _share(self.exact, self.sentences),
            "copy_share": _share(self.copies, self.items),
            "labels": len(self.labels),
            "labels_once": once,
            "unseen": self.unseen,
            "unreachable": [
                {"id": name, "piece": piece, "reason": reason}
                for name, piece, reason in self.unreachable
            ],
            "seconds": self.seconds,
        }


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def oracle_report(
    pairs: Iterable[tuple[Sentence, AmrGraph]],
    variant: str = "exact",
    *,
    num_tokens: int | None = None,
    vocabulary_pairs: Iterable[tuple[Sentence, AmrGraph]] | None = None,
) -> OracleReport:
    """Run the oracle over a corpus, replay every sentence and count.

    Args:
        pairs: Sentences with their aligned gold graphs, ``:wiki`` removed.
        variant: The oracle's variant.
        num_tokens: White-space tokens of the corpus; those of the texts if left out.
        vocabulary_pairs: A corpus whose labels count as seen.

    Raises:
        ConfigurationError: If there is no such variant.
        GraphError: If a replay loses something that the oracle did not list.
    """
    begun = time.perf_counter()
    labels: Counter[str] = Counter()
    unreachable: list[tuple[str, str, str]] = []
    totals: Counter[str] = Counter()
    for sentence, graph in pairs:
        result = oracle_actions(sentence, graph, variant)
        state, found = checked_replay(sentence, graph, result, variant)
        labels.update(map(format_label, result.actions))
        unreachable += [(sentence.id, lost.piece, lost.reason) for lost in result.unreachable]
        totals += _counts(sentence, graph, result.actions, built_triples(result, state), found)
    seen = None if vocabulary_pairs is None else _labels_of(vocabulary_pairs, variant)
    return OracleReport(
        sentences=totals["sentences"],
        tokens=totals["tokens"] if num_tokens is None else num_tokens,
        actions=totals["actions"],
        matched=totals["matched"],
        built=totals["built"],
        gold=totals["gold"],
        exact=totals["exact"],
        copies=totals["copies"],
        items=totals["items"],
        labels=labels,
        unseen=None if seen is None else sum(1 for label in labels if label not in seen),
        unreachable=tuple(unreachable),
        seconds=time.perf_counter() - begun,
    )


def _counts(
    sentence: Sentence,
    graph: AmrGraph,
    actions: Sequence[Action],
    built: Sequence[Triple],
    found: Differences,
) -> Counter[str]:
    is_exact = not found.missing and not found.extra
    return Counter(
        sentences=1,
        tokens=len(sentence.text.split()),
        actions=len(actions),
        matched=len(built) - len(found.extra),
        built=len(built),
        gold=len(gold_triples(graph)),
        exact=int(is_exact),
        copies=sum(isinstance(action, Copy) for action in actions),
        items=sum(isinstance(action, Copy | Pred | Const | Subgraph) for action in actions),
    )


def _labels_of(pairs: Iterable[tuple[Sentence, AmrGraph]], variant: str) -> set[str]:
    found: set[str] = set()
    for sentence, graph in pairs:
        found.update(map(format_label, oracle_actions(sentence, graph, variant).actions))
    return found
