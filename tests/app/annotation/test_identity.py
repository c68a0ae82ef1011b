"""Who is at work: accounts, names that browsers keep, and names that look alike."""

from __future__ import annotations

import unicodedata
from contextlib import closing

import pytest

from app.annotation.identity import account_of, person_here, shown_name
from app.store.log.names import clean_name, near_name
from app.store.log.operations import Request
from app.store.store import open_store
from aptcore.errors import EditError

ISSUER = "https://sign.in"


def test_two_accounts_of_one_name_are_two_people_for_good(store_url: str) -> None:
    first = {"iss": ISSUER, "sub": "1", "name": "Anna Berg"}
    second = {"iss": ISSUER, "sub": "2", "name": "Anna Berg"}
    with closing(open_store(store_url)) as store:
        people = [
            store.people.of_account(account_of(one), shown_name(one)) for one in (first, second)
        ]
        again = store.people.of_account(account_of(first | {"name": "Anna Alt"}), "Anna Alt")
    assert people == ["Anna Berg", "Anna Berg 2"]
    assert again == "Anna Berg"


def test_one_person_cannot_take_back_what_another_of_the_same_name_did(store_url: str) -> None:
    with closing(open_store(store_url)) as store:
        store.import_text("a.amr", "(s / sleep-01)\n")
        first, second = (store.people.of_account(key, "Anna Berg") for key in ("1", "2"))
        what = {"do": "edit", "edit": {"edit": "rename-node", "id": "s", "concept": "go-02"}}
        store.apply(1, first, "t", Request("a", 0, what))
        refused = store.apply(1, second, "t", Request("b", 1, {"do": "undo"}))
        assert "nothing of yours" in str(refused)


@pytest.mark.parametrize(
    ("claims", "shown"),
    [
        ({"sub": "1"}, ""),
        ({"sub": "1", "name": None, "email": None}, ""),
        ({"email": "ada@berg.org"}, "ada@berg.org"),
        ({"sub": "1", "preferred_username": "ada"}, "ada"),
    ],
)
def test_an_account_without_a_name_or_an_address_can_work(
    store_url: str, claims: dict[str, str], shown: str
) -> None:
    assert shown_name(claims) == shown
    assert account_of(claims)  # or it is nobody
    with closing(open_store(store_url)) as store:
        person = store.people.of_account(account_of(claims), shown_name(claims))
        assert person == (shown or "Account")
        store.import_text("a.amr", "(s / sleep-01)\n")
        store.apply(1, person, "t", Request("a", 0, {"do": "accept"}))
        assert store.sentence(1).state.status_by == person


def test_accounts_are_told_apart_by_what_stays_and_not_by_their_names() -> None:
    assert account_of({"sub": "1", "name": "Ada"}) == account_of({"sub": "1", "name": "Zoe"})
    assert account_of({"sub": "1", "iss": "a"}) != account_of({"sub": "1", "iss": "b"})
    assert account_of({"email": "Ada@x.org"}) == account_of({"email": "ada@x.org"})
    assert account_of({"name": "Ada"}) == ""


def test_an_account_may_be_called_what_no_person_can() -> None:
    with pytest.raises(EditError, match="comma"):
        clean_name("Berg, Anna")
    with pytest.raises(EditError, match="1 to 100"):
        clean_name(" ")


def test_composed_and_decomposed_names_are_one_person() -> None:
    decomposed = unicodedata.normalize("NFD", "José")
    assert clean_name(decomposed) == "José"
    assert clean_name("José", [decomposed]) == decomposed  # as the store has it since before


@pytest.mark.parametrize(
    ("name", "near"), [("kim", "Kim"), ("Kim", ""), ("Jose", "José"), ("K im", "Kim"), ("Ada", "")]
)
def test_names_of_almost_the_same_look_are_found(name: str, near: str) -> None:
    assert near_name(name, ["Kim", "José"]) == near


@pytest.mark.parametrize(
    ("cookie", "asked", "person"),
    [
        ("", "Ada", ""),
        ("Ada", "Ada", "Ada"),
        ("Bea|Ada", "Ada", "Ada"),
        ("Bea", "Ada", "Bea"),
        ("Jos%C3%A9%20L", "", "José L"),
    ],
)
def test_a_link_names_nobody_whom_the_browser_does_not_know(
    cookie: str, asked: str, person: str
) -> None:
    assert person_here(cookie, asked) == person


def test_who_has_worked_or_was_given_work_is_known(store_url: str) -> None:
    with closing(open_store(store_url)) as store:
        store.import_text("a.amr", "(s / sleep-01)\n")
        store.apply(1, "Zoe", "t", Request("a", 0, {"do": "accept"}))
        store.people.add(["Ben", "Ada", "Ben"])
        assert store.people.known() == ("Ada", "Ben", "Zoe")


def test_a_notice_stays_put_away_for_its_person_alone(store_url: str) -> None:
    with closing(open_store(store_url)) as store:
        for _ in range(2):
            store.people.put_away("Ada", "job")
    with closing(open_store(store_url)) as store:
        assert store.people.put_away_by("Ada") == {"job"}
        assert store.people.put_away_by("Ben") == frozenset()
