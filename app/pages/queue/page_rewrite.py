"""Search by text, concept, role or pattern, and the rewrite of all hits at once."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from app.annotation.acts import Rewrite, Undo
from app.annotation.documents import shared_scribe, shared_searcher
from app.annotation.search import Search, parse_search
from app.annotation.session import current_person, shared_store
from app.annotation.waiting import attempt
from app.kit.look import draw_switch
from app.kit.tables import draw_table
from app.kit.text import counted, escape_markdown
from app.pages.queue.page_behind import LinesOf, looked_up
from app.pages.queue.page_jobs import tell_bulk
from app.pages.queue.rewrite import (
    MAX_SHOWN,
    Found,
    Listing,
    Totals,
    count_of,
    found_by_rule,
    hits_frame,
    preview_frame,
    read_all,
    read_listing,
    with_changed,
)
from app.pages.queue.state import TAB, correct_addresses, go, names, queued, refuse, requested
from app.store.batches import Batch
from app.store.bulk import undo_name
from app.store.documents.listing import SentenceFilter
from app.store.documents.queues import Queue
from app.store.records.rows import SentenceRow
from aptcore.editing.rewriting import Rule, parse_rule
from aptcore.errors import AptamrError, PatternError, StoreError

FIELD_NAMES = {"text": "Text", "concept": "Concept", "role": "Role", "pattern": "Pattern"}
HINTS = {
    "text": "words of the sentence",
    "concept": "want-*",
    "role": ":ARG*-of",
    "pattern": "(x / want-* :ARG0 (y / *) :ARG1 (z / * :ARG0 y))",
}
LANGUAGE = """
- `*` stands for any signs in a concept, role or constant: `want-*`, `:ARG*`, `"Li*"`, `(y / *)`.
- A variable stands for one node; where it comes again, the same node must stand.
- `:polarity -` asks for a constant, `:mod *` for any node or constant.
- `:ARG0-of` is read as an edge the other way; `:!ARG1 *` asks that there is none.
- Template: another concept renames (`wish-*` keeps what the star stood for), another role
  relabels, a triple left out is deleted, a new one is added, `*` alone stays as it is.
"""


def draw_search() -> None:
    """Draw the search, its hits, and the rewrite."""
    draw_fields()
    link = requested()
    if link.wanted:
        try:
            rule = _rule() if link.field == "pattern" and link.template else None
            search = parse_search(link.field, link.wanted)
        except PatternError as error:
            st.error("This cannot be looked for:")
            st.code(str(error), language=None)
            return
        if rule is not None and is_at_work():
            st.info("The hits are listed again once your rewrite, or its undo, has ended.")
        else:
            draw_found(search, rule)
    draw_batches()


def draw_fields() -> None:
    """Draw what is searched for, and what is to stand in its place."""
    link, state = requested(), st.session_state
    asked = (link.field, link.wanted, link.template)
    if state.get("queue_asked_search") != asked or "queue_field" not in state:
        state.queue_asked_search = asked
        state.queue_field, state.queue_wanted, state.queue_template = asked
    draw_switch(None, "Search in", FIELD_NAMES, "queue_field")
    field = state.queue_field
    with st.form("queue_search", border=False):
        st.text_input(
            "Search for", key="queue_wanted", placeholder=HINTS[field], label_visibility="collapsed"
        )
        if field == "pattern":
            st.text_input(
                "Replace by this template (leave it empty to search only)",
                key="queue_template",
                placeholder="(x / wish-* :ARG0 y :ARG1 z)",
            )
        st.form_submit_button("Search", on_click=take_search, type="primary")
    if field == "pattern":
        with st.expander("How patterns are written"):
            st.markdown(LANGUAGE)


def take_search() -> None:
    """Put the search into the address."""
    state = st.session_state
    is_pattern = state.queue_field == "pattern"
    template = state.get("queue_template", "").strip() if is_pattern else ""
    state.queue_left_out = set()
    go(
        replace(
            requested(),
            field=state.queue_field,
            wanted=state.queue_wanted.strip(),
            template=template,
        )
    )


def _rule() -> Rule:
    return parse_rule(requested().wanted, requested().template)


def draw_found(search: Search, rule: Rule | None) -> None:
    """Draw what a search or a rewrite finds, once all is looked through."""
    lines_of = looked_up(search.terms, search if rule is None else rule)
    if lines_of is None:
        return
    try:
        found = read_listing(lines_of())
    except StoreError as error:
        st.error(escape_markdown(str(error)))
        return
    if rule is None:
        draw_hits(found, lines_of)
    else:
        draw_preview(rule, found, lines_of)


def _rows_of(sentences: Sequence[int] | None = None) -> dict[int, SentenceRow]:
    """Give sentences as they stand now, or all, by number."""
    chosen = SentenceFilter(among=None if sentences is None else tuple(sentences))
    rows = shared_store().queues.rows(Queue(queued(requested()), chosen))
    return {row.sentence.id: row.sentence for row in rows}


def draw_hits(found: Listing, lines_of: LinesOf) -> None:
    """Draw the sentences that a search hits."""
    totals = found.totals
    st.markdown(f"**{count_of(totals.hits, totals.sentences)}**")
    if not totals.hits:
        return
    draw_cut(totals, "all of them are in the CSV file")
    told = names(), correct_addresses

    def whole() -> pd.DataFrame:
        return hits_frame(tuple(read_all(lines_of())), _rows_of(), *told)

    rows = _rows_of([one.sentence for one in found.shown])
    frame = hits_frame(found.shown, rows, *told)
    is_cut = totals.sentences > MAX_SHOWN
    draw_table(frame, "queue_hits", "hits.csv", whole=whole if is_cut else None)


def draw_cut(totals: Totals, others: str) -> None:
    """Say where more is found than listed."""
    if totals.sentences > MAX_SHOWN:
        st.caption(f"The first {MAX_SHOWN:,} sentences are listed; {others}.")


def draw_preview(rule: Rule, found: Listing, lines_of: LinesOf) -> None:
    """Draw the hits of a rewrite before it is applied."""
    changed = _changed(rule, found)
    found = with_changed(found, changed)
    totals = found.totals
    applied = count_of(totals.applied, totals.applied_in)
    others = f", of {count_of(totals.hits, totals.sentences)}"
    is_all = totals.applied == totals.hits
    st.markdown(f"**{applied} would be rewritten{'' if is_all else others}**")
    if totals.num_cut:
        st.warning("Some sentence has more hits than are looked for; rewrite twice to reach all.")
    if not totals.hits:
        return
    draw_cut(totals, "all hits are rewritten")
    draw_preview_table(found)
    reopened = count_of(totals.reopened, totals.reopened_in)
    reopens = f" Accepted: {reopened}; opened again." if totals.reopened else ""
    st.caption(f"Tick a row to leave that hit out, and again to take it back in.{reopens}")
    st.button(
        f"Rewrite {applied}",
        type="primary",
        disabled=not totals.applied,
        on_click=take_rewrite,
        args=(lines_of, changed),
    )


def draw_preview_table(found: Listing) -> None:
    """Draw the hits of a rewrite that are listed."""
    known = _rows_of([one.sentence for one in found.shown])
    shown = [one for one in found.shown if one.sentence in known]
    places = [(one.sentence, hit) for one in shown for hit in range(one.num_hits)]
    rows = [(hit, known[one.sentence]) for one in shown for hit in one.hits]
    draw_table(
        preview_frame(rows, names(), correct_addresses([sentence for sentence, _ in places])),
        "queue_preview",
        "rewrite.csv",
        on_choose=lambda place: take_left_out(*places[place]),
    )


def _changed(rule: Rule, found: Listing) -> dict[int, Found]:
    """Work out anew the sentences of which hits are left out, by number."""
    left_out: set[tuple[int, int]] = st.session_state.setdefault("queue_left_out", set())
    shown = {one.sentence for one in found.shown}
    among = tuple(sorted({sentence for sentence, _ in left_out} & shown))
    if not among:
        return {}
    changed = {}
    for document in queued(requested()):
        for row, graph_of in shared_store().graphs(document, SentenceFilter(among=among)):
            omitted = {hit for sentence, hit in left_out if sentence == row.id}
            changed[row.id] = found_by_rule(rule, row, graph_of(), omitted, is_shown=True)
    return changed


def is_at_work() -> bool:
    """Tell whether a rewrite or undo of this person is at work: what would be listed changes."""
    jobs = [job for job in shared_scribe().jobs if job.kind in ("rewrite", "undo")]
    return any(job.person == current_person() and not job.is_over for job in jobs)


def take_left_out(sentence: int, hit: int) -> None:
    """Leave a hit out, or take it back in."""
    st.session_state.queue_left_out ^= {(sentence, hit)}


def take_rewrite(lines_of: LinesOf, changed: Mapping[int, Found]) -> None:
    """Apply a rewrite to all sentences, as one batch; some are changed from what was found."""
    link, person, batch = requested(), current_person(), uuid.uuid4().hex
    note = f"rewrite {link.wanted} to {link.template}"
    try:
        found = [changed.get(one.sentence, one) for one in read_all(lines_of())]
    except AptamrError as error:
        refuse(error)
        return
    planned = [(one.sentence, one.revision, one.edit) for one in found if one.edit is not None]
    kept = Rewrite(person, TAB, note, batch, planned)
    what = f"{note} in {counted(len(planned), 'sentence')}"
    attempt(what, lambda: tell_bulk(kept.do()), refuse, kept)
    st.session_state.queue_left_out = set()  # the hits are counted anew
    shared_searcher().forget()


def draw_batches() -> None:
    """Draw the rewrites that were made, each with one undo."""
    batches = shared_store().batches()
    if not batches:
        return
    jobs = [job for job in shared_scribe().jobs if job.is_bulk and not job.is_over]
    at_work = {job.name for job in jobs}
    st.markdown("**Rewrites so far**")
    for batch in batches[:10]:
        row = st.container(horizontal=True, gap="small", vertical_alignment="center")
        row.caption(
            escape_markdown(
                f"{batch.at:%Y-%m-%d %H:%M} UTC, {batch.person}: {batch.note}; stands in "
                f"{len(batch.standing):,} of {counted(len(batch.sentences), 'sentence')}"
            ),
            width="content",
        )
        is_free = not at_work & {batch.id, undo_name(batch.id)}
        if batch.standing and batch.person == current_person() and is_free:
            row.button(
                "Undo all of it", key=f"queue_undo_{batch.id}", on_click=take_undo, args=(batch,)
            )


def take_undo(batch: Batch) -> None:
    """Take a whole rewrite back."""
    kept = Undo(current_person(), TAB, batch.note, batch.id, uuid.uuid4().hex)
    attempt(f"the undo of {batch.note}", lambda: tell_bulk(kept.do()), refuse, kept)
    shared_searcher().forget()
