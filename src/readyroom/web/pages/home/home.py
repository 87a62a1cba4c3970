"""The home page, hidden matches, and creating or importing a match."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from litestar import Response, Router, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.params import Parameter
from litestar.response import Redirect

from readyroom.bots import default_bot
from readyroom.engine.errors import ReadyRoomError
from readyroom.store import CreatedMatch, Player, SeatAssignment, Store
from readyroom.store.campaigns import PreparedWar
from readyroom.store.errors import ImportRejected, TooManyBotMatches
from readyroom.store.limits import RECORD_LENGTH
from readyroom.store.lobby.setup import random_words
from readyroom.store.matches.records import PreparedImport
from readyroom.web import catalog
from readyroom.web.jobs.client_jobs import ClientJobs, ImportJob
from readyroom.web.pages.cards import match_list
from readyroom.web.pages.games.puzzles import todays_puzzle
from readyroom.web.pages.games.scenarios import readable
from readyroom.web.pages.home import daily, new_match, weekly
from readyroom.web.pages.home.new_match import NewMatchForm
from readyroom.web.pages.home.tournaments import my_tournaments
from readyroom.web.pages.home.watch import watching
from readyroom.web.pages.match import lobby
from readyroom.web.pages.match.ending import waiting_offers
from readyroom.web.pages.players.ladder import ending_for
from readyroom.web.pages.players.profile import get_or_create_player, my_page
from readyroom.web.rendering import AppRequest, Page, Reply, wants_part
from readyroom.web.security import ARRANGE, TEXT, client, only_updates_form

FORM_BYTES = 2 * 1024 * 1024
"""The most bytes of a new-match form. Scenario files are far smaller, but a wrong file is reported at its field, and
the rest of the form is kept.
"""
RECORD_BYTES = RECORD_LENGTH * 2
"""The most bytes of a form with a record. One that is only somewhat too large is reported at its field."""
SHOWN = 30
"""The most matches in a list."""
FINISHED = 6
"""The most finished matches of a player on the home page; the others are on the profile page."""
LATEST, OPEN = 3, 6
"""The number of public matches, live or over, on the home page, and of those with open seats."""
Name = Annotated[str, Parameter(max_length=100)]


@get("/", sync_to_thread=True)
def home(page: Page, store: Store, player: Player | None) -> Response[str]:
    """Show the home page."""
    mine, me = store.listings.matches_of(player.id, limit=SHOWN + 1) if player else [], player.id if player else ""
    shown = mine[: min(SHOWN, sum(one.outcome is None for one in mine) + FINISHED)]
    live = store.listings.public_matches(open_seats=False, without=me, limit=LATEST)
    return page(
        "home.html",
        mine=match_list(shown, player, store),
        ended={one.id: ending_for(one, me) for one in shown},
        tournaments=my_tournaments(store, me) if me else [],
        open_tournaments=store.tournaments.count_open(me),
        invitations=store.friends.invitations(player.id) if player else [],
        offers=waiting_offers(store, player, mine),
        more=len(mine) > len(shown),
        away=store.listings.count_hidden(player.id) if player else 0,
        open_matches=match_list(store.listings.public_matches(open_seats=True, without=me, limit=OPEN), player),
        open_seats=store.listings.count_open_seats(me),
        live=match_list(live, player),
        watching=watching(page, live),
        results=match_list(store.ladder.public_results(LATEST, viewer=me, people=True), player),
        week=weekly.this_week(),
        challenge=daily.today(store),
        puzzle=todays_puzzle(store, player),
        record=store.ladder.statistics(player.id) if player else [],
        queue=store.listings.waiting_for(player.id) if player else [],
        games=catalog.list_games(),
        first=catalog.featured_game(),
    )


@get("/me/hidden", sync_to_thread=True)
def hidden_matches(page: Page, store: Store, player: Player | None) -> Response[str]:
    """Show the player's hidden matches."""
    hidden = store.listings.matches_of(player.id, hidden=True) if player else []
    return page("hidden.html", matches=match_list(hidden, player))


@get("/games/{name:str}/scenarios/{file:str}", sync_to_thread=True)
def scenario_file(name: str, file: str) -> Response[str]:
    """Return a scenario file, as an example for custom ones."""
    return Response(catalog.scenario_text(catalog.find(name), file.removesuffix(".toml")), media_type="text/plain")


@post("/play", sync_to_thread=True)
def play_now(request: AppRequest, store: Store, player: Player | None, form: FormMultiDict, client_tag: str) -> Reply:
    """Start a match against bots in one click: the first scenario or the one asked for, on the selected side.

    The bot is the game's default one, unless another is asked for.
    """
    game, scenario = catalog.find(str(form.get("game", ""))), str(form.get("scenario", "")) or None
    seats, side = catalog.seats(game, scenario, None, {}), str(form.get("side", ""))
    if side not in {seat.side for seat in seats}:
        side = seats[0].side
    arrival = get_or_create_player(request, store, player)
    bot = str(form.get("bot", ""))
    others = SeatAssignment("bot", bot if bot in catalog.bots(game) else default_bot(game))
    who = {seat.key: SeatAssignment("me") if seat.side == side else others for seat in seats}
    opened = store.lobby.create(
        arrival.player, game.key, scenario, {}, who, listed=form.get("listed") == "yes", client=client_tag
    )
    if form.get("quick") == "yes":
        _answer_quickly(store, opened.id, game)
    return arrival.seated(Redirect(f"/m/{opened.id}", status_code=303))


def _answer_quickly(store: Store, id: str, game: catalog.AnyGame) -> None:
    """Answer the first question of a new match as the game proposes, if it does."""
    quick = game.presentation.quick_start
    if quick is None:
        return
    with store.matches.open(id) as match:
        asked = next((each for each in match.pending.values() if each.rule == quick.rule), None)
    if asked is not None and quick.key in asked.keys:
        store.matches.answer(id, asked.seat, [quick.key], None)


@get("/new", sync_to_thread=True)
def new(
    page: Page, store: Store, game: Name = "", scenario: Name = "", custom: Name = "", against: Name = ""
) -> Response[str]:
    """Show the form for a new match.

    `custom` is the id of a player's scenario, or the secret of its link; with `against=anyone` it is public, and all
    sides but the first are open; with the id of someone known, or on the ladder, they are for that player, who is
    invited. A scenario that the game does not have is ignored.
    """
    if custom:
        found = readable(store, page.player, custom)
        setup = NewMatchForm(catalog.find(found.game), scenario=new_match.OWN, own=found.text)
    else:
        setup = NewMatchForm(catalog.find(game) if game else next(iter(catalog.games().values())))
        setup.scenario = scenario if scenario in {one.key for one in catalog.scenarios(setup.game)} else ""
    if against == "anyone":
        setup.open_others()
    setup.challenged = _challenged(store, page.player, against)
    setup.words, setup.words_drawn = random_words(), True
    setup.check()
    return _new_page(page, store, setup, secret=bool(custom), against=against)


def _challenged(store: Store, player: Player | None, other_id: str) -> str:
    """Return the name of someone known, or on the ladder, who is challenged; empty for anyone else."""
    return store.friends.known_name(player.id if player is not None else "", other_id)


def _new_page(
    page: Page,
    store: Store,
    setup: NewMatchForm,
    *,
    status: int = 200,
    secret: bool = False,
    against: str = "",
    arranged: bool = False,
) -> Response[str]:
    """Return the form with the player's own scenarios of its game; `against` is the id of a player challenged.

    `arranged`: a button has just given the seats to someone.
    """
    own = store.scenarios.of_player(page.player.id) if page.player is not None else []
    mine = [one for one in own if one.game == setup.game.key]
    return page(
        "new.html",
        status=status,
        secret=secret,
        mine=mine,
        arranged=arranged,
        against=against if setup.challenged else "",
        **new_match.plain(setup),
    )


@post("/new", sync_to_thread=True, request_max_body_size=FORM_BYTES)
def open_match(
    request: AppRequest, page: Page, store: Store, player: Player | None, form: FormMultiDict, client_tag: str
) -> Reply:
    """Create the match of the form, or show it again with the errors at its fields."""
    setup, do, against = _new_match_form(form), str(form.get("do", "")), str(form.get("against", ""))
    setup.challenged = _challenged(store, player, against)
    if do.startswith(TEXT):
        setup.scenario, setup.own = new_match.OWN, catalog.scenario_text(setup.game, do.removeprefix(TEXT))
    if do.startswith(ARRANGE):
        setup.arrange(*do.removeprefix(ARRANGE).split(" ")[:2])
    if only_updates_form(do):
        setup.check()
        return _new_page(page, store, setup, against=against, arranged=do.startswith(ARRANGE))
    if not setup.check():
        return _new_page(page, store, setup, status=422, against=against)
    arrival = get_or_create_player(request, store, player)
    try:
        if invited_to := setup.challenged_seats():
            store.friends.check(arrival.player.id, against)
        opened = _created(store, arrival.player, setup, client_tag)
        if invited_to:
            store.friends.invite(opened.id, arrival.player, against, invited_to)
    except TooManyBotMatches:
        raise
    except ReadyRoomError as error:
        page.player = arrival.player
        setup.errors["all"] = str(error)
        return arrival.seated(_new_page(page, store, setup, status=422, against=against))
    response = Redirect(f"/m/{opened.id}", status_code=303)
    if opened.links:
        response.set_cookie(lobby.links_cookie(request, f"/m/{opened.id}", opened.links))
    return arrival.seated(response)


def _new_match_form(form: FormMultiDict) -> NewMatchForm:
    upload = form.get("file")
    files, wrong = dict[str, str](), ""
    if isinstance(upload, UploadFile) and upload.filename:
        content = upload.file.read(new_match.SCENARIO_BYTES + 1)
        text, wrong = new_match.file_text(upload.filename, content)
        files = {"file": text} if text else {}
    setup = new_match.read(form, files)
    if wrong:
        setup.scenario, setup.errors["own"] = new_match.OWN, wrong
    return setup


def _created(store: Store, host: Player, setup: NewMatchForm, client_tag: str) -> CreatedMatch:
    own = setup.scenario == new_match.OWN
    return store.lobby.create(
        host,
        setup.game.key,
        None if own else setup.scenario or None,
        setup.options,
        setup.assignments(),
        own=setup.own if own else None,
        pace=setup.pace,
        minutes=setup.minutes,
        listed=setup.listed,
        help_agreed=setup.help_agreed,
        dice_nonce=setup.words,
        client=client_tag,
    )


@post("/me/import", request_max_body_size=RECORD_BYTES)
async def import_match(
    request: AppRequest,
    page: Page,
    store: Store,
    client_jobs: ClientJobs,
    player: Player | None,
    form: FormMultiDict,
    client_tag: str,
) -> Reply:
    """Import a match from its record; show the error at the field, or the progress if it takes long."""
    arrival = await sync_to_thread(get_or_create_player, request, store, player)
    page.player = arrival.player
    try:
        text, secret = _record(form.get("record")), _secret(str(form.get("secret", "")))
        write = partial(_write_import, store, client_tag)
        started = await client_jobs.import_record(client(request), arrival.player, text, secret, write)
    except ImportRejected as error:
        return arrival.seated(await sync_to_thread(_import_rejected, page, store, str(error)))
    return arrival.seated(await sync_to_thread(_import_reply, page, store, started, elsewhere=True))


def _write_import(store: Store, client_tag: str, prepared: PreparedImport | PreparedWar, host: Player) -> str:
    """Write an imported match or campaign; return its address."""
    if isinstance(prepared, PreparedWar):
        return f"/campaigns/{store.campaigns.write_import(prepared, host, client=client_tag)}"
    return f"/m/{store.records.write_import(prepared, host, client=client_tag)}"


@get("/me/import/{number:str}", sync_to_thread=True)
def import_page(page: Page, store: Store, client_jobs: ClientJobs, player: Player | None, number: str) -> Reply:
    """Show the progress of an import; lead to the match when it is finished."""
    started = client_jobs.find_import(number, player)
    if started.job is None and wants_part(page.request):
        return Response("", headers={"HX-Refresh": "true"})
    return _import_reply(page, store, started)


@post("/me/import/{number:str}/cancel", sync_to_thread=False)
def cancel_import(client_jobs: ClientJobs, player: Player | None, number: str) -> Redirect:
    """Cancel an import."""
    job = client_jobs.find_import(number, player).job
    if job is not None:
        job.cancel()
    return Redirect(f"/me/import/{number}", status_code=303)


def _import_reply(page: Page, store: Store, started: ImportJob, *, elsewhere: bool = False) -> Reply:
    """Return the result of an import, or its progress: as a page, or as the address of the page."""
    address, job = f"/me/import/{started.id}", started.job  # which ends at any time, once there is a result
    if started.wrong:
        return _import_rejected(page, store, started.wrong)
    if started.written:
        return Redirect(started.written, status_code=303)
    return Redirect(address, status_code=303) if elsewhere else page("import.html", job_now=job, here=address)


def _import_rejected(page: Page, store: Store, error: str) -> Reply:
    return my_page(page, store, status=422, wrong={"record": error})


def _record(upload: object) -> str:
    """Return the text of an uploaded record; raise `ImportRejected` if there is none."""
    if not isinstance(upload, UploadFile) or not upload.filename:
        raise ImportRejected("Choose a record file (.jsonl).")
    try:
        return upload.file.read().decode()
    except UnicodeDecodeError as error:
        raise ImportRejected(f"{upload.filename} is not a record: it is not UTF-8 text.") from error


def _secret(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text) or None
    except ValueError as error:
        raise ImportRejected("The dice key must be hexadecimal.") from error


router = Router(
    "/",
    route_handlers=[
        *(home, hidden_matches, scenario_file, play_now, new, open_match),
        *(import_match, import_page, cancel_import, *lobby.handlers),
    ],
    include_in_schema=False,
)
