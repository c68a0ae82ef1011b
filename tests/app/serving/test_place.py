"""Where the pages may be served, and what is said where they cannot be."""

from __future__ import annotations

import socket

import pytest

from app.serving.place import Place, place_of
from aptcore.errors import ConfigurationError
from tests.app.conftest import free_port


@pytest.mark.parametrize(
    ("given", "base", "url"),
    [
        ("", "", "http://127.0.0.1:{}"),
        ("/", "", "http://127.0.0.1:{}"),
        ("amr", "amr", "http://127.0.0.1:{}/amr"),
        ("/tools/amr/", "tools/amr", "http://127.0.0.1:{}/tools/amr"),
    ],
)
def test_a_base_path_stands_without_slashes_at_its_ends(given: str, base: str, url: str) -> None:
    port = free_port()
    place = place_of("127.0.0.1", port, given)
    assert place == Place("127.0.0.1", port, base)
    assert place.url == url.format(port)


@pytest.mark.parametrize(
    "given", ["a//b", "../x", "a/./b", "a b", "a?b", "a#b", "ä", "<a>", "a%2Fb"]
)
def test_what_is_no_path_is_refused(given: str) -> None:
    with pytest.raises(ConfigurationError, match="--base-path .* are allowed, such as amr"):
        place_of("127.0.0.1", free_port(), given)


def test_a_port_that_another_listens_on_is_refused() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        for host in ("127.0.0.1", "0.0.0.0"):
            with pytest.raises(ConfigurationError, match=rf"port {port} is in use"):
                place_of(host, port, "")


@pytest.mark.parametrize("host", ["192.0.2.7", "no such name", "a" * 300])
def test_an_address_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(ConfigurationError, match="--host .* is no address"):
        place_of(host, free_port(), "")


@pytest.mark.parametrize(
    ("host", "is_private"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("::", False)],
)
def test_who_can_reach_it_is_known(host: str, is_private: bool) -> None:
    assert Place(host, 1).is_private is is_private


def test_an_address_of_six_words_stands_in_brackets() -> None:
    assert Place("::1", 8501, "amr").url == "http://[::1]:8501/amr"
