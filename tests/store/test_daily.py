"""Tests of attempts at the challenge of the day: the first counts, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from threading import Barrier, Thread

import pytest
from msgspec import UNSET
from sqlalchemy import delete, func, select, update
from tests.daily_clock import DAY, Move, day_of, move
from tests.store.playing import check_whole, enrolled, run_bots

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import verify
from readyroom.store import Player, Store
from readyroom.store.admin.deletion import delete_match_rows
from readyroom.store.errors import AttemptUnfinished, DailyLocked
from readyroom.store.tables import attempts, matches
from readyroom.study.daily import keys
from readyroom.study.daily.challenge import challenge_of
from readyroom.study.daily.keys import DayKeys, DaySealed, midnight
from readyroom.study.daily.results import prove_daily, score_of

__all__ = ["move"]


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store without attempts: tests share the database on PostgreSQL."""
    with closing(Store(url)) as opened:
        with opened.database.writing() as connection:
            connection.execute(delete(attempts))
        yield opened


@pytest.fixture
def player(store: Store) -> Player:
    return enrolled(store, "Ann")


def play(store: Store, id: str, seed: int = 1, answers: int = 10_000) -> None:
    """Answer the player's questions at random, and let the bots answer theirs."""
    random = Random(seed)
    for _ in range(answers):
        while run_bots(store, id):
            pass
        with store.matches.open(id) as match:
            if match.outcome is not None:
                break
            own = store.listings.summary(id)
            seat = next(seat.key for seat in own.seats if not seat.bot and seat.key in match.pending)
            chosen = list(match.pending[seat].sample(random))
        store.matches.answer(id, seat, chosen, None)
    ended = (matches.c.id == id, matches.c.outcome.is_not(None))
    with store.database.writing() as connection:  # the match itself has the time of the system
        connection.execute(update(matches).where(*ended).values(changed=keys.clock().timestamp()))


def counted(store: Store) -> int:
    with store.database.reading() as connection:
        return connection.execute(select(func.count()).where(attempts.c.counted)).scalar_one()


# -- the first counts ------------------------------------------------------------------------------------------------


def test_first_attempt_counts_and_later_ones_are_practice(store: Store, player: Player) -> None:
    first = store.daily.begin(player, DAY).id
    assert store.listings.summary(first).is_counted
    play(store, first)
    second = store.daily.begin(player, DAY).id
    assert store.listings.summary(second).origin == "practice"
    play(store, second, seed=2)
    result, challenge = store.daily.attempt(player.id, DAY), challenge_of(DAY)
    assert result is not None
    assert (result.match, result.is_late) == (first, False)
    assert [row.match for row in store.daily.results(challenge)] == [first]
    assert check_whole(store, first).outcome == result.outcome


def test_second_attempt_waits_for_first(store: Store, player: Player) -> None:
    first = store.daily.begin(player, DAY).id
    play(store, first, answers=2)
    with pytest.raises(AttemptUnfinished) as unfinished:
        store.daily.begin(player, DAY)
    assert unfinished.value.id == first
    assert counted(store) == 1


def test_two_tabs_at_once_begin_one_attempt(store: Store, player: Player) -> None:
    start, begun = Barrier(4), list[str]()

    def begin() -> None:
        start.wait()
        with suppress(ReadyRoomError):
            begun.append(store.daily.begin(player, DAY).id)

    threads = [Thread(target=begin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(begun) == counted(store) == 1


def test_restart_keeps_attempt_and_its_dice(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/kept.sqlite"
    with closing(Store(url)) as store:
        player = enrolled(store)
        first = store.daily.begin(player, DAY).id
        play(store, first, answers=3)
        before = store.records.text(first)
    with closing(Store(url)) as store:  # nothing was saved at the end, as after a kill
        assert store.records.text(first) == before
        with pytest.raises(AttemptUnfinished):
            store.daily.begin(player, DAY)
        play(store, first, seed=3)
        assert store.daily.begin(player, DAY).id != first
        assert counted(store) == 1


def test_deleted_match_allows_no_second_attempt(store: Store, player: Player) -> None:
    first = store.daily.begin(player, DAY).id
    with store.database.writing() as connection:
        delete_match_rows(connection, first)
    again = store.daily.begin(player, DAY).id
    assert not store.listings.summary(again).is_counted
    assert counted(store) == 1


def test_each_player_and_each_day_has_its_own_attempt(store: Store, player: Player, move: Move) -> None:
    other, tomorrow = enrolled(store, "Bob"), DAY + timedelta(days=1)
    assert {store.listings.summary(store.daily.begin(one, DAY).id).origin for one in (player, other)} == {"daily"}
    move(midnight(tomorrow))
    assert store.listings.summary(store.daily.begin(player, tomorrow).id).is_counted
    assert store.daily.counts([DAY, tomorrow]) == {DAY.isoformat(): 2, tomorrow.isoformat(): 1}
    assert store.daily.counted_days(player.id) == {DAY.isoformat(), tomorrow.isoformat()}


# -- no help and no change of mind -----------------------------------------------------------------------------------


def test_counted_attempt_has_no_takeback_link_or_bot(store: Store, player: Player) -> None:
    attempt, seat = store.daily.begin(player, DAY).id, "captain"
    for act in (
        lambda: store.matches.undo(attempt, seat),
        lambda: store.matches.request_takeback(attempt, seat),
        lambda: store.matches.plan(attempt, seat, b"", "plan.toml", again=True),
        lambda: store.seats.new_link(attempt, seat, player.id),
        lambda: store.seats.assign_bot(attempt, seat, "random", player.id),
        lambda: store.seats.leave_seat(attempt, seat, player.id),
    ):
        for answers in (0, 1):
            play(store, attempt, answers=answers)
            with pytest.raises(DailyLocked, match="counts"):
                act()


def test_practice_allows_takeback(store: Store, player: Player) -> None:
    play(store, store.daily.begin(player, DAY).id)
    attempt = store.daily.begin(player, DAY).id
    for seed in range(30):
        play(store, attempt, seed, answers=1)
        with store.matches.open(attempt) as match:
            if match.outcome is None and match.can_undo("captain"):
                break
    before = store.listings.summary(attempt).true_revision
    assert store.matches.undo(attempt, "captain") == before + 1


# -- the day ---------------------------------------------------------------------------------------------------------


def test_coming_day_cannot_begin(store: Store, player: Player, move: Move, monkeypatch: pytest.MonkeyPatch) -> None:
    tomorrow = DAY + timedelta(days=1)
    move(midnight(tomorrow) - timedelta(seconds=1))
    monkeypatch.setattr(keys, "_walk", lambda *given: pytest.fail("a secret was computed"))
    for act in (lambda: store.daily.begin(player, tomorrow), lambda: store.daily.dice_hash(tomorrow)):
        with pytest.raises(DaySealed):
            act()
    assert counted(store) == 0


def test_attempt_that_ends_after_its_day_has_no_result(store: Store, player: Player, move: Move) -> None:
    attempt = store.daily.begin(player, DAY).id
    play(store, attempt, answers=1)
    move(midnight(DAY) + timedelta(days=1))
    result = store.daily.attempt(player.id, DAY)
    assert result is not None
    assert result.is_late
    play(store, attempt)
    assert store.daily.results(challenge_of(DAY)) == []
    late = store.daily.attempt(player.id, DAY)
    assert late is not None
    assert (late.outcome, late.is_late) == (None, True)


def test_attempt_at_past_day_never_counts(store: Store, player: Player) -> None:
    attempt = store.daily.begin(player, DAY - timedelta(days=1)).id
    assert store.listings.summary(attempt).origin == "past"
    assert counted(store) == 0


def test_match_is_sealed_until_day_is_over(store: Store, player: Player, move: Move) -> None:
    attempt = store.daily.begin(player, DAY).id
    with store.database.reading() as connection:
        created = connection.execute(select(matches.c.created).where(matches.c.id == attempt)).scalar_one()
    assert created == keys.clock().timestamp()
    assert store.listings.summary(attempt).is_sealed()
    move(midnight(DAY) + timedelta(hours=23, minutes=59))
    assert store.listings.summary(attempt).is_sealed()
    move(midnight(DAY) + timedelta(days=1))
    assert not store.listings.summary(attempt).is_sealed()
    past = store.daily.begin(player, DAY).id
    assert not store.listings.summary(past).is_sealed()


# -- the same for everyone -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["doolittle", "midway", "pearl"])
def test_two_servers_have_same_dice_for_same_decisions(tmp_path: Path, move: Move, game: str) -> None:
    day, stories = day_of(game), list[tuple[list[str], str]]()
    move(midnight(day) + timedelta(hours=1))
    for name in ("one", "two"):
        with closing(Store(f"sqlite:///{tmp_path}/{name}.sqlite", secret=f"the secret of {name}")) as store:
            attempt = store.daily.begin(enrolled(store), day).id
            play(store, attempt, answers=2 if name == "two" else 10_000)
        if name == "two":  # a restart in between
            with closing(Store(f"sqlite:///{tmp_path}/two.sqlite", secret="the secret of two")) as store:
                _continue(store, attempt, stories[0][1])
        at = f"sqlite:///{tmp_path}/{name}.sqlite"
        with closing(Store(at, secret=f"the secret of {name}")) as store, store.matches.open(attempt) as match:
            stories.append(([line.text for line in match.full_log], match.record()))
    assert stories[0][0] == stories[1][0]
    first, second = (records.parse(record) for _, record in stories)
    assert first.header.fingerprint == second.header.fingerprint
    assert first.ending == second.ending


def _continue(store: Store, id: str, record: str) -> None:
    """Answer the player's questions as in a record."""
    people = {seat.key for seat in store.listings.summary(id).seats if not seat.bot}
    entries = [entry for _, entry in records.parse(record).entries]
    answers = [entry for entry in entries if isinstance(entry, records.Entry) and entry.seat in people]
    while True:
        while run_bots(store, id, 0.01):
            pass
        with store.matches.open(id) as match:
            if match.outcome is not None:
                return
            done = sum(entry.seat in people for entry in match.decisions_since(0))
        store.matches.answer(id, answers[done].seat, list(answers[done].chose), None)


def test_server_with_own_secret_has_other_dice(store: Store, player: Player) -> None:
    shared = store.daily.dice_hash(DAY)
    store.daily.keys = DayKeys("a secret of this server that is long")
    assert store.daily.dice_hash(DAY) != shared
    attempt = store.daily.begin(player, DAY).id
    assert store.listings.summary(attempt).fingerprint == store.daily.dice_hash(DAY)


# -- results ---------------------------------------------------------------------------------------------------------


def test_results_are_sorted_and_named_as_agreed(store: Store) -> None:
    people = [enrolled(store, name) for name in ("Ann", "Bob", "Cy")]
    store.ladder.join(people[1].id)
    for seed, one in enumerate(people):
        play(store, store.daily.begin(one, DAY).id, seed)
    rows = store.daily.results(challenge_of(DAY), people[0].id)
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
    names = {row.player: row.name for row in rows}
    assert names == {people[0].id: "Ann", people[1].id: "Bob", people[2].id: "a player"}


def test_result_is_proved_by_its_record(store: Store, player: Player) -> None:
    attempt = store.daily.begin(player, DAY).id
    play(store, attempt)
    record = store.records.text(attempt)
    match = verify(record)
    proof = prove_daily(records.parse(record), match)
    (row,) = store.daily.results(challenge_of(DAY))
    assert proof is not None
    assert (proof.is_counted, proof.challenge.day) == (True, DAY)
    assert match.outcome is not None
    assert score_of(proof.challenge, match.outcome) == row.score


def test_player_takes_their_attempts_with_them(store: Store, player: Player) -> None:
    store.daily.begin(player, DAY)
    store.admin.delete_player(player.id)
    assert counted(store) == 0


def test_baseline_is_kept_where_file_has_none(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from readyroom.store import daily as module
    from readyroom.study.daily.results import Baseline

    challenge = challenge_of(DAY)
    assert store.daily.baseline(challenge) is not None
    monkeypatch.setattr(module, "shipped_baseline", lambda challenge: None)
    assert store.daily.baseline(challenge) is None
    made = Baseline(challenge.game.version, challenge.game.data_fingerprint, [(0.5, 1, 1000)])
    for _ in range(2):
        store.daily.write_baseline(challenge, made)
    assert store.daily.baseline(challenge) == made
    store.daily.write_baseline(challenge, Baseline("0", "other figures", [(0.5, 1, 1000)]))
    assert store.daily.baseline(challenge) is None


def test_attempt_that_is_imported_is_no_attempt(store: Store, player: Player) -> None:
    attempt = store.daily.begin(player, DAY).id
    play(store, attempt, answers=2)
    source = store.records.source(attempt)
    taken = store.records.import_match(store.records.text(attempt), player, source.secret)
    header = store.records.source(taken).parsed.header
    assert (header.origin, header.day) == ("import", UNSET)
    assert counted(store) == 1
