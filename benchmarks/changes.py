"""What a change of a graph costs on the Correct page: ``python -m benchmarks.changes``.

Graphs of our own are edited at random. What the page works out for each change is timed by the
processor of this process: where things stand now (``place``), what may stand in the place of
each part (``instead``), what is sent (``send``). Then each drawing is given to the editor's own
script in headless Chromium, without a server: ``redraw`` is what its main thread takes for it
by its own clock, with script, style, layout and paint, until the second frame after it;
``choose`` is the same for an arrow key. It also looks whether roles are as narrow as the layout
takes them for. Milliseconds: the median, and in brackets 95 of 100.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from app import canvas
from app.canvas.bundle import read_script
from app.canvas.payload import Payload
from app.pages.correct.editor.completing import instead_of
from app.pages.correct.editor.drawing import payload_of, sentence_of
from app.pages.correct.editor.geometry import role_size
from app.pages.correct.editor.layout import grow, lay_out
from app.pages.correct.editor.marks import marks_of
from app.store.log.provenance import Source
from app.store.records.rows import StoredSentence
from app.store.store import open_store
from aptcore.advice.likely import Setting
from aptcore.graph.checks import triples
from aptcore.graph.penman import format_penman
from aptcore.words.frames import read_lexicon
from aptcore.words.tokens import sentence_from_tokens
from benchmarks.drawings import random_edits, random_graph
from benchmarks.failing import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from playwright.sync_api import Page

T = TypeVar("T")
ADDRESS = "http://localhost/"
MOUNT = """async ([html, css, code]) => {
  const host = document.body.appendChild(document.createElement("div"));
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = `<style>${css}</style>${html}`;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { default: show } = await import(url);
  window.draw = (data) => show({ parentElement: root, data, setStateValue() {} });
  window.root = root;
}"""
FRAMES = """() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))"""
WIDTHS = """() => [...root.querySelectorAll(".edge .role")].map((role) => {
  role.closest(".edge").classList.add("selected");
  const width = role.getComputedTextLength();
  role.closest(".edge").classList.remove("selected");
  return [role.textContent, width];
})"""


class Timed:
    """Processor milliseconds by what they were taken for."""

    def __init__(self) -> None:
        self.taken: dict[str, list[float]] = {}

    def by(self, name: str, work: Callable[..., T], *given: object) -> T:
        """Do some work on what is given, and note its time."""
        begun = time.process_time()
        done = work(*given)
        self.note(name, 1000 * (time.process_time() - begun))
        return done

    def note(self, name: str, milliseconds: float) -> None:
        """Note a time."""
        self.taken.setdefault(name, []).append(milliseconds)

    def __str__(self) -> str:
        return "  ".join(
            f"{name} {statistics.median(times):.1f} ({statistics.quantiles(times, n=20)[-1]:.1f})"
            for name, times in self.taken.items()
        )


def drawings(num_nodes: int, num_edits: int, timed: Timed) -> list[Payload]:
    """Edit a graph at random, and give what the page sends each time."""
    chance, lexicon = Random(num_nodes), read_lexicon(None)
    graph = random_graph(chance, num_nodes)
    words = [word for word in lexicon.counts.concepts if word.isalpha()][: num_nodes + 10]
    read = sentence_from_tokens(tuple(words), "one", is_quick=True)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "work.db"))
        text = format_penman(graph, metadata=False)
        store.import_text("one.amr", f"# ::id one\n# ::snt {' '.join(words)}\n{text}\n")
        stored = store.sentence(1)
        store.close()
    sketch, found = lay_out(graph), []
    for revision, edited in enumerate(random_edits(chance, graph, num_edits), 1):
        sketch = timed.by("place", grow, sketch, edited)
        shown = frozenset((*sketch.names, *sketch.ends))
        likely = timed.by("instead", instead_of, Setting(edited, lexicon, read), shown)
        origin = dict.fromkeys(triples(edited), Source("imported"))
        state = replace(stored.state, graph=edited, origin=origin)
        now = replace(stored, revision=revision, state=state)
        marks = marks_of(now, {}, (), likely)
        drawing = timed.by("send", payload_of, now, sketch, marks)
        found.append(drawing | _rest(now))
    return found


def _rest(stored: StoredSentence) -> Payload:
    """Give what the page sends beside a drawing."""
    nothing = ("said", "focus", "fault", "reading", "proposals", "offers")
    empty = ("person", "failure", "meeting", "draft", "problemsText", "doubtText")
    return {
        **dict.fromkeys(nothing),
        **dict.fromkeys(empty, ""),
        "session": "one",
        "store": "one",
        "ack": 0,
        "sentence": sentence_of(stored, ""),
        "conflicts": [],
        "problems": [],
    }


def redraw(page: Page, found: list[Payload], timed: Timed) -> list[tuple[str, float]]:
    """Draw all of it, one after the other, and give the roles that are wider than they may be."""
    folder = Path(canvas.__file__).parent
    css = "\n".join((folder / n).read_text() for n in ("trace/canvas.css", "editor/edit.css"))
    html = (folder / "editor/edit.html").read_text()
    page.route(
        ADDRESS, lambda route: route.fulfill(body="<!doctype html>", content_type="text/html")
    )
    page.goto(ADDRESS)
    page.evaluate(MOUNT, [html, css, read_script(folder / "editor/edit.js")])
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return sum(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    def take(name: str, work: Callable[[], Any]) -> None:
        before = spent()
        work()
        page.evaluate(FRAMES)
        timed.note(name, 1000 * (spent() - before))

    page.evaluate("(data) => draw(data)", found[0])
    page.evaluate(FRAMES)
    page.evaluate("() => root.querySelector('.stage [tabindex=\"0\"]').focus()")
    take("nothing", lambda: page.evaluate("() => 0"))
    for data in found[1:]:
        page.evaluate("(data) => { window.next = data; }", data)
        take("nothing", lambda: page.evaluate("() => 0"))
        take("redraw", lambda: page.evaluate("() => { draw(next); }"))
        take("choose", lambda: page.keyboard.press("ArrowDown"))
    widths: list[tuple[str, float]] = page.evaluate(WIDTHS)
    return [(role, width) for role, width in widths if width > role_size(role)[0]]


def main() -> None:
    """Print a row for each size of graphs."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="60,100,200")
    parser.add_argument("--edits", type=int, default=30)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for size in (int(text) for text in options.sizes.split(",")):
            timed = Timed()
            found = drawings(size, options.edits, timed)
            page = chromium.new_page(viewport={"width": 1440, "height": 900})
            wide = redraw(page, found, timed)
            page.close()
            print(f"{size:4} nodes: {timed}; {len(wide)} roles too wide", flush=True)
        chromium.close()


if __name__ == "__main__":
    main()
