"""The transition system: actions, states, what is legal, the graph that comes of it."""
