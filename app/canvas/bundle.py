"""One script from the JavaScript modules of a component.

Streamlit takes a component's script as a single text, and users have no Node to make it
with. So the modules are joined here when a component loads: each after those that it
imports, in one scope, without ``import``, ``export`` and JSDoc. For that a module imports by name
from files beside it, exports declarations, and no name is declared twice among those that
are joined; all else is an error that says where.
"""

from __future__ import annotations

import re
from functools import cache
from os.path import normpath
from pathlib import Path

from aptcore.errors import FormatError

_IMPORT = re.compile(r'^import \{([\w\s,$]*)\} from "(\.[^"\n]*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async function|function|const|let|class) (\w+)", re.MULTILINE)
_DECLARED = re.compile(
    r"^(?:export (?:default )?)?(?:async function|function|const|let|class) (\w+)", re.MULTILINE
)
_DEFAULT = re.compile(r"^export default function \w", re.MULTILINE)
_NOTE = re.compile(r"^ */\*\*[^*]*(?:\*(?!/)[^*]*)*\*/\n", re.MULTILINE)
_GAP = re.compile(r"\n{3,}")
_REFUSED = re.compile(
    r"^(?:import|export)\b.*|\bimport *[(.].*|^(?:var\b|(?:const|let) *[\[{]).*", re.MULTILINE
)


class ScriptError(FormatError):
    """A JavaScript module that cannot be joined with others; carries path and line."""


@cache
def read_script(entry: Path) -> str:
    """Join a module and all that it imports; the default export of ``entry`` stays one.

    Raises:
        ScriptError: A module holds what cannot be joined, imports what is not there or what
            imports it, or declares a name that another one declares.
    """
    texts: dict[Path, str] = {}
    _collect(entry.resolve(), texts, set())
    _check_names(texts)
    return "\n".join(_without_modules(path, text, entry.resolve()) for path, text in texts.items())


def _collect(path: Path, texts: dict[Path, str], begun: set[Path]) -> None:
    """Read a module behind those that it imports: the order in which a browser runs them."""
    begun.add(path)
    text = path.read_text(encoding="utf-8")
    for found in _IMPORT.finditer(text):
        source = Path(normpath(path.parent / found[2]))  # resolve() asks the disk for each folder
        if not source.is_file():
            raise _error(path, text, found.start(), f"there is no module {found[2]}")
        if source in begun and source not in texts:
            raise _error(path, text, found.start(), f"{found[2]} imports {path.name} in a circle")
        if source not in begun:
            _collect(source, texts, begun)
        _check_exported(path, text, found, texts[source])
    texts[path] = text


def _check_exported(path: Path, text: str, found: re.Match[str], source: str) -> None:
    exported = set(_EXPORT.findall(source))
    for name in found[1].replace(",", " ").split():
        if name not in exported:
            raise _error(path, text, found.start(), f"{found[2]} exports no {name}")


def _check_names(texts: dict[Path, str]) -> None:
    owners: dict[str, Path] = {}
    for path, text in texts.items():
        for found in _DECLARED.finditer(text):
            owner = owners.setdefault(found[1], path)
            if owner != path:
                message = f"{found[1]} is declared in {owner.name} too, and both go into one script"
                raise _error(path, text, found.start(), message)


def _without_modules(path: Path, text: str, entry: Path) -> str:
    """Take ``import``, ``export`` and JSDoc out of a module; of ``entry`` the default stays."""
    for left_out in (_NOTE, _IMPORT):
        text = left_out.sub(lambda found: "\n" * found[0].count("\n"), text)
    code = _EXPORT.sub(lambda found: found[0].removeprefix("export "), text)
    rest = _DEFAULT.sub("", code) if path == entry else code
    if refused := _REFUSED.search(rest):
        message = f"{refused[0].strip()!r} cannot be joined with other modules"
        raise _error(path, rest, refused.start(), message)
    return _GAP.sub("\n\n", code).strip() + "\n"


def _error(path: Path, text: str, place: int, message: str) -> ScriptError:
    return ScriptError(message, path=str(path), line=text.count("\n", 0, place) + 1)
