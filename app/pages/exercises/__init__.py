"""The page Exercises."""
