"""Keep of each sentence which concepts, roles and constants its graph holds.

Revision ID: 0010
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from app.store.records.texts import decoded, graph_of, record_of, terms_of

revision = "0010"
down_revision = "0009"
TOGETHER = 1_000
"""Sentences that are read at once."""


def upgrade() -> None:
    """Add the column and fill it from the graphs as imported.

    Where a graph was edited it stays empty, which is read as "not known", until the next
    operation on that sentence.
    """
    op.add_column("sentences", sa.Column("terms", sa.Text))
    table = sa.table(
        "sentences",
        sa.column("id", sa.Integer),
        sa.column("raw", sa.LargeBinary),
        sa.column("is_edited", sa.Boolean),
        sa.column("terms", sa.Text),
    )
    query = sa.select(table.c.id, table.c.raw).where(table.c.is_edited.is_(False))
    query = query.order_by(table.c.id).limit(TOGETHER)
    fill = table.update().where(table.c.id == sa.bindparam("of"))
    connection, last = op.get_bind(), 0
    while rows := connection.execute(query.where(table.c.id > last)).all():
        terms = [
            {"of": row.id, "terms": terms_of(graph_of(record_of(decoded(row.raw))))} for row in rows
        ]
        connection.execute(fill.values(terms=sa.bindparam("terms")), terms)
        last = rows[-1].id


def downgrade() -> None:
    """Drop it."""
    op.drop_column("sentences", "terms")
