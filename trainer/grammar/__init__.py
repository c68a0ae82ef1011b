"""A grammar of English whose sentences come with their graphs."""
