"""The whole corpus on the Oracle page: coverage, distributions, labels, what is not reached."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import wait

import streamlit as st

from app.engine.worker import error_text
from app.kit.tables import Columns, draw_problem_table, draw_table
from app.kit.text import escape_markdown, shorten
from app.pages.oracle.analyst import Analyst, Job
from app.pages.oracle.corpus import CorpusFigures, bins_of, kind_counts, label_counts, lost_pieces
from app.pages.oracle.state import addresses_of, opened, places_of, shown_corpus
from app.pages.oracle.state_changes import go_to

PATIENCE_SECONDS = 0.7

_BARS = "#2f8f9d"  # seen on a light page as on a dark one
_FIGURES = """<style>
.figures { display: flex; flex-wrap: wrap; gap: 10px 32px; }
.figures, .figures dd { margin: 0 !important; padding: 0 !important; }
.figures dt { font-size: 0.85rem; opacity: 0.75; font-weight: 400; }
.figures dd { font-size: 1.35rem; font-variant-numeric: tabular-nums; }
</style>"""


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
        st.error(escape_markdown(error_text(error)))
        return
    draw_figures(job.result.result())


def draw_figures(figures: CorpusFigures) -> None:
    """Draw everything that is known about a corpus."""
    if not figures.sentences:
        st.info("No sentence of this text can be used; the problems above say why.")
        return
    draw_coverage(figures)
    draw_distributions(figures)
    draw_unreachable(figures)
    draw_labels(figures)
    draw_sentences(figures)
    known = set(shown_corpus().problems)  # they stand above
    further = [problem for problem in figures.problems if problem not in known]
    if further:
        with st.expander(f"Sentences that are left out ({len(further)})"):
            draw_problem_table(further, "oracle_corpus_problems")


def draw_coverage(figures: CorpusFigures) -> None:
    """Draw the figures that sum the corpus up."""
    report = figures.total.to_json()
    name = escape_markdown(opened().source.name)
    st.caption(f"Variant **{figures.variant}** over {name}; {figures.num_wiki} :wiki left aside.")
    named = {
        "sentences": f"{report['sentences']:,}",
        "exact": f"{report['exact']:.2%}",
        "Smatch": f"{100 * report['smatch']['f1']:.2f}",
        "actions a token": f"{report['actions_per_token']:.3f}",
        "actions a sentence": f"{report['actions_per_sentence']:.1f}",
        "items by COPY": f"{report['copy_share']:.1%}",
        "labels": f"{report['labels']:,}",
        "seen once": f"{report['labels_once']:,}",
        "not reached": f"{len(report['unreachable']):,}",
    }
    pairs = "".join(f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in named.items())
    st.html(f'{_FIGURES}<dl class="figures">{pairs}</dl>')


def draw_distributions(figures: CorpusFigures) -> None:
    """Draw which actions there are, and how long sentences and walks are."""
    left, right = st.columns(2)
    with left:
        st.markdown("**Actions by kind**")
        counts = kind_counts(figures)
        st.bar_chart(
            {"kind": [kind for kind, _ in counts], "actions": [count for _, count in counts]},
            x="kind",
            y="actions",
            x_label="",
            y_label="",
            horizontal=True,
            sort=False,
            color=_BARS,
            height=50 + 22 * len(counts),
        )
    with right:
        draw_lengths("Actions in a sentence", [one.report.actions for one in figures.sentences])
        draw_lengths(
            "White-space tokens in a sentence", [one.report.tokens for one in figures.sentences]
        )


def draw_lengths(title: str, lengths: Sequence[int]) -> None:
    """Draw how many sentences are how long."""
    st.markdown(f"**{title}**")
    bins = bins_of(lengths)
    st.bar_chart(
        {"length": [one.name for one in bins], "sentences": [one.count for one in bins]},
        x="length",
        y="sentences",
        x_label="",
        y_label="",
        sort=False,
        color=_BARS,
        height=230,
    )


def draw_unreachable(figures: CorpusFigures) -> None:
    """Draw every piece that is not built; choosing one leads to its sentence."""
    lost = lost_pieces(figures)
    st.markdown(f"**Not reached: {len(lost):,}**")
    if not lost:
        st.caption("Every piece of every graph is built.")
        return
    st.caption("Choose a row to open its sentence.")
    draw_leading(
        {
            "sentence": [piece.id for piece in lost],
            "piece": [piece.piece for piece in lost],
            "reason": [piece.reason for piece in lost],
        },
        "oracle_lost",
        "unreachable.csv",
        indexes=[piece.index for piece in lost],
    )


def draw_labels(figures: CorpusFigures) -> None:
    """Draw all labels, or those that are seen once; choosing one leads to a sentence."""
    counts = label_counts(figures)
    once = [one for one in counts if one.count == 1]
    st.markdown(f"**Labels: {len(counts):,}, {len(once):,} of them seen once**")
    is_once = st.toggle("Seen once only", value=True, key="oracle_once")
    shown = once if is_once else list(counts)
    st.caption("Choose a row to open the first sentence that has the label.")
    draw_leading(
        {
            "label": [one.label for one in shown],
            "kind": [one.kind for one in shown],
            "count": [one.count for one in shown],
            "first sentence": [one.id for one in shown],
        },
        "oracle_labels",
        "labels-once.csv" if is_once else "labels.csv",
        indexes=[one.index for one in shown],
    )


def draw_sentences(figures: CorpusFigures) -> None:
    """Draw all sentences with their figures; choosing one opens it."""
    sentences = figures.sentences
    st.markdown(f"**Sentences: {len(sentences):,}**")
    st.caption("Choose a row to open it.")
    draw_leading(
        {
            "sentence": [one.id for one in sentences],
            "text": [shorten(one.text, 160) for one in sentences],
            "tokens": [one.report.tokens for one in sentences],
            "actions": [one.report.actions for one in sentences],
            "exact": [one.is_exact for one in sentences],
            "not reached": [len(one.report.unreachable) for one in sentences],
        },
        "oracle_sentences",
        "sentences.csv",
        indexes=[one.index for one in sentences],
    )


def draw_leading(columns: Columns, key: str, file_name: str, indexes: Sequence[int]) -> None:
    """Draw a table whose rows lead to sentences: chosen on this page, or by address.

    Args:
        columns: The table.
        key: Name of the table on the page.
        file_name: Name of the CSV file.
        indexes: For each row, the place of a record in the corpus.
    """
    place_of = {index: place for place, index in enumerate(places_of(shown_corpus()))}
    places = [place_of[index] for index in indexes]
    addresses = addresses_of(places)
    if addresses:
        columns = {**columns, "link": addresses}
    draw_table(columns, key, file_name, on_choose=lambda row: go_to(places[row]))
