"""What the database holds, and how it is read."""
