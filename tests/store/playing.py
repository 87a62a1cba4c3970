"""Helpers for creating and playing matches in a store."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, update

from readyroom.bots.turns import play_turn
from readyroom.engine.game import ViewFn
from readyroom.engine.match import Match
from readyroom.engine.record.replay import replay
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.store import MatchSummary, Player, SeatAssignment, Store
from readyroom.store.lobby.starting import Starter
from readyroom.store.tables import matches
from readyroom.testing.snapshots import difference, table_snapshot

ME, FRIEND, ANYONE, BOT = (
    SeatAssignment("me"),
    SeatAssignment("friend"),
    SeatAssignment("anyone"),
    SeatAssignment("bot", "random"),
)


class Thinker:
    """A random bot that says that it takes its time."""

    is_quick = False

    def __init__(self, seat: str, random: Random) -> None:
        self.random = random

    def __call__(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        return decision.sample(self.random)


def enrolled(store: Store, name: str = "Nimitz") -> Player:
    return store.players.create(name).player


def opened(store: Store, game: str = "straits", host: Player | None = None, **data: Any) -> str:
    """Return a started match with its host on both seats."""
    seats = {"red": ME, "blue": ME}
    return store.lobby.create(host or enrolled(store), game, None, {}, seats, **data).id


def do_not_begin(starter: Starter, connection: Connection, row: Any, places: object, *, new: bool) -> None:
    """Stand in for `Starter.begin`, as if the process had ended before it."""
    starter._shared.seals.write(connection, row.id)


def two_players(store: Store, **data: Any) -> tuple[str, str, str, str]:
    """Return a started match of two people: its id, host, other player, and that player's link."""
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    match = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND}, **data)
    store.seats.join_by_link(match.links["blue"], friend.id)
    return match.id, host.id, friend.id, match.links["blue"]


def asked(store: Store, id: str) -> dict[str, int]:
    """Return the seats with open questions, and the revisions of these questions."""
    with store.matches.open(id) as match:
        return {seat: match.revision_for(seat, decision.revision) for seat, decision in match.pending.items()}


def play(store: Store, id: str, random: Random, answers: int = 10_000) -> int:
    """Answer all questions until the match is over, or this number of times; return the true revision."""
    reached = store.listings.summary(id).true_revision
    for _ in range(answers):
        with store.matches.open(id) as match:
            if match.outcome is not None:
                break
            seat = random.choice(list(match.pending))
            decision = match.pending[seat]
            keys, revision = decision.sample(random), match.revision_for(seat, decision.revision)
        reached = store.matches.answer(id, seat, list(keys), revision)
    return reached


def wait(store: Store, id: str, seconds: float) -> None:
    """Let the decision in progress have begun this many seconds earlier."""
    known = store.listings.summary(id).clock
    assert known is not None
    earlier = replace(known, since=known.since - seconds).encode()
    with store.database.writing() as connection:
        connection.execute(update(matches).where(matches.c.id == id).values(clock=earlier))
    store._shared.live.forget(id)


def run_bots(store: Store, id: str, seconds: float = 0.15) -> bool:
    """Play and apply a turn of a match's bots; return whether they are to play on."""
    turn = store.matches.bot_turn(id)
    if turn is None:
        return False
    played = play_turn(turn, seconds, game=store.games(turn.game))
    return store.matches.apply_bot_turn(turn, played) and bool(played.answers)


def check_whole(store: Store, id: str) -> MatchSummary:
    """Check that the stored match agrees with its record and summary."""
    again = match_at(store, id)
    with store.matches.open(id) as match:
        assert not (d := difference(table_snapshot(match), table_snapshot(again))), d
        assert match.record() == store.records.text(id) == again.record()
        summary = store.listings.summary(id)
        assert (summary.true_revision, summary.outcome) == (match.revision, match.outcome)
        assert summary.viewer_revisions() == match.viewer_revisions()
        assert At(summary.turn, summary.phase) == match.shown_at(None)
        assert summary.waiting == tuple(match.pending)
        assert sorted(store.records.decision_times(id)) == list(range(1, match.revision + 1))
    return summary


def match_at(store: Store, id: str, revision: int | None = None) -> Match[Any, Any]:
    """Return a copy of the match at this revision by replaying all of it."""
    source = store.records.source(id)
    return replay(source.parsed, revision, game=source.game, secret=source.secret)
