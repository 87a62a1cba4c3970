"""Matches as list items and seats as controls for the pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.rules.state import Outcome
from readyroom.engine.text import capitalize_first, join_list
from readyroom.store import MatchSummary, Player, SeatSummary, Store
from readyroom.web import catalog
from readyroom.web.live.presence import Here

EMPTY = "empty"
ASKED = 6
"""The most matches of a list whose question is looked up."""


@dataclass(frozen=True)
class MatchListItem:
    """A match in a list: its summary, and what depends on the viewer; `sides` are names, colours and players.

    `question` is what the viewer is asked, if that was looked up.
    Each player is a text and an id: that of a player on the ladder, who has a page, or empty.
    """

    summary: MatchSummary
    mine: Sequence[SeatSummary]
    mine_to_move: bool
    sides: Sequence[tuple[str, str, Sequence[tuple[str, str]]]]
    state: str
    ago: str
    question: str = ""

    @property
    def name(self) -> str:
        """The names of the game and the scenario."""
        return ": ".join(dict.fromkeys((self.summary.title, self.summary.scenario)))

    @property
    def board(self) -> str:
        """The address of a picture of the board as spectators see it; empty if there is none."""
        summary = self.summary
        if not self.is_drawn or summary.damaged:
            return ""
        return f"/m/{summary.id}/board.svg?r={summary.revision}"

    @property
    def is_drawn(self) -> bool:
        """Whether the game has a drawn board."""
        game = catalog.games().get(self.summary.game)
        return game is not None and game.presentation.layout is not None

    @property
    def open_seats(self) -> list[SeatSummary]:
        """The seats that are open to anyone."""
        return [seat for seat in self.summary.seats if seat.open]


def match_list(cards: Iterable[MatchSummary], player: Player | None, store: Store | None = None) -> list[MatchListItem]:
    """Return matches as list items for a player; with the store, the first that wait for them say what is asked."""
    items, left = [_list_item(summary, player) for summary in cards], ASKED
    for number, item in enumerate(items):
        if store is not None and left and item.mine_to_move and not item.summary.damaged:
            items[number], left = replace(item, question=_question(store, item)), left - 1
    return items


def _question(store: Store, item: MatchListItem) -> str:
    """Return the question that waits for the viewer; empty if it cannot be read."""
    own = [seat.key for seat in item.mine]
    with suppress(ReadyRoomError), store.matches.open(item.summary.id, item.summary.true_revision) as match:
        return next((asked.question for seat, asked in match.pending.items() if seat in own), "")
    return ""


def _list_item(summary: MatchSummary, player: Player | None) -> MatchListItem:
    own = set(summary.seats_of(player.id)) if player else set()
    return MatchListItem(
        summary,
        mine=[seat for seat in summary.seats if seat.key in own],
        mine_to_move=not summary.decided and any(seat in summary.waiting for seat in own),
        sides=[(name, tint, _occupants(summary, seats)) for name, tint, seats in by_sides(summary)],
        state=_state_text(summary, own),
        ago=ago(summary.changed),
    )


def by_sides(summary: MatchSummary) -> list[tuple[str, str, list[SeatSummary]]]:
    """Return each side of a match: its name, colour and seats."""
    game = catalog.games().get(summary.game)
    colours = game.presentation.colours if game else {}
    by_side: dict[str, list[SeatSummary]] = {}
    for seat in summary.seats:
        by_side.setdefault(seat.side, []).append(seat)
    names = {side: game.side_name(side, seats) if game else seats[0].name for side, seats in by_side.items()}
    return [(names[side], colours.get(side, "ink"), seats) for side, seats in by_side.items()]


def shown_waiting(summary: MatchSummary, own: Collection[str] = ()) -> list[str]:
    """Return the seats that must decide, as a player with these seats may know them; see `Match.shown_waiting`."""
    game = catalog.games().get(summary.game)
    if game is None or not game.rules.hides_seats:
        return list(summary.waiting)
    deciding = {seat.side for seat in summary.seats if seat.key in summary.waiting}
    mine = {seat.side for seat in summary.seats if seat.key in own}
    if mine - {*summary.contenders}:  # an umpire sees everything
        return list(summary.waiting)
    return [
        seat.key
        for seat in summary.seats
        if seat.side in deciding and (seat.side not in mine or seat.key in summary.waiting)
    ]


def occupant(seat: SeatSummary) -> str:
    """Describe who plays a seat."""
    if seat.banned and not seat.bot:
        return "banned by the server admin"
    if seat.previous_players:
        return f"Bot ({seat.bot}), replacing {join_list([name for _, name in seat.previous_players])}"
    if seat.bot:
        return f"Bot ({seat.bot})"
    if seat.players:
        return join_list([name for _, name in seat.players])
    return "open to anyone" if seat.open else "invited" if seat.invited else EMPTY


def _occupants(summary: MatchSummary, seats: Iterable[SeatSummary]) -> list[tuple[str, str]]:
    """Return who plays these seats, and for players on the ladder their ids."""
    known = list[tuple[str, str]]()
    for seat in seats:
        if seat.players and not seat.bot and not seat.banned:
            known += [(name, one if one in summary.on_ladder else "") for one, name in seat.players]
        else:
            known.append((occupant(seat), ""))
    return list(dict.fromkeys(known))


@dataclass(frozen=True)
class Person:
    """Someone who plays a match: whether they have it open, and whether the match waits for them.

    `page` is the address of their public page; empty if they have none. `seen` says how long ago they had the match
    open, if they have not now; empty if they never had.
    """

    name: str
    colour: str
    is_here: bool
    is_choosing: bool
    is_me: bool
    page: str = ""
    seen: str = ""


@dataclass(frozen=True)
class Present:
    """The people of a match, and the number of those who only watch it now.

    After `changes_in` seconds someone was last seen longer ago; 0 if no one is away.
    """

    people: Sequence[Person]
    watching: int
    changes_in: int = 0


def present(summary: MatchSummary, player: Player | None, here: Here) -> Present:
    """Return who plays a match, who has it open, and who must decide, as far as a player may know that."""
    own = summary.seats_of(player.id) if player else []
    waiting = shown_waiting(summary, own) if summary.outcome is None else []
    people: dict[str, Person] = {}
    away: dict[str, datetime] = {}
    for _, colour, seats in by_sides(summary):
        for seat in seats:
            for player_id, name in seat.players:
                known = people.get(player_id)
                is_choosing = seat.key in waiting or (known is not None and known.is_choosing)
                is_me = player is not None and player_id == player.id
                is_here = player_id in here.players or is_me
                page = f"/players/{player_id}" if player_id in summary.on_ladder else ""
                if not is_here and player_id in summary.last_seen:
                    away[player_id] = summary.last_seen[player_id]
                seen = ago(away[player_id]) if player_id in away else ""
                people[player_id] = Person(name, colour, is_here, is_choosing, is_me, page, seen)
    seconds = (datetime.now(UTC) - max(away.values())).total_seconds() if away else 0.0
    changes_in = next((unit for least, unit, _ in STEPS if seconds >= least), 60) if away else 0
    return Present(list(people.values()), len(here.players - people.keys()) + here.anonymous, changes_in)


def player_ids(summary: MatchSummary) -> list[str]:
    """Return the ids of the people of a match, in the order in which `present` has them."""
    seats = (seat for _, _, seats in by_sides(summary) for seat in seats)
    return list(dict.fromkeys(player_id for seat in seats for player_id, _ in seat.players))


@dataclass(frozen=True)
class SeatControls:
    """A seat with the actions that a player may take on it."""

    seat: SeatSummary
    who: str
    colour: str
    mine: bool
    leads: bool
    may_link: bool
    may_hand: bool
    may_return: bool
    may_free: bool


def seat_controls(summary: MatchSummary, player: Player | None) -> list[SeatControls]:
    """Return the seats of a match for its host and its present and previous players; empty for others.

    A bot has nothing to decide as an umpire, so it only fills an empty seat of one.
    """
    if player is None:
        return []
    players = {known for seat in summary.seats for known, _ in (*seat.players, *seat.previous_players)}
    if player.id not in {summary.host, *players}:
        return []
    game, leaders = catalog.games().get(summary.game), leading_seats(summary)
    return [
        SeatControls(
            seat,
            who=occupant(seat),
            colour=catalog.colour(game, seat.side) if game else "ink",
            mine=player.id in dict(seat.players),
            leads=seat.key in leaders,
            may_link=not summary.is_counted and summary.may_link(seat, player.id),
            may_hand=summary.may_hand_over(seat, player.id) and (seat.side in summary.contenders or seat.vacant),
            may_return=summary.may_take_back(seat, player.id),
            may_free=not summary.tournament and summary.may_free(seat, player.id),
        )
        for seat in summary.seats
    ]


def leading_seats(summary: MatchSummary) -> set[str]:
    """Return the seats that lead a side of several seats: the leaders, or before the start who will be if all come."""
    teams = [seats for _, _, seats in by_sides(summary) if len(seats) > 1]
    if summary.started:
        leaders = [summary.leader(seats[0].side) for seats in teams]
    else:
        leaders = [next((seat for seat in seats if not seat.bot), None) for seats in teams]
    return {seat.key for seat in leaders if seat is not None}


def bot_of(summary: MatchSummary) -> list[tuple[str, str]]:
    """Return the bots that could play a match, with a description of each."""
    game = catalog.games().get(summary.game)
    return [(bot, catalog.about_bot(game, bot)) for bot in catalog.bots(game)] if game else []


def _state_text(summary: MatchSummary, own: set[str]) -> str:
    if summary.decided:
        return decided_text(summary)
    if summary.outcome is not None:
        return summary.outcome.title
    if not summary.started:
        vacant_seats = [seat.name for seat in summary.seats if not seat.bot and not seat.players]
        return f"Waits for {join_list(vacant_seats)} to join" if vacant_seats else "Starting"
    shown = set(shown_waiting(summary, own)) - own
    waiting = [f"{seat.name}{' (no player)' if seat.vacant else ''}" for seat in summary.seats if seat.key in shown]
    turn = f"Turn {summary.turn}{_phase_text(summary)}" if summary.turn else "Not started"
    if own & set(summary.waiting) or not waiting:
        return turn
    return f"{turn}, waiting for {join_list(waiting)}"


def decided_text(summary: MatchSummary) -> str:
    """Return how the players have decided a match before its end; empty if they have not."""
    winner = next((name for name, _, seats in by_sides(summary) if seats[0].side == summary.decided_for), "")
    match summary.decided:
        case "time":
            return f"Victory for {winner} on time"
        case "resigned":
            return f"Victory for {winner} by resignation" if winner else "Given up"
        case "draw":
            return "Draw by agreement"
    return ""


def decided_outcome(summary: MatchSummary) -> Outcome | None:
    """Return how the players have decided a match before its end, as an ending; None if they have not."""
    if not summary.decided:
        return None
    sides = {seats[0].side: (name, seats) for name, _, seats in by_sides(summary)}
    lost, seats = next((sides[one] for one in summary.contenders if one != summary.decided_for), ("", []))
    people = dict.fromkeys(name for seat in seats for _, name in seat.players)
    loser = f"{capitalize_first(lost)}{f' ({join_list([*people])})' if people else ''}"
    why = {
        "time": f"{loser} ran out of time.",
        "resigned": f"{loser} resigned." if summary.decided_for else "The match was given up and counts as lost.",
        "draw": "Both sides agreed to a draw.",
    }
    return Outcome(summary.decided_for or None, decided_text(summary), why[summary.decided])


def _phase_text(summary: MatchSummary) -> str:
    """Return the title of the phase after a comma; empty if the game does not know it."""
    game = catalog.games().get(summary.game)
    try:
        return f", {game.phase(summary.phase).title}" if game is not None else ""
    except KeyError:
        return ""


STEPS = ((86400 * 2, 86400, "days"), (7200, 3600, "hours"), (120, 60, "minutes"))


def ago(at: datetime, now: datetime | None = None) -> str:
    """Describe how long ago a time was."""
    seconds = ((now or datetime.now(UTC)) - at).total_seconds()
    for least, unit, name in STEPS:
        if seconds >= least:
            return f"{int(seconds // unit)} {name} ago"
    return "a minute ago" if seconds >= 60 else "just now"
