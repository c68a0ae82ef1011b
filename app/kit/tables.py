"""Tables on pages: pandas frames that can be sorted, filtered, chosen from and taken away.

The label of a row, which is not shown, is what a choice gives; a column named link holds
addresses; a value that is missing is shown as a dash and is empty in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from app.kit.look import NO_VALUE
from app.kit.text import counted
from aptcore.graph.corpus import Problem

LINK = st.column_config.LinkColumn(display_text="open", width="small")


def draw_table(
    frame: pd.DataFrame,
    key: str,
    file_name: str,
    *,
    on_choose: Callable[[int], None] | None = None,
    whole: Callable[[], pd.DataFrame] | None = None,
) -> None:
    """Draw a table.

    Args:
        frame: The table.
        key: Name of the table on the page.
        file_name: Name of the CSV file.
        on_choose: Called with the label of the row that is chosen; None where none can be.
        whole: Gives all rows, for the CSV file, where the table has the first of them only.
    """
    shown = draw_filter(frame, key, file_name, whole=whole)

    def choose() -> None:
        for row in chosen_rows(key, shown):
            on_choose and on_choose(row)

    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        placeholder=NO_VALUE,
        on_select=choose if on_choose else "ignore",
        selection_mode="single-row",
        column_config={"link": LINK},
    )


def draw_filter(
    frame: pd.DataFrame,
    key: str,
    file_name: str,
    noun: str = "row",
    whole: Callable[[], pd.DataFrame] | None = None,
) -> pd.DataFrame:
    """Draw the field that filters a table and the button that takes it away; give what is left."""
    above = st.container(horizontal=True, gap="small", vertical_alignment="center")
    wanted = above.text_input(
        "Rows that hold this text",
        key=f"{key}_filter",
        placeholder="Filter rows",
        label_visibility="collapsed",
        width=260,
    )
    shown = rows_with(frame, wanted)

    def csv() -> str:
        taken = shown if whole is None else rows_with(whole(), wanted)
        return str(taken.to_csv(index=False, lineterminator="\n"))

    above.download_button(
        "CSV",
        csv,
        file_name=file_name,
        mime="text/csv",
        on_click="ignore",
        key=f"{key}_csv",
        icon=":material/download:",
    )
    above.caption(f"{len(shown):,} of {counted(len(frame), noun)}", width="content")
    return shown


def rows_with(frame: pd.DataFrame, text: str) -> pd.DataFrame:
    """Give the rows that hold a text in any cell but a link, upper case or lower."""
    wanted = text.strip().casefold()
    if not wanted:
        return frame
    cells = frame.drop(columns="link", errors="ignore")
    found = cells.map(lambda cell: wanted in str(cell).casefold(), na_action="ignore")
    return frame[found.eq(True).any(axis=1)]


def chosen_rows(key: str, shown: pd.DataFrame) -> list[int]:
    """Give the labels of the rows that are ticked in what is shown of a table."""
    places = st.session_state[key]["selection"]["rows"]
    return [int(shown.index[place]) for place in places if place < len(shown)]


def problem_frame(problems: Sequence[Problem], reason: str = "problem") -> pd.DataFrame:
    """Give all problems of a file as a table, whose last column has the name given."""
    found = [(problem.line, problem.id, problem.message) for problem in problems]
    return pd.DataFrame(found, columns=["line", "id", reason])
