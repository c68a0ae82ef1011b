"""Several servers at one origin, chosen by the base path, as a reverse proxy has them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress

KEEPS = b"\r\nConnection: keep-alive"
CLOSES = b"\r\nConnection: close"


@contextmanager
def one_origin(ports: Mapping[str, int]) -> Iterator[int]:
    """Pass requests on by their base path; give the port that stands for all.

    Args:
        ports: By base path (``/a``), the port of the server behind it.
    """
    opened: Future[tuple[int, Callable[[], object]]] = Future()
    thread = threading.Thread(target=lambda: asyncio.run(_serve(ports, opened)))
    thread.start()  # one of its own: in this one the browser's loop runs
    port, end = opened.result()
    try:
        yield port
    finally:
        end()
        thread.join()


async def _serve(
    ports: Mapping[str, int], opened: Future[tuple[int, Callable[[], object]]]
) -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    under_way: set[asyncio.Task[None]] = set()  # asyncio itself may forget tasks that wait

    def take(browser: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        task = loop.create_task(_pass_on(ports, browser, back))
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    front = await asyncio.start_server(take, "127.0.0.1", 0)
    port = front.sockets[0].getsockname()[1]
    opened.set_result((port, lambda: loop.call_soon_threadsafe(ended.set)))
    await ended.wait()
    front.close()


async def _pass_on(
    ports: Mapping[str, int], browser: asyncio.StreamReader, back: asyncio.StreamWriter
) -> None:
    """Pass one request on, and all that follows it where it becomes a web socket."""
    with closing(back), suppress(OSError, asyncio.IncompleteReadError):
        head = await browser.readuntil(b"\r\n\r\n")
        base = "/" + head.split(b" ", 2)[1].decode().split("/")[1]
        server, on = await asyncio.open_connection("127.0.0.1", ports[base])
        with closing(on):
            on.write(head.replace(KEEPS, CLOSES))  # the next request may be for another server
            sending = asyncio.create_task(_copy(browser, on))
            await _copy(server, back)
            sending.cancel()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with closing(target), suppress(OSError):
        while piece := await source.read(65536):
            target.write(piece)
            await target.drain()
