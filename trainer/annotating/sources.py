"""Which sentences are annotated: lines of a text, or those of an AMR file, parsed anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from aptcore.errors import TrainingError
from aptcore.graph.corpus import decode_text, read_corpus, sentence_text
from trainer.annotating.propbank import example_lines, example_of

Named = tuple[list[str], list[str]]
"""Ids, and the sentences that they name."""


def named_sentences(name: str, raw: str, say: Callable[[str], None]) -> Named:
    """Take ids and sentences: of an AMR file its ``::snt`` or ``::tok``, else its lines.

    Args:
        name: Of the file.
        raw: Its text.
        say: Is told how many blocks have no sentence and are left out.
    """
    if any(line.startswith("# ::") for line in raw.split("\n")):
        records = read_corpus(name, text=raw).records
        named = [(record.id, sentence_text(record)) for record in records]
        kept = [(name, text) for name, text in named if text.strip()]
        if len(kept) < len(named):
            say(f"{len(named) - len(kept)} blocks have no sentence and are left out")
    else:
        lines = raw.removesuffix("\n").split("\n") if raw else []
        kept = [(str(number), line.removesuffix("\r")) for number, line in enumerate(lines, 1)]
    return [name for name, _ in kept], [text for _, text in kept]


def examples_of(paths: Sequence[Path], say: Callable[[str], None]) -> Named:
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


def sentences_of(paths: Sequence[Path], say: Callable[[str], None]) -> Named:
    """Read files one after the other; a text that is there already is not taken again.

    Ids begin with the name of the file; where a block has none its place is taken.

    Raises:
        TrainingError: If a file cannot be read.
    """
    ids: list[str] = []
    texts: dict[str, None] = {}
    for path in paths:
        try:
            raw = decode_text(path.read_bytes(), str(path))
        except OSError as error:
            raise TrainingError(f"cannot read {path}: {error}") from error
        num_before = len(texts)
        named = zip(*named_sentences(str(path), raw, say), strict=True)
        for number, (name, text) in enumerate(named, 1):
            if text.strip() and text not in texts:
                ids.append(f"{path.stem}.{name or number}")
                texts[text] = None
        say(f"{path.name}: {len(texts) - num_before} sentences")
    return ids, list(texts)
