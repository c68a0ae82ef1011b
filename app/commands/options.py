"""Options that several commands share, and what may be chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Device = Literal["auto", "cpu", "cuda"]
Precision = Literal["float32", "bfloat16", "int8"]
Variant = Literal["exact", "paper", "no-breakdown", "far-first", "post-order", "all"]
Scorer = Literal["exact", "smatch"]
Pairing = Literal["id", "order"]
Engine = Literal["local", "ray"]
Action = Literal["import", "export", "status"]
ExportFormat = Literal["penman", "jsonl", "archive"]
Status = Literal["open", "accepted", "rejected", "skipped"]
LogFormat = Literal["text", "json"]

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8501
DEFAULT_BEAM = 10
DEFAULT_TIMEOUT = 120.0
"""For one answer of another parser, in seconds."""

OF_MODELS = ("beam", "device", "precision")
"""Options that say how a model parses."""

AsJson = Annotated[bool, typer.Option("--json", help="Give the result as JSON.")]
ModelDirs = Annotated[
    list[Path] | None,
    typer.Option(
        "--model",
        metavar="DIR",
        help="A trained model; the shipped one if left out. Repeat it for an ensemble.",
    ),
]
Parser = Annotated[
    str | None,
    typer.Option(
        "--parser",
        metavar="COMMAND",
        help="Another parser: it reads sentences, one a line, and writes PENMAN blocks.",
    ),
]
Sentences = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Sentences or AMR, a folder or a pattern, a path or s3://...; - is stdin.",
    ),
]
Silver = Annotated[
    str, typer.Option("--output", metavar="FILE", help="The AMR file: a path or s3://...")
]
KeepDetached = Annotated[
    bool, typer.Option("--keep-detached", help="Keep graphs that needed a repair or a LINK.")
]
Merged = Annotated[Path, typer.Option("--output", metavar="FILE", help="The AMR file.")]
DocumentBy = Annotated[
    Literal["id", "file"],
    typer.Option("--by", help="Documents: ids that differ in their number (fox.1), or files."),
]
Undo = Annotated[bool, typer.Option("--undo", help="Part merged graphs into their sentences.")]
Timeout = Annotated[
    float,
    typer.Option("--parser-timeout", min=0.1, metavar="SECONDS", help="For one answer of it."),
]
Store = Annotated[str | None, typer.Option("--store", metavar="URL", help="The annotation store.")]
Lessons = Annotated[
    Path | None,
    typer.Option("--lessons", metavar="DIR", help="Lessons of your own for Exercises."),
]
OnDevice = Annotated[
    Device, typer.Option("--device", help="Where the model runs; auto takes CUDA if present.")
]
InPrecision = Annotated[
    Precision,
    typer.Option(
        "--precision",
        help="Of linear maps; bfloat16 is faster on a processor that has it, int8 on all.",
    ),
]
Beam = Annotated[int, typer.Option("--beam", min=1, metavar="N", help="Beam width; 1 is greedy.")]
Wiki = Annotated[
    bool,
    typer.Option("--wiki", help="Add :wiki to named things, from the dictionary of the model."),
]
Split = Annotated[
    bool,
    typer.Option("--split", help="Split lines of several sentences: each by itself, as 3.1, 3.2."),
]
Processes = Annotated[
    int, typer.Option("--processes", min=1, metavar="N", help="How many parse side by side.")
]
Files = Annotated[
    list[Path], typer.Argument(metavar="FILE", help="AMR files or folders, one corpus; - is stdin.")
]
OfStatus = Annotated[
    Status | None, typer.Option("--status", help="Export: only sentences of this status.")
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--name", metavar="NAME", help="Import: the document's name; repeat it for each file."
    ),
]
Normalise = Annotated[
    bool, typer.Option("--normalise", help="Score what AMR says in two ways as one.")
]
PairBy = Annotated[
    Pairing, typer.Option("--pair", help="Pair by ::id where all have one, or by order.")
]
Port = Annotated[
    int, typer.Option("--port", min=1, max=65535, metavar="N", help="The port of the page.")
]
OwnModel = Annotated[Path | None, typer.Option("--model", metavar="DIR", help="A trained model.")]
FrameList = Annotated[
    Path | None,
    typer.Option("--frames", metavar="PATH", help="A frame list for the Correct page."),
]
OwnRoles = Annotated[
    Path | None,
    typer.Option("--roles", metavar="PATH", help="Roles of your own, one a line."),
]
SiteFolder = Annotated[
    Path,
    typer.Argument(
        metavar="FOLDER", file_okay=False, help="Where to; written again where it is one."
    ),
]
OwnTraces = Annotated[
    list[Path] | None,
    typer.Option("--trace", metavar="FILE", help="A trace of your own, shown first. Repeatable."),
]
Stored = Annotated[
    bool,
    typer.Option("--stored/--no-stored", help="The traces and lessons of the program too."),
]
SiteTitle = Annotated[str, typer.Option("--title", metavar="TEXT", help="Of the start page.")]
ExportTo = Annotated[
    Path | None,
    typer.Option("--output", metavar="FILE|DIR", help="Export: one file, or many in a folder."),
]
Format = Annotated[
    ExportFormat, typer.Option("--format", help="Export: AMR, JSON Lines, or archive.")
]
Provenance = Annotated[
    bool,
    typer.Option(
        "--provenance/--no-provenance", help="Export: where triples come from, who did what."
    ),
]
Apart = Annotated[
    bool, typer.Option("--apart", help="Export, status: only what was kept apart on import.")
]
VocabularyFrom = Annotated[
    list[Path] | None,
    typer.Option(
        "--vocabulary-from",
        metavar="FILE",
        help="Count labels that these files do not give. Repeatable.",
    ),
]
WordLists = Annotated[
    list[Path] | None,
    typer.Option(
        "--lists", metavar="DIR", help="Word lists that add to what COPY knows. Repeatable."
    ),
]
GoldAlignments = Annotated[
    list[Path] | None,
    typer.Option(
        "--score", metavar="GOLD", help="Compare with gold alignments (LEAMR). Repeatable."
    ),
]
FromScratch = Annotated[
    bool,
    typer.Option("--from-scratch", help="Learn from these files only, no shipped tables."),
]
Prefix = Annotated[
    str | None,
    typer.Option(
        "--prefix",
        metavar="ACTIONS|@FILE",
        help="First actions to force: a JSON list of strings, or @ and a file of one.",
    ),
]
Host = Annotated[
    str,
    typer.Option("--host", metavar="ADDRESS", help="Of this machine; 0.0.0.0 for all it has."),
]
BasePath = Annotated[
    str,
    typer.Option("--base-path", metavar="PATH", help="What comes first in every page's address."),
]
InLogFormat = Annotated[
    LogFormat, typer.Option("--log-format", help="Of the server's log, on standard error.")
]


def one_source(
    context: typer.Context, model: list[Path] | None, parser: str | None
) -> tuple[Path, ...]:
    """Give the models that were named.

    Raises:
        typer.BadParameter: Another parser is named as well, or it is told how a model parses.
    """
    if parser is None:
        return tuple(model or ())
    if model:
        raise typer.BadParameter("--parser takes the place of --model: name one of them")
    if not parser.strip():
        raise typer.BadParameter("--parser is empty: name a program with its arguments")
    for name in OF_MODELS:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(f"--{name} is for models: leave it out beside --parser")
    return ()
