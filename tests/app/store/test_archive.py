"""A document with all that people did goes from one store into another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.store.archive import is_archive
from app.store.documents.exporting import ExportOptions
from app.store.log.operations import Acknowledged, Request
from app.store.store import Store, open_store
from aptcore.errors import FormatError, StoreError

FILE = "\ufeff# heading\r\n\r\n# ::id a\r\n# ::snt caf\udce9 !\r\n(g / go-02)\r\n\r\n" + (
    "# ::id b\n# ::snt She sings .\n(s / sing-01\n   :ARG0 (x / she))\n\n(b / broken\n"
)


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with closing(open_store(store_url)) as opened:
        yield opened


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(str(tmp_path / "other.db"))) as opened:
        opened.import_text("own.amr", "(r / rain-01)\n")
        yield opened


def fill(store: Store) -> int:
    """Import a file and do something of every kind; gives the document's number."""
    document = store.import_text("work.amr", FILE).document
    copy = store.copy_document(document, "work.Ben.amr", "Ben")
    gone = store.copy_document(document, "work.Zoe.amr", "Zoe")
    store.remove_copy(gone, 0)
    _, second, _ = (row.id for row in store.sentences(document))
    rename = {"edit": "rename-node", "id": "s", "concept": "hum-02"}
    done = [
        (second, "Ada", {"do": "edit", "edit": rename}),
        (second, "Ada", {"do": "undo"}),
        (second, "Ada", {"do": "redo"}),
        (second, "Ben", {"do": "comment", "text": "fein \u2028 gut"}),
        (second, "Ben", {"do": "flag", "on": True, "reason": "look"}),
        (second, "Ada", {"do": "assign", "person": "Cy"}),
        (second, "Ada", {"do": "draft", "text": "(s / "}),
        (second, "Ada", {"do": "accept"}),
        (store.sentences(copy)[1].id, "Ben", {"do": "reject", "note": "no"}),
    ]
    for number, (sentence, person, what) in enumerate(done):
        base = store.sentence(sentence).revision
        request = Request(f"r{number}", base, what)
        assert isinstance(store.apply(sentence, person, "t", request), Acknowledged)
    store.set_scores({second: {"margin": 0.25}})
    return document


def told(store: Store, document: int) -> list[object]:
    """Give all that a store says of a document and its copies, but for its own numbers."""
    found: list[object] = []
    known = [one for one in store.documents() if document in (one.id, one.copy_of)]
    for one in known:
        found.append((one.name, one.source, one.person, one.at, store.export(one.id)))
        scores = store.scores(one.id)
        for row in store.sentences(one.id):
            store.check(row.id)
            stored = store.sentence(row.id, "Ada")
            log = [(op.revision, op.id, op.person, op.tab, op.base, op.target, op.at, op.what)
                   for op in store.log(row.id)]  # fmt: skip
            listed = (row.status, row.flagged, row.assigned, row.num_comments, row.apart, row.line)
            found += [stored.state, stored.raw, stored.can_undo, log, listed, scores.get(row.id)]
    return found


def test_a_document_with_all_its_work_goes_into_another_store(store: Store, other: Store) -> None:
    document = fill(store)
    text = store.archives.write(document)
    assert text.isascii()
    assert is_archive(text)
    report = other.archives.read(text)
    assert (report.name, report.num_sentences, report.num_apart) == ("work.amr", 3, 2)
    assert told(other, report.document) == told(store, document)
    assert other.archives.write(report.document) == text
    assert {"Ada", "Ben"} <= set(other.people.known())


def test_work_goes_on_where_a_document_came_in(store: Store, other: Store) -> None:
    report = other.archives.read(store.archives.write(fill(store)))
    second = other.sentences(report.document)[1].id
    for number in range(3):
        base = other.sentence(second).revision
        answer = other.apply(second, "Ada", "u", Request(f"u{number}", base, {"do": "undo"}))
        assert isinstance(answer, Acknowledged)
    again = other.apply(second, "Ada", "t", Request("r0", 0, dict(other.log(second)[0].what)))
    assert again == Acknowledged("r0", 1)


def test_under_another_name_a_document_stands_beside_itself(store: Store) -> None:
    document = fill(store)
    text = store.archives.write(document)
    with pytest.raises(StoreError, match=r"'work\.amr' already"):
        store.archives.read(text)
    store.archives.read(text, "again.amr")
    names = [one.name for one in store.documents()]
    assert names == ["work.amr", "work.Ben.amr", "again.amr", "again.Ben.amr"]


def damaged(text: str, kind: str) -> str:
    lines = [json.loads(line) for line in text.splitlines()]
    if kind == "cut off":
        return text[:-40]
    if kind == "cut off between lines":
        del lines[-1]
    elif kind == "without its copy":
        del lines[5:]
    elif kind == "newer":
        lines[0]["version"] = 99
    elif kind == "no document":
        del lines[1]
    elif kind == "only a head":
        del lines[1:]
    elif kind == "another person's undo":
        lines[3]["log"][1]["target"] = 7
    elif kind == "no operation":
        lines[3]["log"][0]["what"] = {"do": "burn"}
    elif kind == "a name that leads out":
        lines[1]["document"] = "../../x"
    elif kind == "two blocks in one":
        lines[3]["raw"] = "(a / b)\n\n(c / d)\n"
    elif kind == "a field lost":
        del lines[3]["line"]
    elif kind == "another type":
        lines[3]["log"] = "none"
    elif kind == "an operation twice":
        lines[3]["log"][1] = lines[3]["log"][0]
    elif kind == "a sentence lost":
        del lines[2]
    elif kind == "no number":
        lines[3]["scores"] = {"margin": float("nan")}
    elif kind == "a number too large":
        lines[3]["line"] = 10**30
    elif kind == "a list":
        lines[2] = []
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("cut off", "line 9"),
        ("cut off between lines", "1 sentences of a document are missing"),
        ("without its copy", "1 of its documents are missing"),
        ("newer", "version 99"),
        ("no document", "before its document"),
        ("only a head", "2 of its documents are missing"),
        ("another person's undo", "takes back what does not count"),
        ("no operation", "no operation"),
        ("a name that leads out", "no plain file name"),
        ("two blocks in one", "2 blocks"),
        ("a field lost", "'line' is missing"),
        ("another type", "'log' is missing or of another kind"),
        ("an operation twice", "twice in the log"),
        ("a sentence lost", "sentence 1 is missing"),
        ("no number", "no number"),
        ("a number too large", "out of all bounds"),
        ("a list", "line 3"),
    ],
)
def test_of_a_damaged_file_nothing_is_taken(
    store: Store, other: Store, kind: str, message: str
) -> None:
    text = damaged(store.archives.write(fill(store)), kind)
    with pytest.raises((FormatError, StoreError), match=message):
        other.archives.read(text)
    assert [one.name for one in other.documents()] == ["own.amr"]
    assert len(other.sentences()) == 1


def test_an_export_of_graphs_says_what_it_leaves_out(store: Store) -> None:
    document = fill(store)
    assert store.archives.left_out(document, ExportOptions()) == (
        "1 status", "1 comment", "1 flag", "1 assignment", "1 copy", "8 operations in the log",
    )  # fmt: skip
    assert store.archives.left_out(document, ExportOptions("jsonl")) == (
        "1 assignment", "1 copy", "8 operations in the log",
    )  # fmt: skip
    fresh = store.import_text("fresh.amr", "(r / rain-01)\n").document
    assert store.archives.left_out(fresh, ExportOptions()) == ()


def test_what_json_lines_brought_along_goes_on_in_an_archive(store: Store, other: Store) -> None:
    lines = store.export(fill(store), ExportOptions("jsonl"))
    document = store.import_text("lines.jsonl", lines).document
    assert store.sentences(document)[1].status == "accepted"
    report = other.archives.read(store.archives.write(document))
    assert told(other, report.document) == told(store, document)
