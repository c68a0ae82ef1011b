"""The parser core: graphs, transition system, oracle, model and decoding."""
