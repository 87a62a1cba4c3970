"""Tests of the challenge of the day: its dice, its order, its results, and what records prove."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import msgspec
import pytest

from readyroom.bots.playing import play_on
from readyroom.bots.turns import daily_bot, daily_seed, play_turn
from readyroom.engine.errors import InvalidRecord
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import replay, verify
from readyroom.study.daily import challenge as challenges
from readyroom.study.daily import keys
from readyroom.study.daily.challenge import SLOTS, Challenge, challenge_of, new_match, slot_challenge, slot_of
from readyroom.study.daily.keys import DAYS, EPOCH, DayKeys, DaySealed, NoSuchDay, anchor_of, midnight, parse_day
from readyroom.study.daily.results import (
    RUNS,
    Baseline,
    Score,
    measure_baseline,
    prove_daily,
    score_of,
    share_text,
    shipped_baseline,
)

DAY = date(2026, 3, 14)
OWN = "a secret of one server, long enough"


def found(game: str) -> Challenge:
    """Return the challenge of the first day with this game."""
    day = next(EPOCH + timedelta(days=n) for n in range(len(SLOTS)) if slot_of(EPOCH + timedelta(days=n)).game == game)
    return challenge_of(day)


def begun(challenge: Challenge, origin: Any = "daily", text: str = "") -> Match[Any, Any]:
    """Return an attempt before its first decision."""
    return new_match(challenge, DayKeys(text).secret(challenge.day, midnight(challenge.day)), origin)


def finished(challenge: Challenge, origin: Any = "daily") -> Match[Any, Any]:
    """Return an attempt that bots have played to its end."""
    match = begun(challenge, origin)
    seed = daily_seed(match.secret or b"")
    while match.outcome is None:
        seat = next(iter(match.pending))
        bot = daily_bot(match, challenge.bot, seat, seed)
        match.decide(seat, bot(match.pending[seat], match.bot_view(seat)))
    return match


# -- dice ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", OWN])
def test_secret_of_day_is_refused_until_midnight(text: str) -> None:
    chain, start = DayKeys(text), midnight(DAY)
    for early in (start - timedelta(days=300), start - timedelta(seconds=1), start - timedelta(microseconds=1)):
        with pytest.raises(DaySealed, match="2026-03-14 0:00 UTC"):
            chain.secret(DAY, early)
    assert len(chain.secret(DAY, start)) == 32


def test_nothing_of_a_coming_day_is_computed_before_midnight(monkeypatch: pytest.MonkeyPatch) -> None:
    chain, steps, walk = DayKeys(), list[int](), keys._walk

    def counting(secret: bytes, count: int) -> bytes:
        steps.append(count)
        return walk(secret, count)

    monkeypatch.setattr(keys, "_walk", counting)
    with pytest.raises(DaySealed):
        chain.secret(DAY, midnight(DAY) - timedelta(seconds=1))
    assert steps == []
    assert chain.secret(DAY, midnight(DAY)) == chain.secret(DAY, midnight(DAY))
    assert steps == [DAYS - 1 - (DAY - EPOCH).days]


def test_midnight_is_that_of_utc_in_any_zone() -> None:
    ahead = datetime(2026, 3, 14, 9, 0, tzinfo=UTC).astimezone()
    assert DayKeys().secret(DAY, ahead)
    with pytest.raises(DaySealed):
        DayKeys().secret(DAY, (midnight(DAY) - timedelta(seconds=1)).astimezone())


def test_servers_without_contact_have_same_secret() -> None:
    now = midnight(DAY)
    assert DayKeys().secret(DAY, now) == DayKeys().secret(DAY, now + timedelta(hours=23))
    assert DayKeys(OWN).secret(DAY, now) == DayKeys(OWN).secret(DAY, now)
    assert DayKeys(OWN).secret(DAY, now) != DayKeys().secret(DAY, now)


def test_secrets_lead_to_anchor_and_only_backward() -> None:
    chain = DayKeys(OWN)
    secrets = [chain.secret(day, midnight(day)) for day in (EPOCH, DAY, DAY + timedelta(days=1))]
    assert {
        anchor_of(day, secret) for day, secret in zip((EPOCH, DAY, DAY + timedelta(days=1)), secrets, strict=True)
    } == {chain.anchor}
    assert keys._walk(secrets[2], 1) == secrets[1]
    assert anchor_of(DAY, secrets[2]) != chain.anchor


def test_days_outside_chain_are_refused() -> None:
    for text in ("2025-12-31", "2126-01-02", "20260314", "2026-3-14", "today", ""):
        with pytest.raises(NoSuchDay):
            parse_day(text)
    assert parse_day("2026-03-14") == DAY


# -- what is played --------------------------------------------------------------------------------------------------


def test_each_slot_is_played_once_before_any_repeats() -> None:
    for cycle in range(3):
        days = [EPOCH + timedelta(days=cycle * len(SLOTS) + n) for n in range(len(SLOTS))]
        assert Counter(slot_of(day).key for day in days) == Counter(slot.key for slot in SLOTS)


def test_order_of_days_never_changes() -> None:
    days = [EPOCH + timedelta(days=n) for n in range(4)]
    assert [slot_of(day).key for day in days] == ORDER


ORDER = ["midway daybreak usa", "picket cassin-young usa aces=yes", "picket bush-and-colhoun usa", "picket little usa"]


@pytest.mark.parametrize("slot", SLOTS, ids=lambda slot: slot.key)
def test_slot_can_be_played_and_has_a_baseline(slot: challenges.Slot) -> None:
    challenge = slot_challenge(slot, DAY)
    assert challenge.own_seats
    baseline = shipped_baseline(challenge)
    assert baseline is not None, "run `readyroom challenge --baselines src/readyroom/study/daily/baselines.json`"
    assert baseline.runs == RUNS


@pytest.mark.parametrize("game", ["midway", "pearl", "doolittle", "picket"])
def test_same_decisions_have_same_dice_and_bots_on_two_servers(game: str) -> None:
    """A server resumes the match at each decision, as after a restart; another keeps it in memory."""
    challenge = found(game)
    first, second = finished(challenge), begun(challenge)
    seed = daily_seed(second.secret or b"")
    mine = iter([entry for entry in first.record_entries() if getattr(entry, "seat", "") in challenge.own_seats])
    while second.outcome is None:
        seat = next((seat for seat in second.pending if seat in challenge.own_seats), None)
        if seat is not None:
            second.decide(seat, next(mine).chose)  # type: ignore[union-attr]
            continue
        turn = _turn(second, challenge, seed)
        for other, chosen in turn:
            second.decide(other, chosen)
    assert _story(second) == _story(first)
    assert second.digest() == first.digest()


def _turn(match: Match[Any, Any], challenge: Challenge, seed: int) -> list[tuple[str, tuple[str, ...]]]:
    from readyroom.bots.turns import BotTurn

    saved = match.saved().with_data(match.game.data_fingerprint)
    bots = dict.fromkeys(challenge.other_seats, challenge.bot)
    turn = BotTurn("m", match.game.key, saved, bots, seed, {}, is_daily=True)
    return play_turn(turn, 0.02).answers


def _story(match: Match[Any, Any]) -> list[str]:
    return [line.text for line in match.full_log]


# -- results ---------------------------------------------------------------------------------------------------------


def test_percentile_counts_equal_runs_half() -> None:
    baseline = Baseline("1", "", [(0.0, -10, 1), (0.5, 0, 2), (1.0, 5, 1)])
    assert [baseline.percentile(Score(*one)) for one in ((0.0, -20), (0.0, -10), (0.5, 0), (1.0, 4), (1.0, 9))] == [
        *(0, 12, 50, 75, 100)
    ]


def test_baseline_is_reproducible_and_reports_progress() -> None:
    challenge, shares = found("pearl"), list[float]()
    made = measure_baseline(challenge, 20, shares.append)
    assert made == measure_baseline(challenge, 20)
    assert (made.runs, shares[-1]) == (20, 1.0)
    assert made.fits(challenge.game)


def test_bot_runs_do_not_use_dice_of_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DayKeys, "secret", lambda *given: pytest.fail("the dice of the day"))
    measure_baseline(found("pearl"), 3)


def test_shared_text_has_no_spoilers() -> None:
    challenge = found("midway")
    match = finished(challenge)
    assert match.outcome is not None
    text = share_text(challenge, 83, "https://games.example/challenge/2026-03-14")
    assert "★★★★★ better than 83 % of 1,000 bot runs" in text
    assert text.endswith("/challenge/2026-03-14")
    assert len(text) < 200
    for spoiler in (match.outcome.title, match.outcome.text, str(match.secret)):
        assert spoiler not in text
    assert [share_text(challenge, one).count("★") for one in (0, 19, 20, 79, 80, 100)] == [1, 1, 2, 4, 5, 5]


# -- proof -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> tuple[Challenge, str]:
    """A counted attempt and its record."""
    challenge = found("doolittle")
    return challenge, finished(challenge).record()


def proved(record: str) -> Any:
    return prove_daily(records.parse(record), verify(record))


def forged(record: str, **changes: Any) -> str:
    """Return a record with a changed header and a valid hash chain."""
    parsed = records.parse(record)
    header = msgspec.structs.replace(parsed.header, **changes)
    match = replay(msgspec.structs.replace(parsed, header=header))
    match.continue_record(header)
    return match.record()


def test_record_proves_counted_attempt(played: tuple[Challenge, str]) -> None:
    challenge, record = played
    proof = proved(record)
    assert proof.challenge.day == challenge.day
    assert proof.is_counted
    assert proof.anchor == DayKeys().anchor
    assert "the shared dice; a counted attempt without takeback" in proof.sentence
    assert score_of(challenge, verify(record).outcome).utility >= 0  # type: ignore[arg-type]


def test_record_of_practice_says_so(played: tuple[Challenge, str]) -> None:
    assert "practice, which does not count" in proved(forged(played[1], origin="practice")).sentence


def test_record_with_another_setup_or_day_is_rejected(played: tuple[Challenge, str]) -> None:
    challenge, record = played
    for changes, why in (
        ({"day": (challenge.day + timedelta(days=1)).isoformat()}, "it is not the challenge of"),
        ({"day": "1941-12-07"}, "There is no challenge of"),
        ({"origin": "seed"}, "it is not the challenge of"),
    ):
        with pytest.raises(InvalidRecord, match=why):
            proved(forged(record, **changes))


def test_record_with_other_dice_shows_another_anchor(played: tuple[Challenge, str]) -> None:
    challenge, _ = played
    match = new_match(challenge, bytes(32), "daily")
    seed = daily_seed(bytes(32))
    bots = {seat.key: daily_bot(match, challenge.bot, seat.key, seed) for seat in match.seats}
    play_on(match, bots)
    proof = proved(match.record())
    assert proof.anchor != DayKeys().anchor
    assert f"a server's own dice, anchor {proof.anchor}" in proof.sentence


def test_takeback_in_counted_attempt_is_rejected(played: tuple[Challenge, str]) -> None:
    challenge, _ = played
    match = begun(challenge)
    while not match.can_undo("captain"):
        decision = match.pending["captain"]
        match.decide("captain", decision.sample(Random(match.revision)))
    match.undo("captain")
    seed = daily_seed(match.secret or b"")
    play_on(match, {"captain": daily_bot(match, challenge.bot, "captain", seed)})
    with pytest.raises(InvalidRecord, match="a counted attempt has no takeback"):
        proved(match.record())
