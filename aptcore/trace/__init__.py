"""What a walk looked like at each step, as values and as JSON."""
