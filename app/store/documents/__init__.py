"""Whole documents: brought in, listed, copied, written out."""
