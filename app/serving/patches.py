"""What Streamlit's server does otherwise for these pages.

Each stands on names that Streamlit keeps to itself: where they go, the server is as it comes.
"""

from __future__ import annotations

import socket
from importlib import import_module


def send_at_once() -> None:
    """Let the server send small pieces without a wait for what the browser acknowledges.

    asyncio does so only for sockets that were made for TCP by name, which Streamlit's is not:
    each answer on a connection that is kept would come 40 ms later.
    """
    try:
        starlette_server = import_module("streamlit.web.server.starlette.starlette_server")
        bind = starlette_server._bind_socket
    except (ImportError, AttributeError):  # a Streamlit that binds in another way
        return

    def bound(address: str, port: int, backlog: int) -> socket.socket:
        listening: socket.socket = bind(address, port, backlog)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # for all it accepts
        return listening

    starlette_server._bind_socket = bound  # type: ignore[attr-defined]
