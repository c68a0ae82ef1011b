"""How well the versions of a document agree, pair by pair and sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import pandas as pd
import streamlit as st

from app.addresses.compare import GOLD, NOW, SILVER
from app.annotation.copies import SUBMITTED, copies
from app.annotation.documents import all_documents, rows_of
from app.annotation.session import shared_store, store_url
from app.kit.tables import draw_table
from app.kit.text import counted, escape_markdown, shorten
from app.pages.compare.state import (
    document_id,
    go,
    gold_now,
    gold_source,
    requested,
    shown_document,
    shown_versions,
    versions,
)
from app.pages.compare.versions import agreement_frame
from app.store.records.rows import SentenceRow
from aptcore.graph.amr import AmrGraph
from aptcore.scoring.agreement import Agreement, agreement

ABOUT = (
    "Exact Smatch F1, :wiki left out, with the interval in which 95 % of resampled documents lie. "
    "Versions that people write count where all copies of the sentence are accepted or rejected."
)


def draw_agreement() -> None:
    """Draw the table of all pairs, and the sentences of the chosen pair."""
    document, names = shown_document(), versions()
    if document is None:
        return
    st.caption(ABOUT)
    numbers = {version: numbers_of(version) for version in names}
    found = {
        pair: measured(*pair, shared_numbers(numbers, *pair)) for pair in combinations(names, 2)
    }
    table = agreement_frame(document.name, list(found.values()))
    draw_table(table, "compare_agreement", "agreement.csv")
    first, second = shown_versions()
    if first != second:
        both = shared_numbers(numbers, first, second)
        draw_sentences(both, measured(first, second, both))


def shared_numbers(
    numbers: Mapping[str, Sequence[int]], first: str, second: str
) -> tuple[int, ...]:
    """Give the sentences that count in two versions, in order."""
    return tuple(sorted(set(numbers[first]) & set(numbers[second])))


def measured(first: str, second: str, both: tuple[int, ...]) -> Agreement:
    """Measure two versions over the sentences that count in both; once for each state."""
    names, source = versions(), gold_source()
    revisions = tuple(
        (row.id, row.revision)
        for version in (first, second)
        for number, row in version_rows(version).items()
        if number in both
    )
    gold = source.hash if source is not None and GOLD in (first, second) else ""
    state = (store_url(), first, second, gold, revisions)
    return _agreement_at(state, names[first], names[second], (first, second), both)


@st.cache_data(max_entries=64, show_spinner="Comparing the versions")
def _agreement_at(
    state: tuple[object, ...],
    first: str,
    second: str,
    _versions: tuple[str, str],
    _numbers: tuple[int, ...],
) -> Agreement:
    """Measure two versions; ``state`` alone says whether that was done before."""
    own, other = (graphs_of(version, _numbers) for version in _versions)
    return agreement(first, second, list(zip(own, other, strict=True)))


def version_rows(version: str) -> dict[int, SentenceRow]:
    """Give the sentences that a version is written in, by number."""
    copy = copies(all_documents(), document_id()).get(version)
    return rows_of(copy.id if copy is not None else document_id())


def numbers_of(version: str) -> tuple[int, ...]:
    """Give the sentences of a version that count."""
    if version == GOLD:
        return tuple(gold_now())
    rows = version_rows(version)
    if version == SILVER:
        return tuple(number for number, row in rows.items() if not row.apart)
    counted = {number for number, row in rows.items() if row.status in SUBMITTED}
    if version != NOW:
        for copy in copies(all_documents(), document_id()).values():
            others = rows_of(copy.id)
            counted &= {number for number, row in others.items() if row.status in SUBMITTED}
    return tuple(sorted(counted))


def graphs_of(version: str, numbers: Sequence[int]) -> list[AmrGraph]:
    """Read the graphs of some sentences in a version, in order."""
    if version == GOLD:
        gold = gold_now()
        return [gold[number] for number in numbers]
    store, rows = shared_store(), version_rows(version)
    found = [store.sentence(rows[number].id) for number in numbers]
    return [one.silver if version == SILVER else one.state.graph for one in found]


def draw_sentences(both: Sequence[int], found: Agreement) -> None:
    """Draw how well the chosen pair agrees on each sentence; a row leads to it."""
    if not both:
        st.info("No sentence counts for this pair yet.")
        return
    rows, document = rows_of(document_id()), shown_document()
    pair = escape_markdown(f"{found.first} against {found.second}")
    st.markdown(f"**{pair}: {counted(len(both), 'sentence')}**")
    st.caption("Choose a row to compare its sentence.")
    frame = pd.DataFrame(
        {
            "number": both,
            "sentence": [shorten(rows[number].text, 200) for number in both],
            "Smatch F1": [round(f1, 4) for f1 in found.sentence_f1],
            "id": [rows[number].name for number in both],
            "document": [document.name if document is not None else ""] * len(both),
        },
        index=both,
    )
    draw_table(
        frame,
        "compare_sentences",
        "sentences.csv",
        on_choose=lambda number: go(replace(requested(), view="sentence", number=number)),
    )
