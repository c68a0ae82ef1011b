"""The model and all that decodes with it. Only here the core imports torch."""
