"""The versions of a document that can be compared, and who may see which when.

A copy is one person's own annotation of a document. It stays hidden from everybody else,
sentence by sentence, until all copies of that sentence are submitted: accepted by their
person, or rejected.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from app.addresses.compare import GOLD, NOW, SILVER
from app.annotation.copies import copies
from app.store.log.operations import Operation
from app.store.records.rows import Document, SentenceRow
from aptcore.graph.amr import AmrGraph
from aptcore.graph.corpus import Corpus
from aptcore.graph.layout import INSTANCE, TOP, Triple
from aptcore.scoring.agreement import Agreement
from aptcore.scoring.difference import Compared, Pair


def version_names(documents: Sequence[Document], document: int, has_gold: bool) -> dict[str, str]:
    """Give the versions of a document with what they are called on the page."""
    names = {NOW: "the document as it is now", SILVER: "as imported (silver)"}
    names |= {key: f"{copy.person}'s copy" for key, copy in copies(documents, document).items()}
    if has_gold:
        names[GOLD] = "gold"
    return names


def gold_graphs(corpus: Corpus, rows: Sequence[SentenceRow]) -> dict[int, AmrGraph]:
    """Find the gold graph of each sentence: by ``::id``, else by place where the sizes agree.

    Returns:
        By the sentence's number in its document.
    """
    by_id = {r.id: r.graph for r in corpus.records if r.id and r.graph is not None}
    found = {row.number: by_id[row.name] for row in rows if row.name in by_id}
    if found or len(corpus.records) != len(rows):
        return found
    pairs = zip(rows, corpus.records, strict=True)
    return {row.number: record.graph for row, record in pairs if record.graph is not None}


def pair_text(compared: Compared, pair: Pair) -> tuple[str, str]:
    """Write a pair with the concepts of its nodes: what the first has, and the second."""
    return (
        _triple_text(compared.first, pair.first) if pair.first else "",
        _triple_text(compared.second, pair.second) if pair.second else "",
    )


def _triple_text(graph: AmrGraph, triple: Triple) -> str:
    concepts = {node.id: f"{node.id} / {node.concept}" for node in graph.nodes}
    values = {item.id: item.value for item in graph.attributes}
    source, role, target = triple
    if role == INSTANCE:
        return f"{source} / {target}"
    if role == TOP:
        return f"root {concepts[source]}"
    end = values.get(target) or concepts.get(target, target)
    return f"{concepts.get(source, source)} {role} {end}"


def picks_of(compared: Compared) -> dict[int, str]:
    """Say what each pick would do, by the position of its pair in the comparison."""
    said = {}
    for place, pair in enumerate(compared.pairs):
        first, second = pair_text(compared, pair)
        if pair.status == "changed":
            said[place] = f"≠ {first} becomes {second}"
        elif pair.status == "missing":
            said[place] = f"− add {second}"
        elif pair.status == "extra":
            said[place] = f"+ delete {first}"
    return said


def triple_frame(compared: Compared) -> pd.DataFrame:
    """Give all triples of both graphs as a table."""
    rows = [(pair.status, pair.kind, *pair_text(compared, pair)) for pair in compared.pairs]
    return pd.DataFrame(rows, columns=["status", "kind", "first", "second"])


def reason_frame(log: Sequence[Operation]) -> pd.DataFrame:
    """Give the edits that have a reason, as a table: what an adjudicator did and why."""
    undone = {op.target for op in log if op.what["do"] == "undo"}
    rows = [
        (op.at, op.person, op.what["note"], op.revision in undone)
        for op in log
        if op.what["do"] == "edit" and op.what.get("note")
    ]
    return pd.DataFrame(rows, columns=["when", "who", "reason", "taken back"])


def agreement_frame(document: str, found: Sequence[Agreement]) -> pd.DataFrame:
    """Give how well versions agree as a table; F1 are fractions, missing where nothing counts."""
    frame = pd.DataFrame(
        {
            "document": document,
            "first": [one.first for one in found],
            "second": [one.second for one in found],
            "sentences": [one.num_sentences for one in found],
            "Smatch F1": [one.f1 for one in found],
            "95 % from": [one.interval[0] for one in found],
            "95 % to": [one.interval[1] for one in found],
            "equal sentences": [one.num_equal for one in found],
            "not proven": [one.num_unproven for one in found],
        }
    )
    measured = ["Smatch F1", "95 % from", "95 % to"]
    frame[measured] = frame[measured].round(4).where(frame["sentences"] > 0)
    return frame
