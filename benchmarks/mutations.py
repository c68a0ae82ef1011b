"""Files that are broken at random: ``python -m benchmarks.mutations --count N --seed S``.

Small files of our own in every format are mutated (bytes, lines, marks, brackets, line ends,
encodings) and go through read, align, import and export. Nothing may end in a traceback, and
nothing may be lost in silence: what a file holds comes out again or is reported. Each file
is made from the seed and its number alone; ``--only NUMBER`` does one again and shows it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from app.commands.align import aligned_file, format_file
from app.store.archive import is_archive
from app.store.documents.exporting import ExportOptions
from app.store.store import Store, open_store
from aptcore.alignment.tables import shipped_tables
from aptcore.errors import FormatError
from aptcore.graph.blocks import split_lines
from aptcore.graph.checks import triples
from aptcore.graph.corpus import Corpus, Record, format_corpus, read_corpus
from aptcore.graph.encoding import decode_text
from aptcore.graph.formats import Reading, named_sentences, read_source
from aptcore.graph.penman import mark_tokens
from aptcore.words.gold import gold_items

PENMAN = """# AMR of our own

# ::id a.1 ::date 2024
# ::snt Mara can't see two small dogs .
# ::tok Mara ca n't see two small dogs .
# ::alignments 0-1.2.1.1 1-1 2-1.1 3-1.2 4-1.3.1 5-1.3.2 6-1.3
(p / possible-01
   :polarity -
   :ARG1 (s / see-01
      :ARG0 (p2 / person
         :name (n / name
            :op1 "Mara"))
      :ARG1 (d / dog
         :quant 2
         :mod (s2 / small))))

# ::id a.2
# ::snt It rained (again) .
(r / rain-01~e.1
   :mod~e.3 (a / again~e.3))
"""

JAMR = """# ::id j.1
# ::snt Two dogs chase a small dog .
# ::tok Two dogs chase a small dog .
# ::alignments 0-1|0.0.0 1-2|0.0 2-3|0 5-6|0.1
# ::node\t0\tchase-01\t2-3
# ::node\t0.0\tdog\t1-2
# ::node\t0.0.0\t2\t0-1
# ::node\t0.1\tdog\t5-6
# ::node\t0.1.0\tsmall\t4-5
# ::root\t0\tchase-01
# ::edge\tchase-01\tARG0\tdog\t0\t0.0\t
(c / chase-01 :ARG0 (d / dog :quant 2) :ARG1 (d2 / dog :mod (s / small)))

# ::id j.2
# ::tokens ["She", "did", "n't", "wave", "3 1/2", "times"]
# ::node\t1\twave-01\t3-4
# ::node\t2\tshe\t0-1
# ::root\t1\twave-01
# ::edge\twave-01\tARG0\tshe\t1\t2\t
(w / wave-01 :ARG0 (s / she) :polarity -)
"""

OTHER = """{"sent": "It hails .", "amr": "(h / hail-01)", "source": "diary"}
{"sid": 7, "sentence": "She waved .", "tokens": ["She", "waved", "."], "graph": "(w / wave-01 :ARG0 (s / she))"}
{"text": "No graph yet ."}
"""  # noqa: E501

TEXT = """It rains .
Caf\u00e9s in Z\u00fcrich (all of them) close at 5 p.m. on 24/12/2019 .

He said: "They don\u2019t ."
"""

PIECES = [
    *("(", ")", "/", ":", '"', "~e.", "~e.1", "~e.9,2", "-of", "#", "# ::", "::", "|", "0-1", "\t"),
    *("# ::tok ", "# ::snt ", "# ::id a.1\n", "# ::tokens [", "# ::node\t0\tdog\t0-1\n", "(x / y)"),
    *("{", "}", "[", "]", ",", "\\", "\\u0000", "null", '{"a": 1}\n', "\u00a0", "\u2028", "\x85"),
    *("\x0b", "\x0c", "\x1c", "\ufeff", "\u201c", "e\u0301", "\u200d", "\U0001f469", "\x00", "\r"),
    *("\r\n", "\n\n", "  ", "-LRB-", "<ROOT>", "@-@", "((" * 400, "9" * 5000, "\ud7ff", "ARG1"),
]


def seed_files(folder: Path) -> dict[str, bytes]:
    """Give a file in each format; our own JSON Lines are an export of a store."""
    with closing(open_store(str(folder / "seed.db"))) as store:
        own = [
            store.export(store.import_text(name, text).document, ExportOptions("jsonl"))
            for name, text in (("penman.txt", PENMAN), ("jamr.txt", JAMR))
        ]
    files = {"penman": PENMAN, "jamr": JAMR, "own": own[0], "own-jamr": own[1]}
    files |= {"other": OTHER, "text": TEXT}
    return {name: text.encode() for name, text in files.items()}


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Change a file in one to six places."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        content = chance.choice(MUTATIONS)(content, chance)
    return content


def _byte(content: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(content) + 1)
    return content[:place] + bytes([chance.randrange(256)]) + content[place + chance.randrange(2) :]


def _cut(content: bytes, chance: random.Random) -> bytes:
    first = chance.randrange(len(content) + 1)
    return content[:first] + content[first + chance.choice((1, 1, 2, 8, 80)) :]


def _copy(content: bytes, chance: random.Random) -> bytes:
    first, place = (chance.randrange(len(content) + 1) for _ in range(2))
    piece = content[first : first + chance.choice((1, 4, 30, 200))]
    return content[:place] + piece + content[place:]


def _piece(content: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(content) + 1)
    return content[:place] + chance.choice(PIECES).encode() + content[place:]


def _lines(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    first, second = (chance.randrange(len(lines)) for _ in range(2))
    act = chance.randrange(4)
    if act == 0:
        lines[first], lines[second] = lines[second], lines[first]
    elif act == 1:
        lines.insert(second, lines[first])
    elif act == 2:
        del lines[first]
    else:
        lines[first : first + 2] = [b"".join(lines[first : first + 2])]
    return b"\n".join(lines)


def _bracket(content: bytes, chance: random.Random) -> bytes:
    places = [place for place, byte in enumerate(content) if byte in b'()"/:{}[]~']
    if not places:
        return content
    place = chance.choice(places)
    return content[:place] + chance.choice((b"", b"(", b")", b'"', b" ")) + content[place + 1 :]


def _number(content: bytes, chance: random.Random) -> bytes:
    places = [place for place, byte in enumerate(content) if byte in b"0123456789"]
    if not places:
        return content
    place = chance.choice(places)
    return content[:place] + str(chance.choice((0, 3, 77, 10**6))).encode() + content[place + 1 :]


def _recoded(content: bytes, chance: random.Random) -> bytes:
    act = chance.randrange(6)
    if act < 3:
        return content.replace(b"\n", (b"\r", b"\r\n", b"\xe2\x80\xa8")[act])
    text = content.decode("utf-8", "replace")
    encoding = ("utf-16", "latin-1", "utf-8-sig")[act - 3]
    return text.encode(encoding, "replace")


Mutation = Callable[[bytes, random.Random], bytes]
MUTATIONS: Sequence[Mutation] = (
    *(_byte, _cut, _copy, _piece, _piece, _lines, _lines, _bracket, _bracket, _number, _recoded),
)


class Lost(Exception):
    """Something of a file that neither came out nor was reported."""


def wanted(holds: bool, what: str) -> None:
    """Raise where a claim about a file does not hold."""
    if not holds:
        raise Lost(what)


def check(name: str, content: bytes, store: Store) -> str:
    """Take a file through read, align, import and export; tells what became of it.

    Raises:
        Lost: Something is gone in silence.
    """
    try:
        text = decode_text(content, name)
        reading = read_source(name, text)
    except FormatError as error:
        wanted(name in str(error), "the refusal does not name the file")
        return "refused"
    check_reading(reading, text)
    if reading.format == "text":
        return "text"
    check_aligned(reading.corpus)
    check_stored(name, text, reading, store)
    return reading.format


def check_reading(reading: Reading, text: str) -> None:
    """Hold what was read against the lines of the file."""
    bare = text.lstrip("\ufeff")
    lines = split_lines(bare)
    corpus = reading.corpus
    if reading.format == "text":
        wanted(len(named_sentences(reading)) == len(lines), "a line of the text is gone")
        return
    if reading.format == "json-lines":
        filled = sum(not line.is_blank for line in lines)
        wanted(len(corpus.records) == filled, "a line of the JSON Lines is gone")
    else:
        wanted(format_corpus(corpus) == bare, "the text does not come out as it went in")
        told = {problem.line for problem in corpus.problems}
        spans = [record.span for record in corpus.records]
        for number, line in enumerate(lines, 1):
            inside = any(start <= line.start < end for start, end in spans)
            is_kept = line.is_blank or line.is_comment or inside or number in told
            wanted(is_kept, f"line {number} is in no record and not reported")
    for record in corpus.records:
        check_record(record)


def check_record(record: Record) -> None:
    """Hold a record against its own text: its graph, and every alignment in it."""
    said = [problem.message for problem in record.problems]
    if record.graph is None:
        rows = [line for line in split_lines(record.raw) if not (line.is_blank or line.is_comment)]
        wanted(not rows or bool(said), "a graph is not read, and nothing says so")
        return
    found = record.graph.alignments
    kept = sum(len(alignment.tokens) for alignment in found.values())
    marks = [
        token
        for branch in record.graph.layout
        for mark in (branch.target_mark, branch.role_mark)
        for token in mark_tokens(mark)
    ]
    num_lost = len(marks) - kept
    if marks:
        named = sum("does not exist" in message for message in said)
        wanted(num_lost <= named, f"{num_lost} marks are gone, {named} are reported")
        return
    line, nodes = (record.graph.metadata.get(key, "") for key in ("alignments", "node"))
    if line:
        pieces = len(dict.fromkeys(line.split()))
        wanted(kept + len(said) >= pieces, "a piece of ::alignments is gone")
    elif nodes:
        rows_of_nodes = nodes.count("\n") + 1
        named = sum(message.startswith("::node") for message in said)
        wanted(len(found) + named >= rows_of_nodes, "a ::node line is gone")


def check_aligned(corpus: Corpus) -> None:
    """Align all graphs, write them, and read them again."""
    items, problems = gold_items(corpus)
    wanted(len(items) + len(problems) == len(corpus.records), "a record is gone in align")
    aligned = format_file(aligned_file(corpus, items, len(problems), shipped_tables()))
    aligned.encode("utf-8", "surrogateescape")
    again = read_corpus(corpus.path, text=aligned)
    wanted(len(again.records) == len(corpus.records), "align changed the number of records")
    for before, after in zip(corpus.records, again.records, strict=True):
        wanted((before.graph is None) == (after.graph is None), "align lost a graph")
        if before.graph and after.graph:
            wanted(set(triples(before.graph)) == set(triples(after.graph)), "align bent a graph")
            wanted(before.id == after.id, "align changed an id")


def check_stored(name: str, text: str, reading: Reading, store: Store) -> None:
    """Import a file, export it in both formats, and hold the counts against each other."""
    if is_archive(text):
        return
    report = store.import_text(name, text)
    num_records = len(reading.corpus.records)
    wanted(report.num_sentences == num_records, "a record is gone in import")
    graphs = sum(record.graph is not None for record in reading.corpus.records)
    missing = graphs - report.num_graphs
    wanted(missing <= report.num_apart, f"{missing} graphs are gone in import")
    back = store.export(report.document)
    if reading.format == "penman":
        wanted(back == text, "the export of an untouched file differs from it")
    lines = store.export(report.document, ExportOptions("jsonl")).split("\n")
    objects = [json.loads(line) for line in lines if line]
    wanted(len(objects) == num_records, "a sentence is gone in the export as JSON Lines")


def run(count: int, seed: int, first: int = 0) -> Iterator[tuple[int, str, str]]:
    """Do files ``first`` to ``first + count``: number, fate, and of a fault its traceback."""
    with tempfile.TemporaryDirectory() as name:
        files = seed_files(Path(name))
        for begin in range(first, first + count, 250):  # a store of a few hundred documents
            with closing(open_store(f"{name}/{begin}.db")) as store:
                for number in range(begin, min(begin + 250, first + count)):
                    kind, content = mutation(files, seed, number)
                    try:
                        yield number, check(f"{kind}-{number}", content, store), ""
                    except Exception:
                        yield number, "fault", traceback.format_exc()
            Path(f"{name}/{begin}.db").unlink()


def mutation(files: dict[str, bytes], seed: int, number: int) -> tuple[str, bytes]:
    """Make a file from the seed and its number."""
    chance = random.Random(f"{seed} {number}")
    kind = chance.choice(list(files))
    return kind, mutated(files[kind], chance)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the counts, and for each kind of fault the number of the first file.

    Returns:
        1 if there was a fault, else 0.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=1000, help="How many files.")
    parser.add_argument("--seed", type=int, default=1, help="They are made from.")
    parser.add_argument("--first", type=int, default=0, help="The number of the first of them.")
    parser.add_argument("--only", type=int, help="Do the file of this number, and show it.")
    given = parser.parse_args(arguments)
    count, first = (given.count, given.first) if given.only is None else (1, given.only)
    fates: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    started = time.monotonic()
    for number, fate, why in run(count, given.seed, first):
        fates[fate] += 1
        kind = " ".join(why.strip().split("\n")[-3:])
        if why and not faults[kind]:
            print(f"file {number}: {why if given.only is not None else kind}", flush=True)
        faults[kind] += bool(why)
        if fates.total() % 1000 == 0:
            told = f"{fates.total()} files, {faults.total()} faults"
            print(told, file=sys.stderr, flush=True)
    seconds = time.monotonic() - started
    told = ", ".join(f"{fates[fate]} {fate}" for fate in sorted(fates))
    print(f"{fates.total()} files of seed {given.seed} in {seconds:.0f} s: {told}")
    return 1 if fates["fault"] else 0


if __name__ == "__main__":
    sys.exit(main())
