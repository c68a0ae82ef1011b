"""Several seeds and their ensemble: measured once, written into a card."""

import json
from pathlib import Path

import pytest

from trainer.config import TrainConfig
from trainer.learning.loop import train
from trainer.mapping import from_mapping

ROOT = Path(__file__).resolve().parents[2]

GOLD = """# ::id 1
# ::snt The girl sleeps .
(s / sleep-01 :ARG0 (g / girl))

# ::id 2
# ::snt The cook sings .
(s / sing-01 :ARG0 (p / person :ARG0-of (c / cook-01)))
"""

CARD = "# a-model\n\n## Scores\n\n66.6\n\n## How to repeat it\n\nTrain.\n"


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import measure_ensemble

    return measure_ensemble


@pytest.fixture
def trained(tmp_path):
    """Give a maker of finished runs of one epoch: name, gold text and seed."""

    def train_one(name: str, gold: str, seed: int) -> Path:
        (tmp_path / f"{name}.txt").write_text(gold)
        (tmp_path / "gold.txt").write_text(GOLD)
        data = {
            "train": [f"{name}.txt"],
            "dev": ["gold.txt"],
            "root": str(tmp_path),
            "cache": str(tmp_path / "cache"),
        }
        settings = {
            "output": str(tmp_path / name),
            "data": data,
            "oracle": {"min_label_count": 1},
            "loop": {"epochs": 1, "warmup_steps": 2, "dev_every": 9, "seed": seed},
        }
        train(from_mapping(TrainConfig, settings))
        return tmp_path / name

    return train_one


@pytest.fixture
def call(script, monkeypatch, tmp_path):
    (tmp_path / "card.md").write_text(CARD)

    def run(*runs: Path, options: tuple[str, ...] = ()) -> None:
        card = ["--card", str(tmp_path / "card.md")]
        words = ["measure_ensemble.py", *map(str, runs), *options, *card]
        monkeypatch.setattr("sys.argv", words)
        script.main()

    return run


def test_runs_are_measured_once_and_written_into_the_card(
    call, trained, script, tmp_path, monkeypatch
):
    runs = [trained("first", GOLD, 1), trained("second", GOLD, 2)]
    call(*runs)
    first = (tmp_path / "card.md").read_text()
    digests = [script.file_hash(run / "model" / "model.safetensors") for run in runs]
    assert len(set(digests)) == 2
    assert all(
        f"| {run.name} | `{digest}`" in first for run, digest in zip(runs, digests, strict=True)
    )
    assert (
        first.index("## Scores") < first.index("## Ensemble") < first.index("## How to repeat it")
    )
    known = json.loads((runs[0] / "ensemble.json").read_text())
    assert set(known) == {*digests, "+".join(digests)}
    assert all(0 <= found["gold.txt"]["beam 5"] <= 1 for found in known.values())

    def never(*arguments, **settings):
        raise AssertionError("measured again")

    monkeypatch.setattr(script, "dev_scores", never)
    call(*runs)
    assert (tmp_path / "card.md").read_text() == first


def test_models_of_different_labels_and_unfinished_runs_are_no_ensemble(call, trained, tmp_path):
    first = trained("first", GOLD, 1)
    other = trained("other", GOLD.replace(":ARG0 (g", ":ARG1 (g"), 2)
    with pytest.raises(SystemExit, match="their action vocabularies differ"):
        call(first, other)
    (other / "model" / "model.safetensors").unlink()
    with pytest.raises(SystemExit, match="other has no finished model"):
        call(first, other)
    with pytest.raises(SystemExit, match="holds no run"):
        call(tmp_path / "nothing")
    assert (tmp_path / "card.md").read_text() == CARD


def test_runs_of_other_labels_stand_beside_each_other_without_an_ensemble(call, trained, tmp_path):
    runs = [
        trained("first", GOLD, 1),
        trained("other", GOLD.replace(":ARG0 (g", ":ARG1 (g"), 2),
    ]
    call(*runs, options=("--alone",))
    card = (tmp_path / "card.md").read_text()
    assert "## The same recipe with less silver" in card
    assert "## Ensemble" not in card
    assert "- first: no silver files\n- other: no silver files\n" in card
    assert "| ensemble" not in card
    assert "| first | `" in card
    assert "| other | `" in card
    call(runs[0])
    both = (tmp_path / "card.md").read_text()
    assert both.count("\n## ") == card.count("\n## ") + 1
    assert "- other: no silver files\n" in both


def test_a_section_is_replaced_where_it_stands(script):
    once = script.with_section(CARD, "## Ensemble\n\nold\n")
    twice = script.with_section(once, "## Ensemble\n\nnew\n")
    assert twice == once.replace("old", "new")
    assert twice.endswith("## How to repeat it\n\nTrain.\n")
    assert script.with_section("# a\n", "## Ensemble\n\nnew\n") == "# a\n\n## Ensemble\n\nnew\n"
