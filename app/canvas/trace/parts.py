"""The texts that the canvas is made of, for the pages and for the stand-alone stepper."""

from __future__ import annotations

from pathlib import Path

from app.canvas.bundle import read_script as _join

_HERE = Path(__file__).resolve().parent
_STYLES = ("canvas.css", "whatif.css", "../exercise/marks.css", "../exercise/exercise.css")


def read_script() -> str:
    """Join the modules of the canvas; the default export is named ``show``."""
    return _join(_HERE / "show.js")


def read_style() -> str:
    """Join the canvas's style sheets."""
    return "\n".join(_read(name) for name in _STYLES)


def read_html() -> str:
    """Read the canvas's HTML, which holds no text of any sentence."""
    return _read("canvas.html")


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
