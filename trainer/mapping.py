"""Strict dataclasses from plain values: unknown names are errors that suggest the nearest."""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from collections.abc import Mapping
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from aptcore.errors import ConfigurationError

Config = TypeVar("Config")


def apply_override(values: dict[str, Any], override: str) -> None:
    """Put one ``key=value`` setting such as ``loop.epochs=3`` into plain values.

    Raises:
        ConfigurationError: If it is not written so, or its place is no table.
    """
    key, sign, text = override.partition("=")
    if not sign:
        raise ConfigurationError(f"cannot read {override!r}: write key=value")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    *tables, last = key.strip().split(".")
    for table in tables:
        values = values.setdefault(table, {})
        if not isinstance(values, dict):
            raise ConfigurationError(f"{key!r}: {table!r} is not a table")
    values[last] = value


def from_mapping(kind: type[Config], values: Mapping[str, Any], place: str = "") -> Config:
    """Build a configuration from plain values.

    Raises:
        ConfigurationError: For an unknown name (with the nearest known one) or a value
            of the wrong type.
    """
    hints = get_type_hints(kind)
    arguments: dict[str, Any] = {}
    for name, value in values.items():
        if name not in hints:
            near = difflib.get_close_matches(name, hints, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(hints)}"
            raise ConfigurationError(f"unknown setting {place + name!r}{hint}")
        arguments[name] = _value(hints[name], value, place + name)
    return kind(**arguments)


def _value(hint: Any, value: Any, place: str) -> Any:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if not isinstance(value, Mapping):
            raise ConfigurationError(f"{place!r} is a table of settings")
        return from_mapping(hint, value, f"{place}.")
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(hint, type):
        if type(value) is not hint:
            raise ConfigurationError(f"{place!r} is of type {hint.__name__}, not {value!r}")
        return value
    if isinstance(value, Mapping) and get_origin(hint) is Mapping:
        kind = get_args(hint)[1]
        return {str(key): _value(kind, item, f"{place}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple) and get_origin(hint) is tuple:
        kind = get_args(hint)[0]
        if dataclasses.is_dataclass(kind):
            return tuple(_value(kind, item, place) for item in value)
        for item in value:
            if type(item) is not kind:
                raise ConfigurationError(f"{place!r} holds {item!r}, not of type {kind.__name__}")
        return tuple(value)
    raise ConfigurationError(f"{place!r} cannot be {value!r}")
