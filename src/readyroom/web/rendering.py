"""Shared parts of all pages: templates, and the `page` that handlers take."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template, meta
from litestar import Request, Response
from litestar.datastructures import State
from litestar.enums import MediaType
from litestar.utils.scope.state import ScopeState
from markupsafe import Markup, escape

from readyroom import __version__
from readyroom.bots.balance import balance_of
from readyroom.engine.rules.checks import exact, percent, signed
from readyroom.engine.text import capitalize_first, end_sentence, join_list, possessive
from readyroom.store import MatchSummary, Player, Store
from readyroom.web import catalog
from readyroom.web.formatting import FINGERPRINT, tally_dice
from readyroom.web.hosts import host_of, is_own_host
from readyroom.web.previews import SITE_DESCRIPTION, SITE_TITLE, describe_match, match_title, preview
from readyroom.web.security import FORM
from readyroom.web.settings import Settings
from readyroom.web.static_files import board_styles, game_file, plan_script, preload_plan, script, static

AppRequest = Request[Any, Any, State]
"""The request type of all handlers."""
Reply = Response[Any]
"""A page, a redirect, or data."""
PLAYER = "player"
"""The key under which a request keeps its player."""
SCHEME = "scheme"
"""The cookie with the theme."""
SCHEMES = {"": "System", "light": "Light", "dark": "Dark"}
LOG_ORDER = "readyroom-log"
"""The cookie in which a browser keeps the order of the log: "oldest" first, or newest first."""
PLAY_ON = "play-on"
"""The cookie of a match, with its path, of a browser that plays on after the match is decided."""
SHAPE = "Board-Shape"
"""The header in which the script sends the shape of chart there is room for."""
TELEPHONE = "Sec-CH-UA-Mobile"
"""The header in which a browser says whether it is a phone's."""
SHORT = r'<span class="short-digits" title="\1\2">\1<span>\2</span></span>'
"""The same on a page, which shows the others in a tooltip; the text of the line stays the same."""


def short_fingerprints(text: str) -> Markup:
    """Return a text that shows of each fingerprint only the first digits.

    >>> str(short_fingerprints("locked: " + 8 * "0123")).count("title")
    1
    """
    return Markup(FINGERPRINT.sub(SHORT, str(escape(text))))


def environment() -> Environment:
    """Return the Jinja environment of all pages: values are escaped, and undefined names are errors."""
    environment = Environment(
        loader=PackageLoader("readyroom.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        one.__name__: one for one in (static, script, plan_script, preload_plan, board_styles, game_file)
    }
    environment.globals |= {"picture": catalog.picture, "schemes": SCHEMES, "version": __version__}
    environment.globals |= {one.__name__: one for one in (preview, match_title, describe_match, balance_of)}
    environment.globals |= {"site_title": SITE_TITLE, "site_description": SITE_DESCRIPTION}
    environment.filters |= {
        one.__name__: one
        for one in (
            capitalize_first,
            end_sentence,
            possessive,
            percent,
            exact,
            signed,
            join_list,
            tally_dice,
            short_fingerprints,
        )
    }
    return environment


TEMPLATES = environment()


@lru_cache(maxsize=64)
def whole(known: Environment, name: str) -> Template:
    """Return a template after loading all that it includes or imports, so that no later page waits for that."""
    wanted, seen = [name], {name}
    while wanted:
        source = wanted.pop()
        known.get_template(source)
        named = _named_in(known, source) - seen
        wanted += named
        seen |= named
    return known.get_template(name)


@lru_cache(maxsize=256)
def _named_in(known: Environment, source: str) -> frozenset[str]:
    """Return the templates that one includes, imports or extends."""
    assert known.loader is not None
    text, _, _ = known.loader.get_source(known, source)
    return frozenset(other for other in meta.find_referenced_templates(known.parse(text)) if other)


class Page:
    """Renders templates for one request; handlers take it as `page`.

    Each template gets `player` (None: not signed in), `csrf_field` (a hidden input with the token, for every form),
    `scheme`, `log_order` ("newest" or "oldest" first), `back` (the address to return to), and the functions
    `static(path)`, `board_styles(game)`, `base_url()` (our own address), `here(match id)` (who has a match open, or
    any) and `waiting_matches()` (how many wait for the player). Pages are rendered at once, in the handler's thread.
    """

    def __init__(self, request: AppRequest, player: Player | None) -> None:
        self.request, self.player = request, player

    def __call__(self, template: str, /, *, status: int = 200, secret: bool = False, **context: Any) -> Response[str]:
        """Return the page as a response; one that shows a `secret` is not cached and sends no referrer."""
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"} if secret else {}
        return Response(self.text(template, **context), status_code=status, media_type=MediaType.HTML, headers=headers)

    def text(self, template: str, /, **context: Any) -> str:
        """Return the rendered template."""
        request = self.request
        token = ScopeState.from_scope(request.scope).csrf_token
        # A request that was refused before its token was read has the one of its cookie.
        csrf = token if isinstance(token, str) else request.cookies.get(FORM, "")
        scheme = request.cookies.get(SCHEME, "")
        summary = context.get("summary")
        if isinstance(summary, MatchSummary):  # also the frame of every page names who plays
            context["summary"] = summary.seen_by(self.player.id if self.player is not None else "")
        return whole(TEMPLATES, template).render(
            {
                "player": self.player,
                "csrf_field": Markup('<input type="hidden" name="_csrf_token" value="{}">').format(csrf),
                "scheme": scheme if scheme in SCHEMES else "",
                "log_order": "oldest" if request.cookies.get(LOG_ORDER) == "oldest" else "newest",
                "back": _back(request),
                "base_url": lambda: address(request),
                "here": lambda *match_id: request.app.state.site.presence.here(*match_id),
                "waiting_matches": self._waiting,
                "players_hash": lambda match_id: request.app.state.site.presence.players_hash(match_id, self.player),
                **context,
            }
        )

    def _waiting(self) -> int:
        """Return the number of matches that wait for the player."""
        store: Store = self.request.app.state.site.store
        return len(store.listings.waiting_for(self.player.id)) if self.player is not None else 0

    @property
    def shape(self) -> str:
        """The shape of the board in the browser: "narrow" on phones, "medium" in small windows; empty if unknown."""
        text: str = self.request.headers.get(SHAPE, "")
        guessed = "narrow" if self.request.headers.get(TELEPHONE) == "?1" else ""
        return text if text in ("wide", "medium", "narrow") else guessed

    @property
    def plays_on(self) -> bool:
        """Whether the browser plays on in this match although it is decided."""
        return PLAY_ON in self.request.cookies


def _back(request: AppRequest) -> str:
    """Return where the frame's forms lead back to: this page, or home from a response to a form."""
    query = request.url.query
    return f"{request.url.path}{'?' if query else ''}{query}" if request.method == "GET" else "/"


def wants_part(request: AppRequest) -> bool:
    """Return whether htmx asks for a part of a page."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-Boosted") != "true"


def address(request: AppRequest) -> str:
    """Return the public address of this server without a trailing slash.

    It is empty if only the request names it, which could then name any: links are relative until a script completes
    them.
    """
    settings: Settings = request.app.state.settings
    if settings.url:
        return settings.url
    own = is_own_host(host_of(request.headers.get("host", "")) or "", settings)
    return str(request.base_url).rstrip("/") if own else ""


def as_file(content: str, name: str, kind: str = "text/plain; charset=utf-8") -> Response[str]:
    """Return a text as a file to download, which no cache keeps."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
    }
    return Response(content, media_type=kind, headers=headers)
