"""Which format a file has: every command and every page asks here.

    penman      ``# ::key value`` lines, or a line that opens a graph
    json-lines  one JSON object a line, with a sentence, a graph or both
    text        sentences, one a line

What is none of these (a table, markup, one large JSON document, the middle of a graph) is
refused by its name, before any of it is read: a wrong guess would parse its lines as
English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import Any, Literal

from aptcore.errors import FormatError, InputError
from aptcore.graph.blocks import split_lines
from aptcore.graph.branches import TOKEN
from aptcore.graph.corpus import Corpus, read_corpus, sentence_text
from aptcore.graph.encoding import decode_text
from aptcore.graph.json_lines import GRAPH_KEYS, ID_KEYS, SENTENCE_KEYS, is_known, read_json_lines

Format = Literal["penman", "json-lines", "text"]

_METADATA = re.compile(r"^[ \t]*#[ \t]*::", re.MULTILINE)
_OPENING = re.compile(r"\s*\(\s*[^\s()/]+\s*/\s*[^\s()/]")
_INNER = re.compile(r"(?:^|\s):[A-Za-z][\w-]*\s+\(\s*[^\s()/]+\s*/\s*[^\s()/]", re.MULTILINE)
_YAML_KEY = re.compile(r"[a-z_][\w.-]*:(\s|$)")
_TAG = re.compile(r"<([A-Za-z][\w.:-]*)(\s[^<>]*)?/?>")
_COLUMNS = frozenset({*SENTENCE_KEYS, *GRAPH_KEYS, *ID_KEYS, "label", "tokens", "word", "lemma"})
_COMMENTS = r"((//|#).*\n\s*|/\*[\s\S]*?\*/\s*)*"
_BEGINNINGS = {
    r"(?i:<!doctype html|<html)": "an HTML page",
    r"(?i:<\?xml|<!doctype)": "an XML document",
    r"\\(documentclass|begin)\b": "a TeX document",
    _COMMENTS + r"(strict\s+)?(di)?graph(\s+(\w+|\"[^\"]*\"))?\s*\{": "a drawing (DOT)",
    r"(?i:webvtt)": "subtitles (WebVTT)",
    r"\d+\s*\n\s*\d+:\d\d:\d\d[,.]\d+\s*-->": "subtitles (SRT)",
    r"instance\(\s*[^\s(),]+\s*,\s*[^\s()]+\s*\)": "a graph as triples, not in PENMAN",
}
"""What the first lines hold, and what the file then is."""
SHOWN = 20
"""So many lines tell what a file is by its beginning."""
_BY_ENDING = {
    ".csv": "a table (CSV)",
    ".tsv": "a table (TSV)",
    ".xml": "an XML document",
    ".html": "an HTML page",
    ".htm": "an HTML page",
    ".json": "a JSON document",
    ".conll": "a CoNLL table",
    ".conllu": "a CoNLL table",
    ".yaml": "a YAML document",
    ".yml": "a YAML document",
    ".tex": "a TeX document",
    ".jsonl": "JSON Lines, but no line is an object",
    ".ndjson": "JSON Lines, but no line is an object",
}
_SEPARATORS = {"\t": "a table (TSV)", ",": "a table (CSV)", ";": "a table (CSV)", "|": "a table"}
_WANTED = (
    "wanted are AMR graphs (PENMAN), JSON Lines with a sentence or a graph in each object, "
    "or plain sentences, one a line"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that was read.

    Attributes:
        format: What it is.
        corpus: Its graphs and sentences; empty for plain text. Of JSON Lines each object
            is a record, and ``corpus.raw`` is PENMAN made of them.
        lines: The lines of a plain text.
        objects: Of JSON Lines the object of each record; None where the line is none.
    """

    format: Format
    corpus: Corpus
    lines: tuple[str, ...] = ()
    objects: tuple[Mapping[str, Any] | None, ...] = ()


def read_source(name: str, text: str) -> Reading:
    """Read a text in whichever format it is.

    Args:
        name: Of its file; it counts only where the text itself does not tell.
        text: All of it, as ``encoding.decode_text`` gives it.

    Raises:
        FormatError: It is in none of the formats.
    """
    found = format_of(name, text)
    if found == "penman":
        return Reading(found, read_corpus(name, text=text))
    if found == "json-lines":
        corpus, objects = read_json_lines(name, text)
        return Reading(found, corpus, objects=objects)
    return Reading(found, Corpus(name, (), (), text), lines=text_lines(text))


def graphs_of(name: str, text: str) -> Corpus:
    """Read a text that should hold graphs; an empty one is a corpus of none.

    Raises:
        FormatError: It is plain text, or in none of the formats.
    """
    check_graphs(name, text)
    return read_source(name, text).corpus


def check_graphs(name: str, text: str) -> None:
    """Refuse a text that holds no graphs, unless it is empty.

    Raises:
        FormatError: It is plain text, or in none of the formats.
    """
    if format_of(name, text) == "text" and text.strip("\ufeff \t\r\n"):
        message = "the file is plain text, and graphs are wanted: aptamr parse makes them"
        raise FormatError(message, path=name)


def read_graphs(path: str | Path) -> Corpus:
    """Read a file of graphs: PENMAN, or JSON Lines.

    Raises:
        OSError: The file cannot be opened.
        FormatError: It holds no graphs, or is in none of the formats.
    """
    return graphs_of(str(path), decode_text(Path(path).read_bytes(), str(path)))


@dataclass(frozen=True, slots=True)
class Place:
    """A file to read; ``folder`` is what it was found in, None where it was named itself."""

    path: Path
    folder: Path | None = None

    @property
    def below(self) -> Path:
        """Give its place below the folder; of a file that was named itself its name."""
        return self.path.relative_to(self.folder) if self.folder else Path(self.path.name)

    def leaves_out(self, text: str) -> bool:
        """Tell whether the file is plain text that nobody named, such as a README.

        Raises:
            FormatError: It is in none of the formats.
        """
        return self.folder is not None and format_of(str(self.path), text) == "text"


def files_of(paths: Sequence[Path]) -> list[Place]:
    """Give the files that paths name: a folder is all below it, a pattern what it fits.

    Hidden files of a folder are passed over; a path that is no folder and no pattern stays
    as it is, whether there is such a file or not.

    Raises:
        InputError: A folder is empty, or nothing fits a pattern.
    """
    found: list[Place] = []
    for path in paths:
        if path.is_dir():
            below = [file.relative_to(path) for file in sorted(path.rglob("*")) if file.is_file()]
            shown = [file for file in below if not any(part[0] == "." for part in file.parts)]
            named = [Place(path / file, path) for file in shown]
        elif set("*?[") & set(str(path)) and not path.exists():
            fitting = sorted(map(Path, glob(str(path), recursive=True)))
            named = [Place(file) for file in fitting if file.is_file()]
        else:
            named = [Place(path)]
        if not named:
            what = "the folder holds no files" if path.is_dir() else "no file fits the pattern"
            raise InputError(f"{path}: {what}")
        found += named
    return found


def short_names(paths: Sequence[Path]) -> list[str]:
    """Name files; those of one name have as many of their folders before as tell them apart.

    >>> short_names([Path("a/x/part.txt"), Path("b/x/part.txt"), Path("b/one.txt")])
    ['a-x-part.txt', 'b-x-part.txt', 'one.txt']
    """
    full = {path: path.resolve() for path in paths}
    alike: dict[str, set[Path]] = {}
    for path, place in full.items():
        alike.setdefault(path.name, set()).add(place)
    names = {}
    for path, place in full.items():
        others = alike[path.name]
        depths = range(1, len(place.parts))
        depth = next(n for n in depths if len({o.parts[-n:] for o in others}) == len(others))
        names[path] = "-".join(place.parts[-depth:])
    return [names[path] for path in paths]


Named = tuple[str, str | None]
"""Id and text of a sentence; None where a record has no sentence."""


def named_sentences(reading: Reading) -> list[Named]:
    """Give id and text of each sentence of a file, in order.

    A line of plain text is named by its number, from 1; a record without an id by nothing.
    """
    if reading.format == "text":
        return [(str(number), line) for number, line in enumerate(reading.lines, 1)]
    named = [(record.id, sentence_text(record)) for record in reading.corpus.records]
    return [(name, text if text.strip() else None) for name, text in named]


def text_lines(text: str) -> tuple[str, ...]:
    """Split a plain text at line ends of all three kinds; the last one ends the text."""
    return tuple(line.text for line in split_lines(text.lstrip("\ufeff")))


def format_of(name: str, text: str) -> Format:
    """Tell the format of a text.

    Raises:
        FormatError: It is in none of the formats.
    """
    lines = [line.text for line in split_lines(text.lstrip("\ufeff")) if not line.is_blank]
    if not lines:
        return "text"
    refused = _json_problem(lines, text)
    if refused is None and (_is_object(lines[0]) or _holds_objects(lines)):
        refused = _keys_problem(lines)
        if refused is None:
            return "json-lines"
    refused = refused or _markup_problem(lines)
    if refused is None and (_METADATA.search(text) or any(map(_opens_graph, lines))):
        return "penman"
    refused = refused or _table_problem(lines)
    if refused is None and _INNER.search(text):
        refused = "a part of a graph: a graph begins with a bracket, (variable / concept"
    ending = Path(name).suffix.lower()
    if refused is None and ending in _BY_ENDING:
        refused = f"named as {_BY_ENDING[ending]}"
    if refused is None:
        return "text"
    raise FormatError(f"the file is {refused}; {_WANTED}", path=name)


def _opens_graph(line: str) -> bool:
    """Tell whether a line opens a graph; ``(he / she) left`` is a sentence."""
    if _OPENING.match(line) is None:
        return False
    depth = 0
    for match in TOKEN.finditer(line):
        depth += (match.lastgroup == "open") - (match.lastgroup == "close")
        if match.group() == '"':
            return True
        if depth <= 0:
            rest = line[match.end() :].strip()
            return not rest or rest[0] in "#(~)"
    return True


def _is_object(line: str) -> bool:
    return line.lstrip()[:1] == "{" and isinstance(_json_of(line), dict)


def _holds_objects(lines: Sequence[str]) -> bool:
    """Tell whether half of the lines are objects, though the first is none."""
    return 2 * sum(map(_is_object, lines)) >= len(lines)


def _keys_problem(lines: Sequence[str]) -> str | None:
    """Say that no object holds a sentence or a graph; None where one does."""
    keys: dict[str, None] = {}
    for line in lines:
        values = _json_of(line)
        if isinstance(values, dict):
            if is_known(values):
                return None
            keys.update(dict.fromkeys(values))
    shown = ", ".join(map(str, list(keys)[:8])) or "none"
    return (
        f"JSON Lines without a sentence ({', '.join(SENTENCE_KEYS)}) or a graph "
        f"({', '.join(GRAPH_KEYS)}): its keys are {shown}"
    )


def _json_of(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _json_problem(lines: Sequence[str], text: str) -> str | None:
    start = lines[0].lstrip()
    if start[0] not in "{[" or _is_object(lines[0]):
        return None
    is_begun = re.match(r"\{\s*(\"|$)|\[\s*([\[{]|$)", start) and not any(map(_is_object, lines))
    if is_begun or isinstance(_json_of(text.lstrip("\ufeff")), dict | list):
        return "one JSON document, not one object a line"
    if all(isinstance(_json_of(line), list) for line in lines):
        return "JSON Lines of lists, not of objects"
    return None


def _markup_problem(lines: Sequence[str]) -> str | None:
    start = "\n".join(lines[:SHOWN]).lstrip()
    for beginning, kind in _BEGINNINGS.items():
        if re.match(beginning, start):
            return kind
    tag = _TAG.match(start)
    if tag is not None and lines[-1].rstrip().endswith(f"</{tag[1]}>"):
        return "an XML document"
    return "a YAML document" if _is_yaml(lines) else None


def _is_yaml(lines: Sequence[str]) -> bool:
    """Tell whether all lines are keys in small letters, each once, and what hangs below them.

    ``Ana: Hello.`` and ``Ben: Yes.`` are a dialogue, and a list alone is one of sentences.
    """
    data = [line for line in lines if line[0] != "#" and line.rstrip() not in ("---", "...")]
    keys = [line.partition(":")[0] for line in data if _YAML_KEY.match(line)]
    is_all = all(_YAML_KEY.match(line) or line[0] in " \t-" for line in data)
    return is_all and len(keys) > 1 and len(set(keys)) == len(keys)


def _table_problem(lines: Sequence[str]) -> str | None:
    data = [line for line in lines if not line.startswith("#")] or list(lines)
    if re.match(r"\d+([-.]\d+)?\t[^\t]+\t[^\t]*\t", data[0]) or data[0].startswith("-DOCSTART-"):
        return "a CoNLL table, one word a line"
    if len(data) > 1 and all(re.match(r"\S+ \S+ \S+ (O|[BI]-\S+)$", line) for line in data[:2]):
        return "a CoNLL table, one word a line"
    for separator, kind in _SEPARATORS.items():
        fields = [field.strip(' "').lower() for field in data[0].strip("| ").split(separator)]
        is_head = all(re.fullmatch(r"[\w.-]+", field) for field in fields)
        if is_head and min(len(fields), len(data)) > 1 and not _COLUMNS.isdisjoint(fields):
            return kind
    counts = {line.count("\t") for line in data}
    if len(data) > 1 and len(counts) == 1 and counts != {0}:
        return "a table (TSV)"
    return None
