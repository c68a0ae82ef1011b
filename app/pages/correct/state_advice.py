"""What the program has to say about the sentence on the page.

Proposals for the rest of the graph, doubts, problems and completions. The parser works in
the background; the page looks for its answers when it is drawn.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from app.annotation.session import current_person, shared_store
from app.canvas.payload import Payload
from app.engine.shared import shared_engine
from app.engine.worker import error_text
from app.pages.correct.editor.aligning import aligned_by_rules, without_guesses_by_place
from app.pages.correct.editor.completing import completions, instead_of
from app.pages.correct.editor.drawing import Doubt
from app.pages.correct.editor.folding import MOST_WHOLE, is_large
from app.pages.correct.editor.layout import Sketch
from app.pages.correct.editor.marks import Part, doubts_of
from app.pages.correct.editor.mending import apart_problem
from app.pages.correct.editor.text import Fault, text_error
from app.pages.correct.proposals import (
    decided_triples,
    proposal_items,
    proposals_payload,
    proposals_text,
)
from app.store.log.provenance import Source
from app.store.records.rows import StoredSentence
from aptcore.advice.doubt import PieceDoubt, doubt_of_pieces
from aptcore.advice.likely import Setting
from aptcore.advice.problems.finding import all_problems
from aptcore.advice.problems.problem import Problem
from aptcore.advice.suggestion import Suggestion, suggest
from aptcore.errors import ConfigurationError
from aptcore.graph.amr import AmrGraph, Sentence
from aptcore.graph.layout import Triple
from aptcore.trace.trace import TracingParser
from aptcore.words.frames import Lexicon, read_lexicon
from aptcore.words.tokens import sentence_from_tokens

ASKED, OFFERED, DOUBTED, READ, LISTED, FAULT, INSTEAD, ALIGNED = (
    f"correct_{name}"
    for name in ("asked offered doubted read problems fault instead aligned".split())
)
TOO_LARGE = f"graphs of more than {MOST_WHOLE} parts"
"""On what the parser says nothing: on a chain of 400 nodes, on a star of 3,001 it was at work
for minutes, and nobody else was served.
"""
ANSWER_SECONDS = 0.8
"""How long the answer is waited for at once; later the page looks again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Proposals that were asked for.

    Attributes:
        number: Of the message that asked.
        sentence: For which sentence.
        kept: Triples that a person had decided.
        job: The work.
        settled: Ids of the proposals that were taken or left.
        is_wide: Whether those are shown as well that are far off or not sure.
    """

    number: int
    sentence: int
    kept: frozenset[Triple]
    job: Future[tuple[Suggestion, Source]]
    settled: frozenset[str] = frozenset()
    is_wide: bool = False


@dataclass(frozen=True, slots=True)
class Doubted:
    """What the parser thinks of the pieces of a graph.

    Attributes:
        sentence: Of which sentence.
        revision: Of which revision of it.
        job: The work.
        before: What it thought of an earlier revision, until the work is done.
    """

    sentence: int
    revision: int
    job: Future[tuple[PieceDoubt, ...]]
    before: tuple[PieceDoubt, ...] = ()


def shared_lexicon() -> Lexicon:
    """Give frames and counts; APTAMR_FRAMES names a frame list."""
    return _lexicon_at(os.environ.get("APTAMR_FRAMES"))[0]


def lexicon_problem() -> str:
    """Say why the frame list cannot be read; empty where it can, or where there is none."""
    return _lexicon_at(os.environ.get("APTAMR_FRAMES"))[1]


@st.cache_resource(show_spinner=False)
def _lexicon_at(path: str | None) -> tuple[Lexicon, str]:
    try:
        return read_lexicon(path), ""
    except ConfigurationError as error:
        return read_lexicon(None), str(error)


def asked_for(sentence: int) -> Asked | None:
    """Give the proposals that were asked for and not put away."""
    found: Asked | None = st.session_state.get(ASKED)
    return found if found is not None and found.sentence == sentence else None


def ask(number: int, stored: StoredSentence) -> None:
    """Ask the parser for the rest of a graph."""
    kept = decided_triples(stored)
    newest = shared_store().newest_change(stored.id, current_person()) or None
    job = shared_engine().ask(lambda parser: _suggest(parser, stored, kept, newest))
    st.session_state[ASKED] = Asked(number, stored.id, kept, job)
    wait([job], ANSWER_SECONDS)


def _suggest(
    parser: TracingParser,
    stored: StoredSentence,
    kept: frozenset[Triple],
    newest: frozenset[Triple] | None,
) -> tuple[Suggestion, Source]:
    """Decode the sentence again around what a person decided; runs in the worker."""
    found = suggest(parser, _sentence(stored), stored.state.graph, kept, stored.silver, newest)
    return found, Source("model", parser.info.id, parser.info.hash)


def _sentence(stored: StoredSentence) -> Sentence:
    return sentence_from_tokens(stored.tokens, stored.name, stored.text)


def put_away() -> None:
    """Show the proposals no longer."""
    st.session_state[ASKED] = None


def settle(ids: frozenset[str]) -> None:
    """Note that proposals were taken or left."""
    found: Asked | None = st.session_state.get(ASKED)
    if found is not None:
        st.session_state[ASKED] = replace(found, settled=found.settled | ids)


def widen() -> None:
    """Show the proposals as well that are far from the edit, or not sure."""
    found: Asked | None = st.session_state.get(ASKED)
    if found is not None:
        st.session_state[ASKED] = replace(found, is_wide=True)


def answered(sentence: int) -> tuple[bool, ...]:
    """Tell which of the questions about a sentence the parser has answered."""
    asked, doubted, read = asked_for(sentence), _doubted(sentence), _read(sentence)
    jobs = [one.job for one in (asked, doubted) if one is not None]
    return tuple(job.done() for job in [*jobs, *([] if read is None else [read])])


def ask_parser(stored: StoredSentence) -> None:
    """Ask the parser what is not known yet about a sentence."""
    doubts(stored)
    read_sentence(stored)


def proposer(sentence: int) -> Source | None:
    """Give the model that the proposals on the page come from."""
    asked = asked_for(sentence)
    if asked is None or not asked.job.done() or asked.job.exception() is not None:
        return None
    return asked.job.result()[1]


def proposals_of(stored: StoredSentence) -> Payload | None:
    """Give what the editor shows of the proposals; None where none were asked for."""
    asked = asked_for(stored.id)
    if asked is None:
        return None
    if not asked.job.done():
        return proposals_payload(asked.number, "waiting", "The parser is at work.", [])
    error = asked.job.exception()
    if error is not None:
        return proposals_payload(asked.number, "failed", error_text(error), [])
    suggestion, _ = asked.job.result()
    key = (asked.number, stored.revision, asked.settled, asked.is_wide)
    found: tuple[object, list[Payload]] | None = st.session_state.get(OFFERED)
    if found is None or found[0] != key:
        kept, only_close = asked.kept | decided_triples(stored), not asked.is_wide
        chosen = (suggestion, stored.state.graph, asked.settled, kept, shared_lexicon())
        found = (key, proposal_items(*chosen, only_close=only_close))
        st.session_state[OFFERED] = found
    far = {one.id for one in suggestion.proposals} - suggestion.close - asked.settled
    num_more = 0 if asked.is_wide else len(far)
    text = proposals_text(found[1], len(suggestion.proposals), num_more)
    return proposals_payload(asked.number, "ready", text, found[1], num_more)


# --- doubts -------------------------------------------------------------------------------


def _doubted(sentence: int) -> Doubted | None:
    found: Doubted | None = st.session_state.get(DOUBTED)
    return found if found is not None and found.sentence == sentence else None


def doubts(stored: StoredSentence) -> tuple[Mapping[Part, Doubt], str]:
    """Give the doubtful parts of the graph, and what there is to say where there are none.

    The parser is asked again after every edit, one question at a time.
    """
    if is_large(stored.state.graph):
        return {}, f"The parser does not judge {TOO_LARGE}."
    if stored.state.status == "accepted":
        return {}, "This sentence is accepted: nothing of it is in doubt."
    known = _doubted(stored.id)
    if known is None or (known.revision != stored.revision and known.job.done()):
        before = _pieces(known) if known is not None else ()
        job = shared_engine().ask(
            lambda parser: doubt_of_pieces(parser, _sentence(stored), stored.state.graph)
        )
        known = Doubted(stored.id, stored.revision, job, before)
        st.session_state[DOUBTED] = known
    error = known.job.exception() if known.job.done() else None
    if error is not None:
        return {}, f"The parser cannot judge this graph. {error_text(error)}"
    pieces = _pieces(known)
    if not pieces and not known.job.done():
        is_loading = shared_engine().status.kind != "ready"
        return {}, "The model is loading." if is_loading else "The parser is reading this graph."
    return doubts_of(stored.state.graph, pieces, decided_triples(stored)), ""


def _pieces(known: Doubted) -> tuple[PieceDoubt, ...]:
    if not known.job.done() or known.job.exception() is not None:
        return known.before
    return known.job.result()


# --- problems and completions ---------------------------------------------------------------


def _read(sentence: int) -> Future[Sentence] | None:
    found: tuple[int, Future[Sentence]] | None = st.session_state.get(READ)
    return found[1] if found is not None and found[0] == sentence else None


def read_sentence(stored: StoredSentence) -> Sentence | None:
    """Give the sentence as the parser reads it; None until that is done."""
    job = _read(stored.id)
    if job is None:
        job = shared_engine().ask(lambda parser: parser.read(_sentence(stored)))
        st.session_state[READ] = (stored.id, job)
    return job.result() if job.done() and job.exception() is None else None


def quick_sentence(stored: StoredSentence) -> Sentence:
    """Give the sentence as the parser reads it; words instead of lemmas until these are read."""
    quick = sentence_from_tokens(stored.tokens, stored.name, is_quick=True)
    return read_sentence(stored) or quick


def aligned(stored: StoredSentence) -> AmrGraph:
    """Give the graph with all its parts aligned, by rules where nobody did; worked out once."""
    sentence = quick_sentence(stored)
    key = (stored.id, stored.revision, sentence)
    found: tuple[object, AmrGraph] | None = st.session_state.get(ALIGNED)
    if found is None or found[0] != key:
        found = (key, aligned_by_rules(stored.state.graph, sentence))
        st.session_state[ALIGNED] = found
    return found[1]


def problems(stored: StoredSentence) -> tuple[Problem, ...]:
    """Give the problems of the graph, errors first."""
    read = read_sentence(stored)
    key = (stored.id, stored.revision, read is not None)
    found: tuple[tuple[int, int, bool], tuple[Problem, ...]] | None = st.session_state.get(LISTED)
    if found is None or found[0] != key:
        lemmas = () if read is None else read.lemmas
        tokens = () if read is None else stored.tokens
        graph = stored.state.graph
        graph = graph if read is None else without_guesses_by_place(graph, aligned(stored))
        listed = all_problems(graph, shared_lexicon(), tokens, lemmas)
        apart = apart_problem(stored)
        found = (key, listed if apart is None else (apart, *listed))
        st.session_state[LISTED] = found
    return found[1]


def fault_in(text: str) -> Fault | None:
    """Find what keeps a text from being accepted; looked for once while the text stays."""
    found: tuple[str, Fault | None] | None = st.session_state.get(FAULT)
    if found is None or found[0] != text:
        found = (text, text_error(text, shared_lexicon()) if text.strip() else None)
        st.session_state[FAULT] = found
    return found[1]


def setting_of(stored: StoredSentence) -> Setting:
    """Give what completions depend on: words instead of lemmas until these are read."""
    known = _doubted(stored.id)
    pieces = () if known is None else _pieces(known)
    return Setting(stored.state.graph, shared_lexicon(), quick_sentence(stored), pieces)


def instead(stored: StoredSentence, sketch: Sketch) -> dict[Part, tuple[str, ...]]:
    """Give what may stand in the place of each part that is shown; worked out once."""
    setting = setting_of(stored)
    shown: frozenset[Part] = frozenset((*sketch.names, *sketch.ends))
    key = (stored.id, stored.revision, setting.sentence, setting.pieces, shown)
    found: tuple[object, dict[Part, tuple[str, ...]]] | None
    found = st.session_state.get(INSTEAD)
    if found is None or found[0] != key:
        found = (key, instead_of(setting, shown))
        st.session_state[INSTEAD] = found
    return found[1]


def offers(stored: StoredSentence, wanted: Mapping[str, Any]) -> Payload:
    """Complete what is typed in the editor."""
    return {"for": wanted.get("ask"), "items": completions(setting_of(stored), wanted)}
