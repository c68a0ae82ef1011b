"""Who is at work on which sentence. A claim tells others; it locks nothing."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.store.records.folding import from_microseconds
from app.store.records.rows import Claim
from app.store.records.tables import claims

_RENEW = claims.update().where(
    claims.c.sentence == sa.bindparam("of"), claims.c.person == sa.bindparam("by")
)


def claim_of(connection: Connection, sentence: int, now: int) -> Claim | None:
    """Give the claim on a sentence that holds at a time (microseconds), or None."""
    query = sa.select(claims).where(claims.c.sentence == sentence, claims.c.until > now)
    row = connection.execute(query).first()
    return Claim(row.sentence, row.person, from_microseconds(row.until)) if row else None


def claim(connection: Connection, sentence: int, person: str, now: int, until: int) -> Claim:
    """Claim a sentence whose row is locked; gives the claim that holds then.

    A claim of one's own is written anew only when half of it is over: pages ask often.
    """
    found = claim_of(connection, sentence, now)
    if found is not None:
        is_fresh = found.until > from_microseconds((now + until) // 2)
        if found.person != person or is_fresh:
            return found
    connection.execute(claims.delete().where(claims.c.sentence == sentence))
    connection.execute(claims.insert().values(sentence=sentence, person=person, until=until))
    return Claim(sentence, person, from_microseconds(until))


def renew(connection: Connection, sentence: int, person: str, until: int) -> None:
    """Hold a person's claim longer, if it is theirs."""
    connection.execute(_RENEW, {"of": sentence, "by": person, "until": until})


def release(connection: Connection, sentence: int, person: str) -> None:
    """Give up a person's claim, if it is theirs."""
    own = (claims.c.sentence == sentence) & (claims.c.person == person)
    connection.execute(claims.delete().where(own))
