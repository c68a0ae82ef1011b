"""The canvas of a trace."""
