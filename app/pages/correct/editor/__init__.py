"""What the editor of the Correct page draws, and what it sends."""
