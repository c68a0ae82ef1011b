"""From corpora to batches."""
