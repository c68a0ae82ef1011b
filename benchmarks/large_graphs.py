"""Large graphs on the Correct page: ``python -m benchmarks.large_graphs``.

A chain and a star are opened in headless Chromium and one node of each is renamed; a small
chain before them tells what the page itself takes, with a server that loads its model. A time
is what a person waits: from the address to the drawn graph, from Enter to the new name in
it. ``sent`` counts the bytes that come over the page's websocket, ``server`` the seconds of
the processor that the server takes, with all it does beside.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from app.store.store import open_store
from benchmarks.acts import be
from benchmarks.failing import CHROMIUM, FLAGS, App

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

WAIT_MS = 180_000
NEW = "whale"
SMALL = 20


def chain(num_nodes: int) -> str:
    """Write a graph in which each node stands under the one before."""
    begun = "".join(f"(n{number} / thing :ARG1 " for number in range(num_nodes - 1))
    return f"{begun}(n{num_nodes - 1} / thing){')' * (num_nodes - 1)}"


def star(num_nodes: int) -> str:
    """Write a graph in which all nodes stand under the first."""
    leaves = " ".join(f":op{number} (n{number} / thing)" for number in range(1, num_nodes))
    return f"(n0 / and {leaves})"


class Measured:
    """A page, with what it got and what its server took since the last look."""

    def __init__(self, page: Page, app: App) -> None:
        assert app.process is not None
        self._stat = Path(f"/proc/{app.process.pid}/stat")
        self._sent = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._count))
        self._start()

    def _count(self, frame: str | bytes) -> None:
        self._sent += len(frame)

    def _start(self) -> None:
        self._begun, self._sent, self._cpu_begun = time.perf_counter(), 0, self._cpu()

    def _cpu(self) -> float:
        fields = self._stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def tell(self, name: str) -> None:
        """Print what was measured since the last call."""
        taken, cpu = time.perf_counter() - self._begun, self._cpu() - self._cpu_begun
        print(
            f"{name:>24}  {taken:7.2f} s  server {cpu:6.2f} s  sent {self._sent / 1e6:6.2f} MB",
            flush=True,
        )
        self._start()


def walk(context: BrowserContext, app: App, sentence: int, name: str) -> None:
    """Open a sentence, rename its first node twice, show all of it and rename it again."""
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    be(page, app.address, "Ada")
    measured = Measured(page, app)
    page.goto(f"{app.address}/correct?sentence={sentence}")
    page.locator(".edit .saved").get_by_text("All saved").wait_for()
    measured.tell(f"{name}, open")
    for number in (1, 2):
        rename(page, measured, name, f"{NEW}-{number}")
    whole = page.get_by_role("button", name="Show all")
    if whole.is_visible():
        whole.click()
        page.locator(".edit .fold").wait_for(state="hidden")
        measured.tell(f"{name}, show all")
        rename(page, measured, name, f"{NEW}-3")
    page.close()


def rename(page: Page, measured: Measured, name: str, concept: str) -> None:
    """Give what is chosen another concept."""
    page.keyboard.press("r")
    page.keyboard.press("Control+a")
    page.keyboard.type(concept)
    measured.tell(f"{name}, typed")
    page.keyboard.press("Enter")
    page.locator(".edit .lines").get_by_text(concept).first.wait_for()
    measured.tell(f"{name}, {concept}")


def main() -> None:
    """Run the command."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description="Measure large graphs on the Correct page.")
    parser.add_argument("--chain", type=int, default=1_201, help="nodes")
    parser.add_argument("--star", type=int, default=3_001, help="nodes")
    arguments = parser.parse_args()
    graphs = {"small": chain(SMALL), "chain": chain(arguments.chain), "star": star(arguments.star)}
    blocks = [f"# ::id {name}\n# ::snt Things.\n{graph}" for name, graph in graphs.items()]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        url = str(Path(folder) / "large.db")
        store = open_store(url)
        store.import_text("large.amr", "\n\n".join(blocks))
        store.close()
        app = App(url, Path(folder) / "log.txt")
        app.start()
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for sentence, name in enumerate(graphs, 1):
            context = chromium.new_context(viewport={"width": 1280, "height": 720})
            walk(context, app, sentence, name)
            context.close()
        chromium.close()
        app.kill()


if __name__ == "__main__":
    main()
