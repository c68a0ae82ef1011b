"""What is in force and where it comes from, as rows of a table.

Of a path only the last name is told: who reaches the page need not know the machine.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import urlsplit

from app.engine.shown import SHOWN_HASH
from app.engine.worker import Status
from app.kit.text import counted
from aptcore import __version__

PACKAGES = {
    "torch": "PyTorch",
    "transformers": "Transformers",
    "spacy": "spaCy",
    "streamlit": "Streamlit",
    "sqlalchemy": "SQLAlchemy",
    "smatch": "smatch",
}
"""The packages whose version matters, with their names for people."""

PROGRAM = "comes with the program"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what it is, what it is now, and where that comes from."""

    what: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Counts:
    """What was found in the folders that are in force.

    Attributes:
        corpora: Files of graphs; None where no folder is named.
        runs: Training runs.
        lessons: Lessons of one's own.
        roles: Roles of one's own, or why they cannot be read.
    """

    corpora: int | None = None
    runs: int = 0
    lessons: int = 0
    roles: int | str = 0


def model_rows(environment: Mapping[str, str], status: Status) -> list[Row]:
    """Say which model parses and on which device."""
    named = environment.get("APTAMR_MODEL")
    source = f"{last_name(named)}, by `--model` or `APTAMR_MODEL`" if named else PROGRAM
    device = environment.get("APTAMR_DEVICE", "auto")
    is_free = device == "auto"
    asked = "chosen by itself: `--device auto`" if is_free else "`--device` or `APTAMR_DEVICE`"
    if status.model is None:
        value = {
            "failed": f"could not be loaded: {status.text}",
            "loading": "is being loaded",
        }.get(status.kind, "is loaded when it is needed")
        return [Row("Model", value, source), Row("Device", "known once it is loaded", asked)]
    model = status.model
    return [
        Row("Model", f"{model.id}, hash {model.hash[:SHOWN_HASH]}", source),
        Row("Device", f"{model.device}, {model.precision}", asked),
    ]


def data_rows(environment: Mapping[str, str], store: str, counts: Counts) -> list[Row]:
    """Say where graphs, runs, lessons, frames and roles come from.

    Args:
        environment: The variables of the process.
        store: Address or file of the annotation store.
        counts: What was found.
    """
    is_named = "APTAMR_STORE" in environment
    rows = [
        Row(
            "Annotation store",
            store_name(store),
            "`--store` or `APTAMR_STORE`" if is_named else "the user's own folder for data",
        )
    ]
    data = environment.get("APTAMR_DATA")
    corpora = f"{counted(counts.corpora or 0, 'file')} of graphs in {last_name(data)}"
    rows.append(
        Row("Corpora", "none", "`APTAMR_DATA` names no folder")
        if counts.corpora is None
        else Row("Corpora", corpora, "`APTAMR_DATA`")
    )
    runs = environment.get("APTAMR_RUNS")
    rows.append(
        Row(
            "Training runs",
            f"{counted(counts.runs, 'run')} in {last_name(runs or 'runs')}",
            "`APTAMR_RUNS`" if runs else "the folder runs where the server was started",
        )
    )
    lessons = environment.get("APTAMR_LESSONS")
    rows.append(
        Row(
            "Lessons of your own",
            f"{counts.lessons} in {last_name(lessons)}" if lessons else "none",
            "`--lessons` or `APTAMR_LESSONS`" if lessons else "no folder is named",
        )
    )
    frames = environment.get("APTAMR_FRAMES")
    rows.append(
        Row("Frame list", last_name(frames), "`--frames` or `APTAMR_FRAMES`")
        if frames
        else Row("Frame list", "counts of the graphs that the model learnt from", PROGRAM)
    )
    roles = environment.get("APTAMR_ROLES")
    rows.append(
        Row("Roles", _roles(roles, counts.roles), "`--roles` or `APTAMR_ROLES`")
        if roles
        else Row("Roles", "AMR's own", PROGRAM)
    )
    return rows


def _roles(named: str, found: int | str) -> str:
    if isinstance(found, str):
        return f"cannot be read: {found}"
    return f"AMR's own and {found} of {last_name(named)}"


def sign_in_row(provider: str | None, person: str) -> Row:
    """Say how people are known.

    Args:
        provider: Address of the provider's metadata; None without a sign-in.
        person: Who is at work; may be empty.
    """
    who = f"; you are {person}" if person else "; nobody has said who is at work here"
    if provider is None:
        return Row("Sign-in", f"none: a name is a label{who}", "no section `auth` in the secrets")
    host = urlsplit(provider).hostname or "a provider"
    return Row("Sign-in", f"OpenID Connect at {host}{who}", "section `auth` of the secrets")


def version_rows() -> list[Row]:
    """Say which versions run."""
    packages = [Row(name, _version_of(package), "installed") for package, name in PACKAGES.items()]
    return [
        Row("aptamr", __version__, "installed"),
        Row("Python", platform.python_version(), platform.system()),
        *packages,
    ]


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def last_name(path: str | None) -> str:
    """Give the last name of a path."""
    return Path(path or "").name or "a folder"


def store_name(store: str) -> str:
    """Name a store without machine, user and password."""
    kind, _, rest = store.partition("://")
    if not rest or kind.startswith("sqlite"):
        return f"SQLite, {last_name(rest or store)}"
    return f"PostgreSQL, database {last_name(urlsplit(store).path)}"
