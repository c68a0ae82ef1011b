"""Edits of graphs: single ones, composed ones, patterns, picks."""
