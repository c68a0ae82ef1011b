"""The Correct page without Streamlit: gestures, outbox, layout, answers, words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.addresses.codec import damages, format_link, parse_link
from app.addresses.correct import CorrectLink
from app.canvas.layout import DrawnNode, Layout, PlacedNode, box_at, place
from app.pages.correct.editor import folding, layout
from app.pages.correct.editor.completing import completions
from app.pages.correct.editor.drawing import lines_of, payload_of, text_of
from app.pages.correct.editor.folding import (
    MOST_OPENED,
    matching,
    named,
    next_part,
    parts_of,
    shown_around,
)
from app.pages.correct.editor.gestures import edit_of, free_role
from app.pages.correct.editor.layout import grow, lay_out
from app.pages.correct.editor.mending import mend_text
from app.pages.correct.editor.outbox import Message, highest_number, read_outbox
from app.pages.correct.editor.text import text_error, text_fault
from app.pages.correct.handler import Said, answer
from app.pages.correct.wording import describe_edit
from app.store.log.operations import Request
from app.store.store import Store, open_store
from aptcore.advice.likely import Setting
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import RenameNode
from aptcore.errors import EditError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.penman import format_penman, item_order, parse_penman
from aptcore.words.frames import read_lexicon

TEXT = """# ::id one
# ::snt The boy from Lima wants to go .
# ::tok The boy from Lima wants to go .
(w / want-01
   :ARG0 (b / boy
      :source (c / city
         :name (n / name
            :op1 "Lima")))
   :ARG1 (g / go-02
      :ARG0 b
      :polarity -))

# ::id two
# ::snt It rains .
# ::tok It rains .
(r / rain-01)
"""
ARG0 = ["w", ":ARG0", "b"]


@pytest.fixture
def graph() -> AmrGraph:
    return parse_penman(TEXT.split("\n\n")[0])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "work.db"))
    opened.import_text("mine.txt", TEXT)
    yield opened
    opened.close()


def after(graph: AmrGraph, gesture: Mapping[str, Any]) -> str:
    """The graph after a gesture, on one line."""
    edited = apply_edit(graph, edit_of(graph, gesture))
    return " ".join(format_penman(edited, metadata=False, alignments=True).split())


@pytest.mark.parametrize(
    ("gesture", "expected"),
    [
        ({"kind": "rename", "id": "b", "text": "girl"}, "(b / girl"),
        ({"kind": "rename", "id": "b", "text": "search engine"}, "(b / search-engine"),
        ({"kind": "rename", "id": "n:op1", "text": '"Rome"'}, ':op1 "Rome"'),
        (
            {"kind": "add", "parent": "b", "line": ":mod tall", "tokens": [1.0]},
            ":mod (t / tall~e.1)",
        ),
        ({"kind": "add", "parent": "b", "line": ":quant 2", "tokens": []}, ":quant 2"),
        ({"kind": "add", "parent": "b", "line": "tall"}, ":mod (t / tall"),
        (
            {"kind": "add", "parent": "g", "line": ':ARG4 "New York"'},
            ':ARG4 (t / thing :name (n2 / name :op1 "New" :op2 "York"',
        ),
        ({"kind": "add", "parent": "b", "line": ":name Ann Lee"}, '(n2 / name :op1 "Ann" :op2 "Le'),
        (
            {"kind": "add", "parent": "g", "line": ":date 12 July 2024"},
            ":time (d / date-entity :month 7 :day 12 :year 2024)",
        ),
        (
            {"kind": "add", "parent": "g", "line": ":ARG3 $5", "tokens": [1]},
            ":ARG3 (m / monetary-quantity~e.1 :quant 5~e.1 :unit (d / dollar~e.1",
        ),
        ({"kind": "add", "parent": "w", "line": ":mode imperative"}, ":mode imperative"),
        ({"kind": "relabel", "edge": ARG0, "role": "ARG2"}, ":ARG2 (b / boy"),
        ({"kind": "relabel", "edge": ["g", ":polarity", "g:polarity"], "role": ":mod"}, ":mod -"),
        ({"kind": "move", "edge": ["g", ":ARG0", "b"], "end": "target", "to": "c"}, ":ARG0 c"),
        ({"kind": "link", "source": "g", "role": ":ARG4", "target": "c"}, ":ARG4 c"),
        ({"kind": "root", "id": "b"}, "(b / boy"),
        ({"kind": "merge", "kept": "b", "gone": "c"}, '(b / boy :name (n / name :op1 "Lima"))'),
        ({"kind": "reify", "edge": ["b", ":source", "c"]}, "be-from-91"),
        ({"kind": "align", "id": "b", "tokens": [0, 1]}, "(b / boy~e.0,1"),
        ({"kind": "text", "text": "(x / other)"}, "(x / other)"),
        ({"kind": "split", "id": "b", "edges": [["g", ":ARG0", "b"]]}, ":ARG0 (b2 / boy)"),
    ],
)
def test_a_gesture_makes_its_edit(
    graph: AmrGraph, gesture: Mapping[str, Any], expected: str
) -> None:
    assert expected in after(graph, gesture)


@pytest.mark.parametrize(
    ("role", "text"),
    [
        (":mod", "7"),
        (":mod", "3.5"),
        (":polarity", "-"),
        (":mod", '"San Diego"'),
        (":mode", "imperative"),
    ],
)
def test_a_leaf_that_is_renamed_to_a_constant_is_one_and_keeps_its_words(
    role: str, text: str
) -> None:
    graph = parse_penman(f"(b / boy :mod (t / tall) {role} (o / old~e.1))")
    expected = f"(b / boy :mod (t / tall) {role} {text}~e.1)"
    assert after(graph, {"kind": "rename", "id": "o", "text": text}) == expected


@pytest.mark.parametrize(
    ("gesture", "gone"),
    [
        ({"kind": "delete", "id": "c"}, "city"),
        ({"kind": "delete", "id": "g:polarity"}, ":polarity"),
        ({"kind": "delete", "edge": ["g", ":polarity", "g:polarity"]}, ":polarity"),
        ({"kind": "delete", "edge": ["g", ":ARG0", "b"]}, ":ARG0 b "),
    ],
)
def test_deleting_takes_a_part_away(graph: AmrGraph, gesture: Mapping[str, Any], gone: str) -> None:
    assert gone in after(graph, {"kind": "rename", "id": "w", "text": "want-01"})
    assert gone not in after(graph, gesture)


def test_an_edge_turned_twice_is_as_before(graph: AmrGraph) -> None:
    turned = apply_edit(graph, edit_of(graph, {"kind": "reverse", "edge": ARG0}))
    assert ("b", ":ARG0", "w") in [(e.source, e.role, e.target) for e in turned.edges]
    back = apply_edit(turned, edit_of(turned, {"kind": "reverse", "edge": ["b", ":ARG0", "w"]}))
    assert format_penman(back) == format_penman(graph)


def test_a_reified_edge_comes_back(graph: AmrGraph) -> None:
    edge = ["b", ":source", "c"]
    reified = apply_edit(graph, edit_of(graph, {"kind": "reify", "edge": edge}))
    (name,) = [node.id for node in reified.nodes if node.concept == "be-from-91"]
    back = apply_edit(reified, edit_of(reified, {"kind": "dereify", "id": name}))
    assert set(back.edges) == set(graph.edges)


@pytest.mark.parametrize(
    ("gesture", "reason"),
    [
        ({"kind": "dance"}, "no gesture"),
        ({"kind": "rename", "id": "b"}, "is a text"),
        ({"kind": "relabel", "edge": ["w"], "role": ":mod"}, "an edge is"),
        ({"kind": "align", "id": "b", "tokens": [-1]}, "positions from 0"),
        ({"kind": "reverse", "edge": ["n", ":op1", "n:op1"]}, "cannot be turned round"),
        ({"kind": "edits", "edits": []}, "no edit"),
        ({"kind": "rename", "id": "w", "text": "7"}, "7 is a constant, .* w is the root"),
        ({"kind": "rename", "id": "b", "text": "-"}, "- is a constant, .* b has :source"),
        ({"kind": "rename", "id": "n", "text": '"Lima"'}, "n has :op1"),
    ],
)
def test_what_is_no_gesture_for_this_graph_is_refused(
    graph: AmrGraph, gesture: Mapping[str, Any], reason: str
) -> None:
    with pytest.raises(EditError, match=reason):
        edit_of(graph, gesture)


# --- layout -------------------------------------------------------------------------------


def test_an_edit_moves_nothing_that_was_there(graph: AmrGraph) -> None:
    before = lay_out(graph)
    gesture = {"kind": "add", "parent": "b", "line": ":mod tall"}
    grown = apply_edit(graph, edit_of(graph, gesture))
    after_it = grow(before, grown)
    for name, placed in zip(before.names, before.layout.nodes, strict=True):
        assert after_it.known[name] == placed
    for ends, path in zip(before.ends, before.layout.edges, strict=True):
        assert after_it.paths[ends] == path
    new = after_it.known["t"]
    others = [after_it.known[name] for name in before.names]
    assert not any(
        abs(new.x - other.x) < (new.width + other.width) / 2
        and abs(new.y - other.y) < (new.height + other.height) / 2
        for other in others
    )


def test_what_was_deleted_comes_back_to_its_place(graph: AmrGraph) -> None:
    before = lay_out(graph)
    less = apply_edit(graph, edit_of(graph, {"kind": "delete", "id": "c"}))
    again = grow(grow(before, less), graph)
    assert dict(zip(again.names, again.layout.nodes, strict=True)) == dict(
        zip(before.names, before.layout.nodes, strict=True)
    )


def test_another_graph_is_laid_out_afresh(graph: AmrGraph) -> None:
    other = parse_penman("(a / and :op1 (s / sing-01) :op2 (d / dance-01) :op3 (l / laugh-01))")
    assert grow(lay_out(graph), other).layout == lay_out(other).layout


# --- outbox -------------------------------------------------------------------------------


def row(number: int, **more: Any) -> dict[str, Any]:
    what = {"do": "accept"}
    rest = {"id": f"m{number}", "tab": "t", "person": "Ada", "sentence": 1.0, "base": 0}
    return {"number": float(number), **rest, "what": what, **more}


def test_messages_come_once_in_order_and_damaged_ones_are_passed_over() -> None:
    damaged = [row(4, what={}), row(5, id=""), row(6, base="x"), row(7, base=float("nan")), "x"]
    state = {"messages": [row(3), row(2), row(1), *damaged]}
    assert [message.number for message in read_outbox(state, 1)] == [2, 3]
    assert highest_number(state, 1) == 7
    assert read_outbox(None, 0) == () == read_outbox({"messages": 3}, 0)


# --- answers ------------------------------------------------------------------------------


def message(what: Mapping[str, Any], **more: Any) -> Message:
    values = {"number": 1, "id": "m1", "tab": "t", "person": "Ada", "sentence": 1, "base": 0}
    return Message(**{**values, **more}, what=what)


def gesture(**values: Any) -> dict[str, Any]:
    return {"do": "gesture", "gesture": values}


ADD = gesture(kind="add", parent="b", line=":mod tall", tokens=[1])


def test_an_answer_says_what_was_done_and_what_to_choose(store: Store) -> None:
    said = answer(store, message(ADD))
    assert said == Said("done", "Added b / boy :mod t / tall", focus="t")
    assert "t / tall" in format_penman(store.sentence(1).state.graph)


def test_the_same_message_again_does_nothing_more(store: Store) -> None:
    answer(store, message(ADD))
    assert answer(store, message(ADD)).kind == "done"
    assert store.sentence(1).revision == 1


def test_a_second_writer_meets_a_conflict_and_nothing_changes(store: Store) -> None:
    answer(store, message(gesture(kind="rename", id="b", text="girl")))
    second = message(gesture(kind="delete", id="b"), id="m2", person="Bo", tab="u")
    said = answer(store, second)
    assert said.kind == "conflict"
    assert said.conflict is not None
    assert said.conflict["text"] == "Conflict: Ada changed this sentence in the meantime."
    assert said.conflict["lines"] == [["+", "b / girl"], ["−", "b / boy"]]
    assert said.conflict["mine"] == "Deleted b / girl"
    assert store.sentence(1).revision == 1


def test_a_change_to_what_another_deleted_is_a_conflict_too(store: Store) -> None:
    answer(store, message(gesture(kind="delete", id="c")))
    second = message(gesture(kind="reify", edge=["b", ":source", "c"]), id="m2", tab="u")
    said = answer(store, second)
    assert said.kind == "conflict"
    assert said.text == "Conflict: you changed this sentence in another tab in the meantime."


def test_a_leaf_renamed_to_a_number_is_a_constant_and_a_node_again_after_an_undo(
    store: Store,
) -> None:
    answer(store, message(ADD))
    before = format_penman(store.sentence(1).state.graph, alignments=True)
    seven = gesture(kind="rename", id="t", text="7")
    said = answer(store, message(seven, id="m2", base=1))
    assert said == Said("done", "Made t / tall the constant 7", focus="b:mod")
    graph = store.sentence(1).state.graph
    assert [(a.source, a.role, a.value) for a in graph.attributes if a.id == "b:mod"] == [
        ("b", ":mod", "7")
    ]
    answer(store, message({"do": "undo"}, id="m3", base=2))
    assert format_penman(store.sentence(1).state.graph, alignments=True) == before


def test_a_graph_with_a_number_for_a_concept_is_not_accepted(store: Store) -> None:
    text = gesture(kind="text", text="(w / want-01 :quant (j / 7))")
    answer(store, message(text))
    said = answer(store, message({"do": "accept"}, id="m2", base=1))
    assert (said.kind, "concept '7' of j is no plain word" in said.text) == ("refused", True)


def test_what_the_graph_does_not_allow_is_refused_with_the_reason(store: Store) -> None:
    said = answer(store, message(gesture(kind="delete", edge=ARG0)))
    assert said.kind == "done"  # the edge of go-02 still holds the boy
    said = answer(store, message(gesture(kind="delete", edge=["g", ":ARG0", "b"]), id="m2"))
    assert said.kind == "refused"
    assert said.text.startswith("Nothing would link the root to b / boy")


def test_a_text_that_is_no_graph_stays_as_a_draft(store: Store) -> None:
    text = "(w / want-01\n   :ARG0 (b / boy"
    said = answer(store, message(gesture(kind="text", text=text)))
    assert said == Said("done", "Draft of the text kept")
    stored = store.sentence(1)
    assert stored.state.drafts == {"Ada": text}
    assert stored.state.graph == stored.silver
    good = gesture(kind="text", text="(w / wish-01)")
    assert answer(store, message(good, id="m2", base=1)).text == "Took the graph from the text"
    assert store.sentence(1).state.drafts == {}


def test_a_fault_in_a_text_has_its_line() -> None:
    fault = text_fault("(w / want-01\n   :ARG0 (b / boy)\n   :ARG1 (b / bird))")
    assert fault is not None
    assert fault.line == 3
    assert text_fault("(w / want-01)") is None


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("(b / boy\n  :mod (o / old\n    :polarite -))", 3, "AMR has no role :polarite"),
        ("(b / boy\n  :mod (o / old)\n  :null_edge-of (c / cup))", 3, "AMR has no role :null_edge"),
        ('(b / boy\n  :mod (o / old)\n  :name "Bo")', 3, ":name"),
        ("(w / want-01\n  :ARG0 (b / boy)\n  :time (d / date-entity\n    :month 13))", 4, ":month"),
        ('(b / boy\n  :mod (o / "an old"))', 2, "is no plain word"),
    ],
)
def test_an_error_of_a_graph_has_the_line_of_its_text(text: str, line: int, message: str) -> None:
    assert text_fault(text) is None  # it can be taken, but not accepted
    fault = text_error(text, read_lexicon())
    assert fault is not None
    assert (fault.line, message in fault.message) == (line, True), fault
    assert text_error("(b / boy)", read_lexicon()) is None


@pytest.mark.parametrize(
    ("text", "does", "mended"),
    [
        ("(u / use-01 :ARG1 (s / search engine))", "write search-engine",
         "(u / use-01 :ARG1 (s / search-engine))"),
        ('(b / big old boat :name (n / name :op1 "a / b c :d"))', "write big-old-boat",
         '(b / big-old-boat :name (n / name :op1 "a / b c :d"))'),
        ("(w / work-01 :frequency 24/7)", 'write "24/7"', '(w / work-01 :frequency "24/7")'),
        ("(d / date-entity :time 18:45)", 'write "18:45"', '(d / date-entity :time "18:45")'),
        ("(g / go-02 :ARG0 (b / boy", "close 2 brackets", "(g / go-02 :ARG0 (b / boy))"),
        ("(g / go-02))\n", "take a bracket off the end", "(g / go-02)"),
        ('(a / and :op1 (n / name :op1 ")") :op2 (n / cup))', "call the second n n2",
         '(a / and :op1 (n / name :op1 ")") :op2 (n2 / cup))'),
        ("(b / boy :mod (o / old) :mod (n / new) :quant 2 :quant 2)", "say each triple once",
         "(b / boy :mod (o / old) :mod (n / new) :quant 2)"),
        ("(b / big boat :time 24/7 :mod (o / old", "write big-boat, write \"24/7\" and 1 more",
         '(b / big-boat :time "24/7" :mod (o / old))'),
    ],
)  # fmt: skip
def test_a_plain_slip_is_mended(text: str, does: str, mended: str) -> None:
    mend = mend_text(text)
    assert mend is not None
    assert (mend.does, " ".join(mend.text.split())) == (does, mended)


@pytest.mark.parametrize(
    "text",
    [
        "(b / boy)",  # it is a graph
        "(a / and :op1 (b / boy) :op2 (b / bird) :op3 b)",  # which of the two is meant?
        '(b / boy :name (n / name :op1 "))',
        "(g / go-02) and more",
        "",
    ],
)
def test_what_is_not_plain_is_left_to_the_person(text: str) -> None:
    assert mend_text(text) is None


def chain(length: int) -> str:
    """A graph in which each node has the next for its only child."""
    inner = "".join(f" :ARG1 (x{number} / thing" for number in range(1, length))
    return f"(x0 / thing{inner}{')' * length}"


def star(length: int) -> str:
    """A graph in which all nodes are children of the root."""
    children = "".join(f" :op{number} (x{number} / thing)" for number in range(1, length))
    return f"(x0 / and{children})"


LARGE = [chain(1201), star(3001)]


@pytest.mark.parametrize("text", LARGE)
def test_a_large_graph_opens_folded_and_an_edit_lays_out_and_sends_what_is_shown(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    laid_out: list[int] = []

    def count(nodes: Sequence[DrawnNode], *rest: Any) -> Layout:
        laid_out.append(len(nodes))
        return place(nodes, *rest)

    def count_box(node: DrawnNode, x: float, y: float) -> PlacedNode:
        boxes.append(node.label)
        return box_at(node, x, y)

    boxes: list[str] = []
    monkeypatch.setattr(layout, "place", count)
    monkeypatch.setattr(layout, "box_at", count_box)
    opened = open_store(str(tmp_path / "large.db"))
    opened.import_text("large.txt", f"# ::id large\n# ::snt A thing .\n{text}\n")
    stored = opened.sentence(1)
    sketch = lay_out(stored.state.graph)
    payload = payload_of(stored, sketch)
    assert laid_out == [MOST_OPENED]
    assert [len(payload[part]) for part in ("nodes", "edges", "lines")] == [120, 119, 120]
    num_all = len(stored.state.graph.nodes)
    assert payload["fold"] == {"shown": 120, "all": num_all, "root": True}
    assert sum(line.get("more", 0) for line in payload["lines"]) == num_all - 120
    answer(opened, message(gesture(kind="rename", id="x0", text="cat")))
    stored = opened.sentence(1)
    sketch = grow(sketch, stored.state.graph)
    payload = payload_of(stored, sketch)
    assert (laid_out, len(boxes)) == ([MOST_OPENED], MOST_OPENED)
    assert len(json.dumps(payload)) < 100_000
    assert payload["nodes"][0]["shown"] == "cat"
    opened.close()


def test_what_is_shown_grows_around_a_place_and_follows_the_edits() -> None:
    large = parse_penman(chain(1201))
    middle = shown_around(large, ["x600"])
    assert middle == {f"x{number}" for number in range(540, 660)}
    more = shown_around(large, ["x659"], middle)
    assert len(more) == 2 * MOST_OPENED
    assert more > middle
    sketch = lay_out(large, middle)
    edited = apply_edit(large, edit_of(large, {"kind": "add", "parent": "x600",
                                               "line": ":mod old", "tokens": []}))  # fmt: skip
    after = grow(sketch, edited)
    assert set(after.names) == middle | {"o"}
    assert set(grow(after, large).names) == middle
    assert set(grow(sketch, parse_penman(star(700))).names) >= {"x541", "x659"}
    assert set(grow(sketch, parse_penman("(b / boy)")).names) == {"b"}
    assert set(grow(sketch, parse_penman(chain(500))).names) == {f"x{n}" for n in range(120)}
    other = parse_penman(star(700).replace("x", "y"))
    assert "y0" in grow(sketch, other).names


def test_a_whole_graph_stays_whole_and_a_text_that_makes_it_large_folds_it() -> None:
    small, large = parse_penman(star(300)), parse_penman(star(700))
    assert lay_out(small).is_whole
    assert lay_out(large, parts_of(large)).is_whole
    assert not grow(lay_out(small), large).is_whole
    edited = apply_edit(large, RenameNode("x5", "dog"))
    assert grow(lay_out(large, parts_of(large)), edited).is_whole


def test_a_part_is_found_by_its_name_variable_or_a_piece_of_it() -> None:
    graph = parse_penman(
        '(w / want-01 :ARG0 (b / boy :name (n / name :op1 "Bo")) :ARG1 (b2 / ball))'
    )
    names = named(graph)
    assert matching(names, "b") == ["b"]
    assert matching(names, "BALL") == ["b2"]
    assert matching(names, "b2 / ball") == ["b2"]
    assert matching(names, "bo") == ["b", "n:op1"]
    assert matching(names, " ") == []
    assert next_part(graph, {"b", "b2"}, "b") == "b2"
    assert next_part(graph, {"b", "b2"}, "b2") == "b"
    assert next_part(graph, {"w", "b"}, "") == "w"
    assert next_part(graph, (), "w") == ""


@pytest.mark.parametrize(
    ("concept", "taken", "role"),
    [
        ("want-01", {":ARG0", ":ARG2"}, ":ARG1"),
        ("and", {":op1"}, ":op2"),
        ("name", set(), ":op1"),
        ("multi-sentence", set(), ":snt1"),
        ("boy", {":mod"}, ":mod"),
    ],
)
def test_a_frame_is_offered_its_first_free_argument_and_a_list_its_next_place(
    concept: str, taken: set[str], role: str
) -> None:
    assert free_role(concept, taken) == role


def test_a_role_that_is_folded_is_not_offered_again() -> None:
    setting = Setting(parse_penman(star(700)), read_lexicon())
    (first, *_) = completions(setting, {"kind": "role", "typed": "op", "at": setting.graph.root})
    assert first[0] == ":op700"


@pytest.mark.parametrize("text", LARGE)
def test_a_large_graph_that_is_shown_whole_is_listed_without_a_layout(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("app.canvas.layout.pygraphviz.AGraph")
    large = parse_penman(text)
    before = lay_out(large, parts_of(large))
    rows = [node.y for node in before.layout.nodes]
    assert len(set(rows)) == len(large.nodes)
    assert rows == sorted(rows)
    assert before.layout.width < 3_000
    after = grow(before, apply_edit(large, RenameNode("x5", "dog")))
    assert after.layout.nodes[5].shown == "dog"
    assert after.layout.edges == before.layout.edges


def test_a_graph_of_many_edges_is_listed_without_a_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("app.canvas.layout.pygraphviz.AGraph")
    roles = [f":mod{role} x{number}" for number in range(1, 60) for role in ("", "-of", "ifier")]
    text = star(60).removesuffix(")") + "".join(f" {role}" for role in roles) + ")"
    dense = parse_penman(text)
    sketch = lay_out(dense)
    assert len(sketch.ends) == 59 + len(roles)
    rows = [node.y for node in sketch.layout.nodes]
    assert rows == sorted(rows)
    assert grow(sketch, dense).layout == sketch.layout


@pytest.mark.parametrize(("size", "cleared"), [(160, None), (161, 160), (401, None)])
def test_a_drawing_says_where_it_has_more_parts_than_are_kept_apart(
    size: int, cleared: int | None, store: Store
) -> None:
    store.import_text("long.txt", f"# ::id long\n# ::snt A thing .\n{chain(size)}\n")
    stored = store.sentence(store.sentences()[-1].id)
    graph = stored.state.graph
    assert len(graph.nodes) + len(graph.attributes) == size
    whole = lay_out(graph, parts_of(graph))  # the last is a list
    assert payload_of(stored, whole).get("cleared") == cleared


def test_the_text_of_a_deep_graph_is_not_all_indentation(store: Store) -> None:
    store.import_text("deep.txt", f"# ::id deep\n# ::snt A thing .\n{chain(1201)}\n")
    stored = store.sentence(store.sentences()[-1].id)
    text = text_of(stored)
    assert len(text) < 250_000
    assert parse_penman(text) == replace(stored.state.graph, metadata={})


@given(st.text(alphabet='ab()/: "~\n-1', max_size=40))
def test_a_mend_is_always_a_graph(text: str) -> None:
    mend = mend_text(text)
    assert mend is None or text_fault(mend.text) is None


def test_confirming_covers_the_triple_of_what_is_chosen(store: Store) -> None:
    part = {"kind": "edge", "ends": ["n", ":op1", "n:op1"]}
    answer(store, message({"do": "confirm", "on": True, "part": part}))
    assert store.sentence(1).state.confirmed == {("n", ":op1", '"Lima"'): "Ada"}
    nothing = {"do": "confirm", "on": True, "part": {"kind": "node", "id": "zz"}}
    assert answer(store, message(nothing, id="m2", base=1)).kind == "refused"


def test_the_drawing_holds_every_part_and_its_marks(store: Store) -> None:
    answer(store, message(gesture(kind="rename", id="b", text="girl")))
    store.apply(1, "Ada", "t", Request("c", 1, {"do": "confirm", "triples": [ARG0], "on": True}))
    stored = store.sentence(1)
    payload = payload_of(stored, lay_out(stored.state.graph))
    nodes = {node["name"]: node for node in payload["nodes"]}
    assert nodes["b"]["changed"]
    assert "changed" not in nodes["w"]
    assert nodes["w"]["root"]
    assert nodes["n:op1"]["constant"]
    confirmed = [edge["ends"] for edge in payload["edges"] if "confirmed" in edge]
    assert confirmed == [ARG0]
    (edge,) = [edge for edge in payload["edges"] if edge["ends"] == ARG0]
    assert [payload["nodes"][edge[end]]["name"] for end in ("source", "target")] == ["w", "b"]
    assert edge["origin"] == "person confirmed Ada"
    lines = payload["lines"]
    assert [line["text"] for line in lines[:2]] == ["w / want-01", "b / girl"]
    mention = next(line for line in lines if line["text"] == "b")
    assert mention["node"] == -1
    assert payload["nodes"][mention["to"]]["name"] == "b"


# --- link ---------------------------------------------------------------------------------


def test_a_link_comes_back_as_it_was() -> None:
    link = CorrectLink(12, "Ada Lovelace")
    assert parse_link(CorrectLink, format_link(link)) == link


@pytest.mark.parametrize("text", ["x", "-1", "1e3", "٣", "9" * 40])
def test_an_address_that_names_no_sentence_is_told(text: str) -> None:
    assert parse_link(CorrectLink, {"sentence": text}).sentence is None
    assert "names no sentence" in damages(CorrectLink, {"sentence": text})[0]


# --- random work --------------------------------------------------------------------------


def random_gesture(draw: st.DrawFn, graph: AmrGraph) -> dict[str, Any]:
    nodes = [node.id for node in graph.nodes]
    boxes = nodes + [item.id for item in graph.attributes]
    edges = [[edge.source, edge.role, edge.target] for edge in graph.edges]
    edges += [[item.source, item.role, item.id] for item in graph.attributes]
    node, other = draw(st.sampled_from(nodes)), draw(st.sampled_from(nodes))
    kind = draw(st.sampled_from(["rename", "add", "delete", "link", "root", "merge", "split"]))
    box = draw(st.sampled_from(boxes))
    values: dict[str, dict[str, Any]] = {
        "rename": {"id": box, "text": "new"},
        "add": {"parent": node, "role": ":mod", "text": draw(st.sampled_from(["old", "2", '"x"']))},
        "delete": {"id": box},
        "link": {"source": node, "role": ":topic", "target": other},
        "root": {"id": node},
        "merge": {"kept": node, "gone": other},
        "split": {"id": node, "edges": []},
    }
    if edges and draw(st.booleans()):
        edge = draw(st.sampled_from(edges))
        kind = draw(st.sampled_from(["relabel", "reverse", "move", "reify"]))
        values |= {
            "relabel": {"edge": edge, "role": ":time"},
            "reverse": {"edge": edge},
            "move": {"edge": edge, "end": draw(st.sampled_from(["source", "target"])), "to": node},
            "reify": {"edge": edge},
        }
    return {"kind": kind, **values[kind]}


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_random_work_draws_a_sound_graph_and_moves_nothing(data: st.DataObject) -> None:
    graph = parse_penman(TEXT.split("\n\n")[0])
    sketch = lay_out(graph)
    for _ in range(8):
        try:
            edited = apply_edit(graph, edit_of(graph, random_gesture(data.draw, graph)))
        except EditError:
            continue  # refused with the reason: nothing is drawn
        after_it = grow(sketch, edited)
        for name in set(sketch.names) & set(after_it.names):
            before, now = sketch.known[name], after_it.known[name]
            if before.shown == now.shown:
                assert (before.x, before.y) == (now.x, now.y)
        assert set(after_it.names) == {n.id for n in edited.nodes} | {
            item.id for item in edited.attributes
        }
        assert len(after_it.layout.edges) == len(edited.edges) + len(edited.attributes)
        graph, sketch = edited, after_it


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_random_work_on_a_folded_graph_draws_what_is_shown_and_counts_the_rest(
    data: st.DataObject,
) -> None:
    graph = parse_penman(TEXT.split("\n\n")[0])
    with patch.object(folding, "MOST_WHOLE", 3), patch.object(folding, "MOST_OPENED", 3):
        sketch = lay_out(graph)
        for _ in range(8):
            if data.draw(st.booleans()):
                place = data.draw(st.sampled_from(parts_of(graph)))
                kept = sketch.names if data.draw(st.booleans()) else ()
                sketch = lay_out(graph, shown_around(graph, [place], kept))
            try:
                edited = apply_edit(graph, edit_of(graph, random_gesture(data.draw, graph)))
            except EditError:
                continue
            graph, before = edited, sketch
            sketch = grow(sketch, graph)
            shown = set(sketch.names)
            assert shown
            assert shown <= sketch.parts == set(parts_of(graph))
            assert shown >= set(before.names) & set(parts_of(graph))
            ends = [(one.source, one.role, one.target) for one in graph.edges]
            ends += [(one.source, one.role, one.id) for one in graph.attributes]
            assert sketch.ends == tuple(one for one in ends if {one[0], one[2]} <= shown)
            lines = lines_of(graph, sketch)
            assert [line["node"] for line in lines if line["node"] >= 0] == [
                sketch.names.index(name) for name in item_order(graph) if name in shown
            ]
            assert sorted(line["edge"] for line in lines if line["edge"] >= 0) == [
                *range(len(sketch.ends))
            ]
            hidden = len(ends) + 1 - len(lines)
            assert sum(line.get("more", 0) for line in lines) <= hidden


def test_tokens_are_counted_from_0_where_edits_are_told() -> None:
    edit = {"edit": "set-alignment", "key": "b", "tokens": [0, 1]}
    assert describe_edit(edit, {"b": "b / boy"}) == "b / boy stands for token 0, 1"


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("n:op1", "Old", '"Old"'),
        ("n:op1", '"Old"', '"Old"'),
        ("n:op1", "7", '"7"'),
        ("c:li", "7", "7"),
        ("c:li", "seven", '"seven"'),
    ],
)
def test_a_string_that_is_renamed_stays_one_without_quotation_marks_too(
    name: str, typed: str, value: str
) -> None:
    graph = parse_penman('(c / city :name (n / name :op1 "New") :li "a")')
    edit = edit_of(graph, {"kind": "rename", "id": name, "text": typed})
    values = {item.id: item.value for item in apply_edit(graph, edit).attributes}
    assert values[name] == value
