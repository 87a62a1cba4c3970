"""Matches before they begin: creating and starting them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import exists, insert, select, update

from readyroom.engine.record.format import Origin
from readyroom.engine.rules.dice import fingerprint, secret_of_seed
from readyroom.engine.rules.dice import new_secret as new_dice
from readyroom.store.accounts.players import add_player
from readyroom.store.admin.deletion import delete_match_rows
from readyroom.store.base import Part, PlayerEvent, Shared, bounded, new_id, new_secret
from readyroom.store.cards import CreatedMatch, Experience, MatchSummary, Pace, Player, SeatAssignment
from readyroom.store.clock import Clock
from readyroom.store.errors import InvalidSeating, NotTheHost, NotYourSeat, SeatTaken
from readyroom.store.limits import SEED_LENGTH, WORDS_LENGTH
from readyroom.store.lobby.bot_matches import BotMatches
from readyroom.store.lobby.listings import HAS_OPEN_SEAT
from readyroom.store.lobby.seating import seats_with, sit_down
from readyroom.store.lobby.setup import assign_seats, check_size, find_scenario, new_match_row, seat_row
from readyroom.store.lobby.starting import Starter
from readyroom.store.rows import match_row, one_card, seat_rows
from readyroom.store.tables import attempts, matches, players, seats

ALERTED = 500
"""The most players who are notified of a match with open seats."""


class DailyAttempt(NamedTuple):
    """An attempt at the challenge of a day, begun `at` (seconds since 1970), with the secret behind the day's dice."""

    day: date
    secret: bytes
    origin: Origin
    at: float


class ChapterMatch(NamedTuple):
    """A match of a chapter of a campaign: see the columns of `matches`."""

    campaign: str
    chapter: str
    follows: str
    salt: str


class Lobby(Part):
    """Matches before they begin."""

    def __init__(self, shared: Shared, starter: Starter, bot_matches: BotMatches) -> None:
        super().__init__(shared)
        self._starter, self._bot_matches = starter, bot_matches

    def create(
        self,
        host: Player | None,
        game: str,
        scenario: str | None,
        options: Mapping[str, object],
        wanted: Mapping[str, SeatAssignment],
        *,
        own: str | None = None,
        pace: Pace = "live",
        listed: bool = False,
        dice_nonce: str = "",
        seed: str | None = None,
        guided: bool = False,
        newcomer: str = "",
        client: str = "",
        experience: Experience = "",
        id: str = "",
        daily: DailyAttempt | None = None,
        chapter: ChapterMatch | None = None,
        tournament: str = "",
        minutes: int = 0,
        help_agreed: bool = False,
    ) -> CreatedMatch:
        """Create a match. It starts at once if no seat is empty.

        Args:
            host: who opens it, and sits on the seats of kind "me"; None for a match that no one hosts.
            game: the game's key.
            scenario: a scenario's key; None for the game's first, or with `own` a name for it.
            options: choices of the game's options; the rest take their defaults.
            wanted: who gets which seat; a key may be a seat or a whole side, and every seat must be assigned.
            own: the text of the host's own scenario file.
            pace: whether the players are at the table together, or answer within days.
            listed: whether everybody finds it in the lobby.
            dice_nonce: what the host or newcomer adds to the key of the dice, on the seats that they take.
            seed: words that fix the dice, for lessons and programs; the match is labelled, as its dice can be known.
            guided: whether it is a tutorial.
            newcomer: the name of a new player who sits on the seats whose assignment says `joins`.
            client: a tag of the client that asks, by which limits count its matches.
            experience: which opponents the host looks for.
            id: the id of the match; empty for a random one.
            daily: what makes it an attempt at a challenge of the day, with the day's dice.
            chapter: what makes it a match of a campaign.
            tournament: the id of the tournament that it belongs to.
            minutes: how long each side may think in all, before its opponent may claim the win; 0 for no clock.
            help_agreed: whether hints and analysis are offered also if several people play; then it is not rated.

        Raises:
            UnknownGame, UnknownScenario, UnknownOption, UnknownSeat, UnknownBot; InvalidData, InvalidSeating,
            InvalidText; TooManyBotMatches.
        """
        result = self._shared.games(game)
        played, choices = find_scenario(result, scenario, own), result.resolve(options)
        check_size(result, played, choices)
        secret = new_dice() if seed is None else secret_of_seed(bounded(seed, SEED_LENGTH, "The seed"))
        assigned = assign_seats(result, result.rules.seats(played, choices), wanted, host)
        bounded(dice_nonce, WORDS_LENGTH, "Your text for the dice")
        opened = CreatedMatch(
            id or new_id(), {seat.key: new_secret() for seat, who in assigned if who.kind == "friend" or who.joins}
        )
        row = new_match_row(opened.id, host, result, played, choices, fingerprint(secret))
        row |= {"secret": secret, "seed": seed, "pace": pace, "listed": listed, "guided": guided, "client": client}
        row |= {"origin": "" if seed is None else "seed", "experience": experience, "help": help_agreed}
        row |= {"tournament": tournament or None, "clock": Clock(minutes).encode() if minutes else ""}
        if daily is not None:
            row |= {"secret": daily.secret, "fingerprint": fingerprint(daily.secret), "origin": daily.origin}
            row |= {"created": daily.at}
        if chapter is not None:
            row |= chapter._asdict()
        with self._shared.database.writing() as connection:
            if chapter is None and all(who.kind == "bot" for _, who in assigned):
                self._bot_matches.check(connection, client, host.id if host is not None else "")
            if daily is not None and host is not None:
                connection.execute(insert(attempts), _attempt_row(opened.id, host, daily))
            connection.execute(insert(matches), row)
            places = [seat_row(opened, n, seat, who, dice_nonce) for n, (seat, who) in enumerate(assigned)]
            connection.execute(insert(seats), places)
            if host is not None:
                mine = [seat.key for seat, who in assigned if who.kind == "me"]
                sit_down(connection, opened.id, mine, host.id)
            for seat, who in assigned:
                if who.kind == "member":
                    sit_down(connection, opened.id, [seat.key], who.player)
            if joined := [seat.key for seat, who in assigned if who.kind == "friend" and who.joins]:
                sit_down(connection, opened.id, joined, add_player(connection, newcomer, program=True).player.id)
            _check_umpire(one_card(connection, opened.id))
            begun = self._starter.begin_if_ready(connection, opened.id, new=True)
        self._starter.report(opened.id, begun)
        if listed and not begun:
            self._report_open_seats(opened.id, game, host.id if host is not None else "")
        return opened

    def _report_open_seats(self, id: str, game: str, host: str) -> None:
        """Report a public match with open seats to the players who want to know of it."""
        wanted = select(players.c.id).where(
            players.c.alerts.contains(f" {game} ", autoescape=True), players.c.id != host
        )
        with self._shared.database.glance() as connection:
            is_open = connection.execute(select(matches.c.id).where(matches.c.id == id, HAS_OPEN_SEAT)).first()
            others = connection.execute(wanted.limit(ALERTED)).scalars().all() if is_open else []
        if others:
            self._shared.report(PlayerEvent("opened", id, host, frozenset(others)))

    def begin(self, id: str, player_id: str | None) -> None:
        """Start the match without waiting, unless it has started; raise `NotTheHost` for anyone but the host.

        A match without a host is started with `player` None.
        """
        with self._shared.database.writing() as connection:
            row = match_row(connection, id, lock=True)
            if row.host != player_id:
                raise NotTheHost("start it")
            if row.begun:
                return
            begun = self._starter.begin(connection, row, seat_rows(connection, id))
        self._starter.report(id, begun)

    def cancel(self, id: str, player_id: str) -> None:
        """Delete a match that has not started, as its host, before anyone else has joined.

        Raises `NotTheHost`, or `SeatTaken` if it has started or someone else is in it.
        """
        with self._shared.database.writing() as connection:
            row, summary = match_row(connection, id, lock=True), one_card(connection, id)
            if not player_id or row.host != player_id:
                raise NotTheHost("cancel it")
            if row.begun or summary.everyone - {player_id}:
                raise SeatTaken("The match can no longer be cancelled: someone has joined it.")
            delete_match_rows(connection, id)
        self._shared.live.forget(id)
        self._shared.notify(id, "seats", summary.viewer_revisions())

    def begin_if_ready(self, id: str) -> MatchSummary:
        """Start a match that has not started although no seat is empty, and return its summary."""
        with self._shared.database.writing() as connection:
            match_row(connection, id, lock=True)
            begun, summary = self._starter.begin_if_ready(connection, id), one_card(connection, id)
        return self._starter.report(id, begun) if begun else summary

    def ready_matches(self) -> list[str]:
        """Return the matches that have not started although no seat is empty: those that `begin_if_ready` starts."""
        seated = exists().where(seats.c.match == matches.c.id)
        empty = seated.where(seats.c.bot == "", seats.c.came.is_(None))
        with self._shared.database.glance() as connection:
            ready = select(matches.c.id).where(~matches.c.begun, matches.c.damaged.is_(None), seated, ~empty)
            return list(connection.execute(ready).scalars())

    def set_tutorial(self, id: str, player_id: str, yes: bool) -> None:
        """Show a match as a tutorial to its players, or (no) stop that. `NotYourSeat`."""
        with self._shared.database.writing() as connection:
            match_row(connection, id, lock=True)
            if not seats_with(connection, id, player_id):
                raise NotYourSeat("Only the player of a tutorial can pause it.")
            with self._shared.seals.seats(connection, id):
                connection.execute(update(matches).where(matches.c.id == id).values(guided=yes))


def _check_umpire(summary: MatchSummary) -> None:
    if summary.has_playing_umpire:
        raise InvalidSeating("An umpire sees everything, so they cannot play a side against others, too.")


def _attempt_row(id: str, player: Player, daily: DailyAttempt) -> dict[str, Any]:
    return {
        "match": id,
        "day": daily.day.isoformat(),
        "player": player.id,
        "counted": daily.origin == "daily",
        "at": daily.at,
    }
