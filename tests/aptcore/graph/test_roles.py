"""Roles of a project's own: known everywhere, and only while the list is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aptcore.advice.likely import Setting
from aptcore.advice.likely_roles import likely_roles
from aptcore.advice.problems.finding import all_problems
from aptcore.errors import ConfigurationError
from aptcore.graph.penman import parse_penman
from aptcore.graph.roles import own_roles, read_own_roles, use_own_roles
from aptcore.graph.validation import problems_of
from aptcore.words.frames import Counts, Lexicon

LEXICON = Lexicon({}, "", Counts({}, {}, {":mod": 2}, frozenset(), 1))
SAID = "(s / say-01 :speaker (b / boy :ARG1-from-of (c / cup)))"


@pytest.fixture
def listed(tmp_path: Path) -> Iterator[None]:
    path = tmp_path / "roles.txt"
    path.write_text("# ours\n:speaker\n\n  ARG1-from  \n", encoding="utf-8")
    use_own_roles(read_own_roles(path))
    yield
    use_own_roles(frozenset())


def test_without_a_list_such_roles_are_errors() -> None:
    assert own_roles() == frozenset()
    kinds = [problem.kind for problem in all_problems(parse_penman(SAID), LEXICON)]
    assert kinds == ["unknown-role", "unknown-role"]


def test_roles_of_the_list_are_known_in_both_directions(listed: None) -> None:
    assert own_roles() == {":speaker", ":ARG1-from"}
    assert not all_problems(parse_penman(SAID), LEXICON)
    assert not problems_of(parse_penman(SAID))


def test_a_role_like_one_of_the_list_gets_that_as_its_fix(listed: None) -> None:
    (problem,) = all_problems(parse_penman("(s / say-01 :speeker (b / boy))"), LEXICON)
    assert [fix.text for fix in problem.fixes] == ["call it :speaker"]


def test_roles_of_the_list_complete_what_is_typed(listed: None) -> None:
    setting = Setting(parse_penman("(s / say-01 :mod (b / boy))"), LEXICON)
    (found,) = likely_roles(setting, "s", "b", "spe")
    assert (found.text, found.gloss) == (":speaker", "of this project")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":speaker\nthe hearer\n", "line 2: 'the hearer' is no role"),
        (":2\n", "line 1: ':2' is no role"),
        ("# nothing yet\n", "there is no role in"),
        (None, "cannot read the list of roles"),
    ],
)
def test_a_bad_list_says_why(text: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "roles.txt"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=message):
        read_own_roles(path)
