"""One module for each command of ``aptamr``."""
