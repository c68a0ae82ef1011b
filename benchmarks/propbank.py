"""Measure senses and arguments against PropBank: ``python -m benchmarks.propbank``.

Measured are the examples that no training takes (one in ten, by a hash of their id). A sense
is right where a node at the predicate's words is the frame that people chose. An argument is
right where the predicate has an edge of its role to what stands at the words that people
marked: predicate, role, and a word for the head. F1 counts all numbered roles of the
predicate; AMR also has arguments that PropBank does not mark, such as the one who goes in
"wants to go", so a perfect parser does not reach 100.

    python -m benchmarks.propbank --model runs/small/student/model --beam 5
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import torch

from aptcore.graph.amr import AmrGraph
from aptcore.neural.parser import AptParser
from aptcore.words.tokens import tokenize_all
from trainer.annotating.propbank import (
    Marks,
    example_lines,
    example_of,
    marks_of,
    predicate_node,
    roles_found,
)
from trainer.config import DataConfig

EXAMPLES = "propbank/examples.jsonl"


def counts_of(graph: AmrGraph, marks: Marks) -> Counter[str]:
    """Count for one sentence: its sense, if right, and arguments found, marked and right."""
    counts = Counter(sentences=1, marked=len(marks.arguments))
    predicate = predicate_node(graph, marks)
    if predicate is None:
        return counts
    concepts = {node.id: node.concept for node in graph.nodes}
    counts["senses"] += concepts[predicate] == marks.frame
    found = roles_found(graph, predicate, marks)
    counts["found"] += len(found)
    counts["right"] += sum(
        bool(found.get(role, frozenset()) & tokens) for role, tokens in marks.arguments
    )
    return counts


def scores_of(counts: Counter[str]) -> dict[str, float]:
    """Give sense accuracy, and precision, recall and F1 of arguments, 0..1."""
    right = counts["right"]
    return {
        "sentences": counts["sentences"],
        "sense accuracy": counts["senses"] / max(1, counts["sentences"]),
        "precision": right / max(1, counts["found"]),
        "recall": right / max(1, counts["marked"]),
        "F1": 2 * right / max(1, counts["found"] + counts["marked"]),
    }


def main() -> None:
    """Parse the held-out examples, count, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", type=Path, action="append", help="repeat it for an ensemble")
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--limit", type=int, help="measure the first so many")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    lines = example_lines(DataConfig().path(EXAMPLES), held_out=True)[: arguments.limit]
    examples = [example_of(line) for line in lines]
    sentences = tokenize_all([example.text for example in examples])
    model = AptParser.from_pretrained(arguments.model)
    parses = model.parse(sentences, beam=arguments.beam)
    total: Counter[str] = Counter()
    for example, sentence, parse in zip(examples, sentences, parses, strict=True):
        total += counts_of(parse.graph, marks_of(example, sentence))
    print(json.dumps({name: round(value, 4) for name, value in scores_of(total).items()}))


if __name__ == "__main__":
    main()
