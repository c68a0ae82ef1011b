"""What the Correct page marks, proposes and tells of others, without Streamlit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.pages.correct.editor.aligning import aligned_by_rules, guessed_tokens, with_its_word
from app.pages.correct.editor.completing import completed, completions, instead_of
from app.pages.correct.editor.drawing import payload_of
from app.pages.correct.editor.layout import lay_out
from app.pages.correct.editor.marks import (
    blocking,
    doubts_of,
    marks_of,
    problem_items,
    reading_of,
)
from app.pages.correct.meeting import HERE_SECONDS, TOLD_SECONDS, Meetings, meeting_text
from app.pages.correct.proposals import decided_triples, proposal_items, proposals_text
from app.pages.correct.state_advice import doubts
from app.store.log.operations import Request
from app.store.records.rows import StoredSentence
from app.store.store import Store, open_store
from aptcore.advice.doubt import Option, PieceDoubt
from aptcore.advice.likely import Setting
from aptcore.advice.problems.finding import all_problems
from aptcore.advice.proposals import Proposal
from aptcore.advice.suggestion import Suggestion
from aptcore.editing.edits import (
    AddEdge,
    AddNode,
    ChangeEdge,
    DeleteNode,
    RenameNode,
    Several,
    edit_to_json,
)
from aptcore.graph.amr import AmrGraph
from aptcore.graph.penman import parse_penman
from aptcore.words.frames import Lexicon, read_lexicon
from aptcore.words.tokens import tokenize

TEXT = """# ::id one
# ::snt Two boys sleep .
# ::tok Two boys sleep .
# ::alignments 1-1.1 2-1
(s / sleep-01
   :ARG0 (b / boy
      :quant 2))
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "work.db"))
    opened.import_text("mine.txt", TEXT)
    yield opened
    opened.close()


@pytest.fixture
def graph() -> AmrGraph:
    return parse_penman(TEXT)


LEXICON = read_lexicon()


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return LEXICON


def doubt(triple: tuple[str, str, str], probability: float, *options: Option) -> PieceDoubt:
    return PieceDoubt(triple, probability, options, 0)


# --- doubts -------------------------------------------------------------------------------


def test_only_doubtful_open_and_present_parts_are_marked(graph: AmrGraph) -> None:
    pieces = [
        doubt(("s", ":instance", "sleep-01"), 0.9),
        doubt(("b", ":instance", "boy"), 0.2, Option("girl", 0.7, RenameNode("b", "girl"))),
        doubt(("b", ":quant", "2"), 0.1, Option("REDUCE", 0.8, None)),
        doubt(("s", ":ARG0", "b"), 0.3),
        doubt(("s", ":ARG1", "b"), 0.1),
    ]
    found = doubts_of(graph, pieces, {("s", ":ARG0", "b")})
    assert set(found) == {"b", "b:quant"}
    assert found["b:quant"].options == ()
    girl = edit_to_json(RenameNode("b", "girl"))
    assert found["b"].options == (("girl", 0.7, (girl,)),)


def test_what_the_parser_would_rather_have_of_an_edge_is_said_by_concepts() -> None:
    graph = parse_penman("(h / help-01 :ARG0 (p / person) :ARG1 (p2 / person :mod (o / old)))")
    edge = ("h", ":ARG1", "p2")
    other = [("h", ":ARG2", "p2"), ("o", ":mod", "p2"), ("h", ":ARG1", "o")]
    options = [Option("h :ARG x", 0.2, ChangeEdge(*edge, *ends)) for ends in other]
    (found,) = doubts_of(graph, [doubt(edge, 0.1, *options)], ()).values()
    said = [text for text, _, _ in found.options]
    assert said == [":ARG2", "old :mod p2 / person", "help-01 :ARG1 old"]


# --- problems -----------------------------------------------------------------------------


def test_of_an_accepted_sentence_nothing_is_doubted(store: Store) -> None:
    stored = store.sentence(1)
    found, text = doubts(replace(stored, state=replace(stored.state, status="accepted")))
    assert not found
    assert "accepted" in text


def test_a_problem_has_its_place_and_its_fixes_as_edits(store: Store, lexicon: Lexicon) -> None:
    twice = edit_to_json(Several((AddNode("g", "girl"), AddEdge("s", ":ARG0", "g"))))
    store.apply(1, "Ada", "t", Request("a", 0, {"do": "edit", "edit": twice}))
    stored = store.sentence(1)
    problems = all_problems(stored.state.graph, lexicon)
    (item,) = [one for one in problem_items(stored, problems) if ":ARG0" in one["message"]]
    assert item["severity"] == "warning"
    assert item["note"] is None
    assert item["part"] is not None
    assert all(fix["edits"] for fix in item["fixes"])
    assert marks_of(stored, {}, problems, {}).faulty
    dismissed = {"do": "dismiss", "problem": item["id"], "note": "so it is"}
    store.apply(1, "Ada", "t", Request("b", 1, dismissed))
    stored = store.sentence(1)
    (item,) = [one for one in problem_items(stored, problems) if ":ARG0" in one["message"]]
    assert item["note"] == "so it is"
    assert not marks_of(stored, {}, problems, {}).faulty


def test_errors_block_and_warnings_do_not(lexicon: Lexicon) -> None:
    assert not blocking(all_problems(parse_penman("(n / name)"), lexicon))
    wrong = all_problems(parse_penman("(b / boy :null_edge (c / cat))"), lexicon)
    assert "cannot be accepted yet" in blocking(wrong)


# --- completions and reading ----------------------------------------------------------------


def test_roles_that_a_node_lacks_are_offered_before_those_it_has(
    graph: AmrGraph, lexicon: Lexicon
) -> None:
    wanted = {"kind": "role", "typed": "ARG", "at": "s", "to": "b"}
    names = [text for text, _ in completions(Setting(graph, lexicon), wanted)]
    assert names
    assert all(name.startswith(":ARG") for name in names)
    assert ":ARG0" not in names[:1]


@pytest.mark.parametrize("typed", ["", "sle", "x" * 5000, "a b"])
def test_any_typed_text_is_completed_or_not_but_never_fails(
    graph: AmrGraph, lexicon: Lexicon, typed: str
) -> None:
    wanted = {"kind": "concept", "typed": typed, "at": "zz", "tokens": ["no", None]}
    for text, note in completions(Setting(graph, lexicon), wanted):
        assert text.startswith(typed.replace(" ", "-"))
        assert isinstance(note, str)


def test_what_is_typed_ahead_of_the_list_is_what_would_be_first_in_it(
    graph: AmrGraph, lexicon: Lexicon
) -> None:
    setting = Setting(graph, lexicon)
    first = completions(setting, {"kind": "line", "typed": "t", "at": "b"})[0][0]
    typed = {"kind": "add", "parent": "b", "line": "t", "tokens": [], "typed": True}
    assert completed(setting, typed)["line"] == first
    assert completed(setting, {**typed, "typed": False})["line"] == "t"
    assert completed(setting, {**typed, "line": '"Lima Norte"'})["line"].endswith(' "Lima Norte"')
    number = {"kind": "rename", "id": "b", "text": "7", "typed": True}
    assert completed(setting, number)["text"] == "7"


def test_each_part_that_is_shown_has_what_may_stand_there_instead(
    graph: AmrGraph, lexicon: Lexicon
) -> None:
    found = instead_of(Setting(graph, lexicon), {"s", ("s", ":ARG0", "b")})
    assert set(found) == {"s", ("s", ":ARG0", "b")}
    assert found["s"][0].startswith("sleep-0")
    assert "sleep-01" not in found["s"]
    assert ":ARG1" in found["s", ":ARG0", "b"]
    assert ":ARG0" not in found["s", ":ARG0", "b"]


def test_the_reading_tells_which_line_names_what_is_chosen(
    graph: AmrGraph, lexicon: Lexicon
) -> None:
    reading = reading_of(graph, lexicon)
    assert "sleep" in reading["lines"][reading["named"]["s"]]


# --- proposals ------------------------------------------------------------------------------


def proposal(name: str, *needs: str) -> Proposal:
    edits = {
        "old": Several((AddNode("o", "old"), AddEdge("b", ":mod", "o"))),
        "very": Several((AddNode("v", "very"), AddEdge("o", ":degree", "v"))),
        "no boy": DeleteNode("b"),
    }
    kind = "delete-node" if name == "no boy" else "add-node"
    adds = {
        "old": (("o", ":instance", "old"), ("b", ":mod", "o")),
        "very": (("v", ":instance", "very"), ("o", ":degree", "v")),
    }
    removes = (("b", ":instance", "boy"), ("s", ":ARG0", "b"))
    triples = (adds[name], ()) if name in adds else ((), removes)
    return Proposal(name, kind, edits[name], *triples, 0.61, "because", needs)


@pytest.fixture
def suggestion(graph: AmrGraph) -> Suggestion:
    proposals = (proposal("old"), proposal("very", "old"), proposal("no boy"))
    close = frozenset(["old", "very", "no boy"])
    return Suggestion(graph, proposals, close, frozenset(), 0, 0)


def test_a_proposal_brings_those_that_it_stands_on(suggestion: Suggestion) -> None:
    items = proposal_items(suggestion, suggestion.graph, (), (), LEXICON)
    assert [item["ids"] for item in items] == [["old"], ["old", "very"], ["no boy"]]
    assert [item["sign"] for item in items] == ["+", "+", "−"]
    assert items[0]["text"] == "new: old; old says what kind of boy"
    assert items[0]["why"] == "Added b / boy :mod o / old; 0.61; because"


def test_proposals_that_are_far_off_are_shown_to_who_asks_for_more(suggestion: Suggestion) -> None:
    few = replace(suggestion, close=frozenset(["old"]))
    graph = suggestion.graph
    near = proposal_items(few, graph, (), (), LEXICON)
    everything = proposal_items(few, graph, (), (), LEXICON, only_close=False)
    assert [item["id"] for item in near] == ["old"]
    assert [item["id"] for item in everything] == ["old", "very", "no boy"]
    assert proposals_text(near, 3, 2).endswith("2 more are further off or less sure.")


def test_of_many_proposals_the_first_are_shown(graph: AmrGraph) -> None:
    many = tuple(replace(proposal("no boy"), id=f"p{number}") for number in range(70))
    suggestion = Suggestion(graph, many, frozenset(), frozenset(), 0, 0)
    items = proposal_items(suggestion, graph, ["p0"], (), LEXICON, only_close=False)
    assert [item["id"] for item in items] == [f"p{number}" for number in range(1, 51)]
    assert proposals_text(items, 70).startswith("The first 50 proposals for the rest")


def test_settled_proposals_and_those_against_a_decision_are_left_out(
    suggestion: Suggestion,
) -> None:
    decided = {("b", ":instance", "boy")}
    items = proposal_items(suggestion, suggestion.graph, ["old"], decided, LEXICON)
    assert items == []
    assert proposals_text(items, 3) == "All proposals are settled."
    assert "nothing more" in proposals_text([], 0)


def test_what_a_person_confirmed_or_changed_is_decided(store: Store) -> None:
    store.apply(
        1, "Ada", "t", Request("a", 0, {"do": "edit", "edit": edit_to_json(RenameNode("b", "x"))})
    )
    confirm = {"do": "confirm", "triples": [["s", ":ARG0", "b"]], "on": True}
    store.apply(1, "Ada", "t", Request("b", 1, confirm))
    found = decided_triples(store.sentence(1))
    assert found == {("b", ":instance", "x"), ("s", ":ARG0", "b")}


# --- others -----------------------------------------------------------------------------------


def test_pages_see_each_other_for_a_while() -> None:
    now = [0.0]
    meetings = Meetings(lambda: now[0])
    meetings.be_here(1, "a", "Ada")
    meetings.be_here(1, "b", "Bo")
    assert meetings.others(1, "a") == ("Bo",)
    meetings.be_here(2, "b", "Bo")
    assert meetings.others(1, "a") == ()
    assert meetings.others(2, "a") == ("Bo",)
    now[0] = HERE_SECONDS + 1
    assert meetings.others(2, "a") == ()


def test_a_page_loaded_anew_does_not_meet_itself() -> None:
    now = [0.0]
    meetings = Meetings(lambda: now[0])
    meetings.be_here(1, "before", "Ada")
    now[0] = 2.0
    meetings.be_here(1, "after", "Ada")
    assert meetings.others(1, "after") == ()
    now[0] = 3.0
    meetings.be_here(1, "before", "Ada")  # it lives: another tab indeed
    meetings.be_here(1, "after", "Ada")
    assert meetings.others(1, "after") == ("Ada",)


def test_the_first_writer_hears_of_the_conflict_that_the_second_met() -> None:
    now = [0.0]
    meetings = Meetings(lambda: now[0])
    meetings.clash(1, "b", "Bo", "Renamed b to girl")
    assert meetings.clashes(1, "b") == ()
    text = meeting_text("Ada", (), meetings.clashes(1, "a"), ())
    assert text.startswith("Conflict: Bo tried to change this sentence at the same time")
    now[0] = TOLD_SECONDS + 1
    assert meeting_text("Ada", (), meetings.clashes(1, "a"), ()) == ""
    assert "you, in another tab" in meeting_text("Ada", ("Ada",), (), ("Bo: Accepted",))


# --- alignments by rules ---------------------------------------------------------------------

BARE = """# ::id bare
# ::snt The happy boys sleep .
# ::tok The happy boys sleep .
(s / sleep-01 :ARG0 (b / boy))
"""


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[StoredSentence]:
    opened = open_store(str(tmp_path / "bare.db"))
    opened.import_text("bare.txt", BARE)
    yield opened.sentence(1)
    opened.close()


def test_a_graph_without_alignments_is_aligned_by_rules_and_marked_so(bare: StoredSentence) -> None:
    sentence = tokenize("The happy boys sleep.")
    aligned = aligned_by_rules(bare.state.graph, sentence)
    marks = marks_of(bare, {}, (), {}, aligned)
    shown = payload_of(bare, lay_out(bare.state.graph), marks)
    nodes = {node["name"]: node for node in shown["nodes"]}
    assert nodes["b"]["tokens"] == [2]
    assert nodes["b"]["guessed"]
    assert shown["covered"] == [2, 3]
    assert not bare.state.graph.alignments  # and so no export has them


def test_only_what_a_file_leaves_open_is_guessed(store: Store) -> None:
    stored = store.sentence(1)
    aligned = aligned_by_rules(stored.state.graph, tokenize(stored.text))
    assert guessed_tokens(stored.state.graph, aligned) == {"b:quant": (0,)}


def test_a_new_node_stands_for_its_word_and_for_none_that_is_taken(bare: StoredSentence) -> None:
    graph, sentence = bare.state.graph, tokenize("The happy boys sleep.")
    add = {"kind": "add", "parent": "b", "line": ":mod happy"}
    assert with_its_word(graph, sentence, add)["tokens"] == [1]
    assert with_its_word(graph, sentence, {**add, "tokens": [0]})["tokens"] == [0]
    second = {**add, "line": ":mod boy"}
    assert with_its_word(graph, sentence, second) == second
    assert with_its_word(graph, sentence, {**add, "parent": "zz"}) == {**add, "parent": "zz"}
