"""Matches to watch: public ones that are going on or over, matches between bots, and small drawings of boards."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from litestar.response import Redirect
from msgspec.structs import replace

from readyroom.bots import default_bot
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import MatchView
from readyroom.engine.match import Match
from readyroom.engine.record.highlights import Highlights
from readyroom.engine.rules.state import Outcome
from readyroom.engine.text import capitalize_first
from readyroom.store import MatchSummary, Player, SeatAssignment, Store
from readyroom.store.errors import TooManyBotMatches
from readyroom.store.lobby.setup import find_scenario
from readyroom.study.recorded import find_recorded, recorded_matches
from readyroom.web import catalog
from readyroom.web.board_image import board_image, image_response
from readyroom.web.jobs.replays import Replays
from readyroom.web.jobs.workers import Job
from readyroom.web.live.presence import Here
from readyroom.web.pages.cards import by_sides, decided_outcome, match_list
from readyroom.web.pages.match.ending import DecisiveScene, decisive_scene
from readyroom.web.pages.match.replay import Number
from readyroom.web.pages.match.table_view import Viewer, view_for
from readyroom.web.poster import PosterTexts, draw_poster
from readyroom.web.rendering import SCHEME, AppRequest, Page
from readyroom.web.security import client

LIVE, OVER = 24, 24
"""The most matches of each list."""
Choice = Annotated[str, Parameter(max_length=40)]
Target = Annotated[str | None, Parameter(max_length=64)]


@get("/watch", sync_to_thread=True)
def watch(page: Page, store: Store, player: Player | None, game: Choice = "") -> Response[str]:
    """Show public matches, of one game or of all: those going on with their boards, recorded ones, and those over."""
    wanted = game if game in catalog.games() else ""
    mine = player.id if player is not None else ""
    live = store.listings.public_matches(open_seats=False, limit=LIVE, game=wanted)
    over = store.ladder.public_results(OVER, game=wanted, viewer=mine)
    return page(
        "watch.html",
        games={entry.game.key: entry.game.title for entry in catalog.list_games()},
        chosen=wanted,
        live=match_list(live, player),
        watching=watching(page, live),
        over=match_list(over, player),
        bot_games=catalog.list_games(),
        recorded=[one for one in recorded_matches().values() if wanted in ("", one.game.key)],
    )


def watching(page: Page, live: list[MatchSummary]) -> dict[str, int]:
    """Return how many people without a seat have each of these matches open."""
    counts = dict[str, int]()
    for summary in live:
        here: Here = page.request.app.state.site.presence.here(summary.id)
        counts[summary.id] = len(here.players - summary.everyone) + here.anonymous
    return counts


@post("/watch", sync_to_thread=True)
def watch_bots(store: Store, form: FormMultiDict, client_tag: str) -> Redirect:
    """Open a live public match between bots from its start, or start one; it plays by itself."""
    game = catalog.find(str(form.get("game", "")))
    return _play(store.bot_matches.find_recent(game.key, live=True) or _start_bots(store, game, client_tag))


@get("/watch/{key:str}", sync_to_thread=True)
def watch_recorded(store: Store, key: str) -> Redirect:
    """Open a recorded match from its start; it plays by itself."""
    return _play(store.records.open_recorded(find_recorded(key)))


def _play(match: str) -> Redirect:
    """Lead to the replay of a match, which plays by itself from its start."""
    return Redirect(f"/m/{match}/replay?seat=all&play=yes", status_code=303)


def _start_bots(store: Store, game: catalog.AnyGame, client_tag: str) -> str:
    """Start a public match between bots; where too many are live, return one that was played lately."""
    bot = SeatAssignment("bot", default_bot(game))
    seats = {seat.key: bot for seat in catalog.first_seats(game)}
    try:
        return store.lobby.create(None, game.key, None, {}, seats, listed=True, client=client_tag).id
    except TooManyBotMatches:
        if (known := store.bot_matches.find_recent(game.key)) is None:
            raise
        return known


@get("/m/{id:str}/board.svg", sync_to_thread=True)
def match_image(
    request: AppRequest,
    store: Store,
    replays: Replays,
    id: str,
    seat: Choice = "",
    at: Number = None,
    around: Target = None,
) -> Response[str]:
    """Return a drawing of the board as spectators see it; before the start, of a built-in scenario, as a seat does.

    With a seat it is the large picture of an invitation, and has its fonts in itself. `at` is the decision after which
    a finished match is drawn, and `around` the key of the piece or place that is then shown closely.
    """
    summary, scheme = store.listings.summary(id), request.cookies.get(SCHEME, "")
    if not summary.started:
        scenario = store.listings.scenario(id)
        known, options = seat if scenario.text is None else "", tuple(summary.options.items())
        shown = scenario.key, scenario.text, options
        return image_response(opening_image(summary.game, known, scheme, *shown, has_fonts=bool(seat)))
    if summary.outcome is None or summary.is_sealed():
        at = None
    around = around if at is not None else None
    key = f"{around} {id} {summary.revision if at is None else f'at {at}'} {summary.is_sealed()} {bool(seat)} {scheme}"
    kept = request.app.state.site.board_images
    image: str | None = kept.get(key)
    if image is None:
        view = _shown_view(store, replays, summary, at, client(request))
        if view is None:
            return image_response("")
        game = store.games(summary.game)
        image = board_image(game, view, scheme, has_fonts=bool(seat), around=around) or ""
        kept.put(key, image, len(image))
    return image_response(image)


def _shown_view(
    store: Store, replays: Replays, summary: MatchSummary, at: int | None, client_tag: str
) -> MatchView[Any] | None:
    """Return what spectators see, now or after decision `at` of a match that is over; None while that is prepared."""
    if at is None:
        with store.matches.open(summary.id, summary.true_revision) as match:
            return view_for(Viewer(summary), match, None)
    index = replays.index(summary, client_tag)
    if isinstance(index, Job):
        return None
    return index.match_at(min(at, index.revision), store.games(summary.game)).open_view(None)


@get("/m/{id:str}/poster.svg", sync_to_thread=True)
def match_poster(request: AppRequest, store: Store, replays: Replays, id: str, client_tag: str) -> Response[str]:
    """Return the end of a match as a picture to share, as spectators see it; raise `NotFoundException` before it."""
    summary = store.listings.summary(id)
    outcome = summary.outcome or decided_outcome(summary)
    if outcome is None:
        raise NotFoundException
    game = store.games(summary.game)
    found: Highlights | Job | None = None
    if summary.outcome is not None:
        with suppress(ReadyRoomError):  # too many replays are being prepared
            found = replays.highlights(summary, client_tag)
    scene = decisive_scene(found, summary, game, None) if isinstance(found, Highlights) else None
    kept, key = request.app.state.site.board_images, f"poster {id} {summary.revision} {scene is None}"
    image: str | None = kept.get(key)
    if image is None:
        view = scene.view if scene is not None else _shown_view(store, replays, summary, None, client_tag)
        assert view is not None, "the last position needs no preparation"
        texts = _poster_texts(summary, game, outcome, scene)
        image = draw_poster(game, view, texts, *((scene.target, scene.label) if scene is not None else ("", "")))
        kept.put(key, image, len(image))
    return image_response(image)


def _poster_texts(
    summary: MatchSummary, game: catalog.AnyGame, outcome: Outcome, scene: DecisiveScene | None
) -> PosterTexts:
    """Return what the poster of a match says; no names of players."""
    sides = {seats[0].side: (capitalize_first(name), colour) for name, colour, seats in by_sides(summary)}
    scores = [(*sides[side], score) for side, score in outcome.scores.items() if side in sides]
    return PosterTexts(
        game.title,
        summary.scenario,
        capitalize_first(outcome.title),
        catalog.colour(game, outcome.winner) if outcome.winner else "ink",
        scores if len(scores) > 1 else [],
        outcome.text if summary.outcome is not None else "",  # how it was decided names players
        capitalize_first(": ".join(filter(None, scene.title))) if scene is not None else "",
        summary.dice_label.partition(":")[0],
    )


@get("/games/{name:str}/board.svg", sync_to_thread=True)
def game_image(request: AppRequest, name: str, seat: Choice = "", scenario: Choice = "") -> Response[str]:
    """Return a drawing of a game's board at the start of a scenario, the first one by default, as a seat sees it."""
    game = catalog.find(name)
    known = scenario if scenario in {one.key for one in catalog.scenarios(game)} else None
    return image_response(opening_image(game.key, seat, request.cookies.get(SCHEME, ""), known))


@get("/watch/{key:str}/board.svg", sync_to_thread=True)
def recorded_image(request: AppRequest, key: str) -> Response[str]:
    """Return a drawing of the board at the end of a recorded match."""
    return image_response(_last_image(find_recorded(key).key, request.cookies.get(SCHEME, "")))


@lru_cache(maxsize=32)
def _last_image(key: str, scheme: str) -> str:
    known = find_recorded(key)
    return board_image(known.game, known.last_view(), scheme) or ""


@lru_cache(maxsize=64)
def opening_image(
    key: str,
    seat: str,
    scheme: str,
    scenario: str | None = None,
    own: str | None = None,
    options: tuple[tuple[str, str], ...] = (),
    *,
    has_fonts: bool = False,
) -> str:
    """Return the board of a scenario, by default the first one, at the start; empty for a game without a drawing.

    A match rolls its own dice, so the board is that of the first decision only if nothing is rolled before it.
    """
    game = catalog.find(key)
    match = Match(game, found := find_scenario(game, scenario, own), dict(options), seed="", checkpoints=False)
    known = seat if seat in {each.key for each in match.seats} else None
    view = match.view(known)
    if any(line.rolls for line in match.full_log):
        state = game.rules.setup(game.data, found, match.options)
        view = replace(view, table=game.rules.view(state, game.data, known))
    return board_image(game, view, scheme, has_fonts=has_fonts) or ""


router = Router(
    "/",
    route_handlers=[watch, watch_bots, watch_recorded, match_image, match_poster, game_image, recorded_image],
    include_in_schema=False,
)
