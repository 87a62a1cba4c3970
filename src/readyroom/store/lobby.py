"""Opening a match, and who sits where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from secrets import token_urlsafe
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace
from sqlalchemy import (
    ColumnElement,
    Connection,
    Exists,
    and_,
    bindparam,
    case,
    delete,
    exists,
    false,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)

from readyroom import bots
from readyroom.engine.errors import MatchOver, UnknownBot, UnknownScenario
from readyroom.engine.game import Game, Scenario, Seat, find_seats
from readyroom.engine.match import Match
from readyroom.engine.rules.dice import fingerprint, secret_of_seed
from readyroom.engine.rules.dice import new_secret as new_dice
from readyroom.engine.text import join_list
from readyroom.store.base import Part, PlayerEvent, bounded, clean_text, derived_secret, hashed, new_id, new_secret, now
from readyroom.store.cards import CreatedMatch, Experience, MatchSummary, Pace, Player, SeatAssignment
from readyroom.store.database import WriteConflict
from readyroom.store.errors import (
    InvalidSeating,
    InvalidText,
    LinkAlreadyUsed,
    NotOver,
    NotTheHost,
    NotYourSeat,
    SeatBanned,
    SeatTaken,
    TooManyBotMatches,
    UnknownLink,
    UnknownMatchId,
)
from readyroom.store.live import BOTS_TIME, AnyMatch, line_rows, state_columns
from readyroom.store.players import SAME_BROWSER, add_player
from readyroom.store.rematches import rematch_assignment, rematch_id, rematch_seats, reserved_seats
from readyroom.store.rows import (
    AnyRow,
    all_cards,
    cards,
    check_not_banned,
    is_vacant,
    linked_card,
    locked_seat,
    match_row,
    one_card,
    outcome_of,
    post_system_message,
    seat_rows,
)
from readyroom.store.tables import away, checkpoints, log, matches, players, seats, sessions, sittings

AnyGame = Game[Any, Any]


class _Joined(NamedTuple):
    """Who has joined which seats, of any match or of a rematch."""

    kind: Literal["joined", "accepted"]
    player: str
    seats: tuple[str, ...]


class WaitingRematch(NamedTuple):
    """A rematch of a finished match that waits for a player; `swap`: with sides exchanged."""

    match: MatchSummary
    rematch: MatchSummary
    swap: bool


STATE_BYTES = 32_768
"""The most bytes of a custom scenario's state at the start; the largest that a game brings has a third of that."""
OWN_LENGTH, TITLE_LENGTH, WORDS_LENGTH, SEED_LENGTH = 200_000, 200, 200, 200
SEAT_PLAYERS = 10
"""The most players of a seat, who share it by a link."""
MANY = 200
"""The number of matches that are listed at once."""
LISTED_EACH = 5
"""The number of public matches of one client that are listed on a server with limits."""
ALERTED = 500
"""The most players who are notified of a match with open seats."""
BOT_MATCH_STUCK = 24 * 3600.0
"""Seconds without a change after which a match between bots no longer counts as running."""
BOT_MATCH_AGAIN = 3600.0
"""Seconds in which those who want to watch a match between bots are shown the same one."""
BOT_MATCHES_LOCK = 0x424F5453
"""The key of PostgreSQL's advisory lock for counting matches between bots."""

NOT_YET = (
    "Only the player in a seat can give it to a bot. The host can if the seat is empty, or if a decision has been "
    "overdue for ten minutes (real time) or three days (correspondence)."
)

_by_spent = select(seats).where(seats.c.spent == bindparam("link"))
SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
_by_link = select(seats).where(seats.c.link == bindparam("link"))
_encode = msgspec.json.Encoder().encode


class BotMatchLimits(NamedTuple):
    """The most unfinished matches in which only bots play: of `each` client and player, and of `all`."""

    each: int = 3
    all: int = 20


class Lobby(Part):
    """Matches before they begin, and their seats at any time.

    `bot_matches` limits those in which only bots play (None: no limit), and `listed_each` how many public matches of a
    client are listed (0: all).
    """

    bot_matches: BotMatchLimits | None = None
    listed_each: int = 0

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

        Raises:
            UnknownGame, UnknownScenario, UnknownOption, UnknownSeat, UnknownBot; InvalidData, InvalidSeating,
            InvalidText; TooManyBotMatches.
        """
        result = self._shared.games(game)
        played, choices = _scenario(result, scenario, own), result.resolve(options)
        check_size(result, played, choices)
        secret = new_dice() if seed is None else secret_of_seed(bounded(seed, SEED_LENGTH, "The seed"))
        assigned = _seating(result, result.rules.seats(played, choices), wanted, host)
        bounded(dice_nonce, WORDS_LENGTH, "Your text for the dice")
        opened = CreatedMatch(
            id or new_id(), {seat.key: new_secret() for seat, who in assigned if who.kind == "friend"}
        )
        row = new_match_row(opened.id, host, result, played, choices, fingerprint(secret))
        row |= {"secret": secret, "seed": seed, "pace": pace, "listed": listed, "guided": guided, "client": client}
        row |= {"origin": "" if seed is None else "seed", "experience": experience}
        with self._shared.database.writing() as connection:
            if all(who.kind == "bot" for _, who in assigned):
                self._check_bot_matches(connection, client, host.id if host is not None else "")
            connection.execute(insert(matches), row)
            places = [seat_row(opened, n, seat, who, dice_nonce) for n, (seat, who) in enumerate(assigned)]
            connection.execute(insert(seats), places)
            if host is not None:
                mine = [seat.key for seat, who in assigned if who.kind == "me"]
                sit_down(connection, opened.id, mine, host.id)
            if joined := [seat.key for seat, who in assigned if who.joins]:
                sit_down(connection, opened.id, joined, add_player(connection, newcomer).player.id)
            self._shared.seals.write(connection, opened.id)
            begun = self._begin_if_ready(connection, opened.id)
        self._after(opened.id, begun)
        if listed and not begun:
            self._report_open_seats(opened.id, game, host.id if host is not None else "")
        return opened

    def _report_open_seats(self, id: str, game: str, host: str) -> None:
        """Report a public match with open seats to the players who want to know of it."""
        wanted = select(players.c.id).where(
            players.c.alerts.contains(f" {game} ", autoescape=True), players.c.id != host
        )
        with self._shared.database.glance() as connection:
            is_open = connection.execute(select(matches.c.id).where(matches.c.id == id, _has_open_seat)).first()
            others = connection.execute(wanted.limit(ALERTED)).scalars().all() if is_open else []
        if others:
            self._shared.report(PlayerEvent("opened", id, host, frozenset(others)))

    # -- rematches ---------------------------------------------------------------------------------------------------

    def rematch(self, id: str, player: Player, *, swap: bool = False, client: str = "") -> MatchSummary:
        """Create a match like a finished one, with new dice and the same people; its chat invites them.

        A seat of someone else waits for them: they join by `join_rematch`, or others by an invite link. Bots keep their
        seats; with `swap` everyone plays the other side. If the rematch exists already, the player joins it.

        Raises:
            NotOver: the match is not finished.
            NotYourSeat: the player has no seat in it.
            InvalidSeating: the sides cannot be swapped.
        """
        with self._shared.database.reading() as connection:
            row, summary = match_row(connection, id), one_card(connection, id)
        if summary.outcome is None:
            raise NotOver
        if not summary.seats_of(player.id):
            raise NotYourSeat("Only its players can start a rematch.")
        wanted = {key: rematch_assignment(seat, player.id) for key, seat in rematch_seats(summary, swap=swap).items()}
        new = rematch_id(summary, swap=swap)
        with suppress(UnknownMatchId):
            return self._open_rematch(summary, self.summary(new), player.id, swap=swap)
        with suppress(WriteConflict):  # another process was faster
            self.create(
                player,
                summary.game,
                row.scenario,
                summary.options,
                wanted,
                own=row.own,
                pace=summary.pace,
                listed=summary.public,
                client=client,
                id=new,
            )
            self._announce_rematch(summary, player.id, self.summary(new), swap=swap)
        return self.summary(new)

    def _open_rematch(self, summary: MatchSummary, new: MatchSummary, player_id: str, *, swap: bool) -> MatchSummary:
        """Return a rematch that exists, after joining the seats that wait for a player, if any."""
        waits = reserved_seats(summary, new, player_id, swap=swap)
        return self.join_rematch(summary.id, player_id, swap=swap) if waits else new

    def _announce_rematch(self, summary: MatchSummary, player_id: str, new: MatchSummary, *, swap: bool) -> None:
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
            post_system_message(connection, summary.id, f"{_called(connection, player_id)} {text}")
        for what in ("seats", "talk"):
            self._shared.notify(summary.id, what, summary.viewer_revisions())

    def join_rematch(self, id: str, player_id: str, *, swap: bool = False) -> MatchSummary:
        """Join the rematch of a finished match in the seats that wait for the player; return its summary.

        Raises:
            NotOver: the match is not finished.
            UnknownMatchId: there is no such rematch.
            NotYourSeat: the player has no seat in the match, or no seat of the rematch waits for them.
        """
        summary = self.summary(id)
        if summary.outcome is None:
            raise NotOver
        if not summary.seats_of(player_id):
            raise NotYourSeat("Only its players can join a rematch.")
        new = self.summary(rematch_id(summary, swap=swap))
        places = reserved_seats(summary, new, player_id, swap=swap)
        if not places:
            raise NotYourSeat("No seat of the rematch waits for you.")
        with self._shared.database.writing() as connection:
            for place in places:
                locked, seat = locked_seat(connection, new.id, place)
                check_not_banned(locked, place)
                if not seat.vacant:
                    raise SeatTaken(f"The seat {seat.name} is taken.")
                self._join(connection, new.id, place, player_id, "")
                change_seat(connection, new.id, place, link=None)
            begun = self._begin_if_ready(connection, new.id)
        result = self._after(new.id, begun, joined=_Joined("accepted", player_id, tuple(places)))
        self._post_about(summary, player_id, "accepts the rematch.")
        return result

    def rematch_offers(self, player_id: str, among: Iterable[MatchSummary]) -> list[WaitingRematch]:
        """Return the rematches of some finished matches that wait for a player to join them."""
        over = [one for one in among if one.outcome is not None and len(one.everyone) > 1]
        ids = {rematch_id(one, swap=swap): (one, swap) for one in over for swap in (False, True)}
        wanted = cards.where(matches.c.id.in_(list(ids)), matches.c.outcome.is_(None))
        with self._shared.database.glance() as connection:
            found = all_cards(connection, connection.execute(wanted).all()) if ids else []
        offers = [WaitingRematch(ids[new.id][0], new, ids[new.id][1]) for new in found]
        return [one for one in offers if reserved_seats(one.match, one.rematch, player_id, swap=one.swap)]

    def rematch_of(self, summary: MatchSummary) -> tuple[MatchSummary, bool] | None:
        """Return the rematch of a finished match and whether its sides are swapped; None if there is none.

        Of two, the one that is not over, then the newer one.
        """
        found = list[tuple[MatchSummary, bool]]()
        for swap in (False, True):
            with suppress(UnknownMatchId):
                found.append((self.summary(rematch_id(summary, swap=swap)), swap))
        return max(found, key=lambda one: (one[0].outcome is None, one[0].created), default=None)

    # -- beginning ---------------------------------------------------------------------------------------------------

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
            self._begin(connection, row, seat_rows(connection, id))
        self._after(id, begun=True)

    def begin_if_ready(self, id: str) -> MatchSummary:
        """Start a match that has not started although no seat is empty, and return its summary."""
        with self._shared.database.writing() as connection:
            match_row(connection, id, lock=True)
            begun = self._begin_if_ready(connection, id)
        return self._after(id, begun=True) if begun else self.summary(id)

    def ready_matches(self) -> list[str]:
        """Return the matches that have not started although no seat is empty: those that `begin_if_ready` starts."""
        seated = exists().where(seats.c.match == matches.c.id)
        empty = seated.where(seats.c.bot == "", seats.c.came.is_(None))
        with self._shared.database.reading() as connection:
            ready = select(matches.c.id).where(~matches.c.begun, matches.c.damaged.is_(None), seated, ~empty)
            return list(connection.execute(ready).scalars())

    def _begin_if_ready(self, connection: Connection, id: str) -> bool:
        """Start the match if no seat is empty any more; return whether it has started now."""
        row, places = match_row(connection, id), seat_rows(connection, id)
        if row.begun or any(map(is_vacant, places)):
            return False
        self._begin(connection, row, places)
        return True

    def _begin(self, connection: Connection, row: AnyRow, places: list[AnyRow]) -> None:
        """Fix the dice by the secret and the words of all seats, set up, and sign the header."""
        self._shared.seals.check_start(connection, row, places)
        game = self._shared.games(row.game)
        match: AnyMatch = Match(
            game,
            _scenario(game, row.scenario, row.own),
            msgspec.json.decode(row.options),
            row.seed,
            nonces={place.seat: place.words for place in places if place.words},
            secret=row.secret,
        )
        header = replace(match.header, origin=row.origin or UNSET)
        if self._shared.signer is not None:
            header = self._shared.signer.sign(header, row.id)
        match.continue_record(header)
        write_start(connection, row.id, match)
        self._shared.seals.write(connection, row.id)

    def _after(self, id: str, begun: bool, *, messages: bool = False, joined: _Joined | None = None) -> MatchSummary:
        """Notify listeners of changed seats; where bots have joined or the match has started, they make moves."""
        bots_due = False
        if begun:
            with self._shared.live.hold(id) as live:
                bots_due = live.run_bots(BOTS_TIME)
                if live.match.revision != live.revision:
                    self._shared.live.save(live)
        summary = self.summary(id)
        if joined is not None and (others := summary.people - {joined.player}):
            event = PlayerEvent(joined.kind, id, joined.player, frozenset(others), joined.seats, started=begun)
            self._shared.report(event)
        revisions = summary.viewer_revisions()
        self._shared.notify(id, "seats", revisions)
        if begun:
            self._shared.notify(id, "moved", revisions)
        if messages:
            self._shared.notify(id, "talk", revisions)
        if bots_due:
            self._shared.bots_due(id)
        return summary

    def _check_bot_matches(self, connection: Connection, client: str, player_id: str) -> None:
        """Raise `TooManyBotMatches` if one more match between bots would exceed a limit."""
        if self.bot_matches is None:
            return
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": BOT_MATCHES_LOCK})
        of_client = matches.c.client == client if client else false()
        sits = exists().where(sittings.c.match == matches.c.id, sittings.c.player == player_id)
        of_player = or_(matches.c.host == player_id, sits)
        people = exists().where(seats.c.match == matches.c.id, seats.c.bot == "")
        counts = [func.coalesce(func.sum(case((own, 1), else_=0)), 0) for own in (of_client, of_player)]
        running = matches.c.begun, matches.c.outcome.is_(None), matches.c.changed > now() - BOT_MATCH_STUCK
        row = connection.execute(select(func.count(), *counts).where(*running, ~people)).one()
        if max(row[1], row[2]) >= self.bot_matches.each:
            raise TooManyBotMatches(self.bot_matches.each)
        if row[0] >= self.bot_matches.all:
            raise TooManyBotMatches

    # -- seats -------------------------------------------------------------------------------------------------------

    def match_by_link(self, secret: str) -> tuple[MatchSummary, str]:
        """Return the match and the seat of a link; raise `UnknownLink`."""
        with self._shared.database.glance() as connection:
            return linked_card(connection, hashed(secret))

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
        return self._after(seat.match, begun, messages=messages, joined=joined)

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
        return self._after(seat.match, begun, messages=messages, joined=joined), session

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
        with self._shared.database.reading() as connection:
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
    ) -> tuple[bool, _Joined | None, bool]:
        """Add a player to the seat of a link.

        Returns whether the match has started now, who has joined (None if they were there, or the match is over), and
        whether the chat has a message about it.
        """
        back, is_over = row.outcome is None and bool(seat.bot), row.outcome is not None
        is_new = self._join(connection, seat.match, seat.seat, player_id, "" if row.begun else dice_nonce)
        if seat.lent and not program:
            change_seat(connection, seat.match, seat.seat, link=None, spent=seat.link)
        who = _called(connection, player_id)
        if back:
            self._give(connection, seat.match, seat.seat, "", f"{who} joins as {seat.name}; the bot leaves.")
        elif is_new and row.begun and not is_over:
            post_system_message(connection, seat.match, f"{who} joins as {seat.name}.")
        joined = _Joined("joined", player_id, (seat.seat,)) if is_new and player_id and not is_over else None
        begun = self._begin_if_ready(connection, seat.match)
        return begun, joined, back or (is_new and row.begun and not is_over)

    def join_open_seat(self, id: str, seat: str, player_id: str, dice_nonce: str = "") -> MatchSummary:
        """Join a seat that is open to anyone; raise `SeatTaken` if it is not."""
        bounded(dice_nonce, WORDS_LENGTH, "Your text for the dice")
        with self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            check_not_banned(summary, seat)
            if not place.open:
                names = join_list([name for _, name in place.players])
                why = f"is taken by {names}" if names else "is not open"
                raise SeatTaken(f"The seat {place.name} {why}.")
            self._join(connection, id, seat, player_id, "" if summary.started else dice_nonce)
            if summary.started:
                post_system_message(connection, id, f"{_called(connection, player_id)} joins as {place.name}.")
            begun = self._begin_if_ready(connection, id)
        joined = _Joined("joined", player_id, (seat,))
        return self._after(id, begun, messages=summary.started, joined=joined)

    def _join(self, connection: Connection, id: str, seat: str, player_id: str | None, dice_nonce: str) -> bool:
        """Add a player to a seat; return whether they were not there yet.

        Raises `SeatTaken` if it has `SEAT_PLAYERS` already.
        """
        here = select(sittings.c.player).where(sittings.c.match == id, sittings.c.seat == seat)
        sitting = set(connection.execute(here).scalars())
        if player_id is not None and player_id not in sitting and len(sitting) >= SEAT_PLAYERS:
            raise SeatTaken(f"This seat has {SEAT_PLAYERS} players already, which is the limit.")
        with self._shared.seals.seats(connection, id):
            change_seat(connection, id, seat, came=func.coalesce(seats.c.came, now()))
            if dice_nonce:
                change_seat(connection, id, seat, words=dice_nonce)
        if player_id is not None:
            sit_down(connection, id, [seat], player_id)
        return player_id is not None and player_id not in sitting

    def _give(self, connection: Connection, id: str, seat: str, bot: str, text: str) -> None:
        """Let a bot play a seat (none: people again), and say so to all at the table."""
        with self._shared.seals.seats(connection, id):
            change_seat(connection, id, seat, bot=bot)
            connection.execute(update(matches).where(matches.c.id == id).values(handed=matches.c.handed + 1))
        post_system_message(connection, id, text)

    def leave_seat(self, id: str, seat: str, player_id: str) -> None:
        """Leave a seat; its link expires, and the last to leave opens it to anyone. `NotYourSeat`, `MatchOver`."""
        with self._shared.database.writing() as connection:
            row = match_row(connection, id, lock=True)
            if (outcome := outcome_of(row)) is not None:
                raise MatchOver(outcome.title)
            here = (sittings.c.match == id, sittings.c.seat == seat, sittings.c.player == player_id)
            if not connection.execute(delete(sittings).where(*here)).rowcount:
                raise NotYourSeat("You are not in this seat.")
            with self._shared.seals.seats(connection, id):
                clear_seat(connection, id, seat)
            summary = one_card(connection, id)
        self._shared.notify(id, "seats", summary.viewer_revisions())

    def new_link(self, id: str, seat: str, player_id: str, secret: str = "") -> str:
        """Create a new link to a seat, for its players, or for the host while it is empty; the old one stops working.

        A link shows all that its seat sees, so the host makes none to a seat that is taken. A program may bring its own
        secret, so that it can ask again when the answer is lost. Raises `NotYourSeat`, `UnknownSeat`, `InvalidText`, or
        `SeatTaken` if a bot plays the seat.
        """
        if secret and not SECRET.fullmatch(secret):
            raise InvalidText("A secret has 43 letters, digits, - and _: 256 random bits in URL-safe base 64.")
        secret = secret or new_secret()
        with self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            check_not_banned(summary, seat)
            mine = player_id in dict(place.players)
            if not mine and player_id != summary.host:
                raise NotYourSeat("Only the host or a player in the seat can create a link to it.")
            if place.bot:
                raise SeatTaken(f"The bot {place.bot} plays {place.name}, so it needs no link.")
            if not mine and not place.vacant:
                raise NotYourSeat("This seat is taken; only its player can create a link to it.")
            used = connection.execute(_by_link, {"link": hashed(secret)}).one_or_none()
            if used is not None and (used.match, used.seat) != (id, seat):
                raise InvalidText("This secret belongs to another seat. Use a new one for each.")
            change_seat(connection, id, seat, link=hashed(secret), lent=not mine)
        self._shared.notify(id, "seats", summary.viewer_revisions())
        return secret

    def assign_bot(self, id: str, seat: str, bot: str, player_id: str, *, client: str = "") -> MatchSummary:
        """Let a bot play a seat from now on, and say so at the table; who sat there may take it back.

        The seat's players may do so at any time; the host, while it is empty or a decision is long overdue. `client` is
        as for `create`. Raises `NotYourSeat`, `UnknownSeat`, `UnknownBot`, `MatchOver`, `SeatTaken` if a bot plays the
        seat already, or `TooManyBotMatches` if bots play all others.
        """
        with self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            if summary.outcome is not None:
                raise MatchOver(summary.outcome.title)
            if place.bot:
                raise SeatTaken(f"The bot {place.bot} plays {place.name} already.")
            if not summary.may_hand_over(place, player_id):
                raise NotYourSeat(NOT_YET)
            _known_bot(self._shared.games(summary.game), bot)
            if all(other.bot for other in summary.seats if other.key != seat):
                self._check_bot_matches(connection, client, player_id)
                connection.execute(update(matches).where(matches.c.id == id).values(client=client or matches.c.client))
            who = _called(connection, player_id)
            self._give(connection, id, seat, bot, f"{who} has assigned the bot {bot} to {place.name}.")
            begun = self._begin_if_ready(connection, id)
        return self._after(id, begun or summary.started, messages=True)

    def reclaim_seat(self, id: str, seat: str, player_id: str) -> MatchSummary:
        """Reclaim a seat from a bot, as a former player of it. `NotYourSeat`, `MatchOver`."""
        with self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            if summary.outcome is not None:
                raise MatchOver(summary.outcome.title)
            if not summary.may_take_back(place, player_id):
                raise NotYourSeat("Only the previous player can reclaim a seat from a bot.")
            self._give(connection, id, seat, "", f"{_called(connection, player_id)} has reclaimed {place.name}.")
        return self._after(id, summary.started, messages=True)

    # -- looking -----------------------------------------------------------------------------------------------------

    def summary(self, id: str) -> MatchSummary:
        """Return the public facts of a match; raise `UnknownMatchId`."""
        with self._shared.database.glance() as connection:
            return one_card(connection, id)

    def matches_of(self, player_id: str, *, hidden: bool = False, limit: int = MANY) -> list[MatchSummary]:
        """Return the matches that a player plays or hosts: their turn first, then unfinished ones, then the rest.

        With `hidden`, return only the hidden matches; otherwise all others. Each kind is sorted by its last change.
        """
        is_asked = matches.c.waiting.contains(literal('"').concat(seats.c.seat).concat('"'))
        their_turn = (matches.c.waiting != "[]") & _plays(player_id, is_asked)
        kind = case((matches.c.outcome.is_not(None), 2), (their_turn, 0), else_=1)
        wanted = cards.where(*_listed_for(player_id, hidden)).order_by(kind, matches.c.announced.desc()).limit(limit)
        with self._shared.database.reading() as connection:
            return all_cards(connection, connection.execute(wanted).all())

    def waiting_for(self, player_id: str) -> list[str]:
        """Return the matches that wait for a player and that they have not hidden, the one that waits longest first."""
        is_asked = matches.c.waiting.contains(literal('"').concat(seats.c.seat).concat('"'))
        wanted = (
            select(matches.c.id)
            .where(matches.c.begun, matches.c.outcome.is_(None), matches.c.damaged.is_(None), matches.c.waiting != "[]")
            .where(*_listed_for(player_id, hidden=False), _plays(player_id, is_asked))
            .order_by(matches.c.announced, matches.c.id)
            .limit(MANY)
        )
        with self._shared.database.glance() as connection:
            return list(connection.execute(wanted).scalars())

    def count_hidden(self, player_id: str) -> int:
        """Return the number of matches that a player has hidden."""
        wanted = select(func.count()).select_from(matches).where(*_listed_for(player_id, hidden=True))
        with self._shared.database.glance() as connection:
            return connection.execute(wanted).scalar_one()

    def set_hidden(self, id: str, player_id: str, yes: bool = True) -> None:
        """Hide a match from a player's list, or (no) show it again. `NotYourSeat`."""
        here = (away.c.match == id, away.c.player == player_id)
        with self._shared.database.writing() as connection:
            row = match_row(connection, id, lock=True)
            if row.host != player_id and not _sat_on(connection, id, player_id):
                raise NotYourSeat("You can hide only matches that you play or host.")
            connection.execute(delete(away).where(*here))
            if yes:
                connection.execute(insert(away), {"match": id, "player": player_id})

    def set_tutorial(self, id: str, player_id: str, yes: bool) -> None:
        """Show a match as a tutorial to its players, or (no) stop that. `NotYourSeat`."""
        with self._shared.database.writing() as connection:
            match_row(connection, id, lock=True)
            if not _sat_on(connection, id, player_id):
                raise NotYourSeat("Only the player of a tutorial can pause it.")
            with self._shared.seals.seats(connection, id):
                connection.execute(update(matches).where(matches.c.id == id).values(guided=yes))

    def public_matches(
        self,
        *,
        open_seats: bool | None = None,
        without: str = "",
        limit: int = MANY,
        game: str = "",
        pace: str = "",
        experience: str = "",
    ) -> list[MatchSummary]:
        """Return the public matches that are not over, the last changed first; of a client only `listed_each`.

        Players who are not on the ladder have no names in them.

        Args:
            open_seats: only those with a seat open to anyone, or only those in progress without one.
            without: the id of a player whose matches are left out.
            limit: how many at most.
            game: only those of this game.
            pace: only those of this speed.
            experience: only those whose host looks for this, or for anyone.
        """
        wanted = cards.where(matches.c.listed, matches.c.outcome.is_(None))
        wanted = wanted.where(matches.c.game == game) if game else wanted
        wanted = wanted.where(matches.c.pace == pace) if pace else wanted
        wanted = wanted.where(matches.c.experience.in_(("", experience))) if experience else wanted
        if open_seats is not None:
            wanted = wanted.where(_has_open_seat if open_seats else matches.c.begun & ~_has_open_seat)
        if without:
            wanted = wanted.where(~_plays(without))
        changed = matches.c.announced.desc()
        if self.listed_each:
            creator = case((matches.c.client == "", matches.c.id), else_=matches.c.client)
            place = func.row_number().over(partition_by=creator, order_by=changed).label("place")
            ranked = select(matches.c.id, place).where(matches.c.listed, matches.c.outcome.is_(None)).subquery()
            first = select(ranked.c.id).where(ranked.c.place <= self.listed_each)
            wanted = wanted.where(matches.c.id.in_(first))
        with self._shared.database.reading() as connection:
            found = all_cards(connection, connection.execute(wanted.order_by(changed).limit(limit)).all())
        return [summary.in_public(without) for summary in found]

    def count_open_seats(self, without: str = "") -> int:
        """Return the number of seats of public matches that are open to anyone, without the matches of a player."""
        wanted = select(func.count()).select_from(seats.join(matches, matches.c.id == seats.c.match))
        wanted = wanted.where(matches.c.listed, matches.c.outcome.is_(None), *_IS_OPEN)
        wanted = wanted.where(~_plays(without)) if without else wanted
        with self._shared.database.glance() as connection:
            return connection.execute(wanted).scalar_one()

    def bot_match(self, game: str) -> str | None:
        """Return a public match of a game in which only bots play, played lately; None if there is none."""
        people = exists().where(seats.c.match == matches.c.id, seats.c.bot == "")
        wanted = select(matches.c.id).where(matches.c.listed, matches.c.game == game, matches.c.begun, ~people)
        wanted = wanted.where(matches.c.damaged.is_(None), matches.c.record.is_(None))
        wanted = wanted.where(matches.c.announced > now() - BOT_MATCH_AGAIN).order_by(matches.c.announced.desc())
        with self._shared.database.glance() as connection:
            found: str | None = connection.execute(wanted.limit(1)).scalar()
        return found


_IS_OPEN = (
    *(seats.c.who == "anyone", seats.c.bot == "", seats.c.came.is_(None), seats.c.banned.is_(None)),
    ~exists().where(sittings.c.match == seats.c.match, sittings.c.seat == seats.c.seat),
)
"""The conditions for a seat that anyone can take."""
_has_open_seat = exists().where(seats.c.match == matches.c.id, *_IS_OPEN)


def _plays(player_id: str, *also: ColumnElement[bool]) -> Exists:
    """Return the condition that a player has a seat, for which more may hold, and no bot replaces them and no ban."""
    place = (seats.c.match == matches.c.id, sittings.c.match == matches.c.id, sittings.c.seat == seats.c.seat)
    return exists().where(*place, sittings.c.player == player_id, seats.c.bot == "", seats.c.banned.is_(None), *also)


def _listed_for(player_id: str, hidden: bool) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for the matches that a player plays or hosts, and has hidden or not."""
    sits = select(sittings.c.match).where(sittings.c.player == player_id)
    is_away = matches.c.id.in_(select(away.c.match).where(away.c.player == player_id))
    return or_(matches.c.id.in_(sits), matches.c.host == player_id), is_away if hidden else ~is_away


def new_match_row(
    id: str, host: Player | None, game: AnyGame, scenario: Scenario, options: Mapping[str, str], fingerprint: str
) -> dict[str, Any]:
    """Return the row of a match that has not started; its dice key is added later."""
    at = now()
    return {
        "id": id,
        "host": host.id if host else None,
        "game": game.key,
        "title": game.title,
        "version": game.version,
        "scenario": scenario.key,
        "scenario_title": scenario.title,
        "own": scenario.text,
        "options": _encode(options).decode(),
        "created": at,
        "changed": at,
        "announced": at,
        "fingerprint": fingerprint,
        "pace": "live",
        **dict.fromkeys(("listed", "guided", "begun"), False),
        **dict.fromkeys(("revision", "turn", "lines", "barrier"), 0),
        "phase": "",
        "waiting": "[]",
        "seal": "",
    }


def random_words() -> str:
    """Return a random text for the dice key, as a default for a player."""
    return token_urlsafe(12)


def write_start(connection: Connection, id: str, match: AnyMatch) -> None:
    """Store a match before its first decision, with the header of its record."""
    values, checkpoint = state_columns(match)
    header = match.header
    values |= {"header": _encode(header).decode(), "signer": header.signer or "", "signature": header.signature or ""}
    values["announced"] = values["changed"]
    connection.execute(update(matches).where(matches.c.id == id).values(begun=True, **values))
    connection.execute(insert(checkpoints), {"match": id, **asdict(checkpoint)})
    if lines := line_rows(id, match.full_log, 0):
        connection.execute(insert(log), lines)


def check_size(game: AnyGame, scenario: Scenario, options: Mapping[str, str]) -> None:
    """Raise `InvalidText` if a custom scenario has more pieces than its pages can show quickly."""
    if scenario.text is not None and (size := len(game.encode(game.initial_state(scenario, options)))) > STATE_BYTES:
        raise InvalidText(f"The scenario has too many pieces: {size:,} bytes; the maximum is {STATE_BYTES:,}.")


def _scenario(game: AnyGame, key: str | None, own: str | None) -> Scenario:
    """Return the scenario of this key, or a custom one. File names are not accepted, so no server file is read."""
    if own is not None:
        bounded(own, OWN_LENGTH, "The scenario")
        name = "".join(letter for letter in key or "own" if letter.isalnum() or letter in "-_ ")
        scenario = game.own_scenario(own.encode(), f"{name.strip() or 'own'}.toml")
        clean_text(scenario.title, TITLE_LENGTH, "The title of the scenario", lines=False)
        return scenario
    known = {scenario.key: scenario for scenario in game.rules.scenarios(game.data)}
    if key is None:
        return game.first_scenario
    if key not in known:
        raise UnknownScenario(key, known, where=game.key)
    return known[key]


def _seating(
    game: AnyGame, places: Sequence[Seat], wanted: Mapping[str, SeatAssignment], host: Player | None
) -> list[tuple[Seat, SeatAssignment]]:
    by_side = {seat.key: who for name, who in wanted.items() for seat in find_seats(places, name)}
    data = {**by_side, **{seat.key: wanted[seat.key] for seat in places if seat.key in wanted}}
    for seat in places:
        if seat.key not in data:
            raise InvalidSeating(f"No player is named for {seat.name}: use me, a bot, friend or anyone.")
        if data[seat.key].kind == "me" and host is None:
            raise InvalidSeating(f"This match has no host, so {seat.name} cannot be 'me'.")
        if data[seat.key].kind == "bot":
            _known_bot(game, data[seat.key].bot)
    return [(seat, data[seat.key]) for seat in places]


def _known_bot(game: AnyGame, name: str) -> None:
    """Raise `UnknownBot` unless a bot of this name is offered; visitors cannot set its time limit."""
    if not bots.is_offered(game, name):
        raise UnknownBot(name, bots.bot_names(game), where=game.key)


def seat_row(opened: CreatedMatch, place: int, seat: Seat, who: SeatAssignment, dice_nonce: str = "") -> dict[str, Any]:
    """Return the row of a seat of a new match."""
    taken = who.kind == "me" or who.joins
    return {
        "match": opened.id,
        "seat": seat.key,
        "place": place,
        "name": seat.name,
        "side": seat.side,
        "who": who.kind,
        "bot": who.bot if who.kind == "bot" else "",
        "link": hashed(opened.links[seat.key]) if seat.key in opened.links else None,
        "lent": not who.joins,
        "came": now() if taken else None,
        "words": dice_nonce if taken else "",
    }


def sit_down(connection: Connection, id: str, places: Sequence[str], player_id: str) -> None:
    """Add a player to these seats, except where they sit already."""
    known = _sat_on(connection, id, player_id)
    rows = [{"match": id, "seat": seat, "player": player_id, "since": now()} for seat in places if seat not in known]
    if rows:
        connection.execute(insert(sittings), rows)


def _sat_on(connection: Connection, id: str, player_id: str) -> set[str]:
    """Return the seats that a player has, or in which a bot replaces them."""
    here = (sittings.c.match == id, sittings.c.player == player_id)
    return set(connection.execute(select(sittings.c.seat).where(*here)).scalars())


def change_seat(connection: Connection, id: str, seat: str, **values: object) -> None:
    """Change columns of a seat."""
    connection.execute(update(seats).where(seats.c.match == id, seats.c.seat == seat).values(**values))


def clear_seat(connection: Connection, id: str, seat: str) -> None:
    """Remove a player from a seat: its link expires, and the last to leave opens it to anyone."""
    change_seat(connection, id, seat, link=None)
    if connection.execute(select(sittings.c.player).where(sittings.c.match == id, sittings.c.seat == seat)).first():
        return
    change_seat(connection, id, seat, came=None, words="")


def _called(connection: Connection, player_id: str | None) -> str:
    """Return a player's name; a program that uses a link has none."""
    return connection.execute(select(players.c.name).where(players.c.id == player_id)).scalar() or "Somebody"


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
