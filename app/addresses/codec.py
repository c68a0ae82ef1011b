"""The codec of all addresses: fields that say how they stand in the query parameters.

The address of a page is a frozen dataclass, and every field that travels is made by
:func:`parameter`, so that a new one is one line::

    @dataclass(frozen=True, slots=True)
    class TrainLink:
        view: View = parameter("runs", choice(get_args(View)))
        run: str | None = parameter(None, NAME)

A default is left out of the address; what cannot be read counts as absent, and
:func:`damages` names it where the field has a sentence for that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, TypeVar

T = TypeVar("T")

MAX_TOLD = 60
"""Longest part of a damaged value that is told again, in characters."""

_MAX_DIGITS = 15
MAX_NUMBERS = 100_000
"""Most numbers that one field of an address stands for."""


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """How a value is written.

    Attributes:
        parse: Reads it; None where the text is no such value.
        format: Writes it.
        longest: The longest text that is written, in characters; what is longer is left out.
    """

    parse: Callable[[str], T | None]
    format: Callable[[T], str] = str
    longest: int = 10**6


@dataclass(frozen=True, slots=True)
class _Parameter:
    key: str
    default: Any
    form: Form[Any]
    damage: str


def parameter(default: T, form: Form[Any], *, key: str = "", damage: str = "") -> T:
    """Declare a field of an address.

    Args:
        default: What the field holds where the address says nothing.
        form: How it is written.
        key: The parameter's name, where it is not the field's.
        damage: What to say of a value that cannot be read; ``{!r}`` stands for it.
    """
    declared = _Parameter(key, default, form, damage)
    return field(default_factory=lambda: default, metadata={"parameter": declared})


TEXT: Form[str] = Form(lambda text: text)
"""Any text as it stands, the empty one too."""

NAME: Form[str] = Form(lambda text: text or None)
"""A text that is not empty."""

LINE: Form[str] = Form(lambda text: " ".join(text.split()))
"""A text without line breaks and doubled spaces."""


def integer(least: int = 0, most: int = 10**9 - 1) -> Form[int]:
    """Read whole numbers within bounds, both included."""

    def parse(text: str) -> int | None:
        digits = text.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS):
            return None
        return int(digits) if least <= int(digits) <= most else None

    return Form(parse)


def choice(known: Collection[str]) -> Form[str]:
    """Read one of some words."""
    return Form(lambda text: text if text in known else None)


def choices(known: Collection[str], *, none: str = "") -> Form[tuple[str, ...]]:
    """Read some of some words, with spaces between, in their usual order.

    Args:
        known: The words.
        none: What stands for no word at all.
    """
    return Form(
        parse=lambda text: tuple(word for word in known if word in text.split(" ")),
        format=lambda words: " ".join(words) or none,
    )


def numbers(longest: int) -> Form[tuple[int, ...]]:
    """Read whole numbers in rising order, written as ``3-9.12``; ``longest`` in characters."""

    def parse(text: str) -> tuple[int, ...] | None:
        found: list[int] = []
        for part in text.split(".") if len(text) <= longest else [""]:
            first, _, last = part.partition("-")
            begin, end = integer().parse(first), integer().parse(last or first)
            if begin is None or end is None or not 0 <= end - begin < MAX_NUMBERS - len(found):
                return None
            found += range(begin, end + 1)
        return tuple(sorted(set(found)))

    return Form(parse, _ranges, longest)


def _ranges(found: tuple[int, ...]) -> str:
    parts: list[list[int]] = []
    for number in sorted(set(found)):
        if parts and number == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], number]
        else:
            parts.append([number])
    return ".".join("-".join(map(str, part)) for part in parts)


def parse_link(record: type[T], parameters: Mapping[str, str]) -> T:
    """Read an address; what cannot be read counts as absent."""
    return record(
        **{
            name: value
            for name, said in _parameters(record).items()
            if said.key in parameters
            and (value := said.form.parse(parameters[said.key])) is not None
        }
    )


def damages(record: type[Any], parameters: Mapping[str, str]) -> list[str]:
    """Say what of an address cannot be read and matters."""
    return [
        said.damage.format(text[:MAX_TOLD])
        for said in _parameters(record).values()
        if said.damage
        and (text := parameters.get(said.key, "")).strip()
        and said.form.parse(text) is None
    ]


def format_link(link: Any) -> dict[str, str]:
    """Write an address without its defaults; :func:`parse_link` reads it back."""
    return {
        said.key: text
        for name, said in _parameters(type(link)).items()
        if (value := getattr(link, name)) != said.default
        and len(text := said.form.format(value)) <= said.form.longest
    }


def _parameters(record: type[Any]) -> dict[str, _Parameter]:
    """Give the fields that travel, by their names."""
    found = {one.name: one.metadata["parameter"] for one in fields(record) if one.metadata}
    return {name: replace(said, key=said.key or name) for name, said in found.items()}
