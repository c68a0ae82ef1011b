"""``aptamr align``: a corpus with every node and constant aligned to our tokens."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from app.commands import console
from aptcore.alignment.aligner import align, lexical_items
from aptcore.alignment.learning import learn_tables
from aptcore.alignment.scoring import leamr_tokens, read_leamr, score_alignments
from aptcore.alignment.tables import Tables, shipped_tables
from aptcore.errors import InputError
from aptcore.graph.alignment_formats import addresses, format_alignments, span_tokens
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Sentence
from aptcore.graph.corpus import Corpus, Record, format_corpus, white_space_tokens
from aptcore.graph.formats import files_of
from aptcore.saving import save_text
from aptcore.words.gold import GoldItem, carry_over, gold_items, own_positions


@dataclass(frozen=True, slots=True)
class AlignedFile:
    """A corpus with the graphs that were aligned, by index of their record."""

    corpus: Corpus
    items: tuple[GoldItem, ...]
    graphs: Mapping[int, AmrGraph]
    num_unusable: int


def run_align(
    files: Sequence[Path],
    output: Path,
    score: Sequence[Path],
    from_scratch: bool,
    as_json: bool,
) -> int:
    """Align the graphs of files as one corpus, write them, and report.

    Into a folder that is there, or one that a folder's files are to make (a name without an
    ending), each file is written by itself, at its place below.

    Returns:
        Exit status: 1 if a record could not be aligned (it is written as it was) or a file
        not be read, else 0.

    Raises:
        typer.BadParameter: The corpus and the report would both go to standard output, or a
            file would be written over.
        InputError: No gold alignment is of a sentence in the files.
    """
    if str(output) == console.STDIN and as_json:
        raise typer.BadParameter("--json and --output - both need standard output")
    aligned, num_refused = align_files(files, from_scratch)
    for file in aligned:
        say_replaced(file)
    makes_folder = any(path.is_dir() for path in files) and not output.suffix
    if output.is_dir() or (makes_folder and str(output) != console.STDIN and not output.exists()):
        save_tree(files, aligned, output)
    else:
        text = "\n".join(format_file(file) for file in aligned)
        if str(output) == console.STDIN:
            console.write(text.removesuffix("\n"))
        else:
            save_text(output, text)
    figures = score_figures(gold_pairs(aligned, score)) if score else source_figures(aligned)
    if as_json:
        console.write_json(figures)
    else:
        console.say(json.dumps(figures, indent=2))
    num_unusable = sum(file.num_unusable for file in aligned)
    if num_unusable:
        console.say(f"{num_unusable} records could not be aligned; they are written as they were")
    return 1 if num_unusable or num_refused else 0


def save_tree(files: Sequence[Path], aligned: Sequence[AlignedFile], output: Path) -> None:
    """Write each file to its place below a folder.

    Raises:
        typer.BadParameter: One would be written over a file that was read, or over another.
    """
    places = {str(place.path): place for place in files_of(files)}
    targets = [output / places[file.corpus.path].below for file in aligned]
    read = {place.path.resolve() for place in places.values()}
    for number, target in enumerate(targets):
        if target.resolve() in read or target in targets[:number]:
            raise typer.BadParameter(f"--output would write over {target}: name another folder")
    for target, file in zip(targets, aligned, strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        save_text(target, format_file(file))


def align_files(files: Sequence[Path], from_scratch: bool) -> tuple[list[AlignedFile], int]:
    """Read and align files; what cannot be used is told, and how many files could not be read.

    With ``from_scratch`` the tables are learnt from all the files together.
    """
    corpora, num_refused = console.open_corpora(files)
    found = [gold_items(corpus) for corpus in corpora]
    for _, problems in found:
        for problem in problems:
            console.say(f"error: {problem}")
    pairs = [(item.sentence, item.graph) for items, _ in found for item in items]
    tables = learn_tables(pairs) if from_scratch else shipped_tables()
    aligned = [
        aligned_file(corpus, items, len(problems), tables)
        for corpus, (items, problems) in zip(corpora, found, strict=True)
    ]
    return aligned, num_refused


def aligned_file(
    corpus: Corpus, items: Sequence[GoldItem], num_unusable: int, tables: Tables | None
) -> AlignedFile:
    """Align the graphs of a file."""
    graphs = {item.index: _aligned(corpus, item, tables) for item in items}
    return AlignedFile(corpus, tuple(items), graphs, num_unusable)


def _aligned(corpus: Corpus, item: GoldItem, tables: Tables | None) -> AmrGraph:
    """Align a graph; its labels stay as the file spells them."""
    aligned = align(item.sentence, item.graph, tables)
    return replace(corpus.records[item.index].graph or aligned, alignments=aligned.alignments)


def format_file(file: AlignedFile) -> str:
    """Write a corpus with its alignments; all else keeps its bytes, but line ends are LF."""
    changed = {
        item.index: with_alignment_lines(
            file.corpus.records[item.index], item.sentence, file.graphs[item.index]
        )
        for item in file.items
    }
    return re.sub(r"\r\n?", "\n", format_corpus(file.corpus, changed))


def say_replaced(file: AlignedFile) -> None:
    """Tell how many sentences get other tokens than the file had, and which is the first."""
    found = [(file.corpus.records[item.index], item.sentence) for item in file.items]
    changed = [record for record, own in found if white_space_tokens(record) != own.tokens]
    given = [record for record in changed if record.metadata.keys() & {"tok", "tokens"}]
    if given:
        console.say(
            f"{file.corpus.path}: {len(given)} sentences had other tokens in ::tok or ::tokens "
            f"than ours, which replace them and which alignments count; the first is on line "
            f"{given[0].line}"
        )


def with_alignment_lines(record: Record, sentence: Sentence, graph: AmrGraph) -> AmrGraph:
    """Set the lines that alignments need in a file: ``::tok``, ``::alignments``, sources.

    ``::alignments`` are ISI's and count the tokens of ``::tok`` from 0;
    ``::alignment-sources`` names for each address where its alignment comes from. Spans of
    ``::node`` lines are carried over to the tokens of ``::tok``.
    """
    sources = [
        f"{address}={graph.alignments[at.key].source}"
        for address, at in addresses(graph).items()
        if at.key in graph.alignments
    ]
    lines = {
        "tok": " ".join(sentence.tokens),
        "alignments": format_alignments(graph),
        "alignment-sources": " ".join(sources),
    }
    if "tokens" in graph.metadata:  # it would count before ::tok
        lines["tokens"] = json.dumps(list(sentence.tokens), ensure_ascii=False)
    if "node" in graph.metadata:
        owners = own_positions(record, sentence)
        moved = [_moved(row, owners) for row in graph.metadata["node"].split("\n")]
        lines["node"] = "\n".join(moved)
    return replace(graph, metadata={**graph.metadata, **lines})


def _moved(row: str, owners: Sequence[tuple[int, ...]]) -> str:
    """Carry the span of a ``::node`` line over; a line without one stays."""
    fields = row.split("\t")
    tokens = carry_over(span_tokens(fields[2]), owners) if len(fields) > 2 else ()
    if tokens:
        fields[2] = f"{tokens[0]}-{tokens[-1] + 1}"
    return "\t".join(fields)


@dataclass(frozen=True, slots=True)
class GoldPair:
    """What one sentence is scored on.

    Attributes:
        part: The name of the gold file.
        gold: The gold tokens of its nodes and constants, counted in our tokens.
        alignments: Ours.
        lexical: The items that a rule matches by a word alone.
    """

    part: str
    gold: Mapping[str, tuple[int, ...]]
    alignments: Mapping[AlignmentKey, Alignment]
    lexical: frozenset[str]


def gold_pairs(files: Sequence[AlignedFile], gold_files: Sequence[Path]) -> list[GoldPair]:
    """Find all sentences that have a gold alignment (LEAMR, by ``::id``).

    Raises:
        InputError: There is no such sentence.
        AlignmentError: A gold file cannot be read, or does not fit a graph.
    """
    gold = {
        name: (path.name, found) for path in gold_files for name, found in read_leamr(path).items()
    }
    pairs = []
    for file in files:
        for item in file.items:
            record = file.corpus.records[item.index]
            if record.id not in gold:
                continue
            part, entries = gold[record.id]
            owners = own_positions(record, item.sentence)
            wanted = leamr_tokens(item.graph, entries)
            ours = {name: carry_over(tokens, owners) for name, tokens in wanted.items()}
            lexical = lexical_items(item.sentence, item.graph)
            pairs.append(GoldPair(part, ours, file.graphs[item.index].alignments, lexical))
    if not pairs:
        raise InputError("no gold alignment is of a sentence in the files: the ids differ")
    console.say(f"scored on {len(pairs)} sentences with gold alignments")
    return pairs


def score_figures(pairs: Sequence[GoldPair]) -> dict[str, Any]:
    """Give the score as JSON values: ``nodes`` are counts, all else shares of them.

    ``unmatched`` is the score of what no rule matches by a word alone, whatever placed
    it; ``by_part`` has the same figures for each gold file, if there are several.
    """
    figures = _figures(pairs)
    parts = list(dict.fromkeys(pair.part for pair in pairs))
    if len(parts) > 1:
        figures["by_part"] = {
            part: _figures([pair for pair in pairs if pair.part == part]) for part in parts
        }
    return figures


def _figures(pairs: Sequence[GoldPair]) -> dict[str, Any]:
    score = score_alignments((pair.gold, pair.alignments) for pair in pairs)
    unmatched = score_alignments(
        (
            {name: found for name, found in pair.gold.items() if name not in pair.lexical},
            pair.alignments,
        )
        for pair in pairs
    )
    return {
        "nodes": score.nodes,
        "exact": score.accuracy,
        "partial": score.partial / score.nodes if score.nodes else 0.0,
        "unmatched": {"nodes": unmatched.nodes, "exact": unmatched.accuracy},
        "by_source": {
            source: {"nodes": count.nodes, "exact": count.exact / count.nodes}
            for source, count in score.by_source.items()
        },
    }


def source_figures(files: Sequence[AlignedFile]) -> dict[str, Any]:
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
