"""Names of people: one way to write each, so that one look is one person."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator

from app.store.log.operations import MAX_NAME, check_name
from aptcore.errors import EditError


def clean_name(text: str, known: Collection[str] = ()) -> str:
    r"""Give the name that a person typed as it is kept: composed (NFC), single spaces.

    Args:
        text: As typed.
        known: Names that a store holds; one that reads the same is given as it stands there.

    Raises:
        EditError: It is empty, too long, cannot be shown, or holds a comma.

    >>> clean_name("  Jose\u0301  L ") == "Jos\u00e9 L"
    True
    """
    name = _composed(text)
    if "," in name:
        raise EditError(f"{name[:MAX_NAME]!r} holds a comma: write the name of one person without")
    check_name("person", name)
    return next((one for one in known if _composed(one) == name), name)


def near_name(name: str, known: Collection[str]) -> str:
    """Give a known name of almost the same look: other capitals, accents or signs.

    Returns:
        The name; empty where there is none, or where the name itself is known.

    >>> near_name("kim", ["Ada", "Kim"]), near_name("Kim", ["Kim", "kim"])
    ('Kim', '')
    """
    if name in known:
        return ""
    return next((one for one in known if _look(one) == _look(name)), "")


def account_names(shown: str) -> Iterator[str]:
    """Give names for an account, the likeliest first: as it is called, then with numbers."""
    plain = "".join(sign for sign in shown.replace(",", " ") if sign.isprintable())
    name = _composed(plain)[: MAX_NAME - 10].strip() or "Account"
    yield name
    number = 2
    while True:
        yield f"{name} {number}"
        number += 1


def is_alike(name: str, other: str) -> bool:
    """Tell whether two names look almost the same."""
    return _look(name) == _look(other)


def _composed(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _look(name: str) -> str:
    """Give what two names of almost the same look share; the name where no letter is left."""
    parts = unicodedata.normalize("NFKD", name).casefold()
    return "".join(sign for sign in parts if sign.isalnum()) or name
