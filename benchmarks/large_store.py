"""A large store under the pages: ``python -m benchmarks.large_store --sentences 20000``.

A store of sentences of our own is made, and the Queue and Correct pages are run on it by
Streamlit's AppTest, without a browser and without a model: a time is what the server needs
from a click to all that it sends; ``to its end`` is what goes on behind the page. ``sent`` adds
up the elements of the page as they go to the browser. Memory is what the process holds, read
after garbage was collected; ``in use`` repeats a walk through the pages for ``--minutes``:
queue, search, preview of a rewrite, export, and a sentence that is accepted.

Beside each time stands the time of the processor that the process took: on a machine with
other work that is what two runs can be compared by.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.testing.v1 import AppTest

from app.addresses.pages import page_file
from app.annotation import identity
from app.annotation.documents import shared_searcher
from app.annotation.preparing import Preparer
from app.annotation.session import shared_store
from app.commands.serve import read_in
from app.engine import worker
from app.pages.correct.state import EDITOR
from app.store.documents.exporting import ExportOptions, Format
from app.store.store import Store, open_store
from aptcore.errors import CheckpointError
from benchmarks.annotating import document_text

PERSON = "Ada"
PATTERN, TEMPLATE = "(x / girl)", "(x / lass)"
CONCEPT, RARE = "girl", "no-such-thing"
LONGEST_SECONDS = 3600
"""After this a page that does not answer ends the measurement."""
NUM_NEXT = 7
"""Sentences that are accepted one after the other."""
NUM_READINGS = 10
"""How often the memory is read in use."""
TURNS_TO_EXPORT = 5
"""In use, the document is exported once in so many turns."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        name: What was measured.
        value: How much.
        unit: Of the value.
        cpu: Seconds of the processor, for a time; 0 for what is none.
    """

    name: str
    value: float
    unit: str
    cpu: float = 0.0


@dataclass(slots=True)
class Walk:
    """A walk through the pages of one store, and what it measured.

    Attributes:
        store: The store.
        document: The large one.
        rows: What was measured.
        tell: Called with each row as it comes.
    """

    store: Store
    document: int
    rows: list[Row] = field(default_factory=list)
    tell: Callable[[Row], None] = lambda _: None

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Note the seconds that something takes."""
        start, cpu = time.perf_counter(), time.process_time()
        yield
        taken, cpu = time.perf_counter() - start, time.process_time() - cpu
        self.add(Row(name, taken, "s", cpu))

    def note(self, name: str, value: float, unit: str) -> None:
        """Note a figure."""
        self.add(Row(name, value, unit))

    def add(self, row: Row) -> None:
        """Note a figure, and tell it."""
        self.rows.append(row)
        self.tell(row)

    def measure_queue(self) -> None:
        """Draw the queue for a person who comes to it, and in the order of doubt."""
        with self.timed("queue, first draw"):
            page = opened("queue", {})
        self.note("queue, sent", sent_bytes(page) / 1e6, "MB")
        with self.timed("queue, by doubt"):
            opened("queue", {"order": "margin"})

    def measure_next(self) -> None:
        """Accept sentences; each time the next open one is drawn."""
        with self.timed("correct, first draw"):
            page = opened("correct", {})
        self.note("memory, with both pages drawn", memory_mb(), "MB")
        each = Walk(self.store, self.document)
        for _ in range(NUM_NEXT):
            with each.timed("next sentence"):
                accept(page)
        median = statistics.median(row.value for row in each.rows)
        cpu = statistics.median(row.cpu for row in each.rows)
        self.add(Row("next sentence, median", median, "s", cpu))

    def measure_search(self) -> None:
        """Search for a concept that no sentence has, and for one that a part of them has."""
        with self.timed("search without a hit"):
            opened("queue", concept(RARE))
        page = self.look_through("search", concept(CONCEPT))
        self.note("search, sent", sent_bytes(page) / 1e6, "MB")

    def look_through(self, name: str, asked: Mapping[str, str]) -> AppTest:
        """Search or preview a rewrite; gives the page with what was found."""
        with self.timed(f"{name}, the page answers"):
            opened("queue", asked)
        with self.timed(f"{name}, to its end"):
            wait_for(shared_searcher())
        with self.timed(f"{name}, what was found"):
            return opened("queue", asked)

    def measure_rewrite(self) -> None:
        """Rewrite all hits of a pattern and take it back."""
        page = self.look_through("preview of a rewrite", REWRITE)
        for name, label in (("rewrite", "Rewrite "), ("undo of the rewrite", "Undo all of it")):
            with self.timed(f"{name}, the page answers"):
                press(page, label)
            with self.timed(f"{name}, to its end"):
                while self.store.jobs.all():
                    time.sleep(1)
            checked(page.run())

    def measure_exports(self) -> None:
        """Export the document in both formats."""
        formats: tuple[Format, ...] = ("penman", "jsonl")
        for kind in formats:
            with self.timed(f"export {kind}"):
                size = self.export(kind)
            self.note(f"export {kind}, size", size / 1e6, "M characters")

    def export(self, kind: Format) -> int:
        """Write the document part by part; gives its characters."""
        return sum(map(len, self.store.export_parts(self.document, ExportOptions(kind))))

    def use(self, minutes: float) -> None:
        """Walk through the pages for a time, and read the memory now and then."""
        start, turns = time.monotonic(), 0
        for reading in range(1, NUM_READINGS + 1):
            until = start + 60 * minutes * reading / NUM_READINGS
            while time.monotonic() < until:
                turns += 1
                self.use_once()
                if turns % TURNS_TO_EXPORT == 1:
                    self.export("jsonl")
            if minutes:
                self.note(
                    f"memory, in use for {minutes * reading / NUM_READINGS:g} minutes",
                    memory_mb(),
                    "MB",
                )
        self.note("turns in use", turns, "")

    def use_once(self) -> None:
        """Do once what people do on the pages; nothing that was found before is kept."""
        shared_searcher().forget()
        again = Walk(self.store, self.document)
        again.measure_queue()
        again.measure_search()
        again.look_through("preview of a rewrite", REWRITE)
        accept(opened("correct", {}))


REWRITE = {"view": "search", "in": "pattern", "find": PATTERN, "template": TEMPLATE}


def concept(wanted: str) -> dict[str, str]:
    """Give the address of a search for a concept."""
    return {"view": "search", "in": "concept", "find": wanted}


def wait_for(preparer: Preparer) -> None:
    """Wait until nothing is written behind the pages."""
    while preparer.is_at_work:
        time.sleep(0.05)


def opened(page: str, address: Mapping[str, str]) -> AppTest:
    """Open a page in a new session."""
    first = page_file(page)
    files = [first, *(page_file(name) for name in ("queue", "correct", "compare") if name != page)]
    entry = "import streamlit as st\nst.navigation([" + "".join(
        f"st.Page({str(file)!r}, url_path={Path(file).parent.name!r})," for file in files
    )
    app = AppTest.from_string(f"{entry}]).run()", default_timeout=LONGEST_SECONDS)
    app.session_state[identity.PERSON] = PERSON
    for name, value in address.items():
        app.query_params[name] = value
    return checked(app.run())


def checked(page: AppTest) -> AppTest:
    """Give a page that was drawn whole.

    Raises:
        SystemExit: It shows an exception.
    """
    if page.exception:
        raise SystemExit(f"the page failed: {page.exception[0].value}")
    return page


def press(page: AppTest, label: str) -> None:
    """Click on the first button whose label begins like this."""
    checked(next(one for one in page.button if one.label.startswith(label)).click().run())


def sent_bytes(page: AppTest) -> int:
    """Add up the bytes of the elements of a page as they are sent."""
    return sum(element.proto.ByteSize() for element in page.main if element.proto is not None)


def accept(page: AppTest) -> None:
    """Accept the sentence on the Correct page, which then shows the next one."""
    (editor,) = page.get("bidi_component")
    shown = json.loads(editor.proto.json)
    number = shown["ack"] + 1
    message = {
        "number": number,
        "id": f"{shown['session']} {number}",
        "tab": "t",
        "store": shown["store"],
        "person": shown["person"],
        "sentence": shown["sentence"]["id"],
        "base": shown["sentence"]["revision"],
        "what": {"do": "accept", "then": "next"},
    }
    page.session_state[EDITOR] = {"outbox": {"tries": 1, "messages": [message]}}
    checked(page.run())


def memory_mb() -> float:
    """Give the memory that the process holds, in MB; 0 where the system does not tell."""
    gc.collect()
    status = Path("/proc/self/status")
    if not status.is_file():
        return 0.0
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmRSS"].split()[0]) / 1024


@contextmanager
def served(url: str) -> Iterator[None]:
    """Let the pages of this process stand on a store, without a model."""
    before, loader = os.environ.get("APTAMR_STORE"), worker.load_parser
    os.environ["APTAMR_STORE"], worker.load_parser = url, no_model
    st.cache_resource.clear()
    yield
    shared_store().close()
    st.cache_resource.clear()
    worker.load_parser = loader
    os.environ.pop("APTAMR_STORE")
    if before is not None:
        os.environ["APTAMR_STORE"] = before


def no_model() -> Any:
    """Stand in for the loading of a model: these figures are not the parser's.

    Raises:
        CheckpointError: Always.
    """
    raise CheckpointError("this measurement runs without a model")


def measure(
    url: str, num_sentences: int, minutes: float, tell: Callable[[Row], None] = lambda _: None
) -> tuple[Row, ...]:
    """Make a store at an address and walk through its pages.

    Args:
        url: Of a store that is empty or not there yet.
        num_sentences: How many it gets.
        minutes: How long the walk is repeated in the end.
        tell: Called with each figure as it comes.
    """
    with served(url):
        walk = Walk(open_store(url), 0, tell=tell)
        walk_through(walk, num_sentences, minutes)
        walk.store.close()
    return tuple(walk.rows)


def walk_through(walk: Walk, num_sentences: int, minutes: float) -> None:
    """Fill a store and do all that is measured on it; see :func:`measure`."""
    read_in()  # as a server does while the first browser starts
    walk.note("sentences", num_sentences, "")
    walk.note("memory, before", memory_mb(), "MB")
    with walk.timed("import"):
        walk.document = walk.store.import_text("large.amr", document_text(num_sentences)).document
    rows = walk.store.sentences()
    walk.store.set_scores({row.id: {"narrow margin": row.id % 97 / 97} for row in rows})
    del rows
    walk.note("memory, after import", memory_mb(), "MB")
    walk.measure_queue()
    walk.measure_next()
    walk.measure_search()
    walk.measure_rewrite()
    walk.measure_exports()
    walk.note("memory, after one walk", memory_mb(), "MB")
    walk.use(minutes)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Measure the pages on a large store.")
    parser.add_argument("--sentences", type=int, default=2_000)
    parser.add_argument("--minutes", type=float, default=0.5, help="of repeated use in the end")
    parser.add_argument("--json", action="store_true", help="one object a line")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = str(Path(folder) / "large.db")
        measure(url, arguments.sentences, arguments.minutes, tell_json if arguments.json else tell)


def tell(row: Row) -> None:
    """Write a figure as a line of text."""
    cpu = f"  (processor {row.cpu:,.2f} s)" if row.unit == "s" else ""
    print(f"{row.name:>44}  {row.value:10,.2f} {row.unit}{cpu}", flush=True)


def tell_json(row: Row) -> None:
    """Write a figure as a line of JSON."""
    print(json.dumps(asdict(row)), flush=True)


if __name__ == "__main__":
    main()
