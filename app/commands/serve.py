"""``aptamr app``: the pages, served to this machine only unless told otherwise."""

from __future__ import annotations

import logging
import os
import threading
from importlib import import_module
from pathlib import Path

import typer
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli as streamlit_cli

from app.annotation.outside import VARIABLE as PARSER_VARIABLE
from app.annotation.own_roles import VARIABLE as ROLES_VARIABLE
from app.annotation.own_roles import use_named_roles
from app.commands.console import restore_signals
from app.serving.logs import SERVER
from app.serving.patches import keep_downloads, send_at_once
from app.serving.place import place_of
from aptcore.errors import ConfigurationError, StoreError
from aptcore.graph.roles import read_own_roles
from aptcore.outside.command import CommandParser

RESUME_SECONDS = 3.0
"""What the first page has before work that an earlier server left competes with it."""
DRAWN_WITH = (
    "app.canvas.trace.opened",
    "app.canvas.bundle",
    "app.kit.glossary",
    "pandas",
    "pyarrow",
)
"""What pages draw with: the canvas first, then tables. What asks for Streamlit's caches stays out:
Streamlit would warn that its server does not run yet."""
ENTRY = Path(__file__).resolve().parents[1] / "server.py"


def serve(
    where: tuple[str, int, str],
    store: str | None,
    model: Path | None,
    device: str,
    frames: Path | None = None,
    roles: Path | None = None,
    lessons: Path | None = None,
    parser: str | None = None,
) -> None:
    """Serve the pages until the process is stopped.

    The pages read the store, model, device, frame list, the project's own roles and the folder
    of lessons from the environment: APTAMR_STORE, APTAMR_MODEL, APTAMR_DEVICE, APTAMR_FRAMES,
    APTAMR_ROLES, APTAMR_LESSONS, APTAMR_PARSER.

    Args:
        where: Host, port and base path.
        store: Address or file of the annotation store.
        model: Folder of a model.
        device: Where it runs.
        frames: A frame list.
        roles: Roles of one's own.
        lessons: A folder of lessons of one's own.
        parser: A command that parses what comes into the queue, in place of the model.

    Raises:
        typer.BadParameter: They cannot be served there, the model or what holds the lessons is
            no folder, there is no frame list of that name, the list of roles cannot be read, or the
            store can be none.
    """
    if model is not None and not model.is_dir():
        raise typer.BadParameter(f"--model {model} is no folder")
    if lessons is not None and not lessons.is_dir():
        raise typer.BadParameter(f"--lessons {lessons} is no folder")
    if frames is not None and not frames.exists():
        raise typer.BadParameter(f"--frames {frames} is not there")
    if roles is not None:
        try:
            read_own_roles(roles)
        except ConfigurationError as error:
            raise typer.BadParameter(f"--roles: {error}") from error
    if parser is not None:
        try:
            CommandParser(parser)
        except ConfigurationError as error:
            raise typer.BadParameter(f"--parser: {error}") from error
    if store is not None:
        from app.store.records.database import check_address

        try:
            check_address(store)
        except StoreError as error:
            raise typer.BadParameter(f"--store: {error}") from error
    try:
        place = place_of(*where)
    except ConfigurationError as error:
        raise typer.BadParameter(str(error)) from error
    settings = {
        "APTAMR_STORE": store,
        "APTAMR_MODEL": model,
        "APTAMR_DEVICE": device,
        "APTAMR_FRAMES": frames,
        ROLES_VARIABLE: roles,
        PARSER_VARIABLE: parser,
        "APTAMR_LESSONS": lessons,
    }
    os.environ.update({name: str(value) for name, value in settings.items() if value is not None})
    use_named_roles()  # the Correct page tells what is wrong with them
    to = "this machine only" if place.is_private else "all who reach this machine there"
    logging.getLogger(SERVER).info("serving %s to %s; Ctrl+C stops it", place.url, to)
    # Until app/main.py has run once, Streamlit takes the folder pages/ for its older kind
    # of pages: a link opened first would show a page without the others.
    PagesManager.uses_pages_directory = False
    send_at_once()
    keep_downloads()
    restore_signals()  # Streamlit's server ends by its own
    # What the first page draws with is read in while the browser starts.
    threading.Thread(target=read_in, daemon=True).start()
    resuming = threading.Timer(RESUME_SECONDS, resume)
    resuming.daemon = True
    resuming.start()
    streamlit_cli.main(
        [
            "run",
            str(ENTRY),
            f"--server.address={place.host}",
            f"--server.port={place.port}",
            "--server.headless=true",
            "--server.fileWatcherType=none",
            "--browser.gatherUsageStats=false",
            "--logger.hideWelcomeMessage=true",
            "--logger.enableRich=false",  # else an error in a page is drawn and not logged
            *([] if place.is_private else ["--client.showErrorDetails=type"]),
            *([f"--server.baseUrlPath={place.base_path}"] if place.base_path else []),
        ],
        standalone_mode=False,
    )


def read_in() -> None:
    """Read in what pages draw with."""
    for module in DRAWN_WITH:
        import_module(module)


def resume() -> None:
    """Go on with the documents that an earlier server did not finish."""
    from app.annotation.documents import resume_jobs  # here: the first page comes first

    resume_jobs()
