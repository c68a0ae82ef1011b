"""Files that are broken at random: no traceback, and nothing lost in silence."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.mutations import run


def test_no_broken_file_ends_in_a_traceback_or_loses_anything() -> None:
    found = list(run(200, seed=7))
    assert [why for _, _, why in found if why] == []
    fates = Counter(fate for _, fate, _ in found)
    assert {"penman", "json-lines", "text", "refused"} <= fates.keys()


@pytest.mark.parametrize("number", [1250, 5794, 6138])
def test_files_that_lost_something_once_lose_nothing(number: int) -> None:
    """A broken first line of JSON Lines at import, and two byte order marks in a row."""
    ((_, fate, why),) = run(1, seed=1, first=number)
    assert (fate == "fault", why) == (False, "")
