"""Who is at work: an account where people sign in, else a name that the browser keeps.

Without sign-in the name is a label. A link may carry one, but it makes nobody another
person: it counts only in a browser that has worked under it, and is asked about in a
browser that has no name yet.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote

import streamlit as st

from app.kit.text import escape_markdown
from app.store.log.names import clean_name, near_name
from app.store.log.operations import MAX_NAME
from app.store.people import People
from aptcore.errors import EditError, StoreError

PERSON = "annotation_person"
ASKED = "annotation_asked"
"""The session's name for the names that a person was asked about: almost another's."""
COOKIE = "aptamr-people"
"""The cookie in which a browser keeps the names under which it has worked, newest first."""
MAX_KEPT = 20
NO_PASSWORD = (
    "The name is a label, not security: whoever reaches this page can type any name. "
    "An administrator can set up sign-in (OpenID Connect) in Streamlit's secrets."
)
NO_ACCOUNT = "The sign-in tells neither `sub` nor `email`: nobody can be told from anybody else."
NO_NAME = "an account without a name"
_KEEP = """<script>
{{
  const start = "{cookie}=", own = "{own}";
  const kept = document.cookie.split("; ").find((one) => one.startsWith(start)) ?? start;
  const others = kept.slice(start.length).split("|").filter((name) => name && name !== own);
  const names = [own, ...others].slice(0, {most}).join("|");
  document.cookie = `${{start}}${{names}}; path=/; max-age=31536000; samesite=lax`;
}}
</script>"""


def has_sign_in() -> bool:
    """Tell whether sign-in is configured: a section ``auth`` in Streamlit's secrets."""
    return bool(st.secrets.load_if_toml_exists()) and "auth" in st.secrets


def account_of(claims: Mapping[str, Any]) -> str:
    """Give what tells an account from all others: a hash of its ``sub``, or else of its e-mail.

    The name counts for nothing: two people may share it. Empty where there is neither.
    """
    if claims.get("sub"):
        said = f"sub {claims.get('iss', '')} {claims['sub']}"
    elif claims.get("email"):
        said = f"email {str(claims['email']).casefold()}"
    else:
        return ""
    return hashlib.sha256(said.encode()).hexdigest()


def shown_name(claims: Mapping[str, Any]) -> str:
    """Give what an account is called: its name, or what else it tells; empty for nothing."""
    for key in ("name", "preferred_username", "nickname", "email"):
        if str(claims.get(key) or "").strip():
            return str(claims[key])
    return ""


def find_person(people: People) -> str:
    """Find out who is at work, and note it in the session; empty where nobody has said so.

    Raises:
        UnavailableError: The store cannot tell whose account this is.
    """
    known: str | None = st.session_state.get(PERSON)
    if has_sign_in():
        if not st.user.is_logged_in:
            return ""
        claims = st.user.to_dict()
        account = account_of(claims)
        if known is None and account:
            known = people.of_account(account, shown_name(claims))
    elif known is None:
        known = person_here(st.context.cookies.get(COOKIE, ""), st.query_params.get("person", ""))
    if known:
        st.session_state[PERSON] = known
    return known or ""


def person_here(cookie: str, asked: str) -> str:
    """Give who is at work in a browser: whom a link names, if they have worked here; else the last.

    Args:
        cookie: What the browser keeps.
        asked: Whom the address names.
    """
    names = [name for name in map(unquote, cookie.split("|")) if name]
    return asked if asked in names else next(iter(names), "")


def set_person(name: str) -> None:
    """Note who is at work, in the session and in the address."""
    st.session_state[PERSON] = name
    st.query_params["person"] = name


def forget_person() -> None:
    """Ask again who is at work."""
    st.session_state[PERSON] = ""
    if "person" in st.query_params:
        del st.query_params["person"]


def keep_person(person: str) -> None:
    """Let the browser keep who is at work, so that a reload need not ask."""
    if person and not has_sign_in():
        own = quote(person, safe="")
        script = _KEEP.format(cookie=COOKIE, own=own, most=MAX_KEPT)
        st.html(script, unsafe_allow_javascript=True)


def draw_person_form(people: People) -> None:
    """Ask who is at work."""
    if has_sign_in():
        if st.user.is_logged_in:
            st.error(NO_ACCOUNT)
            st.button("Sign out", on_click=st.logout)
            return
        st.info("Sign in to annotate.")
        st.button("Sign in", on_click=st.login, type="primary")
        return
    asked = st.query_params.get("person", "").strip()[:MAX_NAME]
    if asked:
        st.info(
            f"The link carries the name {escape_markdown(asked)}. Who is at work in this browser?"
        )
    with st.form("annotation_name", border=False):
        st.session_state.setdefault("annotation_typed", asked)
        typed = st.text_input("Your name", max_chars=MAX_NAME, key="annotation_typed")
        is_sent = st.form_submit_button("Begin", type="primary")
    st.caption(escape_markdown(NO_PASSWORD))
    if not is_sent:
        return
    if not typed.strip():
        st.warning("Type a name first.")
        return
    try:
        (person,) = named_people(people, [typed])
    except EditError as error:
        st.warning(escape_markdown(str(error)))
        return
    note_people(people, [person])
    set_person(person)
    st.rerun()


def draw_account(person: str) -> None:
    """Offer to sign in or out; nothing where no sign-in is configured."""
    if not has_sign_in():
        return
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    if st.user.is_logged_in:
        row.markdown(f"You are signed in as **{escape_markdown(person or NO_NAME)}**.")
        row.button("Sign out", on_click=st.logout)
    else:
        row.markdown("You are not signed in.")
        row.button("Sign in", on_click=st.login)


def known_people(people: People) -> tuple[str, ...]:
    """List who is known; none while the store cannot be read."""
    try:
        return people.known()
    except StoreError:
        return ()


def note_people(people: People, names: Sequence[str]) -> None:
    """Let people be known from now on; a store that cannot write learns of them by their work."""
    with contextlib.suppress(StoreError):
        people.add(names)


def named_people(people: People, typed: Sequence[str]) -> tuple[str, ...]:
    """Read names that were typed or chosen, each once.

    Raises:
        EditError: One is no name, or is new and almost that of somebody who is known; the
            same names asked for again are taken.
    """
    known = known_people(people)
    found = tuple(dict.fromkeys(clean_name(name, known) for name in typed))
    near = {name: near_name(name, known) for name in found}
    strange = {name: other for name, other in near.items() if other}
    if strange and st.session_state.get(ASKED) != found:
        st.session_state[ASKED] = found
        said = "; ".join(f"{name} is almost {other}" for name, other in strange.items())
        raise EditError(
            f"{said}, who is known here. Choose that name, or press again to keep yours"
        )
    return found
