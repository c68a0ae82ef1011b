"""Copies for several people on the same sentences: made, removed, brought back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.annotation.identity import named_people
from app.annotation.session import shared_store
from app.annotation.waiting import attempt
from app.kit.text import counted, escape_markdown
from app.pages.queue.page_people import draw_people
from app.pages.queue.rows import describe_copy
from app.pages.queue.state import chosen_row, names, refuse, tell
from app.store.documents.copying import copy_name
from app.store.records.rows import CopyRow
from aptcore.errors import AptamrError, EditError

ASKED = "queue_removing"
"""The session's name for the copy whose removal is to be confirmed; 0 for none."""


def draw_copies() -> None:
    """Draw what gives each of several people a copy of their own, and what takes it away."""
    st.markdown("**Double annotation**")
    document = chosen_row()
    if document is None:
        st.caption("Choose one document above to give several people a copy of it each.")
        return
    if document.copy_of is not None:
        st.caption("This is a copy. Choose the document it was made of, to make or remove copies.")
        return
    st.caption(
        "Each person corrects a copy and does not see the others' until both have accepted a "
        "sentence; the Compare page shows them side by side and measures how well they agree."
    )
    with st.form("queue_copies", border=False, enter_to_submit=False):
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        draw_people(row, "A copy each for", "queue_copy_people", "Each gets a copy of their own.")
        row.form_submit_button("Make the copies", on_click=take_copies, args=(document.id,))
    draw_known(shared_store().copies(document.id))


def draw_known(copies: Sequence[CopyRow]) -> None:
    """Draw the copies that there are, and the removed ones on which there is work."""
    for copy in copies:
        if not copy.is_removed:
            draw_copy(copy)
    for copy in copies:
        if copy.is_removed and copy.num_operations:
            row = st.container(horizontal=True, gap="small", vertical_alignment="center")
            row.caption(f"Removed: {escape_markdown(describe_copy(copy))}", width="content")
            row.button(
                "Bring back",
                key=f"queue_restore_{copy.id}",
                on_click=take_restore,
                args=(copy,),
            )


def draw_copy(copy: CopyRow) -> None:
    """Draw a copy with what removes it; where there is work on it, only after a question."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    row.caption(escape_markdown(describe_copy(copy)), width="content")
    if not copy.num_operations:
        row.button("Remove", key=f"queue_remove_{copy.id}", on_click=take_removal, args=(copy,))
        return
    if st.session_state.get(ASKED) != copy.id:
        row.button("Remove", key=f"queue_remove_{copy.id}", on_click=ask, args=(copy.id,))
        return
    person = escape_markdown(copy.person)
    st.warning(
        f"{person} has worked on {counted(copy.num_touched, 'sentence')} of this copy "
        f"({counted(copy.num_operations, 'operation')}, {copy.num_submitted:,} accepted or "
        f"rejected). {person} could not go on with it, and it would leave the queue, the "
        "comparison and the agreement. The work is kept: the copy can be brought back here."
    )
    answers = st.container(horizontal=True, gap="small")
    answers.button(
        "Remove it all the same",
        key=f"queue_removed_{copy.id}",
        on_click=take_removal,
        args=(copy,),
    )
    answers.button("Keep it", key=f"queue_keep_{copy.id}", on_click=ask, args=(0,))


def ask(copy: int) -> None:
    """Ask whether a copy is to be removed; 0 takes the question back."""
    st.session_state[ASKED] = copy


def take_removal(copy: CopyRow) -> None:
    """Remove a copy, unless there is more work on it than the page has told."""
    ask(0)

    def act() -> None:
        shared_store().remove_copy(copy.id, copy.num_operations)
        tell(f"{copy.name} is removed.")

    attempt(f"the removal of {copy.name}", act, refuse)


def take_restore(copy: CopyRow) -> None:
    """Bring a removed copy back."""

    def act() -> None:
        shared_store().restore_copy(copy.id)
        tell(f"{copy.name} is back, as it was.")

    attempt(f"the return of {copy.name}", act, refuse)


def take_copies(document: int) -> None:
    """Make a copy of a document for each person who was named."""
    chosen = list(st.session_state.queue_copy_people)
    try:
        people = named_people(shared_store().people, chosen)
    except EditError as error:
        refuse(error)
        return
    if not people:
        tell("Choose the people who are to have a copy.", is_error=True)
        return
    name, made = names()[document], list[str]()

    def act() -> None:
        shared_store().people.add(people)
        for person in people[len(made) :]:
            shared_store().copy_document(document, copy_name(name, person), person)
            made.append(person)
        if st.session_state.get("queue_copy_people") == chosen:
            st.session_state.queue_copy_people = []
        tell(f"{name}: a copy each for {', '.join(made)}.")

    def refuse_rest(error: AptamrError) -> None:
        done = f" Copies were made for {', '.join(made)}." if made else ""
        tell(f"{error}.{done}", is_error=True)

    attempt(f"a copy of {name} each for {', '.join(people)}", act, refuse_rest)
