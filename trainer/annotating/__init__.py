"""Sentences to silver graphs: what is annotated, by which processes, and what is kept."""
