"""Keep who is known, whose account is whose, and which notices a person has put away.

Revision ID: 0007
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables, and note those who have worked or were given work so far."""
    people = op.create_table(
        "people",
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("account", sa.String(64), unique=True),
    )
    op.create_table(
        "put_away",
        sa.Column("person", sa.String(100), primary_key=True),
        sa.Column("notice", sa.String(100), primary_key=True),
    )
    found = [
        "SELECT DISTINCT person AS name FROM operations",
        "SELECT person FROM documents WHERE person != ''",
        "SELECT assigned FROM sentences WHERE assigned != ''",
    ]
    names = op.get_bind().execute(sa.text(" UNION ".join(found))).scalars()
    op.bulk_insert(people, [{"name": name} for name in names])


def downgrade() -> None:
    """Drop the tables."""
    for name in ("put_away", "people"):
        op.drop_table(name)
