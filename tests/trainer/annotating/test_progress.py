"""How far a stream of lines is, and how long it will take."""

from __future__ import annotations

from trainer.annotating.progress import Progress, span


def test_share_rate_and_time_left_are_told_now_and_then() -> None:
    now, said = [0.0], list[str]()
    progress = Progress(said.append, lambda: now[0])
    progress.read(100, 0.125)
    progress.skip(100)
    for _ in range(4):
        now[0] += 2.0
        progress.read(100, now[0] / 16)
        progress.add(100)
    assert said == [
        "going on after 100 sentences that were done before",
        "400 sentences, 38%, 50.0 a second, 13 s left",
    ]
    now[0] = 10.0
    progress.end()
    assert said[-1] == "500 sentences, 40.0 a second"


def test_spans_are_said_as_a_person_says_them() -> None:
    assert [span(seconds) for seconds in (0, 59, 61, 3599, 3600 * 30.5, 3600 * 24 * 10)] == [
        "0 s", "59 s", "1 min", "1 h 0 min", "30 h 30 min", "10 d 0 h",
    ]  # fmt: skip
