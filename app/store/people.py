"""The people of a store: who is known, whose account is whose, and what they have put away."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from app.store.log.names import account_names, is_alike
from app.store.records.database import reading, writing
from app.store.records.tables import operations, people, put_away


class People:
    """The people of a store.

    Args:
        engine: Of the store's database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def known(self) -> tuple[str, ...]:
        """List who has been at work or was given work, by name.

        Raises:
            UnavailableError: The store cannot be read.
        """
        query = sa.select(people.c.name).union(sa.select(operations.c.person))
        with reading(self._engine) as connection:
            return tuple(sorted(connection.execute(query).scalars(), key=str.casefold))

    def add(self, names: Iterable[str]) -> None:
        """Note people by name; those who are known stay as they are.

        Raises:
            UnavailableError: The store cannot write.
        """
        with writing(self._engine) as connection:
            add_people(connection, names)

    def of_account(self, account: str, shown: str) -> str:
        """Give the person of a sign-in; each account has one name of its own, for good.

        The first account of a name gets the work that stands under it already; another one
        that is called alike gets a number.

        Args:
            account: What tells the account from all others.
            shown: What it is called when it comes for the first time.

        Raises:
            UnavailableError: The store cannot be read, or not write down a new account.
        """
        with reading(self._engine) as connection:
            found = _person_of(connection, account)
        if found is not None:
            return found
        with writing(self._engine) as connection:
            found = _person_of(connection, account)
            return found if found is not None else _named(connection, account, shown)

    def put_away(self, person: str, notice: str) -> None:
        """Note that a person needs a notice no more.

        Raises:
            UnavailableError: The store cannot write.
        """
        row = {"person": person, "notice": notice}
        with writing(self._engine) as connection:
            if notice not in _put_away_by(connection, person):
                connection.execute(put_away.insert(), row)

    def put_away_by(self, person: str) -> frozenset[str]:
        """Give the notices that a person has put away.

        Raises:
            UnavailableError: The store cannot be read.
        """
        with reading(self._engine) as connection:
            return _put_away_by(connection, person)


def add_people(connection: Connection, names: Iterable[str]) -> None:
    """Note people by name, in a transaction that writes."""
    there = set(connection.execute(sa.select(people.c.name)).scalars())
    rows = [{"name": name} for name in dict.fromkeys(names) if name not in there]
    if rows:
        connection.execute(people.insert(), rows)


def _person_of(connection: Connection, account: str) -> str | None:
    query = sa.select(people.c.name).where(people.c.account == account)
    return connection.execute(query).scalar_one_or_none()


def _named(connection: Connection, account: str, shown: str) -> str:
    rows = connection.execute(sa.select(people.c.name, people.c.account)).all()
    taken = [row.name for row in rows if row.account is not None]
    name = next(
        name for name in account_names(shown) if not any(is_alike(name, one) for one in taken)
    )
    if any(row.name == name for row in rows):
        connection.execute(people.update().where(people.c.name == name), {"account": account})
    else:
        connection.execute(people.insert(), {"name": name, "account": account})
    return name


def _put_away_by(connection: Connection, person: str) -> frozenset[str]:
    query = sa.select(put_away.c.notice).where(put_away.c.person == person)
    return frozenset(connection.execute(query).scalars())
