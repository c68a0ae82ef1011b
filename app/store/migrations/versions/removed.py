"""Let the copy of a document be removed; what was done on it is kept.

Revision ID: 0003
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the time of the removal."""
    column = sa.Column("removed", sa.BigInteger, nullable=False, server_default="0")
    op.add_column("documents", column)


def downgrade() -> None:
    """Drop the time of the removal."""
    op.drop_column("documents", "removed")
