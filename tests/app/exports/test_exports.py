"""Files of a trace: each read back by a reader of its format."""

from __future__ import annotations

import base64
import io
import json
import re
import struct
import time
import warnings
import zlib
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pygraphviz
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from app.canvas.trace.drawing import payload_of
from app.exports.drawing import PNG_DPI, draw_snapshot, format_dot
from app.exports.files import MAX_STEM, Export, exports_of, stem_of
from app.exports.stepper import (
    MAX_LECTURE,
    Entry,
    Lecture,
    format_lecture,
    format_stepper,
    read_lecture,
)
from app.exports.text import TRIPLE_COLUMNS, format_snapshot, format_trace, format_triples
from app.exports.tikz import escape_tex, format_tikz
from aptcore.errors import FormatError, InputError
from aptcore.graph.checks import triples
from aptcore.graph.penman import parse_penman
from aptcore.trace.format import decode_trace
from aptcore.trace.snapshot import snapshot_of, triples_of
from aptcore.trace.trace import Trace
from tests.app.traces import build_trace, long_trace, want_trace
from tests.seconds import seconds

NAMES = (
    *("PENMAN", "Triples", "Trace (JSON)", "DOT", "SVG", "PNG", "PDF", "TikZ"),
    *("Animation (GIF)", "Stepper (HTML)"),
)
SVG = "{http://www.w3.org/2000/svg}"
AWKWARD = (
    "&lt; &amp;amp; &#60;",
    "--> <!-- ]]> */",
    "</script><script>alert(1)</script>",
    '" onload="alert(1)',
    "$5 to $6_x^2~#1%",
    "{\\}",
    "\u05e9\u05dc\u05d5\u05dd",
    "e\u0301\u0323",
    "東京",
    "a--b,,c",
)


@pytest.fixture(scope="module")
def want() -> Trace:
    return decode_trace(want_trace())


@pytest.fixture(scope="module")
def long() -> Trace:
    return decode_trace(long_trace())


@pytest.fixture(scope="module")
def repaired() -> Trace:
    """A trace with a detached piece and a constant without a parent."""
    actions = ["COPY(lemma)", "SHIFT", "COPY(lemma)", "CONST(-)", "SHIFT", "REDUCE", "LA(0, root)"]
    return decode_trace(build_trace(["Cats", "dogs", "."], ["cat", "dog", "."], actions))


@pytest.fixture(scope="module")
def empty() -> Trace:
    return decode_trace(build_trace(["..."], ["..."], ["REDUCE", "REDUCE"]))


@pytest.fixture(scope="module")
def labels(cases: dict[str, dict[str, Any]]) -> list[str]:
    return [*cases["c28"]["input"]["labels"], *cases["c29"]["input"]["labels"], *AWKWARD]


def labelled(labels: Sequence[str]) -> Trace:
    """Give a trace whose concepts have these labels, each the child of the one before."""
    words = [f"w{place}" for place in range(len(labels))]
    actions: list[str] = []
    made: list[int] = []
    for _ in labels:
        actions.append("PRED(thing)")
        made.append(len(actions) - 1)
        if len(made) > 1:
            actions.append(f"RA({made[-2]}, :mod)")
        actions.append("SHIFT")
    actions.append(f"LA({made[0]}, root)")
    document = build_trace(words, words, actions)
    for item, label in zip(document["items"], labels, strict=True):
        item["label"] = label
    document["sentence"]["text"] = " ".join(labels)
    return decode_trace(document)


def export(trace: Trace, name: str, step: int | None = None) -> bytes:
    return next(each for each in exports_of(trace, step) if each.name == name).make()


# --- all of them ----------------------------------------------------------------------


def test_every_format_is_offered_once_in_a_fixed_order(want: Trace) -> None:
    assert tuple(each.name for each in exports_of(want)) == NAMES


@pytest.mark.parametrize("step", [None, 0, 9])
@pytest.mark.parametrize("name", NAMES)
def test_the_same_trace_gives_the_same_bytes(name: str, step: int | None, want: Trace) -> None:
    again = decode_trace(json.loads(json.dumps(want_trace())))
    assert export(want, name, step) == export(again, name, step)


def test_a_pdf_does_not_hold_the_time(want: Trace) -> None:
    first = export(want, "PDF")
    time.sleep(1.1)
    assert export(want, "PDF") == first
    assert b"/CreationDate (D:19700101000000" in first


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_without_a_graph_gives_every_file(name: str, empty: Trace) -> None:
    assert export(empty, name)


def test_half_a_sign_does_not_stop_an_export() -> None:
    trace = labelled(["\udc80", "a\0b"])
    for each in exports_of(trace):
        assert each.make()
    assert decode_trace(json.loads(export(trace, "Trace (JSON)"))).hash == trace.hash


def test_nothing_is_written_before_it_is_asked_for(want: Trace) -> None:
    files = exports_of(want, 9)
    assert all(isinstance(each, Export) for each in files)
    made = seconds(lambda: [each.make() for each in files], runs=1)
    assert seconds(lambda: exports_of(want, 9)) < made / 20


def test_a_file_is_named_after_sentence_and_step(want: Trace, long: Trace) -> None:
    finished = {each.file_name for each in exports_of(want)}
    assert "the-boy-wants-to-visit-new-york.svg" in finished
    at_step = {each.file_name for each in exports_of(want, 4)}
    assert "the-boy-wants-to-visit-new-york-step-4.svg" in at_step
    assert "the-boy-wants-to-visit-new-york.json" in at_step
    assert all(len(each.file_name) <= MAX_STEM + 5 for each in exports_of(long))


def test_a_file_is_named_without_the_accents_of_its_words() -> None:
    document = want_trace()
    document["sentence"]["text"] = "Zoë ate crème brûlée."
    assert stem_of(decode_trace(document)) == "zoe-ate-creme-brulee"


@pytest.mark.parametrize("text", ["東京", "../../etc/passwd", "\\..\\x", 'a"b;\r\nX: y', "CON"])
def test_no_sentence_makes_a_file_name_that_is_a_path(text: str) -> None:
    document = want_trace()
    document["sentence"]["text"] = text
    for each in exports_of(decode_trace(document), 3):
        assert re.fullmatch(r"[a-z0-9-]+\.[a-z]+", each.file_name)


# --- text -----------------------------------------------------------------------------


def test_the_finished_graph_reads_back_as_penman(want: Trace) -> None:
    text = format_snapshot(snapshot_of(want))
    graph = parse_penman(text)
    assert triples(graph) == triples(parse_penman(want.penman))
    assert graph.metadata["snt"] == want.sentence.text
    assert graph.metadata["model"] == "test-model 0123456789abcdef"
    assert "repairs" not in graph.metadata


def test_repairs_stand_in_the_penman_header(repaired: Trace) -> None:
    graph = parse_penman(format_snapshot(snapshot_of(repaired)))
    assert "joined: " in graph.metadata["repairs"]
    assert "dropped: " in graph.metadata["repairs"]


def test_the_penman_of_a_step_holds_exactly_the_triples_so_far(long: Trace) -> None:
    for step in range(0, len(long.steps) - 1, 7):
        text = format_snapshot(snapshot_of(long, step))
        blocks = text.split("\n\n")
        found = set()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for block in blocks:
                if re.search(r"^\(", block, re.MULTILINE):
                    found |= set(map(tuple, triples(parse_penman(block))))
        expected = {(t.source, t.role, t.target) for t in triples_of(snapshot_of(long, step))}
        assert {part for part in found if ":" in part[1]} == expected


def test_a_step_before_anything_is_made_says_so(want: Trace) -> None:
    assert "# nothing made yet" in format_snapshot(snapshot_of(want, 0))


def test_a_constant_without_a_parent_is_named_in_the_penman_of_a_step(repaired: Trace) -> None:
    assert "# a constant without a parent yet: -" in format_snapshot(snapshot_of(repaired, 4))


def test_a_piece_that_cannot_be_written_is_named_and_hides_no_other() -> None:
    trace = labelled(["fine", "say hi\n(x / injected)"])
    broken = format_snapshot(snapshot_of(trace, 3))
    assert "(t / fine)" in broken
    assert "# a piece that PENMAN cannot write: " in broken
    assert not re.search(r"^\(x", broken, re.MULTILINE)


def test_the_table_of_triples_has_a_line_for_each(repaired: Trace) -> None:
    rows = [line.split("\t") for line in format_triples(snapshot_of(repaired)).splitlines()]
    assert tuple(rows[0]) == TRIPLE_COLUMNS
    assert len(rows) == 1 + len(triples_of(snapshot_of(repaired)))
    assert [row[1:] for row in rows[1:] if row[4] == "repair"] == [["c", ":mod", "d", "repair"]]


def test_the_table_of_a_step_ends_there_and_holds_no_repair(repaired: Trace) -> None:
    rows = format_triples(snapshot_of(repaired, 3)).splitlines()[1:]
    assert len(rows) == 2
    assert not any("repair" in row for row in rows)


def test_a_tab_in_a_label_makes_no_column() -> None:
    table = format_triples(snapshot_of(labelled(["a\tb\nc\\d"])))
    assert table.splitlines()[1].split("\t")[3] == "a\\tb\\nc\\\\d"


def test_the_trace_is_exported_whole(long: Trace) -> None:
    document = json.loads(format_trace(long))
    assert document == json.loads(json.dumps(long_trace()))
    assert decode_trace(document) == long
    assert document["model"]["id"] == "test-model"
    assert document["model"]["hash"] == "0123456789abcdef"


# --- drawings -------------------------------------------------------------------------


def test_awkward_labels_survive_dot(labels: list[str]) -> None:
    trace = labelled(labels)
    graph = pygraphviz.AGraph(string=format_dot(snapshot_of(trace)))
    written = [graph.get_node(item.name).attr["label"] for item in trace.items]
    read = [text.replace("&amp;", "&").replace("\\\\", "\\") for text in written]
    assert read == labels


def test_awkward_labels_are_shown_as_they_are_in_svg(labels: list[str]) -> None:
    drawn = ElementTree.fromstring(draw_snapshot(snapshot_of(labelled(labels)), "svg"))
    texts = [element.text for element in drawn.iter(f"{SVG}text")]
    assert [text for text in texts if str(text).strip() != ":mod"] == labels
    tags = {element.tag.removeprefix(SVG) for element in drawn.iter()}
    assert tags <= {"svg", "g", "title", "polygon", "path", "text"}


def test_dot_holds_every_edge_in_its_own_direction(long: Trace) -> None:
    graph = pygraphviz.AGraph(string=format_dot(snapshot_of(long)))
    names = {item.key: item.name for item in long.items}
    expected = sorted((names[e.source], names[e.target], e.role) for e in long.edges)
    found = sorted((s, t, graph.get_edge(s, t, k).attr["label"]) for s, t, k in edge_keys(graph))
    assert found == expected


def edge_keys(graph: pygraphviz.AGraph) -> list[tuple[str, str, str]]:
    return list(graph.edges(keys=True))


def test_dot_of_a_step_holds_nothing_of_later_steps(want: Trace) -> None:
    text = format_dot(snapshot_of(want, 10))
    assert "want-01" in text
    assert "city" not in text
    assert "graph after 10 of 17 actions, before SHIFT" in text


def test_repairs_are_dashed_and_named_in_dot_svg_and_tikz(repaired: Trace) -> None:
    finished = snapshot_of(repaired)
    dot = format_dot(finished)
    assert re.search(r'"c" -> "d" \[label=":mod \(repair\)", style=dashed.*comment="repair"', dot)
    assert re.search(r'label="-", style=dashed.*comment="repair: dropped"', dot)
    assert "// repair (joined): " in dot
    drawn = draw_snapshot(finished, "svg").decode()
    assert drawn.count("stroke-dasharray") == 2
    assert ":mod (repair)" in drawn
    tikz = format_tikz(finished)
    assert "% repair\n\\draw[line, repair]" in tikz
    assert "{:mod (repair)};" in tikz
    assert "constant, dropped" in tikz


def test_a_step_before_the_last_holds_no_repair(repaired: Trace) -> None:
    step = snapshot_of(repaired, 5)
    assert "repair" not in format_dot(step)
    assert b"dasharray" not in draw_snapshot(step, "svg")
    assert "\\draw" not in format_tikz(step)


def places(picture: bytes) -> dict[str, tuple[str | None, str | None]]:
    """Give for every label of an SVG where it stands; labels must differ."""
    drawn = ElementTree.fromstring(picture)
    return {
        str(text.text): (text.get("x"), text.get("y"))
        for text in drawn.iter(f"{SVG}text")
        if not str(text.text).strip("\xa0 ").startswith(":")
    }


def test_nodes_stand_at_the_same_place_in_the_drawings_of_all_steps(want: Trace) -> None:
    finished = places(draw_snapshot(snapshot_of(want), "svg"))
    assert len(finished) == len(want.items)
    for step in range(len(want.steps) + 1):
        now = places(draw_snapshot(snapshot_of(want, step), "svg"))
        assert now.items() <= finished.items()
        assert set(now) == {item.label for item in want.items if item.step < step}


def test_png_and_pdf_are_what_they_are_called(long: Trace) -> None:
    png = export(long, "PNG")
    assert png.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", png[16:24])
    assert width > 1500
    assert height > 800
    with Image.open(io.BytesIO(png)) as image:
        assert image.info["dpi"] == pytest.approx((PNG_DPI, PNG_DPI), abs=0.1)
    pdf = export(long, "PDF")
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")


def test_every_text_of_an_svg_keeps_its_width_in_any_font(labels: list[str]) -> None:
    drawn = ElementTree.fromstring(draw_snapshot(snapshot_of(labelled(labels)), "svg"))
    texts = list(drawn.iter(f"{SVG}text"))
    assert len(texts) == 2 * len(labels) - 1
    for text in texts:
        assert text.get("lengthAdjust") == "spacingAndGlyphs"
        assert float(str(text.get("textLength"))) > 3


# --- GIF ------------------------------------------------------------------------------


def frames(trace: Trace) -> list[Image.Image]:
    with Image.open(io.BytesIO(export(trace, "Animation (GIF)"))) as image:
        assert image.info["loop"] == 0
        found = []
        for place in range(image.n_frames):
            image.seek(place)
            found.append(image.convert("RGB"))
        return found


def test_an_animation_has_a_wide_frame_for_each_action_and_one_before_all(want: Trace) -> None:
    found = frames(want)
    assert len(found) == len(want.steps) + 1
    assert len({frame.size for frame in found}) == 1
    assert found[0].width >= 1000  # for a projector
    assert all(ImageChops.difference(one, other).getbbox() for one, other in pairwise(found))


def test_the_graph_of_an_animation_only_grows(want: Trace) -> None:
    """What is dark in the lower half stays dark, but for the colour of what is new."""
    small = [frame.convert("L").reduce(3) for frame in frames(want)]  # about as on a page
    grown = [frame.crop((0, 50, *frame.size)) for frame in small]
    for before, after in pairwise(grown):
        lost = ImageChops.subtract(after, before).point(lambda level: 255 * (level > 140))
        assert not lost.getbbox()


def test_an_animation_that_takes_too_many_bytes_is_drawn_smaller(
    want: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(export(want, "Animation (GIF)"))
    monkeypatch.setattr("app.exports.animation.MAX_BYTES", size * 3 // 4)
    assert len(export(want, "Animation (GIF)")) <= size * 3 // 4
    assert len(frames(want)) == len(want.steps) + 1


def test_awkward_labels_and_long_sentences_are_animated(labels: list[str]) -> None:
    assert frames(labelled(labels))


# --- TikZ -----------------------------------------------------------------------------

TEX_WORDS = {
    "textbackslash": "\\",
    "textasciicircum": "^",
    "textasciitilde": "~",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textquotedbl": '"',
    "textquotesingle": "'",
    "textasciigrave": "`",
}


def printed(tex: str) -> str:
    """Give what TeX prints: words, escaped signs and empty groups only; else fail."""
    pieces = re.findall(r"\\([a-z]+)\{\}|\\([{}$&#%_])|(\{\})|([^\\{}$&#%_^~])", tex)
    spelled = re.sub(r"\\[a-z]+\{\}|\\[{}$&#%_]|\{\}|[^\\{}$&#%_^~]", "", tex)
    assert not spelled, f"TeX would read {spelled!r}"
    return "".join(TEX_WORDS[word] if word else sign or plain for word, sign, _, plain in pieces)


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_tex_prints_exactly_the_label(text: str) -> None:
    escaped = escape_tex(text)
    assert printed(escaped) == "".join(c if c.isprintable() else " " for c in text)
    assert "--" not in escaped
    assert ",," not in escaped


def test_awkward_labels_stay_in_their_braces_in_tikz(labels: list[str]) -> None:
    trace = labelled(labels)
    lines = format_tikz(snapshot_of(trace)).splitlines()
    nodes = [line for line in lines if line.startswith("\\node[concept")]
    shown = [printed(re.fullmatch(r".*?\) at \([^)]*\) \{(.*)\};", n)[1]) for n in nodes]  # type: ignore[index]
    assert shown == [node["shown"] for node in payload_of(trace, 0)["nodes"]]
    assert all(line.startswith(("%", "\\", "  ")) for line in lines)


def test_tikz_names_signs_outside_ascii() -> None:
    text = format_tikz(snapshot_of(labelled(["東京"])))
    assert "% signs outside ASCII (use LuaLaTeX or XeLaTeX" in text
    assert "U+4EAC, U+6771" in text
    assert "outside ASCII" not in format_tikz(snapshot_of(labelled(["plain"])))


def test_a_label_that_tikz_shortens_stands_in_full_beside_it() -> None:
    text = format_tikz(snapshot_of(labelled(["x" * 50])))
    assert f"% n0 in full: {'x' * 50}" in text


# --- stand-alone stepper --------------------------------------------------------------


class Reader(HTMLParser):
    """Collects tags and the texts of scripts as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.tags: list[str] = []
        self.is_script = False
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
            self.is_script = True

    def handle_endtag(self, tag: str) -> None:
        self.is_script = self.is_script and tag != "script"

    def handle_data(self, data: str) -> None:
        if self.is_script:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)


def test_the_stepper_holds_the_payload_of_the_page(labels: list[str]) -> None:
    trace = labelled(labels)
    reader = Reader()
    reader.feed(format_stepper(trace, 2))
    (attributes, text), (module, script) = reader.scripts
    assert attributes == {"type": "application/json", "id": "trace"}
    (entry,) = json.loads(text)["entries"]
    opened = {"opened": {"isWhole": True}}  # the trace holds no beam and no heads
    assert entry["trace"] == json.loads(json.dumps(payload_of(trace, 2) | opened))
    assert (entry["sentence"], entry["note"]) == (trace.sentence.text, "")
    assert module == {"type": "module"}
    assert script.count("export default function show(") == 1


def test_awkward_labels_add_no_tag_to_the_stepper(labels: list[str], want: Trace) -> None:
    plain, awkward = Reader(), Reader()
    plain.feed(format_stepper(want))
    awkward.feed(format_stepper(labelled(labels)))
    assert awkward.tags == plain.tags
    assert not [name for name, _ in awkward.attributes if name.startswith("on")]


def test_the_stepper_asks_for_nothing_from_outside(want: Trace) -> None:
    text = format_stepper(want)
    reader = Reader()
    reader.feed(text)
    assert not {"link", "img", "iframe", "object"} & set(reader.tags)
    assert not [value for name, value in reader.attributes if name in ("src", "href")]
    assert re.findall(r"https?://[^\"' ]+", text) == ["http://www.w3.org/2000/svg"]
    assert "default-src 'none'" in text


def test_the_stepper_names_its_model(want: Trace) -> None:
    text = format_stepper(want)
    assert "Made by model test-model, hash 0123456789abcdef, on cpu, float32, beam 10." in text


# --- lectures -------------------------------------------------------------------------


def test_a_lecture_is_read_again_as_it_was_written(want: Trace, labels: list[str]) -> None:
    entries = (Entry(want, "Look at\nthe root.", 3), Entry(labelled(labels), " ".join(labels)))
    lecture = Lecture('Two & "three"', entries)
    assert read_lecture(format_lecture(lecture)) == lecture


def test_awkward_notes_add_no_tag_to_a_lecture(want: Trace, labels: list[str]) -> None:
    plain, awkward = Reader(), Reader()
    plain.feed(format_lecture(Lecture("", (Entry(want),))))
    awkward.feed(format_lecture(Lecture(" ".join(labels), (Entry(want, " ".join(labels)),))))
    assert awkward.tags == plain.tags


def test_a_lecture_of_nothing_is_not_written() -> None:
    with pytest.raises(InputError, match="no sentence yet"):
        format_lecture(Lecture())


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: "<html></html>", "no lecture that was made here"),
        (lambda text: text.replace('id="source">', 'id="source">AAAA'), "damaged"),
        (lambda text: with_source(text, b"{}"), "damaged"),
        (lambda text: with_source(text, b'{"title": "", "entries": [{"trace": {}}]}'), "schema"),
        (lambda text: with_source(text, b" " * (MAX_LECTURE + 1)), "more than 64 MB"),
    ],
)
def test_what_is_no_lecture_is_refused(spoil: Any, message: str, want: Trace) -> None:
    with pytest.raises(FormatError, match=message):
        read_lecture(spoil(format_lecture(Lecture("", (Entry(want),)))))


def with_source(text: str, held: bytes) -> str:
    packed = base64.b64encode(zlib.compress(held)).decode()
    return re.sub(r'(id="source">)[^<]*', rf"\g<1>{packed}", text)
