"""The page Oracle."""
