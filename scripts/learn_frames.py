"""Count frames and roles in the training files of the shipped model.

    APTAMR_DATA=/path/to/data python scripts/learn_frames.py [--output assets/frames.json]

Only the training files that ``trainer/configs/small.toml`` names are read; development
and test files never are, nor any frame list.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app.commands.oracle import read_gold  # noqa: E402
from aptcore.assets import asset_path  # noqa: E402
from aptcore.graph.amr import AmrGraph, Sentence  # noqa: E402
from aptcore.graph.penman import layout_of  # noqa: E402
from aptcore.saving import save_text  # noqa: E402
from aptcore.words.frames import COUNTS_FILE, Counts, lemma_of  # noqa: E402
from trainer.config import load_config  # noqa: E402

CONFIG = ROOT / "trainer" / "configs" / "small.toml"

MIN_COUNT = 2
"""Occurrences from which on a concept is kept."""

MIN_SHARE = 0.05
"""Share of a lemma's occurrences from which on what it stands for is kept."""

MOST_UNSAID = 60
"""Concepts kept of those that no word spells."""

MIN_SILENT = 20
"""Occurrences from which on a lemma can be called silent."""

SILENT_SHARE = 0.5
"""Share of its occurrences that a silent lemma is aligned to nothing in."""


def learn_counts(pairs: Iterable[tuple[Sentence, AmrGraph]]) -> Counts:
    """Count over training graphs.

    Args:
        pairs: Sentences and graphs with an alignment for each node.

    Returns:
        Counts without the concepts that came once.
    """
    concepts: Counter[str] = Counter()
    roles: dict[str, Counter[str]] = {}
    above: dict[str, Counter[str]] = {}
    words: Counter[str] = Counter()
    uncovered: Counter[str] = Counter()
    meanings: Counter[tuple[str, str]] = Counter()
    num_graphs = 0
    for sentence, graph in pairs:
        num_graphs += 1
        names = {node.id: node.concept for node in graph.nodes}
        concepts.update(names.values())
        for source, role in _branches(graph):
            roles.setdefault(names[source], Counter())[role] += 1
        for branch in layout_of(graph):
            if branch.concept is not None and branch.role:
                above.setdefault(branch.concept, Counter())[branch.role] += 1
        covered = {token for found in graph.alignments.values() for token in found.tokens}
        words.update(sentence.lemmas)
        meanings.update(_other_words(sentence, graph))
        uncovered.update(
            lemma for token, lemma in enumerate(sentence.lemmas) if token not in covered
        )
    kept = {name: count for name, count in concepts.items() if count >= MIN_COUNT}
    total: Counter[str] = Counter()
    for found in roles.values():
        total.update(found)
    silent = {
        lemma
        for lemma, count in words.items()
        if lemma.isalpha() and count >= MIN_SILENT and uncovered[lemma] >= SILENT_SHARE * count
    }
    own = {name: dict(roles.get(name, {})) for name in kept}
    others: dict[str, dict[str, int]] = {}
    for (lemma, concept), count in meanings.items():
        if count >= max(MIN_COUNT, MIN_SHARE * words[lemma]) and concept in kept:
            others.setdefault(lemma, {})[concept] = count
    hung = {name: dict(above.get(name, {})) for name in kept}
    return Counts(kept, own, dict(total), frozenset(silent), num_graphs, others, hung)


def learn_unsaid(files: Sequence[Iterable[tuple[Sentence, AmrGraph]]]) -> tuple[str, ...]:
    """Find the concepts that no word spells and most kinds of text have.

    Args:
        files: Sentences and graphs of each training file.

    Returns:
        The concepts, by the median over the files of the share of graphs that have them.
    """
    shares: dict[str, list[float]] = {}
    for pairs in map(list, files):
        found = Counter(name for sentence, graph in pairs for name in _unsaid(sentence, graph))
        for name, count in found.items():
            shares.setdefault(name, []).append(count / len(pairs))
    medians = {
        name: median([*found, *[0.0] * (len(files) - len(found))]) for name, found in shares.items()
    }
    often = sorted(filter(medians.get, medians), key=lambda name: (-medians[name], name))
    return tuple(often[:MOST_UNSAID])


def _other_words(sentence: Sentence, graph: AmrGraph) -> Iterable[tuple[str, str]]:
    """Give lemma and concept of each node that is all a word stands for, spelt otherwise."""
    concepts = {node.id: node.concept for node in graph.nodes}
    own = [(key, found) for key, found in graph.alignments.items() if key in concepts]
    uses = Counter(token for _, found in own for token in found.tokens)
    for key, found in own:
        if len(found.tokens) != 1 or uses[found.tokens[0]] > 1 or found.source == "proximity":
            continue
        lemma, concept = sentence.lemmas[found.tokens[0]], concepts[str(key)]
        if lemma_of(concept) != lemma and any(map(str.isalpha, lemma)):
            yield lemma, concept


def _unsaid(sentence: Sentence, graph: AmrGraph) -> Iterable[str]:
    """Give the concepts that no word of the sentence spells."""
    words = {*sentence.lemmas, *(token.lower() for token in sentence.tokens)}
    return {node.concept for node in graph.nodes if lemma_of(node.concept) not in words}


def _branches(graph: AmrGraph) -> Iterable[tuple[str, str]]:
    """Give source and role of every branch, ``:wiki`` left out."""
    yield from ((edge.source, edge.role) for edge in graph.edges)
    yield from ((item.source, item.role) for item in graph.attributes if item.role != ":wiki")


def save_counts(counts: Counts, path: Path) -> None:
    """Write counts as JSON, sorted."""
    concepts = {
        name: {
            "count": count,
            "roles": dict(sorted(counts.roles.get(name, {}).items())),
            "above": dict(sorted(counts.above.get(name, {}).items())),
        }
        for name, count in sorted(counts.concepts.items())
    }
    values = {
        "graphs": counts.num_graphs,
        "roles": dict(sorted(counts.all_roles.items())),
        "silent": sorted(counts.silent),
        "unsaid": list(counts.unsaid),
        "words": {
            word: dict(sorted(found.items())) for word, found in sorted(counts.words.items())
        },
        "concepts": concepts,
    }
    save_text(path, json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n")


def main() -> int:
    """Count, save and say how much there is; gives the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=asset_path(COUNTS_FILE))
    output: Path = parser.parse_args().output
    data = load_config(CONFIG).data
    files = [list(read_gold([data.path(name)]).pairs) for name in data.train]
    counts = learn_counts(pair for pairs in files for pair in pairs)
    counts = replace(counts, unsaid=learn_unsaid(files))
    save_counts(counts, output)
    sys.stdout.write(
        f"{output}: {counts.num_graphs} graphs, {len(counts.concepts)} concepts, "
        f"{len(counts.all_roles)} roles, {len(counts.silent)} silent lemmas\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
