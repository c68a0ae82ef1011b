"""The sentences around the one on the page, and which of their nodes are the same."""

from __future__ import annotations

import uuid
from dataclasses import replace

import streamlit as st

from app.annotation.session import current_person, shared_store
from app.kit.text import escape_markdown
from app.pages.correct.around import mentions_around, sentences_around
from app.pages.correct.state import opened, put
from app.store.log.operations import Acknowledged, Conflict, Request
from app.store.records.rows import StoredSentence
from aptcore.editing.coreference import CorefLink, coref_links
from aptcore.editing.edits import AddCoref, DeleteCoref, Edit, edit_to_json
from aptcore.errors import AptamrError

SAID = "correct_around_said"


def draw_around(stored: StoredSentence) -> None:
    """Draw the sentences before and after, and the links to their nodes."""
    around = sentences_around(shared_store(), stored)
    for one in around:
        is_beside = abs(one.number - stored.number) == 1
        if is_beside:
            place = "Before" if one.number < stored.number else "After"
            st.caption(f"**{place}** ({one.number}): {escape_markdown(one.text)}")
    if len(around) == 0:
        st.caption("This document has no other sentence.")
        return
    for link in coref_links(stored.state.graph.metadata):
        row = st.container(horizontal=True, gap="small", vertical_alignment="center")
        row.caption(escape_markdown(link_text(stored, around, link)), width="content")
        edit = DeleteCoref(link.node, link.sentence, link.target)
        key = f"correct_coref_{link.node}_{link.sentence}_{link.target}"
        row.button("Take away", key=key, on_click=change, args=(stored, edit), type="tertiary")
    for one in around:
        for link in coref_links(one.state.graph.metadata):
            if link.sentence == stored.name:
                text = f"{link.target} is the same as {link.node} of sentence {one.number}"
                st.caption(escape_markdown(text))
    draw_link_form(stored, around)
    if said := st.session_state.get(SAID):
        st.warning(escape_markdown(said))


def draw_link_form(stored: StoredSentence, around: list[StoredSentence]) -> None:
    """Draw the two fields that link a node of this sentence to one of another."""
    own = {f"{node.id} / {node.concept}": node.id for node in stored.state.graph.nodes}
    others = mentions_around(stored, around)
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    key = f"correct_coref_{stored.id}"
    node = row.selectbox("This node", tuple(own), index=None, key=f"{key}_own", width=220)
    other = row.selectbox(
        "is the same as", tuple(others), index=None, key=f"{key}_other", width=260
    )
    if node in own and other in others:
        link = others[other]
        edit = AddCoref(own[node], link.sentence, link.target)
        row.button("Link", key=f"{key}_link", on_click=change, args=(stored, edit))


def link_text(stored: StoredSentence, around: list[StoredSentence], link: CorefLink) -> str:
    """Say which node is the same as which."""
    concepts = {
        (one.name, node.id): node.concept
        for one in (stored, *around)
        for node in one.state.graph.nodes
    }
    numbers = {one.name: f"sentence {one.number}" for one in around}
    own, other = (stored.name, link.node), (link.sentence, link.target)
    place = numbers.get(link.sentence, link.sentence)
    one, two = (" / ".join(filter(None, (end[1], concepts.get(end)))) for end in (own, other))
    return f"{one} is the same as {two} of {place}"


def change(stored: StoredSentence, edit: Edit) -> None:
    """Add a link or take it away, as an edit that can be undone like any other."""
    what = {"do": "edit", "edit": edit_to_json(edit)}
    request = Request(uuid.uuid4().hex, stored.revision, what)
    st.session_state[SAID] = ""
    put(replace(opened(), tab=opened().tab or opened().session))
    try:
        done = shared_store().apply(stored.id, current_person(), opened().tab, request)
    except AptamrError as error:
        st.session_state[SAID] = f"Not saved: {error}."
        return
    if isinstance(done, Conflict):
        st.session_state[SAID] = "The sentence has changed meanwhile: look, and link again."
    elif not isinstance(done, Acknowledged):
        st.session_state[SAID] = f"Not linked: {done.reason}."
