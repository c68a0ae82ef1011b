"""How well left-out words are found: ``python -m benchmarks.omissions [FILE ...]``.

On gold graphs, which leave out nothing, each warning that nothing stands for a word is a
false one. Then from each graph three nodes at random are deleted, one at a time, each the
only one to stand for its words, and it is counted how often a warning names such a word.
Files are training files below APTAMR_DATA: what is measured here may be tuned on.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from app.commands.oracle import read_gold
from aptcore.advice.problems.words import uncovered_words
from aptcore.graph.amr import AlignmentKey, AmrGraph, Edge, Mention, Sentence
from aptcore.words.frames import shipped_counts
from trainer.config import DataConfig

FILES = (
    "little-prince/v3.0/amr-bank-struct-v3.0-training.txt",
    "bio/amr-release-training-bio.first838.txt",
)
DELETIONS = 3


def deletions(
    sentence: Sentence, graph: AmrGraph, chance: random.Random
) -> Iterator[tuple[set[int], AmrGraph]]:
    """Delete nodes one at a time; gives the words of each and the graph without it."""
    uses = Counter(place for found in graph.alignments.values() for place in found.tokens)
    nodes = {node.id for node in graph.nodes} - {graph.root}
    alone = [
        (name, set(found.tokens))
        for name, found in sorted((k, v) for k, v in graph.alignments.items() if k in nodes)
        if found.tokens
        and found.source != "proximity"
        and all(uses[place] == 1 for place in found.tokens)
        and any(letter.isalnum() for letter in sentence.tokens[found.tokens[0]])
    ]
    for _ in range(DELETIONS if alone else 0):
        name, words = chance.choice(alone)
        yield words, _without(graph, name)


def _without(graph: AmrGraph, name: str) -> AmrGraph:
    gone = {name} | {item.id for item in graph.attributes if item.source == name}

    def is_left(key: AlignmentKey) -> bool:
        edge = key.edge if isinstance(key, Mention) else key
        return gone.isdisjoint((edge.source, edge.target) if isinstance(edge, Edge) else (edge,))

    return replace(
        graph,
        nodes=tuple(node for node in graph.nodes if node.id != name),
        edges=tuple(edge for edge in graph.edges if is_left(edge)),
        attributes=tuple(item for item in graph.attributes if item.id not in gone),
        alignments={key: found for key, found in graph.alignments.items() if is_left(key)},
        layout=(),
    )


def measure(pairs: Sequence[tuple[Sentence, AmrGraph]]) -> tuple[Counter[str], int, int]:
    """Count false warnings by lemma, omissions that are found, and all omissions."""
    chance, silent = random.Random(1), shipped_counts().silent
    false: Counter[str] = Counter()
    found = total = 0
    for sentence, graph in pairs:
        for problem in uncovered_words(graph, silent, sentence.tokens, sentence.lemmas):
            false[sentence.lemmas[problem.tokens[0]].lower()] += 1
        for words, less in deletions(sentence, graph, chance):
            named = uncovered_words(less, silent, sentence.tokens, sentence.lemmas)
            total += 1
            found += any(problem.tokens[0] in words for problem in named)
    return false, found, total


def main() -> None:
    """Print a Markdown table, and the words most warned about."""
    print("| file | sentences | false warnings | omissions found |\n| --- | --- | --- | --- |")
    often = []
    for name in sys.argv[1:] or FILES:
        pairs = read_gold([DataConfig().path(name)]).pairs
        false, found, total = measure(pairs)
        share = f"{found} of {total} ({found / max(1, total):.1%})"
        print(f"| {Path(name).name} | {len(pairs)} | {false.total()} | {share} |", flush=True)
        words = (f"{word} {count}" for word, count in false.most_common(15))
        often.append(f"{Path(name).name}: {', '.join(words)}")
    print("\n".join(["", "Most often in vain:", *often]))


if __name__ == "__main__":
    main()
