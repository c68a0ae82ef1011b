"""What contributors and citing people rely on: hooks, workflow, links and citation agree."""

from __future__ import annotations

import re
import subprocess
import tomllib
from typing import Any

import yaml

import aptcore
from tests.modules import ROOT

CHECK = ROOT / "scripts" / "check"


def loaded(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def parts() -> set[str]:
    return set(re.findall(r"^check_(\w+)\(\)", CHECK.read_text(encoding="utf-8"), re.M))


def test_hooks_run_every_part_of_the_check_and_nothing_else() -> None:
    (repository,) = loaded(".pre-commit-config.yaml")["repos"]
    entries = [hook["entry"].split() for hook in repository["hooks"]]
    assert {tuple(entry[:2]) for entry in entries} == {("scripts/check", "--only")}
    assert {entry[2] for entry in entries} == parts() == {"style", "types", "pages", "tests"}
    named = [word for entry in entries for word in entry if word.startswith("tests/")]
    assert all((ROOT / word).is_file() for word in named)


def test_a_part_that_there_is_not_is_refused() -> None:
    run = subprocess.run([CHECK, "--only", "stile"], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "style, types, pages or tests, not 'stile'" in run.stderr


def test_the_workflow_checks_each_python_that_the_project_names() -> None:
    job = loaded(".github/workflows/check.yml")["jobs"]["check"]
    versions = job["strategy"]["matrix"]["python"]
    named = [text.rpartition(" ")[2] for text in project()["classifiers"] if ":: 3." in text]
    assert versions == named
    assert project()["requires-python"] == f">={versions[0]}"
    assert job["steps"][-1] == {"run": ".ci/run"}
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_the_citation_is_of_this_version_and_licence() -> None:
    cited = loaded("CITATION.cff")
    assert cited["version"] == aptcore.__version__
    assert cited["license"] == project()["license"]
    (paper,) = cited["references"]
    assert paper["url"] == project()["urls"]["Paper"]
    assert paper["doi"].rpartition("/")[2] == paper["url"].rpartition("/")[2]
