"""A team's server: nginx, two processes, one PostgreSQL and a provider of OpenID Connect."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from app.store.store import open_store
from benchmarks.postgres import new_schema
from tests.app.conftest import END_SECONDS, RUN, free_port, fresh_page, quiet, wait_for_health
from tests.app.pages.correct.conftest import EDITOR
from tests.modules import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
CONFIGURATION = ROOT / "scripts" / "team" / "nginx.conf"
BASE = "tools/amr"
WAIT_MS = 120_000
GRAPH = (
    "# ::id one\n# ::snt The boy sees the moon.\n(s / see-01 :ARG0 (b / boy) :ARG1 (m / moon))\n"
)


@dataclass
class Team:
    """What runs: two processes by their ports, and nginx before them."""

    folder: Path
    store: str
    address: str
    ports: tuple[int, ...]
    running: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    def begin(self, port: int) -> None:
        """Start a process of the pages."""
        options = ["app", "--port", str(port), "--base-path", f"/{BASE}/", "--store", self.store]
        options += ["--log-format", "json", "--device", "cpu"]
        environment = {**quiet(), "PYTHONPATH": str(ROOT)}
        with self.log(port).open("ab") as output:
            self.running[port] = subprocess.Popen(
                [sys.executable, *RUN, *options],
                stdout=output,
                stderr=output,
                env=environment,
                cwd=self.folder,
            )

    def wait(self, port: int) -> None:
        wait_for_health(f"http://127.0.0.1:{port}/{BASE}", self.running[port], self.log(port))

    def end(self, port: int) -> None:
        self.running[port].kill()
        self.running[port].wait(END_SECONDS)

    def log(self, port: int) -> Path:
        return self.folder / f"{port}.log"

    def records(self, port: int) -> list[dict[str, Any]]:
        """What a process wrote down; fontconfig's own words are none of it."""
        lines = self.log(port).read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines if not line.startswith("Fontconfig")]


@pytest.fixture
def team(started: Team) -> Team:
    """The team with both processes, one that died begun again."""
    for port in started.ports:
        if started.running[port].poll() is not None:
            started.begin(port)
            started.wait(port)
    return started


@pytest.fixture(scope="module")
def started(
    browser: Browser, postgres: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Team]:
    if NGINX is None:
        pytest.skip("nginx is absent: install Debian's nginx")
    pytest.importorskip("authlib")
    folder = tmp_path_factory.mktemp("team")
    port, issuer, *ports = (free_port() for _ in range(4))
    address = f"http://127.0.0.1:{port}/{BASE}"
    store = new_schema(postgres, f"t{uuid.uuid4().hex}")
    team = Team(folder, store, address, tuple(ports))
    write_secrets(folder, address, f"http://127.0.0.1:{issuer}")
    write_configuration(folder, port, ports)
    person = json.dumps({"sub": "7", "name": "Ana", "email": "ana@example.org"})
    provider = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock"]
    commands = [
        [*provider, "--port", str(issuer), "--user-claims", person],
        [NGINX, "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"],
    ]
    with ExitStack() as stack:
        for command in commands:
            stack.enter_context(running(command, folder / "others.log"))
        for each in ports:
            team.begin(each)
            stack.callback(team.end, each)
        for each in ports:
            team.wait(each)
        yield team


@contextmanager
def running(command: list[str], log: Path) -> Iterator[None]:
    """Let a program run until the block ends."""
    with log.open("ab") as output, subprocess.Popen(command, stdout=output, stderr=output) as one:
        try:
            yield
        finally:
            one.kill()


def write_secrets(folder: Path, address: str, issuer: str) -> None:
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "secrets.toml").write_text(
        f'[auth]\nredirect_uri = "{address}/oauth2callback"\n'
        'cookie_secret = "one for both processes of this test"\n'
        'client_id = "aptamr"\nclient_secret = "known to both"\n'
        f'server_metadata_url = "{issuer}/.well-known/openid-configuration"\n',
        "utf-8",
    )


def write_configuration(folder: Path, port: int, ports: list[int]) -> None:
    """Take the configuration that we ship, with the ports of this test."""
    text = CONFIGURATION.read_text("utf-8")
    for name, each in zip(("app1", "app2"), ports, strict=True):
        text = text.replace(f"server {name}:8501", f"server 127.0.0.1:{each}")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{port};")
    text = text.replace(
        "$new_browser always;", "$new_browser always;\nadd_header X-Process $upstream_addr;"
    )
    assert "app1" not in text
    temporary = "\n".join(
        f"{name}_temp_path {folder}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}\n{text}\n}}\n"
    )


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    yield from fresh_page(browser, WAIT_MS)


def status_of(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def process_of(address: str) -> int:
    """The port of the process that answers somebody who comes for the first time."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        return port_in(answer.headers["X-Process"])


def port_in(upstream: str) -> int:
    """The port of the last process that nginx asked."""
    return int(upstream.rpartition(":")[2])


def test_a_team_signs_in_uploads_and_goes_on_when_a_process_dies(page: Page, team: Team) -> None:
    asked: list[str] = []
    processes: list[int] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on(
        "response",
        lambda answer: (
            processes.append(port_in(answer.headers["x-process"]))
            if "x-process" in answer.headers
            else None
        ),
    )
    page.on("websocket", lambda socket: asked.append(socket.url))

    # Sign in: the provider asks who it is, and the pages know the name.
    page.goto(f"{team.address}/queue")
    page.get_by_role("button", name="Sign in").click()
    page.locator("input[name=sub]").fill("7")
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url(f"{team.address}/")
    page.locator(".apt").first.wait_for()

    # Upload: a file goes to the process that holds the session.
    page.goto(f"{team.address}/queue?view=import")
    upload = page.locator("input[type=file]")
    upload.set_input_files({"name": "moon.amr", "mimeType": "", "buffer": GRAPH.encode()})
    page.get_by_test_id("stFileUploader").get_by_text("moon.amr").wait_for()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("moon.amr: 1 sentence.").wait_for()
    (mine,) = set(processes)

    # All that was asked for stands below the base path.
    host = team.address.removesuffix(f"/{BASE}").partition("//")[2]
    own = [urlsplit(url) for url in asked if urlsplit(url).netloc == host]
    assert {url.scheme for url in own} == {"http", "ws"}
    assert not [url.path for url in own if not url.path.startswith(f"/{BASE}/")]

    # Its process dies: the browser goes on at the other, signed in, and what was done comes too.
    page.goto(f"{team.address}/correct?document=moon.amr&sentence=1")
    page.locator(".edit .node").first.wait_for()
    page.wait_for_function(f"() => {EDITOR}?.getAttribute('aria-busy') === 'false'")
    team.end(mine)
    with page.expect_websocket():
        page.keyboard.press("f")
    page.locator(".edit .saved").get_by_text("All saved").wait_for()
    answer = page.goto(f"{team.address}/queue")
    assert answer is not None
    assert {port_in(answer.headers["x-process"])} == set(team.ports) - {mine}
    store = open_store(team.store)
    (sentence,) = store.sentences(store.documents()[0].id)
    assert store.sentence(sentence.id).state.flagged
    assert [operation.person for operation in store.log(sentence.id)] == ["Ana"]
    store.close()

    # Sign out: the provider is told, and the pages ask again.
    page.goto(f"{team.address}/settings")
    page.get_by_text("You are signed in as Ana.").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()
    page.wait_for_url(f"{team.address}/")
    page.goto(f"{team.address}/queue")
    page.get_by_role("button", name="Sign in").wait_for()


def test_newcomers_are_shared_out_and_a_process_that_is_back_is_used_again(team: Team) -> None:
    wanted = set(team.ports)
    found: set[int] = set()
    until = time.monotonic() + 120  # nginx asks one that failed again after five seconds
    while found != wanted:
        assert time.monotonic() < until, found
        found.add(process_of(f"{team.address}/_stcore/health"))


def test_health_is_open_and_counts_are_for_operators(team: Team) -> None:
    assert status_of(f"{team.address}/_stcore/health") == 200
    assert status_of(f"{team.address}/_stcore/metrics") == 403
    process = f"http://127.0.0.1:{team.ports[0]}/{BASE}"
    with urllib.request.urlopen(f"{process}/_stcore/metrics", timeout=60) as answer:
        assert "active_sessions" in answer.read().decode()


def test_a_request_that_failed_is_one_line_of_json_without_its_query(team: Team) -> None:
    port = team.ports[1]
    address = f"http://127.0.0.1:{port}/{BASE}/media/nothing.png?sentence=secret"
    assert status_of(address) == 404
    until = time.monotonic() + 120  # it is written once the answer is out
    while not (lines := [each for each in team.records(port) if "status" in each]):
        assert time.monotonic() < until
        time.sleep(0.05)
    (line,) = lines
    assert line["path"] == f"/{BASE}/media/nothing.png"
    assert line["level"] == "warning"
    assert "secret" not in team.log(port).read_text("utf-8")
