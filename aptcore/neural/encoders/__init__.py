"""Encoders, which give the word vectors: the one that ships, or any of transformers."""
