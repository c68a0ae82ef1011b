"""``aptamr app``: the pages, served to this machine only."""

from __future__ import annotations

import os
import socket
import threading
from importlib import import_module
from pathlib import Path

import typer
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli as streamlit_cli

from app.annotation.own_roles import VARIABLE as ROLES_VARIABLE
from app.annotation.own_roles import use_named_roles
from app.commands import console
from aptcore.errors import ConfigurationError
from aptcore.graph.roles import read_own_roles

ADDRESS = "127.0.0.1"
RESUME_SECONDS = 3.0
"""What the first page has before work that an earlier server left competes with it."""
ENTRY = Path(__file__).resolve().parents[1] / "main.py"


def serve(
    port: int,
    store: str | None,
    model: Path | None,
    device: str,
    frames: Path | None = None,
    roles: Path | None = None,
    lessons: Path | None = None,
) -> None:
    """Serve the pages until the process is stopped.

    The pages read the store, model, device, frame list, the project's own roles and the folder
    of lessons from the environment: APTAMR_STORE, APTAMR_MODEL, APTAMR_DEVICE, APTAMR_FRAMES,
    APTAMR_ROLES, APTAMR_LESSONS.

    Raises:
        typer.BadParameter: The port is taken, the model or what holds the lessons is no folder,
            there is no frame list of that name, or the list of roles cannot be read.
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
    if is_taken(port):
        raise typer.BadParameter(f"port {port} is in use; choose another with --port")
    settings = {
        "APTAMR_STORE": store,
        "APTAMR_MODEL": model,
        "APTAMR_DEVICE": device,
        "APTAMR_FRAMES": frames,
        ROLES_VARIABLE: roles,
        "APTAMR_LESSONS": lessons,
    }
    os.environ.update({name: str(value) for name, value in settings.items() if value is not None})
    use_named_roles()  # the Correct page tells what is wrong with them
    console.say(f"serving http://{ADDRESS}:{port} to this machine only; Ctrl+C stops it")
    # Until app/main.py has run once, Streamlit takes the folder pages/ for its older kind
    # of pages: a link opened first would show a page without the others.
    PagesManager.uses_pages_directory = False
    # What the first page draws with is read in while the browser starts.
    threading.Thread(target=read_in, daemon=True).start()
    resuming = threading.Timer(RESUME_SECONDS, resume)
    resuming.daemon = True
    resuming.start()
    streamlit_cli.main(
        [
            "run",
            str(ENTRY),
            f"--server.address={ADDRESS}",
            f"--server.port={port}",
            "--server.headless=true",
            "--server.fileWatcherType=none",
            "--browser.gatherUsageStats=false",
        ],
        standalone_mode=False,
    )


def read_in() -> None:
    """Read in what pages draw with: the canvas first, then what tables need."""
    for module in ("app.canvas.component", "pandas", "pyarrow"):
        import_module(module)


def resume() -> None:
    """Go on with the documents that an earlier server did not finish."""
    from app.annotation.documents import resume_jobs  # here: the first page comes first

    resume_jobs()


def is_taken(port: int) -> bool:
    """Tell whether something listens on a port of this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        return probe.connect_ex((ADDRESS, port)) == 0
