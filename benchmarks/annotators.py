"""Many annotators on one store at once: ``python -m benchmarks.annotators``.

Simulated people work through sentences of our own, in threads of several processes, as
the pages of several app processes do; each message goes through the functions of the
Correct page, which read the sentence, apply the message and put the answer into words.
Most people keep to their own sentences; every few sentences one goes to a shared
sentence, so that conflicts come up, and is then looked at and tried again. Between two
operations a person thinks for ``--think`` seconds on the average (half to one and a half
times that, evenly). A time is from the message to its answer, with the commit to disk.

Afterwards the store is opened anew: each log is folded from its beginning and compared
with all that was derived from it, and each acknowledged operation is looked for. Exit
status 1 if anything is missing or 95 of 100 answers took longer than half a second.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.pages.correct.editor.outbox import read_outbox
from app.pages.correct.handler import answer
from app.store.store import Store, open_store
from aptcore.errors import StoreError
from benchmarks.annotating import document_text, message_of, next_what
from benchmarks.postgres import postgres_server, server_programs

SHARED = 3
"""Sentences that everybody comes to."""
OWN = 10
"""Sentences of each person."""
TRIES = 10
"""How often an operation is tried where others come first each time."""
OPERATIONS_EACH = 6
"""Operations on a sentence before the next."""
LIMIT_SECONDS = 0.5
LIMIT_SHARE = 0.95


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated.

    Attributes:
        url: The store.
        people: How many.
        seconds: For how long.
        think: Mean time between two operations of a person, in seconds.
        processes: Among how many processes the people are spread.
        seed: Of all that is drawn.
    """

    url: str
    people: int
    seconds: float
    think: float
    processes: int
    seed: int


@dataclass(frozen=True, slots=True)
class Result:
    """What came out; times in seconds.

    Attributes:
        database: Of the store.
        people: How many.
        seconds: For how long they worked.
        think: Mean time between two operations of a person.
        requests: Messages sent, those sent again after a conflict counted each time.
        wanted: Operations that people set out to do.
        acknowledged: How many of them are on disk.
        conflicts: Answers that another person came first; the operation is tried again.
        refused: Operations that were not possible, such as an undo under another's work.
        errors: Requests without an answer.
        p50: Half of all answers took no longer.
        p95: 95 of 100 took no longer.
        slowest: No answer took longer.
        within_limit: Share of the answers within half a second.
        missing: Acknowledged operations that are not in the log.
        unsound: Logs that do not fold to what was derived from them.
    """

    database: str
    people: int
    seconds: float
    think: float
    requests: int
    wanted: int
    acknowledged: int
    conflicts: int
    refused: int
    errors: int
    p50: float
    p95: float
    slowest: float
    within_limit: float
    missing: int
    unsound: int

    @property
    def is_good(self) -> bool:
        """Tell whether everything held."""
        answered = self.acknowledged + self.refused == self.wanted
        sound = answered and not (self.errors or self.missing or self.unsound)
        return sound and self.within_limit >= LIMIT_SHARE


class Person:
    """One annotator with one tab."""

    def __init__(self, store: Store, plan: Plan, number: int) -> None:
        self.store, self.plan = store, plan
        self.name = f"person {number + 1}"
        self.draw = random.Random(plan.seed * 1000 + number)
        first = SHARED + number * OWN
        self.own = list(range(first + 1, first + OWN + 1))
        self.number = 0
        self.times: list[float] = []
        self.counts: Counter[str] = Counter()
        self.acknowledged: list[tuple[int, str, int]] = []

    def work(self, until: float) -> None:
        """Work until a time (monotonic)."""
        time.sleep(self.draw.random() * self.plan.think)
        place = 0
        while time.monotonic() < until:
            is_shared = self.draw.random() < 0.2
            sentence = self.draw.randint(1, SHARED) if is_shared else self.own[place % OWN]
            place += not is_shared
            self.work_on(sentence, until)

    def work_on(self, sentence_id: int, until: float) -> None:
        """Do a few operations on a sentence, then accept it."""
        self.store.claim(sentence_id, self.name)
        seen = self.store.sentence(sentence_id, self.name)
        for turn in range(OPERATIONS_EACH):
            time.sleep(self.plan.think * self.draw.uniform(0.5, 1.5))
            if time.monotonic() >= until:
                return
            self.counts["wanted"] += 1
            is_last = turn == OPERATIONS_EACH - 1
            for _ in range(TRIES):  # after a conflict look at what the other did, and go on
                what = {"do": "accept"} if is_last else next_what(seen, self.draw)
                kind = self.ask(sentence_id, seen.revision, what)
                seen = self.store.sentence(sentence_id, self.name)
                if kind != "conflict":
                    break
        self.store.release(sentence_id, self.name)

    def ask(self, sentence_id: int, base: int, what: dict[str, Any]) -> str:
        """Send one message and note what came of it."""
        self.number += 1
        name = f"{self.name}:{self.number}"
        sent = message_of(self.number, name, self.name, sentence_id, base, what)
        started = time.perf_counter()
        (message,) = read_outbox({"messages": [sent]}, self.number - 1)
        try:
            kind: str = answer(self.store, message).kind
        except StoreError as error:
            sys.stderr.write(f"{self.name}: {error}\n")
            kind = "error"
        else:
            self.times.append(time.perf_counter() - started)
        self.counts[kind] += 1
        applied = self.store.applied(sentence_id, self.name, name)
        if kind == "done":
            self.acknowledged.append((sentence_id, name, applied.revision if applied else 0))
        return kind


def work_of_process(plan: Plan, numbers: list[int], out: Any) -> None:
    """Let some people work, each in a thread; sends what came of it."""
    store = open_store(plan.url)
    people = [Person(store, plan, number) for number in numbers]
    until = time.monotonic() + plan.seconds
    threads = [threading.Thread(target=person.work, args=(until,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    out.put([(p.name, p.times, dict(p.counts), p.acknowledged) for p in people])


def simulate(plan: Plan) -> Result:
    """Let all work, then look whether the store is sound."""
    store = open_store(plan.url)
    store.import_text("annotators.amr", document_text(SHARED + plan.people * OWN))
    context = multiprocessing.get_context("spawn")
    out = context.Queue()
    shares = [list(range(plan.people))[start :: plan.processes] for start in range(plan.processes)]
    processes = [
        context.Process(target=work_of_process, args=(plan, share, out)) for share in shares
    ]
    for process in processes:
        process.start()
    done = [item for _ in processes for item in out.get(timeout=plan.seconds + 300)]
    for process in processes:
        process.join()
    counts = sum((Counter(item[2]) for item in done), Counter())
    times = sorted(seconds for item in done for seconds in item[1])
    missing = sum(num_missing(store, name, acknowledged) for name, _, _, acknowledged in done)
    unsound = num_unsound(plan.url)
    store.close()
    return Result(
        database=plan.url.partition(":")[0],
        people=plan.people,
        seconds=plan.seconds,
        think=plan.think,
        requests=len(times),
        wanted=counts["wanted"],
        acknowledged=counts["done"],
        conflicts=counts["conflict"],
        refused=counts["refused"],
        errors=counts["error"],
        p50=at_share(times, 0.5),
        p95=at_share(times, LIMIT_SHARE),
        slowest=times[-1],
        within_limit=sum(seconds <= LIMIT_SECONDS for seconds in times) / len(times),
        missing=missing,
        unsound=unsound,
    )


def at_share(times: list[float], share: float) -> float:
    """Give the time that this share of sorted times does not exceed."""
    return times[min(len(times) - 1, int(len(times) * share))]


def num_missing(store: Store, name: str, acknowledged: list[tuple[int, str, int]]) -> int:
    """Count acknowledged operations of a person that are not in the logs."""
    logs = {sentence: store.log(sentence) for sentence in {item[0] for item in acknowledged}}
    there = {
        (sentence, operation.id, operation.revision)
        for sentence, log in logs.items()
        for operation in log
        if operation.person == name
    }
    return sum(item not in there for item in acknowledged)


def num_unsound(url: str) -> int:
    """Fold every log anew in a store just opened; count those that are not as they should be."""
    wrong = 0
    with contextlib.closing(open_store(url)) as store:
        for row in store.sentences():
            try:
                store.check(row.id)
            except StoreError as error:
                sys.stderr.write(f"{error}\n")
                wrong += 1
    return wrong


@contextlib.contextmanager
def store_of(arguments: argparse.Namespace) -> Iterator[str]:
    """Give the address of the store to work on: the one named, or a new one."""
    if arguments.store:
        yield arguments.store
    elif arguments.postgresql:
        programs = server_programs()
        if programs is None:
            raise SystemExit("PostgreSQL is absent: install Debian's postgresql")
        with postgres_server(programs) as url:
            yield url
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{Path(folder) / 'store.db'}"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Simulate annotators on one store.")
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--think", type=float, default=2.0, help="seconds between operations")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", metavar="URL", help="an empty store; a new one if left out")
    parser.add_argument("--postgresql", action="store_true", help="start a PostgreSQL server")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with store_of(arguments) as url:
        plan = Plan(
            url,
            arguments.people,
            arguments.minutes * 60,
            arguments.think,
            arguments.processes,
            arguments.seed,
        )
        result = simulate(plan)
    if arguments.json:
        print(json.dumps({**asdict(result), "is_good": result.is_good}))
    else:
        for name, value in asdict(result).items():
            print(f"{name:>14}  {round(value, 4) if isinstance(value, float) else value}")
    raise SystemExit(0 if result.is_good else 1)


if __name__ == "__main__":
    main()
