"""The database under a store: SQLite in a file, or PostgreSQL.

SQLite runs in WAL mode with ``synchronous=FULL``: a commit has reached the disk when it
returns. Writers begin with BEGIN IMMEDIATE, so that what they read cannot change until
they write; on PostgreSQL they lock the row of the sentence. On both a commit that was
acknowledged survives the death of the process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from aptcore.errors import StoreError, UnavailableError

HEAD = "0011"
"""The newest step of ``migrations``."""
BUSY_SECONDS = 30
"""How long a writer waits for another one before it gives up."""
READ_ONLY = "readonly database"
"""What SQLite says where it was not allowed to open the file for writing."""
_POOL: dict[str, Any] = {"pool_size": 20, "max_overflow": 30, "pool_timeout": BUSY_SECONDS}
_MIGRATION_LOCK = 4_051_984  # any number that nothing else locks


def open_engine(url: str, *, must_exist: bool = False, patience: float = BUSY_SECONDS) -> Engine:
    """Open a database and bring its tables up to date.

    Args:
        url: ``sqlite:///file.db``, ``postgresql://...``, or the path of a SQLite file.
        must_exist: Make no new file.
        patience: Seconds for which a writer of a file waits for another one.

    Raises:
        StoreError: The address names no database, or the store was made by a newer version.
        UnavailableError: The database cannot be opened now.
    """
    parsed = _parsed(url)
    engine = _engine_of(parsed, patience)
    is_file = parsed.get_backend_name() == "sqlite"
    if must_exist and is_file and not Path(parsed.database or "").is_file():
        raise StoreError(f"there is no store {parsed.database}")
    try:
        with engine.connect() as connection:
            version = _version_of(connection)
        if version != HEAD:
            _migrate(engine)
    except StoreError:
        engine.dispose()
        raise
    except DBAPIError as error:
        engine.dispose()
        shown = _parsed(url).render_as_string(hide_password=True)
        raise UnavailableError(f"the store {shown} cannot be opened: {error.orig}") from error
    return engine


def check_address(url: str) -> None:
    """Refuse an address that can be no store's; nothing is opened or made.

    Raises:
        StoreError: It names no database, or a file in a folder that is not there.
    """
    _engine_of(_parsed(url), BUSY_SECONDS).dispose()


def _parsed(url: str) -> URL:
    if "://" not in url:
        return URL.create("sqlite", database=url)
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError(f"{url.partition('@')[2] or url!r} is no address of a store") from error
    kind = parsed.get_backend_name()
    if kind in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    if kind != "sqlite":
        raise StoreError(f"a store is on SQLite or PostgreSQL, not on {kind}")
    return parsed


def _engine_of(url: URL, patience: float) -> Engine:
    if url.get_backend_name() == "postgresql":
        waiting = {"connect_timeout": BUSY_SECONDS}
        engine = sa.create_engine(url, connect_args=waiting, pool_pre_ping=True, **_POOL)
        sa.event.listen(engine, "connect", _prepare_postgresql)
        return engine
    if not url.database or url.database == ":memory:":
        raise StoreError("name the file of the store: sqlite:///FILE")
    folder = Path(url.database).resolve().parent
    if not folder.is_dir():
        raise StoreError(f"there is no folder {folder} to keep the store in")
    engine = sa.create_engine(url, connect_args={"timeout": patience}, **_POOL)
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Let SQLAlchemy begin transactions, make a commit reach the disk, know all letters."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()
    # SQLite's own knows the letters of ASCII alone.
    connection.create_function("lower", 1, _lower, deterministic=True)


def _lower(text: str | None) -> str | None:
    return None if text is None else text.lower()


def _prepare_postgresql(connection: Any, _record: object) -> None:
    """Make a commit reach the disk, whatever the server's own setting."""
    connection.execute("SET synchronous_commit TO on")
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def writing(engine: Engine) -> AbstractContextManager[Connection]:
    """Open a transaction that writes; it is committed at the end, or rolled back.

    Raises:
        UnavailableError: The database could not write: locked for too long, disk full, gone.
        StoreError: It does not take a value, now or later.
    """
    return _transaction(engine, "could not write", writes=True)


def reading(engine: Engine) -> AbstractContextManager[Connection]:
    """Open a transaction that only reads.

    Raises:
        UnavailableError: The database could not be read.
    """
    return _transaction(engine, "could not be read", writes=False)


@contextmanager
def _transaction(engine: Engine, failure: str, *, writes: bool) -> Iterator[Connection]:
    try:
        with engine.connect().execution_options(writes=writes) as connection, connection.begin():
            yield connection
    except DataError as error:
        raise StoreError(f"the store does not take this: {error.orig}") from error
    except DBAPIError as error:
        if READ_ONLY in str(error.orig):
            engine.dispose()  # a connection stays so, also when the file can be written again
        raise UnavailableError(f"the store {failure}: {error.orig}") from error
    except PoolTimeout as error:
        raise UnavailableError(f"the store {failure}: {error}") from error


def _version_of(connection: Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return str(version) if version is not None else None


def _migrate(engine: Engine) -> None:
    """Run the missing steps; of several processes that open a new store one does it."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "app.store:migrations")
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
        version = _version_of(connection)
        if version not in {*known, None}:
            raise StoreError(f"the store was made by a newer version of aptamr (step {version})")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
