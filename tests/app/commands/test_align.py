"""``aptamr align``: tokens that it replaces are told, and lines that count them go along."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.commands.align import run_align
from aptcore.graph.corpus import read_corpus

FILE = """# ::id t.1
# ::snt Two dogs don't chase a dog.
# ::tok Two dogs don't chase a dog.
# ::node\t0\tchase-01\t3-4
# ::node\t0.0\t-\t2-3
# ::node\t0.1\tdog\t1-2
# ::node\t0.1.0\t2\t
# ::node\t0.2\tdog\t5-6
# ::edge\tchase-01\tARG0\tdog\t0\t0.1\t
(c / chase-01
   :polarity -
   :ARG0 (d / dog
      :quant 2)
   :ARG1 (d2 / dog))
"""


def test_replaced_tokens_are_told_and_spans_go_along(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, output = tmp_path / "jamr.txt", tmp_path / "aligned.txt"
    path.write_text(FILE, encoding="utf-8")
    assert run_align([path], output, (), False, False) == 0
    said = capsys.readouterr().err
    assert "1 sentences had other tokens in ::tok" in said
    assert "the first is on line 1" in said
    (record,) = read_corpus(output).records
    assert record.metadata["tok"] == "Two dogs do n't chase a dog ."
    assert record.metadata["node"].split("\n") == [
        "0\tchase-01\t4-5",
        "0.0\t-\t2-4",
        "0.1\tdog\t1-2",
        "0.1.0\t2",
        "0.2\tdog\t6-8",
    ]
    assert record.metadata["edge"] == "chase-01\tARG0\tdog\t0\t0.1"
    assert [problem.message for problem in record.problems] == ["::node 0.1.0 2 has no span"]
    again = tmp_path / "again.txt"
    assert run_align([output], again, (), False, False) == 0
    assert "other tokens" not in capsys.readouterr().err
    (second,) = read_corpus(again).records
    assert [second.metadata[key] for key in ("tok", "node", "alignments")] == [
        record.metadata[key] for key in ("tok", "node", "alignments")
    ]
