"""The address of a page that a browser tells late."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from app.kit.address import put_address, timed

    seen = st.session_state.seen = []
    draw = timed(lambda: seen.append(st.query_params.to_dict()), 0.5)
    draw()
    put_address({"sentence": "2"})
    for late in ({}, {"sentence": "1"}):
        st.query_params.from_dict(late)
        draw()
    put_address({})
    st.query_params.from_dict({"sentence": "2"})
    draw()


def test_what_a_timer_draws_is_at_the_address_that_the_page_has_by_then() -> None:
    app = AppTest.from_function(page)
    app.query_params["sentence"] = "1"
    app.run()
    assert not app.exception
    second = {"sentence": "2"}
    assert app.session_state.seen == [{"sentence": "1"}, second, second, {}]
    assert app.query_params == {}


def test_a_page_drawn_for_another_address_is_not_led_back() -> None:
    app = AppTest.from_function(page).run()
    app.query_params["sentence"] = "7"
    app.run()
    assert app.session_state.seen[0] == {"sentence": "7"}
