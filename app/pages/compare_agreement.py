"""How well the versions of a document agree, pair by pair and sentence by sentence."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import streamlit as st

from app.pages.annotation import shared_store
from app.pages.compare_state import (
    all_documents,
    document_id,
    go,
    gold_now,
    gold_source,
    requested,
    rows_of,
    shown_document,
    shown_versions,
    versions,
)
from app.pages.oracle_tables import Columns, draw_table
from app.store.rows import SentenceRow
from app.views.compare_link import GOLD, NOW, SILVER
from app.views.compare_versions import SUBMITTED, agreement_columns, copies
from app.views.text import shorten
from aptcore.agreement import Agreement, agreement
from aptcore.amr import AmrGraph

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
    graphs = {version: graphs_of(version) for version in names}
    found = [
        measured(first, second, graphs[first], graphs[second])
        for first, second in combinations(names, 2)
    ]
    draw_table(agreement_columns(document.name, found), "compare_agreement", "agreement.csv")
    first, second = shown_versions()
    if first == second:
        return
    draw_sentences(
        graphs[first], graphs[second], measured(first, second, graphs[first], graphs[second])
    )


def measured(
    first: str, second: str, own: dict[int, AmrGraph], other: dict[int, AmrGraph]
) -> Agreement:
    """Measure two versions over the sentences that both have."""
    names = versions()
    both = [number for number in own if number in other]
    source = gold_source()
    state = (
        document_id(),
        first,
        second,
        source.hash if source is not None else "",
        tuple((row.id, row.revision) for v in (first, second) for row in version_rows(v).values()),
    )
    pairs = [(own[number], other[number]) for number in both]
    return _agreement_at(state, names[first], names[second], pairs)


@st.cache_data(max_entries=64, show_spinner="Comparing the versions")
def _agreement_at(
    state: tuple[object, ...], first: str, second: str, _pairs: list[tuple[AmrGraph, AmrGraph]]
) -> Agreement:
    return agreement(first, second, _pairs)


def version_rows(version: str) -> dict[int, SentenceRow]:
    """Give the sentences that a version is written in, by number."""
    copy = copies(all_documents(), document_id()).get(version)
    return rows_of(copy.id if copy is not None else document_id())


def graphs_of(version: str) -> dict[int, AmrGraph]:
    """Give the graphs of a version that count, by number of the sentence."""
    if version == GOLD:
        return dict(gold_now())
    store, rows = shared_store(), version_rows(version)
    if version == SILVER:
        return {
            number: store.sentence(row.id).silver for number, row in rows.items() if not row.apart
        }
    counted = {number for number, row in rows.items() if row.status in SUBMITTED}
    if version != NOW:
        for copy in copies(all_documents(), document_id()).values():
            others = rows_of(copy.id)
            counted &= {number for number, row in others.items() if row.status in SUBMITTED}
    return {number: store.sentence(rows[number].id).graph for number in sorted(counted)}


def draw_sentences(own: dict[int, AmrGraph], other: dict[int, AmrGraph], found: Agreement) -> None:
    """Draw how well the chosen pair agrees on each sentence; a row leads to it."""
    both = [number for number in own if number in other]
    if not both:
        st.info("No sentence counts for this pair yet.")
        return
    rows = rows_of(document_id())
    st.markdown(f"**{found.first} against {found.second}: {len(both):,} sentences**")
    st.caption("Choose a row to compare its sentence.")
    columns: Columns = {
        "number": both,
        "sentence": [shorten(rows[number].text, 200) for number in both],
        "Smatch F1": [round(f1, 4) for f1 in found.sentence_f1],
        "id": [rows[number].name for number in both],
    }
    draw_table(
        columns,
        "compare_sentences",
        "sentences.csv",
        on_choose=lambda row: go(replace(requested(), view="sentence", number=both[row])),
    )
