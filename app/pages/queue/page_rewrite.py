"""Search by text, concept, role or pattern, and the rewrite of all hits at once."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from app.annotation.acts import Undo, rewrite_of
from app.annotation.documents import shared_scribe
from app.annotation.search import parse_search
from app.annotation.session import current_person, shared_store
from app.annotation.waiting import attempt
from app.kit.look import draw_switch
from app.kit.tables import draw_table
from app.kit.text import counted, escape_markdown, shorten
from app.pages.queue.page_jobs import tell_bulk
from app.pages.queue.rewrite import MAX_SHOWN, count_hits_in, hits_of, preview, preview_frame
from app.pages.queue.state import TAB, correct_addresses, go, names, queued, refuse, requested
from app.store.batches import Batch
from app.store.bulk import Planned, undo_name
from app.store.records.rows import SentenceRow
from aptcore.editing.rewriting import Rule, parse_rule
from aptcore.errors import PatternError
from aptcore.graph.amr import AmrGraph

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
        elif rule is not None:
            draw_preview(rule)
        else:
            draw_hits(hits_of(search, _material()))
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


def _material() -> Iterator[tuple[SentenceRow, AmrGraph]]:
    """Give the sentences of the chosen document, or of all, each with its graph."""
    store = shared_store()
    for number in queued(requested()):
        rows = {row.id: row for row in store.sentences(number)}
        for sentence, graph in store.graphs(number):
            if sentence in rows:
                yield rows[sentence], graph


def draw_hits(found: Sequence[tuple[SentenceRow, int]]) -> None:
    """Draw the sentences that a search hits."""
    total = sum(count for _, count in found)
    st.markdown(f"**{counted(total, 'hit')} in {counted(len(found), 'sentence')}**")
    if not found:
        return
    known = names()
    frame = pd.DataFrame(
        {
            "link": correct_addresses([row.id for row, _ in found]),
            "hits": [count for _, count in found],
            "sentence": [shorten(row.text, 200) for row, _ in found],
            "status": [row.status for row, _ in found],
            "id": [row.name for row, _ in found],
            "document": [known.get(row.document, "") for row, _ in found],
        }
    )
    draw_table(frame, "queue_hits", "hits.csv")


def draw_preview(rule: Rule) -> None:
    """Draw every hit of a rewrite before it is applied."""
    left_out = st.session_state.setdefault("queue_left_out", set())
    found = preview(rule, _material(), left_out)
    others = len(found.rows) - len(found.applied)
    of_all = f", of {count_hits_in(found.rows)}" if others else ""
    st.markdown(f"**{count_hits_in(found.applied)} would be rewritten{of_all}**")
    if found.is_cut:
        st.warning("Some sentence has more hits than are looked for; rewrite twice to reach all.")
    if not found.rows:
        return
    shown = found.rows[:MAX_SHOWN]
    if len(found.rows) > MAX_SHOWN:
        st.caption(f"The first {MAX_SHOWN:,} hits are listed; all are rewritten.")
    draw_table(
        preview_frame(shown, correct_addresses([row.sentence.id for row in shown])),
        "queue_preview",
        "rewrite.csv",
        on_choose=lambda place: take_left_out(shown[place].sentence.id, shown[place].hit),
    )
    accepted = [row for row in found.applied if row.sentence.status == "accepted"]
    reopens = f" Accepted: {count_hits_in(accepted)}; opened again." if accepted else ""
    st.caption(f"Tick a row to leave that hit out, and again to take it back in.{reopens}")
    st.button(
        f"Rewrite {count_hits_in(found.applied)}",
        type="primary",
        disabled=not found.planned,
        on_click=take_rewrite,
        args=(found.planned,),
    )


def is_at_work() -> bool:
    """Tell whether a rewrite or undo of this person is at work: what would be listed changes."""
    jobs = [job for job in shared_scribe().jobs if job.kind in ("rewrite", "undo")]
    return any(job.person == current_person() and not job.is_over for job in jobs)


def take_left_out(sentence: int, hit: int) -> None:
    """Leave a hit out, or take it back in."""
    st.session_state.queue_left_out ^= {(sentence, hit)}


def take_rewrite(planned: Sequence[Planned]) -> None:
    """Apply a rewrite to all sentences, as one batch."""
    link, person, batch = requested(), current_person(), uuid.uuid4().hex
    note = f"rewrite {link.wanted} to {link.template}"

    kept = rewrite_of(person, TAB, note, batch, planned)
    what = f"{note} in {counted(len(planned), 'sentence')}"
    attempt(what, lambda: tell_bulk(kept.do()), refuse, kept)


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
