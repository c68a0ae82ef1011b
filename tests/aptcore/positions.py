"""Token positions carried over from another tokenisation, as gold alignments need it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from aptcore.errors import InputError
from aptcore.graph.amr import Sentence

_ISI_MARK = re.compile(r"^@(?=.)|(?<=.)@$")


def plain_token(token: str) -> str:
    """Give the surface form of a token in ISI's files, where ``@`` marks a missing space.

    >>> plain_token("@-@"), plain_token("</i>@"), plain_token("@")
    ('-', '</i>', '@')
    """
    return _ISI_MARK.sub("", token)


def map_positions(
    positions: Iterable[int], from_tokens: Sequence[str], to_sentence: Sentence
) -> tuple[int, ...]:
    """Carry token positions over from another tokenisation of the same text.

    Both sides are compared character by character, blanks and ISI's ``@`` left out.

    Args:
        positions: Positions in ``from_tokens``, from 0.
        from_tokens: The other tokens.
        to_sentence: The sentence to carry over to.

    Returns:
        The positions of all tokens of ``to_sentence`` that share a character, ascending.

    Raises:
        InputError: If a position does not exist, or the two do not hold the same text.
    """
    owners_from = _character_owners([plain_token(token) for token in from_tokens])
    owners_to = _character_owners(to_sentence.tokens)
    characters = "".join(character for character, _ in owners_from)
    if characters != "".join(character for character, _ in owners_to):
        raise InputError(
            f"the tokens do not hold the text of sentence {to_sentence.id!r}: "
            f"{characters!r} is not {''.join(to_sentence.tokens)!r}"
        )
    wanted = set(positions)
    missing = sorted(p for p in wanted if not 0 <= p < len(from_tokens))
    if missing:
        raise InputError(f"no token {missing[0]}: there are {len(from_tokens)}, counted from 0")
    pairs = zip(owners_from, owners_to, strict=True)
    return tuple(sorted({new for (_, old), (_, new) in pairs if old in wanted}))


def _character_owners(tokens: Sequence[str]) -> list[tuple[str, int]]:
    return [
        (character, position)
        for position, token in enumerate(tokens)
        for character in token
        if not character.isspace()
    ]
