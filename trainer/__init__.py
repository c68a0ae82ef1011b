"""Training: configuration, data, the loop and its checkpoints."""
