"""The queue itself: figures, order, filters, the table, and the way to the next sentence."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from app.addresses.codec import format_link
from app.addresses.correct import CorrectLink
from app.addresses.pages import page_file
from app.addresses.queue import EXTRAS, ORDERS, STATUSES, Order
from app.annotation.acts import Assign
from app.annotation.documents import shared_scribe
from app.annotation.identity import named_people
from app.annotation.order import EXTRA_NAMES, MEASURES
from app.annotation.session import current_person, shared_store
from app.annotation.waiting import attempt
from app.kit.look import NO_VALUE, draw_figures
from app.kit.tables import chosen_rows
from app.kit.text import counted, escape_markdown, shorten
from app.pages.queue.page_jobs import tell_bulk
from app.pages.queue.page_people import draw_people
from app.pages.queue.rows import (
    ORDER_NAMES,
    describe_gain,
    describe_progress,
    queue_frame,
    split_evenly,
)
from app.pages.queue.state import (
    TAB,
    address_of,
    asked_queue,
    correct_link,
    names,
    progress_now,
    refuse,
    requested,
    take_fields,
)
from app.store.documents.queues import Queue, QueueRow
from aptcore.errors import AptamrError

CORRECT = page_file("correct")
PAGE_ROWS = 200
"""Rows of the queue that are read and sent at a time."""


def draw_queue() -> None:
    """Draw the queue."""
    draw_how_far()
    draw_filters()
    queue = asked_queue()
    draw_next(queue)
    total = shared_store().queues.count(queue)
    draw_measures(queue)
    if not total:
        st.info("No sentence is left under these filters. Change them to see others.")
        return
    draw_table(queue, total)


def draw_how_far() -> None:
    """Draw how far the work is."""
    draw_figures(describe_progress(progress_now(), current_person()))


def draw_filters() -> None:
    """Draw the order and the filters."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    row.selectbox(
        "Order",
        ORDERS,
        format_func=lambda name: ORDER_NAMES[name],
        key="queue_order",
        on_change=take_fields,
        width=240,
    )
    row.multiselect(
        "Status",
        STATUSES,
        key="queue_status",
        on_change=take_fields,
        placeholder="any",
        width=300,
    )
    row.multiselect(
        "Only those",
        EXTRAS,
        format_func=lambda name: EXTRA_NAMES[name],
        key="queue_extra",
        on_change=take_fields,
        placeholder="all",
        width=300,
    )


def draw_next(queue: Queue) -> None:
    """Draw the way to the first open sentence: of those assigned to the person, or nobody's."""
    status = queue.chosen.status
    if status is not None and "open" not in status:
        return
    queues, person = shared_store().queues, current_person()
    own = replace(queue, chosen=replace(queue.chosen, status=("open",), assigned=person))
    num_own = queues.count(own) if person and queue.chosen.assigned in (None, person) else 0
    free = replace(queue.chosen, status=("open",), free_for=person)
    for following in queues.rows(own if num_own else replace(queue, chosen=free), limit=1):
        sentence = following.sentence
        row = st.container(horizontal=True, gap="small", vertical_alignment="center")
        if row.button("Correct the next one", type="primary", icon=":material/edit:"):
            link = correct_link(sentence.id)
            st.switch_page(CORRECT, query_params=format_link(link))
        if num_own:
            mine = f"{counted(num_own, 'open sentence')} assigned to you, these first: "
            row.caption(f"**{mine}**", width="content")
        row.caption(escape_markdown(shorten(sentence.text, 110)), width="content")


def draw_measures(queue: Queue) -> None:
    """Say what the order is worth, and offer to work out what is missing."""
    measure = MEASURES.get(requested().order)
    if measure is None:
        return
    gain = describe_gain(measure)
    if gain:
        st.caption(gain)
    missing = shared_store().queues.missing(queue)
    if not missing:
        return
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    number = counted(sum(missing.values()), "sentence")
    row.caption(f"No value for this order yet: {number}.", width="content")
    row.button(
        "Work it out with the parser",
        on_click=take_doubt,
        args=(tuple(sorted(missing)),),
        icon=":material/calculate:",
        help="Each sentence is parsed in the background; you can go on meanwhile.",
    )


def take_doubt(found: Sequence[int]) -> None:
    """Begin to work out the doubt of documents."""

    def act() -> None:
        for document in found:
            shared_scribe().doubt(names()[document], document)

    attempt("the work on what the parser doubts", act, refuse)


def draw_table(queue: Queue, total: int) -> None:
    """Draw a page of the sentences, to be filtered, chosen and taken away."""
    queue, num_shown = draw_table_head(queue, total)
    place = draw_pages(queue, num_shown)
    rows = shared_store().queues.rows(queue, place, PAGE_ROWS)
    frame = table_of(rows, names(), correct_link(0), requested().order)
    measure = MEASURES.get(requested().order, "doubt")
    key = f"queue_table_{place}" if place else "queue_table"  # what is ticked stays on its page
    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        placeholder=NO_VALUE,
        selection_mode="multi-row",
        on_select="rerun",
        height=430,
        column_config={
            "link": st.column_config.LinkColumn("open", display_text="open", width="small"),
            "sentence": st.column_config.TextColumn(width=430),
            measure: st.column_config.NumberColumn(format="%.3f", width=125),
            "flag": st.column_config.TextColumn(width=130),
            "problem": st.column_config.TextColumn(width=130),
        },
    )
    chosen = [rows[row].sentence.id for row in chosen_rows(key, frame)]
    draw_chosen(chosen)
    draw_assignment(queue, chosen, num_shown)


def draw_table_head(queue: Queue, total: int) -> tuple[Queue, int]:
    """Draw the field that filters the table and what takes it away; give what is left."""
    above = st.container(horizontal=True, gap="small", vertical_alignment="center")
    wanted = above.text_input(
        "Rows that hold this text",
        key="queue_filter",
        placeholder="Filter rows",
        label_visibility="collapsed",
        width=260,
    )
    queue = replace(queue, chosen=replace(queue.chosen, text=wanted.strip()))
    queues = shared_store().queues
    num_shown = queues.count(queue) if queue.chosen.text else total
    told = names(), correct_link(0), requested().order
    above.download_button(
        "CSV",
        lambda: table_of(queues.rows(queue), *told).to_csv(index=False, lineterminator="\n"),
        file_name="queue.csv",
        mime="text/csv",
        on_click="ignore",
        key="queue_csv",
        icon=":material/download:",
    )
    above.caption(f"{num_shown:,} of {counted(total, 'sentence')}", width="content")
    return queue, num_shown


def draw_pages(queue: Queue, num_rows: int) -> int:
    """Draw what turns the pages of a table; give the place of the first row shown, from 0."""
    state, last = st.session_state, max(0, num_rows - 1) // PAGE_ROWS
    if state.get("queue_paged") != queue:
        state.queue_paged, state.queue_page = queue, 0
    page: int = min(state.queue_page, last)
    state.queue_page = page
    if not last:
        return 0
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    for label, other in (("Previous rows", page - 1), ("Next rows", page + 1)):
        is_there = 0 <= other <= last
        row.button(
            label, on_click=turn, args=(other,), disabled=not is_there, key=f"queue_{label[:4]}"
        )
    first = page * PAGE_ROWS
    until = min(num_rows, first + PAGE_ROWS)
    row.caption(f"{first + 1:,} to {until:,} of {num_rows:,}", width="content")
    return first


def turn(page: int) -> None:
    """Turn to a page of the table, from 0."""
    st.session_state.queue_page = page


def table_of(
    rows: Sequence[QueueRow],
    known: Mapping[int, str],
    link: CorrectLink,
    order: Order,
) -> pd.DataFrame:
    """Give rows of a queue as a table whose links ask for what ``link`` does."""
    addresses = [address_of(replace(link, sentence=row.sentence.id)) for row in rows]
    return queue_frame(rows, known, addresses, MEASURES.get(order, "doubt"))


def draw_chosen(sentences: Sequence[int]) -> None:
    """Draw the way through the chosen sentences alone."""
    if not sentences:
        return
    link = correct_link(sentences[0], sentences)
    address = format_link(link)
    if "rows" not in address:
        st.caption("These are too many for an address: choose fewer to go through them alone.")
    elif st.button("Correct the chosen ones", icon=":material/checklist:"):
        st.switch_page(CORRECT, query_params=address)


def draw_assignment(queue: Queue, chosen: Sequence[int], num_shown: int) -> None:
    """Draw what gives the chosen sentences, or all of the table, to people."""
    is_all = num_shown > PAGE_ROWS and st.toggle(
        f"Choose all {num_shown:,} rows, not only the ticked ones", key="queue_all"
    )
    with st.form("queue_assign", border=False):
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        draw_people(
            row,
            "Assign the chosen rows to",
            "queue_people",
            "Several people: the rows are dealt out in turn. Nobody: they are nobody's again.",
        )
        row.form_submit_button(
            f"Assign {counted(num_shown if is_all else len(chosen), 'row')}",
            on_click=take_assignment,
            args=(queue if is_all else chosen,),
            disabled=not (chosen or is_all),
        )
    if not (chosen or is_all):
        st.caption(f"Tick rows of the {num_shown:,} above to assign them.")


def take_assignment(asked: Queue | Sequence[int]) -> None:
    """Give sentences to the people who were named."""
    try:
        people = named_people(shared_store().people, st.session_state.queue_people) or ("",)
        sentences = shared_store().queues.ids(asked) if isinstance(asked, Queue) else asked
    except AptamrError as error:
        refuse(error)
        return
    called = ", ".join(people) if people != ("",) else "nobody"
    dealt = list(split_evenly(sentences, people).items())
    kept = Assign(current_person(), TAB, called, uuid.uuid4().hex, dealt)
    what = f"{counted(len(sentences), 'row')} assigned to {called}"
    attempt(what, lambda: tell_bulk(kept.do()), refuse, kept)
