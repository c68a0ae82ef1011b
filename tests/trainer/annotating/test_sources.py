"""Which sentences are annotated, by which names."""

from __future__ import annotations

from pathlib import Path

import pytest

from aptcore.errors import TrainingError
from trainer.annotating.sources import sentences_of

AMR = """# ::id a.1
# ::snt She left.
(l / leave-11)

# ::id a.2
(l / leave-11)

# ::id a.3
# ::tok It rained .
(r / rain-01)

# ::snt It rained again .
(r / rain-01 :mod (a / again))
"""


def test_lines_and_blocks_are_read_each_text_once(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("It rains.\r\n\nShe left.\n")
    (tmp_path / "gold.amr").write_text(AMR)
    (tmp_path / "said.txt").write_text("He sang.\nIt rains.\n")
    said: list[str] = []
    paths = [tmp_path / name for name in ("lines.txt", "gold.amr", "said.txt")]
    assert sentences_of(paths, said.append) == (
        ["lines.1", "lines.3", "gold.a.3", "gold.3", "said.1"],
        ["It rains.", "She left.", "It rained .", "It rained again .", "He sang."],
    )
    assert said == [
        "lines.txt: 2 sentences",
        "1 blocks have no sentence and are left out",
        "gold.amr: 2 sentences",
        "said.txt: 1 sentences",
    ]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"cannot read .*b\.txt"):
        sentences_of([tmp_path / "b.txt"], print)
