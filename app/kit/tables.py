"""Three pages draw tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from app.kit.look import NO_VALUE
from aptcore.graph.corpus import Problem

Columns = Mapping[str, Sequence[Any]]
"""A table, by name of the column."""


def draw_table(
    columns: Columns,
    key: str,
    file_name: str,
    *,
    on_choose: Callable[[int], None] | None = None,
) -> None:
    """Draw a table that can be sorted, filtered, searched and taken away.

    Args:
        columns: The table; a column named link holds addresses.
        key: Name of the table on the page.
        file_name: Name of the CSV file.
        on_choose: Called with the row that is chosen, from 0; None where rows cannot be.
    """
    num_rows = len(next(iter(columns.values())))
    above = st.container(horizontal=True, gap="small", vertical_alignment="center")
    wanted = above.text_input(
        "Rows that hold this text",
        key=f"{key}_filter",
        placeholder="Filter rows",
        label_visibility="collapsed",
        width=260,
    )
    rows = rows_with(columns, wanted)
    shown = {name: [cells[row] for row in rows] for name, cells in columns.items()}
    above.download_button(
        "CSV",
        lambda: format_csv(shown).encode("utf-8", "backslashreplace"),
        file_name=file_name,
        mime="text/csv",
        on_click="ignore",
        key=f"{key}_csv",
        icon=":material/download:",
    )
    above.caption(f"{len(rows):,} of {num_rows:,} rows", width="content")
    if on_choose is None:
        st.dataframe(shown, key=key, hide_index=True, placeholder=NO_VALUE)
        return
    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        placeholder=NO_VALUE,
        on_select=lambda: _choose(key, rows, on_choose),
        selection_mode="single-row",
        column_config={"link": st.column_config.LinkColumn(display_text="open", width="small")},
    )


def rows_with(columns: Columns, text: str) -> list[int]:
    """Give the rows, from 0, that hold a text in any cell but a link, upper case or lower."""
    wanted = text.strip().casefold()
    shown = [cells for name, cells in columns.items() if name != "link"]
    rows = range(len(shown[0]))
    return [row for row in rows if any(wanted in _text_of(cells[row]) for cells in shown)]


def _text_of(cell: Any) -> str:
    """Give what a filter looks for in a cell; nothing in one without a value."""
    return "" if cell is None else str(cell).casefold()


def _choose(key: str, rows: Sequence[int], on_choose: Callable[[int], None]) -> None:
    """Tell which row of the whole table was chosen."""
    chosen = st.session_state[key]["selection"]["rows"]
    if chosen and chosen[0] < len(rows):
        on_choose(rows[chosen[0]])


def format_csv(columns: Columns) -> str:
    """Write a table as CSV with a line of names."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return file.getvalue()


def draw_problem_table(problems: Sequence[Problem], key: str) -> None:
    """Draw all problems of a file."""
    draw_table(
        {
            "line": [problem.line for problem in problems],
            "id": [problem.id for problem in problems],
            "problem": [problem.message for problem in problems],
        },
        key,
        "problems.csv",
    )
