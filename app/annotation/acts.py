"""What a person asks for outside the editor, as values that can be kept until it is done.

Each has names of its own in the store, so that what was done before a failure is not done
twice; an import is done once because the name of its document is taken then.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from app.annotation.documents import shared_scribe
from app.annotation.incoming import sentences_of
from app.annotation.job import Job
from app.annotation.session import shared_store
from app.store.archive import is_archive
from app.store.bulk import Planned
from app.store.log.operations import Answer, Request
from app.store.records.rows import ImportReport
from aptcore.editing.edits import Several, edit_from_json
from aptcore.errors import EditError, FormatError
from aptcore.graph.formats import format_of


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewrite of many sentences; ``planned`` holds sentence, revision and edit of each."""

    name: ClassVar = "rewrite"
    person: str
    tab: str
    note: str
    batch: str
    planned: list[tuple[int, int, dict[str, Any]]]

    def do(self) -> Job:
        """Keep it in the store, and do it there or behind the pages."""
        planned = []
        for sentence, base, values in self.planned:
            edit = edit_from_json(values)
            if not isinstance(edit, Several):
                raise EditError("a rewrite holds another edit than it should")
            planned.append(Planned(sentence, base, edit))
        store = shared_store()
        job = store.bulk.rewrite(self.person, self.tab, planned, self.note, self.batch)
        return shared_scribe().do_all(job)


@dataclass(frozen=True, slots=True)
class Undo:
    """The undo of a rewrite; ``undo`` is its own name."""

    name: ClassVar = "undo"
    person: str
    tab: str
    note: str
    batch: str
    undo: str

    def do(self) -> Job:
        """Keep it in the store, and do it there or behind the pages."""
        bulk = shared_store().bulk
        job = bulk.undo(self.person, self.tab, self.batch, self.note, self.undo)
        return shared_scribe().do_all(job)


@dataclass(frozen=True, slots=True)
class Assign:
    """Who is to have which sentence; ``dealt`` holds both."""

    name: ClassVar = "assign"
    person: str
    tab: str
    note: str
    batch: str
    dealt: list[tuple[int, str]]

    def do(self) -> Job:
        """Keep it in the store, and do it there or behind the pages."""
        store, people = shared_store(), dict.fromkeys(one for _, one in self.dealt if one)
        store.people.add(people)
        job = store.bulk.assign(self.person, self.tab, dict(self.dealt), self.note, self.batch)
        return shared_scribe().do_all(job)


@dataclass(frozen=True, slots=True)
class BringIn:
    """Text to be imported as a document, or parsed.

    Attributes:
        document: What it is to be called.
        typed: The name that the person typed; an archive has its own where that is empty.
        text: All of it.
        is_split: Whether lines of several sentences are split.
    """

    name: ClassVar = "import"
    document: str
    typed: str
    text: str
    is_split: bool

    def do(self) -> Job | ImportReport:
        """Import it, or keep it in the store to be parsed."""
        if is_archive(self.text):
            return shared_store().archives.read(self.text, self.typed)
        if format_of(self.document, self.text) == "text":
            raw = sentences_of(self.text, is_split=self.is_split)
            return shared_scribe().parse(self.document, raw)
        return shared_store().import_text(self.document, self.text)


@dataclass(frozen=True, slots=True)
class Apply:
    """One operation on one sentence."""

    name: ClassVar = "apply"
    person: str
    tab: str
    sentence: int
    request: str
    base: int
    what: dict[str, Any]

    def do(self) -> Answer:
        """Ask the store for it."""
        request = Request(self.request, self.base, self.what)
        return shared_store().apply(self.sentence, self.person, self.tab, request)


Act = Rewrite | Undo | Assign | BringIn | Apply
_KINDS: dict[str, type[Act]] = {kind.name: kind for kind in (Rewrite, Undo, Assign, BringIn, Apply)}


def encode_act(act: Act) -> str:
    """Write an act as JSON in ASCII."""
    return json.dumps(
        {"act": act.name, **{one.name: getattr(act, one.name) for one in fields(act)}}
    )


def decode_act(text: str) -> Act:
    """Read what :func:`encode_act` wrote.

    Raises:
        FormatError: It is no such thing.
    """
    try:
        values = json.loads(text)
        return _KINDS[values.pop("act")](**values)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise FormatError(f"what is kept cannot be read: {error}") from error
