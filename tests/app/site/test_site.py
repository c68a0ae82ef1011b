"""A site: what is written, what is left alone, and how it opens from a folder and a server."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.cli import main
from app.commands.site import Request, run_site
from app.site import writing
from app.site.writing import LISTED
from aptcore.errors import FormatError, InputError
from tests.app.conftest import PATIENCE_MS, expect, wait_until
from tests.app.lessons import BOY
from tests.app.traces import want_trace

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Request


class Page(HTMLParser):
    """The addresses, title and description of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.named: dict[str, str] = {}
        self.title = ""
        self._in_title = False
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.addresses += [given[name] for name in ("href", "src") if name in given]
        if tag == "meta" and "name" in given:
            self.named[given["name"]] = given["content"]
        self._in_title = tag == "title"

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two traces of one sentence, and a folder of lessons with one."""
    folder = tmp_path_factory.mktemp("sources")
    for name in ("a.json", "b.json"):
        (folder / name).write_text(json.dumps(want_trace()), "utf-8")
    (folder / "lessons").mkdir()
    (folder / "lessons" / "boy.json").write_text(json.dumps(BOY), "utf-8")
    return folder


def request_for(folder: Path, sources: Path, *names: str) -> Request:
    traces = tuple(sources / name for name in names)
    return Request(folder, traces, sources / "lessons", False, "Graphs for Ana")


@pytest.fixture(scope="module")
def site(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("given") / "new" / "site"
    assert run_site(request_for(folder, sources, "a.json", "b.json"), False) == 0
    return folder


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_every_address_is_relative_and_leads_to_a_file_of_the_site(site: Path) -> None:
    listed = set(json.loads((site / LISTED).read_text("utf-8"))["files"])
    assert files_in(site) == listed | {LISTED}
    led_to = {"index.html"}  # to which a lone page leads back, and a host opens
    for path in site.rglob("*.html"):
        for address in Page(path).addresses:
            assert ":" not in address
            assert not address.startswith("/")
            led_to.add(str((path.parent / address).resolve().relative_to(site.resolve())))
    assert led_to == listed


def test_titles_and_descriptions_tell_what_a_page_shows(site: Path) -> None:
    pages = {str(path.relative_to(site)): Page(path) for path in site.rglob("*.html")}
    assert all(0 < len(page.named["description"]) < 320 for page in pages.values())
    assert pages["index.html"].title == "Graphs for Ana"
    text = want_trace()["sentence"]["text"]
    found = [page for name, page in pages.items() if name.startswith("traces/")]
    assert [page.title for page in found] == [f"“{text}” as an AMR graph, step by step"] * 2
    assert pages["lessons/boy.html"].title == "A boy who wants to go: a lesson in AMR parsing"


def test_two_traces_of_one_sentence_stand_side_by_side(site: Path) -> None:
    first, second = sorted(path.stem for path in (site / "traces").glob("*.html"))
    assert second == f"{first}-2"
    assert (site / f"traces/{first}.json").read_bytes() == (
        site / f"traces/{second}.json"
    ).read_bytes()


def test_a_long_site_tells_how_far_it_is(
    sources: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(writing, "SECONDS", 0.0)
    run_site(request_for(tmp_path / "site", sources, "a.json"), False)
    assert "\n3 of 22 files\n" in capsys.readouterr().err


def test_a_site_written_again_loses_what_is_no_longer_shown_and_nothing_else(
    sources: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    run_site(request_for(folder, sources, "a.json"), False)
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref")
    (folder / "CNAME").write_text("amr.example")
    assert (folder / "lessons/boy.html").exists()
    request = Request(folder, (sources / "a.json",), None, False, "Again")
    assert run_site(request, False) == 0
    assert not list(folder.glob("lessons/*"))
    assert Page(folder / "index.html").title == "Again"
    assert (folder / ".git" / "HEAD").read_text() == "ref"
    assert (folder / "CNAME").read_text() == "amr.example"


def test_a_file_in_the_way_is_named_and_nothing_is_written(sources: Path, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("my own page")
    with pytest.raises(InputError, match=r"index\.html is there already and no part of"):
        run_site(request_for(tmp_path, sources, "a.json"), False)
    assert files_in(tmp_path) == {"index.html"}
    assert (tmp_path / "index.html").read_text() == "my own page"


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        ("{", "lists no site"),
        ('{"files": 3}', "lists no site"),
        ('{"files": ["../../notes.txt"]}', "lists files that no site has"),
        ('{"files": ["traces/.."]}', "lists files that no site has"),
        ('{"files": ["/etc/hostname"]}', "lists files that no site has"),
    ],
)
def test_a_list_that_names_other_files_removes_nothing(
    sources: Path, tmp_path: Path, listed: str, message: str
) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    (tmp_path / "notes.txt").write_text("kept")
    (folder / LISTED).write_text(listed)
    with pytest.raises(FormatError, match=message):
        run_site(request_for(folder, sources, "a.json"), False)
    assert (tmp_path / "notes.txt").exists()
    assert files_in(folder) == {LISTED}


def test_a_trace_that_cannot_be_read_is_told_and_the_others_are_shown(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.json").write_text('{"schema": 1')
    bad, absent, good = tmp_path / "bad.json", tmp_path / "absent.json", sources / "a.json"
    folder = tmp_path / "site"
    assert run_site(Request(folder, (bad, absent, good), None, False, "T"), True) == 1
    output = capsys.readouterr()
    assert json.loads(output.out)["traces"] == 1
    assert "bad.json" in output.err
    assert "absent.json" in output.err
    assert len(list(folder.glob("traces/*.html"))) == 1


def test_a_site_of_nothing_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["site", str(tmp_path / "site"), "--no-stored"])
    assert "no trace and no lesson" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_a_folder_that_is_none_is_refused(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SystemExit, match="2"):
        main(["site", str(tmp_path / "file")])
    assert "is a file" in capsys.readouterr().err
    with pytest.raises(InputError, match="--lessons .*gone is no folder"):
        run_site(Request(tmp_path / "site", (), tmp_path / "gone", True, "T"), False)
    assert files_in(tmp_path) == {"file"}


def test_no_markup_of_a_label_sentence_or_title_becomes_a_tag(tmp_path: Path) -> None:
    document: dict[str, Any] = want_trace()
    hostile = "</title><script>alert(1)</script><img src=x onerror=alert(2)>"
    document["sentence"]["text"] = f"{hostile} {document['sentence']['text']}"
    document["items"][0]["label"] = hostile
    document["penman"] = f'" onload=alert(3) x="{hostile}'
    (tmp_path / "t.json").write_text(json.dumps(document), "utf-8")
    folder = tmp_path / "site"
    assert run_site(Request(folder, (tmp_path / "t.json",), None, False, hostile), False) == 0
    for path in folder.rglob("*.html"):
        assert "alert(" not in "".join(
            value or "" for tag in _tags(path) for name, value in tag if name.startswith("on")
        )
        assert path.read_text("utf-8").count("<script>alert") == 0


def _tags(path: Path) -> list[list[tuple[str, str | None]]]:
    found: list[list[tuple[str, str | None]]] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append(attrs)

    Tags().feed(path.read_text("utf-8"))
    return found


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder's parent as a static host does, the site below a path of its own."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{folder.name}/"
    finally:
        server.shutdown()
        server.server_close()


def note_failure(request: Request, problems: list[str]) -> None:
    """Keep what could not be had; an icon that a page is left before is none of it."""
    if request.failure != "net::ERR_ABORTED":
        problems.append(f"{request.url}: {request.failure}")


def test_it_steps_from_a_folder_and_from_a_static_server(browser: Browser, site: Path) -> None:
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    with served(site) as address:
        for start in (f"{site.as_uri()}/", address):
            context = browser.new_context(viewport={"width": 390, "height": 844})
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            problems: list[str] = []
            page.on("pageerror", lambda error, kept=problems: kept.append(str(error)))
            page.on("console", lambda line, kept=problems: kept.append(line.text))
            page.on("requestfailed", lambda request, kept=problems: note_failure(request, kept))
            page.goto(f"{start}index.html")
            pictures = page.locator(".cards img")
            expect(pictures).to_have_count(3)
            assert pictures.first.evaluate("(image) => image.decode().then(() => image.width)")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            page.locator(".count", has_text="After 0 of 17 actions").wait_for()
            expect(page.locator("nav.site [aria-current]")).to_have_count(0)
            page.keyboard.press("ArrowRight")
            page.locator(".count", has_text="After 1 of 17 actions").wait_for()
            expect(page.locator(".still")).to_have_count(0)
            page.locator("a[rel=next]").click()
            page.locator("a[rel=next]").click()
            page.locator(".count", has_text="After 0 of 13 actions").wait_for()
            page.keyboard.press("End")
            page.locator(".node:not(.absent)", has_text="want-01").wait_for()
            wait_until(page, lambda shown=page: shown.evaluate(wide) <= 0)
            assert not problems
            context.close()


def test_without_scripts_the_graph_is_a_picture_and_a_text(browser: Browser, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(f"{site.as_uri()}/lessons/boy.html")
    expect(page.locator(".still svg")).to_be_visible()
    expect(page.locator(".still pre")).to_have_text(re.compile(r"^\(w / want-01"))
    expect(page.locator(".apt")).to_be_hidden()
    context.close()
