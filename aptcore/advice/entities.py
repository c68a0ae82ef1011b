"""Which types of things have names, the likeliest first."""

from __future__ import annotations

import math

from aptcore.words.frames import Lexicon

ENTITIES = frozenset(
    "person family language nationality ethnic-group religious-group political-party organization "
    "company university school team country city state province county continent island river "
    "mountain ocean lake world-region planet building hotel street road park ship book newspaper "
    "magazine show movie game event festival product law award".split()
)
"""Types of names in everyday text (the ontology of the AMR guidelines); the counts are mostly of
biology."""
ENTITY = 3.0
"""What such a type is given beside its count."""


def named_types(lexicon: Lexicon) -> dict[str, float]:
    """Score the concepts that have names: logarithms, the likeliest highest."""
    roles = lexicon.counts.roles
    return {
        one: math.log1p(roles[one][":name"]) / 2 + (ENTITY if one in ENTITIES else 0.0)
        for one in roles
        if ":name" in roles[one]
    }
