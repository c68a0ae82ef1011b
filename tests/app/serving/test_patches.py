"""What Streamlit's server does otherwise for these pages."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.web.server.starlette import starlette_server

from app.serving import patches
from app.serving.patches import KEEP_SECONDS, KeptFiles, send_at_once
from tests.app.conftest import free_port


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(patches.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def files() -> KeptFiles:
    return KeptFiles(MemoryMediaFileStorage("/media"))


def stored(files: KeptFiles) -> set[str]:
    return set(files._file_metadata)


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


def test_a_download_can_be_asked_for_a_while_after_the_page_was_drawn_anew(
    files: KeptFiles, clock: list[float]
) -> None:
    old = files.add_deferred(lambda: b"old", "text/plain", "1.2", "old.txt")
    new = files.add_deferred(lambda: b"new", "text/plain", "1.2", "new.txt")
    for passed in (0.0, KEEP_SECONDS - 1):
        clock[0] = passed
        files.remove_orphaned_files()
        assert files.execute_deferred(old) != files.execute_deferred(new)
    clock[0] = KEEP_SECONDS
    files.remove_orphaned_files()
    with pytest.raises(MediaFileStorageError, match="not found"):
        files.execute_deferred(old)
    files.execute_deferred(new)


def test_a_download_is_there_for_a_while_after_each_click_whoever_draws(
    files: KeptFiles, clock: list[float]
) -> None:
    offered = files.add_deferred(lambda: b"same", "text/plain", "1.2", "same.txt")
    name = files.execute_deferred(offered)
    for passed in (0.0, KEEP_SECONDS / 2, KEEP_SECONDS - 1):
        clock[0] = passed
        files.remove_orphaned_files()
        assert stored(files) == {Path(name).stem}
    assert files.execute_deferred(offered) == name  # the same bytes, asked for again
    for passed in (KEEP_SECONDS, 2 * KEEP_SECONDS - 2):
        clock[0] = passed
        files.remove_orphaned_files()
        assert stored(files) == {Path(name).stem}
    clock[0] = 2 * KEEP_SECONDS
    files.remove_orphaned_files()  # Streamlit marks first
    files.remove_orphaned_files()
    assert not stored(files)


def test_what_a_page_shows_stays_and_all_goes_with_the_last_page(
    files: KeptFiles, clock: list[float]
) -> None:
    shown = files.add_deferred(lambda: b"it", "text/plain", "1.2", "it.txt")
    for passed in (0.0, 10 * KEEP_SECONDS):
        clock[0] = passed
        files.remove_orphaned_files()
    files.execute_deferred(shown)
    files.clear_session_refs("dontcare")
    for passed in (11, 12, 13):  # noticed, then marked, then removed
        clock[0] = passed * KEEP_SECONDS
        files.remove_orphaned_files()
    assert not stored(files)
    with pytest.raises(MediaFileStorageError, match="not found"):
        files.execute_deferred(shown)
