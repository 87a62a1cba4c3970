"""Static files: their addresses, which change with their content, and the bytes that are served.

The server's own are in `STATIC`. A game's are in the folder `static` of its packages: whatever its pages load. Scripts
of a game import each other by relative paths, and those of the server as `readyroom/NAME.js`.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from posixpath import dirname, join, normpath
from time import monotonic
from typing import NamedTuple, TypeAlias

from markupsafe import Markup

from readyroom.web import catalog

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
FOLDER = "static"
"""The folder of a package with its static files."""
STATIC = Path(str(files("readyroom.web") / FOLDER))
SCRIPTS = STATIC / "js"
MINIFIED = STATIC / "vendor" / "min"
"""The minified scripts and styles, by the fingerprints of their sources. `browser/copy.py` makes them."""
STYLE = "board.css"
"""The styles of drawn boards: shared ones, and a game's own."""
EFFECTS = "effects.js"
"""The script of a game with the named effects of its board."""
PLAN = "plan-{}.js"
"""The script of a game with the planning chart of a side."""
EDITOR = "plans/editor.js"
"""The script of the server that shows planning charts."""
BOARD_FONT = Markup(
    '<link rel="preload" href="/static/vendor/fonts/plex-condensed-500.woff2" as="font" type="font/woff2" crossorigin>'
)
"""The font of drawn boards, preloaded so that the layout of boards does not shift."""
IMPORTED = re.compile(r'^(?:import|export)\b[^;]*?from "((?:\.\.?|readyroom)/[\w./-]+\.js)";', re.MULTILINE)
"""The import of another script."""
OF_SERVER = re.compile(rb'(\b(?:from|import) *\(?")readyroom/')
"""The import of a script of the server by one of a game."""

Name: TypeAlias = tuple[str, str]
"""A versioned file: the folder of its address, "js" or "games/KEY", and its path in there."""


class Versioned(NamedTuple):
    """The server's scripts and the files of all games, and a short hash of all of them.

    Files that import each other thus have one version, by relative paths too, and are cached for good.
    """

    version: str
    files: Mapping[Name, tuple[Path, ...]]


def versioned() -> Versioned:
    """Return the versioned files; a changed one is noticed after a second at most, a new one after a restart."""
    return Versioned(_version(int(monotonic())), _files())


@lru_cache(maxsize=1)
def _version(second: int) -> str:
    marks = "".join(fingerprint(part) for parts in _files().values() for part in parts)
    return blake2b(marks.encode(), digest_size=6).hexdigest()


@cache
def _files() -> Mapping[Name, tuple[Path, ...]]:
    """Find the versioned files: of a game's packages, styles are joined, and other files of its own count."""
    packages = [(game.key, package) for game in catalog.games().values() for package in reversed(game.packages)]
    folders = [("js", SCRIPTS), *((f"games/{key}", Path(str(files(package) / FOLDER))) for key, package in packages)]
    found = dict[Name, tuple[Path, ...]]()
    for address, folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.suffix in TYPES and file.is_file():
                name = (address, file.relative_to(folder).as_posix())
                found[name] = (*found.get(name, ()), file) if file.suffix == ".css" else (file,)
    return found


def static(path: str) -> str:
    """Return the address of a file in `STATIC`; it changes with the content, so it may be cached for good."""
    return f"/static/{path}?v={fingerprint(STATIC / path)}"


def address_of(folder: str, path: str) -> str:
    """Return the address of a versioned file."""
    return f"/static/{folder}/{versioned().version}/{path}"


def game_file(game: str, path: str) -> str:
    """Return the address of a file of a game; empty if it has none of this name."""
    folder = f"games/{game}"
    return address_of(folder, path) if (folder, path) in versioned().files else ""


def game_style(game: str) -> str:
    """Return the styles of a game's board as text; empty if it has none of its own."""
    return "\n".join(part.read_text("utf-8") for part in _files().get((f"games/{game}", STYLE), ()))


@lru_cache(maxsize=32)
def board_css(game: str) -> str:
    """Return the styles of a drawn board as text: those that all games share, and the game's own."""
    return f"{(STATIC / STYLE).read_text('utf-8')}\n{game_style(game)}"


def script(path: str) -> Markup:
    """Return the tag of a script of the server, after preload links for its imports.

    Their priority is low, so that what is painted first does not wait for them.
    """
    return _tags(path, versioned().version)


@lru_cache(maxsize=64)
def _tags(path: str, version: str) -> Markup:
    tag = Markup('<script type="module" src="{}" fetchpriority="low"></script>').format(address_of("js", path))
    return _preload_links(imports_of("js", path)) + tag


def plan_script(game: str, side: str) -> str:
    """Return the address of the script with a side's planning chart; empty if there is none."""
    return game_file(game, PLAN.format(side))


def preload_plan(game: str, side: str) -> Markup:
    """Return preload links for the scripts of a side's planning chart, which the server's `plan.js` imports later."""
    return _plan_links(game, side, versioned().version)


@lru_cache(maxsize=16)
def _plan_links(game: str, side: str, version: str) -> Markup:
    roots = [one for one in (("js", EDITOR), (f"games/{game}", PLAN.format(side))) if one in versioned().files]
    return _preload_links(sorted({name for root in roots for name in (root, *imports_of(*root))}))


def _preload_links(names: Iterable[Name]) -> Markup:
    return Markup("").join(
        Markup('<link rel="modulepreload" href="{}" fetchpriority="low">').format(address_of(*name)) for name in names
    )


def imports_of(folder: str, path: str) -> list[Name]:
    """Return the direct and indirect imports of a script in alphabetical order."""
    known, names, wanted = versioned().files, set[Name](), [(folder, path)]
    while wanted:
        name = wanted.pop()
        new = {_resolved(name, one) for one in IMPORTED.findall(known[name][-1].read_text(encoding="utf-8"))} - names
        names |= new
        wanted += new
    return sorted(names - {(folder, path)})


def _resolved(name: Name, imported: str) -> Name:
    """Return the script that another one imports."""
    if imported.startswith("readyroom/"):
        return "js", imported.removeprefix("readyroom/")
    folder, path = name
    return folder, normpath(join(dirname(path), imported))


def board_styles(game: str = "") -> Markup:
    """Return the links of a page with a drawn board: font, shared styles, and the game's own."""
    names = filter(None, (static(STYLE), game_file(game, STYLE)))
    return BOARD_FONT + Markup("").join(Markup('<link rel="stylesheet" href="{}">').format(name) for name in names)


def fingerprint(file: Path) -> str:
    """Return a short hash of a file, computed again only when it changes."""
    stat_result = file.stat()
    return _hash_of(file, stat_result.st_mtime_ns, stat_result.st_size)


@lru_cache(maxsize=512)
def _hash_of(file: Path, changed: int, size: int) -> str:
    return blake2b(file.read_bytes(), digest_size=6).hexdigest()


@lru_cache(maxsize=512)
def content(parts: tuple[Path, ...], version: str, packed: bool) -> bytes:
    """Return the bytes of files that are served as one, minified if they have been; `packed`: compressed.

    `version` distinguishes contents in the cache; scripts of games import those of the server with it.
    """
    joined = b"\n".join(minified(part).read_bytes() for part in parts)
    if parts[0].suffix == ".js":
        joined = OF_SERVER.sub(rb"\1/static/js/%b/" % version.encode(), joined)
    return gzip.compress(joined, 9, mtime=0) if packed else joined


def minified(file: Path) -> Path:
    """Return the minified form of a script or of styles; other files and what was not minified as they are."""
    small = MINIFIED / f"{fingerprint(file)}{file.suffix}"
    return small if file.suffix in {".js", ".css"} and small.is_file() else file
