"""Two graphs in one drawing."""
