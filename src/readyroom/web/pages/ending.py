"""The end of a match: what each side lost, its turning points, and the rematch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.record.turning_points import KeyMoment, turning_points
from readyroom.engine.rules.state import Loss, Outcome
from readyroom.store import MatchSummary, Player, Store
from readyroom.store.errors import NotOver, NotYourSeat
from readyroom.store.rematches import can_swap, reserved_seats
from readyroom.web import catalog
from readyroom.web.jobs.replays import Replays
from readyroom.web.jobs.workers import Job
from readyroom.web.rendering import Page
from readyroom.web.security import client

OPEN = 10.5
"""The width of a result without a limit on one side grows with the score from this many points."""


@dataclass(frozen=True)
class SideLosses:
    """What a side lost: its name and colour, what is gone, and what was only damaged."""

    name: str
    colour: str
    losses: Sequence[Loss]


@dataclass(frozen=True)
class RematchOffer:
    """The rematch of a match: who opened it, and the names of its seats that wait for the viewer or are theirs."""

    match: str
    summary: MatchSummary
    swap: bool
    host: str
    waiting: Sequence[str]
    own: Sequence[str]


def ending_context(
    store: Store, summary: MatchSummary, player: Player | None, match: Match[Any, Any]
) -> dict[str, Any]:
    """Return the context of a finished match: `result` is how it ended for the player, empty if that is not clear.

    `turning_points` is None: the page loads them, unless they are ready already.
    """
    assert match.outcome is not None
    own = summary.seats_of(player.id) if player is not None else []
    return {
        "result": _result(match, match.outcome, own),
        "decisions": match.decision_count,
        "losses": losses_by_side(match),
        "scale": _scale(match),
        "may_rematch": bool(own) and not summary.replay_only,
        "may_swap": bool(own) and can_swap(summary),
        "offer": _offer(store, summary, player) if player is not None and own else None,
        "turning_points": None,
    }


def _result(match: Match[Any, Any], outcome: Outcome, own: Sequence[str]) -> str:
    """Return how the match ended for a player with seats of one of several sides."""
    sides = {seat.side for seat in match.seats}
    mine = {seat.side for seat in match.seats if seat.key in own}
    if len(sides) < 2 or len(mine) != 1:
        return ""
    if outcome.winner is None:
        return "Draw"
    return "You won" if outcome.winner in mine else "You lost"


def losses_by_side(match: Match[Any, Any]) -> list[SideLosses]:
    """Return what each side lost, in the order of the seats; sides without losses are left out."""
    game = match.game
    found = game.presentation.losses(match.state, game.data)
    seated = dict.fromkeys(seat.side for seat in match.seats)
    sides = dict.fromkeys((*seated, *(loss.side for loss in found)))

    def name(side: str) -> str:
        if len(seated) > 1:
            return game.side_name(side, match.seats)
        return "Own losses" if side in seated else "Enemy losses"

    return [
        SideLosses(name(side), catalog.colour(game, side), own)
        for side in sides
        if (own := [loss for loss in found if loss.side == side])
    ]


def _scale(match: Match[Any, Any]) -> dict[str, Any] | None:
    """Return the score on the scale of its results, for the poster; None if the game has no such scale."""
    scale = match.game.presentation.scale(match.state, match.game.data)
    if scale is None:
        return None
    bands, at = scale.bands, scale.reached
    following = [band.least for band in bands[1:]]
    ends = [None if least is None else least - 1 for least in following]
    shown = [
        {
            "title": band.title,
            "colour": catalog.colour(match.game, band.side) if band.side else "ink",
            "range": _range_text(band.least, end),
            "is_reached": number == at,
            "mark": _mark(scale.value, band.least, end),
        }
        for number, (band, end) in enumerate(zip(bands, [*ends, None], strict=True))
    ]
    note = ""
    if len({seat.side for seat in match.seats}) == 1 and at + 1 < len(bands):
        note = f"{(following[at] or 0) - scale.value} more for “{bands[at + 1].title}”"
    return {"name": scale.name, "value": _number(scale.value), "bands": shown, "note": note}


def _range_text(least: int | None, most: int | None) -> str:
    """Return the scores of a result.

    >>> _range_text(None, 47), _range_text(-3, 3), _range_text(5, 5), _range_text(53, None)
    ('up to 47', '−3 to 3', '5', 'from 53')
    """
    if least is None:
        return f"up to {_number(most or 0)}"
    if most is None:
        return f"from {_number(least)}"
    return _number(least) if least == most else f"{_number(least)} to {_number(most)}"


def _number(value: int) -> str:
    return str(value).replace("-", "−")


def _mark(value: int, least: int | None, most: int | None) -> float:
    """Return where a score is in the band of its result, in percent; a band that is open on a side ends nowhere.

    >>> _mark(50, 48, 52), _mark(47, None, 47), _mark(37, None, 47), _mark(53, 53, None)
    (50.0, 95.2, 48.8, 4.8)
    """
    if least is not None and most is not None:
        share = (value - least + 0.5) / (most - least + 1)
    elif most is not None:
        share = 1 - (most - value + 0.5) / (most - value + OPEN)
    else:
        start = least or 0
        share = (value - start + 0.5) / (value - start + OPEN)
    return round(100 * share, 1)


def _offer(store: Store, summary: MatchSummary, player: Player) -> RematchOffer | None:
    found = store.lobby.rematch_of(summary)
    if found is None:
        return None
    offer = rematch_offer(summary, found[0], player, swap=found[1])
    return offer if offer.waiting or offer.own else None


def rematch_offer(summary: MatchSummary, rematch: MatchSummary, player: Player, *, swap: bool) -> RematchOffer:
    """Return the rematch of a finished match as one of its players sees it."""
    names = {seat.key: seat.name for seat in rematch.seats}
    waiting = reserved_seats(summary, rematch, player.id, swap=swap)
    people = dict(one for seat in (*rematch.seats, *summary.seats) for one in (*seat.players, *seat.previous_players))
    host, own = people.get(rematch.host, ""), rematch.seats_of(player.id)
    return RematchOffer(summary.id, rematch, swap, host, [names[key] for key in waiting], [names[key] for key in own])


def waiting_offers(store: Store, player: Player | None, among: Sequence[MatchSummary]) -> list[RematchOffer]:
    """Return the rematches of some matches that wait for a player."""
    offers = store.lobby.rematch_offers(player.id, among) if player is not None else []
    return [rematch_offer(one.match, one.rematch, player, swap=one.swap) for one in offers if player is not None]


# -- turning points --------------------------------------------------------------------------------------------------


def known_turning_points(replays: Replays, summary: MatchSummary, client_tag: str) -> list[dict[str, Any]] | None:
    """Return the turning points of a finished match for a page; None while a worker finds them or cannot."""
    try:
        index = replays.index(summary, client_tag)
    except ReadyRoomError:  # the record is damaged, or too many replays are being prepared
        return []
    if isinstance(index, Job):
        return None
    game = catalog.games().get(summary.game)
    return [_shown(moment, summary, game) for moment in turning_points(index.moments)]


def _shown(moment: KeyMoment, summary: MatchSummary, game: Game[Any, Any] | None) -> dict[str, Any]:
    names = {seat.side: game.side_name(seat.side, summary.seats) if game else seat.name for seat in summary.seats}
    colours = game.presentation.colours if game else {}
    return {
        "at": moment.number,
        "line": moment.line,
        "heading": moment.heading,
        "rule": moment.rule,
        "headline": moment.headline,
        "text": moment.text,
        "by_score": moment.swing > 0,
        "gains": [
            {"name": names.get(side, side), "colour": colours.get(side, "ink"), "points": points}
            for side, points in moment.gains.items()
        ],
    }


@get("/m/{id:str}/turning-points", sync_to_thread=True)
def turning_points_part(store: Store, page: Page, replays: Replays, id: str) -> Response[str]:
    """Return the turning points of a finished match, or a placeholder that asks again."""
    summary = store.lobby.summary(id)
    if summary.outcome is None:
        raise NotOver
    known = known_turning_points(replays, summary, client(page.request))
    return page("_turning_points.html", secret=True, summary=summary, turning_points=known)


# -- the rematch -----------------------------------------------------------------------------------------------------


@post("/m/{id:str}/rematch", sync_to_thread=True)
def rematch(store: Store, player: Player | None, form: FormMultiDict, id: str, client_tag: str) -> Redirect:
    """Create the rematch of a finished match, with swapped sides if asked; redirect to it."""
    summary = store.lobby.rematch(id, _signed_in(player), swap=form.get("swap") == "yes", client=client_tag)
    return Redirect(f"/m/{summary.id}", status_code=303)


@post("/m/{id:str}/rematch/join", sync_to_thread=True)
def join_rematch(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Join the rematch of a finished match; redirect to it."""
    summary = store.lobby.join_rematch(id, _signed_in(player).id, swap=form.get("swap") == "yes")
    return Redirect(f"/m/{summary.id}", status_code=303)


def _signed_in(player: Player | None) -> Player:
    if player is None:
        raise NotYourSeat("Only the players of a match can play a rematch.")
    return player


router = Router("/", route_handlers=[turning_points_part, rematch, join_rematch], include_in_schema=False)
