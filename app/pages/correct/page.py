"""Correct: one stored graph beside its sentence, to be mended by keys, mouse or text.

Only drawing stands here; how the session changes stands in ``app.pages.correct.state``.
"""

from __future__ import annotations

import streamlit as st

from app.addresses.pages import page_file
from app.annotation.identity import forget_person, has_sign_in
from app.annotation.own_roles import use_named_roles
from app.annotation.session import (
    current_person,
    draw_waiting,
    is_person_known,
    is_store_open,
    shared_store,
)
from app.annotation.waiting import draw_unsaved
from app.canvas.component import draw_editor
from app.canvas.payload import Payload
from app.engine.shared import shared_engine
from app.kit.address import timed
from app.kit.look import apply_look
from app.kit.text import escape_markdown
from app.pages.correct.editor.drawing import payload_of, sentence_of
from app.pages.correct.editor.marks import (
    marks_of,
    part_payload,
    problem_items,
    problems_text,
    reading_of,
)
from app.pages.correct.editor.mending import mend_text
from app.pages.correct.page_around import draw_around
from app.pages.correct.page_empty import draw_empty
from app.pages.correct.state import (
    EDITOR,
    filters,
    has_changed,
    is_shown,
    meeting,
    note_drawn,
    opened,
    prepare,
    shown_sentence,
    signature,
    stale_payload,
)
from app.pages.correct.state_advice import (
    aligned,
    ask_parser,
    doubts,
    fault_in,
    instead,
    lexicon_problem,
    problems,
    proposals_of,
    shared_lexicon,
)
from app.pages.correct.state_messages import take_messages
from app.store.records.rows import StoredSentence
from aptcore.errors import AptamrError, StoreError, UnavailableError

QUEUE, AROUND = page_file("queue"), "correct_around"
LOOK = """<style>
/* The editor shows by itself what is on its way: it does not fade while the server works. */
[data-stale="true"] { opacity: 1 !important; }
</style>"""
WATCH_SECONDS = 1.5
"""How often the page looks what others did and whether the parser has answered."""


def draw_page() -> None:
    """Draw the whole page; an editor that stands there stays, whatever the store can do."""
    apply_look()
    st.html(LOOK)
    if not is_shown() and not is_store_open():
        return
    if not is_person_known():
        return
    draw_unsaved()
    try:
        prepare()
    except UnavailableError as error:
        draw_waiting(error)
        if not is_shown():
            return
    for problem in (opened().problem, lexicon_problem(), use_named_roles()):
        if problem:
            st.warning(escape_markdown(problem))
    if not opened().sentence and shared_store().documents():
        st.info("No sentence is open. Choose one on the Queue page.")
        st.page_link(QUEUE, label="Queue", icon=":material/list:")
        return
    if not opened().sentence:
        draw_empty()
        return
    shared_engine().start()
    st.fragment(draw_sentence)()
    timed(watch, WATCH_SECONDS)()


def draw_sentence() -> None:
    """Draw the sentence; what the editor sends draws no more than this anew."""
    take_messages()
    head = st.container()  # so that the editor keeps its place without one
    try:
        stored = shown_sentence()
        ask_parser(stored)
        shown = signature()
        with head:
            draw_head(stored)
        payload = editor_payload(stored)
    except UnavailableError as error:
        if not is_shown():
            draw_waiting(error)
            return
        payload = stale_payload(str(error))
        shown = ()  # so that it is drawn anew as soon as it can be
    except AptamrError as error:
        st.error(escape_markdown(str(error)))
        return
    draw_editor(payload, key=EDITOR)
    note_drawn(shown, payload)


def watch() -> None:
    """Draw the page anew once others did something here, or the parser has answered."""
    if has_changed():
        st.rerun()


def draw_head(stored: StoredSentence) -> None:
    """Say which sentence this is, how far the document is and who is at work."""
    person = current_person()
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    document = next((one for one in shared_store().documents() if one.id == stored.document), None)
    if document is not None:
        done = document.num_sentences - opened().num_open
        row.caption(
            f"**{stored.number}** of {document.num_sentences:,} in "
            f"{escape_markdown(document.name)}, {done:,} done",
            width="content",
        )
    if filters():
        row.caption(f"next: only those {filters()}", width="content")
    label = "signed in as" if has_sign_in() else "annotator"
    row.caption(f"{label} **{escape_markdown(person)}**", width="content")
    row.page_link(QUEUE, label="Queue", icon=":material/list:")
    is_around = row.toggle("Before and after", key=AROUND)
    if not has_sign_in():
        row.button("Another name", on_click=forget_person, type="tertiary")
    if stored.apart:
        st.warning(
            f"Kept apart on import: {escape_markdown(stored.apart)}. Its text can be mended: press "
            "the key of Text."
        )
    if is_around:
        draw_around(stored)
    claim = stored.claim
    if claim is not None and claim.person != person:
        row.caption(
            f":material/group: {escape_markdown(claim.person)} is at work on this sentence",
            width="content",
        )


def editor_payload(stored: StoredSentence) -> Payload:
    """Give everything that the editor draws."""
    now, person = opened(), current_person()
    sketch = now.sketch
    if sketch is None:
        raise StoreError(f"sentence {stored.id} was not laid out")
    number, said = now.said if now.said is not None else (0, None)
    draft = stored.state.drafts.get(person, "")
    doubtful, doubt_text = doubts(stored)
    found = problems(stored)
    marks = marks_of(stored, doubtful, found, instead(stored, sketch), aligned(stored))
    drawing = payload_of(stored, sketch, marks, is_written=now.is_written)
    is_faulty = any(problem.severity == "error" for problem in found)
    text = draft or (drawing["penman"] if is_faulty else None) or ""
    return drawing | {
        "session": now.session,
        "store": shared_store().identity,
        "person": person,
        "ack": now.ack,
        "failure": now.failure.reason if now.failure else "",
        "sentence": sentence_of(stored, ""),
        "said": said and {"number": number, "kind": said.kind, "text": said.text},
        "focus": said and said.focus and {"number": number, "part": part_payload(said.focus)},
        "conflicts": list(now.conflicts),
        "meeting": meeting(),
        "draft": draft,
        "fault": fault_payload(text if now.checked is None else now.checked),
        "reading": reading_of(stored.state.graph, shared_lexicon()) if now.is_read else None,
        "problems": problem_items(stored, found),
        "problemsText": problems_text(found),
        "proposals": proposals_of(stored),
        "offers": now.offers,
        "doubtText": doubt_text,
    }


def fault_payload(text: str) -> Payload | None:
    """Give what keeps a text from being accepted: its line, why, and a mend where there is one."""
    fault = fault_in(text)
    if fault is None:
        return None
    mend = mend_text(text)
    return {
        "line": fault.line,
        "message": fault.message,
        "text": text,
        "mend": mend and {"does": mend.does, "text": mend.text},
    }


draw_page()
