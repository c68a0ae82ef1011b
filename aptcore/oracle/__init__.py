"""From a gold graph to actions, and which actions still lead to it."""
