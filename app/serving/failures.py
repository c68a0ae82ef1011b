"""A line in the log for every request that failed.

The address is written without its query: that holds sentences and names.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from app.serving.logs import SERVER

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

REFUSED = 400
"""From this status on a request has failed."""
GUESSED = ("/_stcore/health", "/_stcore/host-config")
"""What a browser asks for below the page's own address first, to find out the base path."""
FAULT = 500
"""From this status on it is the server's fault."""


class FailureLog:
    """Middleware that writes down each request which was refused or broke."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, and write it down if it fails."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begun = time.monotonic()
        status = 0

        async def watch(message: Message) -> None:
            nonlocal status
            kind = message["type"]
            if kind in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
            elif kind == "websocket.accept":
                status = 101
            elif kind == "websocket.close" and not status:
                status = 403  # what a server answers to a handshake that is closed
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Exception:
            _write(scope, FAULT, begun, is_broken=True)
            raise
        is_guess = status == 404 and scope["path"].endswith(GUESSED)
        if status >= REFUSED and not is_guess:
            _write(scope, status, begun)


def _write(scope: Scope, status: int, begun: float, *, is_broken: bool = False) -> None:
    client = scope.get("client")
    carried = {
        "method": scope.get("method", "WEBSOCKET"),
        "path": scope["path"],
        "status": status,
        "seconds": round(time.monotonic() - begun, 3),
        "client": client[0] if client else "",
    }
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    if b"x-forwarded-for" in headers:  # what a proxy says of whom it asks for
        carried["forwarded"] = headers[b"x-forwarded-for"]
    logging.getLogger(SERVER).log(
        logging.ERROR if status >= FAULT else logging.WARNING,
        "%(method)s %(path)r failed: %(status)s after %(seconds)s s, for %(client)s",
        carried,
        extra={"carried": carried},
        exc_info=is_broken,
    )
