"""``aptamr project``: files into an annotation store, parsed where they are text, and out again."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from app.annotation.incoming import failed_block
from app.commands import console
from app.commands.options import ExportFormat
from app.store.archive import ENDING, is_archive
from app.store.documents.exporting import ExportOptions
from app.store.log.operations import Status
from app.store.records.rows import Document, ImportReport
from app.store.store import Store, open_store
from aptcore.errors import FormatError, InputError, StoreError, reason
from aptcore.graph.encoding import decode_text, undecoded
from aptcore.graph.formats import Place, files_of, format_of, short_names, text_lines
from aptcore.outside.command import CommandParser
from aptcore.saving import save_text

if TYPE_CHECKING:
    from aptcore.neural.weights import Device


@dataclass(frozen=True, slots=True)
class Parsing:
    """How files are imported, and how raw text is parsed then.

    Attributes:
        models: Model folders, more than one for an ensemble; empty for the shipped model.
        beam: Beam width; 1 is greedy.
        device: Where the model runs.
        is_split: Split a line that looks like several sentences.
        names: Of the documents, one for each file; empty for those of the files.
        command: A parser outside this program, in place of all models; empty for none.
    """

    models: tuple[Path, ...]
    beam: int
    device: Device
    is_split: bool = False
    names: tuple[str, ...] = ()
    command: str = ""


# --- import ------------------------------------------------------------------------------


def run_import(url: str, files: Sequence[Path], parsing: Parsing, as_json: bool) -> int:
    """Import files as documents; raw text, one sentence a line, is parsed first.

    Returns:
        Exit status: 1 if a file failed or a block was kept apart, else 0.

    Raises:
        typer.BadParameter: No file is named, one is not there, or the names are not as many.
        InputError: A folder is empty, or nothing fits a pattern.
        StoreError: The store cannot be opened.
    """
    if not files:
        raise typer.BadParameter("name a file to import, or - for standard input")
    console.check_stdin(files)
    places = files_of(files)
    for place in places:
        if str(place.path) != console.STDIN and not (place.path.is_file() or place.path.is_fifo()):
            raise typer.BadParameter(f"there is no file {place.path}")
    if parsing.names and len(parsing.names) != len(places):
        raise typer.BadParameter(f"--name {len(parsing.names)} times for {len(places)} files")
    names = [
        "standard-input" if name == console.STDIN else name
        for name in short_names([place.path for place in places])
    ]
    reports: list[ImportReport] = []
    failed: list[dict[str, str]] = []
    with contextlib.closing(open_store(url)) as store:
        for place, name in zip(places, parsing.names or names, strict=True):
            path = place.path
            try:
                report = import_file(store, place, name, parsing)
            except (StoreError, FormatError, OSError) as error:
                console.say(f"error: {path} is not imported: {reason(error, is_named=True)}")
                failed.append({"file": str(path), "error": reason(error)})
                continue
            if report is None:
                console.say_left_out(place)
                continue
            say_report(report)
            reports.append(report)
    if as_json:
        console.write_json(import_json(reports, failed))
    return 1 if failed or any(report.num_apart for report in reports) else 0


def import_file(store: Store, place: Place, name: str, parsing: Parsing) -> ImportReport | None:
    """Import one file; an archive under the name of its document.

    Returns:
        What became of it; None where it is plain text in a folder, which is left out.

    Raises:
        StoreError: A document has its name already, or the name is none.
        FormatError: The file is not text in UTF-8, or in no format that is known.
        OSError: The file cannot be read.
    """
    called, content = console.read_content(place.path)
    text = decode_text(content, called)
    if is_archive(text):
        return store.archives.read(text)
    if any(document.name == name for document in store.documents()):
        raise StoreError(f"there is a document {name!r} already; --name gives it another name")
    if place.leaves_out(text):
        return None
    if text.strip("\ufeff \t\r\n") and format_of(str(place.path), text) == "text":
        text = parsed_text(name, text, parsing)
    return store.import_text(name, text)


def parsed_text(name: str, text: str, parsing: Parsing) -> str:
    """Parse raw text, one sentence a line; gives an AMR file, one block for each sentence.

    A line that cannot be parsed keeps its place: its block says why.
    """
    from app.commands.parse import parses_of, told_sentences  # here, because it loads torch
    from aptcore.neural.parser import AptParser
    from trainer.annotating.chunks import silver_block

    readable = text.lstrip("\ufeff").encode("utf-8", "surrogateescape")
    shown = readable.decode("utf-8", "replace")
    damage = undecoded(text)
    if damage is not None:
        console.say(f"warning: {name}: {damage}; for now such bytes are read as U+FFFD")
    numbered = [(str(number), line) for number, line in enumerate(text_lines(shown), 1)]
    named = told_sentences(numbered, parsing.is_split)
    if parsing.command:
        return "".join(blocks_of(parsing.command, named))
    parser = AptParser.from_pretrained(parsing.models or None, device=parsing.device)
    console.say_device(parsing.device, parser.info.device)
    return "".join(
        silver_block(parse, parser, parsing.beam)
        for parse in parses_of(parser, named, parsing.beam)
    )


def blocks_of(command: str, named: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Let a parser outside this program parse sentences, given with their ids."""
    with contextlib.closing(CommandParser(command)) as parser:
        for name, text in named:
            try:
                yield parser.block(name, text)
            except InputError as error:
                yield failed_block(name, text, str(error))


def say_report(report: ImportReport) -> None:
    """Tell what became of a file."""
    console.say(
        f"{report.name}: {report.num_sentences} sentences, {report.num_graphs} with a graph, "
        f"{report.num_apart} kept apart"
    )
    for problem in report.apart:
        console.say(f"kept apart: {problem}")
    for problem in report.problems:
        console.say(f"warning: {problem}")


def import_json(
    reports: Sequence[ImportReport], failed: Sequence[dict[str, str]]
) -> dict[str, Any]:
    """Put an import together as JSON."""
    return {
        "documents": [
            {
                "id": report.document,
                "name": report.name,
                "sentences": report.num_sentences,
                "graphs": report.num_graphs,
                "apart": report.num_apart,
                "reasons": [_problem_json(problem) for problem in report.apart],
                "problems": [_problem_json(problem) for problem in report.problems],
            }
            for report in reports
        ],
        "failed": list(failed),
    }


def _problem_json(problem: Any) -> dict[str, Any]:
    return {"line": problem.line, "id": problem.id, "message": problem.message}


# --- export ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Export:
    """What to export and how.

    Attributes:
        names: Documents by name; empty for all.
        output: A file for one document, a folder for several; None is standard output.
        format: Graphs as ``penman`` or ``jsonl``, or ``archive``: all work with them.
        provenance: Say where triples come from.
        status: Only sentences of this one; None for the whole file.
        apart: Only what was kept apart and is not mended.
    """

    names: tuple[str, ...]
    output: Path | None
    format: ExportFormat
    provenance: bool
    status: Status | None
    apart: bool


def run_export(url: str, request: Export, as_json: bool) -> int:
    """Export documents of a store.

    Returns:
        Exit status: 0.

    Raises:
        typer.BadParameter: There is no such document, or the output does not fit.
        StoreError: The store cannot be opened or read.
    """
    if as_json and is_stdout(request.output):
        raise typer.BadParameter("--json and the documents both go to standard output: --output")
    status = (request.status,) if request.status else None
    apart = True if request.apart else None
    if request.format == "archive" and (status or apart or not request.provenance):
        raise typer.BadParameter("--format archive takes all: no --status, --apart, provenance")
    options = None
    if request.format != "archive":
        options = ExportOptions(request.format, request.provenance, status, apart)
    written = []
    with contextlib.closing(open_store(url, must_exist=True)) as store:
        known = store.documents()
        if request.format == "archive" and not request.names:
            known = tuple(document for document in known if document.copy_of is None)
        chosen = chosen_documents(known, request.names)
        for document, target in zip(chosen, targets_of(chosen, request), strict=True):
            write_text(target, text_of(store, document, options))
            written.append({"name": document.name, "file": str(target or console.STDIN)})
            console.say(f"{document.name}: written to {target or 'standard output'}")
            if options and (left_out := store.archives.left_out(document.id, options)):
                console.say(f"left out: {', '.join(left_out)}; --format archive takes all")
    if as_json:
        console.write_json({"documents": written})
    return 0


def text_of(store: Store, document: Document, options: ExportOptions | None) -> str:
    """Give a document as a file: its graphs, or without options all work on it.

    Raises:
        StoreError: The store cannot be read, or a copy is to be an archive by itself.
    """
    if options is None:
        return store.archives.write(document.id)
    return store.export(document.id, options)


def write_text(target: Path | None, text: str) -> None:
    """Write a document, bytes that were not UTF-8 too; None is standard output."""
    if target is not None:
        make_folder(target.parent)
        save_text(target, text)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", errors="surrogateescape"))
    sys.stdout.buffer.flush()


def make_folder(folder: Path) -> None:
    """Make a folder where it is not there.

    Raises:
        typer.BadParameter: It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise typer.BadParameter(f"--output {folder} cannot be made: {error.strerror}") from error


def is_stdout(output: Path | None) -> bool:
    """Tell whether results go to standard output."""
    return output is None or str(output) == console.STDIN


def chosen_documents(documents: Sequence[Document], names: Sequence[str]) -> list[Document]:
    """Give the documents of these names, in their order; all where none is named.

    Raises:
        typer.BadParameter: There is no such document, or none at all.
    """
    by_name = {document.name: document for document in documents}
    missing = [name for name in names if name not in by_name]
    if missing:
        known = ", ".join(by_name) or "none"
        raise typer.BadParameter(f"there is no document {missing[0]!r} in the store, but {known}")
    if not documents:
        raise typer.BadParameter("there is no document in the store")
    return [by_name[name] for name in dict.fromkeys(names)] or list(documents)


def targets_of(documents: Sequence[Document], request: Export) -> list[Path | None]:
    """Say where each document goes: into a folder, a file, or standard output (None).

    Raises:
        typer.BadParameter: Several documents for one file, or no folder to write in.
    """
    output = None if is_stdout(request.output) else request.output
    is_new_folder = len(documents) > 1 and output is not None and not output.exists()
    if output is not None and (output.is_dir() or is_new_folder):
        ending = {"penman": "", "jsonl": ".jsonl", "archive": ENDING}[request.format]
        names = [document.name.removesuffix(ending) + ending for document in documents]
        return [output / name for name in names]
    if len(documents) > 1:
        raise typer.BadParameter(
            f"the store has {len(documents)} documents: name one, or a folder with --output"
        )
    if output is not None and not output.resolve().parent.is_dir():
        raise typer.BadParameter(f"--output {output} cannot be a file: name one in a folder")
    return [output]
