"""Let a line of raw text that waits hold several sentences, each with its place: 3.1, 3.2.

Revision ID: 0006
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the place; until now it was the line."""
    column = sa.Column("place", sa.String(24), nullable=False, server_default="")
    op.add_column("job_lines", column)
    lines = sa.table("job_lines", sa.column("line", sa.Integer), sa.column("place", sa.String))
    op.execute(lines.update().values(place=sa.cast(lines.c.line, sa.String)))


def downgrade() -> None:
    """Drop the place."""
    op.drop_column("job_lines", "place")
