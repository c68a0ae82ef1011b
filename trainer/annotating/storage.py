"""Files of this machine and of object storage, by the same verbs.

An address with ``://`` (``s3://bucket/texts.jsonl``) is fsspec's, which asks the system of that
name; all else is a path. Credentials and endpoint are found as each system's own tools find
them (for S3 ``AWS_ACCESS_KEY_ID``, ``AWS_ENDPOINT_URL`` and their like).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from aptcore.errors import AptamrError, ConfigurationError, InputError
from aptcore.graph.formats import files_of
from aptcore.saving import save_text, saving

BLOCK_BYTES = 2**22
"""Read from object storage at once; fsspec's own 50 MB would count for each file."""


class Found(NamedTuple):
    """A file; ``is_in_folder`` where the folder was named and not the file."""

    address: str
    is_in_folder: bool


def is_remote(address: str) -> bool:
    """Tell whether an address is object storage's."""
    return "://" in address


def place_of(address: str) -> str:
    """Give an address in the one way that names its file, links followed."""
    return address if is_remote(address) else str(Path(address).resolve())


@contextmanager
def _asking(address: str) -> Iterator[tuple[Any, str]]:
    """Give the file system of a remote address and the path there; tell what fails.

    Raises:
        ConfigurationError: What its system needs is not installed.
        InputError: The system is unknown, or refuses.
    """
    from fsspec.core import url_to_fs

    try:
        system, path = url_to_fs(address)
        system.invalidate_cache()  # another process may have written meanwhile
        yield system, path
    except ImportError as error:
        raise ConfigurationError(
            f"{address}: {error}; for s3:// addresses pip install 'aptamr[s3]'"
        ) from error
    except AptamrError:
        raise
    except Exception as error:  # each system has errors of its own, which share no base
        raise InputError(f"{address}: {error or type(error).__name__}") from error


def find_files(address: str) -> list[Found]:
    """Give the files that an address names: a folder is all below it, a pattern what it fits.

    A path that is no folder and no pattern stays as it is, whether there is such a file or not.

    Raises:
        InputError: A folder is empty, nothing fits a pattern, or the system refuses.
        ConfigurationError: What the system needs is not installed.
    """
    if not is_remote(address):
        return [Found(str(p.path), p.folder is not None) for p in files_of([Path(address)])]
    with _asking(address) as (system, path):
        is_pattern = bool(set("*?[") & set(address))
        is_file = not is_pattern and system.isfile(path)
        names = sorted(system.glob(path)) if is_pattern else sorted(system.find(path))
        files = [path] if is_file else [name for name in names if system.isfile(name)]
        if not files:
            raise InputError(f"{address}: there is no such file")
        shown = [system.unstrip_protocol(name) for name in files]
    return [Found(name, not (is_pattern or is_file)) for name in shown]


@contextmanager
def reading(address: str) -> Iterator[IO[bytes]]:
    """Open a file to read bytes, a piece at a time.

    Raises:
        OSError: A file of this machine cannot be opened.
        InputError: The storage refuses.
    """
    if not is_remote(address):
        with Path(address).open("rb") as file:
            yield file
        return
    with _asking(address) as (system, path), system.open(path, block_size=BLOCK_BYTES) as file:
        yield file


def size_of(address: str) -> int:
    """Give the size of a file, in bytes."""
    if not is_remote(address):
        return Path(address).stat().st_size
    with _asking(address) as (system, path):
        return int(system.size(path))


@contextmanager
def writing(address: str) -> Iterator[IO[bytes]]:
    """Open a file to write, which stands there once the block is done, whole or not at all."""
    if not is_remote(address):
        with saving(address) as fresh, fresh.open("wb") as file:
            yield file
        return
    with _asking(address) as (system, path):
        file = system.open(path, "wb", block_size=2 * BLOCK_BYTES)  # S3 takes no less than 5 MB
        try:
            yield file
        except BaseException:
            file.discard()  # an object appears when it is closed
            raise
        file.close()


def save(address: str, text: str) -> None:
    """Write a small file in one step."""
    if not is_remote(address):
        save_text(address, text)
        return
    with _asking(address) as (system, path):
        system.pipe_file(path, text.encode("utf-8"))


def load(address: str) -> str:
    """Read a small file."""
    with reading(address) as file:
        return file.read().decode("utf-8")


def make_folder(address: str) -> set[str]:
    """Make a folder where there is none; give the names of the files in it."""
    if not is_remote(address):
        folder = Path(address)
        folder.mkdir(exist_ok=True)
        return {path.name for path in folder.iterdir()}
    with _asking(address) as (system, path):
        return {name.rpartition("/")[2] for name in system.find(path)}


def remove(address: str) -> None:
    """Remove a file, or a folder with all in it, if it is there."""
    if not is_remote(address):
        place = Path(address)
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)
        return
    with _asking(address) as (system, path):
        if system.exists(path):
            system.rm(path, recursive=True)
