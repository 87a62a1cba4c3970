"""Rematches: who starts, offers and joins them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from readyroom.store.base import Part, PlayerEvent, Shared
from readyroom.store.cards import MatchSummary, Player
from readyroom.store.database import WriteConflict
from readyroom.store.errors import NotOver, NotYourSeat, SeatTaken, UnknownMatchId
from readyroom.store.lobby.lobby import Lobby
from readyroom.store.lobby.rematch_seats import rematch_assignment, rematch_id, rematch_seats, reserved_seats
from readyroom.store.lobby.seating import change_seat, check_may_join, join, player_name
from readyroom.store.lobby.starting import Joined, Starter
from readyroom.store.rows import (
    all_cards,
    cards,
    locked_seat,
    match_row,
    one_card,
    post_system_message,
)
from readyroom.store.tables import matches


class WaitingRematch(NamedTuple):
    """A rematch of a finished match that is not over; `swap`: with sides exchanged."""

    match: MatchSummary
    rematch: MatchSummary
    swap: bool


class Rematches(Part):
    """Rematches of finished matches, with new dice and the same people."""

    def __init__(self, shared: Shared, lobby: Lobby, starter: Starter) -> None:
        super().__init__(shared)
        self._lobby, self._starter = lobby, starter

    def create(self, id: str, player: Player, *, swap: bool = False, bot: str = "", client: str = "") -> MatchSummary:
        """Create a match like a finished one, with new dice and the same people; its chat invites them.

        A seat of someone else waits for them: they join by `join`, or others by an invite link. Bots keep their
        seats, or another `bot` takes them; with `swap` everyone plays the other side. If the rematch exists already,
        the player joins it.

        Raises:
            NotOver: the match is not finished.
            NotYourSeat: the player has no seat in it.
            InvalidSeating: the sides cannot be swapped.
        """
        with self._shared.database.reading() as connection:
            row, summary = match_row(connection, id), one_card(connection, id)
        if not summary.is_decided:
            raise NotOver
        if not summary.seats_of(player.id):
            raise NotYourSeat("Only its players can start a rematch.")
        before = rematch_seats(summary, swap=swap)
        wanted = {key: rematch_assignment(seat, player.id, bot) for key, seat in before.items()}
        new = rematch_id(summary, swap=swap, bot=bot)
        with suppress(UnknownMatchId):
            return self._open(summary, self._summary(new), player.id, swap=swap)
        with suppress(WriteConflict):  # another process was faster
            self._lobby.create(
                player,
                summary.game,
                row.scenario,
                summary.options,
                wanted,
                own=row.own,
                pace=summary.pace,
                minutes=summary.clock.minutes if summary.clock is not None else 0,
                listed=summary.public,
                help_agreed=summary.help_agreed and not summary.is_solitaire,
                client=client,
                id=new,
            )
            self._announce(summary, player.id, self._summary(new), swap=swap)
        return self._summary(new)

    def join(self, id: str, player_id: str, *, swap: bool = False) -> MatchSummary:
        """Join the rematch of a finished match in the seats that wait for the player; return its summary.

        Raises:
            NotOver: the match is not finished.
            UnknownMatchId: there is no such rematch.
            NotYourSeat: the player has no seat in the match, or no seat of the rematch waits for them.
        """
        summary = self._summary(id)
        if not summary.is_decided:
            raise NotOver
        if not summary.seats_of(player_id):
            raise NotYourSeat("Only its players can join a rematch.")
        new = self._summary(rematch_id(summary, swap=swap))
        places = reserved_seats(summary, new, player_id, swap=swap)
        if not places:
            raise NotYourSeat("No seat of the rematch waits for you.")
        with self._shared.database.writing() as connection:
            for place in places:
                locked, seat = locked_seat(connection, new.id, place)
                check_may_join(locked, place, player_id)
                if not seat.vacant:
                    raise SeatTaken(f"The seat {seat.name} is taken.")
                join(connection, self._shared.seals, new.id, place, player_id, "")
                change_seat(connection, new.id, place, link=None)
            begun = self._starter.begin_if_ready(connection, new.id)
        result = self._starter.report(new.id, begun, joined=Joined("accepted", player_id, tuple(places)))
        self._post_about(summary, player_id, "accepts the rematch.")
        return result

    def withdraw(self, summary: MatchSummary, new: str, player_id: str) -> None:
        """Cancel the rematch `new` of a finished match as `Lobby.cancel` does, and say so in the match's chat."""
        self._lobby.cancel(new, player_id)
        self._post_about(summary, player_id, "has withdrawn the rematch.")

    def offers(self, player_id: str, among: Iterable[MatchSummary]) -> list[WaitingRematch]:
        """Return the rematches of some finished matches that wait for a player to join them."""
        found = self.unfinished(among)
        return [one for one in found if reserved_seats(one.match, one.rematch, player_id, swap=one.swap)]

    def unfinished(self, among: Iterable[MatchSummary]) -> list[WaitingRematch]:
        """Return the rematches of some finished matches between people that are not over."""
        over = [one for one in among if one.is_decided and len(one.everyone) > 1]
        ids = {rematch_id(one, swap=swap): (one, swap) for one in over for swap in (False, True)}
        wanted = cards.where(matches.c.id.in_(list(ids)), matches.c.outcome.is_(None))
        with self._shared.database.glance() as connection:
            found = all_cards(connection, connection.execute(wanted).all()) if ids else []
        return [WaitingRematch(ids[new.id][0], new, ids[new.id][1]) for new in found]

    def find(self, summary: MatchSummary) -> tuple[MatchSummary, bool] | None:
        """Return the rematch of a finished match and whether its sides are swapped; None if there is none.

        Of two, the one that is not over, then the newer one.
        """
        found = list[tuple[MatchSummary, bool]]()
        for swap in (False, True):
            with suppress(UnknownMatchId):
                found.append((self._summary(rematch_id(summary, swap=swap)), swap))
        return max(found, key=lambda one: (one[0].outcome is None, one[0].created), default=None)

    def _open(self, summary: MatchSummary, new: MatchSummary, player_id: str, *, swap: bool) -> MatchSummary:
        """Return a rematch that exists, after joining the seats that wait for a player, if any."""
        waits = reserved_seats(summary, new, player_id, swap=swap)
        return self.join(summary.id, player_id, swap=swap) if waits else new

    def _announce(self, summary: MatchSummary, player_id: str, new: MatchSummary, *, swap: bool) -> None:
        if len(summary.everyone) < 2:
            return
        self._post_about(summary, player_id, "would like a rematch: see the end of the match.")
        people = {one for seat in summary.seats for one, _ in seat.players}
        waiting = frozenset(one for one in people if reserved_seats(summary, new, one, swap=swap))
        if waiting:
            self._shared.report(PlayerEvent("offered", summary.id, player_id, waiting, swap=swap))

    def _post_about(self, summary: MatchSummary, player_id: str, text: str) -> None:
        """Post a system message about a player in the chat of a finished match, and let its pages follow."""
        with self._shared.database.writing() as connection:
            post_system_message(connection, summary.id, f"{player_name(connection, player_id)} {text}")
        for what in ("seats", "talk"):
            self._shared.notify(summary.id, what, summary.viewer_revisions())

    def _summary(self, id: str) -> MatchSummary:
        with self._shared.database.glance() as connection:
            return one_card(connection, id)
