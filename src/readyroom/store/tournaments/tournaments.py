"""Tournaments: who plays, the matches of each round, and their results."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from random import SystemRandom
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, bindparam, case, delete, exists, func, insert, select, update

from readyroom.engine.text import join_list
from readyroom.store.accounts.players import DAY
from readyroom.store.base import PlayerEvent, SeriesPart, Shared, bounded, clean_text, hashed, new_id, new_secret, now
from readyroom.store.cards import Pace, Player, SeatAssignment, from_timestamp
from readyroom.store.database import WriteConflict
from readyroom.store.errors import (
    InvalidSeating,
    NotYourSeat,
    TooManyTournaments,
    TournamentRefused,
    UnknownLink,
    UnknownTournament,
)
from readyroom.store.limits import WORDS_LENGTH
from readyroom.store.lobby.lobby import Lobby
from readyroom.store.lobby.seats import Seats
from readyroom.store.lobby.setup import AnyGame, find_scenario
from readyroom.store.names import distinguish
from readyroom.store.rows import AnyRow, one_card, outcome_of
from readyroom.store.tables import away, entrants, matches, pairings, players, seats, sittings, tournaments
from readyroom.store.tournaments.pairings import (
    FEWEST,
    MOST,
    Format,
    Pairing,
    Standing,
    next_pairings,
    standings,
)

State = Literal["open", "running", "over"]
TITLE_LENGTH = 80
"""The most characters of a tournament's name."""
MOST_UNFINISHED = 5
"""The most unfinished tournaments that a player organises."""
PLAYERS_EACH = 2
"""The most players of a public tournament that one client may add."""
LISTED = 30
"""The most tournaments in a list."""
DAYS = (1, 3, 7, 14)
"""After how many days a match that waits for a player can be lost."""
NOT_PLAYED = ("conceded", "withdrawn", "overdue")
"""Reasons for a result without which the match would have gone on."""
GONE = "a deleted player"
"""What stands for the name of a player who was deleted."""
DRAW = SystemRandom()
"""Draws the seeds."""
_tournament_of = select(matches.c.tournament).where(matches.c.id == bindparam("id"))


class Entrant(NamedTuple):
    """A player of a tournament; `is_out`: they have withdrawn, were removed, or were deleted (then `player` is "")."""

    number: int
    player: str
    name: str
    is_out: bool


class Tournament(NamedTuple):
    """A tournament: see the columns of the table. `following` is the one in which the same players play again.

    `removed` are those that the organiser has removed before the start: they cannot join again.
    """

    id: str
    title: str
    host: str
    game: str
    about: str
    kind: Format
    both: bool
    places: int
    pace: Pace
    days: int
    minutes: int
    public: bool
    state: State
    created: datetime
    previous: str
    following: str
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...]
    removed: frozenset[str]

    def seed_of(self, player_id: str) -> int | None:
        """Return the number of a player; None if they do not play."""
        return next((one.number for one in self.entrants if player_id and one.player == player_id), None)

    def may_remove(self, player_id: str) -> bool:
        """Return whether a player may remove others: the organiser, unless it runs and they play in it."""
        plays = self.state != "open" and any(one.player == player_id and not one.is_out for one in self.entrants)
        return player_id == self.host and not plays

    def name(self, number: int | None) -> str:
        """Return the name of the player of this number; empty for none."""
        return next((one.name for one in self.entrants if one.number == number), "")

    def decided(self, pairing: Pairing) -> str:
        """Return how a match was decided without being played to its end, as a sentence; empty if it was not."""
        names = join_list([self.name(one) for one in pairing.losers])
        match pairing.reason:
            case "conceded":
                return f"{names} conceded."
            case "withdrawn":
                return f"{names} left the tournament."
            case "time":
                return f"{names} lost on time."
            case "resigned":
                return f"{names} resigned."
            case "agreed":
                return "The players agreed on a draw."
            case "overdue":
                return f"{names} waited too long." if names else "It waited too long and is drawn."
        return ""

    @property
    def standings(self) -> list[Standing]:
        """The standings, the best first."""
        return standings(self.kind, len(self.entrants), self.pairings)

    @property
    def winners(self) -> list[str]:
        """The names of those in the first place who have not withdrawn."""
        out = {one.number for one in self.entrants if one.is_out}
        return [self.name(one.player) for one in self.standings if one.place == 1 and one.player not in out]


class Tournaments(SeriesPart):
    """Tournaments. They start by themselves when they are full, and each round when the one before is over.

    A client may add `players_each` players to a public one (0: any number).
    """

    kind = "tournament"
    players_each: int = 0

    def __init__(self, shared: Shared, lobby: Lobby, seats: Seats) -> None:
        super().__init__(shared)
        self._lobby, self._seats = lobby, seats

    # -- before the start --------------------------------------------------------------------------------------------

    def create(
        self,
        host: Player,
        title: str,
        game: str,
        scenario: str | None = None,
        *,
        kind: Format = "robin",
        both: bool = False,
        places: int = 4,
        pace: Pace = "days",
        days: int = 7,
        minutes: int = 0,
        listed: bool = True,
        client: str = "",
        previous: str | None = None,
    ) -> str:
        """Create a tournament that players can join, and return its id.

        Args:
            host: who organises it; they play only if they join.
            title: its name.
            game: a game with two sides.
            scenario: a scenario's key; None for the game's first.
            kind: round robin or knockout.
            both: whether each pair plays two matches, with sides swapped.
            places: with how many players it starts by itself.
            pace: the speed of its matches.
            days: after how many days a match is lost by the player it waits for.
            minutes: how long each side of a match may think in all, before its opponent may claim the win; 0: no clock.
            listed: whether everybody finds it; else only those who have its address can join.
            client: as for `Lobby.create`.
            previous: the tournament whose players play again.

        Raises:
            UnknownGame, UnknownScenario, InvalidText, InvalidSeating, TooManyTournaments.
        """
        name = clean_text(title, TITLE_LENGTH, "The name of the tournament", lines=False)
        found = self._shared.games(game)
        chosen = find_scenario(found, scenario, None)
        if len(_sides(found, chosen.key)) != 2:
            raise InvalidSeating(f"{found.title} is not a game for two sides. Choose another game.")
        if kind not in MOST or not FEWEST <= places <= MOST[kind]:
            most = f"{MOST['robin']} players, and a knockout {FEWEST} to {MOST['knockout']}"
            raise InvalidSeating(f"A round robin has {FEWEST} to {most}. Change the number of players.")
        if days not in DAYS:
            raise InvalidSeating(f"The time for a decision is {join_list([str(each) for each in DAYS], 'or')} days.")
        at = now()
        row = {
            "id": new_id(),
            "host": host.id,
            "title": name,
            "game": game,
            "scenario": chosen.key,
            "kind": kind,
            "both": both,
            "places": places,
            "pace": pace,
            "days": days,
            "minutes": minutes,
            "listed": listed,
            "state": "open",
            "created": at,
            "changed": at,
            "previous": previous,
            "client": client,
            "about": ": ".join(dict.fromkeys((found.title, chosen.title))),
        }
        unfinished = tournaments.c.host == host.id, tournaments.c.state != "over"
        with self._shared.database.writing() as connection:
            if connection.execute(select(func.count()).where(*unfinished)).scalar_one() >= MOST_UNFINISHED:
                raise TooManyTournaments(MOST_UNFINISHED)
            connection.execute(insert(tournaments), row)
        return str(row["id"])

    def join(self, id: str, player_id: str, words: str = "", *, program: bool = False, client: str = "") -> str:
        """Join a tournament, which starts if it is full now; return the secret of a `program`, else an empty text.

        `words` are added to the dice key of each match; `client` is as for `Lobby.create`. Raises `TournamentRefused`
        or `InvalidText`.
        """
        bounded(words, WORDS_LENGTH, "Your text for the dice")
        secret = new_secret() if program else ""
        with self._shared.database.writing() as connection:
            row, known = _row(connection, id, lock=True), _entrant_rows(connection, id)
            if row.state != "open":
                raise TournamentRefused("This tournament has started already.")
            own = next((one for one in known if one.player == player_id), None)
            if own is not None and own.out:
                raise TournamentRefused("The organiser has removed you from this tournament.")
            if own is None:
                self._check_client(row, known, client)
                number = max((one.number for one in known), default=0) + 1
                new = {"tournament": id, "number": number, "player": player_id, "out": False, "words": words}
                new |= {"client": client, "link": hashed(secret) if secret else None}
                connection.execute(insert(entrants), new)
                _touch(connection, id)
                if sum(not one.out for one in known) + 1 >= row.places:
                    _start(connection, id)
        self.advance(id)
        return secret

    def _check_client(self, row: AnyRow, known: Iterable[AnyRow], client: str) -> None:
        """Raise `TournamentRefused` if a client has added as many players to a public tournament as it may."""
        most = self.players_each if row.listed and client else 0
        if most and sum(one.client == client for one in known) >= most:
            raise TournamentRefused(
                f"{most} players have joined from your address, which is the limit of a public tournament. "
                "One that is not public has no such limit."
            )

    def start(self, id: str, player_id: str) -> None:
        """Start a tournament that is not full; the organiser's only. `TournamentRefused`."""
        with self._shared.database.writing() as connection:
            row = _hosted(connection, id, player_id)
            if row.state != "open" or sum(not one.out for one in _entrant_rows(connection, id)) < FEWEST:
                raise TournamentRefused(f"A tournament starts once, with at least {FEWEST} players.")
            _start(connection, id)
        self.advance(id)

    def cancel(self, id: str, player_id: str) -> None:
        """Delete a tournament that has not started; the organiser's only. `TournamentRefused`."""
        with self._shared.database.writing() as connection:
            row = _hosted(connection, id, player_id)
            if row.state != "open":
                raise TournamentRefused("This tournament has started, so it is played to its end.")
            if row.previous:
                raise TournamentRefused("Others were invited to play again. Leave the tournament instead.")
            connection.execute(delete(entrants).where(entrants.c.tournament == id))
            connection.execute(delete(tournaments).where(tournaments.c.id == id))
        self._notify(id)

    # -- while it is played ------------------------------------------------------------------------------------------

    def withdraw(self, id: str, player_id: str) -> None:
        """Leave a tournament; once it has started, the player loses their open and later matches."""
        with self._shared.database.writing() as connection:
            row = _row(connection, id, lock=True)
            _take_out(connection, row, entrants.c.player == player_id)
        self.advance(id)

    def remove(self, id: str, name: str, player_id: str) -> None:
        """Remove the player of this name, as if they had withdrawn; the organiser's only. They cannot join again.

        Once it runs, an organiser who plays in it cannot: their opponents would lose. By name, because the numbers may
        have changed since the page was drawn.
        """
        with self._shared.database.writing() as connection:
            row = _hosted(connection, id, player_id)
            found = _tournament(connection, row)
            if not found.may_remove(player_id):
                raise TournamentRefused(
                    "You play in this tournament, so you can remove others only before it starts. "
                    "A player who takes too long for a decision loses the match."
                )
            plays = [one.player for one in found.entrants if one.name == name]
            _take_out(connection, row, entrants.c.player == (plays[0] if plays else ""), is_removed=True)
        self.advance(id)

    def concede(self, id: str, match: str, player_id: str) -> None:
        """Concede an open match; raise `TournamentRefused` if it is not one of the player's."""
        with self._shared.database.writing() as connection:
            _row(connection, id, lock=True)
            own = {one.number for one in _entrant_rows(connection, id) if one.player == player_id}
            for one in _pairings(connection, id):
                if match and one.match == match and not one.result and own & set(one.players):
                    _write(connection, id, [one.lost_by(own, "conceded")])
                    break
            else:
                raise TournamentRefused("This is not an open match of yours in the tournament.")
        self._notify_match(match)
        self.advance(id)

    def repeat(self, id: str, player: Player, *, client: str = "") -> str:
        """Return the tournament in which the same players play again; create it, invite them, and join, if needed.

        Raises `TournamentRefused` unless the tournament is over, `NotYourSeat` unless the player took part in it, or
        as `create` does.
        """
        old = self.find(id)
        plays = old.seed_of(player.id) is not None
        if not plays and player.id != old.host:
            raise NotYourSeat("Only its players can play a tournament again.")
        if old.state != "over":
            raise TournamentRefused("This tournament is not over.")
        if old.following:
            return old.following
        if player.id != old.host and any(one.player == player.id and one.is_out for one in old.entrants):
            raise NotYourSeat("You have left this tournament. The others can play it again.")
        with self._shared.database.glance() as connection:
            row = _row(connection, id)
        try:
            new = self.create(
                player,
                row.title[:TITLE_LENGTH],
                row.game,
                row.scenario,
                kind=row.kind,
                both=row.both,
                places=len(old.entrants),
                pace=row.pace,
                days=row.days,
                minutes=row.minutes,
                listed=row.listed,
                client=client,
                previous=id,
            )
        except WriteConflict:  # another player was faster
            return self.find(id).following
        self._notify(id)
        if plays:
            self.join(new, player.id)
        others = {one.player for one in old.entrants if one.player} - {player.id}
        self._shared.report(PlayerEvent("invited", new, player.id, frozenset(others)))
        return new

    # -- reading -----------------------------------------------------------------------------------------------------

    def find(self, id: str) -> Tournament:
        """Return a tournament; raise `UnknownTournament`."""
        with self._shared.database.reading() as connection:
            return _tournament(connection, _row(connection, id))

    def decided(self, match_id: str) -> str:
        """Return how a match was decided in its tournament without being played to its end; empty if it was not."""
        with self._shared.database.reading() as connection:
            cup = connection.execute(_tournament_of, {"id": match_id}).scalar()
            found = _tournament(connection, _row(connection, cup)) if cup else None
        if found is None:
            return ""
        return next((found.decided(one) for one in found.pairings if one.match == match_id), "")

    def public(self, without: str = "") -> list[Tournament]:
        """Return the public tournaments without those of a player, the open ones first, then the running ones."""
        return self._listed(tournaments.c.listed & ~_concerns(without))

    def count_open(self, without: str = "") -> int:
        """Return the number of public tournaments that can be joined, without those of a player."""
        wanted = tournaments.c.listed & (tournaments.c.state == "open") & ~_concerns(without)
        with self._shared.database.glance() as connection:
            return connection.execute(select(func.count()).select_from(tournaments).where(wanted)).scalar_one()

    def of_player(self, player_id: str) -> list[Tournament]:
        """Return the tournaments that a player plays or organises."""
        return self._listed(_concerns(player_id))

    def has_won(self, player_id: str) -> bool:
        """Return whether a player has the first place in a tournament that is over, and has not withdrawn."""
        plays = tournaments.c.id.in_(
            select(entrants.c.tournament).where(entrants.c.player == player_id, ~entrants.c.out)
        )
        over = self._listed(plays & (tournaments.c.state == "over"))
        return any(
            place.place == 1 and place.player == one.seed_of(player_id) for one in over for place in one.standings
        )

    def _listed(self, which: ColumnElement[bool]) -> list[Tournament]:
        state = case({"open": 0, "running": 1}, value=tournaments.c.state, else_=2)
        wanted = select(tournaments).where(which).order_by(state, tournaments.c.changed.desc())
        with self._shared.database.reading() as connection:
            return [_tournament(connection, row) for row in connection.execute(wanted.limit(LISTED)).all()]

    def by_link(self, secret: str) -> tuple[str, str]:
        """Return the tournament and the player of a program's secret; raise `UnknownLink`."""
        with self._shared.database.glance() as connection:
            row = connection.execute(select(entrants).where(entrants.c.link == hashed(secret))).one_or_none()
        if row is None or row.player is None:
            raise UnknownLink("secret of a tournament")
        return row.tournament, row.player

    def seats(self, id: str, player_id: str) -> dict[str, dict[str, str]]:
        """Return new secrets of a player's seats in their open matches, by match."""
        found = self.find(id)
        due = [one for one in found.pairings if not one.result and found.seed_of(player_id) in one.players]
        with self._shared.database.reading() as connection:
            own = [one_card(connection, one.match) for one in due if _exists(connection, one.match)]
        return {
            one.id: {seat: self._seats.new_link(one.id, seat, player_id) for seat in one.seats_of(player_id)}
            for one in own
        }

    # -- what happens by itself --------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Continue all tournaments: matches may have ended while no server ran, or wait for too long."""
        with self._shared.database.glance() as connection:
            ids = connection.execute(select(tournaments.c.id).where(tournaments.c.state == "running")).scalars().all()
        self._advance_all(ids)

    def advance(self, id: str) -> None:
        """Do what is due: enter results, pair the next round, and create its matches; then notify open pages."""
        if self._pair(id):
            self._create_matches(id)
        self._notify(id)

    def _notify(self, id: str) -> None:
        self._shared.notify(id, "tournament", {"": 0})

    def _notify_match(self, id: str) -> None:
        """Let the open pages of a match show that it is decided."""
        with self._shared.database.reading() as connection:
            summary = one_card(connection, id) if _exists(connection, id) else None
        if summary is not None:
            self._shared.notify(id, "seats", summary.viewer_revisions())

    def _pair(self, id: str) -> bool:
        """Enter results and pair the next rounds; return whether the tournament runs."""
        with self._shared.database.writing() as connection:
            row = _row(connection, id, lock=True)
            if row.state != "running":
                return False
            known, rows = _pairings(connection, id), _entrant_rows(connection, id)
            out = {one.number for one in rows if one.out or one.player is None}
            after = [one if one.result else self._result(connection, row, one, out) for one in known]
            is_over = False
            while not is_over and all(one.result for one in after):
                new = next_pairings(row.kind, len(rows), after, out, both=row.both)
                after += [one if one.result else one._replace(match=new_id()) for one in new]
                is_over = not new
            if changed := [one for one in after if one not in known]:
                _write(connection, id, changed)
            if changed or is_over:
                _touch(connection, id, state="over" if is_over else "running")
        for one in changed:
            if one.reason in NOT_PLAYED:
                self._notify_match(one.match)
        return True

    def _result(self, connection: Connection, row: AnyRow, pairing: Pairing, out: set[int]) -> Pairing:
        """Return an open pairing with its result, if it has one now."""
        match = connection.execute(select(matches).where(matches.c.id == pairing.match)).one_or_none()
        sides = _sides(self._shared.games(row.game), row.scenario)
        if match is not None and match.decided == "draw":
            return pairing._replace(result="draw", reason="agreed")
        if match is not None and match.decided:
            return pairing._replace(result="one" if match.decided_for == sides[0] else "two", reason=match.decided)
        outcome = None if match is None else outcome_of(match)
        if outcome is not None and outcome.winner is None:
            return pairing._replace(result="draw", reason="played")
        if outcome is not None:
            return pairing._replace(result="one" if outcome.winner == sides[0] else "two", reason="played")
        if out & set(pairing.players):
            return pairing.lost_by(out, "withdrawn")
        if match is None or match.changed > now() - row.days * DAY:
            return pairing
        waiting = msgspec.json.decode(match.waiting, type=list[str])
        here = select(seats.c.side).where(seats.c.match == match.id, seats.c.seat.in_(waiting))
        late = {pairing.players[sides.index(side)] for side in connection.execute(here).scalars()}
        return pairing.lost_by(late, "overdue") if late else pairing._replace(result="draw", reason="overdue")

    def _create_matches(self, id: str) -> None:
        """Create the matches of open pairings that do not exist yet, and notify their players."""
        with self._shared.database.reading() as connection:
            row = _row(connection, id)
            due = [one for one in _pairings(connection, id) if not one.result and not _exists(connection, one.match)]
            people = {one.number: one for one in _entrant_rows(connection, id)}
        for pairing in due:
            here = [people[number] for number in pairing.players]
            sides = _sides(self._shared.games(row.game), row.scenario)
            wanted = {
                side: SeatAssignment("member", player=one.player, words=one.words)
                for side, one in zip(sides, here, strict=True)
            }
            more = {"pace": row.pace, "minutes": row.minutes, "listed": row.listed, "client": row.client}
            with suppress(WriteConflict):  # another process was faster, or a player was deleted
                self._lobby.create(None, row.game, row.scenario, {}, wanted, id=pairing.match, tournament=id, **more)
                event = PlayerEvent("paired", pairing.match, "", frozenset(one.player for one in here), started=True)
                self._shared.report(event)


def _sides(game: AnyGame, scenario: str) -> list[str]:
    """Return the sides of a scenario, in the order of their seats."""
    places = game.rules.seats(find_scenario(game, scenario, None), game.resolve({}))
    return list(dict.fromkeys(seat.side for seat in places))


def _row(connection: Connection, id: str, *, lock: bool = False) -> AnyRow:
    wanted = select(tournaments).where(tournaments.c.id == id)
    is_id = id.isascii() and id.isalnum()
    row = connection.execute(wanted.with_for_update() if lock else wanted).one_or_none() if is_id else None
    if row is None:
        raise UnknownTournament(id)
    return row


def _hosted(connection: Connection, id: str, player_id: str) -> AnyRow:
    """Return a tournament for its organiser, locked; raise `NotYourSeat` for anyone else."""
    row = _row(connection, id, lock=True)
    if row.host is None or row.host != player_id:
        raise NotYourSeat("Only the organiser of the tournament can do this.")
    return row


def _entrant_rows(connection: Connection, id: str) -> list[AnyRow]:
    wanted = select(entrants, players.c.name).outerjoin(players, players.c.id == entrants.c.player)
    return list(connection.execute(wanted.where(entrants.c.tournament == id).order_by(entrants.c.number)))


def _pairings(connection: Connection, id: str) -> list[Pairing]:
    columns = [pairings.c[name] for name in Pairing._fields]
    wanted = select(*columns).where(pairings.c.tournament == id).order_by(*columns[:3])
    return [Pairing(*row) for row in connection.execute(wanted)]


def _exists(connection: Connection, match: str) -> bool:
    return connection.execute(select(matches.c.id).where(matches.c.id == match)).first() is not None


def _concerns(player_id: str) -> ColumnElement[bool]:
    """Return the condition that a player plays or organises a tournament."""
    was_removed = entrants.c.out & (tournaments.c.state == "open")
    plays = exists().where(entrants.c.tournament == tournaments.c.id, entrants.c.player == player_id, ~was_removed)
    return plays | func.coalesce(tournaments.c.host == player_id, False)


def _tournament(connection: Connection, row: AnyRow) -> Tournament:
    everyone = _entrant_rows(connection, row.id)
    rows = [one for one in everyone if row.state != "open" or not one.out]
    names = distinguish((one.player, one.name) for one in rows if one.player is not None)
    following = connection.execute(select(tournaments.c.id).where(tournaments.c.previous == row.id)).scalar()
    return Tournament(
        id=row.id,
        title=row.title,
        host=row.host or "",
        game=row.game,
        about=row.about,
        kind=row.kind,
        both=row.both,
        places=row.places,
        pace=row.pace,
        days=row.days,
        minutes=row.minutes,
        public=row.listed,
        state=row.state,
        created=from_timestamp(row.created),
        previous=row.previous or "",
        following=following or "",
        entrants=tuple(
            Entrant(one.number, one.player or "", names.get(one.player, GONE), one.out or one.player is None)
            for one in rows
        ),
        pairings=tuple(_pairings(connection, row.id)),
        removed=frozenset(one.player for one in everyone if one not in rows),
    )


def _start(connection: Connection, id: str) -> None:
    """Draw the seeds; from now on the tournament runs, without those who were removed before."""
    here = select(entrants).where(entrants.c.tournament == id, ~entrants.c.out)
    rows = [dict(row._mapping) for row in connection.execute(here)]
    DRAW.shuffle(rows)
    connection.execute(delete(entrants).where(entrants.c.tournament == id))
    connection.execute(insert(entrants), [row | {"number": seed} for seed, row in enumerate(rows, start=1)])
    _touch(connection, id, state="running")


def _take_out(connection: Connection, row: AnyRow, who: ColumnElement[bool], *, is_removed: bool = False) -> None:
    """Let a player leave: before the start their place is free again; raise `TournamentRefused` if there is none.

    One who is removed before the start stays in the table, so that they cannot join again.
    """
    here = entrants.c.tournament == row.id, who, ~entrants.c.out
    if row.state == "open" and not is_removed:
        gone = connection.execute(delete(entrants).where(*here)).rowcount
    else:
        gone = connection.execute(update(entrants).where(*here).values(out=True)).rowcount
    if not gone or row.state == "over":
        raise TournamentRefused("There is no such player who could leave the tournament now.")
    _touch(connection, row.id)


def _touch(connection: Connection, id: str, **values: object) -> None:
    connection.execute(update(tournaments).where(tournaments.c.id == id).values(changed=now(), **values))


def _write(connection: Connection, id: str, changed: Iterable[Pairing]) -> None:
    """Write pairings that are new or have a result now, and hide matches that were not played to their end."""
    for one in changed:
        if one.reason in NOT_PLAYED:
            is_hidden = exists().where(away.c.match == sittings.c.match, away.c.player == sittings.c.player)
            people = select(sittings.c.match, sittings.c.player).where(sittings.c.match == one.match, ~is_hidden)
            connection.execute(insert(away).from_select(["match", "player"], people.distinct()))
        here = [pairings.c.tournament == id, *(pairings.c[name] == getattr(one, name) for name in Pairing._fields[:3])]
        values: dict[str, Any] = one._asdict()
        if not connection.execute(update(pairings).where(*here).values(**values)).rowcount:
            connection.execute(insert(pairings), {"tournament": id, **values})
