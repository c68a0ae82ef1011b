"""The texts that the canvas is made of, for the pages and for the stand-alone stepper."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent
_SCRIPTS = (
    "step.js",
    "play.js",
    "unpack.js",
    "heads.js",
    "beam.js",
    "pointer.js",
    "select.js",
    "fold.js",
    "rove.js",
    "build.js",
    "draw.js",
    "whatif.js",
    "../exercise/marks.js",
    "../exercise/exercise.js",
    "../exercise/moves.js",
)
"""Parts of one JavaScript module, joined here: a component takes a single text."""

_STYLES = ("canvas.css", "whatif.css", "../exercise/marks.css", "../exercise/exercise.css")


def read_script() -> str:
    """Join the parts of the canvas's JavaScript; its default export is named ``show``."""
    return "\n".join(_read(name) for name in _SCRIPTS)


def read_style() -> str:
    """Join the canvas's style sheets."""
    return "\n".join(_read(name) for name in _STYLES)


def read_html() -> str:
    """Read the canvas's HTML, which holds no text of any sentence."""
    return _read("canvas.html")


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
