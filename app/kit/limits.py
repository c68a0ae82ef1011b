"""What the page takes as a sentence, and what it says about anything else."""

from __future__ import annotations

MAX_CHARACTERS = 1000
"""Longest sentence that the page parses, in characters; the command line takes more."""

MAX_BEAM = 10
"""Widest beam that the page offers, in hypotheses."""


def sentence_problem(text: str) -> str | None:
    """Say why a text cannot be parsed here; None where it can."""
    if not text.strip():
        return "There is no sentence yet. Type one in English, then press Enter."
    if len(text) > MAX_CHARACTERS:
        return (
            f"The sentence has {len(text):,} characters; this page parses up to "
            f"{MAX_CHARACTERS:,}. Shorten it, or use the command line: aptamr parse --input FILE."
        )
    if not any(character.isalnum() for character in text):
        return "There is no word in this: a sentence needs at least one letter or digit."
    return None
