"""``aptamr evaluate``: two systems, unproven pairs, and what the options change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from aptcore.graph.checks import triples
from aptcore.graph.penman import parse_penman
from aptcore.scoring.normalising import normalised

GOLD = """# ::id one
(r / rain-01
   :mod (h / hard))

# ::id two
(b / bark-01
   :ARG0 (d / dog))
"""


def alike_text(shift: int) -> str:
    """Give a graph of 12 nodes with one concept, which only their edges tell apart."""
    text = "(n0 / x"
    for number in range(1, 12):
        text += f" :r (n{number} / x :s n{(number * 5 + shift) % 12}" + ")" * (number % 3 > 0)
    return text + ")" * (text.count("(") - text.count(")")) + "\n"


def chain_text(end: str) -> str:
    """Give a chain of 1,500 nodes, deeper than Python's stack, that leads to a graph."""
    opened = "".join(f"(x{number} / deep :ARG0 " for number in range(1500))
    return f"{opened}{end}{')' * 1500}"


def run(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as exit_info:
        main(["evaluate", *map(str, arguments)])
    return int(exit_info.value.code or 0)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Gold graphs, a system with one fault, and one without."""
    paths = tmp_path / "gold.amr", tmp_path / "first.amr", tmp_path / "second.amr"
    for path, text in zip(paths, (GOLD, GOLD.replace("hard", "soft"), GOLD), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_two_systems_are_compared(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*files, "--json", "--seed", "5", "--fine-grained") == 0
    written: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [system["smatch"]["f1"] for system in written["systems"]] == [0.875, 1.0]
    assert written["difference"] == 0.125
    assert (written["better"], written["worse"], written["equal"]) == (1, 0, 1)
    assert (written["seed"], written["sentences"]) == (5, 2)
    assert run(*files, "--fine-grained") == 0
    table = capsys.readouterr().out
    assert "smatch           0.8750  1.0000     +0.1250" in table
    assert "concepts         0.7500  1.0000     +0.2500" in table
    assert "second better on 1, worse on 0, equal on 1" in table


def test_every_system_needs_as_many_graphs_as_there_are_gold(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, first, second = files
    second.write_text("(a / b)\n", encoding="utf-8")
    assert run(gold, first, second) == 2
    assert f"{second}: 2 gold graphs, but 1 predictions, so" in capsys.readouterr().err


def test_the_report_says_how_the_root_counts_and_names_what_is_unproven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, predicted = tmp_path / "gold.amr", tmp_path / "predicted.amr"
    gold.write_text("# ::id hard\n" + alike_text(3), encoding="utf-8")
    predicted.write_text(alike_text(1), encoding="utf-8")
    assert run(gold, predicted) == 0
    proven = capsys.readouterr().out
    assert "root       counted, as one triple" in proven
    assert "not proven" not in proven
    assert run(gold, predicted, "--time-limit", "0") == 0
    unproven = capsys.readouterr().out
    assert "scorer     exact, 1 pairs unproven" in unproven
    assert "graph 1 (hard), smatch: F1 from " in unproven


def test_processes_do_not_change_the_report(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, first, _ = files
    run(gold, first, "--json")
    alone = capsys.readouterr().out
    run(gold, first, "--json", "--jobs", "2")
    assert capsys.readouterr().out == alone


def test_a_repeated_triple_is_told_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "gold.amr"
    gold.write_text("(d / date-entity :day 9 :day 9)\n", encoding="utf-8")
    assert run(gold, gold) == 0
    assert "d :day 9 is repeated; it is kept once" in capsys.readouterr().err


def test_nothing_to_score_against_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.amr"
    empty.write_text("", encoding="utf-8")
    assert run(empty, empty) == 2
    assert "no graph in it to score against" in capsys.readouterr().err


def test_predictions_belong_to_the_gold_graphs_of_their_ids(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, predicted, _ = files
    one, two = GOLD.split("\n\n")
    other = "# ::id three\n(s / snow-01)\n"
    predicted.write_text("\n\n".join([two, other, one]), encoding="utf-8")
    assert run(gold, predicted, "--json") == 0
    output = capsys.readouterr()
    written = json.loads(output.out)
    assert written["smatch"]["f1"] == 1.0
    assert written["paired"] == [{"by": "id", "missing": [], "extra": ["three"]}]
    assert "1 sentences that are not among the gold ones" in output.err
    predicted.write_text(two + "\n\n" + other, encoding="utf-8")
    assert run(gold, predicted, "--json") == 1
    output = capsys.readouterr()
    written = json.loads(output.out)
    assert written["failed"] == 1
    assert written["paired"][0]["missing"] == ["one"]
    assert "lacks 1 sentences, which count as failed: one" in output.err
    predicted.write_text(two + "\n\n" + one, encoding="utf-8")
    assert run(gold, predicted, "--json", "--pair", "order") == 0
    written = json.loads(capsys.readouterr().out)
    assert written["smatch"]["f1"] < 1
    assert written["paired"][0]["by"] == "order"


@pytest.mark.parametrize("ids", [("1", "2"), ("one", "one"), ("one", "")])
def test_ids_that_are_missing_repeated_or_all_other_ones_pair_by_order(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str], ids: tuple[str, str]
) -> None:
    gold, predicted, _ = files
    text = GOLD.replace("::id one", f"::id {ids[0]}").replace("# ::id two", f"# ::id {ids[1]}")
    predicted.write_text(text.replace("# ::id \n", ""), encoding="utf-8")
    assert run(gold, predicted, "--json") == 0
    written = json.loads(capsys.readouterr().out)
    assert written["smatch"]["f1"] == 1.0
    assert written["paired"][0]["by"] == "order"


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("(b / big :domain (d / dog))", "(b / big :mod-of (d / dog))", 1),
        ("(d / dog :mod (b / big))", "(d / dog :domain-of (b / big))", 1),
        ("(s / sit-01 :location (p / park))",
         "(s / sit-01 :ARG1-of (b / be-located-at-91 :ARG2 (p / park)))", 1),
        ("(c / chapter :mod 7)", "(c / chapter :ARG1-of (h / have-mod-91 :ARG2 7))", 1),
        ("(q / quiet :domain (z / zoo :mod q))", "(q / quiet :domain (z / zoo))", 2),
        (chain_text("(s / see-01 :time (n / now))"),
         chain_text("(s / see-01 :ARG1-of (b / be-temporally-at-91 :ARG2 (n / now)))"), 1),
    ],
)  # fmt: skip
def test_what_amr_says_in_two_ways_is_one_where_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], one: str, other: str, count: int
) -> None:
    gold, predicted = tmp_path / "gold.amr", tmp_path / "predicted.amr"
    gold.write_text(one, encoding="utf-8")
    predicted.write_text(other, encoding="utf-8")
    run(gold, predicted, "--json", "--normalise")
    written = json.loads(capsys.readouterr().out)
    assert written["smatch"]["f1"] == 1.0
    assert written["normalised"]["gold"] + written["normalised"]["predicted"][0] >= count


@pytest.mark.parametrize(
    "penman",
    [
        "(b / be-located-at-91 :ARG1 (c / cat) :ARG2 (p / park))",  # the root says more
        "(s / sit-01 :ARG1-of (b / be-located-at-91 :ARG2 (p / park) :polarity -))",
        "(s / see-01 :ARG1 (b / be-located-at-91 :ARG1 (c / cat) :ARG2 (p / park)))",
    ],
)
def test_a_reification_that_says_more_than_a_role_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], penman: str
) -> None:
    gold = tmp_path / "gold.amr"
    gold.write_text(penman, encoding="utf-8")
    run(gold, gold, "--json", "--normalise")
    written = json.loads(capsys.readouterr().out)
    assert written["normalised"] == {"gold": 0, "predicted": [0]}


@pytest.mark.parametrize("pair", range(3))
def test_case_c67_is_scored_plain_and_normalised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cases: dict[str, Any], pair: int
) -> None:
    case = cases["c67"]
    gold, predicted = tmp_path / "gold.amr", tmp_path / "predicted.amr"
    for path, side in ((gold, "gold"), (predicted, "pred")):
        path.write_text(case["input"]["pairs"][pair][side], encoding="utf-8")
    before = gold.read_bytes(), predicted.read_bytes()
    run(gold, predicted, "--json")
    plain = json.loads(capsys.readouterr().out)
    wanted = case["expected"]["score"][pair]
    assert {name: round(plain["smatch"][name], 4) for name in plain["smatch"]} == {
        name: wanted[name] for name in plain["smatch"]
    }
    assert "normalised" not in plain
    run(gold, predicted, "--json", "--normalise")
    written = json.loads(capsys.readouterr().out)
    assert written["smatch"]["f1"] == case["expected"]["score_after_normalising"][pair]["f1"]
    assert written["normalised"]["gold"] + written["normalised"]["predicted"][0] == 1
    assert (gold.read_bytes(), predicted.read_bytes()) == before
    for text, form in zip(case["input"]["pairs"], case["expected"]["canonical"], strict=True):
        for graph in (text["pred"], text["gold"]):
            assert set(triples(normalised(parse_penman(graph))[0])) == set(
                triples(parse_penman(form))
            )
    for text in case["input"]["keep"]:
        kept, num_changed = normalised(parse_penman(text))
        assert (set(triples(kept)), num_changed) == (set(triples(parse_penman(text))), 0)


@pytest.mark.parametrize(("how", "wanted"), [("id", "total"), ("order", "total_by_order")])
def test_case_c66_pairs_by_id_or_order_and_says_which(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    cases: dict[str, Any],
    how: str,
    wanted: str,
) -> None:
    case = cases["c66"]
    for name, text in case["input"]["files"].items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = tmp_path / "gold.txt", tmp_path / "pred.txt"
    assert run(*files, "--pair", how, "--json") == 0
    written = json.loads(capsys.readouterr().out)
    total = case["expected"][wanted]
    assert {name: round(value, 4) for name, value in written["smatch"].items()} == {
        name: total[name] for name in ("precision", "recall", "f1")
    }
    assert written["paired"][0]["by"] == how
    run(*files, "--pair", how)
    assert f"paired      by {how}" in capsys.readouterr().out


@pytest.mark.parametrize("ids", [True, False])
def test_two_folders_are_paired_file_by_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ids: bool
) -> None:
    """Case c61: files by their place below, where ids (none, or the same in each) do not tell."""
    words = {"a/part.txt": ("rain", "hail"), "b/part.txt": ("snow",), "c.txt": ("thaw",)}
    gold, predicted = tmp_path / "gold", tmp_path / "predicted"
    for place, concepts in words.items():
        blocks = [
            f"# ::id {number}\n({word[0]} / {word}-01)\n" if ids else f"({word[0]} / {word}-01)\n"
            for number, word in enumerate(concepts, 1)
        ]
        for folder, order in ((gold, 1), (predicted, -1 if ids else 1)):
            name = folder / ("d.txt" if (folder, place) == (predicted, "c.txt") else place)
            name.parent.mkdir(parents=True, exist_ok=True)
            name.write_text("\n".join(blocks[::order]), encoding="utf-8")
    assert run(gold, predicted, "--json") == 1
    output = capsys.readouterr()
    written = json.loads(output.out)
    assert (written["sentences"], written["failed"]) == (4, 1)
    assert written["smatch"] == {"precision": 1.0, "recall": 0.75, "f1": pytest.approx(6 / 7)}
    assert written["paired"] == [{"by": "file", "missing": ["c.txt: 1"], "extra": ["d.txt: 1"]}]
    assert "c.txt" in output.err
    (predicted / "a" / "part.txt").write_text("(r / rain-01)\n", encoding="utf-8")
    assert run(gold, predicted) == 2
    assert "a/part.txt: 2 gold graphs, but 1 predictions" in capsys.readouterr().err
