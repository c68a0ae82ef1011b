"""Measure one operation of a long log: ``python -m benchmarks.applying``.

A graph of 60 nodes gets 500 edits, then as many undos and redos, each through
``Store.apply`` on a SQLite file, with the commit to disk. Then a second store, as after a
restart, folds the whole log once, and reads the sentence again.
"""

from __future__ import annotations

import contextlib
import statistics
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app.store.log.operations import Acknowledged, Request
from app.store.store import Store, open_store

NODES = 60
OPERATIONS = 500


def wide_text() -> str:
    """Give a block with a graph of 60 nodes and as many constants."""
    words = " ".join(f"w{number}" for number in range(NODES))
    branches = [
        f"\n  :ARG{number % 5} (x{number} / thing-{number} :quant {number})"
        for number in range(1, NODES)
    ]
    return f"# ::id wide\n# ::tok {words}\n(x0 / thing" + "".join(branches) + ")\n"


def edit_of(number: int) -> dict[str, Any]:
    """Give one of many different edits that are all possible in any order."""
    name = f"x{number % (NODES - 1) + 1}"
    edits: list[dict[str, Any]] = [
        {"edit": "rename-node", "id": name, "concept": f"concept-{number}"},
        {"edit": "set-alignment", "key": name, "tokens": [number % NODES]},
        {"edit": "change-attribute", "id": f"{name}:quant", "source": name}
        | {"role": ":quant", "value": str(NODES + number)},
    ]
    return {"do": "edit", "edit": edits[number % 3]}


def times_of(
    store: Store, whats: Iterable[dict[str, Any]], first: int
) -> list[tuple[float, float]]:
    """Apply operations one after the other; gives wall and processor seconds of each."""
    times = []
    for revision, what in enumerate(whats, first):
        request = Request(f"r{revision}", revision, what)
        wall, processor = time.perf_counter(), time.process_time()
        answer = store.apply(1, "Ada", "tab", request)
        times.append((time.perf_counter() - wall, time.process_time() - processor))
        if not isinstance(answer, Acknowledged):
            raise RuntimeError(f"{what} was not applied: {answer}")
    return times


def say(name: str, times: list[tuple[float, float]]) -> None:
    """Print one line of figures."""
    wall, processor = (statistics.median(side) * 1e3 for side in zip(*times, strict=True))
    slowest = max(used for _, used in times) * 1e3
    print(f"{name}: {wall:.1f} ms, of processor {processor:.1f} ms, at most {slowest:.1f} ms")


def main() -> None:
    """Print medians."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "store.db")
        with contextlib.closing(open_store(path)) as store:
            store.import_text("wide.amr", wide_text())
            edits = [edit_of(number) for number in range(OPERATIONS)]
            say("edit", times_of(store, edits, 0))
            say("undo", times_of(store, [{"do": "undo"}] * OPERATIONS, OPERATIONS))
            say("redo", times_of(store, [{"do": "redo"}] * OPERATIONS, 2 * OPERATIONS))
        with contextlib.closing(open_store(path)) as store:
            for name in ("first look after a restart", "another look"):
                started = time.process_time()
                store.sentence(1)
                print(f"{name}: {(time.process_time() - started) * 1e3:.1f} ms of processor")


if __name__ == "__main__":
    main()
