"""What Streamlit's server does otherwise for these pages."""

from __future__ import annotations

import socket

import pytest
from streamlit.web.server.starlette import starlette_server

from app.serving.patches import send_at_once
from tests.app.conftest import free_port


def test_the_server_sends_small_pieces_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starlette_server, "_bind_socket", starlette_server._bind_socket)
    send_at_once()
    host, port = "127.0.0.1", free_port()
    listening, _ = starlette_server._bind_server_socket(host, host, port, 1)
    with listening, socket.create_connection((host, port)):
        listening.setblocking(True)
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
