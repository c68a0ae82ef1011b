"""Keep what people had made of a sentence before it was imported.

Revision ID: 0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add what an import carries."""
    column = sa.Column("carried", sa.Text, nullable=False, server_default="")
    op.add_column("sentences", column)


def downgrade() -> None:
    """Drop what an import carried."""
    op.drop_column("sentences", "carried")
