"""Files into the store and out again: nothing is lost, nothing is touched that nobody touched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.store.documents.exporting import ExportOptions
from app.store.documents.importing import parts_of
from app.store.documents.listing import SentenceFilter
from app.store.log.operations import Acknowledged, Answer, Refused, Request
from app.store.log.provenance import Source
from app.store.store import Store, open_store
from aptcore.errors import FormatError, StoreError
from aptcore.graph.checks import triples
from aptcore.graph.corpus import read_corpus
from aptcore.graph.encoding import decode_text
from aptcore.graph.penman import parse_penman

ODD_FILES = {
    "heading and tail": "# our file, part 1\n\n# ::id a\n# ::snt Go !\n(g / go-02)\n\n# end\n",
    "no final line end": "# ::snt Go !\n(g / go-02)",
    "two without a blank line": "# ::id a\n(g / go-02)\n# ::id b\n(r / rain-01)\n",
    "Windows line ends": "# ::id a\r\n# ::snt Go !\r\n(g / go-02)\r\n\r\n# ::id b\r\n(h / he)\r\n",
    "old line ends": "# ::id a\r(g / go-02)\r\r# ::id b\r(h / he)\r",
    "byte order mark": "\ufeff# ::id a\n# ::snt Go !\n(g / go-02)\n",
    "only a mark": "\ufeff",
    "tabs and spaces": "# ::id a  \n# ::snt  Go\t! \n(g / go-02\n\t:mode imperative )   \n\n\n\n",
    "no text": "",
    "no graphs": "nothing here\n\n  but lines\n",
    "text between": "# ::id a\n(g / go-02)\n\nstray words\n\n# ::id b\n(h / he)\n",
    "broken in the middle": "# ::id a\n(g / go-02\n\n# ::id b\n(h / he)\n\n(x / y :mod )\n",
    "not UTF-8": "# ::id a\n# ::snt caf\udce9\n(g / go-02)\n\n# ::id b\n(h / he)\n",
    "other separators": "# ::id a\n# ::snt one\u2028two\x0bthree\n(g / go-02)\n",
    "no graph yet": "# ::id b.2\n# ::snt Nothing here yet .\n\n# ::id b.3\n(g / go-02)\n",
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(str(tmp_path / "store.db"))
    yield store
    for row in store.sentences():
        store.check(row.id)
    store.close()


def ask(store: Store, sentence: int, person: str = "Ada", **what: Any) -> Answer:
    base = store.sentence(sentence).revision
    name = f"{person}-{base}"
    return store.apply(sentence, person, "tab", Request(name, base, what))


def rename(store: Store, sentence: int, node: str, concept: str) -> None:
    edit = {"edit": "rename-node", "id": node, "concept": concept}
    assert isinstance(ask(store, sentence, do="edit", edit=edit), Acknowledged)


# --- untouched -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ODD_FILES)
def test_an_untouched_file_comes_out_byte_for_byte(store: Store, name: str) -> None:
    content = ODD_FILES[name].encode("utf-8", "surrogateescape")
    report = store.import_text("odd.amr", decode_text(content, "odd.amr"))
    out = store.export(report.document)
    assert out.encode("utf-8", "surrogateescape") == content


def test_cases_of_files_come_out_byte_for_byte(store: Store, cases: dict[str, Any]) -> None:
    files = [case["input"]["file"] for case in cases.values() if "file" in case["input"]]
    assert len(files) > 2
    for number, text in enumerate(files):
        assert store.export(store.import_text(f"{number}.amr", text).document) == text


def test_what_was_edited_and_taken_back_is_untouched(store: Store) -> None:
    text = ODD_FILES["tabs and spaces"]
    document = store.import_text("a.amr", text).document
    rename(store, 1, "g", "leave-11")
    assert store.export(document) != text
    assert isinstance(ask(store, 1, do="undo"), Acknowledged)
    assert isinstance(ask(store, 1, do="accept"), Acknowledged)
    assert store.export(document) == text


def test_corpora_come_out_byte_for_byte(store: Store, data_folder: Path) -> None:
    """Every file of the free sets, its first 60,000 bytes, cut where they end."""
    number = 0
    for path in sorted(data_folder.rglob("*")):
        if path.suffix not in (".txt", ".penman", ".jkaln") or not path.is_file():
            continue
        with path.open("rb") as file:
            text = decode_text(file.read(60_000), str(path))
        parts = parts_of(path.name, text)
        pieces = [block.before + block.record.raw for block in parts.blocks]
        assert "".join(pieces) + parts.tail == text
        for block in parts.blocks:
            (alone,) = read_corpus("", text=block.record.raw).records
            assert (alone.graph, alone.metadata) == (block.record.graph, block.record.metadata)
        number += 1
    assert number > 10


# --- edited ----------------------------------------------------------------------------

FILE = """# our head

# ::id a.1 ::annotator Eve
# ::snt The boy saw the old  dog .
# ::tok The boy saw the old dog .
# ::alignments 1-1.1 2-1 5-1.2 4-1.2.1
# ::note   kept   as it is
(s9 / see-01
  :ARG0 (zz / boy)
  :ARG1 (d / dog :mod (o / old)))

# ::id a.2
# ::snt It rains .
(r / rain-01)
# the end"""


def test_an_edited_sentence_keeps_all_else(store: Store) -> None:
    document = store.import_text("a.amr", FILE).document
    rename(store, 1, "zz", "girl")
    out = store.export(document, ExportOptions(provenance=False))
    before, after = FILE.split("(s9")[0], FILE.split("(o / old)))")[1]
    assert out.startswith(before)
    assert out.endswith(after)
    graph = out[len(before) : -len(after)]
    assert graph == (
        "(s9 / see-01\n    :ARG0 (zz / girl)\n    :ARG1 (d / dog\n             :mod (o / old)))"
    )


def test_alignments_follow_an_edit_in_the_file(store: Store) -> None:
    document = store.import_text("a.amr", FILE).document
    gone = {"edit": "delete-node", "id": "zz"}
    ask(store, 1, do="edit", edit=gone)
    ask(store, 1, do="edit", edit={"edit": "set-alignment", "key": "d", "tokens": [3, 5]})
    out = store.export(document, ExportOptions(provenance=False))
    assert "# ::alignments 2-1 3-1.1 4-1.1.1 5-1.1\n" in out
    (record, _) = read_corpus("a.amr", text=out).records
    assert record.graph is not None
    assert record.graph.alignments["o"].tokens == (4,)
    ask(store, 2, do="edit", edit={"edit": "set-alignment", "key": "r", "tokens": [1]})
    out = store.export(document, ExportOptions(provenance=False))
    assert "# ::snt It rains .\n# ::alignments 1-1\n(r / rain-01)" in out


def test_alignments_of_another_format_stay_until_they_change(store: Store) -> None:
    text = "# ::tok The boy left\n# ::alignments 1-2|0.0 2-3|0\n(l / leave-11 :ARG0 (b / boy))\n"
    document = store.import_text("a.amr", text).document
    rename(store, 1, "b", "girl")
    out = store.export(document, ExportOptions(provenance=False))
    assert "# ::alignments 1-2|0.0 2-3|0\n" in out
    ask(store, 1, do="edit", edit={"edit": "set-root", "id": "b"})
    out = store.export(document, ExportOptions(provenance=False))
    assert "# ::alignments 1-1 2-1.1\n" in out


@pytest.mark.parametrize("name", ["jamr", "ibm"])
@pytest.mark.parametrize(
    "edit",
    [
        {"edit": "rename-node", "id": "d2", "concept": "puppy"},
        {"edit": "delete-node", "id": "s"},
        {"edit": "set-alignment", "key": "d", "tokens": [0, 1]},
    ],
)
def test_case_c59_keeps_every_line_and_alignment_of_an_edited_sentence(
    store: Store, cases: dict[str, Any], name: str, edit: dict[str, Any]
) -> None:
    text = cases["c59"]["input"]["files"][name]
    document = store.import_text("a.amr", text).document
    ask(store, 1, do="edit", edit=edit)
    out = store.export(document, ExportOptions(provenance=False))
    comments = [line for line in text.split("\n") if line.startswith("#")]
    assert out.split("\n")[: len(comments)] == comments
    (record,) = read_corpus("a.amr", text=out).records
    graph = store.sentence(1).state.graph
    assert record.graph is not None
    assert {key: found.tokens for key, found in record.graph.alignments.items()} == {
        key: found.tokens for key, found in graph.alignments.items()
    }


def test_case_c63_is_kept_apart_at_import_with_the_fix(store: Store, cases: dict[str, Any]) -> None:
    """The marks of the last graph stand inside a text."""
    case = cases["c63"]
    blocks = (f"# ::snt x\n{text}\n\n" for text in case["input"]["penman"])
    report = store.import_text("a.amr", "".join(blocks))
    names = [name for name in case["expected"]["problem_names"] if name]
    assert (report.num_sentences, len(report.apart)) == (6, len(names))
    for problem, name in zip(report.apart, names, strict=True):
        assert name in problem.message
        assert "write it with straight ones" in problem.message


def test_marks_in_the_graph_stay_marks(store: Store) -> None:
    document = store.import_text("a.amr", "# ::tok It rains\n(r / rain-01~e.1 :mod (i / it~e.0))")
    rename(store, 1, "r", "snow-01")
    out = store.export(document.document, ExportOptions(provenance=False))
    assert out == "# ::tok It rains\n(r / snow-01~e.1\n   :mod (i / it~e.0))"


@pytest.mark.parametrize("name", ["Windows line ends", "old line ends", "byte order mark"])
def test_line_ends_and_mark_of_an_edited_file_stay(store: Store, name: str) -> None:
    text = ODD_FILES[name]
    document = store.import_text("a.amr", text).document
    rename(store, 1, "g", "leave-11")
    out = store.export(document, ExportOptions(provenance=False))
    assert out == text.replace("go-02", "leave-11")


def test_a_sentence_with_other_separators_is_not_cut(store: Store) -> None:
    text = ODD_FILES["other separators"]
    document = store.import_text("a.amr", text).document
    rename(store, 1, "g", "leave-11")
    out = store.export(document, ExportOptions(provenance=False))
    assert out == text.replace("go-02", "leave-11")


# --- kept apart ------------------------------------------------------------------------


def test_silver_that_no_reader_should_take_is_kept_apart(
    store: Store, cases: dict[str, Any]
) -> None:
    case = cases["c33"]
    good = "# ::id good\n# ::snt It rains .\n(r / rain-01)\n\n"
    blocks = [f"# ::snt .\n{text}\n\n" for text in case["input"]["penman"]]
    text = blocks[0] + good + blocks[1] + blocks[2]
    report = store.import_text("silver.amr", text)
    assert [problem.line for problem in report.apart] == [2, 8, 11]
    for problem, name in zip(report.apart, case["expected"]["problem_names"], strict=True):
        assert name in problem.message
    assert (report.num_sentences, report.num_graphs, report.num_apart) == (4, 3, 3)
    apart = store.sentences(report.document, SentenceFilter(apart=True))
    assert [row.number for row in apart] == [1, 3, 4]
    for row in apart:
        assert isinstance(ask(store, row.id, do="accept"), Refused)
    only = store.export(report.document, ExportOptions(apart=True))
    assert only == "".join(blocks)
    assert store.export(report.document, ExportOptions(apart=False)) == good
    assert store.export(report.document) == text


def test_a_block_kept_apart_is_mended_by_its_text(store: Store, cases: dict[str, Any]) -> None:
    case = cases["c33"]
    document = store.import_text("a.amr", case["input"]["penman"][0]).document
    sentence = store.sentence(1)
    assert "search engine" in sentence.apart
    assert sentence.raw == case["input"]["penman"][0]
    suggested = case["expected"]["suggested_form"][0]
    ask(store, 1, do="edit", edit={"edit": "replace-graph", "penman": suggested})
    assert not store.sentence(1).apart
    assert isinstance(ask(store, 1, do="accept"), Acknowledged)
    out = store.export(document, ExportOptions(status=("accepted",), provenance=False))
    assert set(triples(parse_penman(out))) == set(triples(parse_penman(suggested)))
    for _ in range(2):
        ask(store, 1, do="undo")
    assert "search engine" in store.sentence(1).apart


def test_a_sentence_with_no_graph_yet_can_be_annotated(store: Store) -> None:
    text = ODD_FILES["no graph yet"]
    document = store.import_text("a.amr", text).document
    refused = ask(store, 1, do="accept")
    assert isinstance(refused, Refused)
    assert "has no graph" in refused.reason
    ask(store, 1, do="edit", edit={"edit": "replace-graph", "penman": "(n / nothing)"})
    out = store.export(document, ExportOptions(provenance=False))
    assert out == text.replace("yet .\n", "yet .\n(n / nothing)\n", 1)


def test_a_failed_parse_is_kept_apart(store: Store) -> None:
    report = store.import_text("a.amr", "# ::snt !?\n# ::error no words\n(a / amr-empty)\n")
    assert report.apart[0].message == "not parsed: no words"


def test_a_well_formed_graph_with_a_wrong_name_is_kept_and_untouched(
    store: Store, cases: dict[str, Any]
) -> None:
    case = cases["c34"]
    text = f"# ::snt {case['input']['snt']}\n{case['input']['penman']}\n"
    report = store.import_text("a.amr", text)
    assert not report.apart
    assert store.export(report.document) == text


# --- provenance ------------------------------------------------------------------------


def test_provenance_is_written_and_can_be_left_out(store: Store) -> None:
    document = store.import_text("a.amr", FILE, Source("model", "small", "abc")).document
    rename(store, 1, "zz", "girl")
    ask(store, 1, "Ben", do="confirm", triples=[["o", ":instance", "old"]])
    ask(store, 1, "Ben", do="comment", text="which dog?")
    line = "# ::provenance 5 model small abc; 1 person changed Ada; 1 person confirmed Ben\n"
    assert line in store.export(document)
    rows = store.export(document, ExportOptions(format="jsonl")).splitlines()
    first, second = (json.loads(row) for row in rows)
    assert ["zz", ":instance", "girl", "person changed Ada"] in first["provenance"]
    assert ["o", ":instance", "old", "person confirmed Ben"] in first["provenance"]
    assert first["comments"][0]["text"] == "which dog?"
    assert (first["edited"], second["edited"]) == (True, False)
    assert first["alignments"] == "1-1.1 2-1 4-1.2.1 5-1.2"
    for options in (
        ExportOptions(provenance=False),
        ExportOptions(format="jsonl", provenance=False),
    ):
        out = store.export(document, options)
        assert not any(word in out for word in ("Ada", "Ben", "model", "provenance"))


def test_a_block_names_the_model_that_made_it(store: Store) -> None:
    text = "# ::silver small-3 f00 beam 5\n# ::snt It rains .\n(r / rain-01)\n"
    store.import_text("a.amr", text, Source("given", "someone"))
    found = store.sentence(1).state.provenance["r", ":instance", "rain-01"]
    assert str(found) == "model small-3 f00"


def test_a_provenance_line_of_an_earlier_export_is_brought_up_to_date(store: Store) -> None:
    first = store.import_text("a.amr", FILE).document
    rename(store, 1, "zz", "girl")
    second = store.import_text("b.amr", store.export(first)).document
    row = store.sentences(second)[0]
    rename(store, row.id, "zz", "child")
    out = store.export(second)
    assert out.count("::provenance") == 1
    assert "6 given b.amr; 1 person changed Ada" in out


# --- names -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["", "..", ".", "a/b", "..\\x", "/etc/passwd", "x\0", "a\n", " ", "x" * 201]
)
def test_a_document_cannot_be_named_out_of_a_folder(store: Store, name: str) -> None:
    with pytest.raises(StoreError):
        store.import_text(name, FILE)


def test_a_name_is_taken_once_and_text_can_be_kept(store: Store) -> None:
    store.import_text("a.amr", FILE)
    with pytest.raises(StoreError, match="already"):
        store.import_text("a.amr", "")
    with pytest.raises(FormatError):
        store.import_text("b.amr", "# ::snt \ud800\n(a / b)")
    assert [document.name for document in store.documents()] == ["a.amr"]


def test_a_parse_with_a_role_that_amr_once_had_is_taken_and_can_be_accepted(store: Store) -> None:
    block = "# ::id a\n# ::silver small 0123\n(t / tall :compared-to (b / boy))\n"
    report = store.import_text("a.amr", block)
    assert report.apart == ()
    (row,) = store.sentences(report.document)
    assert isinstance(ask(store, row.id, do="accept"), Acknowledged)


def test_an_export_asks_the_database_as_often_for_many_sentences_as_for_few(
    tmp_path: Path,
) -> None:
    store = open_store(str(tmp_path / "many.db"))
    for number in (3, 300):
        blocks = (f"# ::id {n}\n(r / rain-01)\n\n" for n in range(number))
        store.import_text(f"{number}.amr", "".join(blocks))
    asked: list[str] = []
    sa.event.listen(store._engine, "before_cursor_execute", lambda *event: asked.append(event[2]))
    counts = []
    for document in (1, 2):
        asked.clear()
        assert store.export(document, ExportOptions("jsonl")).count("\n") in (3, 300)
        counts.append(len(asked))
    assert counts[0] == counts[1]
    store.close()
