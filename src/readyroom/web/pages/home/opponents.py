"""Find an opponent: open seats by game, speed and experience, and a form that opens one."""

from __future__ import annotations

from typing import Annotated, cast

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.params import Parameter
from litestar.response import Redirect

from readyroom.store import Experience, Player, SeatAssignment, Store
from readyroom.store.lobby.setup import random_words
from readyroom.web import catalog
from readyroom.web.live.presence import Presence
from readyroom.web.pages.cards import match_list
from readyroom.web.pages.home.new_match import CLOCKS, chosen_minutes
from readyroom.web.pages.players.ladder import PROVISIONAL
from readyroom.web.pages.players.profile import get_or_create_player, known_people
from readyroom.web.rendering import AppRequest, Page, Reply
from readyroom.web.settings import Settings

SHOWN = 50
"""The most open seats that are listed."""
PACES = {"live": "Real time", "days": "Correspondence"}
EXPERIENCE = {"": "Anyone", "new": "Newcomers", "skilled": "Experienced players"}
Choice = Annotated[str, Parameter(max_length=40)]


@get("/opponents", sync_to_thread=True)
def opponents(
    page: Page,
    store: Store,
    settings: Settings,
    player: Player | None,
    game: Choice = "",
    pace: Choice = "",
    experience: Choice = "",
) -> Response[str]:
    """Show open seats, by game, speed and experience, and a form that opens one."""
    wanted = {"game": game if game in catalog.games() else "", "pace": pace if pace in PACES else ""}
    wanted["experience"] = experience if experience in EXPERIENCE else ""
    found = store.listings.public_matches(open_seats=True, without=player.id if player else "", limit=SHOWN, **wanted)
    presence: Presence = page.request.app.state.site.presence
    hosts = {summary.host for summary in found if summary.host}
    mine = store.listings.matches_of(player.id, limit=SHOWN) if player is not None else []
    return page(
        "opponents.html",
        own=match_list((one for one in mine if one.public and any(seat.open for seat in one.seats)), player),
        known=known_people(store, player),
        matches=match_list(found, player),
        ratings=store.ladder.ratings_of(hosts),
        hosts_here={one.id for one in found if one.host in presence.here(one.id).players},
        provisional=PROVISIONAL,
        wanted=wanted,
        games=[entry for entry in catalog.list_games() if not entry.solitaire],
        paces=PACES,
        clocks=CLOCKS,
        experiences=EXPERIENCE,
        alerts=store.players.alerts(player.id) if player is not None else frozenset(),
        is_reachable=player is not None
        and bool(player.hook or player.mail or (store.pushes.devices(player.id) if settings.push_key else ())),
        done=page.request.query_params.get("done", ""),
    )


@post("/opponents/alerts", sync_to_thread=True)
def set_alerts(request: AppRequest, store: Store, player: Player | None, form: FormMultiDict) -> Reply:
    """Set the games of whose open seats the player wants to be notified."""
    arrival = get_or_create_player(request, store, player)
    store.players.set_alerts(arrival.player.id, {str(key) for key in form.getall("alert", [])} & catalog.games().keys())
    return arrival.seated(Redirect("/opponents?done=alerts#alerts", status_code=303))


@post("/opponents", sync_to_thread=True)
def open_seat(request: AppRequest, store: Store, player: Player | None, form: FormMultiDict, client_tag: str) -> Reply:
    """Create a public match with the player on one side, and open the other seats to anyone."""
    name, _, side = str(form.get("choice", "")).partition(" ")
    game = catalog.find(name)
    seats = catalog.first_seats(game)
    if side not in {seat.side for seat in seats}:
        side = seats[0].side
    arrival = get_or_create_player(request, store, player)
    who = {seat.key: SeatAssignment("me" if seat.side == side else "anyone") for seat in seats}
    experience = str(form.get("experience", ""))
    opened = store.lobby.create(
        arrival.player,
        game.key,
        None,
        {},
        who,
        pace="days" if form.get("pace") == "days" else "live",
        minutes=chosen_minutes(str(form.get("minutes", ""))),
        listed=True,
        dice_nonce=random_words(),
        client=client_tag,
        experience=cast(Experience, experience if experience in EXPERIENCE else ""),
    )
    return arrival.seated(Redirect(f"/m/{opened.id}", status_code=303))


router = Router("/", route_handlers=[opponents, open_seat, set_alerts], include_in_schema=False)
