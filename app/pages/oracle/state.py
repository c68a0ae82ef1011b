"""What the session of the Oracle page holds, and how it changes.

The address is the truth about what is asked for where it can hold it; an upload lives in
the session alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import streamlit as st

from app.addresses.codec import damages, format_link, parse_link
from app.addresses.oracle import (
    DEFAULT_VARIANT,
    MAX_GRAPH,
    OracleLink,
    Replay,
    View,
)
from app.kit.address import put_address
from app.kit.corpora import Source, open_pasted, open_path, source_of, token_problem
from app.kit.data_folder import data_folder
from app.pages.oracle.aligner import NOTHING, History
from app.pages.oracle.sentence import Changes, Gold, OracleView, changes_between, gold_of, view_of
from app.pages.oracle.sentence import with_edits as edited
from aptcore.assets import asset_path
from aptcore.errors import AptamrError, InputError
from aptcore.graph.corpus import Corpus, read_corpus
from aptcore.graph.formats import graphs_of
from aptcore.words.gold import gold_items

CANVAS, ALIGNER = "oracle_canvas", "oracle_aligner"
STATE = "oracle"


@dataclass(frozen=True, slots=True)
class Opened:
    """What is on the page.

    Attributes:
        source: Where the graphs came from.
        variant: Which oracle.
        view: One sentence, or the whole corpus.
        replay: The oracle alone, or the model beside it.
        place: Which of the corpus's graphs, from 0.
        step: The moment that the canvas opens at; None is the start.
        refusal: Why the last change could not be made.
    """

    source: Source
    variant: str
    view: View = "sentence"
    place: int = 0
    step: int | None = None
    replay: Replay = "oracle"
    refusal: str | None = None


@st.cache_resource(show_spinner=False)
def example_source() -> Source:
    """Read the example that comes with the program, once."""
    text = asset_path("oracle/example.txt").read_text(encoding="utf-8")
    return source_of("example", "example", text)


@st.cache_resource(max_entries=6, show_spinner="Reading the file")
def corpus_of(source_hash: str, _source: Source) -> Corpus:
    """Read a text as a corpus; it is known by its hash."""
    if _source.kind == "paste":  # what is no graph yet is shown with its fault
        return read_corpus(_source.name, text=_source.text)
    return graphs_of(_source.name, _source.text)


def places_of(corpus: Corpus) -> tuple[int, ...]:
    """Give the records that have a graph, by their place in the corpus."""
    return tuple(place for place, record in enumerate(corpus.records) if record.graph is not None)


@st.cache_resource(max_entries=128, show_spinner="Aligning the sentence")
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


def changes_by(history: History) -> Changes | None:
    """Compare the shown sentence as a person changed it with how it came; None if unchanged.

    Raises:
        AptamrError: As :func:`view_with`.
    """
    if not history.edits:
        return None
    return changes_between(view_with(NOTHING), view_with(history))


def sentence_key() -> str:
    """Name the shown sentence for the editor of its alignment."""
    return f"{opened().source.hash}:{shown_index()}"


def prepare() -> None:
    """Fill the session on its first run, and answer an address that changed."""
    state = st.session_state
    if STATE not in state:
        state[STATE] = Opened(example_source(), DEFAULT_VARIANT)
        state.oracle_histories = {}
        state.oracle_ack = 0
        state.oracle_problem = None
        state.oracle_answered = None
    link = _requested()
    if state.oracle_answered is None or state.oracle_answered != replace(link, step=None):
        answer(link)
    fill_fields()


def _requested() -> OracleLink:
    return parse_link(OracleLink, st.query_params.to_dict())


def fill_fields() -> None:
    """Give the fields what is on the page: Streamlit forgets them on other pages."""
    state, now = st.session_state, opened()
    state.oracle_view, state.oracle_replay = now.view, now.replay
    for name, value in _fields(now).items():
        state.setdefault(name, value)


def _fields(now: Opened) -> dict[str, str]:
    fields = {"oracle_origin": now.source.kind, "oracle_variant": now.variant}
    if now.source.kind == "folder":
        fields["oracle_path"] = now.source.name
    if now.source.kind == "paste":
        fields["oracle_text"] = now.source.text
    return fields


def answer(link: OracleLink) -> None:
    """Show what an address names; what it cannot hold (an upload) must be in the session."""
    state = st.session_state
    is_first = state.oracle_answered is None
    state.oracle_answered = replace(link, step=None)
    damaged = damages(OracleLink, st.query_params.to_dict())
    if link == OracleLink() and not damaged and not is_first:
        return  # the way back from another page
    state.oracle_problem = None
    before = opened()
    try:
        source = _source_named(link, before.source)
    except AptamrError as error:
        state.oracle_problem = str(error)
        return
    if damaged:
        state.oracle_problem = "; ".join(damaged)
    state[STATE] = Opened(source, link.variant, link.view, 0, link.step, link.replay)
    for name, value in _fields(opened()).items():
        state[name] = value
    if link.sentence is not None:
        place = find_place(link.sentence)
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
    if link.upload is None:
        return example_source()
    if before.name != link.upload:
        raise InputError(
            f"this address is of the file {link.upload!r}, which was given to the page and is not "
            "stored: give it again to go on"
        )
    return before


def _take_linked_edits(link: OracleLink) -> None:
    history = History(link.edits, ({},))
    try:
        view_with(history)
    except AptamrError as error:
        st.session_state.oracle_problem = f"The changes in this address do not fit: {error}"
        return
    st.session_state.oracle_histories[opened().source.hash, shown_index()] = history


def find_place(name: str) -> int | None:
    """Find a graph of the shown corpus by its name in an address, else by number from 1."""
    names = _names(opened().source.hash, shown_corpus())
    if name in names:
        return names.index(name)
    places = places_of(shown_corpus())
    number = int(name) - 1 if name.isascii() and name.isdigit() and len(name) < 9 else -1
    return places.index(number) if number in places else None


@st.cache_resource(max_entries=6, show_spinner=False)
def _names(source_hash: str, _corpus: Corpus) -> tuple[str, ...]:
    """Name all graphs for addresses: by ``::id``, where taken or missing by number from 1."""
    taken: set[str] = set()
    names = []
    for index in places_of(_corpus):
        own = _corpus.records[index].id
        name = own if own and own not in taken else str(index + 1)
        taken.add(name)
        names.append(name)
    return tuple(names)


def write_address() -> None:
    """Make the address name what is shown."""
    now = opened()
    has_sentence = bool(places_of(shown_corpus()))
    link = replace(
        _link_to_corpus(),
        sentence=_names(now.source.hash, shown_corpus())[now.place] if now.place else None,
        step=now.step,
        view=now.view,
        replay=now.replay,
        edits=shown_history().edits if has_sentence else {},
    )
    put_address(format_link(link))
    st.session_state.oracle_answered = replace(_requested(), step=None)


def _link_to_corpus() -> OracleLink:
    source = opened().source
    is_short = source.kind == "paste" and len(source.text) <= MAX_GRAPH
    is_kept = source.kind in ("upload", "paste") and not is_short
    return OracleLink(
        corpus=source.name if source.kind == "folder" else None,
        graph=source.text if is_short else None,
        upload=source.name if is_kept else None,
        variant=opened().variant,
    )


def addresses_of(places: Sequence[int]) -> list[str]:
    """Give the addresses of sentences; none at all where the session alone holds their corpus."""
    link = _link_to_corpus()
    if link.upload is not None:
        return []
    corpus = shown_corpus()
    names = _names(opened().source.hash, corpus)
    return [f"?{urlencode(format_link(replace(link, sentence=names[place])))}" for place in places]
