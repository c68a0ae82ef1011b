"""``aptamr oracle``: the own variant, all variants side by side, word lists, empty files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from aptcore.oracle.oracle import VARIANTS

SAD = """# ::id s
# ::snt The sadness of the unhappy boy .
(s / sad-02
   :ARG1 (b / boy
      :ARG1-of (h / happy-01
         :polarity -)))
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """Give exit status, standard output and standard error of ``aptamr oracle``."""
    with pytest.raises(SystemExit) as exit_info:
        main(["oracle", *map(str, arguments)])
    captured = capsys.readouterr()
    return int(exit_info.value.code or 0), captured.out, captured.err


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.amr"
    path.write_text(SAD, encoding="utf-8")
    return path


def test_the_own_variant_is_the_default(capsys: pytest.CaptureFixture[str], gold: Path) -> None:
    _, output, _ = run(capsys, gold)
    assert output.splitlines()[0].split() == ["variant", "exact"]


def test_the_own_variant_copies_more_than_the_paper(
    capsys: pytest.CaptureFixture[str], gold: Path
) -> None:
    shares = [
        json.loads(run(capsys, gold, "--variant", name, "--json")[1])["copy_share"]
        for name in ("exact", "paper")
    ]
    assert shares[0] > shares[1]


def test_all_variants_stand_side_by_side(capsys: pytest.CaptureFixture[str], gold: Path) -> None:
    status, output, _ = run(capsys, gold, "--variant", "all", "--vocabulary-from", gold)
    head, *rows = output.splitlines()
    assert status == 0
    assert head.split() == (
        ["variant", "actions/token", "exact", "Smatch"]
        + ["labels", "once", "unseen", "not", "reached", "seconds"]
    )
    assert [row.split()[0] for row in rows] == list(VARIANTS)


def test_all_variants_as_json_are_a_list(capsys: pytest.CaptureFixture[str], gold: Path) -> None:
    _, output, _ = run(capsys, gold, "--variant", "all", "--json")
    rows = json.loads(output)
    assert [row["variant"] for row in rows] == list(VARIANTS)
    single = json.loads(run(capsys, gold, "--variant", "post-order", "--json")[1])
    same = {**rows[-1], "seconds": 0.0}
    assert same == {"variant": "post-order", **single, "seconds": 0.0}


def test_what_is_not_reached_is_listed_by_variant(
    capsys: pytest.CaptureFixture[str], gold: Path
) -> None:
    text = "# ::snt boys\n(b / boy :ARG0-of (s / see-01 :ARG1 b))\n"
    gold.write_text(text.replace("see-01", "see-01 :ARG0 s"), encoding="utf-8")
    _, output, _ = run(capsys, gold, "--variant", "all", "--show-unreachable")
    assert any(line.startswith("paper: 1: s :ARG0 s: ") for line in output.splitlines())
    assert not any(line.startswith("exact: ") for line in output.splitlines())


def test_lists_by_path_add_to_the_tables(
    capsys: pytest.CaptureFixture[str], gold: Path, tmp_path: Path
) -> None:
    gold.write_text("# ::snt zappage\n(z / zap-73)\n", encoding="utf-8")
    lists = tmp_path / "lists"
    lists.mkdir()
    (lists / "propbank-amr-frames.txt").write_text("zap-73  ARG0: who\n", encoding="utf-8")
    (lists / "morph-verbalization.txt").write_text(
        '::DERIV-VERB "zap" ::DERIV-NOUN "zappage"\n', encoding="utf-8"
    )
    plain = json.loads(run(capsys, gold, "--json")[1])
    listed = json.loads(run(capsys, gold, "--lists", lists, "--json")[1])
    assert (plain["copy_share"], listed["copy_share"]) == (0.0, 1.0)


@pytest.mark.parametrize("text", ["", "\n\n", "# no graph here\n# ::id a.1\n"])
def test_a_file_without_a_graph_is_told_with_status_1(
    capsys: pytest.CaptureFixture[str], gold: Path, text: str
) -> None:
    gold.write_text(text, encoding="utf-8")
    status, output, messages = run(capsys, gold, "--json")
    assert status == 1
    assert json.loads(output)["sentences"] == 0
    assert f"error: no graph in {gold}" in messages


def test_a_folder_without_lists_is_bad_usage(
    capsys: pytest.CaptureFixture[str], gold: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    status, output, messages = run(capsys, gold, "--lists", empty)
    assert (status, output) == (2, "")
    assert "no word list in" in messages
