"""``aptamr project``: an annotation store from the command line, and how far its work is."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from app.annotation.own_roles import VARIABLE, use_named_roles
from app.commands import console
from app.commands.project_files import Export, Parsing, chosen_documents, run_export, run_import
from app.store.documents.listing import SentenceFilter
from app.store.documents.progress import PersonProgress, Progress
from app.store.records.rows import SentenceRow
from app.store.store import open_store


def run_project(
    action: Literal["import", "export", "status"],
    url: str,
    parsing: Parsing,
    export: Export,
    as_json: bool,
) -> int:
    """Bring the files that ``export`` names in, get documents out, or tell how far they are.

    Returns:
        Exit status.
    """
    if problem := use_named_roles():
        console.say(f"{VARIABLE}: {problem}")
    if action == "import":
        return run_import(url, [Path(name) for name in export.names], parsing, as_json)
    if action == "export":
        return run_export(url, export, as_json)
    return run_status(url, export.names, export.apart, as_json)


def run_status(url: str, names: Sequence[str], apart: bool, as_json: bool) -> int:
    """Tell how far the work is; with ``apart`` also list what is kept apart.

    Returns:
        Exit status: 0.

    Raises:
        typer.BadParameter: There is no such document.
        StoreError: The store cannot be opened or read.
    """
    with contextlib.closing(open_store(url, must_exist=True)) as store:
        documents = store.documents()
        chosen = chosen_documents(documents, names) if documents or names else []
        progress = [(document.name, store.progress(document.id)) for document in chosen]
        whole = store.progress()
        wanted = SentenceFilter(apart=True)
        kept = [(item.name, row) for item in chosen for row in store.sentences(item.id, wanted)]
    if as_json:
        result: dict[str, Any] = {
            "documents": [{"name": name, **counts_json(done)} for name, done in progress],
            "total": counts_json(whole),
        }
        if apart:
            result["apart"] = [apart_json(name, row) for name, row in kept]
        console.write_json(result)
        return 0
    for name, done in progress:
        console.write(f"{name}: {counts_text(done)}")
        for person in done.people:
            console.write(f"  {person_text(person)}")
    if len(documents) != 1:
        console.write(f"the whole store: {counts_text(whole)}")
    for name, row in kept if apart else ():
        console.write(f"kept apart: {name}, sentence {row.number} {row.name}: {row.apart}")
    return 0


def apart_json(document: str, row: SentenceRow) -> dict[str, Any]:
    """Put a sentence that is kept apart together as JSON."""
    return {
        "document": document,
        "number": row.number,
        "line": row.line,
        "id": row.name,
        "reason": row.apart,
    }


def counts_json(progress: Progress) -> dict[str, Any]:
    """Put progress together as JSON; times are UTC, hours are without pauses."""
    values = asdict(progress)
    values["people"] = [
        {
            **asdict(person),
            "hours": round(person.hours, 4),
            "sentences_per_hour": round(person.sentences_per_hour, 2),
            "first": person.first and person.first.isoformat(),
            "last": person.last and person.last.isoformat(),
        }
        for person in progress.people
    ]
    return values


def counts_text(progress: Progress) -> str:
    """Say in one line how far a document is."""
    done = progress.sentences - progress.open
    return (
        f"{done} of {progress.sentences} sentences done ({progress.accepted} accepted, "
        f"{progress.rejected} rejected, {progress.skipped} skipped), {progress.edited} edited, "
        f"{progress.flagged} flagged, {progress.apart} kept apart, {progress.operations} operations"
    )


def person_text(person: PersonProgress) -> str:
    """Say in one line what a person did."""
    return (
        f"{person.person}: {person.operations} operations on {person.sentences} sentences, "
        f"{person.accepted} accepted, {person.rejected} rejected, {person.skipped} skipped, "
        f"{person.sentences_per_hour:.0f} sentences an hour"
    )
