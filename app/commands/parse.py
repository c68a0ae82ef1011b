"""``aptamr parse``: sentences in, one block or one JSON object for each out, in order."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

import typer

from app.commands import console
from aptcore.graph.amr import Alignment, AlignmentKey, AmrGraph, Mention
from aptcore.graph.formats import Named
from aptcore.graph.penman import format_penman
from aptcore.graph.wiki import linker_of
from aptcore.neural.checkpoint import keep_loaded
from aptcore.neural.large_pages import use_large_pages
from aptcore.neural.parser import AptParser
from aptcore.neural.parses import Parse, format_block, named, wikified
from aptcore.neural.weights import Device, Precision
from aptcore.saving import saving
from aptcore.transition.actions import format_action
from aptcore.words.sentences import remarks_on, with_split

AHEAD = 512
"""Sentences parsed before their results are written: progress without slower batches."""

SHOWN_REMARKS = 20
"""How many odd sentences are told one by one."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to parse and how.

    Attributes:
        texts: Sentences given as arguments; ``-`` stands for the lines of standard input.
        input_file: A file of sentences in any format, or None.
        output: Where the results go; None is standard output.
        models: Model folders, more than one for an ensemble; empty for the shipped model.
        beam: Beam width; 1 is greedy.
        wiki: Add ``:wiki`` to named things.
        is_split: Split what looks like several sentences.
        precision: Of linear maps.
    """

    texts: tuple[str, ...]
    input_file: Path | None
    output: Path | None
    models: tuple[Path, ...]
    beam: int
    wiki: bool
    is_split: bool = False
    precision: Precision = "float32"


def run_parse(request: Request, device: Device, as_json: bool) -> int:
    """Parse all sentences of a request and write the results.

    Returns:
        Exit status: 1 if any sentence failed or a file cannot be read, else 0.
    """
    given, num_refused = sentences_of(request)
    sentences = told_sentences(given, request.is_split)
    use_large_pages()
    parser = AptParser.from_pretrained(request.models or None, device, request.precision)
    console.say_device(device, parser.info.device)
    if len(sentences) > 1:
        keep_loaded()
    linker = linker_of(request.models) if request.wiki else None
    format_result = format_json if as_json else format_block
    num_failed, started = 0, time.monotonic()
    with open_output(request.output) as output:
        for parse in parses_of(parser, sentences, request.beam):
            num_failed += parse.error is not None
            output.write(format_result(wikified(parse, linker)))
            output.flush()
    seconds = time.monotonic() - started
    console.say(f"{len(sentences)} sentences, {num_failed} failed, {seconds:.1f} s")
    return 1 if num_failed or num_refused else 0


def sentences_of(request: Request) -> tuple[list[tuple[str, str]], int]:
    """Collect id and text of the sentences of a request, in order; count files not read.

    A sentence is named by its ``::id`` or, without one, by its number, from 1.

    Raises:
        typer.BadParameter: There is no source, standard input is named twice, or the output is
            the input.
        FormatError: The file is in no format that is known.
    """
    sources = [*request.texts, *([str(request.input_file)] if request.input_file else [])]
    if not sources:
        raise typer.BadParameter("give a sentence, --input FILE, or - for standard input")
    console.check_stdin(sources)
    if request.input_file and request.output and _is_file(request.input_file, request.output):
        raise typer.BadParameter(f"--output {request.output} is the input: name another file")
    found: list[Named] = []
    num_refused = 0
    for text in request.texts:
        is_stdin = text == console.STDIN
        own: Named = ("", console.argument_text(text))
        found += console.read_sentences([Path(text)])[0] if is_stdin else [own]
    if request.input_file is not None:
        read, num_refused = console.read_sentences([request.input_file])
        found += read
    given = [(name or str(number), text or "") for number, (name, text) in enumerate(found, 1)]
    return given, num_refused


def _is_file(path: Path, other: Path) -> bool:
    """Tell whether two paths lead to one file."""
    return path.is_file() and other.is_file() and path.samefile(other)


class Remarks:
    """Tells what of sentences looks odd: the first ones by name, the rest by number."""

    def __init__(self) -> None:
        self._num_told = 0
        self._has_several = False

    def look(self, name: str, text: str) -> None:
        """Look at a sentence."""
        for said in remarks_on(text):
            self._num_told += 1
            self._has_several |= "sentences" in said
            if self._num_told <= SHOWN_REMARKS:
                console.say(f"warning: sentence {name} {said}")

    def end(self, is_split: bool) -> None:
        """Tell how many more there were, and what helps."""
        if self._num_told > SHOWN_REMARKS:
            console.say(f"warning: {self._num_told - SHOWN_REMARKS} more sentences look odd")
        if self._has_several and not is_split:
            console.say("--split parses each sentence by itself")


def told_sentences(given: Sequence[tuple[str, str]], is_split: bool) -> Sequence[tuple[str, str]]:
    """Split sentences, given with their ids, where that is asked for; tell what looks odd.

    Returns:
        The sentences with their ids; ``3.1``, ``3.2`` for those of one that was split.
    """
    found, remarks = with_split(given) if is_split else given, Remarks()
    for name, text in found:
        remarks.look(name, text)
    remarks.end(is_split)
    return found


def parses_of(
    parser: AptParser, sentences: Sequence[tuple[str, str]], beam: int
) -> Iterator[Parse]:
    """Parse sentences, given with their ids; of many it is told how far it is."""
    parses = parser.stream((text for _, text in sentences), beam, ahead=AHEAD)
    for number, ((name, _), parse) in enumerate(zip(sentences, parses, strict=True), 1):
        yield named(parse, name)
        if len(sentences) > AHEAD and (number % AHEAD == 0 or number == len(sentences)):
            console.say(f"{number} of {len(sentences)} sentences")


@contextlib.contextmanager
def open_output(path: Path | None) -> Iterator[TextIO]:
    """Open a file that appears only when all of it is written; None is standard output.

    A device or pipe is written through, a link is followed.

    Raises:
        typer.BadParameter: The path is a folder, or its folder does not exist.
    """
    if path is None or str(path) == console.STDIN:
        yield sys.stdout
        return
    path = path.resolve()
    if path.is_dir() or not path.parent.is_dir():
        raise typer.BadParameter(f"--output {path} cannot be a file: name one in a folder")
    with saving(path) as fresh, fresh.open("w", encoding="utf-8", newline="\n") as output:
        yield output


def format_json(parse: Parse) -> str:
    """Write a parse as one line of JSON."""
    graph = parse.graph
    result = {
        "id": parse.sentence.id,
        "tokens": list(parse.sentence.tokens),
        "penman": format_penman(graph, metadata=False),
        "alignments": [alignment_json(graph, *item) for item in graph.alignments.items()],
        "actions": [format_action(action) for action in parse.actions],
        "log_prob": parse.log_prob,
        "repairs": [asdict(repair) for repair in parse.repairs],
        "error": parse.error,
    }
    return json.dumps(result, ensure_ascii=False) + "\n"


def alignment_json(graph: AmrGraph, key: AlignmentKey, alignment: Alignment) -> dict[str, Any]:
    """Write one alignment: of a node by its variable, of anything else by its triple."""
    place: dict[str, Any]
    attributes = {a.id: [a.source, a.role, a.value] for a in graph.attributes}
    if isinstance(key, str):
        place = {"triple": attributes[key]} if key in attributes else {"node": key}
    else:
        edge = key.edge if isinstance(key, Mention) else key
        place = {"triple": [edge.source, edge.role, edge.target]}
    return {**place, "tokens": list(alignment.tokens), "source": alignment.source}
