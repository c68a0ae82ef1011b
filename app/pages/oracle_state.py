"""What the session of the Oracle page holds, and how it changes.

The address is the truth about what is asked for where it can hold it; an upload lives in
the session alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from app.views.link import clamp_step
from app.views.oracle_aligner import NOTHING, History, Operation, apply, read_outbox
from app.views.oracle_link import (
    DEFAULT_VARIANT,
    OracleLink,
    View,
    format_oracle_link,
    parse_oracle_link,
    without_moment,
)
from app.views.oracle_sentence import Changes, Gold, OracleView, changes_between, gold_of, view_of
from app.views.oracle_sentence import with_edits as edited
from app.views.oracle_source import (
    Source,
    open_pasted,
    open_path,
    open_upload,
    source_of,
    token_problem,
)
from aptcore.assets import asset_path
from aptcore.corpus import Corpus, read_corpus
from aptcore.errors import AptamrError, InputError
from aptcore.gold import gold_items

CANVAS, ALIGNER = "oracle_canvas", "oracle_aligner"
STATE = "oracle"


@dataclass(frozen=True, slots=True)
class Opened:
    """What is on the page.

    Attributes:
        source: Where the graphs came from.
        variant: Which oracle.
        view: One sentence, or the whole corpus.
        place: Which of the corpus's graphs, from 0.
        step: The action that the canvas opens at; None is the last.
        changes: What the last change of an alignment did.
        refusal: Why the last change could not be made.
    """

    source: Source
    variant: str
    view: View = "sentence"
    place: int = 0
    step: int | None = None
    changes: Changes | None = None
    refusal: str | None = None


def data_folder() -> Path | None:
    """Give the folder that corpora may be opened from: APTAMR_DATA, if it is one."""
    name = os.environ.get("APTAMR_DATA", "")
    return Path(name) if name and Path(name).is_dir() else None


@st.cache_resource(show_spinner=False)
def example_source() -> Source:
    """Read the example that comes with the program, once."""
    text = asset_path("oracle/example.txt").read_text(encoding="utf-8")
    return source_of("example", "example", text)


@st.cache_resource(max_entries=6, show_spinner=False)
def corpus_of(source_hash: str, _source: Source) -> Corpus:
    """Read a text as a corpus; it is known by its hash."""
    return read_corpus(_source.name, text=_source.text)


def places_of(corpus: Corpus) -> tuple[int, ...]:
    """Give the records that have a graph, by their place in the corpus."""
    return tuple(place for place, record in enumerate(corpus.records) if record.graph is not None)


@st.cache_resource(max_entries=128, show_spinner=False)
def gold_at(source_hash: str, index: int, _corpus: Corpus) -> Gold:
    """Tokenise and align one record.

    Raises:
        InputError: If the record cannot be used, or is too long for the page.
        AlignmentError: If a given alignment names a token that does not exist.
    """
    record = _corpus.records[index]
    items, problems = gold_items(Corpus(_corpus.path, (record,), (), ""))
    if not items:
        raise InputError("; ".join(problem.message for problem in problems))
    problem = token_problem(len(items[0].sentence.tokens))
    if problem is not None:
        raise InputError(problem)
    return gold_of(items[0], record.id or str(index + 1))


@st.cache_resource(max_entries=256, show_spinner=False)
def _view_at(
    source_hash: str,
    index: int,
    variant: str,
    edits: tuple[tuple[str, tuple[int, ...]], ...],
    _gold: Gold,
) -> OracleView:
    return view_of(edited(_gold, dict(edits)), variant)


def opened() -> Opened:
    """Give what is on the page."""
    found: Opened = st.session_state[STATE]
    return found


def shown_corpus() -> Corpus:
    """Give the corpus that is on the page."""
    source = opened().source
    return corpus_of(source.hash, source)


def shown_index() -> int:
    """Give the place of the shown record in its corpus."""
    return places_of(shown_corpus())[opened().place]


def shown_history() -> History:
    """Give what a person changed in the shown sentence."""
    histories: dict[tuple[str, int], History] = st.session_state.oracle_histories
    return histories.get((opened().source.hash, shown_index()), NOTHING)


def view_with(history: History) -> OracleView:
    """Work the shown sentence out under a person's changes.

    Raises:
        AptamrError: If the record cannot be used, or the oracle cannot take it.
    """
    source, index = opened().source, shown_index()
    gold = gold_at(source.hash, index, shown_corpus())
    edits = tuple(sorted(history.edits.items()))
    return _view_at(source.hash, index, opened().variant, edits, gold)


def sentence_key() -> str:
    """Name the shown sentence for the editor of its alignment."""
    return f"{opened().source.hash}:{shown_index()}"


# --- answering an address ---------------------------------------------------------------


def prepare() -> None:
    """Fill the session on its first run, and answer an address that changed."""
    state = st.session_state
    if STATE not in state:
        state[STATE] = Opened(example_source(), DEFAULT_VARIANT)
        state.oracle_histories = {}
        state.oracle_ack = 0
        state.oracle_problem = None
        state.oracle_answered = None
    link = parse_oracle_link(st.query_params.to_dict())
    if state.oracle_answered is None or state.oracle_answered != without_moment(link):
        answer(link)
    fill_fields()


def answer(link: OracleLink) -> None:
    """Show what an address names; what it cannot name (an upload) stays as it is."""
    state = st.session_state
    state.oracle_answered = without_moment(link)
    state.oracle_problem = None
    before = opened()
    try:
        source = _source_named(link, before.source)
    except AptamrError as error:
        state.oracle_problem = str(error)
        return
    state[STATE] = Opened(source, link.variant, link.view, 0, link.step)
    for name, value in _fields(opened()).items():
        state[name] = value
    if link.sentence is not None:
        place = find_place(shown_corpus(), link.sentence)
        if place is None:
            state.oracle_problem = (
                f"there is no sentence {link.sentence!r} with a graph in {source.name}; "
                "the first is shown"
            )
        state[STATE] = replace(opened(), place=place or 0)
    if link.edits and places_of(shown_corpus()):
        _take_linked_edits(link)


def _source_named(link: OracleLink, before: Source) -> Source:
    if link.corpus is not None:
        return open_path(data_folder(), link.corpus)
    if link.graph is not None:
        return open_pasted(link.graph)
    return before if before.kind == "upload" and link != OracleLink() else example_source()


def _take_linked_edits(link: OracleLink) -> None:
    history = History(link.edits, ({},))
    try:
        view_with(history)
    except AptamrError as error:
        st.session_state.oracle_problem = f"The changes in this address do not fit: {error}"
        return
    st.session_state.oracle_histories[opened().source.hash, shown_index()] = history


def find_place(corpus: Corpus, sentence: str) -> int | None:
    """Find a graph by the ``::id`` of its sentence, else by its record's number from 1."""
    places = places_of(corpus)
    for place, index in enumerate(places):
        if corpus.records[index].id == sentence:
            return place
    number = int(sentence) - 1 if sentence.isascii() and sentence.isdigit() else -1
    return places.index(number) if number in places else None


def write_address() -> None:
    """Make the address name what is shown."""
    now = opened()
    has_sentence = bool(places_of(shown_corpus()))
    record = shown_corpus().records[shown_index()] if has_sentence else None
    link = OracleLink(
        corpus=now.source.name if now.source.kind == "folder" else None,
        graph=now.source.text if now.source.kind == "paste" else None,
        sentence=(record.id or str(shown_index() + 1)) if record and now.place else None,
        step=now.step,
        variant=now.variant,
        view=now.view,
        edits=shown_history().edits if has_sentence else {},
    )
    st.query_params.from_dict(format_oracle_link(link))
    st.session_state.oracle_answered = without_moment(parse_oracle_link(st.query_params.to_dict()))


# --- taking what a person does ----------------------------------------------------------


def fill_fields() -> None:
    """Give the fields what is on the page: Streamlit forgets them on other pages."""
    state, now = st.session_state, opened()
    state.oracle_view = now.view
    for name, value in _fields(now).items():
        state.setdefault(name, value)


def _fields(now: Opened) -> dict[str, str]:
    fields = {"oracle_origin": now.source.kind, "oracle_variant": now.variant}
    if now.source.kind == "folder":
        fields["oracle_path"] = now.source.name
    if now.source.kind == "paste":
        fields["oracle_text"] = now.source.text
    return fields


def show(source: Source) -> None:
    """Put a source on the page, at its first sentence."""
    now = opened()
    st.session_state.oracle_problem = None
    if source.hash != now.source.hash:
        st.session_state[STATE] = Opened(source, now.variant, now.view)
    write_address()


def take_origin() -> None:
    """Show the example where it was chosen; all else waits for its field."""
    st.session_state.oracle_problem = None
    if st.session_state.oracle_origin == "example":
        show(example_source())


def take_path() -> None:
    """Open the file that was chosen or typed."""
    name = st.session_state.oracle_path
    if name:
        _try_to_show(lambda: open_path(data_folder(), name.strip()))


def take_upload() -> None:
    """Open the file that was uploaded."""
    upload = st.session_state.oracle_upload
    if upload is not None:
        _try_to_show(lambda: open_upload(upload.name, upload.getvalue()))


def take_text() -> None:
    """Open what was pasted."""
    _try_to_show(lambda: open_pasted(st.session_state.oracle_text))


def _try_to_show(open_source: Callable[[], Source]) -> None:
    try:
        show(open_source())
    except AptamrError as error:
        st.session_state.oracle_problem = str(error)


def take_variant() -> None:
    """Run the oracle that was chosen."""
    _put(replace(opened(), variant=st.session_state.oracle_variant))


def take_view() -> None:
    """Show the sentence or the corpus."""
    _put(replace(opened(), view=st.session_state.oracle_view))


def take_number() -> None:
    """Go to the sentence of a number."""
    go_to(int(st.session_state.oracle_number) - 1)


def go_to(place: int, *, view: View = "sentence") -> None:
    """Show a sentence by its place among the graphs of the corpus."""
    last = len(places_of(shown_corpus())) - 1
    _put(replace(opened(), place=min(max(0, place), max(0, last)), view=view))


def change_variant(variant: str) -> None:
    """Run another oracle, as if it had been chosen in its field."""
    st.session_state.oracle_variant = variant
    take_variant()


def _put(now: Opened) -> None:
    """Show something else than before; what the last change did is no longer told."""
    st.session_state[STATE] = replace(now, step=None, changes=None, refusal=None)
    write_address()


def take_step(key: str, num_steps: int) -> None:
    """Write the step at which stepping paused into the address."""
    state = st.session_state.get(CANVAS)
    at = None if state is None else state.get("at")
    if isinstance(at, dict) and at.get("key") == key:
        step = clamp_step(int(at["step"]), num_steps)
        st.session_state[STATE] = replace(opened(), step=step)
        write_address()


def take_operations() -> None:
    """Take in what the editor of the alignment sent, once and in order."""
    state = st.session_state.get(ALIGNER)
    fresh = read_outbox(None if state is None else state.get("outbox"), st.session_state.oracle_ack)
    for operation in fresh:
        st.session_state.oracle_ack = operation.number
        if operation.key == sentence_key():
            _take_operation(operation)


def _take_operation(operation: Operation) -> None:
    before = shown_history()
    after = apply(before, operation)
    if after is before:
        return
    try:
        changes = changes_between(view_with(before), view_with(after))
    except AptamrError as error:
        st.session_state[STATE] = replace(opened(), refusal=str(error))
        return
    step = changes.steps[0] if changes.steps else opened().step
    st.session_state[STATE] = replace(opened(), changes=changes, refusal=None, step=step)
    st.session_state.oracle_histories[opened().source.hash, shown_index()] = after
    write_address()
