"""Runs as a person launches and watches them; no torch."""
