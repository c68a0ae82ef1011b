"""The editor of one graph."""
