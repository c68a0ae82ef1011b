"""Where the files that travel with the program lie.

In a checkout they stand in ``assets/`` beside the packages; in an installed wheel
the same folder is ``aptcore/shipped/``.
"""

from __future__ import annotations

from pathlib import Path

_INSTALLED = Path(__file__).resolve().parent / "shipped"
_CHECKOUT = Path(__file__).resolve().parents[1] / "assets"


def asset_path(name: str) -> Path:
    """Give the path of a shipped file or folder.

    Args:
        name: Path below ``assets/``, with ``/`` between its parts: ``"traces"``.

    Returns:
        The absolute path. It may not exist, if nothing of that name is shipped.
    """
    folder = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    return folder / name
