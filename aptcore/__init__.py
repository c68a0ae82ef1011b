"""The parser core: graphs, transition system, oracle, model and decoding."""

__version__ = "0.1.0"
