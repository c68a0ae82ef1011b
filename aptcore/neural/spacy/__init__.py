"""A component for spaCy's pipelines."""
