"""Shared parts of all pages: templates, static files, and the `page` that handlers take."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from os.path import normpath
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template, meta
from litestar import Request, Response
from litestar.datastructures import State
from litestar.enums import MediaType
from litestar.utils.scope.state import ScopeState
from markupsafe import Markup

from readyroom import __version__
from readyroom.engine.rules.checks import exact, percent, signed
from readyroom.engine.text import capitalize_first, join_list
from readyroom.store import Player
from readyroom.web import catalog, previews
from readyroom.web.hosts import host_of, is_own_host
from readyroom.web.security import FORM
from readyroom.web.settings import Settings

AppRequest = Request[Any, Any, State]
"""The request type of all handlers."""
Reply = Response[Any]
"""A page, a redirect, or data."""
PLAYER = "player"
"""The key under which a request keeps its player."""
SCHEME = "scheme"
"""The cookie with the theme."""
SCHEMES = {"": "System", "light": "Light", "dark": "Dark"}
SHAPE = "Board-Shape"
"""The header in which the script sends the shape of chart there is room for."""
TELEPHONE = "Sec-CH-UA-Mobile"
"""The header in which a browser says whether it is a phone's."""
STATIC = Path(str(files("readyroom.web") / "static"))
SCRIPTS = STATIC / "js"
IMPORTED = re.compile(r'^(?:import|export)\b[^;]*?from "(\.\.?/[\w./-]+\.js)";', re.MULTILINE)
"""The import of another script, by its path from the script's folder."""
STYLE = "board.css"
"""The styles of drawn boards: shared ones, and in a game's package its own."""
LETTERS = Markup(
    '<link rel="preload" href="/static/vendor/fonts/plex-condensed-500.woff2" as="font" type="font/woff2" crossorigin>'
)
"""The font of drawn boards, preloaded so that the layout of boards does not shift."""


def static(path: str) -> str:
    """Return the address of a static file; it changes with the content, so it may be cached for good."""
    return f"/static/{path}?v={fingerprint(STATIC / path)}"


def script(name: str) -> Markup:
    """Return the tag of an ES module, after preload links for its imports.

    The address has a hash of all scripts before the names, so relative imports share it and may be cached for good.
    """
    folder = f"/static/js/{scripts_fingerprint()}"
    links = (Markup('<link rel="modulepreload" href="{}/{}">').format(folder, other) for other in imports_of(name))
    return Markup("").join(links) + Markup('<script type="module" src="{}/{}"></script>').format(folder, name)


def scripts_fingerprint() -> str:
    """Return a short hash of all scripts."""
    marks = "".join(fingerprint(file) for file in sorted(SCRIPTS.rglob("*.js")))
    return blake2b(marks.encode(), digest_size=6).hexdigest()


def imports_of(name: str) -> list[str]:
    """Return the direct and indirect imports of a script, by their paths from the folder, in alphabetical order."""
    names, wanted = set[str](), [name]
    while wanted:
        file = SCRIPTS / wanted.pop()
        paths = (normpath(file.parent / path) for path in _imported(file, fingerprint(file)))
        new = {Path(path).relative_to(SCRIPTS).as_posix() for path in paths} - names
        names |= new
        wanted += new
    return sorted(names - {name})


@lru_cache(maxsize=256)
def _imported(file: Path, mark: str) -> list[str]:
    """Return the direct imports of a script; `mark` is the fingerprint of its content."""
    return IMPORTED.findall(file.read_text(encoding="utf-8"))


def effects_of(game: str) -> str:
    """Return the name of the script with the named effects of a game's board; empty if it has none."""
    return game if (SCRIPTS / "effects" / f"{game}.js").is_file() else ""


def style_of(package: str) -> Path:
    """Return the path of a game's own board styles, whether it exists or not."""
    return Path(str(files(package) / STYLE))


def board_styles(name: str = "") -> Markup:
    """Return the links of a page with a drawn board: font, shared styles, and the game's own."""
    names, game = [static(STYLE)], catalog.games().get(name)
    if game and (own := style_of(game.package)).is_file():
        names.append(f"/games/{game.key}/{STYLE}?v={fingerprint(own)}")
    return LETTERS + Markup("").join(Markup('<link rel="stylesheet" href="{}">').format(one) for one in names)


def preview(game: str) -> tuple[str, str]:
    """Return the address and the text of the picture that previews of a game's pages show; empty: the site's."""
    file, key, alt = previews.preview(game)
    address = f"/games/{key}/{previews.PICTURE}?v={fingerprint(file)}" if file is not None else static("card.png")
    return address, alt


def fingerprint(file: Path) -> str:
    """Return a short hash of a file, computed again only when it changes."""
    stat_result = file.stat()
    return _hash_of(file, stat_result.st_mtime_ns, stat_result.st_size)


@lru_cache(maxsize=256)
def _hash_of(file: Path, changed: int, size: int) -> str:
    return blake2b(file.read_bytes(), digest_size=6).hexdigest()


def environment() -> Environment:
    """Return the Jinja environment of all pages: values are escaped, and undefined names are errors."""
    environment = Environment(
        loader=PackageLoader("readyroom.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"static": static, "script": script, "board_styles": board_styles}
    environment.globals |= {"picture": catalog.picture, "schemes": SCHEMES, "version": __version__}
    environment.globals |= {"preview": preview, "match_title": previews.match_title}
    environment.globals |= {"match_words": previews.match_words}
    environment.globals |= {"site_title": previews.SITE_TITLE, "site_words": previews.SITE_WORDS}
    environment.filters |= {one.__name__: one for one in (capitalize_first, percent, exact, signed, join_list)}
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
    `scheme`, `back` (the address to return to), and the functions `static(path)`, `board_styles(game)`, `base_url()`
    (our own address) and `here(match id)` (who has a match open). Pages are rendered at once, in the handler's thread.
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
        return whole(TEMPLATES, template).render(
            {
                "player": self.player,
                "csrf_field": Markup('<input type="hidden" name="_csrf_token" value="{}">').format(csrf),
                "scheme": scheme if scheme in SCHEMES else "",
                "back": _back(request),
                "base_url": lambda: address(request),
                "here": lambda match_id: request.app.state.site.presence.here(match_id),
                **context,
            }
        )

    @property
    def shape(self) -> str:
        """The shape of the board in the browser: "narrow" on phones; empty if unknown."""
        text: str = self.request.headers.get(SHAPE, "")
        guessed = "narrow" if self.request.headers.get(TELEPHONE) == "?1" else ""
        return text if text in ("wide", "narrow") else guessed


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
