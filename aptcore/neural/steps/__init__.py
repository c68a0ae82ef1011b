"""One more step of every walk of a batch, or several of one, on what was read before."""
