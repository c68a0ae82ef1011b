"""A parser outside this program, which parses what comes into a queue."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

from app.annotation.incoming import failed_block
from app.store.documents.jobs import ParsedLine
from aptcore.errors import AptamrError, InputError
from aptcore.outside.command import CommandParser

VARIABLE = "APTAMR_PARSER"
"""Names the command; ``aptamr app --parser`` sets it."""


def named_parser() -> CommandParser | None:
    """Give the parser that ``aptamr app --parser`` was started with; None for the model.

    Raises:
        ConfigurationError: It names no program that is there.
    """
    command = os.environ.get(VARIABLE)
    return CommandParser(command) if command else None


def failed_line(place: str, name: str, sentence: str, reason: str) -> ParsedLine:
    """Give the line of a sentence that could not be parsed."""
    return ParsedLine(place, failed_block(name, sentence, reason), {}, reason)


def parsed_outside(
    parser: CommandParser,
    line: tuple[str, str, str],
    renew: Callable[[], None],
    seconds: float,
) -> ParsedLine:
    """Let a parser outside this program parse a sentence.

    Args:
        parser: The command.
        line: Place, name and text of the sentence.
        renew: Is called, as long as the answer is not there, to hold the job; what it raises
            ends the command.
        seconds: Between two such calls.

    Raises:
        ConfigurationError: The command has never answered, or cannot be started.
    """
    place, name, sentence = line
    with ThreadPoolExecutor(1) as thread:
        promise = thread.submit(parser.block, name, sentence)
        try:
            while not wait([promise], seconds).done:
                renew()
        except AptamrError:
            parser.close()  # so that the thread ends
            raise
    try:
        return ParsedLine(place, promise.result(), {})
    except InputError as error:
        return failed_line(place, name, sentence, str(error))
