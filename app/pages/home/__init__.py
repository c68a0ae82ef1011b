"""The page Home."""
