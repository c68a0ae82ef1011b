"""The editor of an alignment."""
