"""Alignments as files write them: read right or named, by every command that reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from aptcore.graph.amr import Edge
from aptcore.graph.corpus import (
    Record,
    read_corpus,
    sentence_text,
    white_space_spans,
    white_space_tokens,
)
from trainer.config import DataConfig, TrainConfig
from trainer.examples.corpora import read_gold

ONE = "(l / leave-11~e.1)"


def run(*arguments: str | Path) -> None:
    with pytest.raises(SystemExit) as info:
        main([str(argument) for argument in arguments])
    assert not info.value.code


def records_of(*lines: str) -> tuple[Record, ...]:
    return read_corpus("file", text="\n".join(lines) + "\n").records


def given(record: Record) -> dict[str, list[int]]:
    """Tokens by node, constant (``x :role``) and role, as the cases write them."""
    assert record.graph is not None
    found = {}
    for key, value in record.graph.alignments.items():
        name = key.role if isinstance(key, Edge) else str(key).replace(":", " :")
        found[name] = list(value.tokens)
    return found


def words_at(record: Record) -> dict[str, str]:
    """What stands at each aligned node, constant and role."""
    spans, text = white_space_spans(record), sentence_text(record)
    joined = {
        name: "".join(text[slice(*spans[n])] for n in at) for name, at in given(record).items()
    }
    return {name: "".join(word.split()) for name, word in joined.items()}


@pytest.mark.parametrize("case_id", ["c55", "c56", "c57", "c58", "c60"])
def test_cases_are_read_named_and_kept_by_every_command(
    cases: dict[str, Any], case_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case, wanted = cases[case_id], cases[case_id]["expected"]
    path, store = tmp_path / "file.txt", tmp_path / "work.db"
    path.write_bytes(case["input"]["file"].encode())
    records = read_corpus(path).records
    tokens = wanted.get("tokens", {})
    listed = tokens if isinstance(tokens, list) else [tokens.get(r.id) for r in records]
    assert [list(white_space_tokens(r)) for r in records if tokens] == [t for t in listed if t]
    assert len(white_space_tokens(records[0])) == wanted.get(
        "num_tokens", len(white_space_tokens(records[0]))
    )
    aligned = wanted.get("concept_alignment", {})
    aligned = aligned[0] if isinstance(aligned, list) else aligned
    roles = wanted.get("role_alignment", {})
    if aligned:
        assert given(records[0]) == {**aligned, **roles}

    problems = [problem for record in records for problem in record.problems]
    for name, line in wanted.get("problem_line", {}).items():
        message = wanted["problems"][name].partition(" (the")[0]
        told = [p for p in problems if p.line == line and message in p.message]
        assert [name in (p.id, p.message.partition(": ")[0]) for p in told] == [True]
    assert bool(problems) == bool(wanted.get("problems"))
    told_lines = {f":{problem.line}: " for problem in problems}
    given_before = [words_at(record) for record in records]

    for arguments in (
        ("oracle", path),
        ("align", path, "--output", tmp_path / "aligned.txt"),
        ("project", "import", path, "--store", store),
    ):
        run(*arguments)
        said = capsys.readouterr().err
        assert all(line in said for line in told_lines)
    trained: list[str] = []
    config = TrainConfig(data=DataConfig(root=str(tmp_path)))
    read_gold(config, ["file.txt"], trained.append)
    assert all(any(line in text for text in trained) for line in told_lines)

    run("project", "export", "--store", store, "--output", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_bytes() == path.read_bytes()
    run("project", "export", "--store", store, "--format", "jsonl", "--output", tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out").read_text("utf-8").splitlines()]
    for row, record in zip(rows, records, strict=True):
        assert row["tokens"] == list(white_space_tokens(record))
        positions = [int(piece.split("-")[0]) for piece in row["alignments"].split()]
        assert sorted(set(positions)) == sorted({n for at in given(record).values() for n in at})
    again = read_corpus(tmp_path / "aligned.txt").records
    assert not [p for r in again for p in r.problems if "token" in p.message]
    for before, record in zip(given_before, again, strict=True):
        after = words_at(record)
        kept = {name: word for name, word in before.items() if word}  # a word of the sentence
        assert kept.items() <= after.items()


@pytest.mark.parametrize(
    ("line", "tokens", "problem"),
    [
        ('# ::tokens ["I", "ca", "n\'t", "move"]', ["I", "ca", "n't", "move"], ""),
        ("# ::tokens I ca n't move", ["I", "ca", "n't", "move"], ""),
        ('# ::tokens ["I", "ca", "n\\u0027t", "move"]', ["I", "ca", "n't", "move"], ""),
        ("# ::tokens ['I', 'ca', 'move']", ["I", "can't", "move"], "no JSON list"),
        ('# ::tokens ["I", "ca"', ["I", "can't", "move"], "no JSON list"),
        ('# ::tokens ["I", 3]', ["I", "can't", "move"], "no JSON list"),
        ("# ::tokens []", [], "not the words of ::snt"),
    ],
)
def test_tokens_of_a_list_count_or_are_named(line: str, tokens: list[str], problem: str) -> None:
    """Case c55, other lists."""
    (record,) = records_of("# ::snt I can't move", line, ONE)
    assert list(white_space_tokens(record)) == tokens
    found = [(each.line, each.message) for each in record.problems]
    assert [line for line, message in found if problem in message] == [2] * len(found)
    assert bool(found) == bool(problem)


@pytest.mark.parametrize("blank", "\u2009\u202f\u3000\u2028\x85\x1c")
def test_other_blanks_stand_inside_a_token(blank: str) -> None:
    """Case c56, other blanks."""
    name = f"Mont{blank}Ru"
    (record,) = records_of(f"# ::snt {name} twice", f"# ::tok {name} twice", "(m / mount~e.0)")
    assert white_space_tokens(record) == (name, "twice")
    assert words_at(record) == {"m": "MontRu"}
    assert record.problems == ()


@pytest.mark.parametrize(
    ("tok", "lost"),
    [("She went .", True), ("left .", False), ("He . left", True), ("He left now .", False)],
)
def test_what_stands_at_a_word_that_the_sentence_lacks_is_named(tok: str, lost: bool) -> None:
    """Case c57: a graph that only ``::tok`` has the words of."""
    place = next(n for n, word in enumerate(tok.split()) if word in ("went", "left"))
    (record,) = records_of("# ::snt He left.", f"# ::tok {tok}", f"(l / leave-11~e.{place})")
    word = tok.split()[place]
    assert [(p.line, p.message) for p in record.problems] == [
        (2, "::tok is not the words of ::snt"),
        *[(2, f"no word of the sentence is found for l at '{word}'")] * lost,
    ]
    assert given(record) == {"l": [place]}


@pytest.mark.parametrize(
    ("graph", "problems"),
    [
        ("(b / bark-01~e.1,5)", ["b: token 5 does not exist (2 tokens)"]),
        ("(b / bark-01~e.1 :polarity -~2)", ["-: token 2 does not exist (2 tokens)"]),
        ("(b / bark-01~e.1 :ARG0 b~e.9)", ["b: token 9 does not exist (2 tokens)"]),
    ],
)
def test_other_marks_past_the_last_token_are_named(graph: str, problems: list[str]) -> None:
    """Case c58: one of several, a constant, a later mention; ``<ROOT>`` is no token."""
    (record,) = records_of("# ::tok Dogs bark <ROOT>", graph)
    assert [p.message for p in record.problems] == problems
    assert given(record) == {"b": [1]}


@pytest.mark.parametrize(
    ("snt", "tok"),
    [
        ("He [left] {now}", "He -LSB- left -RSB- -LCB- now -RCB-"),
        ("He (left) now", "He -lrb- left -rrb- now"),
        ("He \u201cleft\u201d \u2013 now\u2026", "He `` left '' -- now ..."),
        ("He (left) 1/2", "He -LRB- left -RRB- 1\\/2 <ROOT>"),
    ],
)
def test_signs_of_the_treebank_are_those_of_the_sentence(snt: str, tok: str) -> None:
    """Case c60, other signs."""
    (record,) = records_of(f"# ::snt {snt}", f"# ::tok {tok}", "(l / leave-11~e.2)")
    assert record.problems == ()
    text = sentence_text(record)
    spans = [text[slice(*span)] for span in white_space_spans(record)]
    assert "".join(spans) == "".join(snt.split())
