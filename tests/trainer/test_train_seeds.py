"""Several seeds and their ensemble: trained once, measured once, written into a card."""

import json
from pathlib import Path

import pytest

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
    import train_seeds

    return train_seeds


@pytest.fixture
def call(script, monkeypatch, tmp_path):
    (tmp_path / "gold.txt").write_text(GOLD)
    (tmp_path / "card.md").write_text(CARD)
    (tmp_path / "tiny.toml").write_text(
        f"""
        name = "apt-tiny"
        output = "{tmp_path / "run"}"
        [data]
        train = ["gold.txt"]
        dev = ["gold.txt"]
        root = "{tmp_path}"
        cache = "{tmp_path / "cache"}"
        [oracle]
        min_label_count = 1
        [loop]
        epochs = 6
        warmup_steps = 2
        dev_every = 9
        """
    )

    def run(*arguments: object) -> None:
        card = ["--card", str(tmp_path / "card.md")]
        monkeypatch.setattr("sys.argv", ["train_seeds.py", *map(str, arguments), *card])
        script.main()

    return run


def test_seeds_are_trained_and_measured_once_and_written_into_the_card(
    call, script, tmp_path, monkeypatch, capsys
):
    call(tmp_path / "tiny.toml", "--seeds", 1, 2)
    first = (tmp_path / "card.md").read_text()
    configs = [
        json.loads((tmp_path / name / "config.json").read_text()) for name in ("run", "run-2")
    ]
    assert [config["loop"]["seed"] for config in configs] == [1, 2]
    digests = [
        script.file_hash(tmp_path / n / "model" / "model.safetensors") for n in ("run", "run-2")
    ]
    assert len(set(digests)) == 2
    assert all(f"`{digest}`" in first for digest in digests)
    assert (
        first.index("## Scores") < first.index("## Ensemble") < first.index("## How to repeat it")
    )
    known = json.loads((tmp_path / "run" / "ensemble.json").read_text())
    assert set(known) == {*digests, "+".join(digests)}
    assert all(0 <= found["gold.txt"]["beam 5"] <= 1 for found in known.values())

    def never(*arguments, **settings):
        raise AssertionError("trained or measured again")

    monkeypatch.setattr(script, "train", never)
    monkeypatch.setattr(script, "dev_scores", never)
    call("--run", tmp_path / "run", "--run", tmp_path / "run-2")
    assert (tmp_path / "card.md").read_text() == first
    monkeypatch.undo()
    with pytest.raises(SystemExit, match="a run of another configuration"):
        call(tmp_path / "tiny.toml", "--seeds", 1, "--set", "loop.epochs=2")


def test_models_of_different_labels_are_no_ensemble(call, tmp_path):
    config = tmp_path / "tiny.toml"
    (tmp_path / "other.txt").write_text(GOLD.replace(":ARG0 (g", ":ARG1 (g"))
    settings = ["--set", "loop.epochs=1", "--set", "data.dev=[]"]
    call(config, "--seeds", 1, *settings)
    other = ["--set", "data.train=['other.txt']", "--set", f"output={tmp_path / 'other'}"]
    call(config, "--seeds", 2, *settings, *other)
    with pytest.raises(SystemExit, match="their action vocabularies differ"):
        call("--run", tmp_path / "run", "--run", tmp_path / "other-2")
    assert "ensemble |" not in (tmp_path / "card.md").read_text()


def test_a_section_is_replaced_where_it_stands(script):
    once = script.with_section(CARD, "## Ensemble\n\nold\n")
    twice = script.with_section(once, "## Ensemble\n\nnew\n")
    assert twice == once.replace("old", "new")
    assert twice.endswith("## How to repeat it\n\nTrain.\n")
    assert script.with_section("# a\n", "## Ensemble\n\nnew\n") == "# a\n\n## Ensemble\n\nnew\n"
