"""Faults of a graph, each with its place and a fix."""
