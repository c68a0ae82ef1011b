"""Data & settings: what is in force, and what a person may set."""
