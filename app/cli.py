"""The ``aptamr`` command: options and nothing else.

Each command's work stands in ``app.commands`` and is imported when it runs, so that
``aptamr --help`` loads neither torch nor streamlit. Standard output holds results
only; progress, logs and warnings go to standard error. Exit status: 0 on success,
1 where some items failed (the rest is done and counted), 2 on bad usage, 130, 143 and
129 after Ctrl+C, SIGTERM and the end of the terminal.
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
from aptcore.errors import AptamrError

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
    host: options.Host = options.DEFAULT_HOST,
    port: options.Port = options.DEFAULT_PORT,
    base_path: options.BasePath = "",
    store: options.Store = None,
    model: options.OwnModel = None,
    frames: options.FrameList = None,
    roles: options.OwnRoles = None,
    lessons: options.Lessons = None,
    parser: options.Parser = None,
    device: options.OnDevice = "auto",
    log_format: options.InLogFormat = "text",
) -> None:
    """Serve the pages, to this machine only unless --host says otherwise."""
    from app.serving.logs import use_format

    use_format(log_format)  # before Streamlit makes its loggers
    from app.commands.serve import serve

    serve((host, port, base_path), store, model, device, frames, roles, lessons, parser)


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
    prefix: options.Prefix = None,
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
    vocabulary_from: options.VocabularyFrom = None,
    lists: options.WordLists = None,
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
    score: options.GoldAlignments = None,
    from_scratch: options.FromScratch = False,
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
    context: typer.Context,
    source: options.Sentences,
    output: options.Silver,
    model: options.ModelDirs = None,
    parser: options.Parser = None,
    timeout: options.Timeout = options.DEFAULT_TIMEOUT,
    beam: options.Beam = options.DEFAULT_BEAM,
    keep_detached: options.KeepDetached = False,
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

    place = Place(source, output, processes, engine, split)
    models = options.one_source(context, model, parser)
    request = Request(models, beam, keep_detached, wiki, False, precision, parser or "", timeout)
    raise typer.Exit(run_annotate(place, request, device, as_json))


@cli.command()
def project(
    context: typer.Context,
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
    output: options.ExportTo = None,
    export_format: options.Format = "penman",
    provenance: options.Provenance = True,
    status: options.OfStatus = None,
    names: options.Names = None,
    apart: options.Apart = False,
    model: options.ModelDirs = None,
    parser: options.Parser = None,
    beam: options.Beam = options.DEFAULT_BEAM,
    split: options.Split = False,
    device: options.OnDevice = "auto",
    as_json: options.AsJson = False,
) -> None:
    """Bring files into an annotation store, get them out, or see how far the work is."""
    from app.commands.project import run_project
    from app.commands.project_files import Export, Parsing

    models = options.one_source(context, model, parser)
    parsing = Parsing(models, beam, device, split, tuple(names or ()), parser or "")
    export = Export(tuple(files or ()), output, export_format, provenance, status, apart)
    raise typer.Exit(run_project(action, store, parsing, export, as_json))


@cli.command()
def merge(
    files: options.Files,
    output: options.Merged,
    by: options.DocumentBy = "id",
    undo: options.Undo = False,
    as_json: options.AsJson = False,
) -> None:
    """Make one graph of the sentence graphs of each document."""
    from app.commands.merge import Request, run_merge

    raise typer.Exit(run_merge(Request(tuple(files), output, by, undo), as_json))


@cli.command()
def site(
    folder: options.SiteFolder,
    traces: options.OwnTraces = None,
    lessons: options.Lessons = None,
    stored: options.Stored = True,
    title: options.SiteTitle = "AMR parsing, step by step",
    as_json: options.AsJson = False,
) -> None:
    """Write pages that step through traces and lessons without a server."""
    from app.commands.site import Request, run_site

    request = Request(folder, tuple(traces or ()), lessons, stored, title)
    raise typer.Exit(run_site(request, as_json))


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
        with console.ending_at_signals():
            cli(args=None if arguments is None else list(arguments), prog_name="aptamr")
    except (AptamrError, OSError) as error:
        console.say(f"error: {console.failure(error)}")
        sys.exit(2)


if __name__ == "__main__":
    main()
