"""A PostgreSQL server of one's own for benchmarks and tests, gone afterwards.

It runs from Debian's packages as an unprivileged user (PostgreSQL refuses root), keeps
its data in a new folder, and listens on a unix socket only.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from pwd import struct_passwd

START_SECONDS = 60
STOP_SECONDS = 30
USERS = ("postgres", "nobody")
"""Whom the server runs as where we are root; the first that there is."""


def server_programs() -> Path | None:
    """Find the folder of PostgreSQL's server programs; the newest where there are several."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_version)
    if found:
        return found[-1].parent
    program = shutil.which("initdb")
    return Path(program).resolve().parent if program else None


def _version(program: Path) -> float:
    try:
        return float(program.parents[1].name)
    except ValueError:
        return 0.0


@dataclass
class Server:
    """A server that can be stopped and started again on its data.

    Attributes:
        command: What starts it.
        folder: Where its socket and its words are.
        user: Whom it runs as; None is ourselves.
    """

    command: list[str]
    folder: Path
    user: struct_passwd | None
    process: subprocess.Popen[Any] | None = None

    @property
    def address(self) -> str:
        """The address of its database."""
        return f"postgresql://aptamr@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start it, and wait until it takes connections.

        Raises:
            RuntimeError: It does not start; with what it said.
        """
        said = self.folder / "log"
        with said.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, cwd=self.folder, **_as(self.user)
            )
        _wait(self.process, self.folder, said)

    def stop(self) -> None:
        """Stop it at once, as a crash does."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGQUIT)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextlib.contextmanager
def postgres_server(programs: Path, *, keeps: bool = True) -> Iterator[str]:
    """Run a server until the block ends; gives the address of an empty database.

    Args:
        programs: The folder of ``initdb`` and ``postgres``.
        keeps: Write through to the disk at every commit, as servers do; off is faster.

    Raises:
        RuntimeError: The server does not start; with what it said.
    """
    with restartable_server(programs, keeps=keeps) as server:
        yield server.address


@contextlib.contextmanager
def restartable_server(programs: Path, *, keeps: bool = True) -> Iterator[Server]:
    """Run a server until the block ends, which may stop and start it; see postgres_server."""
    user = _user()
    # Another user must reach it: our own folder for temporary files may be closed to them.
    folder = Path(tempfile.mkdtemp(prefix="aptamr-pg-", dir="/tmp" if user else None))
    try:
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
        data = folder / "data"
        make = [programs / "initdb", "-D", data, "-U", "aptamr", "-A", "trust", "-E", "UTF8"]
        _run([*make, "--locale=C", *([] if keeps else ["--no-sync"])], user)
        settings = [f"fsync={'on' if keeps else 'off'}", "listen_addresses=", "max_connections=200"]
        options = [word for setting in settings for word in ("-c", setting)]
        command: list[Any] = [programs / "postgres", "-D", data, "-k", folder, *options]
        server = Server([str(word) for word in command], folder, user)
        try:
            server.start()
            yield server
        finally:
            server.stop()  # nothing is left of it, so that nothing need be written before
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_schema(address: str, name: str) -> str:
    """Make an empty schema in a database; gives an address that has its tables there."""
    query = sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name))
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(query)
    return f"{address}&options=-csearch_path%3D{name}"


def _user() -> struct_passwd | None:
    """Give whom to run as; None is ourselves."""
    if os.geteuid() != 0:
        return None
    import pwd  # here, because it is not on every system

    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    found = next((known[name] for name in USERS if name in known), None)
    if found is None:
        raise RuntimeError(f"PostgreSQL does not run as root, and there is no user {USERS}")
    return found


def _as(user: struct_passwd | None) -> dict[str, Any]:
    if user is None:
        return {}
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _run(command: list[Any], user: struct_passwd | None) -> None:
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        **_as(user),
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.strip()}")


def _wait(server: subprocess.Popen[Any], folder: Path, said: Path) -> None:
    """Wait until the server takes connections."""
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(f"host={folder} user=aptamr dbname=postgres").close()
            return
        except psycopg.OperationalError as error:
            if server.poll() is not None or time.monotonic() > until:
                words = said.read_text(errors="replace")[-2000:]
                raise RuntimeError(f"PostgreSQL does not start: {words}") from error
            time.sleep(0.05)
