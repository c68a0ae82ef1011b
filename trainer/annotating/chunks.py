"""Chunks of sentences to blocks of silver graphs: what every process that annotates does.

A graph that hangs together only by a repair or a LINK is left out unless asked for, one that
holds what no graph may always; both are counted.

Source: Zhou and others 2021, section 5.2: silver parses with detached nodes are removed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aptcore.graph.validation import problems_of
from aptcore.graph.wiki import DictionaryLinker, linker_of, with_wiki
from aptcore.neural.parse_blocks import format_block
from aptcore.neural.parser import AptParser, Device, Parse
from aptcore.neural.weights import Precision
from aptcore.transition.closing import Link
from aptcore.words.tokens import tokenize_all
from trainer.annotating.guided import guided_parses
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
    """

    models: tuple[Path, ...]
    beam: int
    keep_detached: bool = False
    wiki: bool = False
    guided: bool = False
    precision: Precision = "float32"


@dataclass(frozen=True, slots=True)
class Chunk:
    """What became of some sentences.

    Attributes:
        blocks: Text of the graphs that are kept.
        counts: Sentences by what became of them; see fate_of.
    """

    blocks: str
    counts: Counter[str]


@dataclass(frozen=True)
class Annotator:
    """A parser with all that is asked of it."""

    request: Request
    parser: AptParser
    linker: DictionaryLinker | None

    @classmethod
    def load(cls, request: Request, device: Device) -> Annotator:
        """Load the models of a request, and its dictionary of ``:wiki``.

        Raises:
            CheckpointError: If one cannot be loaded.
            ConfigurationError: If several models do not fit together.
        """
        parser = AptParser.from_pretrained(request.models or None, device, request.precision)
        return cls(request, parser, linker_of(request.models) if request.wiki else None)

    def annotate(self, ids: Sequence[str], texts: Sequence[str]) -> Chunk:
        """Parse sentences and write those that are kept."""
        counts: Counter[str] = Counter()
        blocks = []
        for parse, is_held in self._parses(ids, texts):
            fate = fate_of(parse) if is_held else "unfollowed"
            counts[fate] += 1
            if fate == "kept" or (fate in DETACHED and self.request.keep_detached):
                if self.linker is not None:
                    parse = replace(parse, graph=with_wiki(parse.graph, self.linker))
                blocks.append(silver_block(parse, self.parser, self.request.beam))
        return Chunk("".join(blocks), counts)

    def _parses(self, ids: Sequence[str], texts: Sequence[str]) -> list[tuple[Parse, bool]]:
        """Parse sentences; gives beside each parse whether it holds what was said of it."""
        if self.request.guided:
            return guided_parses(self.parser, list(map(example_of, texts)), self.request.beam)
        parses = self.parser.parse(tokenize_all(texts, ids), beam=self.request.beam)
        return [(parse, True) for parse in parses]

    def key(self, texts: Sequence[str]) -> str:
        """Give a hash of all that the result depends on."""
        digest = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass"))
        options = replace(self.request, models=())
        digest.update(f"{self.parser.info.hash} {options} {self.linker}".encode())
        return digest.hexdigest()


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
    sure = parse.log_prob / max(1, len(parse.actions))
    first, _, rest = block.partition("\n")
    return f"{first}\n{head}# ::log_prob_per_action {sure:.4f}\n{rest}"
