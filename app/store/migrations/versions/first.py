"""Make the tables of the first version.

Revision ID: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "documents",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(200), nullable=False, unique=True),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("person", sa.String(100), nullable=False),
        sa.Column("copy_of", sa.Integer, sa.ForeignKey("documents.id")),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("problems", sa.Text, nullable=False),
        sa.Column("tail", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "sentences",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("document", sa.Integer, sa.ForeignKey("documents.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("before", sa.LargeBinary, nullable=False),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("status_by", sa.String(100), nullable=False),
        sa.Column("apart", sa.Text, nullable=False),
        sa.Column("flagged", sa.Text, nullable=False),
        sa.Column("assigned", sa.String(100), nullable=False),
        sa.Column("num_comments", sa.Integer, nullable=False),
        sa.Column("is_edited", sa.Boolean, nullable=False),
        sa.Column("last_person", sa.String(100), nullable=False),
        sa.Column("last_at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("document", "number"),
    )
    op.create_table(
        "operations",
        sa.Column("sentence", sa.Integer, sa.ForeignKey("sentences.id"), primary_key=True),
        sa.Column("revision", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("request", sa.String(100), nullable=False),
        sa.Column("person", sa.String(100), nullable=False),
        sa.Column("tab", sa.String(100), nullable=False),
        sa.Column("base", sa.Integer, nullable=False),
        sa.Column("target", sa.Integer),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.UniqueConstraint("sentence", "person", "request"),
    )
    op.create_index("ix_operations_person", "operations", ["person", "at"])
    op.create_table(
        "claims",
        sa.Column("sentence", sa.Integer, sa.ForeignKey("sentences.id"), primary_key=True),
        sa.Column("person", sa.String(100), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "scores",
        sa.Column("sentence", sa.Integer, sa.ForeignKey("sentences.id"), primary_key=True),
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("value", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for name in ("scores", "claims", "operations", "sentences", "documents"):
        op.drop_table(name)
