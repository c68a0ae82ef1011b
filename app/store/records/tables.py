"""The tables of a store. How they came about stands in ``migrations``.

Only ``documents``, the imported columns of ``sentences``, ``operations`` and the two
tables of jobs decide anything. What else ``sentences`` holds is read off the log when an
operation is written, so that lists need not fold every log; ``Store.check`` compares the
two.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    select,
)

metadata = MetaData()

identity = Table(
    "identity",
    metadata,
    Column("id", String(32), primary_key=True),  # of the store, in its only row
)

documents = Table(
    "documents",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("source", Text, nullable=False),  # JSON of a Source
    Column("person", String(100), nullable=False),  # whose copy it is; empty for nobody's
    Column("copy_of", Integer, ForeignKey("documents.id")),
    Column("at", BigInteger, nullable=False),  # microseconds since 1970, UTC
    Column("problems", Text, nullable=False),  # JSON list of line and message: no block's own
    Column("tail", LargeBinary, nullable=False),  # what follows the last block
    Column("removed", BigInteger, nullable=False, server_default="0"),  # when; 0: it is not
)

sentences = Table(
    "sentences",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("document", Integer, ForeignKey("documents.id"), nullable=False),
    Column("number", Integer, nullable=False),  # from 1
    Column("name", Text, nullable=False),  # ::id
    Column("text", Text, nullable=False),
    Column("line", Integer, nullable=False),  # of the file, from 1
    Column("before", LargeBinary, nullable=False),  # what stands between the last block and this
    Column("raw", LargeBinary, nullable=False),  # the block
    Column("reason", Text, nullable=False),  # why it was kept apart on import; empty: it was not
    Column("carried", Text, nullable=False, server_default=""),  # JSON: done before the import
    # Read off the log:
    Column("revision", Integer, nullable=False),
    Column("status", String(10), nullable=False),
    Column("status_by", String(100), nullable=False),
    Column("apart", Text, nullable=False),  # what keeps the graph from being accepted now
    Column("flagged", Text, nullable=False),
    Column("assigned", String(100), nullable=False),
    Column("num_comments", Integer, nullable=False),
    Column("is_edited", Boolean, nullable=False),
    Column("last_person", String(100), nullable=False),
    Column("last_at", BigInteger, nullable=False),
    Column("terms", Text),  # of its graph, as ``terms_of`` writes them; None: not known
    UniqueConstraint("document", "number"),
    Index("ix_sentences_queue", "document", "status", "assigned", "number"),
)

is_listed = sentences.c.document.in_(select(documents.c.id).where(documents.c.removed == 0))
"""Whether a sentence stands in a document that is not removed."""

operations = Table(
    "operations",
    metadata,
    Column("sentence", Integer, ForeignKey("sentences.id"), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("request", String(100), nullable=False),
    Column("person", String(100), nullable=False),
    Column("tab", String(100), nullable=False),
    Column("base", Integer, nullable=False),
    Column("target", Integer),
    Column("at", BigInteger, nullable=False),
    Column("what", Text, nullable=False),  # JSON in ASCII
    UniqueConstraint("sentence", "person", "request"),
    Index("ix_operations_person", "person", "at"),
)

people = Table(
    "people",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("account", String(64), unique=True),  # a hash of who signs in; None without sign-in
)

put_away = Table(
    "put_away",
    metadata,
    Column("person", String(100), primary_key=True),
    Column("notice", String(100), primary_key=True),  # such as the id of a job that has ended
)

claims = Table(
    "claims",
    metadata,
    Column("sentence", Integer, ForeignKey("sentences.id"), primary_key=True),
    Column("person", String(100), nullable=False),
    Column("until", BigInteger, nullable=False),
)

scores = Table(
    "scores",
    metadata,
    Column("sentence", Integer, ForeignKey("sentences.id"), primary_key=True),
    Column("name", String(100), primary_key=True),
    Column("value", Float, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("kind", String(10), nullable=False),  # parse, doubt, rewrite, undo, assign
    Column("name", String(200), nullable=False, unique=True),  # of the document, or its own id
    Column("document", Integer, ForeignKey("documents.id")),  # None while there is none yet
    Column("size", Integer, nullable=False),  # sentences
    Column("done", Integer, nullable=False),  # sentences
    Column("at", BigInteger, nullable=False),  # when it was asked for
    Column("worker", String(32), nullable=False),  # who is at it; empty for nobody
    Column("until", BigInteger, nullable=False),  # until when, if they do not go on
    Column("person", String(100), nullable=False, server_default=""),  # who asked for bulk work
    Column("tab", String(100), nullable=False, server_default=""),  # from where
    Column("note", Text, nullable=False, server_default=""),  # what it is, in words
    Column("ended", BigInteger, nullable=False, server_default="0"),  # when; 0: it has not
    # JSON of name, failed and error, once it has ended: its own name and its lines are gone then.
    Column("outcome", Text, nullable=False, server_default=""),
)

job_lines = Table(
    "job_lines",
    metadata,
    Column("job", String(32), ForeignKey("jobs.id"), primary_key=True),
    Column("line", Integer, primary_key=True, autoincrement=False),  # their order
    # In the text: 3, or 3.1; of bulk work the number of the sentence.
    Column("place", String(24), nullable=False, server_default=""),
    Column("text", LargeBinary, nullable=False),  # of bulk work JSON of a request
    Column("block", LargeBinary),  # None while it waits
    Column("doubt", Text, nullable=False),  # JSON of figures by name
    Column("reason", Text, nullable=False),  # why it was not done; empty: it was, or it waits
)
