"""Keep what became of a job for a while, for the pages of every server.

Revision ID: 0011
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add when a job ended, and with what."""
    ended = sa.Column("ended", sa.BigInteger, nullable=False, server_default="0")
    op.add_column("jobs", ended)
    op.add_column("jobs", sa.Column("outcome", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Drop both, and the jobs that have ended."""
    jobs = sa.table("jobs", sa.column("ended", sa.BigInteger))
    op.execute(jobs.delete().where(jobs.c.ended != 0))
    for name in ("outcome", "ended"):
        op.drop_column("jobs", name)
