"""Graphs of a parser outside this program; and which annotator a request asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aptcore.errors import InputError
from aptcore.graph.validation import problems_of
from aptcore.neural.weights import Device
from aptcore.outside.command import CommandParser, answer_record
from trainer.annotating.chunks import Annotator, Chunk, ModelAnnotator, Request
from trainer.annotating.lines import Line


@dataclass(frozen=True)
class CommandAnnotator:
    """A command that parses sentence after sentence (see aptcore.outside.command)."""

    parser: CommandParser

    @property
    def key(self) -> str:
        """Name all that the result depends on besides the sentences."""
        return f"command {self.parser.command}"

    def annotate(self, lines: Sequence[Line]) -> Chunk:
        """Let the command parse sentences, and write those whose graphs can be held.

        Raises:
            ConfigurationError: The command cannot be started, or has never answered.
        """
        chunk = Chunk()
        for line in lines:
            if line.problem:
                chunk.set_apart(line, "unreadable", line.problem)
                continue
            try:
                block = self.parser.block(line.id, line.text)
            except InputError as error:
                chunk.set_apart(line, "failed", str(error))
                continue
            graph = answer_record(block).graph
            wrong = [str(p) for p in problems_of(graph) if p.is_error] if graph else []
            if wrong:
                chunk.set_apart(line, "invalid", "; ".join(wrong))
            else:
                chunk.keep(block, "kept")
        return chunk


def load_annotator(request: Request, device: Device) -> Annotator:
    """Make ready what a request asks for.

    Raises:
        CheckpointError: If a model cannot be loaded.
        ConfigurationError: If several models do not fit together, or the command is none.
    """
    if request.command:
        return CommandAnnotator(CommandParser(request.command, request.timeout))
    return ModelAnnotator.load(request, device)
