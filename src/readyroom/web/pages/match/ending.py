"""The end of a match: what each side lost, its turning points, and the rematch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from litestar import Router, post
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game, MatchView
from readyroom.engine.match import Match
from readyroom.engine.record.highlights import Highlights
from readyroom.engine.record.turning_points import KeyMoment, ScorePoint, lead_taken
from readyroom.engine.rules.state import Loss, Outcome
from readyroom.engine.text import capitalize_first
from readyroom.store import MatchSummary, Player, Store
from readyroom.store.cards import NO_NAME
from readyroom.store.errors import NotYourSeat
from readyroom.store.lobby.rematch_seats import can_swap, reserved_seats
from readyroom.study.review.pages import cause, measure
from readyroom.study.review.review import Review
from readyroom.web import board_svg, catalog, formatting
from readyroom.web.jobs.client_jobs import ClientJobs
from readyroom.web.jobs.replays import Replays
from readyroom.web.jobs.workers import Job
from readyroom.web.rendering import AppRequest
from readyroom.web.security import client

OPEN = 10.5
"""The width of a result without a limit on one side grows with the score from this many points."""
NO_HIGHLIGHTS: Mapping[str, Any] = {
    "turning_points": None,
    "picture": None,
    "curve": None,
    "basis": "",
    "luck": [],
    "measure": "",
}
"""The highlights of a page that does not know them yet."""
WIDE, HIGH = 360, 96
"""The size of a curve's area."""
APART = 13
"""The least distance between the values at the ends of two lines."""
TICKS, LETTER = 7, 8.0
"""The most turns named below a curve, and the most room of a letter there."""
DICE = 10
"""The fewest dice of a kind whose mean is shown."""
AnyGame: TypeAlias = Game[Any, Any]


@dataclass(frozen=True)
class SideLosses:
    """What a side lost: its key, name and colour, what is gone, and what was only damaged."""

    side: str
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
    summary: MatchSummary, match: Match[Any, Any], outcome: Outcome, own: Sequence[str], side: str | None
) -> dict[str, Any]:
    """Return the context of the end of a match for the player of the seats `own`, who sees what `side` may know.

    `result` is how it ended for them, empty if that is not clear. `turning_points` is None: the page loads them, with
    `picture` and `curve`, unless they are ready already. Of a match that is only decided, and can be played on, nothing
    is shown that is secret: no highlights, and, except to an umpire, no losses of others that are counted out of a
    total.
    """
    is_over, losses = match.outcome is not None, losses_by_side(match)
    if not is_over and side in (None, *summary.contenders):
        known = [replace(one, losses=[loss for loss in one.losses if not loss.total]) for one in losses]
        losses = [one if one.side == side else public for one, public in zip(losses, known, strict=True)]
    return {
        "result": "" if is_over and summary.decided else result_for(match, outcome, own),
        "decisions": match.decision_count if is_over else None,
        "losses": [one for one in losses if one.losses],
        "scale": _scale(match) if is_over else None,
        "dice": [one for one in formatting.luck(match.full_log) if one["count"] >= DICE]
        if is_over and not summary.is_sealed()
        else [],
        **NO_HIGHLIGHTS,
        **({} if is_over else {"turning_points": []}),
    }


def rematch_context(store: Store, summary: MatchSummary, player: Player | None) -> dict[str, Any]:
    """Return the context of the rematch of a match with a result."""
    seats = summary.seats_of(player.id) if player is not None else []
    own = [seat.key for seat in summary.seats if seat.key in seats and seat.side in summary.contenders]
    return {
        "may_rematch": bool(own) and not summary.replay_only and not summary.campaign,
        "may_swap": bool(own) and can_swap(summary),
        "offer": _offer(store, summary, player) if player is not None and own else None,
        **_bots(summary),
    }


def _bots(summary: MatchSummary) -> dict[str, Any]:
    """Return the bot that played a whole side with its level, and one of the next level; None if there is none."""
    sides = [{seat.bot for seat in summary.seats if seat.side == side} for side in summary.contenders]
    names = {name for bots in sides if "" not in bots for name in bots}
    game = catalog.games().get(summary.game)
    if game is None or len(names) != 1 or summary.is_bots_only:
        return {"bot": None, "harder": None}
    (name,) = names
    return {"bot": (name, catalog.bot_level(game, name)), "harder": catalog.harder_bot(game, name)}


def rating_changes(store: Store, summary: MatchSummary, player: Player | None) -> list[tuple[str, float, float]]:
    """Return the players of a rated match with their ratings before and after it, the viewer first, as "you"."""
    changes = store.ladder.changes(summary.id) if summary.is_decided else {}
    names = {one: name for seat in summary.seats for one, name in seat.players}
    own = player.id if player is not None else ""
    known = sorted(changes.items(), key=lambda change: change[0] != own)
    return [("you" if one == own else names.get(one, NO_NAME), each.before, each.after) for one, each in known]


def result_for(match: Match[Any, Any], outcome: Outcome, own: Sequence[str]) -> str:
    """Return how the match ended for a player with seats of one side."""
    mine = {seat.side for seat in match.seats if seat.key in own}
    sides = list(dict.fromkeys(seat.side for seat in match.seats))[:2]  # a third one is an umpire's
    if len(mine) != 1 or not mine <= set(sides):
        return ""
    if outcome.winner is None:
        return "Draw" if len(sides) > 1 else "" if match.outcome is not None else "You lost"
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
        SideLosses(side, name(side), catalog.colour(game, side), own)
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
            "range": "" if scale.is_ordinal else _range_text(band.least, end),
            "is_reached": number == at,
            "mark": 50.0 if scale.is_ordinal else _mark(scale.value, band.least, end),
        }
        for number, (band, end) in enumerate(zip(bands, [*ends, None], strict=True))
    ]
    note = ""
    if not scale.is_ordinal and len({seat.side for seat in match.seats}) == 1 and at + 1 < len(bands):
        note = f"{(following[at] or 0) - scale.value} more for “{bands[at + 1].title}”"
    value = "" if scale.is_ordinal else _number(scale.value)
    return {"name": scale.name, "value": value, "bands": shown, "note": note, "colour": shown[at]["colour"]}


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
    found = store.rematches.find(summary)
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
    offers = store.rematches.offers(player.id, among) if player is not None else []
    return [rematch_offer(one.match, one.rematch, player, swap=one.swap) for one in offers if player is not None]


# -- highlights ------------------------------------------------------------------------------------------------------


def highlights(
    request: AppRequest, store: Store, replays: Replays, summary: MatchSummary, seat: str | None
) -> Mapping[str, Any]:
    """Return the highlights of a finished match for its page, if they are ready; nothing before it is over."""
    if summary.outcome is None:
        return {}
    if summary.is_sealed():  # they lead to the replay
        return {**NO_HIGHLIGHTS, "turning_points": []}
    client_jobs: ClientJobs = request.app.state.site.client_jobs
    return known_highlights(store, replays, summary, seat, client(request), client_jobs.finished_review(summary.id))


def known_highlights(
    store: Store,
    replays: Replays,
    summary: MatchSummary,
    seat: str | None,
    client_tag: str,
    review: Review | None = None,
) -> Mapping[str, Any]:
    """Return the turning points of a finished match, its curve, and a picture as a seat saw it, for a page.

    The turning points are those of the match review if there is one, and so is the luck of each side; `basis` says how
    the turning points were chosen.
    `turning_points` is None while a worker finds them, and empty if that is not possible.
    """
    try:
        found = replays.highlights(summary, client_tag)
    except ReadyRoomError:  # the record is damaged, or too many replays are being prepared
        return {**NO_HIGHLIGHTS, "turning_points": []}
    if isinstance(found, Job):
        return NO_HIGHLIGHTS
    game = store.games(summary.game)
    reviewed = _reviewed(review, game) if review is not None else []
    return {
        "turning_points": reviewed or [_shown(moment, found, summary, game) for moment in found.moments],
        "basis": "review" if reviewed else _basis(found, summary, game),
        "luck": _luck(review, game) if review is not None else [],
        "measure": measure(review) if review is not None else "",
        "picture": _picture(found, summary, game, seat),
        "curve": _curve(found, summary, game),
    }


class DecisiveScene(NamedTuple):
    """The decisive scene of a match as someone may see it: what is marked, what it shows, and its moment, if any."""

    view: MatchView[Any]
    target: str
    label: str
    title: tuple[str, str]
    moment: KeyMoment | None


def decisive_scene(found: Highlights, summary: MatchSummary, game: AnyGame, seat: str | None) -> DecisiveScene:
    """Return the decisive scene from a seat (None: a spectator's)."""
    scene = found.scene
    side = next((known.side for known in summary.seats if known.key == seat), None)
    moment = next((one for one in found.moments if one.number == scene.number), None)
    view = scene.view(game, summary.scenario, seat, side)
    label = "" if moment is None or moment.is_of_many else moment.headline
    title = ("The end", "") if moment is None else (" · ".join(moment.heading), moment.headline or moment.text)
    return DecisiveScene(view, scene.target, label, title, moment)


def _picture(found: Highlights, summary: MatchSummary, game: AnyGame, seat: str | None) -> dict[str, Any] | None:
    """Return the decisive scene from a seat (None: a spectator's); None in a game without a drawn board."""
    scene = decisive_scene(found, summary, game, seat)
    drawn = board_svg.scene(game, scene.view, scene.target, scene.label)
    whose = "all" if game.rules.open_view is not None else seat or ""
    line = f"#line-{scene.moment.line}" if scene.moment is not None else ""
    at = found.scene.number
    return {"drawn": drawn, "at": at, "seat": whose, "title": scene.title, "line": line} if drawn else None


def _curve(found: Highlights, summary: MatchSummary, game: AnyGame) -> dict[str, Any] | None:
    """Return the scores of all sides over the match as lines to draw; None if they never changed.

    The decisions are equally far apart, and so are the lines of the log of each.
    """
    points = list(zip(_places(found.scores), found.scores, strict=True))
    final = _final_scores(found, summary, game)
    values = [*final.values(), *(score for point in found.scores for score in point.scores.values())]
    if not points or len(set(values)) < 2:
        return None
    last, low, high = max(points[-1][0], 1), min(0, *values), max(0, *values)

    def x(place: float) -> float:
        return round(WIDE * place / last, 1)

    def y(score: int) -> float:
        return round(HIGH * (high - score) / (high - low), 1)

    sides = dict.fromkeys(side for _, point in points for side in point.scores)
    state = game.restore_state(found.scene.state)
    is_score, name = game.presentation.standing is not None, game.presentation.standing_name(state, game.data)
    lines = list[dict[str, Any]]()
    for side in sides:
        scores = [point.scores.get(side, 0) for _, point in points]
        end = final.get(side, scores[-1])
        steps = "".join(f"H{x(place)}V{y(score)}" for (place, _), score in zip(points, scores, strict=True))
        lines.append(
            {
                "name": _line_name(summary, game, side) if len(sides) > 1 else "",
                "colour": catalog.colour(game, side),
                "path": f"M0 {y(scores[0])}{steps}H{WIDE}V{y(end)}",
                "end": _number(end),
                "y": y(end),
            }
        )
    for above, below in pairwise(sorted(lines, key=lambda line: line["y"])):
        below["y"] = max(below["y"], above["y"] + APART)
    is_zero_apart = min(y(0), HIGH - y(0)) >= APART
    ticks = name_times([(x(place), point) for place, point in points])
    return {
        "title": capitalize_first(name) if is_score else "Losses",
        "lines": lines,
        "ticks": ticks,
        "marks": [x(moment.number) for moment in found.moments],
        "levels": [(y(level), _number(level)) for level in sorted({low, high} | ({0} if is_zero_apart else set()))],
        "width": WIDE,
        "height": HIGH,
    }


def _final_scores(found: Highlights, summary: MatchSummary, game: AnyGame) -> Mapping[str, int]:
    """Return the scores that the match ended with, which its last lines may have changed; empty if others are drawn."""
    final = summary.outcome.scores if summary.outcome is not None and game.presentation.standing is not None else {}
    return final if len(final) > 1 and final.keys() == found.scores[-1].scores.keys() else {}


def name_times(points: Sequence[tuple[float, ScorePoint]]) -> list[tuple[str, float, bool]]:
    """Return the names of times below a curve: turns, or phases in a match of one turn, as far as they fit.

    Each has its place, and whether it ends there because there is no room for it to the right.
    """
    is_one_turn = len({point.turn for _, point in points if point.turn}) < 2
    ticks, end, free, last = list[tuple[str, float, bool]](), -1.0, 0.0, ""
    for place, point in points:
        named = point.heading.split(", ")[min(1, point.heading.count(", "))] if is_one_turn else str(point.turn)
        if named == last or not named or not (point.turn or is_one_turn):
            continue
        name = named if is_one_turn or ticks else f"turn {named}"
        wide = LETTER * len(name)
        is_before = place + wide > WIDE
        start = place - wide if is_before else place
        if start < free or (not is_one_turn and place < end):
            continue
        ticks.append((name, place, is_before))
        last, free, end = named, start + wide + LETTER, place + WIDE / TICKS
    return ticks


def _places(points: Iterable[ScorePoint]) -> list[float]:
    """Return where the scores of a curve are, counted in decisions: those of one decision are equally far apart.

    >>> _places([ScorePoint(number, 1, {}) for number in (0, 1, 2, 2, 4)])
    [0, 1.0, 1.5, 2.0, 4.0]
    """
    points = list(points)
    counts, seen, places = Counter(point.number for point in points), Counter[int](), list[float]()
    for number in (point.number for point in points):
        seen[number] += 1
        places.append(number and number - 1 + seen[number] / counts[number])
    return places


def _line_name(summary: MatchSummary, game: AnyGame, side: str) -> str:
    seated = {seat.side for seat in summary.seats}
    if len(seated) > 1:
        return game.side_name(side, summary.seats)
    return "own" if side in seated else "enemy"


def _basis(found: Highlights, summary: MatchSummary, game: AnyGame) -> str:
    """Say how turning points were chosen from the log."""
    name = game.presentation.standing_name(game.restore_state(found.scene.state), game.data)
    by_score = sum(moment.swing > 0 for moment in found.moments)
    if not by_score:
        return "Sinkings first, then hits and other big moments of the log, spread over the match."
    led = lead_taken(found.scores, summary.outcome.winner if summary.outcome is not None else None)
    is_led = any(moment.number == led for moment in found.moments)
    lead = "The decision after which the winner led for good, and those" if is_led else "The decisions"
    more = ", then the biggest other moments" if by_score < len(found.moments) else ""
    return f"{lead} that changed the {name} most{more}, spread over the match."


def _luck(review: Review, game: AnyGame) -> list[dict[str, Any]]:
    """Return the luck and the skill of each side, in percentage points of the chance to win, with 95 % intervals."""
    return [
        {"name": side.name, "colour": catalog.colour(game, side.side)}
        | {
            name: tuple(round(100 * value) for value in (interval.mean, interval.low, interval.high))
            for name, interval in (("luck", side.luck), ("skill", side.skill))
        }
        for side in review.sides
    ]


def _reviewed(review: Review, game: AnyGame) -> list[dict[str, Any]]:
    """Return the turning points of a match review; what one side gains there the other one loses."""
    return [
        {
            "at": point.n,
            "line": "",
            "heading": (f"Turn {point.turn}",),
            "rule": "",
            "headline": "",
            "text": cause(review, side, point),
            "target": point.target,
            "gains": [
                {
                    "name": side.name,
                    "colour": catalog.colour(game, side.side),
                    "points": round(100 * point.change.mean),
                }
            ],
        }
        for side, point in review.all_turning_points()
    ]


def _shown(moment: KeyMoment, found: Highlights, summary: MatchSummary, game: AnyGame) -> dict[str, Any]:
    """Return a key moment; where there is one side, its gains have the name of the score."""
    names = {seat.side: game.side_name(seat.side, summary.seats) for seat in summary.seats}
    if len(names) < 2 and game.presentation.standing is not None:
        state = game.restore_state(found.scene.state)
        names = dict.fromkeys(names, game.presentation.standing_name(state, game.data))
    colours = game.presentation.colours
    return {
        "at": moment.number,
        "line": moment.line,
        "heading": moment.heading,
        "rule": moment.rule,
        "headline": moment.headline,
        "text": moment.text,
        "target": moment.target,
        "gains": [
            {"name": names.get(side, side), "colour": colours.get(side, "ink"), "points": points}
            for side, points in moment.gains.items()
        ],
    }


# -- the rematch -----------------------------------------------------------------------------------------------------


@post("/m/{id:str}/rematch", sync_to_thread=True)
def rematch(store: Store, player: Player | None, form: FormMultiDict, id: str, client_tag: str) -> Redirect:
    """Create the rematch of a finished match, with swapped sides or another bot if asked; redirect to it."""
    player, known = _signed_in(player), catalog.bots(catalog.find(store.listings.summary(id).game))
    bot = str(form.get("bot", "")) if form.get("bot") in known else ""
    summary = store.rematches.create(id, player, swap=form.get("swap") == "yes", bot=bot, client=client_tag)
    return Redirect(f"/m/{summary.id}", status_code=303)


@post("/m/{id:str}/rematch/join", sync_to_thread=True)
def join_rematch(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Join the rematch of a finished match; redirect to it."""
    summary = store.rematches.join(id, _signed_in(player).id, swap=form.get("swap") == "yes")
    return Redirect(f"/m/{summary.id}", status_code=303)


def _signed_in(player: Player | None) -> Player:
    if player is None:
        raise NotYourSeat("Only the players of a match can play a rematch.")
    return player


router = Router("/", route_handlers=[rematch, join_rematch], include_in_schema=False)
