"""The page Queue."""
