"""What every page has: its templates, its static files, and the `page` that handlers are given."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template, meta
from litestar import Request, Response
from litestar.datastructures import State
from litestar.enums import MediaType
from litestar.utils.scope.state import ScopeState
from markupsafe import Markup

from readyroom import __version__
from readyroom.engine.checks import exact, percent, signed
from readyroom.store import Player
from readyroom.web import catalog

Asking = Request[Any, Any, State]
"""A request, as all handlers get it."""
PLAYER = "player"
"""Where a request keeps who asks, once that was looked up."""
SCHEME = "scheme"
"""The cookie that keeps whether someone wants light or dark pages."""
SCHEMES = {"": "System", "light": "Light", "dark": "Dark"}
SHAPE = "Board-Shape"
"""The header by which the page's script says which of a board's charts has room."""
TELEPHONE = "Sec-CH-UA-Mobile"
"""The header in which a browser says whether it is one of a telephone."""
STATIC = Path(str(files("readyroom.web") / "static"))
SCRIPTS = STATIC / "js"
IMPORTED = re.compile(r'^(?:import|export)\b[^;]*?from "\./([\w-]+\.js)";', re.MULTILINE)
"""How a script imports another of its folder."""
STYLE = "board.css"
"""The styles of drawn boards: the server's, and in a game's package its own."""
LETTERS = Markup(
    '<link rel="preload" href="/static/vendor/fonts/plex-condensed-500.woff2" as="font" type="font/woff2" crossorigin>'
)
"""The fonts of drawn boards, preloaded: a board need not be laid out a second time when they come."""


def static(path: str) -> str:
    """The address of a static file; it changes with the file, so that browsers may keep it for good."""
    return f"/static/{path}?v={fingerprint(STATIC / path)}"


def script(name: str) -> Markup:
    """The tag of an ES module, after links that load at once what it imports.

    The address has a hash of all scripts before their names, so that imports between them, which are relative, have it
    as well, and browsers may keep them for good.
    """
    folder = f"/static/js/{scripts_fingerprint()}"
    links = (Markup('<link rel="modulepreload" href="{}/{}">').format(folder, other) for other in imports_of(name))
    return Markup("").join(links) + Markup('<script type="module" src="{}/{}"></script>').format(folder, name)


def scripts_fingerprint() -> str:
    """A short hash of all scripts."""
    marks = "".join(fingerprint(file) for file in sorted(SCRIPTS.glob("*.js")))
    return blake2b(marks.encode(), digest_size=6).hexdigest()


def imports_of(name: str) -> list[str]:
    """The scripts that one imports, directly or through others, in alphabetical order."""
    names, wanted = set[str](), [name]
    while wanted:
        file = SCRIPTS / wanted.pop()
        new = set(_imported(file, fingerprint(file))) - names
        names |= new
        wanted += new
    return sorted(names - {name})


@lru_cache(maxsize=256)
def _imported(file: Path, mark: str) -> list[str]:
    """The scripts that one imports directly; `mark` is the fingerprint of its content."""
    return IMPORTED.findall(file.read_text(encoding="utf-8"))


def style_of(package: str) -> Path:
    """Where a game's package has the styles that only its drawn board needs, if it has any."""
    return Path(str(files(package) / STYLE))


def board_styles(name: str = "") -> Markup:
    """Return the links of a page with a drawn board: fonts, the server's styles, and those of the game, if any."""
    names, game = [static(STYLE)], catalog.games().get(name)
    if game and (own := style_of(game.package)).is_file():
        names.append(f"/games/{game.key}/{STYLE}?v={fingerprint(own)}")
    return LETTERS + Markup("").join(Markup('<link rel="stylesheet" href="{}">').format(one) for one in names)


def fingerprint(file: Path) -> str:
    """A short hash of a file, read again only when it has changed."""
    stat_result = file.stat()
    return _hash_of(file, stat_result.st_mtime_ns, stat_result.st_size)


@lru_cache(maxsize=256)
def _hash_of(file: Path, changed: int, size: int) -> str:
    return blake2b(file.read_bytes(), digest_size=6).hexdigest()


def environment() -> Environment:
    """The Jinja environment of all pages: what is put into a page is escaped, and what is missing is an error."""
    environment = Environment(
        loader=PackageLoader("readyroom.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"static": static, "script": script, "board_styles": board_styles}
    environment.globals |= {"schemes": SCHEMES, "version": __version__}
    environment.filters |= {"percent": percent, "exact": exact, "signed": signed}
    return environment


TEMPLATES = environment()


@lru_cache(maxsize=64)
def whole(known: Environment, name: str) -> Template:
    """A template, with all that it may include or import: so that no later page waits until that is read."""
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
    """The templates that one template includes, imports or extends."""
    assert known.loader is not None
    text, _, _ = known.loader.get_source(known, source)
    return frozenset(other for other in meta.find_referenced_templates(known.parse(text)) if other)


class Page:
    """Renders templates for one request; handlers take it as `page`.

    Each template gets `player` (None: no one yet), `csrf_field` (a hidden input with the token, for every form),
    `scheme`, `back` (the page itself, for coming back to it), and the functions `static(path)`, `board_styles(game)`
    and `base_url()` (our own address). Pages are rendered at once, in the handler's own thread.
    """

    def __init__(self, request: Asking, player: Player | None) -> None:
        self.request, self.player = request, player

    def __call__(self, template: str, /, *, status: int = 200, secret: bool = False, **context: Any) -> Response[str]:
        """Render the page as a response; one that shows a `secret` is not cached and sends no referrer."""
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"} if secret else {}
        return Response(self.text(template, **context), status_code=status, media_type=MediaType.HTML, headers=headers)

    def text(self, template: str, /, **context: Any) -> str:
        """The rendered template."""
        request = self.request
        token = ScopeState.from_scope(request.scope).csrf_token
        csrf = token if isinstance(token, str) else ""
        scheme = request.cookies.get(SCHEME, "")
        return whole(TEMPLATES, template).render(
            {
                "player": self.player,
                "csrf_field": Markup('<input type="hidden" name="_csrf_token" value="{}">').format(csrf),
                "scheme": scheme if scheme in SCHEMES else "",
                "back": _back(request),
                "base_url": lambda: address(request),
                **context,
            }
        )

    @property
    def shape(self) -> str:
        """The shape of the board that is seen where this is put: a telephone's is narrow; empty where it is unknown."""
        text: str = self.request.headers.get(SHAPE, "")
        guessed = "narrow" if self.request.headers.get(TELEPHONE) == "?1" else ""
        return text if text in ("wide", "narrow") else guessed


def _back(request: Asking) -> str:
    """Where a form of the frame leads back to: this page, or home from what was only the answer to a form."""
    query = request.url.query
    return f"{request.url.path}{'?' if query else ''}{query}" if request.method == "GET" else "/"


def wants_part(request: Asking) -> bool:
    """Whether htmx asks, which wants a part of a page and not all of it."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-Boosted") != "true"


def address(request: Asking) -> str:
    """Return the server's base URL, without a slash at its end."""
    text: str = request.app.state.settings.url
    return text or str(request.base_url).rstrip("/")
