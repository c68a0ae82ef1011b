"""Runs of several stages: teachers, what they annotate, and the model that learns from it."""
