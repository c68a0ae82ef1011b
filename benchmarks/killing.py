"""Kill the server again and again while it is written to: ``python -m benchmarks.killing``.

A server process applies messages as the Correct page does and answers over a pipe. A
client edits, undoes and comments on sentences of our own, keeps what is not answered yet,
and sends it again to the next server. At a random moment the server gets SIGKILL. Each
time the store is then opened anew and it is checked that

- every operation that was acknowledged is in the log, in its order, and nothing else is
  but what was sent;
- each log, folded from its beginning, gives the graph that the client knows from folding
  the acknowledged operations itself.

Exit status 1 if any of it fails.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import random
import sys
import time
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from typing import Any

from app.pages.correct.editor.outbox import read_outbox
from app.pages.correct.handler import apply_message
from app.store.log.deciding import decide
from app.store.log.history import Folded
from app.store.log.operations import Acknowledged, Conflict, Operation, Refused, Request
from app.store.log.provenance import Source
from app.store.log.state import imported_state
from app.store.store import Store, open_store
from aptcore.errors import StoreError
from benchmarks.annotating import document_text, message_of, next_what
from benchmarks.annotators import store_of

SENTENCES = 3
MOST_AT_ONCE = 5
"""Requests sent together."""
LONGEST_LIFE = 0.6
"""Seconds from a server's first answer to its death, at most."""
START_SECONDS = 120
PERSON = "Ada"


@dataclass(frozen=True, slots=True)
class Killed:
    """What came out.

    Attributes:
        database: Of the store.
        kills: How many.
        acknowledged: Operations that were acknowledged before, after or between.
        refused: Operations that were refused.
        sent_again: Requests that had no answer when the server died.
        were_applied: Of these, those that were on disk already.
        lost: Acknowledged operations that are not in the log.
        unsound: Times that a log did not give the graph that the client knows.
        seconds: All of it.
    """

    database: str
    kills: int
    acknowledged: int
    refused: int
    sent_again: int
    were_applied: int
    lost: int
    unsound: int
    seconds: float


def serve(url: str, pipe: Connection) -> None:
    """Answer outboxes until the process dies, each message as soon as it is on disk."""
    store = open_store(url)
    pipe.send("ready")
    while True:
        messages, ack = json.loads(pipe.recv())
        for message in read_outbox({"messages": messages}, ack):
            before = store.sentence(message.sentence, PERSON)
            _, answer = apply_message(store, message, before)
            pipe.send((message.number, answer))
        pipe.send("done")


@dataclass
class Client:
    """The browser's side of one sentence.

    Attributes:
        sentence: Its number in the store.
        outbox: Messages without an answer, in order.
        asked: What each message asks of the store, by its name.
        number: Of the last request made.
        ack: Of the last request answered.
        refused: Requests that were refused.
        acknowledged: Request name to revision, in order.
        shadow: What was acknowledged, folded by the client itself.
    """

    sentence: int
    shadow: Folded
    outbox: list[dict[str, Any]] = field(default_factory=list)
    asked: dict[str, Request] = field(default_factory=dict)
    number: int = 0
    ack: int = 0
    refused: int = 0
    acknowledged: dict[str, int] = field(default_factory=dict)

    def make(self, store: Store, draw: random.Random) -> None:
        """Make some requests on the sentence as it is now."""
        seen = store.sentence(self.sentence, PERSON)
        for _ in range(draw.randint(1, MOST_AT_ONCE)):
            self.number += 1
            what, name = next_what(seen, draw), f"r{self.number}"
            self.asked[name] = Request(name, seen.revision, what)
            self.outbox.append(
                message_of(self.number, name, PERSON, self.sentence, seen.revision, what)
            )

    def take(self, number: int, answer: object) -> None:
        """Take an answer in."""
        request = self.outbox.pop(0)
        if request["number"] != number or isinstance(answer, Conflict):
            raise RuntimeError(f"request {request['number']} got the answer {number}: {answer}")
        self.ack = number
        if isinstance(answer, Acknowledged):
            self.acknowledged[answer.id] = answer.revision
            self.shadow = folded_on(self.shadow, self.asked[answer.id])
        elif isinstance(answer, Refused):
            self.refused += 1


def folded_on(shadow: Folded, request: Request) -> Folded:
    """Fold a request on that the store applied, without the store.

    Who confirms a node vouches for the concept that it has when the message arrives.
    """
    if request.what["do"] == "confirm":
        (chosen, role, _), graph = request.what["triples"][0], shadow.state.graph
        concept = next(node.concept for node in graph.nodes if node.id == chosen)
        request = replace(request, what={**request.what, "triples": [[chosen, role, concept]]})
    at = datetime.fromtimestamp(0, UTC)
    decided = decide(shadow, [], 0, PERSON, PERSON, request, at)
    if not isinstance(decided, tuple):
        raise RuntimeError(f"the store applied what cannot be: {request}: {decided}")
    return decided[1]


def clients_of(url: str) -> list[Client]:
    """Fill a store; gives a client for each of its sentences."""
    with contextlib.closing(open_store(url)) as store:
        store.import_text("killing.amr", document_text(SENTENCES))
        sentences = [store.sentence(row.id) for row in store.sentences()]
    return [
        Client(sentence.id, Folded(imported_state(sentence.silver, Source("given"))))
        for sentence in sentences
    ]


def run(url: str, times: int, seed: int) -> Killed:
    """Kill a server this many times; see the module."""
    started = time.monotonic()
    draw = random.Random(seed)
    clients = clients_of(url)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["app.pages.correct.handler", "benchmarks.annotators"])
    sent_again = were_applied = lost = unsound = 0
    for _ in range(times):
        live_and_die(context, url, clients, draw)
        with contextlib.closing(open_store(url)) as store:
            for client in clients:
                waiting = {request["id"] for request in client.outbox}
                log = store.log(client.sentence)
                sent_again += len(waiting)
                were_applied += sum(operation.id in waiting for operation in log)
                lost += num_lost(client, log)
                unsound += not is_sound(store, client, log)
    return Killed(
        url.partition(":")[0],
        times,
        sum(len(client.acknowledged) for client in clients),
        sum(client.refused for client in clients),
        sent_again,
        were_applied,
        lost,
        unsound,
        time.monotonic() - started,
    )


def live_and_die(context: Any, url: str, clients: list[Client], draw: random.Random) -> None:
    """Start a server, write to it, and kill it at a random moment."""
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(url, theirs), daemon=True)
    server.start()
    theirs.close()
    if not ours.poll(START_SECONDS) or ours.recv() != "ready":
        raise RuntimeError("the server does not start")
    try:
        with contextlib.closing(open_store(url)) as store:
            death = time.monotonic() + draw.random() * LONGEST_LIFE
            while True:
                client = draw.choice(clients)
                if not client.outbox:
                    client.make(store, draw)
                ours.send(json.dumps([client.outbox, client.ack]))
                if not took_answers(ours, client, death):
                    return
    finally:
        server.kill()
        server.join()
        take_rest(ours, client)
        ours.close()


def took_answers(pipe: Connection, client: Client, death: float) -> bool:
    """Take answers in until the outbox is done; False when the server is to die first."""
    while True:
        if not pipe.poll(max(0.0, death - time.monotonic())):
            return False
        answer = pipe.recv()
        if answer == "done":
            return time.monotonic() < death
        client.take(*answer)


def take_rest(pipe: Connection, client: Client) -> None:
    """Take in the answers that a server gave before it died; they count."""
    with contextlib.suppress(EOFError, ConnectionError):
        while pipe.poll():
            answer = pipe.recv()
            if answer != "done":
                client.take(*answer)


def num_lost(client: Client, log: tuple[Operation, ...]) -> int:
    """Count what was acknowledged and is not in the log, and what is and was never sent."""
    found = {operation.id: operation.revision for operation in log}
    lost = sum(found.get(name) != revision for name, revision in client.acknowledged.items())
    known = set(client.acknowledged) | {request["id"] for request in client.outbox}
    return lost + len(set(found) - known)


def is_sound(store: Store, client: Client, log: tuple[Operation, ...]) -> bool:
    """Tell whether the log gives the graph that the client knows.

    What was applied and not answered any more comes after what was, in its order.
    """
    try:
        store.check(client.sentence)
    except StoreError as error:
        sys.stderr.write(f"{error}\n")
        return False
    there = {operation.id for operation in log}
    shadow = client.shadow
    for request in client.outbox:
        if request["id"] in there:
            shadow = folded_on(shadow, client.asked[request["id"]])
    known = store.sentence(client.sentence)
    return shadow.state.graph == known.state.graph and shadow.revision == known.revision


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Kill the server while it is written to.")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", metavar="URL", help="an empty store; a new one if left out")
    parser.add_argument("--postgresql", action="store_true", help="start a PostgreSQL server")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with store_of(arguments) as url:
        result = run(url, arguments.times, arguments.seed)
    if arguments.json:
        print(json.dumps(asdict(result)))
    else:
        for name, value in asdict(result).items():
            print(f"{name:>14}  {round(value, 1) if isinstance(value, float) else value}")
    raise SystemExit(1 if result.lost or result.unsound else 0)


if __name__ == "__main__":
    main()
