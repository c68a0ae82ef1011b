"""What Streamlit's server does otherwise for these pages.

Each stands on names that Streamlit keeps to itself: where they go, the server is as it comes.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from importlib import import_module

from streamlit.runtime.media_file_manager import MediaFileManager

KEEP_SECONDS = 30.0
"""How long a download can be asked for and fetched after no page shows it any more."""
_KEPT = "kept"
"""Stands for a session that shows what is kept."""


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


def keep_downloads() -> None:
    """Let a download come that is asked for while the page is drawn anew."""
    setattr(import_module("streamlit.runtime.runtime"), MediaFileManager.__name__, KeptFiles)


class KeptFiles(MediaFileManager):
    """Streamlit's files, each of which stays for a while after no page shows it any more.

    Streamlit names every download anew whenever the page is drawn, and forgets the old names at
    once: a click before the new ones reach the browser is answered by an error. And what a click
    wrote is gone after two more drawings, by whomever: in a class that steps, before it is fetched.
    """

    _unshown: dict[str, tuple[object, float]]

    def remove_orphaned_files(self) -> None:
        """Remove what has not been shown for ``KEEP_SECONDS``. Safe to call from any thread."""
        with suppress(AttributeError):  # a Streamlit that keeps account in another way
            self._hold(time.monotonic())
        super().remove_orphaned_files()

    def _hold(self, now: float) -> None:
        """Count what was shown not long ago as shown."""
        with self._lock:
            self._files_by_session_and_coord.pop(_KEPT, None)
            shown = {
                name
                for files in self._files_by_session_and_coord.values()
                for name in files.values()
            }
            known: dict[str, object] = {**self._file_metadata, **self._deferred_callables}
            before = getattr(self, "_unshown", {})
            self._unshown = {}
            for name, what in known.items():
                if name not in shown:
                    last, since = before.get(name, (what, now))
                    # The same bytes written anew have the same name: they count from now.
                    self._unshown[name] = (what, since if last is what else now)
            held = [
                name for name, (_, since) in self._unshown.items() if now - since < KEEP_SECONDS
            ]
            self._files_by_session_and_coord[_KEPT] = dict(zip(held, held, strict=True))
