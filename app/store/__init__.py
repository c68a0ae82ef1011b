"""The annotation store: sentences, their logs of operations, claims; on disk or on a server."""
