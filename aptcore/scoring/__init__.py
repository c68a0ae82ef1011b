"""How well graphs agree: Smatch, its parts, intervals."""
