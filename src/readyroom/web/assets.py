"""Static files: styles, scripts, fonts and images, all served by ourselves."""

from __future__ import annotations

import gzip
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import Parameter

from readyroom.web import catalog
from readyroom.web.previews import PICTURE, preview
from readyroom.web.rendering import (
    SCRIPTS,
    STATIC,
    AppRequest,
    Page,
    fingerprint,
    imports_of,
    scripts_fingerprint,
    static,
    style_of,
)
from readyroom.web.security import HEADERS

TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}
SMALL_ALREADY = {".woff2", ".png", ".ico"}
UNNEEDED = re.compile(
    rb"""
    ^[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*\n  # a comment on lines of its own
    | /\*\*(?:[^*\n]|\*(?!/))*\*/[ \t]*        # a comment between code, such as a type
    | ^[ \t]*//[^\n]*\n
    | ^[ \t]+
    """,
    re.MULTILINE | re.VERBOSE,
)
"""What browsers do without: comments and indentation, a third of a packed script."""
FOR_GOOD = "public, max-age=31536000, immutable"
A_MONTH = "public, max-age=2592000"
"""How long fonts are cached: style sheets link them without a fingerprint, and they hardly ever change."""


FONTS = [f"/static/vendor/fonts/plex-{name}.woff2" for name in ("sans-400", "sans-600", "serif-600")]
"""The fonts that every page uses."""


@get("/static/{path:path}", include_in_schema=False, sync_to_thread=False, opt={"exclude_from_csrf": True})
def static_files(request: AppRequest, path: Path, v: Annotated[str, Parameter(max_length=64)] = "") -> Response[bytes]:
    """Return a static file; with its current fingerprint it is cached for good."""
    text = str(path).lstrip("/")
    if not text.isprintable():
        raise NotFoundException
    file = (STATIC / text).resolve()
    if not file.is_relative_to(STATIC.resolve()) or file.suffix not in TYPES:
        raise NotFoundException
    return _served(request, file, v)


@get(
    "/static/js/{version:str}/{name:path}",
    include_in_schema=False,
    sync_to_thread=False,
    opt={"exclude_from_csrf": True},
)
def script_files(request: AppRequest, version: str, name: Path) -> Response[bytes]:
    """Return an ES module; with the current hash of all scripts it is cached for good."""
    file = SCRIPTS / str(name).lstrip("/")
    if file not in SCRIPTS.rglob("*.js"):
        raise NotFoundException
    return _served(request, file, version, scripts_fingerprint())


@get("/games/{name:str}/board.css", include_in_schema=False, sync_to_thread=False, opt={"exclude_from_csrf": True})
def board_style(request: AppRequest, name: str, v: Annotated[str, Parameter(max_length=64)] = "") -> Response[bytes]:
    """Return the styles of a game's board."""
    return _served(request, style_of(catalog.find(name).package), v)


@get(f"/games/{{name:str}}/{PICTURE}", include_in_schema=False, sync_to_thread=False, opt={"exclude_from_csrf": True})
def preview_picture(
    request: AppRequest, name: str, v: Annotated[str, Parameter(max_length=64)] = ""
) -> Response[bytes]:
    """Return the picture of a game for previews of links."""
    file = preview(catalog.find(name).key).file
    if file is None:
        raise NotFoundException
    return _served(request, file, v)


def _served(request: AppRequest, file: Path, version: str, current: str = "") -> Response[bytes]:
    """Return a file; it is cached for good if the address has the current version (default: its fingerprint)."""
    if not file.is_file():
        raise NotFoundException
    mark = fingerprint(file)
    keep = FOR_GOOD if version == (current or mark) else A_MONTH if file.suffix == ".woff2" else "no-cache"
    headers = {"ETag": f'"{mark}"', "Cache-Control": keep, "Vary": "Accept-Encoding"}
    if f'"{mark}"' in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    packed = file.suffix not in SMALL_ALREADY and "gzip" in request.headers.get("accept-encoding", "")
    if packed:
        headers["Content-Encoding"] = "gzip"
    return Response(_content(file, mark, packed), media_type=TYPES[file.suffix], headers=headers)


@get("/service-worker.js", include_in_schema=False, sync_to_thread=False, opt={"exclude_from_csrf": True})
def service_worker() -> Response[str]:
    """Return the service worker, which must be at the root; with every new version it forgets the old files."""
    text = (STATIC / "service-worker.js").read_text(encoding="utf-8")
    scripts = scripts_fingerprint()
    files = ["/offline", static("site.css"), static("mark.svg"), *FONTS]
    files += [f"/static/js/{scripts}/{name}" for name in ("app.js", *imports_of("app.js"))]
    version = f"{scripts}-{fingerprint(STATIC / 'site.css')}"
    text = text.replace('VERSION = "0"', f'VERSION = "{version}"').replace('["/offline"]', json.dumps(files))
    headers = {**HEADERS, "Cache-Control": "no-cache"}
    return Response(text, media_type=TYPES[".js"], headers=headers)


@get("/offline", include_in_schema=False, sync_to_thread=True)
def offline(request: AppRequest) -> Response[str]:
    """Return the page that the service worker shows when the server cannot be reached; it names no one."""
    return Page(request, None)("offline.html")


PREVIEWERS = ("Discordbot", "facebookexternalhit", "LinkedInBot", "Mastodon", "Slackbot-LinkExpanding", "TelegramBot",
              "Twitterbot", "WhatsApp")  # fmt: skip
"""Programs that show a preview where someone sends a link, and index nothing."""
ROBOTS = f"""\
User-agent: *
Disallow: /s/
Disallow: /me
Disallow: /m/
Disallow: /api/

{chr(10).join(f"User-agent: {name}" for name in PREVIEWERS)}
Disallow: /me
Disallow: /api/
"""


@get("/favicon.ico", include_in_schema=False, sync_to_thread=False, opt={"exclude_from_csrf": True})
def favicon() -> Response[bytes]:
    """Return the icon for clients that ask for it without reading the page."""
    file = STATIC / "mark.ico"
    content = _content(file, fingerprint(file), False)
    return Response(content, media_type=TYPES[".ico"], headers={"Cache-Control": A_MONTH})


@get("/robots.txt", include_in_schema=False, sync_to_thread=False, opt={"exclude_from_csrf": True})
def robots() -> Response[str]:
    """Return what search engines must not index (matches, secrets and private pages), and who may preview matches."""
    return Response(ROBOTS, media_type="text/plain", headers={"Cache-Control": A_MONTH})


handlers = [static_files, script_files, board_style, preview_picture, favicon, robots, service_worker, offline]


@lru_cache(maxsize=256)
def _content(file: Path, mark: str, packed: bool) -> bytes:
    """Return the file's bytes; `mark` distinguishes versions in the cache."""
    content = file.read_bytes()
    if file.is_relative_to(SCRIPTS):
        content = compact(content)
    return gzip.compress(content, 9, mtime=0) if packed else content


def compact(script: bytes) -> bytes:
    """Return a script without its comments and indentation; in a template it must have none that matters."""
    return UNNEEDED.sub(b"", script)
