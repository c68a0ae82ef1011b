"""The Oracle page by Streamlit's AppTest, with a fake parser behind it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.engine import worker as engine
from app.kit.corpora import MAX_PASTED
from app.kit.tables import chosen_rows, rows_with
from app.pages.oracle.state import ALIGNER
from aptcore.errors import CheckpointError
from aptcore.graph.corpus import read_corpus
from aptcore.trace.format import decode_trace
from aptcore.trace.trace import ModelInfo, Trace
from aptcore.transition.actions import Action, format_action
from aptcore.transition.sets import PAPER
from aptcore.words.tokens import tokenize
from tests.app.traces import build_trace

APP = Path(engine.__file__).resolve().parents[1]
TIMEOUT = 120
PAGES = [str(APP / "pages" / name / "page.py") for name in ("oracle", "parse")]
ENTRY = (
    "import streamlit as st\n"
    "st.navigation([st.Page(page, url_path=page.split('/')[-2])"
    f" for page in {PAGES!r}]).run()"
)
GRAPHS = """# ::id one
# ::snt The boy sleeps.
(s / sleep-01
   :ARG0 (b / boy))

# ::id broken
# ::snt It breaks.
(b / break-01

# ::id two
# ::snt A $5 *map* :smile: of itself.
(m / map
   :part m)
"""


class FakeParser:
    """Follows the forced actions, and is sure of each only to a degree."""

    info = ModelInfo("fake", "feedbeef", "none", PAPER, "cpu", "float32")

    def trace(
        self, text: str, *, beam: int, prefix: Iterable[Action] = (), **told: object
    ) -> Trace:
        read = tokenize(text)
        document = build_trace(read.tokens, read.lemmas, list(map(format_action, prefix)))
        document["steps"][1]["alternatives"] = [{"action": "PRED(thing)", "probability": 0.999}]
        return decode_trace(document)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_caches: None) -> Path:
    """A folder of corpora with one file."""
    (tmp_path / "graphs.txt").write_text(GRAPHS, encoding="utf-8")
    monkeypatch.setenv("APTAMR_DATA", str(tmp_path))
    monkeypatch.setattr(engine, "load_parser", FakeParser)
    return tmp_path


def open_page(**parameters: str) -> AppTest:
    page = AppTest.from_string(ENTRY, default_timeout=TIMEOUT)
    for name, value in parameters.items():
        page.query_params[name] = value
    return checked(page.run())


def checked(page: AppTest) -> AppTest:
    assert not page.exception
    assert not any("\\\\" in element.value for element in page.caption)
    return page


def sent(page: AppTest) -> dict[str, Any]:
    """What the canvas got."""
    return dict(json.loads(page.get("bidi_component")[0].proto.json))


def edited(page: AppTest) -> dict[str, Any]:
    """What the editor of the alignment got."""
    return dict(json.loads(page.get("bidi_component")[1].proto.json))


def captions(page: AppTest) -> str:
    return "\n".join(caption.value for caption in page.caption)


def change(page: AppTest, *operations: Mapping[str, Any]) -> AppTest:
    """Send changes as the editor does."""
    key = edited(page)["key"]
    page.session_state[ALIGNER] = {
        "outbox": {"messages": [{"key": key, **one} for one in operations]}
    }
    return checked(page.run())


def test_a_change_that_comes_together_with_what_leads_away_is_not_lost() -> None:
    page = open_page()
    key = edited(page)["key"]
    message = {"key": key, "number": 1, "kind": "align", "item": "g", "tokens": [3]}
    page.session_state[ALIGNER] = {"outbox": {"messages": [message]}}
    page.button(key="oracle_forward").click()
    page = checked(page.run())
    assert parameter(page, "sentence") == "example.2"
    page = checked(page.button(key="oracle_back").click().run())
    assert parameter(page, "align") == "g@3"


def actions(page: AppTest) -> list[str]:
    payload = sent(page)
    return [payload["texts"][number] for number in payload["steps"]["action"]]


def parameter(page: AppTest, name: str) -> str | None:
    value = page.query_params.get(name)
    return value[0] if isinstance(value, list) else value


def test_a_newcomer_sees_our_example_at_once() -> None:
    page = open_page()
    assert not page.error
    assert not page.markdown  # Streamlit would print a bare string of the script
    page.toggle(key="oracle_tables").set_value(True).run()
    assert list(table(checked(page), "item", "source")["words"])[:2] == ["wants", "girl"]
    assert list(table(page, "step", "effect")["action"])[0] == "REDUCE"
    assert "Exact\\: all 20 triples" in captions(page)
    assert sent(page)["unscored"]
    assert sent(page)["start"] == 0
    assert edited(page)["tokens"][1] == "girl"


def test_a_file_of_the_folder_opens_by_its_path_and_its_bad_block_is_named() -> None:
    page = open_page()
    page.segmented_control(key="oracle_origin").set_value("folder").run()
    page.selectbox(key="oracle_path").set_value("graphs.txt").run()
    checked(page)
    assert parameter(page, "corpus") == "graphs.txt"
    assert "line 8, broken\\: the graph is not closed" in page.warning[0].value
    assert "of 2 in graphs\\.txt" in captions(page)
    assert edited(page)["tokens"] == ["The", "boy", "sleeps", "."]


def test_what_stays_until_a_chosen_source_is_opened_is_told_as_such() -> None:
    page = open_page()
    assert "of 6 in example: example" in captions(page)
    for origin in ("folder", "upload", "paste"):
        page.segmented_control(key="oracle_origin").set_value(origin).run()
        assert "Nothing is open from there yet: example is still shown." in captions(page)
        assert "of 6, still in example" in captions(page)
    page.segmented_control(key="oracle_origin").set_value("folder").run()
    page.selectbox(key="oracle_path").set_value("graphs.txt").run()
    assert "still" not in captions(page)
    page.segmented_control(key="oracle_origin").set_value("example").run()
    assert "still" not in captions(page)


def test_without_a_folder_its_files_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "File in the folder" in open_page().segmented_control(key="oracle_origin").options
    monkeypatch.delenv("APTAMR_DATA")
    offered = open_page().segmented_control(key="oracle_origin").options
    assert offered == ["Example", "Upload", "Paste a graph"]


def test_an_address_restores_corpus_sentence_step_variant_and_changes() -> None:
    page = open_page(corpus="graphs.txt", sentence="two", step="2", variant="paper", align="m@3")
    assert sent(page)["start"] == 2
    assert page.selectbox(key="oracle_variant").value == "paper"
    assert page.number_input(key="oracle_number").value == 2
    line = edited(page)["lines"][0]
    assert (line["tokens"], line["source"]) == ([3], "person")
    assert "Not reached (1)" in page.warning[1].value


def test_an_address_may_number_its_sentence_as_the_file_does() -> None:
    assert edited(open_page(corpus="graphs.txt", sentence="3"))["tokens"][0] == "A"


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"corpus": "graphs.txt", "sentence": "2"}, "There is no sentence"),  # it is broken
        ({"corpus": "../x.txt"}, "leads out of the folder"),
        ({"corpus": "absent.txt"}, "There is no file"),
        ({"corpus": "graphs.txt", "sentence": "zz"}, "There is no sentence"),
        ({"graph": "no graph"}, "This is no graph"),
        ({"upload": "mine.txt"}, "give it again"),
        ({"align": "w@77"}, "do not fit"),
    ],
)
def test_an_address_that_cannot_be_answered_says_why_and_the_page_stands(
    parameters: dict[str, str], words: str
) -> None:
    page = open_page(**parameters)
    assert words in page.error[0].value.replace("\\", "")
    assert edited(page)["lines"]


def test_a_graph_is_pasted_and_its_address_holds_it() -> None:
    page = open_page()
    page.segmented_control(key="oracle_origin").set_value("paste").run()
    page.text_area(key="oracle_text").set_value(GRAPHS)
    page.button[0].click().run()
    checked(page)
    assert "of 2 in pasted" in captions(page)
    graph = parameter(page, "graph")
    assert graph == GRAPHS
    assert edited(open_page(graph=graph, sentence="two"))["tokens"][0] == "A"


@pytest.mark.parametrize(
    ("text", "words"), [("", "no graph yet"), ("x" * (MAX_PASTED + 1), "can be pasted")]
)
def test_a_bad_paste_is_named_and_what_stood_there_stays(text: str, words: str) -> None:
    page = open_page()
    page.segmented_control(key="oracle_origin").set_value("paste").run()
    page.text_area(key="oracle_text").set_value(text)
    page.button[0].click().run()
    checked(page)
    assert words in page.error[0].value
    assert edited(page)["tokens"][1] == "girl"


def test_a_text_without_a_readable_graph_says_so() -> None:
    page = open_page(graph="(b / boy")
    assert "no graph in this text" in page.info[0].value
    page.segmented_control(key="oracle_view").set_value("corpus").run()
    assert "No sentence of this text can be used" in settled(page).info[0].value


def test_a_graph_without_a_sentence_says_what_is_missing() -> None:
    page = open_page(graph="(b / boy)")
    assert "there is no sentence" in page.error[0].value


def test_previous_and_next_lead_through_the_corpus() -> None:
    page = open_page(corpus="graphs.txt")
    page.button(key="oracle_forward").click().run()
    assert parameter(checked(page), "sentence") == "two"
    assert page.button(key="oracle_forward").disabled
    page.button(key="oracle_back").click().run()
    assert parameter(checked(page), "sentence") is None
    page.number_input(key="oracle_number").set_value(2).run()
    assert edited(checked(page))["tokens"][0] == "A"


def test_a_changed_alignment_changes_the_walk_and_tells_what_changed() -> None:
    page = open_page(corpus="graphs.txt")
    before = actions(page)
    page = change(page, {"number": 1, "kind": "align", "item": "b", "tokens": [3]})
    after = edited(page)
    assert after["ack"] == 1
    assert after["lines"][1]["source"] == "person"
    assert "COPY(lemma) at “boy”" in after["changes"]["lost"]
    assert after["changes"]["newLabels"]
    assert actions(page) != before
    assert sent(page)["marks"]["steps"]
    assert sent(page)["start"] == sent(page)["marks"]["steps"][0]
    assert parameter(page, "align") == "b@3"
    page = change(page, {"number": 2, "kind": "undo"})
    assert actions(page) == before
    assert edited(page)["changes"] is None
    assert not edited(page)["canUndo"]
    assert parameter(page, "align") is None


def test_a_link_with_a_changed_alignment_tells_what_it_changes() -> None:
    page = open_page(corpus="graphs.txt", align="b@3")
    assert "COPY(lemma) at “boy”" in edited(page)["changes"]["lost"]


def test_an_unknown_variant_in_an_address_is_named() -> None:
    page = open_page(corpus="graphs.txt", variant="<b>nope</b>")
    assert any("no oracle variant" in error.value for error in page.error)


def test_a_pasted_graph_that_cannot_be_read_is_named_before_what_its_metadata_lacks() -> None:
    page = open_page(graph="(b / boy :ARG0")
    assert "no ::snt" not in page.warning[0].value.split("The first:")[1]


def test_a_change_that_is_sent_again_is_made_once() -> None:
    page = open_page(corpus="graphs.txt")
    one = {"number": 1, "kind": "align", "item": "b", "tokens": [3]}
    page = change(page, one)
    page = change(page, one, {"number": 2, "kind": "reset"})
    page = change(page, one, {"number": 2, "kind": "reset"})
    assert edited(page)["ack"] == 2
    assert not edited(page)["canReset"]


def test_a_change_for_another_sentence_is_not_made_here() -> None:
    page = open_page(corpus="graphs.txt")
    page = change(
        page, {"number": 1, "kind": "align", "item": "b", "tokens": [3], "key": "other:0"}
    )
    assert edited(page)["ack"] == 1
    assert not edited(page)["canReset"]


def test_a_change_that_cannot_be_is_refused_beside_the_graph() -> None:
    page = open_page(corpus="graphs.txt")
    page = change(page, {"number": 1, "kind": "align", "item": "b", "tokens": [44]})
    assert "there is no token 44" in edited(page)["problem"]
    assert not edited(page)["canReset"]


def test_changes_stay_with_their_sentence() -> None:
    page = open_page(corpus="graphs.txt")
    page = change(page, {"number": 1, "kind": "align", "item": "b", "tokens": [3]})
    page.button(key="oracle_forward").click().run()
    assert not edited(checked(page))["canReset"]
    page.button(key="oracle_back").click().run()
    assert edited(checked(page))["canReset"]


def settled(page: AppTest) -> AppTest:
    """Wait until the figures of a corpus are there."""
    deadline = time.monotonic() + TIMEOUT
    while page.get("progress") and time.monotonic() < deadline:
        time.sleep(0.05)
        page.run()
    return checked(page)


def table(page: AppTest, *columns: str) -> Any:
    """The one table on the page that has these columns."""
    (found,) = (frame.value for frame in page.dataframe if set(columns) <= set(frame.value.columns))
    return found


def test_the_corpus_view_lists_as_much_as_it_counts() -> None:
    page = settled(open_page(corpus="graphs.txt", view="corpus", variant="paper"))
    report = figures(page)
    lost, labels = table(page, "piece", "reason"), table(page, "label", "kind")
    assert report["sentences"] == str(len(table(page, "text", "exact"))) == "2"
    assert report["not reached"] == str(len(lost)) == "1"
    assert report["seen once"] == str(len(labels))
    words = edited(open_page(corpus="graphs.txt"))["tokens"]
    assert (
        table(page, "text", "exact")["tokens"].iloc[0]
        == len(words)
        > len("The boy sleeps.".split())
    )
    page.toggle(key="oracle_once").set_value(False).run()
    assert report["labels"] == str(len(table(checked(page), "label", "kind")))
    page.text_input(key="oracle_sentences_filter").set_value("MAP").run()
    assert list(table(checked(page), "text", "exact")["sentence"]) == ["two"]
    assert list(lost["sentence"]) == ["two"]
    assert lost["link"].iloc[0] == "?corpus=graphs.txt&sentence=two&variant=paper"
    assert list(table(page, "line", "problem")["id"]) == ["broken"]


def test_a_row_of_a_filtered_table_leads_to_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {"rows": {"selection": {"rows": [1]}}})
    frame = pd.DataFrame({"text": ["map", "boy", "Maps"], "link": ["?a", "?map", "?c"]})
    shown = rows_with(frame, " mAp ")
    assert list(shown.index) == [0, 2]
    assert chosen_rows("rows", shown) == [2]


def figures(page: AppTest) -> dict[str, str]:
    """The figures that sum a corpus up."""
    text = next(html.proto.body for html in page.get("html") if "<dt>" in html.proto.body)
    pairs = [piece.split("</dt><dd>") for piece in text.split("<dt>")[1:]]
    return {name: rest.partition("</dd>")[0] for name, rest in pairs}


def test_the_model_stands_beside_the_oracle() -> None:
    page = open_page(corpus="graphs.txt", variant="paper")
    page.segmented_control(key="oracle_replay").set_value("model").run()
    deadline = time.monotonic() + TIMEOUT
    while "Figures by" not in captions(page) and time.monotonic() < deadline:
        time.sleep(0.05)
        page.run()
    checked(page)
    assert page.query_params["replay"] in ("model", ["model"])
    payload = sent(page)
    assert "unscored" not in payload
    assert payload["marks"]["steps"] == [1]
    assert "differs at 1 of" in payload["marks"]["text"]
    assert {node["name"] for node in payload["nodes"]} == {"s", "b"}
    page.toggle(key="oracle_tables").set_value(True).run()
    assert list(table(checked(page), "step", "differs")["model's first choice"])[1] == "PRED(thing)"


def test_an_address_puts_the_model_beside_the_oracle_and_another_sentence_keeps_it() -> None:
    page = open_page(corpus="graphs.txt", variant="paper", replay="model")
    assert page.segmented_control(key="oracle_replay").value == "model"
    page.number_input(key="oracle_number").set_value(2).run()
    assert page.query_params["replay"] in ("model", ["model"])
    page.segmented_control(key="oracle_replay").set_value("oracle").run()
    assert "replay" not in page.query_params


def test_a_model_of_another_set_is_offered_a_variant_that_it_knows() -> None:
    page = open_page(corpus="graphs.txt", variant="exact")
    page.segmented_control(key="oracle_replay").set_value("model").run()
    deadline = time.monotonic() + TIMEOUT
    while not page.info and time.monotonic() < deadline:
        time.sleep(0.05)
        page.run()
    assert "paper set only" in page.info[0].value
    next(one for one in page.button if "Compare with" in one.label).click().run()
    assert parameter(checked(page), "variant") == "paper"


def test_a_model_that_cannot_be_loaded_leaves_the_oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> FakeParser:
        raise CheckpointError("no such *folder*")

    monkeypatch.setattr(engine, "load_parser", fail)
    page = open_page(corpus="graphs.txt")
    page.segmented_control(key="oracle_replay").set_value("model").run()
    deadline = time.monotonic() + TIMEOUT
    while not page.error and time.monotonic() < deadline:
        time.sleep(0.05)
        page.run()
    assert "no such \\*folder\\*" in page.error[0].value
    assert sent(page)["unscored"]


def test_the_awkward_labels_are_sent_as_they_are(cases: dict[str, dict[str, Any]]) -> None:
    labels = [*cases["c28"]["input"]["labels"], *cases["c29"]["input"]["labels"]]
    quoted = [json.dumps(label, ensure_ascii=False) for label in labels]
    branches = "\n".join(f"   :op{n} {text}" for n, text in enumerate(quoted, 1))
    graph = f"# ::snt {cases['c31']['input']['texts'][0]}\n(t / thing\n{branches})"
    assert read_corpus("test", text=graph).records[0].graph is not None
    page = open_page(graph=graph)
    assert [line["text"] for line in edited(page)["lines"][1:]] == quoted
    assert {node["label"] for node in sent(page)["nodes"]} == {"thing", *quoted}
