"""How much ``:wiki`` the shipped dictionary restores: ``python -m benchmarks.wiki``.

``:wiki`` is removed from gold graphs that were never learnt from and restored from their
names and concepts, so that the figures are those of the linker alone. A link counts as
right where the same node has the same value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from aptcore.graph.amr import AmrGraph
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import without_wiki
from aptcore.graph.wiki import DictionaryLinker, WikiLinker, named_nodes, shipped_linker, with_wiki
from benchmarks.short_runs import BIO_DEV, DEV, data_path, percent

FILES = (
    DEV,
    BIO_DEV,
    "grapes/grapes-corpus.part.txt",
    "qald9-amr/qald-9-amr-test.part.txt",
    "massive-amr/massive_amr.en.train.txt",
)


def links(graph: AmrGraph) -> Counter[tuple[str, str]]:
    """Give the linked nodes and their values, in small letters."""
    found = [(a.source, a.value.lower()) for a in graph.attributes if a.role == ":wiki"]
    return Counter(found)


def row(name: str, linkers: Mapping[str, WikiLinker]) -> str:
    """Measure every linker on one file."""
    gold = [record.graph for record in read_corpus(data_path(name)).records if record.graph]
    num_gold = sum(links(graph).total() for graph in gold)
    cells = [f"`{name}`", str(sum(len(named_nodes(graph)) for graph in gold)), str(num_gold)]
    for linker in linkers.values():
        restored = [links(with_wiki(without_wiki(graph)[0], linker)) for graph in gold]
        right = sum((links(g) & r).total() for g, r in zip(gold, restored, strict=True))
        num_made = sum(made.total() for made in restored)
        f1 = percent(2 * right / (num_gold + num_made)) if num_gold + num_made else "-"
        cells.append(f"{right} of {num_made}, F1 {f1}")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print a Markdown table."""
    linkers = {"dictionary": shipped_linker(), "always `-`": DictionaryLinker()}
    header = ("file", "names", "gold `:wiki`", *(f"{name}: right of made" for name in linkers))
    print(f"| {' | '.join(header)} |\n| {' | '.join(['---'] * len(header))} |")
    for name in FILES:
        print(row(name, linkers), flush=True)


if __name__ == "__main__":
    main()
