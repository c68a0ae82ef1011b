"""Lessons: their file format, and how they are made."""
