"""What stands around the pages when they are served: where, and what is logged."""
