"""Options that several commands share, and what may be chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Device = Literal["auto", "cpu", "cuda"]
Precision = Literal["float32", "bfloat16"]
Variant = Literal["exact", "paper", "no-breakdown", "far-first", "post-order", "all"]
Scorer = Literal["exact", "smatch"]
Pairing = Literal["id", "order"]
Engine = Literal["local", "ray"]
Action = Literal["import", "export", "status"]
ExportFormat = Literal["penman", "jsonl", "archive"]
Status = Literal["open", "accepted", "rejected", "skipped"]

DEFAULT_PORT = 8501
DEFAULT_BEAM = 10

AsJson = Annotated[bool, typer.Option("--json", help="Give the result as JSON.")]
ModelDirs = Annotated[
    list[Path] | None,
    typer.Option(
        "--model",
        metavar="DIR",
        help="A trained model; the shipped one if left out. Repeat it for an ensemble.",
    ),
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
        "--precision", help="Of linear maps; bfloat16 is faster on a processor that has it."
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
