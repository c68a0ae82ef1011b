"""What the Compare page shows: which versions of which sentence, read from the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from app.addresses.codec import format_link, parse_link
from app.addresses.compare import GOLD, NOW, SILVER, CompareLink
from app.annotation.copies import originals, why_hidden
from app.annotation.documents import all_documents, copy_rows, rows_of
from app.annotation.session import current_person, shared_store
from app.kit.address import put_address
from app.kit.corpora import Source, open_path
from app.kit.data_folder import data_folder
from app.pages.compare.versions import gold_graphs, version_names
from app.store.records.rows import Document, StoredSentence
from aptcore.errors import AptamrError
from aptcore.graph.amr import AmrGraph
from aptcore.graph.corpus import Corpus
from aptcore.graph.formats import graphs_of

TAB = "compare"
"""The name under which the log keeps what is done on this page."""


def requested() -> CompareLink:
    """Read the address."""
    return parse_link(CompareLink, st.query_params.to_dict())


def go(link: CompareLink) -> None:
    """Make the address ask for something else; who is at work stays."""
    put_address(format_link(replace(link, person=current_person())))
    tell("")


def tell(text: str, *, is_error: bool = False) -> None:
    """Keep a message until the next thing is done; empty for none."""
    st.session_state.compare_told = (text, is_error)


def refuse(error: AptamrError) -> None:
    """Keep the reason why nothing was done."""
    tell(str(error), is_error=True)


def prepare() -> None:
    """Fill the session on its first run, and the fields from the address."""
    state, link = st.session_state, requested()
    state.setdefault("compare_told", ("", False))
    state.setdefault("compare_upload_source", None)
    state.compare_view = link.view
    document = shown_document()
    if document is None:
        return
    names = versions()
    state.compare_document = document.id
    state.compare_first, state.compare_second = shown_versions()
    state.compare_number = shown_number()
    if link.first not in names or link.second not in names:
        tell("The address names a version that is not there; others are shown.", is_error=True)


def shown_document() -> Document | None:
    """Give the document of the address, a copy's original for a copy; else the first."""
    known = all_documents()
    asked = next((one for one in known if one.id == requested().document), None)
    if asked is not None and asked.copy_of is not None:
        asked = next(one for one in known if one.id == asked.copy_of)
    return asked or next(iter(originals(known)), None)


def document_id() -> int:
    """Give the number of the shown document; there must be one."""
    document = shown_document()
    return document.id if document is not None else 0


def versions() -> dict[str, str]:
    """Give the versions of the shown document with their names."""
    return version_names(all_documents(), document_id(), gold_source() is not None)


def shown_versions() -> tuple[str, str]:
    """Give the two versions of the address; others where they are not there."""
    link, names = requested(), versions()
    first = link.first if link.first in names else NOW
    second = link.second if link.second in names else SILVER
    return first, second


def shown_number() -> int:
    """Give the sentence of the address, within the document."""
    return max(1, min(requested().number, len(rows_of(document_id()))))


def stored(version: str, number: int) -> StoredSentence | None:
    """Give a sentence of a version that people write; None for silver and gold."""
    if version in (SILVER, GOLD):
        return None
    row = (
        rows_of(document_id())[number]
        if version == NOW
        else copy_rows(document_id(), number)[version]
    )
    return shared_store().sentence(row.id)


def graph_at(version: str, number: int) -> AmrGraph | None:
    """Give the graph of a sentence in a version; None where gold has none."""
    if version == GOLD:
        return gold_now().get(number)
    if version == SILVER:
        return shared_store().sentence(rows_of(document_id())[number].id).silver
    found = stored(version, number)
    return found.state.graph if found is not None else None


def gold_source() -> Source | None:
    """Give the gold graphs: an uploaded file, or the path in the address; None for none.

    A path that cannot be opened is told on the page and counts as none.
    """
    uploaded: Source | None = st.session_state.compare_upload_source
    if uploaded is not None:
        return uploaded
    path = requested().gold
    if not path:
        return None
    try:
        return open_path(data_folder(), path)
    except AptamrError as error:
        tell(str(error), is_error=True)
        return None


@st.cache_resource(max_entries=6, show_spinner="Reading the gold graphs")
def _corpus_of(source_hash: str, _source: Source) -> Corpus:
    return graphs_of(_source.name, _source.text)


def gold_now() -> Mapping[int, AmrGraph]:
    """Give the gold graphs of the shown document by the number of their sentence."""
    source = gold_source()
    if source is None:
        return {}
    corpus = _corpus_of(source.hash, source)
    return gold_graphs(corpus, list(rows_of(document_id()).values()))


def take_fields() -> None:
    """Put what the fields say into the address."""
    state, link = st.session_state, requested()
    is_other = state.compare_document != document_id()
    go(
        replace(
            link,
            view=state.compare_view or "sentence",
            document=state.compare_document,
            first=NOW if is_other else state.compare_first,
            second=SILVER if is_other else state.compare_second,
            number=1 if is_other else int(state.compare_number),
        )
    )


def move(number: int) -> None:
    """Go to another sentence of the document."""
    go(replace(requested(), number=number))


def next_ready(number: int) -> int | None:
    """Give the next sentence that is open and that nobody's copy keeps blind; None for none.

    After the last one the first is next.
    """
    rows, person, shown = rows_of(document_id()), current_person(), shown_versions()
    place: int
    for place in (*range(number + 1, len(rows) + 1), *range(1, number)):
        is_blind = why_hidden(shown, copy_rows(document_id(), place), person)
        if rows[place].status == "open" and not is_blind:
            return place
    return None
