"""Static files: styles, scripts, fonts and images, all served by ourselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import Parameter

from readyroom.web.rendering import AppRequest, Page
from readyroom.web.security import HEADERS
from readyroom.web.static_files import (
    SMALL_ALREADY,
    STATIC,
    TYPES,
    address_of,
    content,
    fingerprint,
    imports_of,
    static,
    versioned,
)

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
    if not file.is_file():
        raise NotFoundException
    mark = fingerprint(file)
    keep = FOR_GOOD if v == mark else A_MONTH if file.suffix == ".woff2" else "no-cache"
    return _served(request, (file,), mark, keep)


@get(
    ["/static/js/{version:str}/{path:path}", "/static/games/{game:str}/{version:str}/{path:path}"],
    include_in_schema=False,
    sync_to_thread=False,
    opt={"exclude_from_csrf": True},
)
def versioned_files(request: AppRequest, version: str, path: Path, game: str = "") -> Response[bytes]:
    """Return a script of the server, or a file of a game; with the current version it is cached for good."""
    current, known = versioned()
    parts = known.get((f"games/{game}" if game else "js", str(path).lstrip("/")))
    if parts is None:
        raise NotFoundException
    return _served(request, parts, current, FOR_GOOD if version == current else "no-cache")


def _served(request: AppRequest, parts: tuple[Path, ...], mark: str, keep: str) -> Response[bytes]:
    """Return files that are served as one, or that the browser has those of this mark."""
    headers = {"ETag": f'"{mark}"', "Cache-Control": keep, "Vary": "Accept-Encoding"}
    if f'"{mark}"' in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    suffix = parts[0].suffix
    packed = suffix not in SMALL_ALREADY and "gzip" in request.headers.get("accept-encoding", "")
    if packed:
        headers["Content-Encoding"] = "gzip"
    return Response(content(parts, mark, packed), media_type=TYPES[suffix], headers=headers)


@get("/service-worker.js", include_in_schema=False, sync_to_thread=False, opt={"exclude_from_csrf": True})
def service_worker() -> Response[str]:
    """Return the service worker, which must be at the root; with every new version it forgets the old files."""
    text = (STATIC / "service-worker.js").read_text(encoding="utf-8")
    files = ["/offline", static("site.css"), static("mark.svg"), *FONTS]
    files += [address_of(*name) for name in (("js", "app.js"), *imports_of("js", "app.js"))]
    version = f"{versioned().version}-{fingerprint(STATIC / 'site.css')}"
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
    return Response(
        content((file,), fingerprint(file), False), media_type=TYPES[".ico"], headers={"Cache-Control": A_MONTH}
    )


@get("/robots.txt", include_in_schema=False, sync_to_thread=False, opt={"exclude_from_csrf": True})
def robots() -> Response[str]:
    """Return what search engines must not index (matches, secrets and private pages), and who may preview matches."""
    return Response(ROBOTS, media_type="text/plain", headers={"Cache-Control": A_MONTH})


handlers = [static_files, versioned_files, favicon, robots, service_worker, offline]
