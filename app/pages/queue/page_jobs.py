"""The work in the background: how far it is, what stops it, what became of it."""

from __future__ import annotations

import streamlit as st

from app.annotation.documents import shared_scribe
from app.annotation.job import Job
from app.annotation.session import current_person, shared_store
from app.annotation.waiting import attempt
from app.engine.shared import shared_engine
from app.kit.address import timed
from app.kit.text import counted, escape_markdown
from app.pages.queue.state import refuse, tell

POLL_SECONDS = 2.0
SHOWN_REASONS = 5
DOING = {
    "parse": "Parsing",
    "doubt": "Working out the doubt of",
    "rewrite": "At work:",
    "undo": "Taking back:",
    "assign": "Assigning to",
}
DONE = {"rewrite": "rewritten", "undo": "as before", "assign": "assigned"}


def draw_jobs() -> None:
    """Draw the work in the background; the rest of the page is drawn anew when it ends."""
    found = shared_scribe().jobs
    person = current_person()
    put_away_before = shared_store().people.put_away_by(person)
    for job in found:
        if job.is_over and job.person in ("", person) and job.id not in put_away_before:
            draw_ended(job)
    num_running = sum(not job.is_over for job in found)
    if num_running:
        timed(watch_jobs, POLL_SECONDS)(num_running)


def watch_jobs(num_running: int) -> None:
    """Draw how far each job is."""
    running = [job for job in shared_scribe().jobs if not job.is_over]
    if len(running) < num_running:
        st.rerun()
    is_parsing = any(not job.is_bulk for job in running)
    if is_parsing and shared_engine().status.kind == "loading":
        st.caption(":material/hourglass_top: The model is being loaded.")
    for job in running:
        draw_running(job)


def draw_running(job: Job) -> None:
    """Draw how far a job is, and what ends it."""
    doing = DOING[job.kind]
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    row.progress(
        job.done / job.size if job.size else 0.0,
        f"{doing} {escape_markdown(called(job))}: {job.done:,} of {job.size:,}",
    )
    if job.kind != "parse":
        row.button("Stop", key=f"queue_stop_{job.id}", on_click=stop_job, args=(job,))
    elif st.session_state.get("queue_stopping") != job.id:
        row.button("Stop", key=f"queue_stop_{job.id}", on_click=ask_to_stop, args=(job.id,))
    else:
        st.warning(
            f"{escape_markdown(job.name)} is not in the store yet: its "
            f"{counted(job.size, 'sentence')} would be forgotten."
        )
        answers = st.container(horizontal=True, gap="small")
        answers.button("Forget them", key=f"queue_forget_{job.id}", on_click=stop_job, args=(job,))
        answers.button(
            "Go on parsing", key=f"queue_go_on_{job.id}", on_click=ask_to_stop, args=("",)
        )
    if job.error:
        st.warning(f"It waits and is tried again by itself: {escape_markdown(job.error)}")


def ask_to_stop(job: str) -> None:
    """Ask whether a job's text is to be forgotten; empty takes the question back."""
    st.session_state.queue_stopping = job


def stop_job(job: Job) -> None:
    """End a job after the sentence or the lot at hand."""
    st.session_state.queue_stopping = ""
    attempt(f"the end of the work on {called(job)}", lambda: shared_scribe().stop(job), refuse)


def draw_ended(job: Job) -> None:
    """Say what became of a job, until that is put away."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    name = escape_markdown(called(job))
    if job.is_bulk:
        text = f"{name}: {escape_markdown(describe_bulk(job))}"
        (row.warning if job.error or job.failed else row.success)(text)
    elif job.error:
        row.error(f"{name}: {escape_markdown(job.error)}")
    elif job.failed:
        first = escape_markdown(f"{job.failed[0][0]}: {job.failed[0][1]}")
        num_parsed, num_failed = job.done - len(job.failed), len(job.failed)
        row.warning(f"{name}: {num_parsed:,} parsed, {num_failed:,} not parsed. The first: {first}")
    else:
        row.success(f"{name}: {counted(job.done, 'sentence')} done.")
    row.button("Put away", key=f"queue_seen_{job.id}", on_click=put_away, args=(job,))


def put_away(job: Job) -> None:
    """Show a job's outcome no longer to this person, on no server."""
    person = current_person()

    def act() -> None:
        shared_store().people.put_away(person, job.id)

    attempt(f"that the outcome of {called(job)} is put away", act, refuse)


def called(job: Job) -> str:
    """Say what a job is about."""
    return job.note if job.is_bulk else job.name


def describe_bulk(job: Job) -> str:
    """Say what became of one act on many sentences."""
    num_done, what = job.done - len(job.failed), DONE[job.kind]
    if job.kind == "assign":
        text = f"{num_done:,} assigned to {job.note}."
    else:
        text = f"{counted(num_done, 'sentence')} {what}."
    if job.error:
        text += f" It was stopped after {job.done:,} of {job.size:,}."
        if job.kind == "rewrite":
            text += " Under “Search and rewrite” these can be taken back."
    if job.failed:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in job.failed[:SHOWN_REASONS])
        text += f" {len(job.failed):,} refused: {reasons}"
    return text


def tell_bulk(job: Job) -> None:
    """Say what became of bulk work that was done at once, or that it goes on."""
    if job.is_over:
        tell(describe_bulk(job), is_error=bool(job.failed))
        return
    begun = (
        f"{counted(job.size, 'sentence')} to do: {job.note}. It is kept, and goes on in the "
        "background: you may close this page, and a restarted server goes on with it."
    )
    tell("", job=job.id, begun=begun)
