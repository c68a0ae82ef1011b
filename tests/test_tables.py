"""The commands that print the paper's tables: how they write, keep and refuse."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from aptcore.errors import ConfigurationError
from benchmarks.short_runs import best_and_mean, check_same
from benchmarks.tables import markdown, replace_section, section
from trainer.config import DataConfig, LoopConfig, TrainConfig


def test_scores_are_written_as_in_the_paper() -> None:
    assert best_and_mean([0.5, 0.52, 0.54]) == "54.0 / 52.0 ± 1.6"
    assert best_and_mean([0.5]) == "50.0 (one seed)"
    assert best_and_mean([]) == "not run yet"


def test_a_table_is_markdown() -> None:
    assert markdown(("a", "b"), [("1", "2")]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_a_section_takes_the_place_of_the_old_one_and_the_rest_stays() -> None:
    first = replace_section("# Title\n\nWords.\n", section("2", (), "old"))
    both = replace_section(first, section("1", (), "one"))
    again = replace_section(both, section("2", ("--seeds", "1"), "new"))
    assert again.startswith("# Title\n\nWords.\n\n## Table 1\n")
    assert again.index("## Table 1") < again.index("## Table 2")
    assert "old" not in again
    assert "`python -m benchmarks.tables 2 --seeds 1`" in again
    assert replace_section(again, section("2", ("--seeds", "1"), "new")) == again


def test_a_run_of_other_settings_is_refused_and_the_difference_named() -> None:
    config = TrainConfig(output="runs/a", data=DataConfig(cache="here"))
    elsewhere = replace(config, output="runs/b", data=DataConfig(cache="there"))
    check_same(elsewhere, config)
    with pytest.raises(ConfigurationError, match=r"runs/a holds .*epochs=9.*--runs"):
        check_same(replace(config, loop=LoopConfig(epochs=9)), config)


def test_the_document_has_a_section_for_every_command_it_shows() -> None:
    text = (Path(__file__).parents[1] / "docs" / "paper-tables.md").read_text("utf-8")
    assert text.startswith("# The paper's tables")
    for part in text.split("\n## Table ")[1:]:
        assert f"`python -m benchmarks.tables {part[0]}" in part
