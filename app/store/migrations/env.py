"""What Alembic runs: the steps, within the transaction that ``app.store.database`` opened."""

from __future__ import annotations

from alembic import context

from app.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
