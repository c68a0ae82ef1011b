"""One sentence in two versions: the drawing, the differences to pick from, the reasons."""

from __future__ import annotations

import streamlit as st

from app.addresses.codec import format_link
from app.addresses.compare import COPY, NOW
from app.addresses.correct import CorrectLink
from app.addresses.pages import page_file
from app.annotation.acts import Apply
from app.annotation.copies import why_hidden
from app.annotation.documents import copy_rows, rows_of
from app.annotation.session import current_person, shared_store
from app.annotation.waiting import attempt
from app.canvas.component import draw_union
from app.kit.tables import draw_table
from app.kit.text import escape_markdown
from app.pages.compare.drawing import payload_of_union, union_of
from app.pages.compare.state import (
    TAB,
    document_id,
    graph_at,
    move,
    next_ready,
    refuse,
    shown_number,
    shown_versions,
    take_fields,
    tell,
    versions,
)
from app.pages.compare.versions import picks_of, reason_frame, triple_frame
from app.store.log.operations import Acknowledged, Answer, Conflict, Request
from app.store.records.rows import StoredSentence
from aptcore.editing.applying import apply_edit
from aptcore.editing.edits import edit_to_json
from aptcore.editing.picking import edit_of_picks
from aptcore.errors import AptamrError, UnavailableError
from aptcore.graph.amr import AmrGraph
from aptcore.scoring.counts import Counts
from aptcore.scoring.difference import Compared, compare_graphs
from aptcore.scoring.triple_graph import triple_graph

CORRECT = page_file("correct")
MAPPING_SECONDS = 3.0
DIGITS = 9
"""Differences with a key of their own; the arrows lead on to the others."""
WRITES = "why; Enter writes it down"
"""In the field of the reason. A key of the button beside it would send the form twice."""
LEGEND = "**+** only here · **−** only there · **≠** changed"


def draw_sentence() -> None:
    """Draw the sentence of the address in its two versions."""
    number = shown_number()
    rows = rows_of(document_id())
    if not rows:
        st.info("This document has no sentence.")
        return
    draw_navigation(number, len(rows))
    st.markdown(f"#### {escape_markdown(rows[number].text)}")
    hidden = why_hidden(shown_versions(), copy_rows(document_id(), number), current_person())
    if hidden:
        st.info(escape_markdown(hidden))
        return
    pair = [graph_at(version, number) for version in shown_versions()]
    first, second = pair
    if first is None or second is None:
        st.info("The gold file has no graph for this sentence.")
        return
    compared = _compared(first, second)
    names = versions()
    called = [names[version] for version in shown_versions()]
    draw_outcome(compared, called)
    payload = payload_of_union(union_of(compared), (called[0], called[1]))
    draw_union(payload, key="compare_union")
    draw_picks(compared, number, called)
    if st.toggle("All triples as a table", key="compare_all"):
        draw_table(triple_frame(compared), "compare_triples", "triples.csv")
    draw_reasons(number)


def _compared(first: AmrGraph, second: AmrGraph) -> Compared:
    return compare_graphs(first, second, MAPPING_SECONDS)


def draw_navigation(number: int, size: int) -> None:
    """Draw what leads from sentence to sentence."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    row.button(
        "Previous", on_click=move, args=(number - 1,), disabled=number == 1, shortcut="PageUp"
    )
    row.number_input(
        "Sentence",
        min_value=1,
        max_value=size,
        key="compare_number",
        on_change=take_fields,
        width=130,
        label_visibility="collapsed",
    )
    row.button(
        "Next", on_click=move, args=(number + 1,), disabled=number >= size, shortcut="PageDown"
    )
    row.button(
        "Next that is ready",
        on_click=take_next_ready,
        args=(number,),
        help="The next open sentence whose copies are all accepted or rejected.",
        shortcut="n",
    )
    row.caption(f"of {size:,}", width="content")


def draw_outcome(compared: Compared, names: list[str]) -> None:
    """Say how far the two are apart."""
    counts = {
        status: compared.count(status) for status in ("matched", "changed", "extra", "missing")
    }
    first, second = triple_graph(compared.first), triple_graph(compared.second)
    f1 = Counts(compared.num_matched, first.num_triples, second.num_triples).f1
    parts = " · ".join(f"{count} {name}" for name, count in counts.items())
    sure = "" if compared.is_proven else " A better mapping may exist."
    st.markdown(
        f"**{parts}** (Smatch {100 * f1:.1f}).{sure} *Here* is "
        f"{escape_markdown(names[0])}, *there* is {escape_markdown(names[1])}."
    )
    st.caption(LEGEND)


def draw_picks(compared: Compared, number: int, called: list[str]) -> None:
    """Draw the differences, each to be taken over or not."""
    said = picks_of(compared)
    if not said:
        st.success("Both are the same.")
    target = _target(number)
    is_own = shown_versions()[0] == NOW or target_name() == "your copy"
    if said or not is_own:
        draw_form(said, compared, target, called, is_own)
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    if row.button("Open it in Correct", icon=":material/edit:", shortcut="o"):
        link = CorrectLink(target.id, current_person())
        st.switch_page(CORRECT, query_params=format_link(link))
    row.button(
        "Accept it as it is",
        on_click=take_accept,
        args=(target.id, target.revision, number),
        disabled=target.state.status == "accepted",
        shortcut="a",
    )
    row.caption(
        f"{target_name()} now: {target.state.status}, revision {target.revision}", width="content"
    )


def draw_form(
    said: dict[int, str],
    compared: Compared,
    target: StoredSentence,
    called: list[str],
    is_own: bool,
) -> None:
    """Draw the picks with their reason.

    Args:
        said: What each pick would do.
        compared: The two graphs.
        target: The sentence that is changed.
        called: What the two versions are called.
        is_own: Whether the first version is the sentence that is changed.
    """
    key = f"compare_pick_{target.document}_{target.number}_{'_'.join(shown_versions())}"
    first, second = (escape_markdown(name) for name in called)
    with st.container(key="compare_picks"), st.form(key, border=True):  # union.js looks for it
        if is_own:
            st.markdown(f"**Take over from {second}**")
        else:
            st.markdown(
                f"**Adjudicate:** the document becomes {first}, with what is ticked as in {second}"
            )
        for number, (place, text) in enumerate(said.items(), 1):
            digit = f"`{number}` " if number <= DIGITS else ""
            st.checkbox(digit + escape_markdown(text), key=f"{key}_{place}")
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        row.text_input("Reason `r`", key=f"{key}_reason", placeholder=WRITES, width=420)
        row.form_submit_button(
            "Take over" if is_own else "Write to the document",
            on_click=take_picks,
            args=(compared, key, target.id),
            type="primary",
        )
        if target.state.status == "accepted":
            row.caption("It is accepted: a change opens it again.", width="content")


def target_name() -> str:
    """Say where picks go: to a person's own copy only if it is compared by that person."""
    first = shown_versions()[0]
    own = COPY + current_person()
    return (
        "your copy"
        if first == own and shown_versions()[1] in ("silver", "gold")
        else "the document"
    )


def _target(number: int) -> StoredSentence:
    """Give the sentence that picks change."""
    store = shared_store()
    if target_name() == "your copy":
        return store.sentence(copy_rows(document_id(), number)[shown_versions()[0]].id)
    return store.sentence(rows_of(document_id())[number].id)


def take_picks(compared: Compared, key: str, target: int) -> None:
    """Write what was picked into the target, with the reason."""
    state, person = st.session_state, current_person()
    picks = [p for p, _ in enumerate(compared.pairs) if state.get(f"{key}_{p}")]
    reason = " ".join(state[f"{key}_reason"].split())
    if not reason:
        tell("Write a reason: it stays with the change.", is_error=True)
        return
    try:
        made = _request_of(compared, picks, target, reason)
    except UnavailableError as error:
        tell(f"Nothing was taken over: {error}. Press again.", is_error=True)
        return
    except AptamrError as error:
        refuse(error)
        return
    if not made:
        tell("Nothing to take over: it is so already.", is_error=True)
        return
    (request,) = made
    kept = Apply(person, TAB, target, request.id, request.base, dict(request.what))

    def act() -> None:
        answer = kept.do()
        _tell_answer(answer, "Taken over.")
        if isinstance(answer, Acknowledged):
            for place, _ in enumerate(compared.pairs):
                if f"{key}_{place}" in state:
                    state[f"{key}_{place}"] = False

    attempt(f"what was taken over, with the reason “{reason}”", act, refuse, kept)


def _request_of(
    compared: Compared, picks: list[int], target: int, reason: str
) -> tuple[Request, ...]:
    """Give what makes picks of the target; nothing where it is so already.

    Raises:
        AptamrError: The picks do not go together, or the store cannot be read.
    """
    wanted = apply_edit(compared.first, edit_of_picks(compared, picks))
    sentence = shared_store().sentence(target)
    towards = _compared(sentence.state.graph, wanted)
    places = [p for p, pair in enumerate(towards.pairs) if pair.status != "matched"]
    if not places:
        return ()
    what = {"do": "edit", "edit": edit_to_json(edit_of_picks(towards, places)), "note": reason}
    return (Request(f"adjudicate {sentence.revision}", sentence.revision, what),)


def take_accept(target: int, revision: int, number: int) -> None:
    """Accept the target as it was seen, and go on to the next sentence that is ready."""
    person = current_person()
    kept = Apply(person, TAB, target, f"accept {revision}", revision, {"do": "accept"})

    def act() -> None:
        answer = kept.do()
        if isinstance(answer, Acknowledged):
            take_next_ready(number, done="Accepted. ")
        else:
            _tell_answer(answer, "")

    attempt("the acceptance", act, refuse, kept)


def take_next_ready(number: int, done: str = "") -> None:
    """Go on to the next sentence that can be decided on, or say that there is none."""
    following = next_ready(number)
    if following is None:
        tell(f"{done}No other open sentence is ready.")
        return
    move(following)
    if done:
        tell(f"{done}Sentence {following} is the next one that is ready.")


def _tell_answer(answer: Answer, done: str) -> None:
    if isinstance(answer, Acknowledged):
        tell(done)
    elif isinstance(answer, Conflict):
        tell(f"{answer.by} changed it meanwhile; look again.", is_error=True)
    else:
        tell(answer.reason, is_error=True)


def draw_reasons(number: int) -> None:
    """Draw the changes with a reason that the document's sentence has had."""
    told = reason_frame(shared_store().log(rows_of(document_id())[number].id))
    if not told.empty:
        st.markdown("**Changes with a reason**")
        draw_table(told, "compare_reasons", "reasons.csv")
