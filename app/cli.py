"""The ``aptamr`` command: options and nothing else.

Each command's work stands in ``app.commands`` and is imported when it runs, so that
``aptamr --help`` loads neither torch nor streamlit. Standard output holds results
only; progress, logs and warnings go to standard error. Exit status: 0 on success,
1 where some items failed (the rest is done and counted), 2 on bad usage.
"""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from app.commands import console, options
from aptcore import __version__
from aptcore.errors import AptamrError, reason

cli = typer.Typer(
    name="aptamr",
    help="Parse sentences into AMR graphs one action at a time.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        console.write(f"aptamr {__version__}")
        raise typer.Exit


@cli.callback()
def _common(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Give the version."),
    ] = False,
) -> None:
    """Parse sentences into AMR graphs one action at a time."""


@cli.command("app")
def open_app(
    port: Annotated[
        int, typer.Option("--port", min=1, max=65535, metavar="N", help="The port of the page.")
    ] = options.DEFAULT_PORT,
    store: options.Store = None,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="DIR", help="A trained model.")
    ] = None,
    frames: Annotated[
        Path | None,
        typer.Option("--frames", metavar="PATH", help="A frame list for the Correct page."),
    ] = None,
    roles: Annotated[
        Path | None,
        typer.Option("--roles", metavar="PATH", help="Roles of your own, one a line."),
    ] = None,
    lessons: options.Lessons = None,
    device: options.OnDevice = "auto",
) -> None:
    """Serve the pages on this machine only."""
    from app.commands.serve import serve

    serve(port, store, model, device, frames, roles, lessons)


@cli.command()
def parse(
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="Sentences; - is stdin.")
    ] = None,
    input_file: Annotated[
        Path | None,
        typer.Option("--input", metavar="FILE", help="One sentence a line; - is stdin."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write here, all or nothing.")
    ] = None,
    model: options.ModelDirs = None,
    beam: options.Beam = options.DEFAULT_BEAM,
    wiki: options.Wiki = False,
    split: options.Split = False,
    device: options.OnDevice = "auto",
    precision: options.InPrecision = "float32",
    as_json: options.AsJson = False,
) -> None:
    """Parse sentences: one graph each, in order."""
    from app.commands.parse import Request, run_parse

    given = tuple(texts or ()), input_file, output, tuple(model or ())
    request = Request(*given, beam, wiki, split, precision)
    raise typer.Exit(run_parse(request, device, as_json))


@cli.command()
def trace(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="One sentence; - is stdin.")],
    prefix: Annotated[
        str | None,
        typer.Option(
            "--prefix",
            metavar="ACTIONS|@FILE",
            help="First actions to force: a JSON list of strings, or @ and a file of one.",
        ),
    ] = None,
    beam: options.Beam = options.DEFAULT_BEAM,
    model: options.ModelDirs = None,
    device: options.OnDevice = "auto",
) -> None:
    """Give the whole decoding of one sentence as JSON."""
    from app.commands.trace import run_trace

    raise typer.Exit(run_trace(text, prefix, beam, tuple(model or ()), device))


@cli.command()
def oracle(
    files: options.Files,
    variant: Annotated[
        options.Variant,
        typer.Option("--variant", help="Which oracle; all: every one, side by side."),
    ] = "exact",
    vocabulary_from: Annotated[
        list[Path] | None,
        typer.Option(
            "--vocabulary-from",
            metavar="FILE",
            help="Count labels that these files do not give. Repeatable.",
        ),
    ] = None,
    lists: Annotated[
        list[Path] | None,
        typer.Option(
            "--lists", metavar="DIR", help="Word lists that add to what COPY knows. Repeatable."
        ),
    ] = None,
    show_unreachable: Annotated[
        bool, typer.Option("--show-unreachable", help="List every piece that is not reached.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Turn gold graphs into actions and report what is reached."""
    from app.commands.oracle import run_oracle

    vocabulary = tuple(vocabulary_from or ())
    raise typer.Exit(
        run_oracle(tuple(files), variant, vocabulary, tuple(lists or ()), show_unreachable, as_json)
    )


@cli.command()
def align(
    files: options.Files,
    output: Annotated[
        Path,
        typer.Option("--output", metavar="FILE", help="A file or a folder; - is stdout."),
    ],
    score: Annotated[
        list[Path] | None,
        typer.Option(
            "--score", metavar="GOLD", help="Compare with gold alignments (LEAMR). Repeatable."
        ),
    ] = None,
    from_scratch: Annotated[
        bool,
        typer.Option("--from-scratch", help="Learn from these files only, no shipped tables."),
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Align the graphs' nodes and edges to tokens."""
    from app.commands.align import run_align

    raise typer.Exit(run_align(tuple(files), output, tuple(score or ()), from_scratch, as_json))


@cli.command()
def train(
    config: Annotated[
        Path | None,
        typer.Argument(metavar="CONFIG", help="A TOML file, or the name of a shipped one."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="key=value", help="Change a setting. Repeatable."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="DIR", help="Go on with the run in DIR.")
    ] = None,
    device: options.OnDevice = "auto",
    as_json: options.AsJson = False,
) -> None:
    """Train a model."""
    from trainer.command import run_train

    raise typer.Exit(run_train(config, tuple(settings or ()), resume, device, as_json))


@cli.command()
def evaluate(
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="The gold graphs, or a folder.")],
    predicted: Annotated[
        Path, typer.Argument(metavar="PREDICTED", help="A graph for each of them.")
    ],
    second: Annotated[
        Path | None,
        typer.Argument(metavar="SECOND", help="Another system's graphs; tests the difference."),
    ] = None,
    fine_grained: Annotated[
        bool, typer.Option("--fine-grained", help="Give the fine-grained scores too.")
    ] = False,
    scorer: Annotated[
        options.Scorer,
        typer.Option("--scorer", help="The best mapping, or a search like smatch 1.0.4's."),
    ] = "exact",
    wiki: Annotated[bool, typer.Option("--wiki", help="Keep :wiki on both sides.")] = False,
    time_limit: Annotated[
        float,
        typer.Option("--time-limit", min=0, metavar="SECONDS", help="For the proof of one pair."),
    ] = 10.0,
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, metavar="N", help="Processes; the scores stay equal.")
    ] = 1,
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="N", help="Of the resampled sentences.")
    ] = 0,
    normalise: options.Normalise = False,
    pair: options.PairBy = "id",
    as_json: options.AsJson = False,
) -> None:
    """Score parsed graphs against gold graphs with Smatch; compare two systems."""
    from app.commands.evaluate import Request, run_evaluate

    systems = gold, predicted, second
    request = Request(*systems, scorer, wiki, fine_grained, time_limit, jobs, seed, normalise, pair)
    raise typer.Exit(run_evaluate(request, as_json))


@cli.command()
def annotate(
    input_file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Sentences or AMR, or a folder of AMR; - is stdin."),
    ],
    output: Annotated[Path, typer.Option("--output", metavar="FILE", help="The AMR file.")],
    model: options.ModelDirs = None,
    beam: options.Beam = options.DEFAULT_BEAM,
    keep_detached: Annotated[
        bool,
        typer.Option("--keep-detached", help="Keep graphs that needed a repair or a LINK."),
    ] = False,
    wiki: options.Wiki = False,
    processes: options.Processes = 1,
    split: options.Split = False,
    engine: Annotated[
        options.Engine,
        typer.Option("--engine", help="This machine, or a Ray cluster (the extra 'ray')."),
    ] = "local",
    device: options.OnDevice = "auto",
    precision: options.InPrecision = "float32",
    as_json: options.AsJson = False,
) -> None:
    """Make silver graphs of many sentences; a run that was cut short goes on."""
    from app.commands.annotate import Place, run_annotate
    from trainer.annotating.chunks import Request

    place = Place(input_file, output, processes, engine, split)
    request = Request(tuple(model or ()), beam, keep_detached, wiki, precision=precision)
    raise typer.Exit(run_annotate(place, request, device, as_json))


@cli.command()
def project(
    action: Annotated[
        options.Action,
        typer.Argument(
            metavar="import|export|status", help="Files in, files out, or how far the work is."
        ),
    ],
    store: Annotated[
        str,
        typer.Option(
            "--store", metavar="URL", help="The store: a file, sqlite:///, postgresql://."
        ),
    ],
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE",
            help="Import: files, folders, or -. Else: documents by name; all if none.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE|DIR", help="Export: one file, or many in a folder."),
    ] = None,
    export_format: Annotated[
        options.ExportFormat, typer.Option("--format", help="Export: AMR, JSON Lines, or archive.")
    ] = "penman",
    provenance: Annotated[
        bool,
        typer.Option(
            "--provenance/--no-provenance", help="Export: where triples come from, who did what."
        ),
    ] = True,
    status: options.OfStatus = None,
    names: options.Names = None,
    apart: Annotated[
        bool, typer.Option("--apart", help="Export, status: only what was kept apart on import.")
    ] = False,
    model: options.ModelDirs = None,
    beam: options.Beam = options.DEFAULT_BEAM,
    split: options.Split = False,
    device: options.OnDevice = "auto",
    as_json: options.AsJson = False,
) -> None:
    """Bring files into an annotation store, get them out, or see how far the work is."""
    from app.commands.project import run_project
    from app.commands.project_files import Export, Parsing

    parsing = Parsing(tuple(model or ()), beam, device, split, tuple(names or ()))
    export = Export(tuple(files or ()), output, export_format, provenance, status, apart)
    raise typer.Exit(run_project(action, store, parsing, export, as_json))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit status.

    Args:
        arguments: The words after ``aptamr``; those of the process if left out.

    Raises:
        SystemExit: Always.
    """
    console.open_streams()
    atexit.register(gc.freeze)  # no last search for garbage, which takes half a second
    try:
        cli(args=None if arguments is None else list(arguments), prog_name="aptamr")
    except (AptamrError, OSError) as error:
        console.say(f"error: {reason(error)}")
        sys.exit(2)
