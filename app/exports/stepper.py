"""The stand-alone stepper: one HTML file that steps through traces without a server.

It is the page's own canvas with the same payloads. The file asks the network for nothing,
and its content security policy lets only its own script run: whatever a sentence or a note
holds stays text. A lecture is a stepper of several sentences, each with a note.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tomllib
from dataclasses import dataclass
from html import escape
from pathlib import Path

import app
from app.canvas.trace.drawing import payload_of
from app.canvas.trace.opened import Opened, hypotheses_of, payload_of_opened
from app.canvas.trace.parts import read_html, read_script, read_style
from app.exports.text import describe_maker
from app.kit.compressed import compress_json, decompress_json
from aptcore.errors import FormatError, InputError
from aptcore.trace.format import decode_trace, encode_trace
from aptcore.trace.trace import Trace

MAX_LECTURE = 64 * 2**20
"""Most bytes that the traces of a lecture may take when they are read again."""

MAX_GRAPHS = 2**20
"""Most characters of the graphs of a trace's hypotheses; compressed they take about a tenth."""

_THEME = Path(app.__file__).resolve().parent / ".streamlit" / "config.toml"
_COLOURS = {
    "textColor": "--st-text-color",
    "backgroundColor": "--st-background-color",
    "secondaryBackgroundColor": "--st-secondary-background-color",
    "primaryColor": "--st-primary-color",
}
_PAGE, _STYLE, _START = (
    (Path(app.__file__).resolve().parent / "canvas" / "stepper" / f"stepper.{ending}").read_text(
        "utf-8"
    )
    for ending in ("html", "css", "js")
)
_SOURCE = '<script type="text/plain" id="source">{}</script>\n'
_SOURCE_TEXT = re.compile(r'<script type="text/plain" id="source">([A-Za-z0-9+/=_-]*)</script>')


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence of a lecture.

    Attributes:
        trace: What is stepped through.
        note: What the lecturer says of it; plain text, line breaks kept.
        start: How many actions are taken where it opens.
    """

    trace: Trace
    note: str = ""
    start: int = 0


@dataclass(frozen=True, slots=True)
class Lecture:
    """Several sentences under one title, in order."""

    title: str = ""
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the canvas on a page of a site: markup, but for the title.

    Attributes:
        title: Of the page, for a tab and for search.
        head: What its head holds beside that; pictures of the site itself may be named.
        above: What stands over the sentence.
        below: What stands under the canvas.
        style: How these look.
    """

    title: str = ""
    head: str = ""
    above: str = ""
    below: str = ""
    style: str = ""


_BARE = Frame()


def format_stepper(trace: Trace, start: int = 0) -> str:
    """Write the stepper of one trace as HTML.

    Args:
        trace: What is stepped through.
        start: How many actions are taken where it opens; ``#step=`` and a number in the
            address override it.
    """
    return _format_page(Lecture(f"{trace.sentence.text} – stepped", (Entry(trace, "", start),)), "")


def format_lecture(lecture: Lecture) -> str:
    """Write a lecture as HTML, which :func:`read_lecture` reads again.

    ``#sentence=`` and ``&step=`` with numbers in the address open another place.

    Raises:
        InputError: If it has no sentence.
    """
    if not lecture.entries:
        raise InputError("the lecture has no sentence yet")
    entries = [
        {"note": entry.note, "start": entry.start, "trace": encode_trace(entry.trace)}
        for entry in lecture.entries
    ]
    source = compress_json({"title": lecture.title, "entries": entries})
    return _format_page(lecture, _SOURCE.format(source))


def format_framed(entry: Entry, frame: Frame) -> str:
    """Write the stepper of one sentence as a page of a site."""
    return _format_page(Lecture(frame.title, (entry,)), "", frame)


def read_lecture(text: str) -> Lecture:
    """Read a lecture from the HTML that was written of it.

    Raises:
        FormatError: If it is no such file, or a damaged one.
    """
    found = _SOURCE_TEXT.search(text)
    if found is None:
        raise FormatError("the file is no lecture that was made here")
    written = decompress_json(found[1], MAX_LECTURE, "the lecture")
    try:
        held = json.loads(written)
        entries = tuple(
            Entry(decode_trace(each["trace"]), str(each["note"]), int(each["start"]))
            for each in held["entries"]
        )
        return Lecture(str(held["title"]), entries)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FormatError(f"the lecture is damaged: {error}") from error


def _format_page(lecture: Lecture, source: str, frame: Frame = _BARE) -> str:
    style = theme_style() + _STYLE + read_style() + frame.style
    script = f"{read_script()}\n{_START}"
    title = lecture.title or lecture.entries[0].trace.sentence.text
    held = {"entries": [_entry(entry) for entry in lecture.entries]}
    return _PAGE.format(
        policy=(
            f"default-src 'none'; script-src {named_source(script)}; "
            f"style-src {named_source(style)}; base-uri 'none'; form-action 'none'"
            + ("; img-src 'self' file:" if frame.head else "")
        ),
        title=safe_text(title),
        head=frame.head,
        above=frame.above,
        below=frame.below,
        style=style,
        sentence=safe_text(lecture.entries[0].trace.sentence.text),
        canvas=read_html(),
        trace=_embedded(held),
        source=source,
        script=script,
    )


def _entry(entry: Entry) -> dict[str, object]:
    """Give what the script shows of a sentence."""
    trace = entry.trace
    opened = payload_of_opened(trace, Opened(beam=True, heads=True)) | {"isWhole": True}
    if trace.beams:
        opened["graphs"] = compress_json(hypotheses_of(trace, MAX_GRAPHS))
    return {
        "sentence": _shown(trace.sentence.text),
        "note": _shown(entry.note),
        "by": f"{'Made by model' if trace.model.hash else 'Actions:'} {describe_maker(trace)}.",
        "trace": payload_of(trace, entry.start) | {"opened": opened},
    }


def _shown(text: str) -> str:
    """Put the replacement sign for NUL, which HTML cannot hold."""
    return text.replace("\0", "\ufffd")


def safe_text(text: str) -> str:
    """Write text for HTML."""
    return escape(_shown(text))


def _embedded(payload: object) -> str:
    """Write JSON that no reader of HTML takes for a tag or the end of the script."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def named_source(text: str) -> str:
    """Name an inline text in the policy, by its sha-256."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def theme_style() -> str:
    """Give the page's colours, light and dark, as the canvas's style sheet names them."""
    theme = tomllib.loads(_THEME.read_text(encoding="utf-8"))["theme"]
    light, dark = (
        " ".join(f"{name}: {theme[kind][key]};" for key, name in _COLOURS.items())
        for kind in ("light", "dark")
    )
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
