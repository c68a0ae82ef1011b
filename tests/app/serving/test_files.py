"""The files of scripts/team and the commands of docs/teams.md, as far as no container is needed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import threading
import tomllib
import uuid
from pathlib import Path
from typing import Any

import psycopg
import pytest
import typer
import yaml
from alembic import command
from alembic.config import Config

from app.cli import cli
from app.store.log.operations import Acknowledged, Request
from app.store.records.database import open_engine
from app.store.store import Store, open_store
from benchmarks.postgres import server_programs
from tests.modules import PACKAGES, ROOT

TEAM = ROOT / "scripts" / "team"
PAGE = (ROOT / "docs" / "teams.md").read_text("utf-8")
TEXT = "# ::id t.1\n# ::snt The boy runs .\n(r / run-02 :ARG0 (b / boy))\n"
RENAME = {"do": "edit", "edit": {"edit": "rename-node", "id": "b", "concept": "girl"}}
BLOCKS = re.findall(r"^```([a-z]*)\n(.*?)^```$", PAGE, re.S | re.M)
LINES = [line for kind, block in BLOCKS if kind == "sh" for line in block.splitlines()]


def parse(words: list[str]) -> dict[str, Any]:
    """Have the words after ``aptamr`` read by the command line itself; nothing is run."""
    group = typer.main.get_command(cli)
    assert isinstance(group, typer.core.TyperGroup)
    return group.commands[words[0]].make_context(words[0], words[1:]).params


def test_the_commands_of_the_compose_file_are_read_by_the_command_line() -> None:
    compose = yaml.safe_load((TEAM / "compose.yaml").read_text("utf-8"))
    services = compose["services"]
    assert set(services) == {"store", "app1", "app2", "proxy"}
    for name in ("app1", "app2"):
        given = parse(services[name]["command"])
        assert (given["host"], given["log_format"]) == ("0.0.0.0", "json")
        assert "@store/" in services[name]["environment"]["APTAMR_STORE"]
        assert f"server {name}:{given['port']} " in (TEAM / "nginx.conf").read_text("utf-8")
        build = services[name]["build"]
        folder = (TEAM / build["context"]).resolve()
        assert folder == ROOT
        assert (folder / build["dockerfile"]).is_file()
    mounted = [each.partition(":")[0] for name in services for each in services[name]["volumes"]]
    files = {name for name in mounted if name.startswith("./")}
    assert files == {"./secrets.toml", "./nginx.conf"}  # the first is made of the example
    assert {name for name in mounted if not name.startswith("./")} == set(compose["volumes"])


def test_the_container_takes_all_that_the_wheel_needs_and_starts_the_pages() -> None:
    text = (TEAM / "Containerfile").read_text("utf-8")
    copied = {word for line in re.findall(r"^COPY (.*)$", text, re.M) for word in line.split()[:-1]}
    assert copied == {*PACKAGES, "assets", "pyproject.toml", "README.md", "LICENSE", "NOTICE"}
    assert all((ROOT / name).exists() for name in copied)
    start = re.findall(r"^CMD (\[.*\])$", text, re.M)[-1]
    assert parse(yaml.safe_load(start))["host"] == "0.0.0.0"


def test_the_example_of_a_sign_in_is_the_one_of_the_page() -> None:
    (block,) = [block for kind, block in BLOCKS if kind == "toml"]
    example = (TEAM / "secrets.example.toml").read_text("utf-8")
    assert tomllib.loads(block) == tomllib.loads(example)


def test_what_holds_secrets_is_never_committed() -> None:
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert {"/scripts/team/.env", "/scripts/team/secrets.toml"} <= set(ignored)


def test_the_commands_of_the_page_are_read_by_the_command_line() -> None:
    ours = [shlex.split(line) for line in LINES if line.startswith("aptamr ")]
    assert ours
    for words in ours:
        parse(words[1:])


@pytest.fixture
def databases(postgres: str) -> tuple[str, str]:
    """The addresses of two empty databases."""
    names = [f"d{uuid.uuid4().hex}" for _ in range(2)]
    with psycopg.connect(postgres, autocommit=True) as connection:
        for name in names:
            connection.execute(f"CREATE DATABASE {name}")
    first, second = (postgres.replace("/postgres?", f"/{name}?") for name in names)
    return first, second


def run_line(program: str, store: str, folder: Path) -> None:
    """Run the line of the page that begins with a program of PostgreSQL."""
    (line,) = [each for each in LINES if each.startswith(program)]
    programs = server_programs()
    environment = {**os.environ, "APTAMR_STORE": store, "PATH": f"{programs}:{os.environ['PATH']}"}
    subprocess.run(line, shell=True, check=True, cwd=folder, env=environment)


def work_of(store: Store) -> list[Any]:
    """All that a store holds of the work on it."""
    rows = store.sentences()
    for row in rows:
        store.check(row.id)
    logs = [[(o.person, o.at, o.what) for o in store.log(row.id)] for row in rows]
    return [logs, [store.export(document.id) for document in store.documents()], store.identity]


def test_a_store_is_backed_up_while_in_use_restored_and_brought_up_to_date(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    store = open_store(databases[0])
    store.import_text("one.amr", TEXT)
    answer = store.apply(1, "Ana", "tab", Request("1", 0, RENAME))
    assert isinstance(answer, Acknowledged)
    before = work_of(store)
    run_line("pg_dump", databases[0], tmp_path)  # the store is open
    store.close()
    run_line("pg_restore", databases[1], tmp_path)
    restored = open_store(databases[1])
    assert work_of(restored) == before
    restored.close()

    # The next version finds the tables of an older one: two processes open it at once.
    engine = open_engine(databases[1])
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        config = Config()
        config.set_main_option("script_location", "app.store:migrations")
        config.attributes["connection"] = connection
        command.downgrade(config, "0007")
    engine.dispose()
    found: list[list[Any]] = []

    def open_it() -> None:
        opened = open_store(databases[1])
        found.append(work_of(opened)[:2])
        opened.close()

    both = [threading.Thread(target=open_it) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join(60)
    assert found == [before[:2]] * 2
