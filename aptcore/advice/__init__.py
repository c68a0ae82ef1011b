"""What the program has to say about a graph that a person corrects."""
