"""Where a triple of a graph comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["given", "model", "rule", "changed", "confirmed"]


@dataclass(frozen=True, slots=True)
class Source:
    """Who or what a triple comes from.

    Attributes:
        kind: ``given`` in the imported file, by whoever made it; made by a ``model`` or a
            ``rule``; ``changed`` or ``confirmed`` by a person.
        name: Of the model, rule or person; may be empty for the first three.
        hash: Of the model; else empty.
    """

    kind: Kind
    name: str = ""
    hash: str = ""

    def __str__(self) -> str:
        if self.kind in ("changed", "confirmed"):
            return f"person {self.kind} {self.name}"
        return " ".join(part for part in (self.kind, self.name, self.hash) if part)


def parse_source(text: str) -> Source | None:
    """Read a source as ``str`` writes it; None where it is none.

    >>> parse_source("person changed Ada"), parse_source("model small 1f3c")
    (Source(kind='changed', name='Ada', hash=''), Source(kind='model', name='small', hash='1f3c'))
    """
    first, _, rest = text.partition(" ")
    if first == "person":
        first, _, rest = rest.partition(" ")
        is_known = first in ("changed", "confirmed") and bool(rest)
    else:
        is_known = first in ("given", "model", "rule")
    if not is_known:
        return None
    name, _, model_hash = rest.rpartition(" ") if first == "model" else ("", "", "")
    return Source(first, name or rest, model_hash if name else "")  # type: ignore[arg-type]


def source_to_json(source: Source) -> dict[str, str]:
    """Write a source as a JSON object; :func:`source_from_json` reads it back."""
    return {"kind": source.kind, "name": source.name, "hash": source.hash}


def source_from_json(values: Mapping[str, Any]) -> Source:
    """Read a source."""
    return Source(values["kind"], values.get("name", ""), values.get("hash", ""))


def source_of_metadata(metadata: Mapping[str, str]) -> Source | None:
    """Read the model that ``aptamr annotate`` names in a block: ``# ::silver NAME HASH``."""
    words = metadata.get("silver", "").split()
    return Source("model", words[0], words[1]) if len(words) >= 2 else None
