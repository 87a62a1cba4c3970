"""What the store says of a match to those who may not know of a decision."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from random import Random

import pytest
from sqlalchemy import select, update
from tests.store.playing import ME, asked, check_whole, enrolled, play

from readyroom.store import Store
from readyroom.store.errors import NoTakebackRequest
from readyroom.store.tables import entries, matches

# -- two seats that plan two letters each in secret --------------------------------------------------------------------


@pytest.fixture
def other(url: str, store: Store) -> Iterator[Store]:
    """Another process."""
    with closing(Store(url)) as opened:
        yield opened


def planning(store: Store) -> str:
    """Create a public match in which both seats are to plan."""
    return store.lobby.create(enrolled(store), "tiny", None, {}, {"red": ME, "blue": ME}, listed=True).id


def revisions(store: Store, match_id: str) -> dict[str, int]:
    return store.listings.summary(match_id).viewer_revisions()


def test_hidden_decision_changes_nothing_public(store: Store, other: Store) -> None:
    first, second = planning(store), planning(store)
    before = store.listings.summary(first)

    def public(each: Store) -> tuple[object, ...]:
        """Return what everyone sees of the first match, and the order of the list."""
        summary = each.listings.summary(first)
        listed = [item.id for item in each.listings.public_matches() if item.id in (first, second)]
        return summary.revision, summary.changed, summary.waiting, summary.turn, summary.phase, listed

    shown = public(store)
    assert store.matches.answer(first, "red", "a", 0) == 1
    for each in (store, other):
        assert public(each) == shown
        assert revisions(each, first) == {"": 0, "red": 1, "blue": 0}
    other.matches.answer(first, "red", "a", 1)
    summary = store.listings.summary(first)
    assert (summary.revision, summary.waiting) == (1, ("blue",))
    assert summary.changed > before.changed
    assert (shown[-1], public(store)[-1]) == ([second, first], [first, second])


def test_viewers_are_stored_and_followed_by_other_processes(store: Store, other: Store, url: str) -> None:
    match_id = planning(store)
    for each, seat in ((store, "red"), (other, "blue"), (store, "blue"), (other, "red")):
        each.matches.answer(match_id, seat, "a", None)
    with store.database.reading() as connection:
        rows = connection.execute(select(entries.c.unseen).where(entries.c.match == match_id).order_by(entries.c.n))
        assert list(rows.scalars()) == ['["","blue"]', '["","red"]', "", ""]
    with closing(Store(url)) as third:
        for each in (store, other, third):
            check_whole(each, match_id)
            assert revisions(each, match_id) == {"": 2, "red": 3, "blue": 3}


def test_undo_in_secret_is_not_public(store: Store) -> None:
    match_id = planning(store)
    store.matches.answer(match_id, "red", "a", None)
    assert store.matches.undo(match_id, "red") == 2
    assert revisions(store, match_id) == {"": 0, "red": 2, "blue": 0}
    assert asked(store, match_id) == {"red": 0, "blue": 0}


def test_entries_of_version_1_count_for_everyone(store: Store, url: str) -> None:
    match_id = planning(store)
    store.matches.answer(match_id, "red", "a", None)
    with store.database.writing() as connection:
        connection.execute(update(entries).where(entries.c.match == match_id).values(unseen=""))
        connection.execute(update(matches).where(matches.c.id == match_id).values(revisions=""))
        store._shared.seals.write(connection, match_id)
    with closing(Store(url)) as again:
        assert revisions(again, match_id) == {"": 1, "red": 1, "blue": 1}
        again.matches.answer(match_id, "blue", "a", 0)
        assert revisions(again, match_id) == {"": 1, "red": 1, "blue": 2}
        check_whole(again, match_id)


def test_everything_is_public_at_the_end(store: Store) -> None:
    match_id = planning(store)
    play(store, match_id, Random(1))
    summary = store.listings.summary(match_id)
    assert summary.outcome is not None
    assert set(summary.viewer_revisions().values()) == {summary.true_revision}


# -- takebacks ---------------------------------------------------------------------------------------------------------


def test_takeback_request_outlives_hidden_decisions(store: Store) -> None:
    match_id = planning(store)
    for letter in "ab":
        store.matches.answer(match_id, "red", letter, None)
    store.matches.request_takeback(match_id, "red")
    store.matches.answer(match_id, "blue", "c", None)
    assert store.matches.takeback_request(match_id) is not None
    store.matches.answer_takeback(match_id, "blue", True)
    assert asked(store, match_id).keys() == {"red", "blue"}
    check_whole(store, match_id)


def test_undo_ends_only_the_takeback_request_of_its_seat(store: Store) -> None:
    match_id = planning(store)
    store.matches.answer(match_id, "blue", "c", None)
    for letter in "ab":
        store.matches.answer(match_id, "red", letter, None)
    store.matches.request_takeback(match_id, "red")
    store.matches.undo(match_id, "blue")
    assert store.matches.takeback_request(match_id) is not None, "Red would notice the undo"
    store.matches.undo(match_id, "red")
    assert store.matches.takeback_request(match_id) is None
    with pytest.raises(NoTakebackRequest):
        store.matches.answer_takeback(match_id, "blue", True)
