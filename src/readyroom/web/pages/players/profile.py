"""Sessions, and the profile page: display name, notifications, results, devices, recovery link and matches."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from litestar import Response, Router, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import Cookie, FormMultiDict
from litestar.response import Redirect
from litestar.types import Message, Scope

from readyroom.store import Device, Enrolled, Player, Store
from readyroom.store.accounts.players import SESSION_DAYS
from readyroom.store.base import new_secret
from readyroom.store.errors import InvalidText, UnknownPlayer
from readyroom.store.friends import Friend, KnownPerson
from readyroom.store.names import NAME_LENGTH
from readyroom.web.devices import describe_device
from readyroom.web.live.broadcast import EventBroadcaster
from readyroom.web.live.notifications import BadAddress, check_hook, check_mail, check_push
from readyroom.web.live.open_pages import OpenPages
from readyroom.web.live.web_push import InvalidKey, VapidKey, check_keys
from readyroom.web.pages.cards import ago, match_list
from readyroom.web.pages.players.badges import badges_of
from readyroom.web.pages.players.ladder import PROVISIONAL, ending_for, last_results, results_of
from readyroom.web.rendering import PLAYER, SCHEME, SCHEMES, AppRequest, Page, Reply, address
from readyroom.web.settings import Settings

COOKIE = "readyroom"
"""The cookie with the session's secret."""
RECOVERING = "recovering"
"""The cookie by which a browser can use its recovery link again if the response was lost."""
MOST_KNOWN = 12
"""The most people met in the list of people that a player knows."""
A_DAY = 24 * 60 * 60
A_YEAR = 365 * A_DAY
RENEWED = "renewed"
"""The key under which a request keeps the cookie of a session that was just renewed."""
ROOM = re.compile(r"/(?:m|campaigns)/(\w+)(/.*)?")

RANKS = ("Ensign", "Bosun", "Lookout", "Signalman", "Navigator", "Helmsman", "Yeoman", "Quartermaster")
BIRDS = ("Albatross", "Tern", "Petrel", "Heron", "Gannet", "Skua", "Plover", "Curlew", "Fulmar", "Osprey", "Pelican",
         "Noddy", "Sanderling", "Shearwater", "Kittiwake", "Turnstone")  # fmt: skip


class Arrival(NamedTuple):
    """A player who acts, and the session cookie if they were just created."""

    player: Player
    cookie: Cookie | None

    def seated(self, response: Reply) -> Reply:
        """Return the response with the cookie of a new player."""
        if self.cookie is not None:
            response.set_cookie(self.cookie)
        return response


async def provide_player(request: AppRequest, store: Store, open_pages: OpenPages) -> Player | None:
    """Return the player of the session cookie; None if not signed in."""
    session = request.cookies.get(COOKIE)
    player = await sync_to_thread(store.players.of_session, session, device_of(request)) if session else None
    request.scope["state"][PLAYER] = player
    if session and player is not None and player.renewed:
        request.scope["state"][RENEWED] = session_cookie(request, session)
    at = ROOM.fullmatch(request.url.path) if player is not None else None
    if player is not None and at is not None and (request.method == "POST" or not at[2]):
        # What a page fetches by itself when the match moves is no sign that anybody looks.
        open_pages.seen(at[1], player.id)
    return player


async def provide_page(request: AppRequest, player: Player | None) -> Page:
    """Provide the page of a request."""
    return Page(request, player)


def get_or_create_player(request: AppRequest, store: Store, player: Player | None, name: str = "") -> Arrival:
    """Return the signed-in player, or create one under a random name."""
    if player is not None:
        return Arrival(player, None)
    enrolled = create_player(request, store, name.strip() or random_name())
    return Arrival(enrolled.player, session_cookie(request, enrolled.session))


def create_player(request: AppRequest, store: Store, name: str, *, program: bool = False) -> Enrolled:
    """Create a player for a client; raise `TooMany` if it has created too many, or `InvalidText`."""
    count_new_player(request)
    return store.players.create(name, device_of(request), program=program)


def count_new_player(request: AppRequest) -> None:
    """Count a new player of a client; raise `TooMany` if it has created too many."""
    request.app.state.site.new_players.count(request)


def device_of(request: AppRequest) -> str:
    """Return the browser and system of a request in plain words."""
    return describe_device(request.headers.get("user-agent", ""))


def random_name() -> str:
    """Return a random display name."""
    return f"{secrets.choice(RANKS)} {secrets.choice(BIRDS)}"


def session_cookie(request: AppRequest, session: str) -> Cookie:
    """Return the session cookie."""
    return app_cookie(request, COOKIE, session, SESSION_DAYS * A_DAY)


async def renew_session(message: Message, scope: Scope) -> None:
    """Let the session's cookie last as long as the session, after a visit that has renewed it."""
    cookie = scope["state"].get(RENEWED) if message["type"] == "http.response.start" else None
    if not isinstance(cookie, Cookie) or message["type"] != "http.response.start":
        return
    mine = f"{COOKIE}=".encode()
    if not any(key.lower() == b"set-cookie" and value.startswith(mine) for key, value in message["headers"]):
        message["headers"] = [*message["headers"], (b"set-cookie", cookie.to_header(header="").encode())]


def app_cookie(request: AppRequest, key: str, value: str, seconds: int, path: str = "/") -> Cookie:
    """Return a cookie with our defaults: HTTP-only and same-site."""
    https = request.app.state.settings.https or request.url.scheme == "https"
    return Cookie(key=key, value=value, path=path, max_age=seconds, httponly=True, samesite="lax", secure=https)


# -- my own page -----------------------------------------------------------------------------------------------------


@get("/me", sync_to_thread=True)
def me(page: Page, store: Store) -> Response[str]:
    """Show the profile page."""
    return my_page(page, store)


def my_page(page: Page, store: Store, *, status: int = 200, session: str = "", **more: object) -> Response[str]:
    """Show the profile page with confirmations and errors; `session` is the secret of a new session."""
    player, settings = page.player, page.request.app.state.settings
    session = session or page.request.cookies.get(COOKIE, "")
    mine = store.listings.matches_of(player.id) if player else []
    data: dict[str, object] = {
        "matches": match_list(mine, player, store),
        "ended": {one.id: ending_for(one, player.id) for one in mine} if player else {},
        "name": player.name if player else random_name(),
        "hook": player.hook if player else "",
        "mail": player.mail if player else "",
        "letters": NAME_LENGTH,
        "wrong": {},
        "done": page.request.query_params.get("done", ""),
        "recovery": "",
        "mails": bool(settings.smtp),
        "devices": _devices(store, player, session) if player else [],
        "pushes": store.pushes.devices(player.id) if player and settings.push_key else set(),
        "push_key": VapidKey(settings.push_key).public if settings.push_key else "",
        "provisional": PROVISIONAL,
        "results": (results := results_of(store, player.id)) if player else None,
        "badges": badges_of(store, player.id, results) if player else [],
        "last_results": last_results(store, player.id) if player else [],
        "joined": store.ladder.joined(player.id) if player else None,
        "known": known_people(store, player),
        "passkeys": store.passkeys.of_player(player.id) if player and settings.accounts == "passkeys" else [],
        "accounts": settings.accounts == "passkeys",
        "session_days": SESSION_DAYS,
    }
    return page("me.html", status=status, secret=True, **{**data, **more})


def _devices(store: Store, player: Player, session: str) -> list[tuple[Device, str]]:
    """Return the player's devices, and when each was last seen: an hour or more is all that is known."""
    hours = timedelta(hours=1)
    listed = store.players.devices(player.id, session)
    return [(one, "within the last hour" if datetime.now(UTC) - one.seen < hours else ago(one.seen)) for one in listed]


def known_people(store: Store, player: Player | None, limit: int = MOST_KNOWN) -> list[KnownPerson]:
    """Return a player's friends, and the people that they have played last."""
    if player is None:
        return []
    met = store.listings.acquaintances(player.id, limit)
    return store.friends.known(player.id, [Friend(one.player, one.name) for one in met])


@post("/me/friends", sync_to_thread=True)
def mark_friend(store: Store, player: Player | None, form: FormMultiDict) -> Redirect:
    """Mark someone as a friend, or remove the mark, and return to the page."""
    if player is None:
        raise UnknownPlayer
    store.friends.mark(player.id, str(form.get("player", "")), form.get("friend") == "yes")
    return Redirect(_own_path(str(form.get("back", ""))), status_code=303)


@post("/me/name", sync_to_thread=True)
def rename(request: AppRequest, page: Page, store: Store, form: FormMultiDict) -> Reply:
    """Set the display name."""
    name = " ".join(str(form.get("name", "")).split())
    try:
        if len(name) > NAME_LENGTH:
            raise InvalidText(f"A name has at most {NAME_LENGTH} characters; this one has {len(name)}.")
        if page.player is None:
            return get_or_create_player(request, store, None, name).seated(_done("name"))
        store.players.rename(page.player.id, name)
    except InvalidText as error:
        return my_page(page, store, status=422, name=name, wrong={"name": str(error)})
    return _done("name")


@post("/me/notices", sync_to_thread=True)
def notices(request: AppRequest, page: Page, store: Store, form: FormMultiDict, settings: Settings) -> Reply:
    """Set the notifications."""
    hook, mail = str(form.get("hook", "")).strip(), str(form.get("mail", "")).strip()
    wrong: dict[str, str] = {}
    saved = page.player.hook if page.player is not None else ""
    for key, check, text in (("hook", check_hook, hook if hook != saved else ""), ("mail", check_mail, mail)):
        try:
            check(text, settings)
        except BadAddress as error:
            wrong[key] = str(error)
    if wrong:
        return my_page(page, store, status=422, hook=hook, mail=mail, wrong=wrong)
    arrival = get_or_create_player(request, store, page.player)
    store.players.set_notifications(arrival.player.id, hook, mail)
    return arrival.seated(_done("notices"))


@post("/me/push", sync_to_thread=True)
def subscribe(request: AppRequest, page: Page, store: Store, form: FormMultiDict, settings: Settings) -> Reply:
    """Send push notifications to this browser."""
    endpoint, p256dh, auth = (str(form.get(name, "")) for name in ("endpoint", "p256dh", "auth"))
    try:
        check_push(endpoint, settings)
        check_keys(p256dh, auth)
        if not settings.push_key:
            raise BadAddress("This server sends no push notifications.")
    except (BadAddress, InvalidKey) as error:
        return my_page(page, store, status=422, wrong={"push": str(error)})
    arrival = get_or_create_player(request, store, page.player)
    session = str(arrival.cookie.value) if arrival.cookie else request.cookies.get(COOKIE, "")
    store.pushes.subscribe(session, endpoint, p256dh, auth)
    return arrival.seated(_done("notices"))


@post("/me/push/off", sync_to_thread=True)
def unsubscribe(request: AppRequest, store: Store, player: Player | None, form: FormMultiDict) -> Redirect:
    """Send no more push notifications to this browser, or to the `device`."""
    if player is None:
        raise UnknownPlayer
    if "device" in form:
        store.pushes.remove(player.id, str(form["device"]))
    else:
        store.pushes.unsubscribe(request.cookies.get(COOKIE, ""))
    return _done("notices")


@post("/me/ladder", sync_to_thread=True)
def set_ladder(request: AppRequest, store: Store, player: Player | None, form: FormMultiDict) -> Reply:
    """Join the ladder, or leave it, which deletes the ratings."""
    arrival = get_or_create_player(request, store, player)
    if form.get("join") == "yes":
        store.ladder.join(arrival.player.id)
    else:
        store.ladder.leave(arrival.player.id)
    return arrival.seated(_done("ladder"))


@post("/me/recovery", sync_to_thread=True, status_code=201)
def new_recovery(request: AppRequest, page: Page, store: Store, broadcaster: EventBroadcaster) -> Reply:
    """Create a recovery link, shown once; the old one stops working, and all other devices are signed out."""
    arrival = get_or_create_player(request, store, page.player)
    page.player = arrival.player
    session = str(arrival.cookie.value) if arrival.cookie else request.cookies.get(COOKIE, "")
    link = _recovery_link(request, store.players.new_recovery(arrival.player.id, session))
    broadcaster.check_streams(arrival.player.id)
    return arrival.seated(my_page(page, store, status=201, session=session, recovery=link))


def _recovery_link(request: AppRequest, secret: str) -> str:
    return f"{address(request)}/me/recover/{secret}"


@post("/me/sign-out", sync_to_thread=True)
def sign_out(request: AppRequest, store: Store, player: Player | None, broadcaster: EventBroadcaster) -> Redirect:
    """Sign out of this browser; the player and their matches remain."""
    session = request.cookies.get(COOKIE)
    if session:
        store.players.sign_out(session)
    if player is not None:
        broadcaster.check_streams(player.id)
    response = Redirect("/", status_code=303)
    response.delete_cookie(COOKIE)
    return response


@post("/me/devices", sync_to_thread=True)
def sign_out_devices(
    request: AppRequest,
    store: Store,
    player: Player | None,
    broadcaster: EventBroadcaster,
    form: FormMultiDict,
) -> Redirect:
    """Sign out one device, or (without `device`) all but this one."""
    if player is None:
        raise UnknownPlayer
    if "device" in form:
        store.players.sign_out_device(player.id, str(form["device"]))
    else:
        store.players.sign_out_others(player.id, request.cookies.get(COOKIE, ""))
    broadcaster.check_streams(player.id)
    return _done("devices")


@get("/me/recover/{secret:str}", sync_to_thread=True)
def recovery_page(request: AppRequest, page: Page, store: Store, secret: str) -> Reply:
    """Ask for confirmation, as programs open links in messages too; raise `LinkReplaced` if it does not work."""
    browser = request.cookies.get(RECOVERING, "")
    store.players.recovers(secret, browser)
    response = page("recover.html", secret=True, link=secret)
    if not browser:
        response.set_cookie(app_cookie(request, RECOVERING, new_secret(), A_DAY, "/me/recover"))
    return response


@post("/me/recover/{secret:str}", sync_to_thread=True, status_code=201)
def recover(request: AppRequest, page: Page, store: Store, secret: str) -> Response[str]:
    """Sign in on this device and show the link that replaces the used one; raise `LinkReplaced` if it does not work."""
    enrolled = store.players.recover(secret, request.cookies.get(RECOVERING, ""), device_of(request))
    page.player = enrolled.player
    link, session = _recovery_link(request, enrolled.recovery), enrolled.session
    response = my_page(page, store, status=201, session=session, recovery=link, done="recovered")
    response.set_cookie(session_cookie(request, session))
    return response


@post("/me/scheme", sync_to_thread=False)
def scheme(request: AppRequest, form: FormMultiDict) -> Redirect:
    """Save the theme of this browser and return to the page."""
    wanted = str(form.get("scheme", ""))
    response = Redirect(_own_path(str(form.get("back", ""))), status_code=303)
    if wanted in SCHEMES:
        response.set_cookie(app_cookie(request, SCHEME, wanted, A_YEAR))
    return response


def _own_path(text: str) -> str:
    """Return a path of our own to return to; the home page for anything else."""
    return text if re.fullmatch(r"/(?![/\\])[!-\[\]-~]*", text) and len(text) < 500 else "/"


def _done(what: str) -> Redirect:
    return Redirect(f"/me?done={what}", status_code=303)


router = Router(
    "/",
    route_handlers=[
        *(
            me,
            mark_friend,
            rename,
            notices,
            subscribe,
            unsubscribe,
            set_ladder,
            new_recovery,
            sign_out,
            sign_out_devices,
        ),
        *(recovery_page, recover, scheme),
    ],
    include_in_schema=False,
)
