"""What dev graphs need and no training sentence has: the model cannot make it.

Counted so that a low score is not taken for a weakness of the model; nothing of it goes
into the vocabulary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from aptcore.alignment.aligner import align
from aptcore.alignment.tables import Tables
from aptcore.errors import AptamrError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.penman import without_wiki
from aptcore.neural.vocabulary import ActionVocabulary
from aptcore.oracle.oracle import oracle_actions
from aptcore.transition.actions import format_label

SHOWN = 12
"""How many of each kind a line names."""

Unseen = dict[str, dict[str, int]]
"""How often by name, most often first, below ``dev_roles``, ``dev_labels``, ``dev_concepts``."""


def unseen_in_training(
    training: Iterable[AmrGraph],
    vocabulary: ActionVocabulary,
    dev: Sequence[tuple[Sentence, AmrGraph]],
    tables: Tables,
    variant: str,
) -> Unseen:
    """Count what dev sentences need and training has not.

    Args:
        training: All graphs trained on.
        vocabulary: Of the run.
        dev: Sentences, with what COPY makes of their words, and their gold graphs.
        tables: Of the aligner.
        variant: Of the oracle. A sentence that it cannot walk is left out.

    Returns:
        Roles and concepts of dev graphs; labels that the oracle needs for them, after
        COPY, and the vocabulary lacks.
    """
    roles: Counter[str] = Counter()
    concepts: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    for sentence, gold in dev:
        graph = without_wiki(gold)[0]
        roles.update(_roles(graph))
        concepts.update(node.concept for node in graph.nodes)
        try:
            found = oracle_actions(sentence, align(sentence, graph, tables), variant)
        except AptamrError:
            continue
        labels.update(map(format_label, found.actions))
    for graph in training:
        for role in _roles(graph):
            del roles[role]
        for node in graph.nodes:
            del concepts[node.concept]
    for label in vocabulary.labels:
        del labels[label]
    return {
        "dev_roles": _ordered(roles),
        "dev_labels": _ordered(labels),
        "dev_concepts": _ordered(concepts),
    }


def _roles(graph: AmrGraph) -> list[str]:
    return [edge.role for edge in graph.edges] + [part.role for part in graph.attributes]


def _ordered(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def unseen_lines(unseen: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Say in plain text which dev roles and labels no training sentence has."""
    lines = []
    for kind in ("roles", "labels"):
        names = list(unseen.get(f"dev_{kind}", {}))
        more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
        named = f": {', '.join(names[:SHOWN])}{more}" if names else ""
        lines.append(f"{len(names):,} {kind} of dev are in no training sentence{named}")
    return lines
