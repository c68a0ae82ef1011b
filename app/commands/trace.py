"""``aptamr trace``: the whole decoding of one sentence as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from app.commands import console
from aptcore.neural.parser import AptParser
from aptcore.neural.weights import Device
from aptcore.trace.format import encode_trace
from aptcore.transition.actions import Action
from aptcore.transition.sets import parse_action
from aptcore.words.sentences import remarks_on


def run_trace(
    text: str, prefix: str | None, beam: int, models: tuple[Path, ...], device: Device
) -> int:
    """Decode one sentence, its first actions forced, and write the trace.

    Returns:
        Exit status 0.

    Raises:
        IllegalActionError: The prefix cannot be taken.
        InputError: The sentence cannot be parsed.
    """
    actions = () if prefix is None else read_prefix(prefix)
    if text == console.STDIN:
        text = console.read_text(Path(text)).removesuffix("\n").removesuffix("\r")
    text = console.argument_text(text)
    for said in remarks_on(text):
        console.say(f"warning: the sentence {said}")
    parser = AptParser.from_pretrained(models or None, device=device)
    console.say_device(device, parser.info.device)
    console.write_json(encode_trace(parser.trace(text, beam=beam, prefix=actions)))
    return 0


def read_prefix(prefix: str) -> tuple[Action, ...]:
    """Read actions from a JSON list of strings, or from the file named after ``@``.

    Raises:
        typer.BadParameter: It is not a JSON list of strings.
        ActionFormatError: One of the strings is no action.
    """
    if prefix.startswith("@"):
        prefix = console.read_text(Path(prefix[1:]))
    try:
        prefix.encode("utf-8")
        strings = json.loads(prefix)
        json.dumps(strings, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"--prefix is not JSON: {error}") from error
    if not isinstance(strings, list) or not all(isinstance(s, str) for s in strings):
        raise typer.BadParameter('--prefix is no JSON list of strings such as ["REDUCE"]')
    return tuple(parse_action(string) for string in strings)
