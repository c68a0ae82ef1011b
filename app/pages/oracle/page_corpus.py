"""The whole corpus on the Oracle page: coverage, distributions, labels, what is not reached."""

from __future__ import annotations

from concurrent.futures import wait

import pandas as pd
import streamlit as st

from app.engine.worker import error_text
from app.kit.look import draw_figures
from app.kit.tables import draw_table, problem_frame
from app.kit.text import as_sentence, escape_markdown
from app.pages.oracle.analyst import Analyst, Job
from app.pages.oracle.corpus import (
    CorpusFigures,
    kind_frame,
    label_frame,
    length_frame,
    lost_frame,
    sentence_frame,
)
from app.pages.oracle.state import addresses_of, opened, places_of, shown_corpus
from app.pages.oracle.state_changes import go_to

PATIENCE_SECONDS = 0.7

_BARS = "#2f8f9d"  # seen on a light page as on a dark one


@st.cache_resource(show_spinner=False)
def shared_analyst() -> Analyst:
    """Give the one worker of this process for whole corpora."""
    return Analyst()


def job_now() -> Job:
    """Give the job for what is on the page, asking for it if it is new."""
    now = opened()
    return shared_analyst().submit(now.source.hash, shown_corpus(), now.variant)


def poll_seconds() -> float | None:
    """Give how often to look at the figures; None where they are there."""
    return None if job_now().result.done() else 1.0


def draw_corpus(is_polling: bool) -> None:
    """Draw the figures, or how far they are."""
    if opened().view != "corpus":  # a row was chosen
        st.rerun()
    job = job_now()
    if not job.result.done() and not wait([job.result], PATIENCE_SECONDS).done:
        share = job.done / job.size if job.size else 0.0
        st.progress(share, f"{job.doing}: {job.done:,} of {job.size:,} graphs")
        st.caption("A thousand sentences take a few seconds; each can be seen alone meanwhile.")
        return
    if is_polling:
        st.rerun()
    error = job.result.exception()
    if error is not None:
        st.error(escape_markdown(as_sentence(error_text(error))))
        return
    draw_statistics(job.result.result())


def draw_statistics(figures: CorpusFigures) -> None:
    """Draw everything that is known about a corpus."""
    if not figures.sentences:
        st.info("No sentence of this text can be used; the problems above say why.")
        return
    draw_coverage(figures)
    sentences, labels = sentence_frame(figures), label_frame(figures)
    draw_distributions(sentences, labels)
    draw_unreachable(lost_frame(figures))
    draw_labels(labels)
    draw_sentences(sentences)
    known = set(shown_corpus().problems)  # they stand above
    further = [problem for problem in figures.problems if problem not in known]
    if further:
        with st.expander(f"Sentences that are left out ({len(further)})"):
            draw_table(problem_frame(further), "oracle_corpus_problems", "problems.csv")


def draw_coverage(figures: CorpusFigures) -> None:
    """Draw the figures that sum the corpus up."""
    report = figures.total.to_json()
    name = escape_markdown(opened().source.name)
    st.caption(f"Variant **{figures.variant}** over {name}; {figures.num_wiki} :wiki left aside.")
    named = {
        "sentences": f"{report['sentences']:,}",
        "exact": f"{report['exact']:.2%}",
        "Smatch": f"{100 * report['smatch']['f1']:.2f}",
        "actions a white-space token": f"{report['actions_per_token']:.3f}",
        "actions a sentence": f"{report['actions_per_sentence']:.1f}",
        "nodes by COPY": f"{report['copy_share']:.1%}",
        "labels": f"{report['labels']:,}",
        "seen once": f"{report['labels_once']:,}",
        "not reached": f"{len(report['unreachable']):,}",
    }
    draw_figures(named.items())


def draw_distributions(sentences: pd.DataFrame, labels: pd.DataFrame) -> None:
    """Draw which actions there are, and how long sentences and walks are."""
    left, right = st.columns(2)
    with left:
        kinds = kind_frame(labels)
        draw_bars("Actions by kind", kinds, "kind", 50 + 22 * len(kinds), horizontal=True)
    with right:
        draw_bars("Actions in a sentence", length_frame(sentences["actions"]), "length", 230)
        draw_bars("Tokens in a sentence", length_frame(sentences["tokens"]), "length", 230)


def draw_bars(
    title: str, frame: pd.DataFrame, name: str, height: int, *, horizontal: bool = False
) -> None:
    """Draw counts as bars in the order of the table."""
    st.markdown(f"**{title}**")
    st.bar_chart(
        frame,
        x=name,
        y="actions" if horizontal else "sentences",
        x_label="",
        y_label="",
        horizontal=horizontal,
        sort=False,
        color=_BARS,
        height=height,
    )


def draw_unreachable(lost: pd.DataFrame) -> None:
    """Draw every piece that is not built; choosing one leads to its sentence."""
    st.markdown(f"**Not reached: {len(lost):,}**")
    if lost.empty:
        st.caption("Every piece of every graph is built.")
        return
    st.caption("Choose a row to open its sentence.")
    draw_leading(lost, "oracle_lost", "unreachable.csv")


def draw_labels(labels: pd.DataFrame) -> None:
    """Draw all labels, or those that are seen once; choosing one leads to a sentence."""
    once = labels[labels["count"] == 1]
    st.markdown(f"**Labels: {len(labels):,}, {len(once):,} of them seen once**")
    is_once = st.toggle("Seen once only", value=True, key="oracle_once")
    st.caption("Choose a row to open the first sentence that has the label.")
    name = "labels-once.csv" if is_once else "labels.csv"
    draw_leading(once if is_once else labels, "oracle_labels", name)


def draw_sentences(sentences: pd.DataFrame) -> None:
    """Draw all sentences with their figures; choosing one opens it."""
    st.markdown(f"**Sentences: {len(sentences):,}**")
    st.caption("Choose a row to open it.")
    draw_leading(sentences, "oracle_sentences", "sentences.csv")


def draw_leading(frame: pd.DataFrame, key: str, file_name: str) -> None:
    """Draw a table whose rows lead to sentences: chosen on this page, or by address.

    Args:
        frame: The table, by the place of a record in the corpus.
        key: Name of the table on the page.
        file_name: Name of the CSV file.
    """
    place_of = {index: place for place, index in enumerate(places_of(shown_corpus()))}
    addresses = addresses_of([place_of[index] for index in frame.index])
    if addresses:
        frame = frame.assign(link=addresses)
    draw_table(frame, key, file_name, on_choose=lambda index: go_to(place_of[index]))
