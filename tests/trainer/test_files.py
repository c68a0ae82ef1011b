"""Folders and patterns in a configuration, and the layout of AMR 3.0."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from aptcore.errors import ConfigurationError
from tests.trainer.tiny_runs import corpus
from trainer.config import CONFIGS, DataConfig, TrainConfig, load_config
from trainer.examples.corpora import data_hashes, read_gold
from trainer.files import with_files


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """AMR 3.0 as it unpacks, with sentences of our own."""
    split = tmp_path / "amr_annotation_3.0" / "data" / "amrs" / "split"
    for part, names in (("training", ("bolt", "wb")), ("dev", ("bolt",)), ("test", ("bolt",))):
        (split / part).mkdir(parents=True)
        for name in names:
            path = split / part / f"amr-release-3.0-amrs-{part}-{name}.txt"
            text = corpus(1).replace("::id ", f"::id {part}.{name}.")
            path.write_text(f"# AMR release; corpus: {name}\n\n{text}\n", encoding="utf-8")
    (split / "training" / "README.txt").write_text("About the graphs.\n", encoding="utf-8")
    return tmp_path


def test_the_layout_of_amr_3_is_a_configuration(release: Path) -> None:
    config = load_config(CONFIGS / "paper-3.toml", [f"data.root={release}"])
    config = replace(config, data=with_files(config.data, pytest.fail))
    assert [Path(name).name for name in config.data.train] == [
        "amr-release-3.0-amrs-training-bolt.txt",
        "amr-release-3.0-amrs-training-wb.txt",
    ]
    assert [Path(name).parent.name for name in config.data.dev] == ["dev"]
    said: list[str] = []
    gold, skipped = read_gold(config, config.data.train_names(), said.append)
    assert (len(gold), skipped) == (8, [])
    assert list(data_hashes(config)) == [*config.data.train, *config.data.dev]


def test_both_recipes_of_the_paper_differ_in_their_corpus_alone() -> None:
    second, third = (load_config(CONFIGS / f"{name}.toml") for name in ("paper", "paper-3"))
    data = replace(third.data, train=second.data.train, dev=second.data.dev)
    assert replace(third, name=second.name, output=second.output, data=data) == second


def test_a_folder_is_its_files_and_what_is_no_graph_is_told(release: Path) -> None:
    name = "amr_annotation_3.0/data/amrs/split/training"
    (release / name / "page.html").write_text("<html></html>", encoding="utf-8")
    data = DataConfig(root=str(release), silver=(name,), silver_shares={name: 0.5})
    said: list[str] = []
    found = with_files(replace(data, beside_gold=(name,)), said.append)
    assert len(found.silver) == 2
    assert found.beside_gold == found.silver
    assert found.silver_shares == dict.fromkeys(found.silver, 0.5)
    assert ["README.txt" in said[0], "page.html" in said[1]] == [True, True]
    assert with_files(found, pytest.fail) == found
    absolute = with_files(DataConfig(train=(str(release / name),)), said.append).train
    assert [Path(path).is_absolute() for path in absolute] == [True, True]


@pytest.mark.parametrize("aligned", ["aligned", "aligned/*/*.txt", "aligned/dev/one.txt"])
def test_alignments_come_from_folders_and_patterns(release: Path, aligned: str) -> None:
    """Of the files of a folder too, whatever the aligned ones are called."""
    train = "amr_annotation_3.0/data/amrs/split/training"
    (release / "aligned" / "dev").mkdir(parents=True)
    (release / "aligned" / "README").write_text("About them.\n", encoding="utf-8")
    blocks = [file.read_text("utf-8") for file in sorted((release / train).glob("a*.txt"))]
    text = "\n\n".join(blocks).replace("(w / want-01", "(w / want-01~e.0")
    (release / "aligned" / "dev" / "one.txt").write_text(text, encoding="utf-8")
    data = DataConfig(root=str(release), train=(train,), alignments_from={train: aligned})
    found = with_files(data)
    assert found.alignments_from == dict.fromkeys(found.train, aligned)
    assert with_files(found) == found
    gold, _ = read_gold(TrainConfig(data=found), found.train, lambda line: None)
    given = [item for item in gold if item.graph.alignments]
    assert len(given) == text.count("~e.0")
    assert all(a.source == "given" for item in given for a in item.graph.alignments.values())


def test_alignments_of_nothing_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "gold").write_text("(r / rain-01)\n", encoding="utf-8")
    data = DataConfig(root=str(tmp_path), train=("gold",), alignments_from={"gold": "empty"})
    with pytest.raises(ConfigurationError, match="empty: the folder holds no files"):
        with_files(data)
    with pytest.raises(ConfigurationError, match="lacks 'golden' of alignments_from"):
        DataConfig(train=("gold",), alignments_from={"golden": "empty"})


@pytest.mark.parametrize(("name", "what"), [("empty", "holds no files"), ("*.amr", "no file fits")])
def test_a_folder_or_pattern_without_files_is_refused(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigurationError, match=what):
        with_files(DataConfig(root=str(tmp_path), dev=(name,)), pytest.fail)
    (tmp_path / "empty" / "README").write_text("No graph.\n")
    with pytest.raises(ConfigurationError, match="there are no graphs in it"):
        with_files(DataConfig(root=str(tmp_path), dev=("empty",)), lambda line: None)
