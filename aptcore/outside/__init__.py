"""Parsers outside this program, as commands that read sentences and write graphs."""
