"""The stand-alone stepper: one HTML file that steps through a trace without a server.

It is the page's own canvas with the same payload. The file asks the network for
nothing, and its content security policy lets only its own script run: whatever a
sentence holds stays text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import tomllib
from html import escape
from pathlib import Path

import app
from app.canvas.trace.drawing import payload_of
from app.canvas.trace.parts import read_html, read_script, read_style
from aptcore.trace.trace import Trace

_THEME = Path(app.__file__).resolve().parent / ".streamlit" / "config.toml"
_COLOURS = {
    "textColor": "--st-text-color",
    "backgroundColor": "--st-background-color",
    "secondaryBackgroundColor": "--st-secondary-background-color",
    "primaryColor": "--st-primary-color",
}
_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; padding: 16px; background: var(--st-background-color); }
header, main { max-width: 1400px; margin: 0 auto 12px; }
header { font: 400 14px/1.45 system-ui, sans-serif; color: var(--st-text-color); }
h1 { font-size: 17px; margin: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
"""
_START = """
// --- alone in a file -----------------------------------------------------------------

const named = /^#step=(\\d{1,6})$/.exec(location.hash);
const trace = JSON.parse(document.getElementById("trace").textContent);
if (named) trace.start = Number(named[1]);
show({
  parentElement: document.body,
  data: trace,
  setStateValue: (name, at) => {
    if (name === "at") location.replace(`#step=${at.step}`);
  },
});
document.querySelector(".apt").focus({ preventScroll: true });
"""
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header><h1><bdi>{sentence}</bdi></h1><p>{made_by}</p></header>
<main>
{canvas}</main>
<script type="application/json" id="trace">{trace}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def format_stepper(trace: Trace, start: int = 0) -> str:
    """Write the stepper as HTML.

    Args:
        trace: What is stepped through.
        start: How many actions are taken where it opens; ``#step=`` and a number in the
            address override it.
    """
    style = _theme_style() + _STYLE + read_style()
    script = read_script() + _START
    model = trace.model
    made_by = (
        f"Made by model {model.id}, hash {model.hash}, on {model.device}, {model.precision}, "
        f"beam {trace.beam}."
    )
    return _PAGE.format(
        policy=(
            f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}; "
            "base-uri 'none'; form-action 'none'"
        ),
        title=_text(f"{trace.sentence.text} – stepped"),
        style=style,
        sentence=_text(trace.sentence.text),
        made_by=_text(made_by),
        canvas=read_html(),
        trace=_embedded(payload_of(trace, start)),
        script=script,
    )


def _text(text: str) -> str:
    """Write text for HTML; NUL, which HTML cannot hold, becomes the replacement sign."""
    return escape(text.replace("\0", "\ufffd"))


def _embedded(payload: object) -> str:
    """Write JSON that no reader of HTML takes for a tag or the end of the script."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _source(text: str) -> str:
    """Name an inline text in the policy, by its sha-256."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _theme_style() -> str:
    """Give the page's colours, light and dark, as the canvas's style sheet names them."""
    theme = tomllib.loads(_THEME.read_text(encoding="utf-8"))["theme"]
    light, dark = (
        " ".join(f"{name}: {theme[kind][key]};" for key, name in _COLOURS.items())
        for kind in ("light", "dark")
    )
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
