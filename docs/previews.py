"""Draw the pictures that previews of links show: of the home page, and of each game and scenario, as PNG files.

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
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

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
SMALL = """
<style>
  h1 {{ font-size: 48px; }}
  p {{ display: -webkit-box; overflow: hidden; max-width: 860px; font-size: 24px; -webkit-box-orient: vertical; }}
  p {{ -webkit-line-clamp: 3; }}
</style>
"""
"""Follows in the page of a scenario, whose summary is longer than a game's; it is cut after three lines."""
SITE = """<!doctype html>
<link rel="stylesheet" href="{style}">
<style>
  body {{ display: block; width: 1200px; height: 630px; overflow: hidden; }}
  .picture {{ display: block; width: 1200px; height: 697px; margin-top: -33px; }}
  .text {{ position: absolute; left: 48px; bottom: 40px; padding: 26px 34px; }}
  .text {{ border: 2px solid var(--ink); border-radius: 6px; background: var(--card); }}
  h1 {{ margin: 0; font-size: 64px; line-height: 1.1; }}
  p {{ margin: 10px 0 0; font-size: 29px; line-height: 1.3; }}
</style>
{picture}
<div class="text"><h1>{title}</h1><p>{summary}</p></div>
"""
"""The picture of all pages that belong to no game."""


class Preview(NamedTuple):
    """A picture: its file, and what it shows."""

    place: Path
    drawing: str
    title: str
    summary: str
    template: str = PAGE

    @property
    def page(self) -> str:
        """The page that is photographed."""
        style = (STATIC / "site.css").as_uri()
        words = {"title": escape(self.title), "summary": escape(self.summary)}
        return self.template.format(style=style, picture=self.drawing, **words)

    @property
    def source(self) -> str:
        """A hash of all that it shows."""
        shown = f"{self.drawing} {self.title} {self.summary} {self.template}"
        return blake2b(shown.encode(), digest_size=12).hexdigest()


def site() -> Preview:
    """Return the picture of all pages that belong to no game."""
    drawing = (Path(str(files("readyroom.web"))) / "templates" / "_picture.svg").read_text(encoding="utf-8")
    return Preview(STATIC / previews.SITE_PICTURE, drawing, *previews.SITE_WORDS, SITE)


def previews_of(game: Game[Any, Any]) -> Iterator[Preview]:
    """Yield the picture of a game and those of its scenarios but the first; none for a game without a drawing."""
    drawing, folder = catalog.picture(game.package), Path(str(files(game.package))) / FOLDER
    if not drawing:
        return
    yield Preview(folder / previews.PICTURE, drawing, game.title, game.summary)
    for scenario in catalog.scenarios(game)[1:]:
        place = folder / previews.SCENARIO_PICTURE.format(scenario.key)
        yield Preview(place, drawing, scenario.title, scenario.summary, PAGE + SMALL)


def drawn_from(picture: bytes) -> str:
    """Return the hash of what a picture was drawn from; empty if it does not say."""
    return next((body.removeprefix(MARK).decode() for kind, body in chunks(picture) if kind == b"tEXt"), "")


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
    """Draw the pictures that do not show what they should any more."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        for preview in [site(), *chain.from_iterable(map(previews_of, catalog.games().values()))]:
            place = preview.place
            if place.is_file() and drawn_from(place.read_bytes()) == preview.source:
                continue
            file = Path(folder) / "preview.html"
            file.write_text(preview.page, encoding="utf-8")
            page.goto(file.as_uri())
            page.evaluate("document.fonts.ready")
            packed = subprocess.run(PACK, input=page.screenshot(), stdout=subprocess.PIPE, check=True).stdout
            place.write_bytes(marked(packed, preview.source))
            print(f"{place}: {place.stat().st_size:,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
