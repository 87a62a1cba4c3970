"""Players: the session cookie, and the profile page with name, notifications and matches."""

from __future__ import annotations

import re
import secrets
from typing import NamedTuple

from litestar import Response, Router, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import Cookie, FormMultiDict
from litestar.response import Redirect

from readyroom.store import Player, Store
from readyroom.store.errors import InvalidText
from readyroom.store.players import NAME_LENGTH
from readyroom.web.cards import match_list
from readyroom.web.notifications import BadAddress, check_hook, check_mail
from readyroom.web.open_pages import OpenPages
from readyroom.web.pages import PLAYER, SCHEME, SCHEMES, Asking, Page, address
from readyroom.web.settings import Settings

COOKIE = "readyroom"
"""The cookie with the session's secret."""
A_YEAR = 365 * 24 * 60 * 60
TABLE = re.compile(r"/m/(\w+)(/.*)?")

RANKS = ("Ensign", "Bosun", "Lookout", "Signalman", "Navigator", "Helmsman", "Yeoman", "Quartermaster")
BIRDS = ("Albatross", "Tern", "Petrel", "Heron", "Gannet", "Skua", "Plover", "Curlew", "Fulmar", "Osprey", "Pelican",
         "Noddy", "Sanderling", "Shearwater", "Kittiwake", "Turnstone")  # fmt: skip


class Arrival(NamedTuple):
    """The acting player, and the cookie to set if the account has just been created."""

    player: Player
    cookie: Cookie | None

    def seated(self, response: Response[str] | Redirect) -> Response[str] | Redirect:
        """The response, with the cookie of a newcomer."""
        if self.cookie is not None:
            response.set_cookie(self.cookie)
        return response


async def provide_player(request: Asking, store: Store, watchers: OpenPages) -> Player | None:
    """Return the player of the session cookie; None for a visitor without an account."""
    session = request.cookies.get(COOKIE)
    player = await sync_to_thread(store.player_of_session, session) if session else None
    request.scope["state"][PLAYER] = player
    at = TABLE.fullmatch(request.url.path) if player is not None else None
    if player is not None and at is not None and (request.method == "POST" or not at[2]):
        # What a page fetches by itself when the match moves is no sign that anybody looks.
        watchers.seen(at[1], player.id)
    return player


async def provide_page(request: Asking, player: Player | None) -> Page:
    """The page for this request."""
    return Page(request, player)


def get_or_create_player(request: Asking, store: Store, player: Player | None, name: str = "") -> Arrival:
    """Return the acting player; a new visitor gets an account with a friendly name that they may change."""
    if player is not None:
        return Arrival(player, None)
    enrolled = store.create_player(name.strip() or random_name())
    return Arrival(enrolled.player, session_cookie(request, enrolled.session))


def random_name() -> str:
    """Return a name for a visitor who has not given one."""
    return f"{secrets.choice(RANKS)} {secrets.choice(BIRDS)}"


def session_cookie(request: Asking, session: str) -> Cookie:
    """The cookie that keeps someone signed in."""
    return app_cookie(request, COOKIE, session, A_YEAR)


def app_cookie(request: Asking, key: str, value: str, seconds: int, path: str = "/") -> Cookie:
    """A cookie as all of ours are: no script reads it, no other site's form sends it."""
    https = request.app.state.settings.https or request.url.scheme == "https"
    return Cookie(key=key, value=value, path=path, max_age=seconds, httponly=True, samesite="lax", secure=https)


# -- my own page -----------------------------------------------------------------------------------------------------


@get("/me", sync_to_thread=True)
def me(page: Page, store: Store) -> Response[str]:
    """Name, notices, recovery link, matches."""
    return my_page(page, store)


def my_page(page: Page, store: Store, *, status: int = 200, **more: object) -> Response[str]:
    """Someone's own page, with what was just done or was wrong."""
    player = page.player
    data: dict[str, object] = {
        "matches": match_list(store.matches_of(player.id), player) if player else [],
        "name": player.name if player else random_name(),
        "hook": player.hook if player else "",
        "mail": player.mail if player else "",
        "letters": NAME_LENGTH,
        "wrong": {},
        "done": page.request.query_params.get("done", ""),
        "recovery": "",
        "mails": bool(page.request.app.state.settings.smtp),
    }
    return page("me.html", status=status, secret=True, **{**data, **more})


@post("/me/name", sync_to_thread=True)
def rename(request: Asking, page: Page, store: Store, form: FormMultiDict) -> Response[str] | Redirect:
    """Take a name, or another one."""
    name = " ".join(str(form.get("name", "")).split())
    try:
        if len(name) > NAME_LENGTH:
            raise InvalidText(f"A name has at most {NAME_LENGTH} letters; this one has {len(name)}.")
        if page.player is None:
            return get_or_create_player(request, store, None, name).seated(_done("name"))
        store.rename(page.player.id, name)
    except InvalidText as refusal:
        return my_page(page, store, status=422, name=name, wrong={"name": str(refusal)})
    return _done("name")


@post("/me/notices", sync_to_thread=True)
def notices(
    request: Asking, page: Page, store: Store, form: FormMultiDict, settings: Settings
) -> Response[str] | Redirect:
    """Set where to send notifications."""
    hook, mail = str(form.get("hook", "")).strip(), str(form.get("mail", "")).strip()
    wrong: dict[str, str] = {}
    for key, check, text in (("hook", check_hook, hook), ("mail", check_mail, mail)):
        try:
            check(text, settings)
        except BadAddress as refusal:
            wrong[key] = str(refusal)
    if wrong:
        return my_page(page, store, status=422, hook=hook, mail=mail, wrong=wrong)
    arrival = get_or_create_player(request, store, page.player)
    store.set_notifications(arrival.player.id, hook, mail)
    return arrival.seated(_done("notices"))


@post("/me/recovery", sync_to_thread=True, status_code=201)
def new_recovery(request: Asking, page: Page, store: Store) -> Response[str] | Redirect:
    """A new recovery link, shown once; the old one is dead from now on."""
    arrival = get_or_create_player(request, store, page.player)
    page.player = arrival.player
    secret = store.new_recovery(arrival.player.id)
    link = f"{address(request)}/me/recover/{secret}"
    return arrival.seated(my_page(page, store, status=201, recovery=link))


@post("/me/sign-out", sync_to_thread=True)
def sign_out(request: Asking, store: Store) -> Redirect:
    """Sign out of this browser; the player and their matches stay."""
    session = request.cookies.get(COOKIE)
    if session:
        store.sign_out(session)
    response = Redirect("/", status_code=303)
    response.delete_cookie(COOKIE)
    return response


@get("/me/recover/{secret:str}", sync_to_thread=True)
def recovery_page(page: Page, store: Store, secret: str) -> Response[str]:
    """Ask before anything happens: programs that look at links in messages open them, too. `UnknownLink`."""
    store.recovers(secret)
    return page("recover.html", secret=True, link=secret)


@post("/me/recover/{secret:str}", sync_to_thread=True)
def recover(request: Asking, store: Store, secret: str) -> Redirect:
    """Be on this device who one was elsewhere; `UnknownLink` if the link is dead."""
    _, session = store.recover(secret)
    response = _done("recovered")
    response.set_cookie(session_cookie(request, session))
    return response


@post("/me/scheme", sync_to_thread=False)
def scheme(request: Asking, form: FormMultiDict) -> Redirect:
    """Store the theme for this browser, and return to the page in the form."""
    wanted = str(form.get("scheme", ""))
    response = Redirect(_own_path(str(form.get("back", ""))), status_code=303)
    if wanted in SCHEMES:
        response.set_cookie(app_cookie(request, SCHEME, wanted, A_YEAR))
    return response


def _own_path(text: str) -> str:
    """A path and query of ours, for going back to it; anything else becomes the home page."""
    return text if re.fullmatch(r"/(?![/\\])[!-\[\]-~]*", text) and len(text) < 500 else "/"


def _done(what: str) -> Redirect:
    return Redirect(f"/me?done={what}", status_code=303)


router = Router(
    "/",
    route_handlers=[me, rename, notices, new_recovery, sign_out, recovery_page, recover, scheme],
    include_in_schema=False,
)
