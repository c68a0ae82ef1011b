"""How the tables of a store came to be what they are, step by step (Alembic)."""
