"""Who sits where: links, joining, leaving, and seats given to bots."""

from __future__ import annotations

import re
from collections.abc import Collection

from sqlalchemy import Connection, and_, bindparam, func, select, update

from readyroom.bots import looks_ahead
from readyroom.engine.errors import MatchOver
from readyroom.engine.text import join_list
from readyroom.store.accounts.players import SAME_BROWSER, add_player
from readyroom.store.base import Part, Shared, bounded, derived_secret, hashed, new_secret, now
from readyroom.store.cards import MatchSummary
from readyroom.store.errors import (
    DailyLocked,
    InvalidText,
    LinkAlreadyUsed,
    NotYourSeat,
    OrderSealed,
    SeatBanned,
    SeatTaken,
    TournamentRefused,
    UnknownLink,
)
from readyroom.store.limits import WORDS_LENGTH
from readyroom.store.lobby.bot_matches import BotMatches
from readyroom.store.lobby.seating import (
    change_seat,
    check_may_join,
    clear_seat,
    end_pass,
    join,
    player_name,
    remove_players,
)
from readyroom.store.lobby.setup import check_bot
from readyroom.store.lobby.starting import Begun, Joined, Starter
from readyroom.store.rows import (
    AnyRow,
    check_not_banned,
    linked_card,
    locked_seat,
    match_row,
    one_card,
    outcome_of,
    post_system_message,
)
from readyroom.store.tables import matches, seats, sessions, sittings

NOT_YET = (
    "Only the player in a seat can give it to a bot. The host can if the seat is empty, or if its decision has been "
    "overdue for ten minutes (real time) or three days (correspondence). Once the match has started, other players can "
    "give an empty seat of their own side to a bot, and any empty seat if it is so overdue or if the host has no seat. "
    "But before that time, those who play against people of its side cannot."
)
SECRET = re.compile(r"[A-Za-z0-9_-]{43}")

_by_spent = select(seats).where(seats.c.spent == bindparam("link"))
_by_link = select(seats).where(seats.c.link == bindparam("link"))


class Seats(Part):
    """Seats of matches, before they begin and after."""

    def __init__(self, shared: Shared, starter: Starter, bot_matches: BotMatches) -> None:
        super().__init__(shared)
        self._starter, self._bot_matches = starter, bot_matches

    # -- joining and leaving -----------------------------------------------------------------------------------------

    def match_by_link(self, secret: str) -> tuple[MatchSummary, str]:
        """Return the match and the seat of a link; raise `UnknownLink`."""
        with self._shared.database.glance() as connection:
            return linked_card(connection, hashed(secret))

    def opens(self, secret: str, id: str, seat: str) -> bool:
        """Return whether a secret is the token of this seat."""
        try:
            summary, found = self.match_by_link(secret)
        except (UnknownLink, SeatBanned):
            return False
        return (summary.id, found) == (id, seat) and summary.has_joined(seat)

    def may_watch(self, session: str, id: str, seat: str | None) -> bool:
        """Return whether a session has not ended, and its player has this seat of a match (None: any or none)."""
        wanted = select(sessions.c.player).where(sessions.c.session == hashed(session))
        if seat is not None:
            wanted = wanted.join(sittings, sittings.c.player == sessions.c.player)
            wanted = wanted.where(sittings.c.match == id, sittings.c.seat == seat)
        with self._shared.database.glance() as connection:
            return connection.execute(wanted).first() is not None

    def used_link(self, secret: str) -> tuple[MatchSummary, str]:
        """Return the match and seat to which a link led before it was used; `UnknownLink`."""
        with self._shared.database.reading() as connection:
            row = connection.execute(_by_spent, {"link": hashed(secret)}).one_or_none()
            if row is None:
                raise UnknownLink
            summary = one_card(connection, row.match)
        check_not_banned(summary, row.seat)
        return summary, row.seat

    def join_by_link(
        self, secret: str, player_id: str | None, dice_nonce: str = "", *, program: bool = False
    ) -> MatchSummary:
        """Join a seat by its link, and start the match if that was the last; None for a program without a player.

        Several people may use a link made by a player of the seat; any other link works once. For a `program` it stays
        valid, as its token. A bot that was given the seat leaves. The nonce is ignored once the match has started.
        Raises `UnknownLink`, `InvalidText`, or `SeatTaken` if the seat has too many players.
        """
        bounded(dice_nonce, WORDS_LENGTH, "Your text for the dice")
        with self._shared.database.writing() as connection:
            seat, row = _linked(connection, secret, program=program)
            begun, joined, messages = self._join_linked(connection, seat, row, player_id, dice_nonce, program=program)
        return self._starter.report(seat.match, begun, messages=messages, joined=joined)

    def join_as_newcomer(
        self, secret: str, name: str, dice_nonce: str = "", *, browser: str = "", device: str = ""
    ) -> tuple[MatchSummary, str]:
        """Join a seat by its link as a new player; return the match and the secret of the player's session.

        `browser` is a secret that only the browser knows, by which `session_by_link` gives it the session again if the
        response was lost. Raises as `join_by_link` does.
        """
        bounded(dice_nonce, WORDS_LENGTH, "Your text for the dice")
        with self._shared.database.writing() as connection:
            seat, row = _linked(connection, secret)
            session = derived_secret(secret, "session", browser) if seat.lent and browser else new_secret()
            enrolled = add_player(connection, name, device, session)
            begun, joined, messages = self._join_linked(connection, seat, row, enrolled.player.id, dice_nonce)
        return self._starter.report(seat.match, begun, messages=messages, joined=joined), session

    def session_by_link(self, secret: str, browser: str) -> str | None:
        """Return the session that a used link gave to a newcomer in this browser less than ten minutes ago, if any."""
        session = derived_secret(secret, "session", browser)
        wanted = (
            select(sessions.c.player)
            .join(sittings, sittings.c.player == sessions.c.player)
            .join(seats, and_(seats.c.match == sittings.c.match, seats.c.seat == sittings.c.seat))
            .where(seats.c.spent == hashed(secret), sessions.c.session == hashed(session))
            .where(sessions.c.since > now() - SAME_BROWSER)
        )
        with self._shared.database.glance() as connection:
            return session if browser and connection.execute(wanted).first() else None

    def _join_linked(
        self,
        connection: Connection,
        seat: AnyRow,
        row: AnyRow,
        player_id: str | None,
        dice_nonce: str,
        *,
        program: bool = False,
    ) -> tuple[Begun | None, Joined | None, bool]:
        """Add a player to the seat of a link.

        Returns whether the match has started now, who has joined (None if they were there), and whether the chat has a
        message about it.
        """
        check_may_join(one_card(connection, seat.match), seat.seat, player_id)
        back = row.outcome is None and bool(seat.bot)
        is_new = join(connection, self._shared.seals, seat.match, seat.seat, player_id, "" if row.begun else dice_nonce)
        if seat.lent and not program:
            change_seat(connection, seat.match, seat.seat, link=None, spent=seat.link)
        who = player_name(connection, player_id)
        if back:
            self._give(connection, seat.match, seat.seat, "", f"{who} joins as {seat.name}; the bot leaves.")
        elif is_new and row.begun:
            post_system_message(connection, seat.match, f"{who} joins as {seat.name}.")
        joined = Joined("joined", player_id, (seat.seat,)) if is_new and player_id else None
        begun = self._starter.begin_if_ready(connection, seat.match)
        return begun, joined, back or (is_new and row.begun)

    def join_open_seat(self, id: str, seat: str, player_id: str, dice_nonce: str = "") -> MatchSummary:
        """Join a seat that is open to anyone; raise `SeatTaken` if it is not."""
        bounded(dice_nonce, WORDS_LENGTH, "Your text for the dice")
        with self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            check_may_join(summary, seat, player_id)
            if not place.open:
                names = join_list([name for _, name in place.players])
                why = f"is taken by {names}" if names else "is not open"
                raise SeatTaken(f"The seat {place.name} {why}.")
            join(connection, self._shared.seals, id, seat, player_id, "" if summary.started else dice_nonce)
            change_seat(connection, id, seat, link=None)
            if summary.started:
                post_system_message(connection, id, f"{player_name(connection, player_id)} joins as {place.name}.")
            begun = self._starter.begin_if_ready(connection, id)
        joined = Joined("joined", player_id, (seat,))
        return self._starter.report(id, begun, messages=summary.started, joined=joined)

    def note_seen(self, id: str, player_ids: Collection[str]) -> None:
        """Note that these players, if they play the match, have just opened or closed their page of it."""
        here = sittings.c.match == id, sittings.c.player.in_(player_ids)
        with self._shared.database.writing() as connection:
            connection.execute(update(sittings).where(*here).values(seen=now()))

    def leave_seat(self, id: str, seat: str, player_id: str) -> None:
        """Leave a seat, and say so once the match has started; its link expires. `NotYourSeat`, `MatchOver`.

        The last to leave a seat that was open to anyone opens it again. The host may empty the seats of others as far
        as `MatchSummary.may_free` says.
        """
        with self._shared.database.writing() as connection:
            row = match_row(connection, id, lock=True)
            if (outcome := outcome_of(row)) is not None:
                raise MatchOver(outcome.title)
            before = one_card(connection, id)
            check_not_banned(before, seat)
            _check_keeps_players(before)
            empties = any(before.may_free(place, player_id) for place in before.seats if place.key == seat)
            if not remove_players(connection, id, seat, None if empties else [player_id]) and not empties:
                raise NotYourSeat("You are not in this seat.")
            with self._shared.seals.seats(connection, id):
                clear_seat(connection, id, seat)
            summary = one_card(connection, id)
            if summary.started:
                left = next(place.name for place in summary.seats if place.key == seat)
                did = "freed" if empties else "left"
                post_system_message(connection, id, f"{player_name(connection, player_id)} has {did} the seat {left}.")
        for what in ("seats", "talk") if summary.started else ("seats",):
            self._shared.notify(id, what, summary.viewer_revisions())

    def new_link(self, id: str, seat: str, player_id: str, secret: str = "") -> str:
        """Create a new link to a seat that `MatchSummary.may_link` allows; the old one expires.

        Who joins sees all that the seat sees; before that it shows nothing. Who joins by that to a bot's seat replaces
        the bot. A program may bring its own secret, so that it can ask again when the answer is lost. Raises
        `NotYourSeat`, `UnknownSeat`, `InvalidText`, or `SeatTaken` if a bot plays the seat for good.
        """
        if secret and not SECRET.fullmatch(secret):
            raise InvalidText("A secret has 43 letters, digits, - and _: 256 random bits in URL-safe base 64.")
        secret = secret or new_secret()
        with self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            check_not_banned(summary, seat)
            _check_not_counted(summary)
            mine = player_id in dict(place.players)
            if not summary.may_link(place, player_id):
                if summary.is_decided:
                    raise SeatTaken("The match has a result, so no one else can join it.")
                if player_id != summary.host:
                    raise NotYourSeat("Only the host or a player in the seat can create a link to it.")
                if place.bot:
                    raise SeatTaken(f"The bot {place.bot} plays {place.name}, so it needs no link.")
                if place.vacant:
                    raise NotYourSeat("You play another side. Only players of its own side can invite to this seat.")
                raise NotYourSeat("This seat is taken; only its player can create a link to it.")
            used = connection.execute(_by_link, {"link": hashed(secret)}).one_or_none()
            if used is not None and (used.match, used.seat) != (id, seat):
                raise InvalidText("This secret belongs to another seat. Use a new one for each.")
            change_seat(connection, id, seat, link=hashed(secret), lent=not mine)
            if place.bot:  # else the link counts as used
                change_seat(connection, id, seat, came=None)
        self._shared.notify(id, "seats", summary.viewer_revisions())
        return secret

    # -- bots --------------------------------------------------------------------------------------------------------

    def assign_bot(self, id: str, seat: str, bot: str, player_id: str, *, client: str = "") -> MatchSummary:
        """Let a bot play a seat from now on, and say so at the table; who sat there may take it back.

        The seat's players may do so at any time; the host, while it is empty or a decision is long overdue; the other
        players of a started match, while it is empty. `client` is as for `create`. Raises `NotYourSeat`, `UnknownSeat`,
        `UnknownBot`, `MatchOver`, `SeatTaken` if a bot plays the seat already, `OrderSealed`, or `TooManyBotMatches` if
        bots play all others.
        """
        with self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            if summary.outcome is not None:
                raise MatchOver(summary.outcome.title)
            if place.bot:
                raise SeatTaken(f"The bot {place.bot} plays {place.name} already.")
            _check_keeps_players(summary)
            if not summary.may_hand_over(place, player_id):
                raise NotYourSeat(NOT_YET)
            game = self._shared.games(summary.game)
            check_bot(game, bot)
            if summary.has_order and looks_ahead(game, bot):
                raise OrderSealed("bot that looks ahead")
            if all(other.bot for other in summary.seats if other.key != seat):
                self._bot_matches.check(connection, client, player_id)
                connection.execute(update(matches).where(matches.c.id == id).values(client=client or matches.c.client))
            who = player_name(connection, player_id)
            self._give(connection, id, seat, bot, f"{who} has assigned the bot {bot} to {place.name}.")
            begun = self._starter.begin_if_ready(connection, id)
        return self._starter.report(id, begun or summary.started, messages=True)

    def reclaim_seat(self, id: str, seat: str, player_id: str) -> MatchSummary:
        """Reclaim a seat from a bot, as a former player of it. `NotYourSeat`, `MatchOver`."""
        with self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            if summary.outcome is not None:
                raise MatchOver(summary.outcome.title)
            if not summary.may_take_back(place, player_id):
                raise NotYourSeat("Only the previous player can reclaim a seat from a bot.")
            # A link to the bot's seat clears the time: who comes back has been there as long as before.
            since = select(func.min(sittings.c.since)).where(sittings.c.match == id, sittings.c.seat == seat)
            start = select(func.min(seats.c.came)).where(seats.c.match == id)
            known = [at for at in (connection.execute(one).scalar() for one in (since, start)) if at is not None]
            change_seat(connection, id, seat, came=func.coalesce(seats.c.came, max(known, default=now())))
            if place.shared:
                change_seat(connection, id, seat, link=None)
            self._give(connection, id, seat, "", f"{player_name(connection, player_id)} has reclaimed {place.name}.")
        return self._starter.report(id, summary.started, messages=True)

    def _give(self, connection: Connection, id: str, seat: str, bot: str, text: str) -> None:
        """Let a bot play a seat (none: people again), and say so to all at the table."""
        with self._shared.seals.seats(connection, id):
            change_seat(connection, id, seat, bot=bot)
            end_pass(connection, id, seat)
            connection.execute(update(matches).where(matches.c.id == id).values(handed=matches.c.handed + 1))
        post_system_message(connection, id, text)


def _check_not_counted(summary: MatchSummary) -> None:
    """Raise `DailyLocked` for a counted attempt at a challenge of the day, which one player plays alone."""
    if summary.is_counted and summary.outcome is None:
        raise DailyLocked("other players")


def _check_keeps_players(summary: MatchSummary) -> None:
    """Raise `DailyLocked` or `TournamentRefused` for a match whose players are not replaced."""
    _check_not_counted(summary)
    if summary.tournament:
        raise TournamentRefused("The players of a tournament match stay. You can concede it on the tournament’s page.")


def _linked(connection: Connection, secret: str, *, program: bool = False) -> tuple[AnyRow, AnyRow]:
    """Return the seat of a link that may be used, and its match, locked until the transaction ends.

    A link by which a program has come is the token of that program; no one else can join by it.
    """
    link = {"link": hashed(secret)}
    row = connection.execute(_by_link, link).one_or_none()
    if row is None:
        raise UnknownLink
    match = match_row(connection, row.match, lock=True)
    # Before the lock, another process may have let someone in.
    row = connection.execute(_by_link, link).one_or_none()
    if row is None:
        raise UnknownLink
    if row.banned is not None:
        raise SeatBanned(row.name, row.banned)
    if row.lent and row.came is not None and not program:
        raise LinkAlreadyUsed
    return row, match
