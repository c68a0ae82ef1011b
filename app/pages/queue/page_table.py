"""The queue itself: figures, order, filters, the table, and the way to the next sentence."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import streamlit as st

from app.addresses.codec import format_link
from app.addresses.pages import page_file
from app.addresses.queue import EXTRAS, ORDERS, STATUSES
from app.annotation.acts import Assign
from app.annotation.documents import shared_scribe
from app.annotation.identity import named_people, note_people
from app.annotation.order import EXTRA_NAMES, MEASURES, QueueRow
from app.annotation.session import current_person, shared_store
from app.annotation.waiting import attempt
from app.kit.look import NO_VALUE, draw_figures
from app.kit.tables import chosen_rows, draw_filter
from app.kit.text import counted, escape_markdown, shorten
from app.pages.queue.page_jobs import tell_bulk
from app.pages.queue.page_people import draw_people
from app.pages.queue.rows import (
    ORDER_NAMES,
    describe_gain,
    describe_progress,
    next_row,
    queue_frame,
    split_evenly,
)
from app.pages.queue.state import (
    TAB,
    correct_address,
    correct_link,
    names,
    progress_now,
    queue_rows,
    refuse,
    requested,
    take_fields,
)
from aptcore.errors import EditError

CORRECT = page_file("correct")


def draw_queue() -> None:
    """Draw the queue."""
    draw_how_far()
    draw_filters()
    link = requested()
    rows = queue_rows(link)
    draw_next(rows)
    draw_measures(rows)
    if not rows:
        st.info("No sentence is left under these filters. Change them to see others.")
        return
    draw_table(rows)


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


def draw_next(rows: Sequence[QueueRow]) -> None:
    """Draw the way to the sentence that comes next."""
    following = next_row(rows, current_person())
    if following is None:
        return
    sentence = following.sentence
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    if row.button("Correct the next one", type="primary", icon=":material/edit:"):
        link = correct_link(sentence.id)
        st.switch_page(CORRECT, query_params=format_link(link))
    row.caption(escape_markdown(shorten(sentence.text, 110)), width="content")


def draw_measures(rows: Sequence[QueueRow]) -> None:
    """Say what the order is worth, and offer to work out what is missing."""
    measure = MEASURES.get(requested().order)
    if measure is None:
        return
    gain = describe_gain(measure)
    if gain:
        st.caption(gain)
    missing = {row.sentence.document for row in rows if row.doubt is None}
    if not missing:
        return
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    number = sum(one.doubt is None for one in rows)
    row.caption(f"No value for this order yet: {counted(number, 'sentence')}.", width="content")
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


def draw_table(rows: Sequence[QueueRow]) -> None:
    """Draw the sentences, to be sorted, filtered, chosen and taken away."""
    addresses = [correct_address(row.sentence.id) for row in rows]
    measure = MEASURES.get(requested().order, "doubt")
    frame = queue_frame(rows, names(), addresses, measure)
    shown = draw_filter(frame, "queue", "queue.csv", "sentence")
    st.dataframe(
        shown,
        key="queue_table",
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
    draw_chosen([rows[row].sentence.id for row in chosen_rows("queue_table", shown)])
    draw_assignment([rows[row] for row in chosen_rows("queue_table", shown)], len(shown))


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


def draw_assignment(chosen: Sequence[QueueRow], num_shown: int) -> None:
    """Draw what gives the chosen sentences to people."""
    with st.form("queue_assign", border=False):
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        draw_people(
            row,
            "Assign the chosen rows to",
            "queue_people",
            "Several people: the rows are dealt out in turn. Nobody: they are nobody's again.",
        )
        row.form_submit_button(
            f"Assign {counted(len(chosen), 'row')}",
            on_click=take_assignment,
            args=([one.sentence.id for one in chosen],),
            disabled=not chosen,
        )
    if not chosen:
        st.caption(f"Tick rows of the {num_shown:,} above to assign them.")


def take_assignment(sentences: Sequence[int]) -> None:
    """Give sentences to the people who were named."""
    try:
        people = named_people(shared_store().people, st.session_state.queue_people) or ("",)
    except EditError as error:
        refuse(error)
        return
    note_people(shared_store().people, [name for name in people if name])
    called = ", ".join(people) if people != ("",) else "nobody"
    dealt = list(split_evenly(sentences, people).items())
    kept = Assign(current_person(), TAB, called, uuid.uuid4().hex, dealt)
    what = f"{counted(len(sentences), 'row')} assigned to {called}"
    attempt(what, lambda: tell_bulk(kept.do()), refuse, kept)
