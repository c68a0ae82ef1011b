"""The canvas no longer imports a view."""

from __future__ import annotations

from typing import Any

Payload = dict[str, Any]
"""A JSON object."""
