"""The files of a run: folders and patterns in its configuration, as names of files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from aptcore.errors import ConfigurationError, FormatError, InputError
from aptcore.graph.encoding import decode_text
from aptcore.graph.formats import Place, files_of
from trainer.config import DataConfig


def _ignore(line: str) -> None:
    pass


def with_files(data: DataConfig, report: Callable[[str], None] = _ignore) -> DataConfig:
    """Name the files of folders and patterns; a file stays as it is named.

    What a folder holds beside graphs is left out and told.

    Args:
        data: ``train``, ``dev``, ``silver`` and ``beside_gold`` may name folders, or patterns
            such as ``training/*.txt``; what ``silver_shares`` or ``alignments_from`` say of a
            folder they say of each of its files.
        report: Is told what is left out.

    Raises:
        ConfigurationError: A folder holds no file of graphs, or nothing fits a pattern; those
            of aligned files too.
    """

    def files(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(file for name in names for file in found[name])

    named = (*data.train, *data.dev, *data.silver)
    found: Mapping[str, Sequence[str]] = {
        name: files_in(data, name, report) for name in dict.fromkeys(named)
    }
    for name in dict.fromkeys(data.alignments_from.values()):
        files_in(data, name, report)
    aligned = [(found[name], source) for name, source in data.alignments_from.items()]
    shares = [(found.get(name, [name]), share) for name, share in data.silver_shares.items()]
    return replace(
        data,
        train=files(data.train),
        dev=files(data.dev),
        alignments_from={file: source for names, source in aligned for file in names},
        silver=files(data.silver),
        silver_shares={file: share for names, share in shares for file in names},
        beside_gold=files(data.beside_gold),
    )


def files_in(data: DataConfig, name: str, report: Callable[[str], None] = _ignore) -> list[str]:
    """Give the names of the files of graphs that a name stands for.

    Raises:
        ConfigurationError: It is a folder without them, or a pattern that nothing fits.
    """
    path = data.path(name)
    try:
        places = files_of([path])
    except InputError as error:
        raise ConfigurationError(str(error)) from error
    if places == [Place(path)]:
        return [name]
    root = None if Path(name).is_absolute() else data.path("")
    kept = [place for place in places if _holds_graphs(place, report)]
    if not kept:
        raise ConfigurationError(f"{path}: there are no graphs in it")
    return [str(place.path.relative_to(root) if root else place.path) for place in kept]


def _holds_graphs(place: Place, report: Callable[[str], None]) -> bool:
    """Tell whether a file of a folder is to be read; a file that a pattern fits always is."""
    try:
        is_text = place.leaves_out(decode_text(place.path.read_bytes(), str(place.path)))
    except FormatError as error:
        report(f"left out: {error}")
        return False
    if is_text:
        report(f"left out: {place.path} is plain text")
    return not is_text


def dev_files_among(names: Sequence[str], data: DataConfig) -> list[str]:
    """Give those of the names, each once, that stand for a dev file."""
    dev = {_place(data.path(name)) for name in data.dev}
    return [name for name in dict.fromkeys(names) if _place(data.path(name)) in dev]


def _place(path: Path) -> str:
    """Give a path in the one way that names its file; as it is where it is none."""
    try:
        return str(path.resolve())
    except (OSError, ValueError):  # a zero byte, a name that is too long
        return str(path)
