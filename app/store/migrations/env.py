"""What Alembic runs: the steps, within the transaction that ``records.database`` opened."""

from __future__ import annotations

from alembic import context

from app.store.records.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
