"""What a store hands out: documents, rows of sentences, whole sentences, claims, reports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.store.log.operations import Status
from app.store.log.provenance import Source
from app.store.log.state import SentenceState
from aptcore.graph.amr import AmrGraph
from aptcore.graph.corpus import Problem


@dataclass(frozen=True, slots=True)
class Document:
    """An imported file.

    Attributes:
        id: Its number in the store.
        name: A plain file name.
        source: Where its graphs come from.
        person: Whose copy it is, for graphs made blind by several people; empty for none.
        copy_of: The document that it is a copy of, or None.
        at: When it was imported, UTC.
        num_sentences: Blocks of all kinds.
    """

    id: int
    name: str
    source: Source
    person: str
    copy_of: int | None
    at: datetime
    num_sentences: int


@dataclass(frozen=True, slots=True)
class CopyRow:
    """A person's copy of a document, with the work on it.

    Attributes:
        id: Its number in the store.
        name: A plain file name.
        person: Whose copy it is.
        is_removed: Whether it was put away.
        num_sentences: Blocks of all kinds.
        num_touched: Sentences with at least one operation.
        num_submitted: Sentences that are accepted or rejected.
        num_operations: On all of them.
    """

    id: int
    name: str
    person: str
    is_removed: bool
    num_sentences: int
    num_touched: int
    num_submitted: int
    num_operations: int


@dataclass(frozen=True, slots=True)
class Claim:
    """Someone is at work on a sentence, until some time (UTC) if they do not go on."""

    sentence: int
    person: str
    until: datetime


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence in a list, without its graph.

    Attributes:
        id: Its number in the store.
        document: The document's.
        number: Place in the document, from 1.
        name: ``::id``; may be empty.
        text: The sentence.
        line: Line of the file on which its block begins, from 1.
        revision: 0 as imported.
        status: What has become of it.
        status_by: Who said so; empty while nobody did.
        apart: Why it was kept apart on import, as long as that is not mended; else empty.
        flagged: The reason of its flag; empty while there is none.
        assigned: Whose it is; empty for nobody's.
        num_comments: How many.
        is_edited: Whether the graph is other than imported.
        last_person: Who wrote last; empty while nobody did.
        claimed_by: Who is at work on it; empty for nobody.
    """

    id: int
    document: int
    number: int
    name: str
    text: str
    line: int
    revision: int
    status: Status
    status_by: str
    apart: str
    flagged: str
    assigned: str
    num_comments: int
    is_edited: bool
    last_person: str
    claimed_by: str


@dataclass(frozen=True, slots=True)
class ReadRow:
    """What a search knows of a sentence before it reads the graph.

    Attributes:
        id: Its number in the store.
        revision: 0 as imported.
        status: What has become of it.
        text: The sentence.
    """

    id: int
    revision: int
    status: Status
    text: str


@dataclass(frozen=True, slots=True)
class StoredSentence:
    """A sentence with all that people made of it.

    Attributes:
        id: Its number in the store.
        document: The document's.
        number: Place in the document, from 1.
        name: ``::id``; may be empty.
        text: The sentence.
        tokens: The white-space tokens that alignments count.
        raw: The block as imported.
        silver: The graph as imported; ``(a / amr-empty)`` where there was none.
        state: The graph now, and all else that people made of it.
        revision: 0 as imported.
        apart: Why it was kept apart on import, as long as that is not mended; else empty.
        can_undo: Whether the person asked for has something to take back here.
        can_redo: Whether they have something to do again.
        claim: Who is at work on it, or None.
    """

    id: int
    document: int
    number: int
    name: str
    text: str
    tokens: tuple[str, ...]
    raw: str
    silver: AmrGraph
    state: SentenceState
    revision: int
    apart: str
    can_undo: bool
    can_redo: bool
    claim: Claim | None


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of an imported file.

    Attributes:
        document: Its number in the store.
        name: Its name there.
        num_sentences: Blocks of all kinds; all are kept.
        num_graphs: Blocks with a graph that reads.
        num_apart: Blocks kept apart: their graph cannot be read, or not be accepted as it
            is.
        apart: Why, each with its line.
        problems: All else that was odd, with its line; nothing is lost by it.
    """

    document: int
    name: str
    num_sentences: int
    num_graphs: int
    num_apart: int
    apart: tuple[Problem, ...]
    problems: tuple[Problem, ...]
