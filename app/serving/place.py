"""Where the pages are served: address, port and path."""

from __future__ import annotations

import errno
import ipaddress
import os
import re
import socket
from dataclasses import dataclass

from aptcore.errors import ConfigurationError

_PATH = re.compile(r"[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the pages are served.

    Attributes:
        host: A name or address of this machine; ``0.0.0.0`` for all that it has.
        port: The port, from 1 to 65535.
        base_path: What comes before every address, without slashes at its ends; may be empty.
    """

    host: str
    port: int
    base_path: str = ""

    @property
    def url(self) -> str:
        """Where a browser on this machine finds the first page."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}" + (f"/{self.base_path}" if self.base_path else "")

    @property
    def is_private(self) -> bool:
        """Whether nobody but this machine reaches it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def place_of(host: str, port: int, base_path: str) -> Place:
    """Check where the pages are to be served.

    Raises:
        ConfigurationError: The path is none, the host is no address of this machine, or the
            port cannot be had there.
    """
    path = base_path.strip("/")
    if path and (not _PATH.fullmatch(path) or {".", ".."} & set(path.split("/"))):
        raise ConfigurationError(
            f"--base-path {base_path}: letters, digits and - . _ ~ with / between them are "
            "allowed, such as amr or tools/amr"
        )
    place = Place(host, port, path)
    _try(place)
    return place


def _try(place: Place) -> None:
    """Bind the port once, as the server will.

    Raises:
        ConfigurationError: It cannot be done.
    """
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"--host {place.host} is no address that is known") from error
    family, kind, protocol, _, address = found[0]
    with socket.socket(family, kind, protocol) as probe:
        if os.name == "posix":  # elsewhere it would take a port from who has it
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            raise ConfigurationError(_why(place, error)) from error


def _why(place: Place, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {place.port} is in use; choose another with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {place.host} is no address of this machine"
    return f"port {place.port} of {place.host} cannot be had: {error.strerror or error}"
