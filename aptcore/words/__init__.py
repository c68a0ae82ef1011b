"""What is known of words before any graph: tokens, lemmas, COPY's tables, frames."""
