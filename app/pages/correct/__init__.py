"""The page Correct."""
