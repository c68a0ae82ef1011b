"""``aptamr align``: a corpus with every node and constant aligned to our tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from app.commands import console
from aptcore.alignment import align, learn_tables
from aptcore.alignment_formats import addresses, format_alignments
from aptcore.amr import AmrGraph
from aptcore.corpus import Corpus, format_corpus
from aptcore.gold import GoldItem, gold_items
from aptcore.saving import save_text


@dataclass(frozen=True, slots=True)
class AlignedFile:
    """A corpus with the graphs that were aligned, by index of their record."""

    corpus: Corpus
    items: tuple[GoldItem, ...]
    graphs: Mapping[int, AmrGraph]
    num_unusable: int


def run_align(files: Sequence[Path], output: Path, from_scratch: bool, as_json: bool) -> int:
    """Align the graphs of files as one corpus, write them, and report.

    Returns:
        Exit status: 1 if a record could not be aligned (it is written as it was), else 0.

    Raises:
        typer.BadParameter: The corpus and the report would both go to standard output.
    """
    if str(output) == console.STDIN and as_json:
        raise typer.BadParameter("--json and --output - both need standard output")
    aligned = align_files(files, from_scratch)
    text = "\n".join(format_file(file) for file in aligned)
    if str(output) == console.STDIN:
        console.write(text.removesuffix("\n"))
    else:
        save_text(output, text)
    report = report_of(aligned)
    if as_json:
        console.write_json(report)
    else:
        console.say(format_report(report))
    num_unusable = sum(file.num_unusable for file in aligned)
    if num_unusable:
        console.say(f"{num_unusable} records could not be aligned; they are written as they were")
    return 1 if num_unusable else 0


def align_files(files: Sequence[Path], from_scratch: bool) -> list[AlignedFile]:
    """Read and align files; what cannot be used is told.

    With ``from_scratch`` the tables are learnt from all the files together.
    """
    corpora = console.open_corpora(files)
    found = [gold_items(corpus) for corpus in corpora]
    for _, problems in found:
        for problem in problems:
            console.say(f"error: {problem}")
    pairs = [(item.sentence, item.graph) for items, _ in found for item in items]
    tables = learn_tables(pairs) if from_scratch else None
    return [
        AlignedFile(
            corpus,
            items,
            {item.index: align(item.sentence, item.graph, tables) for item in items},
            len(problems),
        )
        for corpus, (items, problems) in zip(corpora, found, strict=True)
    ]


def format_file(file: AlignedFile) -> str:
    """Write a corpus with its alignments; all else keeps its bytes."""
    changed = {
        item.index: with_alignment_lines(item, file.graphs[item.index]) for item in file.items
    }
    return format_corpus(file.corpus, changed)


def with_alignment_lines(item: GoldItem, graph: AmrGraph) -> AmrGraph:
    """Set the lines that alignments need in a file: ``::tok``, ``::alignments``, sources.

    ``::alignments`` are ISI's and count the tokens of ``::tok`` from 0;
    ``::alignment-sources`` names for each address where its alignment comes from.
    """
    sources = [
        f"{address}={graph.alignments[at.key].source}"
        for address, at in addresses(graph).items()
        if at.key in graph.alignments
    ]
    lines = {
        "tok": " ".join(item.sentence.tokens),
        "alignments": format_alignments(graph),
        "alignment-sources": " ".join(sources),
    }
    return replace(graph, metadata={**graph.metadata, **lines})


def report_of(files: Sequence[AlignedFile]) -> dict[str, Any]:
    """Count the nodes and constants, and where their alignments come from."""
    sources = Counter(
        graph.alignments[name].source
        for file in files
        for graph in file.graphs.values()
        for name in (*(n.id for n in graph.nodes), *(a.id for a in graph.attributes))
        if name in graph.alignments
    )
    return {
        "sentences": sum(len(file.items) for file in files),
        "nodes": sources.total(),
        "by_source": {source: {"nodes": count} for source, count in sources.most_common()},
    }


def format_report(report: Mapping[str, Any]) -> str:
    """Write the figures on one line."""
    sources = ", ".join(f"{count['nodes']} {name}" for name, count in report["by_source"].items())
    return f"{report['sentences']} sentences, {report['nodes']} nodes and constants: {sources}"
