"""The page Parse & step."""
