"""The view models of the Oracle page: sources, sentences, changes, corpora, links."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.addresses.codec import damages, format_link, parse_link
from app.addresses.oracle import OracleLink, format_edits, parse_edits
from app.canvas.trace.drawing import payload_of
from app.kit.corpora import MAX_FILE_MB, MAX_PASTED, list_files, open_pasted, open_path, open_upload
from app.pages.oracle.aligner import (
    NOTHING,
    History,
    Operation,
    apply,
    payload_of_aligner,
    read_outbox,
)
from app.pages.oracle.corpus import (
    CorpusFigures,
    align_corpus,
    figures_of,
    kind_frame,
    label_frame,
    length_frame,
    lost_frame,
    sentence_frame,
)
from app.pages.oracle.model import divergences, model_rows, scored_trace
from app.pages.oracle.sentence import (
    Gold,
    OracleView,
    alignment_rows,
    changes_between,
    describe_view,
    format_corrected,
    gold_of,
    view_of,
    with_edits,
)
from aptcore.assets import asset_path
from aptcore.errors import AlignmentError, FormatError, InputError
from aptcore.graph.checks import triples
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import parse_penman
from aptcore.oracle.oracle import VARIANTS
from aptcore.oracle.report import oracle_report
from aptcore.trace.format import decode_trace, encode_trace
from aptcore.words.gold import gold_items
from benchmarks.oracle_page import change_time, example_golds

BOY = """# ::id boy
# ::snt The boy wants to sing.
(w / want-01
   :ARG0 (b / boy)
   :ARG1 (s / sing-01
      :ARG0 b))
"""
LIMA = """# ::id lima
# ::snt She saw Lima yesterday.
# ::note kept
(s / see-01
   :ARG0 (s2 / she)
   :ARG1 (c / city :wiki "Lima"
      :name (n / name :op1 "Lima"))
   :time (y / yesterday))
"""
BROKEN = """
# ::id bad
# ::snt It breaks.
(b / break-01 :ARG0 (i / it)

# ::id no
(x / y)
"""


def gold(text: str = BOY, name: str = "boy") -> Gold:
    items, problems = gold_items(read_corpus("test", text=text))
    assert not problems
    return gold_of(items[0], name)


def example_figures(variant: str) -> CorpusFigures:
    corpus = read_corpus(asset_path("oracle/example.txt"))
    aligned = align_corpus(corpus, lambda doing, done, size: None)
    return figures_of(corpus, aligned, variant, lambda doing, done, size: None)


# --- sources ----------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "corpora"
    (inside / "deep").mkdir(parents=True)
    (inside / "deep" / "a.txt").write_text(BOY, encoding="utf-8")
    (inside / "b.amr").write_text(BOY, encoding="utf-8")
    (inside / "c.json").write_text("{}", encoding="utf-8")
    (inside / "notes.txt").write_text("Sentences (and words) without a graph.\n", "utf-8")
    (inside / "roles.txt").write_text(":time /\n(see time)\n", "utf-8")
    (inside / "d.jsonl").write_text('{"id": "1", "penman": "(b / boy)"}\n', "utf-8")
    (inside / "large.amr").write_bytes(b"(b / boy)\n" * (MAX_FILE_MB * 100_000 + 1))
    (inside / ".hidden.txt").write_text(BOY, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (inside / "way-out.txt").symlink_to(tmp_path / "secret.txt")
    return inside


def test_files_that_can_be_opened_are_listed_without_what_leads_out(folder: Path) -> None:
    assert list_files(folder) == ("b.amr", "d.jsonl", "deep/a.txt")


def test_a_path_inside_the_folder_is_opened(folder: Path) -> None:
    source = open_path(folder, "deep/../deep/a.txt")
    assert (source.kind, source.name, source.text) == ("folder", "deep/a.txt", BOY)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../secret.txt", "leads out of the folder"),
        ("/etc/passwd", "leads out of the folder"),
        ("way-out.txt", "leads out of the folder"),
        ("absent.txt", "there is no file"),
        ("deep", "there is no file"),
        ("a\0b", "is no path"),
        ("x" * 5000, "is no path"),
    ],
)
def test_no_path_leaves_the_folder(folder: Path, name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        open_path(folder, name)


def test_without_a_folder_a_path_says_what_to_do() -> None:
    with pytest.raises(InputError, match="APTAMR_DATA"):
        open_path(None, "a.txt")


def test_a_file_that_is_too_large_is_refused_unread(folder: Path) -> None:
    with (folder / "large.txt").open("wb") as file:
        os.truncate(file.fileno(), MAX_FILE_MB * 1_000_000 + 1)
    with pytest.raises(InputError, match="up to 20 MB"):
        open_path(folder, "large.txt")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(FormatError, match="UTF-16"):
        open_upload("a.txt", BOY.encode("utf-16"))
    with pytest.raises(FormatError, match="zero byte"):
        open_upload("a.txt", b"a\0b")


@pytest.mark.parametrize(
    ("text", "words"),
    [(" \n", "no graph yet"), ("x" * (MAX_PASTED + 1), "can be pasted"), ("boy", "bracket")],
)
def test_a_paste_that_is_no_graph_says_what_is_missing(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        open_pasted(text)


# --- one sentence -----------------------------------------------------------------------


@pytest.mark.parametrize("variant", tuple(VARIANTS))
def test_the_replay_is_a_trace_without_probabilities_under_gold_names(variant: str) -> None:
    view = view_of(gold(), variant)
    assert {item.name for item in view.trace.items} == {"w", "b", "s"}
    assert view.trace.root == "w"
    assert set(triples(parse_penman(view.trace.penman))) == set(triples(view.gold.graph))
    steps = view.trace.steps
    assert all(step.probability is None and step.entropy is None for step in steps)
    assert not any(step.alternatives or step.pointer or step.attention for step in steps)
    payload = payload_of(view.trace, 0)
    assert payload["unscored"]
    assert set(payload["steps"]["p"]) == {None}


def test_the_oracle_says_what_it_reaches() -> None:
    assert describe_view(view_of(gold(), "paper")).startswith("Exact: all 7 triples are built by")
    looped = gold("# ::snt The map is a part of itself.\n(m / map :part m)\n")
    assert "2 of 3 triples" in describe_view(view_of(looped, "paper"))
    assert view_of(looped, "exact").is_exact


def test_a_person_moves_an_item_and_the_actions_follow() -> None:
    before = view_of(gold(), "exact")
    after = view_of(with_edits(before.gold, {"b": (3, 5)}), "exact")
    row = next(row for row in alignment_rows(after) if row.item == "b")
    assert (row.words, row.source, row.made_at) == ("to .", "person", "to")
    changes = changes_between(before, after)
    assert "PRED(boy) at “to”" in changes.gained
    assert "COPY(lemma) at “boy”" in changes.lost
    assert changes.new_labels == ("PRED(boy)", "RA(:ARG0)")
    assert changes.old_labels == ("COPY(lemma)",)
    assert changes.num_after == len(after.result.actions)
    assert after.is_exact


def test_changes_name_items_and_not_positions() -> None:
    before = view_of(gold(), "exact")
    after = view_of(with_edits(before.gold, {"b": (3,)}), "exact")
    changes = changes_between(before, after)
    assert "LA(:ARG0) between w and b" in changes.lost
    assert "RA(:ARG0) between b and w" in changes.gained
    assert not any("between s and b" in told for told in (*changes.gained, *changes.lost))
    told = [after.trace.steps[step].action for step in changes.steps]
    assert len(told) == len(changes.gained)


def test_the_same_alignment_changes_nothing() -> None:
    view = view_of(gold(), "exact")
    changes = changes_between(view, view)
    assert not changes.gained
    assert not changes.lost


def test_an_item_may_stand_for_no_word_and_is_made_beside_a_neighbour() -> None:
    view = view_of(with_edits(gold(), {"b": ()}), "exact")
    row = next(row for row in alignment_rows(view) if row.item == "b")
    assert (row.words, row.source) == ("", "person")
    assert row.made_at
    assert view.is_exact


@pytest.mark.parametrize("edits", [{"zz": (1,)}, {"b": (99,)}, {"b": (-1,)}])
def test_a_change_that_cannot_be_is_named(edits: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(AlignmentError):
        with_edits(gold(), edits)


def test_the_corrected_alignment_reads_back_with_wiki_and_sources() -> None:
    changed = with_edits(gold(LIMA, "lima"), {"y": (2, 3)})
    written = format_corrected(view_of(changed, "exact"))
    record = read_corpus("back", text=written).records[0]
    assert record.graph is not None
    assert not record.problems
    assert record.metadata["note"] == "kept"
    assert any(part.role == ":wiki" for part in record.graph.attributes)
    assert record.graph.alignments["y"].tokens == (2, 3)
    assert record.graph.alignments["s"].tokens == (1,)
    assert "=person" in record.metadata["alignment-sources"]


def test_a_change_of_a_long_sentence_is_worked_out_in_time() -> None:
    row = change_time(example_golds()[-1], "exact", 8)
    assert row.tokens > 50
    assert row.median < 0.3


# --- the editor -------------------------------------------------------------------------


def test_changes_are_taken_once_and_in_order() -> None:
    messages = [
        {"number": 3, "key": "k", "kind": "undo"},
        {"number": 1, "key": "k", "kind": "align", "item": "b", "tokens": [2, 1]},
        {"number": 2, "key": "k", "kind": "align", "item": "w", "tokens": [4]},
    ]
    state = {"tries": 1, "messages": messages}
    fresh = read_outbox(state, 1)
    assert [one.number for one in fresh] == [2, 3]
    history = apply(NOTHING, read_outbox(state, 0)[0])
    assert history.edits == {"b": (1, 2)}
    history = apply(apply(history, fresh[0]), fresh[1])
    assert history.edits == {"b": (1, 2)}
    assert apply(apply(history, Operation(4, "k", "undo")), Operation(5, "k", "undo")) == NOTHING


def test_a_reset_can_be_undone() -> None:
    history = apply(NOTHING, Operation(1, "k", "align", "b", (1,)))
    history = apply(history, Operation(2, "k", "reset"))
    assert history.edits == {}
    assert apply(history, Operation(3, "k", "undo")).edits == {"b": (1,)}


@pytest.mark.parametrize(
    "messages",
    [None, 3, [3], [{}], [{"number": "x", "key": "k", "kind": "undo"}], [{"number": 1, "key": "k"}]]
    + [[{"number": 1, "key": "k", "kind": "align", "item": "b", "tokens": "12"}]],
)
def test_a_damaged_outbox_is_passed_over(messages: Any) -> None:
    assert read_outbox({"messages": messages}, 0) == () == read_outbox(messages, 0)


def test_the_editor_shows_the_graph_as_it_is_written() -> None:
    view = view_of(gold(), "exact")
    payload = payload_of_aligner(view, "k", NOTHING, 0, None)
    lines = [(line["depth"], line["role"], line["text"], line["item"]) for line in payload["lines"]]
    assert lines == [
        (0, "", "w / want-01", "w"),
        (1, ":ARG0", "b / boy", "b"),
        (1, ":ARG1", "s / sing-01", "s"),
        (2, ":ARG0", "b", None),
    ]
    assert payload["lines"][1]["tokens"] == [1]
    assert not payload["canUndo"]
    assert payload_of_aligner(view, "k", History({"b": (1,)}, ({},)), 0, None)["canUndo"]


# --- corpora ----------------------------------------------------------------------------


def test_our_example_is_sound_and_reached_whole_by_our_own_set() -> None:
    figures = example_figures("exact")
    assert not figures.problems
    assert figures.total.exact == figures.total.sentences == 6
    assert lost_frame(figures).empty
    assert not lost_frame(example_figures("no-breakdown")).empty


@pytest.mark.parametrize("variant", ["exact", "no-breakdown"])
def test_every_count_of_a_corpus_equals_the_length_of_its_list(variant: str) -> None:
    figures = example_figures(variant)
    report = figures.total.to_json()
    labels, sentences = label_frame(figures), sentence_frame(figures)
    assert len(lost_frame(figures)) == len(report["unreachable"])
    assert len(labels) == report["labels"]
    assert (labels["count"] == 1).sum() == report["labels_once"]
    assert labels["count"].sum() == report["actions"]
    assert kind_frame(labels)["actions"].sum() == report["actions"]
    assert len(sentences) == report["sentences"]
    assert sentences["actions"].sum() == report["actions"]
    assert length_frame(sentences["actions"])["sentences"].sum() == report["sentences"]
    inexact = [one for one in figures.sentences if not one.is_exact]
    assert len(inexact) == report["sentences"] - figures.total.exact


def test_a_corpus_has_the_figures_of_the_command_line(data_folder: Path) -> None:
    corpus = read_corpus(data_folder / "wiki25" / "wiki25.jkaln")
    aligned = align_corpus(corpus, lambda doing, done, size: None)
    figures = figures_of(corpus, aligned, "paper", lambda doing, done, size: None)
    pairs = [(record.gold.sentence, record.gold.graph) for record in aligned.records]
    tokens = sum(record.num_tokens for record in aligned.records)
    whole = oracle_report(pairs, "paper", num_tokens=tokens)
    assert replace(figures.total, seconds=0.0) == replace(whole, seconds=0.0)


def test_a_broken_block_is_named_and_the_rest_goes_on() -> None:
    corpus = read_corpus("test", text=BOY + BROKEN)
    told: list[tuple[str, int, int]] = []
    aligned = align_corpus(corpus, lambda *progress: told.append(progress))
    figures = figures_of(corpus, aligned, "exact", lambda *progress: told.append(progress))
    assert [one.id for one in figures.sentences] == ["boy"]
    assert {problem.id for problem in figures.problems} == {"bad", "no"}
    assert [problem.line for problem in figures.problems] == sorted(
        problem.line for problem in figures.problems
    )
    assert told == [("Aligning", 0, 3), ("Running the oracle", 0, 1)]


@given(st.lists(st.integers(0, 3000), min_size=1))
def test_bins_hold_every_length_once(lengths: list[int]) -> None:
    bins = length_frame(lengths)
    assert len(bins) <= 16
    assert all(bins["high"].iloc[:-1].to_numpy() < bins["low"].iloc[1:].to_numpy())
    counts = Counter(lengths)
    for one in bins.itertuples():
        assert one.sentences == sum(counts[length] for length in range(one.low, one.high + 1))
    assert bins["sentences"].sum() == len(lengths)


# --- links ------------------------------------------------------------------------------

ITEMS = st.text("abcxyz:-#123", min_size=1, max_size=8)
EDITS = st.dictionaries(ITEMS, st.sets(st.integers(0, 500)).map(lambda s: tuple(sorted(s))))


@given(EDITS)
def test_changes_in_an_address_read_back(edits: dict[str, tuple[int, ...]]) -> None:
    text = format_edits(edits)
    if len(text) <= 1500:
        assert parse_edits(text) == edits


@pytest.mark.parametrize(
    "link",
    [
        OracleLink(),
        OracleLink(corpus="a/b c.txt", sentence="x.1", step=3, variant="paper"),
        OracleLink(graph=BOY, view="corpus", edits={"n:op1": (3, 4), "b": ()}),
        OracleLink(upload="mine.txt", sentence="7"),
    ],
)
def test_an_address_reads_back(link: OracleLink) -> None:
    assert parse_link(OracleLink, format_link(link)) == link


def test_nonsense_in_an_address_counts_as_absent_but_a_variant_is_named() -> None:
    nonsense = {"step": "-1", "variant": "none", "view": "x", "align": "b 1@@ c@x", "corpus": ""}
    assert parse_link(OracleLink, nonsense) == OracleLink()
    (told,) = damages(OracleLink, nonsense)
    assert told.startswith("there is no oracle variant 'none'")


# --- the model beside the oracle --------------------------------------------------------


def read_by_model(view: OracleView) -> dict[str, Any]:
    """The walk of an oracle as a model's trace: sure of each action but the second."""
    document = encode_trace(view.trace)
    steps = []
    for number, step in enumerate(document["steps"]):
        others = [{"action": "PRED(thing)", "probability": 0.9 if number == 1 else 0.05}]
        log_prob = None if number == 2 else -2.5 if number == 1 else -0.06
        steps.append({**step, "log_prob": log_prob, "entropy": 0.3, "alternatives": others})
    return {**document, "steps": steps, "model": {**document["model"], "id": "m", "hash": "f"}}


def test_the_model_is_compared_step_by_step() -> None:
    view = view_of(gold(), "paper")
    trace = scored_trace(view.trace, decode_trace(read_by_model(view)))
    assert trace.model.id == "m"
    assert [item.name for item in trace.items] == [item.name for item in view.trace.items]
    assert divergences(trace) == (1, 2)
    rows = model_rows(trace)
    assert (rows[1].model, rows[1].first) == ("PRED(thing)", 0.9)
    assert rows[0].model == rows[0].oracle
    assert rows[2].probability is None


def test_a_model_that_took_another_walk_is_refused() -> None:
    view = view_of(gold(), "paper")
    other = view_of(with_edits(gold(), {"b": (3,)}), "paper")
    with pytest.raises(InputError, match="the oracle's actions"):
        scored_trace(view.trace, other.trace)
