"""Draw the pictures that previews of links show: each game's `picture.svg` with its title, as a PNG in its files.

Run `python docs/previews.py` after a change of a picture or a title. Needs Playwright and Chromium, like the browser
tests, and `pngquant`.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from hashlib import blake2b
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import ViewportSize, sync_playwright

from readyroom.engine.game import Game
from readyroom.web import catalog, previews
from readyroom.web.static_files import FOLDER, STATIC

SIZE = ViewportSize(width=1200, height=630)
PACK = ("pngquant", "--speed", "1", "--strip", "-")
"""Reduces a PNG to 256 colours, which takes a third of the bytes."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
MARK = b"Source\0"
"""The key of the text in a picture that names what it was drawn from."""
PAGE = """<!doctype html>
<link rel="stylesheet" href="{style}">
<style>
  body {{ display: block; width: 1200px; height: 630px; overflow: hidden; background: var(--paper); }}
  .picture {{ display: block; width: 1200px; height: 443px; border-bottom: 3px solid var(--ink); }}
  .text {{ display: flex; align-items: center; justify-content: space-between; gap: 40px; height: 184px; }}
  .text {{ padding: 0 56px; }}
  h1 {{ margin: 0; font-size: 62px; }}
  p {{ margin: 8px 0 0; font-size: 27px; color: var(--muted); line-height: 1.3; max-width: 800px; }}
  .brand {{ flex: none; font: 600 34px var(--serif); border-top: 4px solid var(--japan); padding-top: 8px; }}
</style>
{picture}
<div class="text"><div><h1>{title}</h1><p>{summary}</p></div><div class="brand">Ready Room</div></div>
"""


def page_of(game: Game[Any, Any]) -> str:
    """Return the page that is photographed; empty for a game without a picture."""
    picture = catalog.picture(game.package)
    if not picture:
        return ""
    style = (STATIC / "site.css").as_uri()
    return PAGE.format(style=style, picture=picture, title=escape(game.title), summary=escape(game.summary))


def source_of(game: Game[Any, Any]) -> str:
    """Return a hash of all that the picture of a game shows."""
    shown = f"{catalog.picture(game.package)} {game.title} {game.summary} {PAGE}"
    return blake2b(shown.encode(), digest_size=12).hexdigest()


def drawn_from(picture: bytes) -> str:
    """Return the hash of what a picture was drawn from; empty if it does not say."""
    return next((body.removeprefix(MARK).decode() for kind, body in chunks(picture) if kind == b"tEXt"), "")


def place_of(game: Game[Any, Any]) -> Path:
    """Return the path of the picture of a game."""
    return Path(str(files(game.package))) / FOLDER / previews.PICTURE


# -- PNG -------------------------------------------------------------------------------------------------------------


def chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a PNG: kind and content."""
    at = len(SIGNATURE)
    while at < len(picture):
        length, kind = struct.unpack(">I4s", picture[at : at + 8])
        yield kind, picture[at + 8 : at + 8 + length]
        at += length + 12


def marked(picture: bytes, source: str) -> bytes:
    """Return a PNG that says what it was drawn from, after its header and without other texts."""
    header, *rest = (one for one in chunks(picture) if one[0] != b"tEXt")
    return SIGNATURE + b"".join(_chunk(*one) for one in (header, (b"tEXt", MARK + source.encode()), *rest))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def main() -> None:
    """Draw the pictures that are not those of their games any more."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        for game in catalog.games().values():
            text, place = page_of(game), place_of(game)
            if not text or (place.is_file() and drawn_from(place.read_bytes()) == source_of(game)):
                continue
            file = Path(folder) / f"{game.key}.html"
            file.write_text(text, encoding="utf-8")
            page.goto(file.as_uri())
            page.evaluate("document.fonts.ready")
            packed = subprocess.run(PACK, input=page.screenshot(), stdout=subprocess.PIPE, check=True).stdout
            place.write_bytes(marked(packed, source_of(game)))
            print(f"{place}: {place.stat().st_size:,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
