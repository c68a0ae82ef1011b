"""A graph read aloud."""
