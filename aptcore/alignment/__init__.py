"""Find the words that each node and constant of a graph stands for."""
