"""The parser behind the pages."""
