"""Make the index that queues are filtered and counted by.

Revision ID: 0009
"""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"
_COLUMNS = ["document", "status", "assigned", "number"]


def upgrade() -> None:
    """Make the index."""
    op.create_index("ix_sentences_queue", "sentences", _COLUMNS)


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_sentences_queue", "sentences")
