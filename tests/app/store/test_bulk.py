"""One edit of many sentences, and one undo for all of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.store import bulk
from app.store.bulk import BulkReport, Planned, apply_bulk, undo_bulk
from app.store.log.operations import Acknowledged, Request
from app.store.store import Store, open_store
from aptcore.editing.edits import RenameNode, Several, edit_to_json
from aptcore.errors import UnavailableError

TEXT = """# ::id a
# ::snt Ants march.
(m / march-01 :ARG0 (a / ant))

# ::id b
# ::snt Ants eat.
(e / eat-01 :ARG0 (a / ant))

# ::id c
# ::snt Ants.
(a / ant)
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    opened = open_store(str(tmp_path / "store.db"))
    opened.import_text("ants.amr", TEXT)
    return opened


def rename_all(store: Store, to: str = "bee") -> list[Planned]:
    edit = Several((RenameNode("a", to),))
    return [Planned(row.id, row.revision, edit) for row in store.sentences()]


def test_a_bulk_edit_is_one_batch_and_one_undo(store: Store) -> None:
    start = store.export(1)
    report = apply_bulk(store, "Ada", "t", rename_all(store), "ant -> bee", "one")
    assert len(report.done) == 3
    assert not report.refused
    (batch,) = store.batches()
    assert (batch.id, batch.person, batch.note) == (report.batch, "Ada", "ant -> bee")
    assert batch.standing == batch.sentences == report.done
    undone = undo_bulk(store, "Ada", "t", batch, "back")
    assert undone.done == report.done
    assert store.export(1) == start
    assert store.batches()[0].standing == ()


def test_refused_sentences_are_named_and_the_others_go_on(store: Store) -> None:
    planned = rename_all(store)
    (first, second, third) = (plan.sentence for plan in planned)
    other = {"do": "edit", "edit": edit_to_json(RenameNode("a", "wasp"))}
    assert isinstance(store.apply(first, "Ben", "t2", Request("1", 0, other)), Acknowledged)
    planned[1] = Planned(second, 0, Several((RenameNode("x", "bee"),)))
    report = apply_bulk(store, "Ada", "t", planned, "", "one")
    assert report.done == (third,)
    assert report.refused == (
        (first, "Ben changed the sentence since the preview"),
        (second, "there is no node x"),
    )


def test_an_undo_that_others_built_on_is_refused_there_only(store: Store) -> None:
    report = apply_bulk(store, "Ada", "t", rename_all(store), "", "one")
    later = {"do": "accept"}
    assert isinstance(
        store.apply(report.done[0], "Ben", "t2", Request("1", 1, later)), Acknowledged
    )
    undone = undo_bulk(store, "Ada", "t", store.batches()[0], "back")
    assert undone.done == report.done[1:]
    assert undone.refused[0][0] == report.done[0]
    assert "Ben accepted the graph" in undone.refused[0][1]
    assert store.batches()[0].standing == report.done[:1]
    stranger = undo_bulk(store, "Ben", "t2", store.batches()[0], "back")
    assert "of yours" in stranger.refused[0][1]


def test_what_is_asked_for_again_goes_on_and_does_nothing_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = rename_all(store)

    def failing(*_: object) -> None:
        raise UnavailableError("the store could not write")

    def ask_twice(act: Callable[[], BulkReport]) -> BulkReport:
        with monkeypatch.context() as context:
            apply, left = Store.apply_all, [1, 2]
            context.setattr(bulk, "TOGETHER", 1)
            context.setattr(
                Store, "apply_all", lambda *rest: apply(*rest) if left and left.pop() else failing()
            )
            with pytest.raises(UnavailableError):
                act()
        return act()

    done = ask_twice(lambda: apply_bulk(store, "Ada", "t", planned, "", "one"))
    assert (len(done.done), done.refused) == (3, ())
    (batch,) = store.batches()
    undone = ask_twice(lambda: undo_bulk(store, "Ada", "t", batch, "back"))
    assert (len(undone.done), undone.refused) == (3, ())
    assert all(len(store.log(plan.sentence)) == 2 for plan in planned)
