"""Which sentences are annotated: those of a file in any format, parsed anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from aptcore.errors import TrainingError, reason
from aptcore.graph.encoding import decode_text
from aptcore.graph.formats import Named, named_sentences, read_source
from trainer.annotating.propbank import example_lines, example_of

Apart = tuple[list[str], list[str]]
"""Ids, and the sentences that they name."""


def sentences_with_text(named: Sequence[Named], say: Callable[[str], None]) -> Apart:
    """Part ids from texts; how many records have no sentence and are left out is told."""
    kept = [(name, text) for name, text in named if text is not None]
    if len(kept) < len(named):
        say(f"{len(named) - len(kept)} blocks have no sentence and are left out")
    return [name for name, _ in kept], [text for _, text in kept]


def examples_of(paths: Sequence[Path], say: Callable[[str], None]) -> Apart:
    """Read the lines of PropBank's examples, less those held out, with their ids.

    Raises:
        TrainingError: If a file cannot be read, or holds something else.
    """
    lines: dict[str, None] = {}
    for path in paths:
        found = example_lines(path)
        say(f"{path.name}: {len(found)} examples")
        lines.update(dict.fromkeys(found))
    return [example_of(line).id for line in lines], list(lines)


def sentences_of(paths: Sequence[Path], say: Callable[[str], None]) -> Apart:
    """Read files one after the other; a text that is there already is not taken again.

    Ids begin with the name of the file; where a block has none its place is taken.

    Raises:
        TrainingError: If a file cannot be read.
        FormatError: If a file is in no format that is known.
    """
    ids: list[str] = []
    texts: dict[str, None] = {}
    for path in paths:
        try:
            raw = decode_text(path.read_bytes(), str(path))
        except OSError as error:
            raise TrainingError(f"cannot read {path}: {reason(error, is_named=True)}") from error
        num_before = len(texts)
        reading = read_source(str(path), raw)
        named = zip(*sentences_with_text(named_sentences(reading), say), strict=True)
        for number, (name, text) in enumerate(named, 1):
            if text.strip() and text not in texts:
                ids.append(f"{path.stem}.{name or number}")
                texts[text] = None
        say(f"{path.name}: {len(texts) - num_before} sentences")
    return ids, list(texts)
