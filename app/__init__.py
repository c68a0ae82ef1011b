"""The command line and the pages."""
