"""Matches as list items and seats as controls for the pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from readyroom.store import MatchSummary, Player, SeatSummary
from readyroom.web import catalog

EMPTY = "empty"


@dataclass(frozen=True)
class MatchListItem:
    """A match in a list: its summary, and what depends on the viewer."""

    card: MatchSummary
    mine: tuple[SeatSummary, ...]
    mine_to_move: bool
    sides: tuple[tuple[str, str, str], ...]
    state: str
    ago: str

    @property
    def open_seats(self) -> list[SeatSummary]:
        """The seats that are open to anyone."""
        return [seat for seat in self.card.seats if seat.open]


def match_list(cards: Iterable[MatchSummary], player: Player | None) -> list[MatchListItem]:
    """Return these matches as list items for a player."""
    return [_list_item(card, player) for card in cards]


def _list_item(card: MatchSummary, player: Player | None) -> MatchListItem:
    own = set(card.seats_of(player.id)) if player else set()
    return MatchListItem(
        card,
        tuple(seat for seat in card.seats if seat.key in own),
        any(seat in card.waiting for seat in own),
        sides_of(card),
        _state_text(card, own),
        ago(card.changed),
    )


def sides_of(card: MatchSummary) -> tuple[tuple[str, str, str], ...]:
    """Return each side of a match: its name, colour and players."""
    return tuple(
        (name, colour, ", ".join(dict.fromkeys(map(occupant, seats)))) for name, colour, seats in by_sides(card)
    )


def by_sides(card: MatchSummary) -> list[tuple[str, str, list[SeatSummary]]]:
    """Return each side of a match: its name, colour and seats."""
    game = catalog.games().get(card.game)
    colours = game.presentation.colours if game else {}
    by_side: dict[str, list[SeatSummary]] = {}
    for seat in card.seats:
        by_side.setdefault(seat.side, []).append(seat)
    names = {side: game.side_name(side, seats) if game else seats[0].name for side, seats in by_side.items()}
    return [(names[side], colours.get(side, "ink"), seats) for side, seats in by_side.items()]


def occupant(seat: SeatSummary) -> str:
    """Describe who plays a seat."""
    if seat.banned and not seat.bot:
        return "banned by the server admin"
    if seat.previous_players:
        return f"Bot ({seat.bot}), replacing {' and '.join(name for _, name in seat.previous_players)}"
    if seat.bot:
        return f"Bot ({seat.bot})"
    if seat.players:
        return " and ".join(name for _, name in seat.players)
    return "open to anyone" if seat.open else "friend invited" if seat.invited else EMPTY


@dataclass(frozen=True)
class SeatControls:
    """A seat with the actions that a player may take on it."""

    seat: SeatSummary
    who: str
    colour: str
    mine: bool
    may_link: bool
    may_hand: bool
    may_return: bool


def seat_controls(card: MatchSummary, player: Player | None) -> list[SeatControls]:
    """Return the seats of a match for its host and its present and previous players; empty for others."""
    if player is None:
        return []
    concerned = {card.host, *(known for seat in card.seats for known, _ in (*seat.players, *seat.previous_players))}
    if player.id not in concerned:
        return []
    game = catalog.games().get(card.game)
    return [_controls(card, seat, player.id, catalog.colour(game, seat.side) if game else "ink") for seat in card.seats]


def _controls(card: MatchSummary, seat: SeatSummary, player_id: str, colour: str) -> SeatControls:
    mine = player_id in dict(seat.players)
    return SeatControls(
        seat,
        occupant(seat),
        colour,
        mine,
        may_link=mine or (seat.vacant and player_id == card.host),
        may_hand=card.may_hand_over(seat, player_id),
        may_return=card.may_take_back(seat, player_id),
    )


def bot_of(card: MatchSummary) -> list[tuple[str, str]]:
    """Return the bots that could play a match, with a description of each."""
    game = catalog.games().get(card.game)
    return [(bot, catalog.about_bot(game, bot)) for bot in catalog.bots(game)] if game else []


def _state_text(card: MatchSummary, own: set[str]) -> str:
    """Describe the state of a match in a few words."""
    if card.outcome is not None:
        return card.outcome.title
    if not card.started:
        awaited = [seat.name for seat in card.seats if not seat.bot and not seat.players]
        return f"Waiting for a player for {' and '.join(awaited)}" if awaited else "Starting"
    waiting = [seat.name for seat in card.seats if seat.key in card.waiting and seat.key not in own]
    turn = f"Turn {card.turn}" if card.turn else "Not started"
    if own & set(card.waiting) or not waiting:
        return turn
    return f"{turn}, waiting for {' and '.join(waiting)}"


STEPS = ((86400 * 2, 86400, "days"), (7200, 3600, "hours"), (120, 60, "minutes"))


def ago(at: datetime, now: datetime | None = None) -> str:
    """Describe how long ago a time was."""
    seconds = ((now or datetime.now(UTC)) - at).total_seconds()
    for least, unit, name in STEPS:
        if seconds >= least:
            return f"{int(seconds // unit)} {name} ago"
    return "a minute ago" if seconds >= 60 else "just now"
