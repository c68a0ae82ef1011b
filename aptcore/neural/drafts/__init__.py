"""Greedy decoding of one sentence along drafts: several actions in one pass of the model."""
