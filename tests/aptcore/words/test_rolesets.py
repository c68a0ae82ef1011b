"""The names of the frames that travel with the program."""

from __future__ import annotations

import pytest

from aptcore.words.rolesets import is_no_roleset, rolesets


@pytest.mark.parametrize(
    ("concept", "expected"),
    [
        ("want-01", False),
        ("have-org-role-91", False),
        ("give-up-07", False),
        ("ambit-01", True),
        ("drawing-01", True),
        ("fast-00", True),
        ("boy", False),
        ("first-aid", False),
    ],
)
def test_frames_that_no_list_has_are_known_as_such(concept, expected):
    assert is_no_roleset(concept) == expected


def test_only_names_travel():
    assert len(rolesets()) > 11_000
    assert all(name == name.strip() and " " not in name for name in rolesets())
