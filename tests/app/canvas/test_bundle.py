"""One script from the modules of a component, and what cannot be made one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import app.canvas
from app.canvas.bundle import ScriptError, read_script

CANVAS = Path(app.canvas.__file__).parent
ENTRIES = ("trace/show.js", "editor/edit.js", "aligner/align.js", "union/union.js", "own/own.js")


def module(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_component_is_one_script_with_one_export(entry: str) -> None:
    lines = read_script(CANVAS / entry).splitlines()
    assert not [line for line in lines if line.startswith("import")]
    exports = [line for line in lines if line.startswith("export")]
    assert [line.startswith("export default function show(") for line in exports] == [True]


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_node_runs_the_script_of_a_component(entry: str, tmp_path: Path) -> None:
    script = module(tmp_path, "component.mjs", read_script(CANVAS / entry))
    ask = f"import({script.as_uri()!r}).then((module) => console.log(typeof module.default))"
    run = subprocess.run(["node", "-e", ask], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("function\n", "")


def test_every_module_belongs_to_a_component() -> None:
    entries = (*ENTRIES, "stepper/stepper.js")  # which a lecture holds, not a page
    joined = "".join(read_script(CANVAS / entry) for entry in entries)
    alone = CANVAS / "stepper" / "stepper.js"  # app/exports/stepper.py joins it by itself
    for path in {*CANVAS.rglob("*.js")} - {alone}:
        text = path.read_text(encoding="utf-8")
        declared = re.findall(r"(?m)^.*function \w+\(.*$|^(?:export )?const \w+ = .*$", text)
        assert declared, path
        assert all(line.removeprefix("export ") in joined for line in declared), path


def test_what_is_imported_stands_before_what_imports_it(tmp_path: Path) -> None:
    module(tmp_path, "deep.js", "export const deep = 1;\n")
    module(tmp_path, "other.js", 'import { deep } from "./deep.js";\nexport const other = deep;\n')
    entry = module(
        tmp_path,
        "entry.js",
        'import { other } from "./other.js";\nimport {\n  deep,\n} from "./deep.js";\n\n'
        "export default function show() { return other + deep; }\n",
    )
    lines = [line for line in read_script(entry).splitlines() if line]
    assert lines == [
        "const deep = 1;",
        "const other = deep;",
        "export default function show() { return other + deep; }",
    ]


def test_notes_on_types_stay_behind_and_nothing_else_does(tmp_path: Path) -> None:
    lines = (
        '/** @import { Deep } from "./deep.js" */',
        "",
        "/** Gives it.",
        " * @param {Deep} deep */",
        "export function keep(deep) {",
        "  /** @type {Deep} */ (deep).focus(); // why",
        "  /** @type {number} */",
        "  const kept = 1;",
        "}",
    )
    text = read_script(module(tmp_path, "entry.js", "\n".join(lines) + "\n"))
    kept = [line for line in text.splitlines() if line]
    assert kept == ["function keep(deep) {", lines[5], lines[7], "}"]


def test_modules_that_import_each_other_are_an_error(tmp_path: Path) -> None:
    one = 'import { two } from "./two.js";\nexport function one() { two(); }\n'
    two = 'import { one } from "./one.js";\nexport function two() { one(); }\n'
    module(tmp_path, "two.js", two)
    with pytest.raises(ScriptError, match=r"two\.js:1: \./one\.js imports two\.js in a circle"):
        read_script(module(tmp_path, "one.js", one))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('import { gone } from "./gone.js";\n', r"entry\.js:1: there is no module \./gone\.js"),
        ('import { other } from "./known.js";\n', r"entry\.js:1: \./known\.js exports no other"),
        ('import { known as same } from "./known.js";\n', r"exports no as"),
        ('\nimport known from "./known.js";\n', r"entry\.js:2: 'import known from .* cannot be"),
        ('import * as all from "./known.js";\n', r"'import \* as all"),
        ('import { known } from "far";\n', r'from "far";\' cannot be joined'),
        ("const later = import('./known.js');\n", r"import.* cannot be joined"),
        ('export * from "./known.js";\n', r"'export \* from"),
        ("const one = 1;\nexport { one };\n", r"entry\.js:2: 'export \{ one \};' cannot"),
        ("const { one } = two;\n", r"'const \{ one \} = two;' cannot be joined"),
        (
            'import { known } from "./known.js";\nfunction own() {}\n',
            r"entry\.js:2: own is declared in known\.js too, and both go into one script",
        ),
    ],
)
def test_what_cannot_be_joined_is_an_error_that_says_where(
    tmp_path: Path, text: str, reason: str
) -> None:
    module(tmp_path, "known.js", "export const known = 1;\nconst own = 2;\n")
    with pytest.raises(ScriptError, match=reason):
        read_script(module(tmp_path, "entry.js", text))


def test_only_the_entry_has_a_default_export(tmp_path: Path) -> None:
    module(tmp_path, "part.js", "export const part = 1;\nexport default function show() {}\n")
    with pytest.raises(ScriptError, match=r"part\.js:2: 'export default function show.* cannot be"):
        read_script(module(tmp_path, "entry.js", 'import { part } from "./part.js";\n'))
