"""Chunks of sentences to blocks of silver graphs: what every process that annotates does.

A graph that hangs together only by a repair or a LINK is left out unless asked for, one that
holds what no graph may always. Every line that gave no block is told apart, with the reason.

Source: Zhou and others 2021, section 5.2: silver parses with detached nodes are removed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from aptcore.graph.validation import problems_of
from aptcore.graph.wiki import DictionaryLinker, linker_of
from aptcore.neural.checkpoint import keep_loaded
from aptcore.neural.parser import AptParser
from aptcore.neural.parses import Parse, format_block, named, wikified
from aptcore.neural.weights import Device, Precision
from aptcore.outside.command import DEFAULT_TIMEOUT
from aptcore.transition.closing import Link
from aptcore.words.tokens import forgetting
from trainer.annotating.guided import guided_parses
from trainer.annotating.lines import Line
from trainer.annotating.memory import give_back
from trainer.annotating.propbank import example_of

DETACHED = ("repaired", "linked")
"""What a graph is that hangs together only by a repair or a LINK."""


@dataclass(frozen=True, slots=True)
class Request:
    """How to annotate.

    Attributes:
        models: Model folders, more than one for an ensemble; empty for the shipped model.
        beam: Beam width; 1 is greedy.
        keep_detached: Keep graphs that needed a repair or a LINK.
        wiki: Add ``:wiki`` to named things.
        guided: The texts are PropBank's examples, one line of JSON each; a parse that cannot
            hold what people said there is left out.
        precision: Of linear maps.
        command: A parser outside this program, in place of all models; empty for none.
        timeout: Seconds for one of its answers.
    """

    models: tuple[Path, ...]
    beam: int
    keep_detached: bool = False
    wiki: bool = False
    guided: bool = False
    precision: Precision = "float32"
    command: str = ""
    timeout: float = DEFAULT_TIMEOUT


@dataclass(slots=True)
class Chunk:
    """What became of some lines; it grows while they are annotated.

    Attributes:
        blocks: Text of the graphs that are kept.
        apart: JSON Lines of what is not kept, with the reason.
        counts: Lines by what became of them; see fate_of, and ``unreadable``.
    """

    blocks: str = ""
    apart: str = ""
    counts: Counter[str] = field(default_factory=Counter)

    def keep(self, block: str, fate: str) -> None:
        """Take a block."""
        self.blocks += block
        self.counts[fate] += 1

    def set_apart(self, line: Line, fate: str, reason: str) -> None:
        """Tell of a line that gives no block."""
        told = {"id": line.id, "text": line.text, "place": line.place, "fate": fate}
        self.apart += json.dumps({**told, "reason": reason}, ensure_ascii=False) + "\n"
        self.counts[fate] += 1


class Annotator(Protocol):
    """Makes graphs of sentences; each process that annotates has its own."""

    @property
    def key(self) -> str:
        """Name all that the result depends on besides the sentences."""

    def annotate(self, lines: Sequence[Line]) -> Chunk:
        """Annotate lines; one that fails ends nothing."""


@dataclass(frozen=True)
class ModelAnnotator:
    """A parser of this program, with all that is asked of it."""

    request: Request
    parser: AptParser
    linker: DictionaryLinker | None

    @classmethod
    def load(cls, request: Request, device: Device) -> ModelAnnotator:
        """Load the models of a request, and its dictionary of ``:wiki``.

        Raises:
            CheckpointError: If one cannot be loaded.
            ConfigurationError: If several models do not fit together.
        """
        parser = AptParser.from_pretrained(request.models or None, device, request.precision)
        keep_loaded()
        return cls(request, parser, linker_of(request.models) if request.wiki else None)

    def annotate(self, lines: Sequence[Line]) -> Chunk:
        """Parse sentences and write those that are kept."""
        chunk = Chunk()
        with forgetting():
            parses = iter(self._parses([line for line in lines if not line.problem]))
        for line in lines:
            if line.problem:
                chunk.set_apart(line, "unreadable", line.problem)
                continue
            parse, is_held = next(parses)
            fate = fate_of(parse) if is_held else "unfollowed"
            if fate == "kept" or (fate in DETACHED and self.request.keep_detached):
                parse = wikified(parse, self.linker)
                chunk.keep(silver_block(parse, self.parser, self.request.beam), fate)
            else:
                chunk.set_apart(line, fate, why(parse, fate))
        give_back()
        return chunk

    def _parses(self, lines: Sequence[Line]) -> list[tuple[Parse, bool]]:
        """Parse sentences; gives beside each parse whether it holds what was said of it."""
        texts = [line.text for line in lines]
        if self.request.guided:
            return guided_parses(self.parser, list(map(example_of, texts)), self.request.beam)
        parses = self.parser.parse(texts, beam=self.request.beam)
        return [(named(parse, line.id), True) for parse, line in zip(parses, lines, strict=True)]

    @property
    def key(self) -> str:
        """Name all that the result depends on besides the sentences."""
        return f"{self.parser.info.hash} {replace(self.request, models=())} {self.linker}"


def why(parse: Parse, fate: str) -> str:
    """Say why a parse is left out."""
    if fate == "failed":
        return parse.error or ""
    if fate == "invalid":
        return "; ".join(str(p) for p in problems_of(parse.graph) if p.is_error)
    if fate == "repaired":
        return "; ".join(repair.text for repair in parse.repairs)
    if fate == "linked":
        return "the graph hangs together only by a LINK"
    return "the graph does not hold what people said"


def fate_of(parse: Parse) -> str:
    """Tell what becomes of a parse: ``kept``, ``failed``, ``invalid`` or one of ``DETACHED``.

    A graph is invalid that holds what no graph may (see aptcore.graph.validation).
    """
    if parse.error is not None:
        return "failed"
    if any(problem.is_error for problem in problems_of(parse.graph)):
        return "invalid"
    if parse.repairs:
        return "repaired"
    return "linked" if any(isinstance(action, Link) for action in parse.actions) else "kept"


def silver_block(parse: Parse, parser: AptParser, beam: int) -> str:
    """Write a block that says which model made it, and how sure it was."""
    block = format_block(parse)
    head = f"# ::silver {parser.info.id} {parser.info.hash} beam {beam}\n"
    first, _, rest = block.partition("\n")
    return f"{first}\n{head}# ::log_prob_per_action {parse.score:.4f}\n{rest}"
