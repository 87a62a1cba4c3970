"""Tests of answers, undos and bots, on one store and on a reopened one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.store.conftest import Toys
from tests.store.playing import ANYONE, BOT, ME, Thinker, asked, check_whole, enrolled, opened, play, run_bots
from tests.toys.straits import GAME
from tests.toys.tiny import T as TinyTable
from tests.toys.tiny import ask, both, roll_dice, tiny

from readyroom.bots.turns import play_turn
from readyroom.engine.errors import CannotUndo, IllegalChoice, MatchOver, NotYourDecision, RuleError, StaleRevision
from readyroom.engine.game import Bot, ViewFn
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.table import Steps
from readyroom.store import SeatAssignment, Store
from readyroom.store.errors import NotStarted, WriteFailed


def test_full_match_is_saved_as_played(store: Store) -> None:
    match_id = opened(store)
    for n in range(1, 200):
        if store.listings.summary(match_id).outcome is not None:
            break
        play(store, match_id, Random(n), 1)
        if n % 7 == 0:
            check_whole(store, match_id)
    summary = check_whole(store, match_id)
    assert summary.outcome is not None
    assert summary.waiting == ()
    with pytest.raises(MatchOver):
        store.matches.answer(match_id, "red", [], summary.revision)
    with pytest.raises(MatchOver):
        store.matches.undo(match_id, "red")


def test_match_continues_in_reopened_store(url: str) -> None:
    with closing(Store(url)) as store:
        match_id = opened(store, dice_nonce="luck")
    for n in range(200):
        with closing(Store(url)) as store:
            if check_whole(store, match_id).outcome is not None:
                break
            play(store, match_id, Random(n), 3)
    else:
        pytest.fail("the match did not end")


def test_undo_depth_survives_reopened_store(url: str, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("red"), roll_dice(1), *[ask("red")] * 9, turns=2)
    with closing(Store(url)) as store:
        match_id = opened(store, "tiny")
        for _ in range(11):
            store.matches.answer(match_id, "red", "b", None)
    for _ in range(9):
        with closing(Store(url)) as store:
            store.matches.undo(match_id, "red")
            check_whole(store, match_id)
    with closing(Store(url)) as store, pytest.raises(CannotUndo, match="dice were rolled"):
        store.matches.undo(match_id, "red")


def test_undo_removes_log_lines(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(*[ask("red")] * 20)
    match_id = opened(store, "tiny")
    for key in "aaabbbccc":
        store.matches.answer(match_id, "red", key, None)
    for _ in range(5):
        store.matches.undo(match_id, "red")
    store.matches.answer(match_id, "red", "c", None)
    check_whole(store, match_id)
    with closing(Store(str(store.database.url.render_as_string(hide_password=False)))) as again:
        check_whole(again, match_id)
        with again.matches.open(match_id) as match:
            assert [line.text[-2] for line in match.full_log] == list("AAABC")


def test_secret_plans_do_not_conflict(store: Store) -> None:
    match_id = opened(store, "tiny")
    revisions = asked(store, match_id)
    store.matches.answer(match_id, "red", "a", revisions["red"])
    store.matches.answer(match_id, "blue", "b", revisions["blue"])
    with pytest.raises(StaleRevision):
        store.matches.answer(match_id, "red", "a", revisions["red"])
    assert store.matches.undo(match_id, "red") == 3
    assert asked(store, match_id) == {"red": 0, "blue": 1}
    check_whole(store, match_id)


def test_rejected_answer_changes_nothing(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"))
    match_id = opened(store, "tiny")
    before = store.listings.summary(match_id)
    refusals: list[tuple[type[Exception], str, Any, int | None]] = [
        (IllegalChoice, "red", "z", 0),
        (IllegalChoice, "red", ["a", "b"], 0),
        (IllegalChoice, "red", [1], 0),
        (IllegalChoice, "red", ["\ud800"], 0),
        (StaleRevision, "red", "a", 7),
        (NotYourDecision, "blue", "a", 0),
    ]
    for refusal, seat, keys, revision in refusals:
        with pytest.raises(refusal):
            store.matches.answer(match_id, seat, keys, revision)
    assert store.listings.summary(match_id) == before
    assert store.matches.answer(match_id, "red", "a", 0) == 1


def test_open_lobby_rejects_answers(store: Store) -> None:
    match_id = store.lobby.create(enrolled(store), "straits", None, {}, {"red": ME, "blue": ANYONE}).id
    calls: list[Callable[[], object]] = [
        lambda: store.matches.answer(match_id, "red", [], 0),
        lambda: store.matches.undo(match_id, "red"),
        lambda: run_bots(store, match_id),
        lambda: store.matches.request_takeback(match_id, "red"),
    ]
    for call in calls:
        with pytest.raises(NotStarted):
            call()


def test_failing_rule_changes_nothing(store: Store, toys: Toys) -> None:
    def fails(table: TinyTable) -> Steps:
        raise KeyError("planted")

    toys["tiny"] = tiny(ask("red"), fails)
    match_id = opened(store, "tiny")
    for _ in range(2):
        with pytest.raises(RuleError, match="planted"):
            store.matches.answer(match_id, "red", "a", 0)
    assert check_whole(store, match_id).revision == 0


def test_match_moved_by_reader_is_read_again(store: Store) -> None:
    match_id = opened(store)
    with store.matches.open(match_id) as match:
        seat, decision = next(iter(match.pending.items()))
        match.decide(seat, decision.sample(Random(1)))
    assert check_whole(store, match_id).revision == 0


def test_failed_write_leaves_cache_unchanged(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = opened(store, "tiny")
    from readyroom.store.live import writing

    with monkeypatch.context() as broken:
        broken.setattr(
            writing,
            "line_rows",
            lambda *_: [{"match": match_id, "i": 0, "line": "{}"}, {"match": match_id, "i": [], "line": ""}],
        )
        with pytest.raises(WriteFailed):
            store.matches.answer(match_id, "red", "a", 0)
    assert check_whole(store, match_id).revision == 0
    assert store.matches.answer(match_id, "red", "a", 0) == 1


# -- listeners -----------------------------------------------------------------------------------------------------


def test_listeners_are_called_after_commit(url: str) -> None:
    events: list[tuple[str, Mapping[str, int], int]] = []
    with closing(Store(url)) as other:

        def moved(id: str, what: str, revisions: Mapping[str, int]) -> None:
            events.append((what, revisions, other.listings.summary(id).revision_for("red")))
            raise RuntimeError("anyone who listens may fail")

        with closing(Store(url, moved)) as store:
            host, friend = enrolled(store), enrolled(store, "Nagumo")
            match_id = store.lobby.create(host, "tiny", None, {}, {"red": ME, "blue": ANYONE}).id
            store.seats.join_open_seat(match_id, "blue", friend.id)
            store.matches.answer(match_id, "red", "a", 0)
            store.matches.undo(match_id, "red")
            store.matches.answer(match_id, "red", "b", None)
            store.matches.answer(match_id, "blue", "b", None)
            store.chat.post(match_id, host.id, "Ahoy", None)
            store.matches.request_takeback(match_id, "red")
            store.matches.answer_takeback(match_id, "blue", False)
            store.seats.leave_seat(match_id, "blue", friend.id)
    heard = {
        viewer: ", ".join(f"{what} {revisions[viewer]}" for what, revisions, _ in events if viewer in revisions)
        for viewer in ("red", "blue", "")
    }
    assert heard == {
        "red": "seats 0, seats 0, moved 0, moved 1, moved 2, moved 3, talk 3, asked 3, asked 3, talk 3, "
        "seats 3, talk 3",
        "blue": "seats 0, seats 0, moved 0, moved 1, talk 1, asked 1, asked 1, talk 1, seats 1, talk 1",
        "": "seats 0, seats 0, moved 0, talk 0, asked 0, asked 0, talk 0, seats 0, talk 0",
    }
    assert all(revisions.get("red", kept) == kept for _, revisions, kept in events)


# -- bots ------------------------------------------------------------------------------------------------------------


def slow(seat: str, random: Random) -> Bot:
    def answer(decision: Decision, look: ViewFn) -> Sequence[str]:
        time.sleep(0.06)
        return decision.sample(random)

    return answer


def failing(seat: str, random: Random) -> Bot:
    def answer(decision: Decision, look: ViewFn) -> Sequence[str]:
        raise LookupError("planted")

    return answer


def cheating(seat: str, random: Random) -> Bot:
    return lambda decision, look: ["no such key"]


def test_bot_plays_its_seat(store: Store) -> None:
    match_id = store.lobby.create(enrolled(store), "straits", None, {}, {"red": BOT, "blue": ME}).id
    while not (summary := store.listings.summary(match_id)).outcome:
        assert summary.waiting == ("blue",)
        play(store, match_id, Random(summary.true_revision), 1)
    check_whole(store, match_id)


def test_bots_play_while_they_have_all_seats(store: Store, toys: Toys) -> None:
    toys["straits"] = replace(GAME, analysis=replace(GAME.analysis, bots={"slow": slow}))
    both_seats = {"red": SeatAssignment("bot", "slow"), "blue": SeatAssignment("bot", "slow")}
    match_id = store.lobby.create(None, "straits", None, {}, both_seats).id
    assert 0 < store.listings.summary(match_id).true_revision < 6
    assert match_id in store.matches.awaiting_bots()
    before = store.listings.summary(match_id).true_revision
    assert run_bots(store, match_id) is True
    assert store.listings.summary(match_id).true_revision > before
    check_whole(store, match_id)


def test_bots_play_to_the_end(store: Store) -> None:
    match_id = store.lobby.create(None, "straits", None, {}, {"red": BOT, "blue": BOT}).id
    while run_bots(store, match_id):
        pass
    assert check_whole(store, match_id).outcome is not None
    assert match_id not in store.matches.awaiting_bots()


@pytest.mark.parametrize("bad", [failing, cheating])
def test_failing_bot_does_not_block_match(store: Store, toys: Toys, bad: Any) -> None:
    toys["straits"] = replace(GAME, analysis=replace(GAME.analysis, bots={"bad": bad}))
    match_id = store.lobby.create(
        enrolled(store), "straits", None, {}, {"red": SeatAssignment("bot", "bad"), "blue": ME}
    ).id
    play(store, match_id, Random(1), 5)
    assert check_whole(store, match_id).waiting == ("blue",)


def test_bot_whose_answer_fails_does_not_loop(store: Store, toys: Toys) -> None:
    def fails(table: TinyTable) -> Steps:
        raise KeyError("planted")

    toys["tiny"] = tiny(ask("blue"), both(ask("red"), fails))
    match_id = store.lobby.create(enrolled(store), "tiny", None, {}, {"red": BOT, "blue": ME}).id
    assert store.matches.answer(match_id, "blue", "a", 0) == 1
    assert run_bots(store, match_id) is False
    assert check_whole(store, match_id).waiting == ("red",)


def against(store: Store, toys: Toys, maker: Any) -> tuple[str, list[str]]:
    """Return a match in which Blue and then a bot answer, and the matches for which bots are due from then on."""
    game = tiny(ask("blue"), ask("red"), turns=9)
    toys["tiny"] = replace(game, analysis=replace(game.analysis, bots={"thinker": maker}))
    due: list[str] = []
    store.on_bots_due(due.append)
    seats = {"red": SeatAssignment("bot", "thinker"), "blue": ME}
    return store.lobby.create(enrolled(store), "tiny", None, {}, seats).id, due


def test_bot_that_takes_its_time_does_not_answer_in_a_request(store: Store, toys: Toys) -> None:
    match_id, due = against(store, toys, Thinker)
    assert due == []
    store.matches.answer(match_id, "blue", "a", None)
    assert due == [match_id]
    assert check_whole(store, match_id).waiting == ("red",)
    assert run_bots(store, match_id) is True
    assert check_whole(store, match_id).waiting == ("blue",)
    assert due == [match_id]


def test_bot_that_once_took_long_does_not_answer_in_a_request_again(store: Store, toys: Toys) -> None:
    def very_slow(seat: str, random: Random) -> Bot:
        def answer(decision: Decision, look: ViewFn) -> Sequence[str]:
            time.sleep(0.2)
            return decision.sample(random)

        return answer

    match_id, due = against(store, toys, very_slow)
    assert store.matches.answer(match_id, "blue", "a", None) == 2
    assert store.matches.answer(match_id, "blue", "a", None) == 3
    assert due == [match_id]


@pytest.mark.parametrize("how", ["undo", "reclaim"])
def test_turn_is_dropped_if_the_match_has_moved_on(store: Store, toys: Toys, how: str) -> None:
    against(store, toys, Thinker)
    host = enrolled(store)
    match_id = store.lobby.create(host, "tiny", None, {}, {"red": ME, "blue": ME}).id
    store.seats.assign_bot(match_id, "red", "thinker", host.id)
    store.matches.answer(match_id, "blue", "a", None)
    turn = store.matches.bot_turn(match_id)
    assert turn is not None
    result = play_turn(turn, game=toys["tiny"])
    assert result.answers
    if how == "undo":
        store.matches.undo(match_id, "blue")
    else:
        store.seats.reclaim_seat(match_id, "red", host.id)
    before = store.listings.summary(match_id)
    assert store.matches.apply_bot_turn(turn, result) is False
    assert check_whole(store, match_id) == before


def test_turn_played_twice_is_applied_once(url: str, toys: Toys) -> None:
    toys["straits"] = replace(GAME, analysis=replace(GAME.analysis, bots={"thinker": Thinker}))
    seats = {"red": SeatAssignment("bot", "thinker"), "blue": SeatAssignment("bot", "thinker")}
    with closing(Store(url)) as one, closing(Store(url)) as other:
        match_id = one.lobby.create(None, "straits", None, {}, seats).id
        turns = [store.matches.bot_turn(match_id) for store in (one, other)]
        applied = []
        for store, turn in zip((one, other), turns, strict=True):
            assert turn is not None
            applied.append(store.matches.apply_bot_turn(turn, play_turn(turn, game=toys["straits"])))
        assert applied == [True, False]
        assert check_whole(one, match_id) == check_whole(other, match_id)


def test_bots_are_awaited_only_where_they_are_to_answer(store: Store, toys: Toys) -> None:
    match_id, due = against(store, toys, Thinker)
    assert match_id not in store.matches.awaiting_bots()
    store.matches.answer(match_id, "blue", "a", None)
    assert due == [match_id]
    assert match_id in store.matches.awaiting_bots()
    assert match_id not in store.matches.awaiting_bots(idle=60.0)
    facts = store.matches.bot_match(match_id)
    assert (facts.client, facts.only_bots) == (store.listings.summary(match_id).host, False)
