"""The pages of a site as HTML.

All addresses are relative and nothing is fetched, so that a folder will do; what has no
scripts, or is a search engine, finds drawing and graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from app.exports.drawing import draw_snapshot
from app.exports.stepper import Frame, format_framed, named_source, safe_text, theme_style
from app.site.sheets import Sheet, files_of_sheet
from aptcore.trace.snapshot import snapshot_of

_HERE = Path(__file__).resolve().parent
_STYLE = (_HERE / "site.css").read_text("utf-8")
_INDEX = (_HERE / "index.html").read_text("utf-8")
ICON = "icon.svg"
"""The picture of the site in a tab."""
_LISTS = {"traces": "Sentences", "lessons": "Lessons"}
_NO_PICTURE = re.compile(r"^.*?(?=<svg )|<!--.*?-->\n?|<title>[^<]*</title>\n?", re.DOTALL)
"""What a drawing within a page does without: prologue, remarks, and names that nobody knows."""


def format_index(title: str, sheets: Sequence[Sheet]) -> str:
    """Write the start page, which lists all others with their drawings."""
    style = theme_style() + _STYLE
    return _INDEX.format(
        policy=(
            f"default-src 'none'; style-src {named_source(style)}; img-src 'self' file:; "
            "base-uri 'none'; form-action 'none'"
        ),
        title=safe_text(title),
        style=style,
        lists="".join(_list(folder, sheets) for folder in _LISTS),
    )


def _list(folder: str, sheets: Sequence[Sheet]) -> str:
    rows = [_card(sheet) for sheet in sheets if sheet.folder == folder]
    if not rows:
        return ""
    return f'<h2>{_LISTS[folder]}</h2>\n<ol class="cards">\n{"".join(rows)}</ol>\n'


def _card(sheet: Sheet) -> str:
    alt = safe_text(f"AMR graph: {' '.join(sheet.entry.trace.penman.split())}")
    return (
        f'<li><a href="{sheet.page}">\n'
        f'<img src="{sheet.picture}" alt="{alt}" loading="lazy">\n'
        f"<h3><bdi>{safe_text(sheet.heading)}</bdi></h3></a>\n"
        f"<p>{safe_text(sheet.description)}</p></li>\n"
    )


def format_sheet(sheets: Sequence[Sheet], place: int) -> str:
    """Write the page of a sheet, with ways to those before and after it, and to its files."""
    sheet = sheets[place]
    links = ['<a href="../index.html">All sentences and lessons</a>']
    for name, word, other in (("prev", "Before", place - 1), ("next", "After", place + 1)):
        if 0 <= other < len(sheets):
            label = safe_text(f"{word}: {sheets[other].heading}")
            links.append(f'<a rel="{name}" href="../{sheets[other].page}">{label}</a>')
    lines = "\n".join(links)
    return format_framed(
        sheet.entry,
        Frame(
            title=sheet.title,
            head=(
                f'<meta name="description" content="{safe_text(sheet.description)}">\n'
                f'<link rel="icon" href="../{ICON}" type="image/svg+xml">\n'
            ),
            above=f'<nav class="site" aria-label="This site">\n{lines}\n</nav>\n',
            below=_still(sheet) + _files(sheet),
            style=_STYLE,
        ),
    )


def _still(sheet: Sheet) -> str:
    """Show the graph where no script runs."""
    trace = sheet.entry.trace
    picture = _NO_PICTURE.sub("", draw_snapshot(snapshot_of(trace), "svg").decode("utf-8"))
    return (
        f'<noscript><section class="still">\n<p>{safe_text(sheet.description)} '
        f"The steps need scripts; this is the finished graph.</p>\n"
        f'<div class="plate" role="img" aria-label="The finished graph">{picture}</div>\n'
        f"<pre>{safe_text(trace.penman)}</pre>\n</section></noscript>\n"
    )


def _files(sheet: Sheet) -> str:
    links = "\n".join(
        f'<li><a href="{name}" download>{safe_text(export.name)}</a></li>'
        for name, export in files_of_sheet(sheet).items()
    )
    return (
        f'<footer>\n<h2 id="files">Files of this graph</h2>\n'
        f'<ul class="files" aria-labelledby="files">\n{links}\n</ul>\n</footer>\n'
    )
