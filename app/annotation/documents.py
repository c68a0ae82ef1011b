"""Correct lists documents too."""

from __future__ import annotations

import contextlib

import streamlit as st

from app.annotation.copies import copies
from app.annotation.outside import named_parser
from app.annotation.preparing import Preparer
from app.annotation.scribe import Scribe
from app.annotation.session import current_person, shared_store, store_url
from app.engine.shared import shared_engine
from app.store.documents.listing import SentenceFilter
from app.store.records.rows import Document, SentenceRow
from app.store.store import open_store
from aptcore.errors import StoreError


def all_documents() -> tuple[Document, ...]:
    """List the documents of the store."""
    return shared_store().documents()


def rows_of(document: int) -> dict[int, SentenceRow]:
    """Give the sentences of a document by their number in it."""
    return {row.number: row for row in shared_store().sentences(document)}


def copy_rows(document: int, number: int) -> dict[str, SentenceRow]:
    """Give a sentence in every copy of a document, by version."""
    found = copies(all_documents(), document)
    place = SentenceFilter(number=number)
    rows = {key: shared_store().sentences(copy.id, place) for key, copy in found.items()}
    return {key: row for key, (row,) in rows.items()}


def shared_scribe() -> Scribe:
    """Give the one worker of this process for whole documents of the store in use."""
    return _scribe_of(store_url())


@st.cache_resource(on_release=Scribe.close, show_spinner=False)
def _scribe_of(url: str) -> Scribe:
    return Scribe(shared_store(), shared_engine(), named_parser())


@st.cache_resource(on_release=Preparer.close, show_spinner=False)
def shared_preparer() -> Preparer:
    """Give what writes the exports of this process that take long."""
    return Preparer(max_kept=8)


@st.cache_resource(on_release=Preparer.close, show_spinner=False)
def shared_searcher() -> Preparer:
    """Give what writes down what the searches of this process find that take long."""
    return Preparer(max_kept=40)


def resume_jobs() -> None:
    """Go on with what an earlier server was to do, before anyone opens a page."""
    try:
        store = open_store(store_url(), must_exist=True)
    except StoreError:
        return  # there is none yet, or the pages say what is wrong with it
    with contextlib.closing(store):
        has_jobs = bool(store.jobs.all())
    if has_jobs:
        shared_scribe()


def documents() -> tuple[Document, ...]:
    """List the documents of the store but for other people's copies: those are blind."""
    everything = shared_store().documents()
    return tuple(one for one in everything if one.person in ("", current_person()))


def own_documents() -> tuple[Document, ...]:
    """List the documents that a person works on: a copy of their own instead of its original."""
    known = documents()
    copied = {document.copy_of for document in known}
    return tuple(document for document in known if document.id not in copied)
