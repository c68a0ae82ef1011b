"""Give each store an identity, made once: what waits in a browser knows where it belongs.

Revision ID: 0004
"""

from __future__ import annotations

import uuid

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table and its only row."""
    table = op.create_table("identity", sa.Column("id", sa.String(32), primary_key=True))
    op.bulk_insert(table, [{"id": uuid.uuid4().hex}])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("identity")
