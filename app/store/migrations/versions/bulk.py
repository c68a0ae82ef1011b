"""Let bulk work be a job: who asked for it, from where, and what it is.

Revision ID: 0008
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns."""
    for name, kind in (("person", sa.String(100)), ("tab", sa.String(100)), ("note", sa.Text)):
        op.add_column("jobs", sa.Column(name, kind, nullable=False, server_default=""))


def downgrade() -> None:
    """Drop them."""
    for name in ("note", "tab", "person"):
        op.drop_column("jobs", name)
