"""What holds for every log: undo gives the beginning back, and a fold is a fold."""

from __future__ import annotations

import json
import os
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.store.documents.exporting import ExportOptions
from app.store.log.deciding import decide, refusal_of
from app.store.log.history import Folded, extended, fold
from app.store.log.operations import Conflict, Operation, Refused, Request
from app.store.log.provenance import Source
from app.store.log.state import imported_state
from app.store.store import open_store
from aptcore.editing.edits import edit_to_json
from aptcore.graph.amr import AmrGraph
from aptcore.graph.layout import Triple
from aptcore.graph.penman import format_penman, parse_penman
from tests.aptcore.editing.test_applying import TEXT, check_sound, free_graphs, random_edit

PEOPLE = ("Ada", "Ben", "Cy")
START = datetime(2024, 5, 1, tzinfo=UTC)


class Log:
    """A sentence without a database."""

    def __init__(self, graph: AmrGraph) -> None:
        self.folded = Folded(imported_state(graph, Source("model", "small", "abc")))
        self.operations: list[Operation] = []

    def ask(self, person: str, what: dict, base: int | None = None) -> bool:
        """Whether the request was applied; each person has one tab."""
        number = len(self.operations)
        base = self.folded.revision if base is None else base
        request = Request(str(number), base, json.loads(json.dumps(what)))
        assert refusal_of(person, "tab", request) is None
        log = [operation for operation in self.operations if operation.revision > base]
        at = START + timedelta(seconds=number)
        decided = decide(self.folded, log, 1, person, "tab", request, at)
        if isinstance(decided, Refused | Conflict):
            return False
        operation, self.folded = decided
        self.operations.append(operation)
        return True


def random_what(graph: AmrGraph, draw: random.Random) -> dict:
    """Draw an operation of any kind; edits, undo and redo are the most frequent."""
    edit = {"do": "edit", "edit": edit_to_json(random_edit(graph, draw))}
    node = draw.choice(graph.nodes)
    triple: Triple = (node.id, ":instance", node.concept)
    others = [
        {"do": "accept"},
        {"do": "skip"},
        {"do": "flag", "on": draw.random() < 0.5},
        {"do": "comment", "text": "hm"},
        {"do": "confirm", "triples": [list(triple)], "on": draw.random() < 0.7},
        {"do": "draft", "text": draw.choice(["", "(a"])},
        {"do": "dismiss", "problem": "p", "note": ""},
        {"do": "assign", "person": draw.choice(PEOPLE)},
    ]
    kinds = [edit, {"do": "undo"}, {"do": "redo"}, draw.choice(others)]
    return draw.choices(kinds, weights=[4, 2, 2, 2])[0]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 40))
def test_a_log_of_several_people_folds_the_same_all_at_once_and_step_by_step(
    seed: int, number: int
) -> None:
    draw, log = random.Random(seed), Log(parse_penman(TEXT))
    for _ in range(number):
        state = log.folded.state
        base = max(0, log.folded.revision - draw.choice([0, 0, 0, 2]))
        log.ask(draw.choice(PEOPLE), random_what(state.graph, draw), base)
        check_sound(log.folded.start.graph, log.folded.state.graph)
        assert set(log.folded.state.confirmed) <= set(log.folded.state.origin)
    assert fold(log.folded.start, log.operations) == log.folded
    by_steps = Folded(log.folded.start)
    for operation in log.operations:
        by_steps = extended(by_steps, operation)
    assert by_steps == log.folded


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 30))
def test_as_many_undos_as_edits_give_the_identical_start(seed: int, number: int) -> None:
    draw, log = random.Random(seed), Log(parse_penman(TEXT))
    applied = sum(
        log.ask("Ada", {"do": "edit", "edit": edit_to_json(random_edit(graph, draw))})
        for graph in (log.folded.state.graph for _ in range(number))
    )
    after = log.folded.state
    assert all(log.ask("Ada", {"do": "undo"}) for _ in range(applied))
    assert not log.ask("Ada", {"do": "undo"})
    assert log.folded.state == log.folded.start
    text = format_penman(log.folded.start.graph, alignments=True)
    assert format_penman(log.folded.state.graph, alignments=True) == text
    assert all(log.ask("Ada", {"do": "redo"}) for _ in range(applied))
    assert log.folded.state == after


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_when_all_take_back_all_the_start_is_back(seed: int) -> None:
    """An undo may wait for another's; in some order all of them go."""
    draw, log = random.Random(seed), Log(parse_penman(TEXT))
    for _ in range(20):
        what = {"do": "edit", "edit": edit_to_json(random_edit(log.folded.state.graph, draw))}
        log.ask(draw.choice(PEOPLE), what)
    while log.folded.entries:
        last = log.folded.entries[-1].operation.person
        assert log.ask(last, {"do": "undo"})
    assert log.folded.state == log.folded.start


@pytest.mark.skipif("APTAMR_DATA" not in os.environ, reason="APTAMR_DATA is not set: no corpora")
def test_graphs_of_every_free_set_stay_sound_in_a_store(tmp_path: Path) -> None:
    """One graph of each few files, edited and taken back through the store itself."""
    graphs = list(free_graphs())[::6]
    texts = [format_penman(graph, alignments=True) for graph in graphs]
    whole = "\n\n".join(texts) + "\n"
    store = open_store(str(tmp_path / "store.db"))
    document = store.import_text("free.amr", whole).document
    rows = store.sentences(document)
    assert len(rows) == len(graphs) > 10
    undos = 0
    for row in rows:
        draw, start = random.Random(row.id), store.sentence(row.id).state.graph
        applied = 0
        for number in range(4):
            sentence = store.sentence(row.id)
            what = {"do": "edit", "edit": edit_to_json(random_edit(sentence.state.graph, draw))}
            request = Request(f"e{number}", sentence.revision, what)
            applied += not isinstance(store.apply(row.id, "Ada", "tab", request), Refused)
            check_sound(start, store.sentence(row.id).state.graph)
        for number in range(applied):
            revision = store.sentence(row.id).revision
            store.apply(row.id, "Ada", "tab", Request(f"u{number}", revision, {"do": "undo"}))
        undos += applied
        store.check(row.id)
    assert undos > 20
    assert store.export(document, ExportOptions()) == whole
    store.close()
