"""What people did to a sentence, as values, and what is made of it; no database."""
