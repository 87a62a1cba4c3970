"""Take the README's film of a strike at Midway, an animated WebP.

Run `PYTHONPATH=. python docs/film.py` after visual changes.

Needs Playwright, Chromium and Pillow. The strike is that of the film in `tests/browser/test_midway_films.py`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from tests.browser.films import Film, film, find_entries
from tests.browser.test_midway_films import battle
from tests.browser.visitors import MOVING, Visitor
from tests.chromium import program
from tests.server.running import Server

TARGET = Path(__file__).with_name("strike.webp")
SCREEN = {"width": 930, "height": 690}
WIDTH = 680
QUALITY = 40
STEP = 170
LAST = 2000
"""Milliseconds from one picture to the next, and for which the last one stays."""


def take(folder: Path) -> Film:
    """Play the strike in a replay, as the United States see it, and return its pictures."""
    match = battle()
    entries = find_entries(match, "usa", lambda event: event.moment.endswith(" crippled"), before=2)
    with Server(folder / "home") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        visitor = Visitor(browser, server.url, speed="normal", viewport=SCREEN, **MOVING)
        visitor.context.add_init_script("localStorage.setItem('readyroom-sound', 'off')")
        return film(visitor, server, match, entries, "usa", "readme", STEP)


def write(shown: Film, target: Path) -> None:
    """Write the pictures as an animated WebP; a picture that does not change stays longer."""
    pictures: list[Image.Image] = []
    times: list[int] = []
    for frame in shown.frames:
        picture = Image.open(frame.path).convert("RGB")
        picture = picture.resize((WIDTH, picture.height * WIDTH // picture.width), Image.Resampling.LANCZOS)
        if not pictures or picture.tobytes() != pictures[-1].tobytes():
            pictures.append(picture)
            times.append(frame.at)
    ends = [*times[1:], times[-1] + LAST]
    lengths = [end - start for start, end in zip(times, ends, strict=True)]
    pictures[0].save(
        target, save_all=True, append_images=pictures[1:], duration=lengths, loop=0, quality=QUALITY, method=6
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        write(take(Path(place)), Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)
